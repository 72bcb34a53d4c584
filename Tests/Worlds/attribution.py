"""Who is measured, and which rows count for them: measurement.md read top to bottom.

Set aside in the spec's order, one pass of the whole list for each reason:
sandbox, family_shared, after_cutoff, unassigned, excluded_user,
no_exchange_rate, duplicate. What is left is used.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from facts import CONTINUED, REFUNDS, VOID, Account
from feeds import (
    BY_TURN, Charges, copies_order, drop_told_moments, drop_told_sales, drop_told_turns, is_named, lend, newest_snapshots, orphans_of,
    sales_order, settle,
    told_recoveries, with_chains,
)
from values import day_number, round_half_even, time_millis


@dataclass
class Membership:
    """A user in one offering; `at` is the start of every window."""

    user: str
    offering: str
    group: str
    at: int
    attributes: dict = field(default_factory=dict)


@dataclass
class Attributed:
    """Everything the metrics need: members, and each user's events that count."""

    members: list
    events: dict
    groups: dict
    multiple: dict
    assigned: dict
    orphans: int  # refunds of unknown charges that may be one
    is_open: bool  # some refund or turn has several charges of other users to follow


def set_aside(events, reason, bad):
    """Drop the events `bad` says yes to, counting them under `reason`."""
    kept = []
    for event in events:
        if bad(event):
            event.account.aside[reason] += 1
        else:
            kept.append(event)
    return kept


def is_sandbox(event):
    return bool(event.environment) and event.environment.lower() != "production"


def utf8(text):
    return (text or "").encode()


def sticky(rows, job):
    """One user's rows in one offering → the row that holds, or None for two groups. Rows that differ in nothing but
    attributes are taken by these, NULL first, then by bytes: the specification does not order them."""
    asked = [*job.get("segments", []), *(name for metric in job["metrics"] for name in metric.get("segments", []))]

    def order(row):
        at, group, attributes = row
        return at, utf8(group), [(attributes.get(name) is not None, utf8(attributes.get(name))) for name in asked]

    first = min(rows, key=order)
    if len({group for _, group, _ in rows}) > 1 and job.get("multiple_groups", "exclude") != "first":
        return None
    return first


def assignment_candidates(job, assignments, events, cutoff):
    """`(user, offering) → [(time, group, attributes)]`, from the table or from the log itself."""
    found = defaultdict(list)
    wanted = job.get("offerings")
    logged = job.get("population") == "logged"
    if logged:
        rows = [(e.user, e.offering, e.group, e.at, {}) for e in events if e.offering and e.group and e.type != VOID]
    else:
        rows = [(r.user, r.offering, r.group, r.at, r.attributes) for r in assignments if r.at < cutoff]
    for user, offering, group, at, attributes in rows:
        if wanted and offering not in wanted:
            continue
        found[user, offering].append((at, group, attributes))
    return found


def is_enrolled(job, rows):
    """Whether the first of a user's assignments lies within the enrolment."""
    bounds, first = job.get("enrolment", {}), min(at for at, _, _ in rows)
    late = "to" in bounds and first >= time_millis(bounds["to"])
    return not late and ("from" not in bounds or first >= time_millis(bounds["from"]))


def measured(job, candidates, events):
    """The memberships that stay, and the assigned users and groups for the checks."""
    by_user = defaultdict(list)
    for event in events:
        by_user[event.user].append(event)
    members, multiple, assigned = [], defaultdict(int), defaultdict(int)
    for (user, offering), rows in candidates.items():
        rows = [row for row in rows if row[1] not in job.get("exclude_groups", ())]  # no group of the test, so no second one either
        if not rows or not is_enrolled(job, rows):
            continue
        assigned[offering] += 1
        multiple[offering] += len({group for _, group, _ in rows}) > 1
        held = sticky(rows, job)
        if held is None:
            continue
        at, group, attributes = held
        if job.get("population") == "exposed":
            views = [e.at for e in by_user[user] if e.type == "paywall_view" and e.at >= at]
            if not views:
                continue
            at = min(views)
        if job.get("new_customers_only"):
            if any(e.is_charge and e.at < at for e in by_user[user]):
                continue
        members.append(Membership(user, offering, group, at, attributes))
    return members, multiple, assigned


