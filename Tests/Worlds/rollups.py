"""The tables beside the metrics: product mix, money's way, arrivals, states and funnels of one group's members."""

from collections import Counter, defaultdict
import datetime

from access import STATES
from facts import step_types
from values import DAY, EPOCH, round_half_even, span_millis


def product_rows(members, histories, cutoff):
    """`(product, kind) → row`: what was sold from each member's start to the cut-off."""
    rows = defaultdict(Counter)
    for member in members:
        history, bought = histories[member.user], set()
        tables = history.tables
        charges = [e for e in history.charges if member.at <= e.at < cutoff]
        for place, charge in enumerate(charges):
            key = (charge.product, tables.kind(charge))
            row = rows[key]
            row["buyers"] += key not in bought
            row["first_buyers"] += place == 0
            row["charges"] += 1
            row["refunded_charges"] += charge.refunded > 0
            row["gross"] += charge.gross
            row["net"] += charge.net
            row["proceeds"] += tables.proceeds(charge)
            bought.add(key)
    return rows


def money_row(members, histories, cutoff):
    """Gross → refunds → net → tax → the store's share → proceeds, of all charges from each member's start on."""
    row = Counter(users=len(members))
    for member in members:
        tables = histories[member.user].tables
        for charge in histories[member.user].charges:
            if not member.at <= charge.at < cutoff:
                continue
            proceeds = tables.proceeds(charge)
            tax = min(round_half_even(charge.net * tables.tax(charge)), charge.net - proceeds)
            row.update(
                gross=charge.gross, refunds=charge.gross - charge.net, net=charge.net, tax=tax,
                store_share=charge.net - tax - proceeds, proceeds=proceeds)
    return row


def arrival_rows(members):
    """UTC day → members whose time began on it."""
    return Counter((EPOCH + datetime.timedelta(days=member.at // DAY)).date().isoformat() for member in members)


def state_rows(members, histories):
    found = Counter(histories[member.user].state() for member in members)
    return {state: found[state] for state in STATES}


def funnel_rows(funnel, members, histories, cutoff):
    """Members who came as far as each step, by step."""
    within = span_millis(funnel["within"])
    depths = [depth_of(funnel["steps"], within, histories[m.user], m.at, cutoff) for m in members]
    return [sum(depth >= step for depth in depths) for step in range(1, len(funnel["steps"]) + 1)]


def takes(step, event):
    return event.type in step_types(step) or event.is_charge and "charge" in step_types(step)


def depth_of(steps, within, history, start, cutoff):
    """How far a member came at best: from any first step whose time is over the earliest next one each time."""
    events = [e for e in history.events if start <= e.at < cutoff]
    best = 0
    for first in events:
        if not takes(steps[0], first) or first.at + within > cutoff:
            continue
        depth, last = 1, first.at
        for step in steps[1:]:
            later = [e.at for e in events if takes(step, e) and last < e.at <= first.at + within]
            if not later:
                break
            depth, last = depth + 1, min(later)
        best = max(best, depth)
    return best
