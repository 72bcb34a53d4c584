"""One story told by several feeds: snapshots of a row, a charge in two logs, a refund reported twice.

A feed is a purchase format; `events` and `events-csv` are one form and one feed.
"""

from collections import defaultdict
from fractions import Fraction

from values import round_half_even


def utf8(text):
    return (text or "").encode()


def copies_order(event):
    """Which of two copies is kept: the earliest, the cheapest, the smaller product, the smaller type."""
    return (event.at, event.amount is not None, event.amount or 0, utf8(event.product), utf8(event.type))


def newest_snapshots(events):
    """Of an export's rows with one key the latest update is the row; older ones go with all they said."""
    newest = {}
    for event in events:
        if event.snapshot and event.parent is None:
            place = (event.user, event.feed, event.snapshot[0])
            newest[place] = max(newest.get(place, -1), event.snapshot[1])
    kept = []
    for event in events:
        row = event.parent or event
        if row.snapshot and newest.get((row.user, row.feed, row.snapshot[0]), -1) > row.snapshot[1]:
            event.account.aside["duplicate"] += 1
        else:
            kept.append(event)
    return kept


def lend_end(kept, others):
    """When access ends, where the kept copy does not say: the latest that another says."""
    ends = [event.expires for event in others if event.expires is not None]
    if kept.expires is None and ends:
        kept.expires = max(ends)


def drop_charges_of_other_feeds(events):
    """A charge that another feed told too, by its transaction: the first of copies is kept."""
    told = defaultdict(list)
    for event in events:
        if event.is_charge and event.transaction:
            told[event.user, event.transaction].append(event)
    dropped = set()
    for copies in told.values():
        if len({event.feed for event in copies}) > 1:
            kept, *others = sorted(copies, key=lambda e: (copies_order(e), e.feed))
            lend_end(kept, others)
            for event in others:
                event.account.aside["duplicate"] += 1
                dropped.add(id(event))
    return [event for event in events if id(event) not in dropped]


class Charges:
    """One user's charges, found by their format's own key or by transaction."""

    def __init__(self, events):
        self.by_key, self.by_transaction = {}, {}
        for event in events:
            if event.is_charge:
                self.by_key[event.feed, event.key] = event
                self.by_transaction[event.transaction] = event

    def of(self, step):
        found = self.by_key.get((step.feed, step.key)) if step.key else None
        if found is None and step.transaction:
            found = self.by_transaction.get(step.transaction)
        return found


def part_of(step, charge):
    """What a refund takes back, in the reporting currency: a share, an amount, or all."""
    if step.part is not None:
        return round_half_even(charge.gross * Fraction(step.part))
    if step.amount is None:
        return charge.gross
    return round_half_even(step.amount * charge.rate)


def drop_retold(steps, charges):
    """Refunds of one charge, one kind and one amount: the k-th of one feed is the k-th of another."""
    told = defaultdict(lambda: defaultdict(list))
    for step in sorted(steps, key=lambda e: e.at):
        charge = charges.of(step)
        if charge is not None:
            part = None if step.type == "refund_reversal" else min(part_of(step, charge), charge.gross)
            told[id(charge), step.type, part][step.feed].append(step)
    dropped = set()
    for feeds in told.values():
        for place in range(max(map(len, feeds.values()))):
            same = [steps[place] for steps in feeds.values() if place < len(steps)]
            for step in sorted(same, key=lambda e: (e.at, e.parent is not None, e.feed))[1:]:  # a row before a companion
                step.account.aside["duplicate"] += 1
                dropped.add(id(step))
    return [step for step in steps if id(step) not in dropped]