def rate_for(event, rates, reporting):
    """Its UTC day's rate, else the latest earlier one at most seven days old, else None."""
    if event.currency == reporting:
        return 1
    today = day_number(event.at)
    for back in range(8):
        rate = rates.get((event.currency, today - back))
        if rate is not None:
            return rate
    return None


def told_rate(event, reporting):
    """Where no rate is given and dollars are reported, what the feed says that the charge is worth."""
    return event.dollars if reporting == "USD" else None


def with_their_charges(events):
    """Whoever the user of a refund, a reversal or a turn is said to be: who holds its charge is.

    Whether for some of them several others do: which one it is then is not specified.
    """
    is_open = False
    sold = defaultdict(list)
    for event in events:
        if event.transaction and event.is_charge:
            sold[event.transaction].append(event)
    for event in events:
        if event.transaction and (event.type in REFUNDS or event.type in BY_TURN):
            those = [e for e in sold[event.transaction] if is_named(e, event)]
            if those and event.user not in {e.user for e in those}:
                is_open = is_open or len({e.user for e in those}) > 1
                event.user = min(those, key=lambda e: (copies_order(e), utf8(e.user))).user
    return is_open


def duplicate_key(event, orders):
    """What makes two events of a user copies of one within a feed; None stands alone. `orders` have items: products apart."""
    if event.is_charge:
        item = [event.product] if (event.user, event.feed, event.transaction) in orders else []
        names = [("own", event.key), ("transaction", event.transaction), ("event", event.event_id)]
        return next((("charge", event.feed, *name, *item) for name in names if name[1]), None)
    if event.type in REFUNDS:
        if event.event_id:
            return ("refund", event.feed, event.type, event.event_id)
        return ("refund part", event.feed, event.type, event.key or event.transaction, event.at, event.amount)
    feed = event.feed if event.type in BY_TURN else None  # the k-th that one feed tells is another's k-th: each has its own
    if event.event_id:
        return ("event", feed, event.event_id)
    return ("event at", feed, event.type, event.product, event.at)


def by_the_rest(event, other):
    """Whether of two copies, alike in what the specification orders them by, the first is kept: the one whose access ends
    earlier, then by what it was logged with, in one file by the code; what is not told comes first."""
    if event.feed != other.feed or event.is_charge or copies_order(event) != copies_order(other):
        return False
    rest = lambda e: ((e.expires is not None, e.expires or 0), logged(e.offering), logged(e.group))
    if rest(event) != rest(other):
        return rest(event) < rest(other)
    return event.account is other.account and utf8(event.code) < utf8(other.code)


def logged(name):
    return name is not None, utf8(name)


def drop_duplicates(events):
    """Of each user's copies the earliest, cheapest, smallest product and type stays."""
    best, kept, others = {}, [], defaultdict(list)
    orders = {(event.user, event.feed, event.transaction) for event in events if event.is_item and event.transaction}
    for event in events:
        key = duplicate_key(event, orders)
        if key is None:
            kept.append(event)
            continue
        other = best.get((event.user, key))
        if other is None or copies_order(event) < copies_order(other) or by_the_rest(event, other):
            best[event.user, key], event = event, other
        if event is not None:
            event.account.aside["duplicate"] += 1
            others[event.user, key].append(event)
    for place, event in best.items():
        if event.is_charge:
            lend(event, others[place])
    return kept + list(best.values())


def value_refunds(events, rates, reporting):
    """A refund in another currency than its charge's takes that currency's rate of the charge's day."""
    apart = [replace(event, account=Account(), copies=[]) for event in events if event.is_charge or event.type == VOID]
    charges_of, by_user = defaultdict(list), defaultdict(list)
    for charge in drop_told_sales(drop_duplicates(newest_snapshots(apart))):
        charges_of[charge.user].append(charge)
    for event in events:
        by_user[event.user].append(event)
    lacking = set()
    for user, theirs in by_user.items():
        charges = Charges(charges_of[user])
        for step in theirs:
            charge = charges.of(step) if step.type == "refund" and step.amount is not None else None
            own = charge and step.currency in (None, charge.currency)
            if charge and not own:
                step.rate = rate_for(replace(charge, currency=step.currency), rates, reporting)
                if step.rate is None:
                    lacking.add(id(step))
    return lacking


def with_told_lives(events, cutoff):
    """What RevenueCat's rows tell together: a renewal that went through after failing, a grace that ended unpaid."""
    events = told_recoveries(events, lambda charge, feed: replace(beside(charge, "billing_recovery", charge.at), feed=feed))
    renewed = defaultdict(int)
    for event in events:
        if event.is_charge:
            place = event.user, event.product
            renewed[place] = max(renewed[place], event.at)
    for event in list(events):
        if event.type == "billing_retry" and event.feed == "revenuecat-export" and event.expires is not None:
            end = max(event.expires, event.at)  # a failure may be noticed minutes after the end
            if end < cutoff and renewed[event.user, event.product] <= event.at:
                events.append(beside(event, "expire", end))
    return events


def with_first_trials(events):
    """Of one chain the first trial begins it: a plan changed within it, or a free month after it, is the same trial."""
    begun = set()
    for event in sorted((e for e in events if e.type == "trial_start"), key=sales_order):
        if event.chain is not None and (event.user, event.chain) in begun:
            event.type = CONTINUED
        begun.add((event.user, event.chain))
    return events


def beside(event, kind, at):
    """What goes with an event without being told by itself."""
    return replace(event, type=kind, at=at, amount=None, currency=None, event_id=None, expires=None, account=Account(),
                   parent=event.parent or event, copies=[], key=None, voice=None, snapshot=None)


def attribute(job, assignments, events, rates, cutoff):
    """Members, and what each one's events are after all that is set aside."""
    reporting = job.get("currency", "USD")
    for row in assignments:
        if row.at >= cutoff:
            row.account.aside["after_cutoff"] += 1
    events = set_aside(events, "sandbox", is_sandbox)
    events = set_aside(events, "family_shared", lambda e: e.ownership == "FAMILY_SHARED")
    events = set_aside(events, "after_cutoff", lambda e: e.at >= cutoff)
    for event in events:
        event.whole_at = event.whole_at if event.whole_at < cutoff else 0
    # A logged group is that of the user whom the row itself names, whoever has the charge that it follows.
    candidates = assignment_candidates(job, assignments, events, cutoff)
    is_open = with_their_charges(events)
    assigned_users = {user for user, _ in candidates}
    events = set_aside(events, "unassigned", lambda e: e.user not in assigned_users)
    members, multiple, assigned = measured(job, candidates, events)
    measured_users = {member.user for member in members}
    events = set_aside(events, "excluded_user", lambda e: e.user not in measured_users)

    def without_rate(event):
        if not event.is_charge:
            return False
        event.rate = rate_for(event, rates, reporting)
        if event.rate is None:
            event.rate = told_rate(event, reporting)
            event.is_worth_told = event.rate is not None
        return event.rate is None

    events = set_aside(events, "no_exchange_rate", without_rate)
    lacking = value_refunds(events, rates, reporting)
    events = set_aside(events, "no_exchange_rate", lambda e: id(e) in lacking)
    events = drop_duplicates(newest_snapshots(events))
    events = with_chains(with_told_lives(drop_told_moments(drop_told_sales(events)), cutoff))
    events = with_first_trials(drop_told_turns(events))
    by_user = defaultdict(list)
    for event in events:
        if event.is_charge:
            event.gross = round_half_even(event.amount * event.rate)
        by_user[event.user].append(event)
    orphans = 0
    for theirs in by_user.values():
        settle([e for e in theirs if e.is_charge], [e for e in theirs if e.type in REFUNDS])
        orphans += orphans_of([e for e in theirs if e.is_charge], [e for e in theirs if e.type in REFUNDS])
        for event in theirs:
            if event.is_retold:
                event.account.aside["duplicate"] += 1
    groups = defaultdict(set)
    for member in members:
        groups[member.offering].add(member.group)
    return Attributed(members, by_user, groups, multiple, assigned, orphans, is_open)
