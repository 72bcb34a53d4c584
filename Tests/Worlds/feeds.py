"""One story told by several feeds: snapshots of a row, things in two logs, refunds by charge.

A feed is a purchase format; `events` and `events-csv` are one form and one feed.
"""

from collections import defaultdict
from fractions import Fraction

from facts import STATE, VOID
from values import round_half_even

CENT = 10_000
RECOVERED_BY_RENEWAL = ("revenuecat-export", "revenuecat-webhooks", "superwall-webhooks", "adapty-export", "stripe-events")
BY_TURN = ("cancel", "uncancel", "billing_retry", "billing_recovery", "expire", "extend")


def utf8(text):
    return (text or "").encode()


def copies_order(event):
    """Which of two copies is kept: the earliest, the cheapest, the smaller product, the smaller type."""
    return (event.at, event.amount is not None, event.amount or 0, utf8(event.product), utf8(event.type))


def sales_order(event):
    return copies_order(event), utf8(event.transaction), utf8(event.chain)


def newest_snapshots(events):
    """Of an export's rows with one key the latest update is the row; older ones go with all they said."""
    newest, before = {}, defaultdict(int)
    for event in events:
        if event.snapshot and event.parent is None:
            place = (event.user, event.feed, event.snapshot[0])
            newest[place] = max(newest.get(place, -1), event.snapshot[1])
            before[place] = max(before[place], event.amount or 0)
    kept = []
    for event in events:
        row = event.parent or event
        place = row.snapshot and (row.user, row.feed, row.snapshot[0])
        if row.type == VOID:  # it was left out by name when it was read
            continue
        if row.snapshot and newest.get(place, -1) > row.snapshot[1]:
            event.account.aside["duplicate"] += 1
            continue
        kept.append(event)
        if row.is_net and event.is_charge and place:
            event.left, event.amount = event.amount, before[place]
    for event in kept:  # what is left was told, so what an older snapshot tells more was taken back
        if event.type == "refund" and event.parent and event.parent.is_net:
            event.amount = event.parent.amount - event.parent.left
    return kept


def lend(kept, others):
    """What the kept copy does not say: when access ends (the latest that another says), tax and commission."""
    graceless = kept.expires is None and (kept.graceless or any(event.graceless for event in others))
    for name in ("expires", "tax", "commission", "chain", "family", "period", "product"):
        told = [getattr(event, name) for event in others if getattr(event, name) is not None]
        if getattr(kept, name) is None and told:
            setattr(kept, name, max(told))
    kept.graceless = graceless and kept.expires is None
    kept.is_of_web = kept.is_of_web or any(event.is_of_web for event in others)
    kept.committed = kept.committed or max((event.committed for event in others), default=0)
    for event in others:
        kept.copies += [event, *event.copies]


def first_of(copies, dropped):
    """Keep the first of things that are one."""
    kept, *others = sorted(copies, key=lambda e: (copies_order(e), e.feed, e.voice or ""))
    lend(kept, others)
    for event in others:
        event.account.aside["duplicate"] += 1
        dropped.add(id(event))


def without(events, dropped):
    return [event for event in events if id(event) not in dropped]


def drop_told_sales(events):
    """Charges and trials by transaction: once over all feeds."""
    sold, dropped = defaultdict(list), set()
    for event in events:
        if event.transaction and (event.is_charge or event.type == "trial_start"):
            sold[event.user, event.is_charge, event.transaction].append(event)
    for told in (part for told in sold.values() for part in items_of(told)):
        for copies in same_charges(told):
            if len({(event.feed, event.voice) for event in copies}) > 1:
                first_of(copies, dropped)
    return without(events, dropped)


def drop_told_moments(events):
    """A trial without a transaction is another feed's at the same moment, unless they name two products."""
    told, dropped = defaultdict(list), set()
    for event in sorted((e for e in events if e.type == "trial_start"), key=sales_order):
        for trial, feeds in told[event.user, event.at]:
            bare = not (event.transaction and trial.transaction)
            alike = trial.product == event.product or None in (trial.product, event.product)
            if bare and alike and (event.feed, event.voice) not in feeds:
                feeds.add((event.feed, event.voice))
                first_of([trial, event], dropped)
                break
        else:
            told[event.user, event.at].append((event, {(event.feed, event.voice)}))
    return without(events, dropped)


def items_of(told):
    """What is told of one transaction: one thing, or each product by itself where a log tells items of it."""
    if not any(event.is_item for event in told):
        return [told]
    by_product = defaultdict(list)
    for event in told:
        by_product[event.product].append(event)
    return list(by_product.values())


def with_chains(events):
    """Who does not name its chain is of the chain of its transaction, else of the one its product was last sold in."""
    sales = sorted((e for e in events if e.is_charge or e.type == "trial_start"), key=sales_order)
    names, sold = chain_names(sales, [e for e in events if e.type in BY_TURN or e.type == STATE]), defaultdict(list)
    for event in sales:
        event.chain = names.of(event)
        sold[event.user, event.product].append(event)
    for event in events:
        if event.type in BY_TURN:
            is_named, event.chain = event.chain is not None, names.of(event) if event.product is not None or event.chain else None
            before = [sale for sale in sold[event.user, event.product] if sale.at <= event.at]
            if not is_named and event.product is not None:
                event.told_of = event.chain or (before[-1].chain if before else None)  # what names none still concerns all
            else:
                event.told_of = event.chain
    return events


class chain_names:
    """Feeds call one chain by several names: a transaction that two of them sell is of one, and so is what follows under a
    name of which nothing was sold."""

    def __init__(self, sales, following):
        self.joined, self.known, self.sold = {}, {}, set()
        for sale in sales:
            for told in (sale, *sale.copies):
                if told.chain:
                    self.take(sale.user, told)
        for event in following:
            place = event.user, self.root(event.user, event.chain)
            first = self.known.get((event.user, event.transaction))
            if event.chain and first and place not in {(user, self.root(user, chain)) for user, chain in self.sold}:
                self.joined[place] = self.root(event.user, first.chain)

    def take(self, user, told):
        self.sold.add((user, told.chain))
        if told.transaction:
            first = self.known.setdefault((user, told.transaction), told)
            one, other = self.root(user, first.chain), self.root(user, told.chain)
            if first.feed != told.feed and one != other:
                self.joined[user, other] = one

    def root(self, user, chain):
        while (user, chain) in self.joined:
            chain = self.joined[user, chain]
        return chain

    def of(self, event):
        first = self.known.get((event.user, event.transaction))
        return self.root(event.user, event.chain or (first and first.chain))


def drop_told_turns(events):
    """Turns of a user's subscription to a product, by chain: the k-th that one feed tells is another's k-th.

    A feed that tells one turn in two voices tells it in the second once it has in the first, unless a failed renewal has
    gone through in between.
    """
    turns, told, dropped = defaultdict(lambda: defaultdict(list)), {}, set()
    for event in sorted((event for event in events if event.type in BY_TURN), key=copies_order):
        of = (event.user, event.product, event.told_of)
        if event.type == "billing_recovery" and (event.feed, "billing_retry", of) in told:
            told[event.feed, "billing_retry", of][1] = None
        last = told.setdefault((event.feed, event.type, of), [0, None])
        if last[1] is None or event.voice in last[1]:
            last[:] = last[0] + 1, set()
        last[1].add(event.voice)
        turns[event.type, of][last[0]].append(event)
    for places in turns.values():
        for copies in places.values():
            first_of(copies, dropped)
    return without(events, dropped)


def same_charges(told):
    """Copies by renewal number; who tells none joins the earliest that does."""
    by_number = defaultdict(list)
    for event in told:
        by_number[event.number].append(event)
    unnumbered = by_number.pop(None, [])
    if not by_number:
        return [unnumbered]
    groups = sorted(by_number.values(), key=lambda copies: min(map(copies_order, copies)))
    groups[0] += unnumbered
    return groups


def told_recoveries(events, recovery_of):
    """A renewal after a failed one went through: vendors' feeds say so by their order alone."""
    by_life, added = defaultdict(list), []
    for event in events:
        if event.is_charge or event.type == "billing_retry" and event.feed in RECOVERED_BY_RENEWAL:
            by_life[event.user, event.product].append(event)
    for life in by_life.values():
        failed = None
        for event in sorted(life, key=lambda e: (e.at, e.is_charge)):
            if event.is_charge and failed and event.type == "renewal":
                added.append(recovery_of(event, failed.feed))
            failed = None if event.is_charge else event
    return events + added


class Charges:
    """One user's charges, found by their format's own key or by transaction."""

    def __init__(self, events):
        self.charges = sorted((event for event in events if event.is_charge), key=copies_order)
        self.by_key = {(e.feed, e.key): charge for charge in self.charges for e in (charge, *charge.copies) if e.key}

    def of(self, step):
        found = self.by_key.get((step.feed, step.key)) if step.key else None
        if found is None and step.transaction:
            those = [c for c in self.charges if any(is_named(e, step) for e in (c, *c.copies))]
            those = [c for c in those if c.product == step.product] or those
            before = [e for e in those if e.at <= step.at]
            found = (before[-1:] or those or [None])[0]
        return found


def is_named(charge, step):
    """By its transaction, and by its renewal number where both tell one."""
    return charge.transaction == step.transaction and (None in (charge.number, step.number) or charge.number == step.number)


def part_of(step, charge):
    """What a refund takes back, in the reporting currency: a share, an amount, or all."""
    if step.dollars_back is not None and charge.is_worth_told:
        return step.dollars_back
    if step.part is not None:
        return round_half_even(charge.gross * Fraction(step.part))
    if step.amount is None:
        return charge.gross
    return round_half_even(step.amount * (charge.rate if step.rate is None else step.rate))


def settle(charges, steps):
    """Each charge of one user gets what was taken back of it, within [0, gross], and when that was all of it.

    Also marks the steps that another feed had told already.
    """
    found, acts = Charges(charges), defaultdict(lambda: defaultdict(list))
    for charge in charges:
        charge.refunded, charge.full_at = 0, None
    for step in steps:
        charge = found.of(step)
        if charge is not None:  # an orphan is counted by the product, and has no effect
            acts[id(charge)][step.at, step.type == "refund_reversal"].append((step, charge))
    for turns in acts.values():
        told = Told()
        for moment, reversal in sorted(turns):
            for step, charge in sorted(turns[moment, reversal], key=lambda act: turn_of(act[0])):
                step.is_retold = told.reversal(step) if reversal else told.refund(step, charge)
                told.stands(charge, moment)
        steps = [step for acts in turns.values() for step, _ in acts]
        whole = max((charge, *charge.copies), key=lambda e: e.whole_at)
        if charge.refunded and whole.whole_at > max(max(step.at, step.told_at) for step in steps):
            told.reversal(whole)
            told.stands(charge, whole.whole_at)


class Told:
    """What each feed has told of one charge's refunds so far: sums that only grow, and how often all was restored.

    A refund is new as far as its feed has now told more than any other; a reversal, where it is a feed's k-th, is
    another's k-th. What was told before the last reversal is no longer taken back: who tells how the charge stands
    counts from there, and so does whoever told the reversal itself.
    """

    def __init__(self):
        self.sums, self.reversals, self.restored = defaultdict(int), defaultdict(int), 0
        self.tellers = set()  # feeds that told a refund

    def refund(self, step, charge):
        """Add it up; whether another feed that has told of something since tells as much, but for less than a cent (a
        percentage beside rounded cents)."""
        limit, before = self.restored + charge.gross, self.sums[step.feed]
        self.sums[step.feed] = (self.restored if step.is_state else before) + part_of(step, charge)
        self.tellers.add(step.feed)
        others = max((min(limit, self.sums[feed]) for feed in self.tellers if feed != step.feed), default=0)
        own = min(limit, self.sums[step.feed])
        return others > 0 and (others >= own or others > before and own - others < CENT)

    def reversal(self, step):
        most = max(self.reversals.values(), default=0)
        self.reversals[step.feed] += 1
        is_copy = self.reversals[step.feed] <= most
        if not is_copy:
            self.restored = max(self.sums.values(), default=0)
        if self.reversals[step.feed] >= most:
            self.sums[step.feed] = max(self.sums[step.feed], self.restored)
        return is_copy

    def stands(self, charge, moment):
        """The largest sum that one feed tells is taken back."""
        charge.refunded = min(charge.gross, max(0, max(self.sums.values(), default=0) - self.restored))
        if charge.refunded < charge.gross:
            charge.full_at = None
        elif charge.full_at is None:
            charge.full_at = moment


def turn_of(step):
    """At one instant: what adds up before what tells a state; of states the one told last decides, then the larger.

    What a row is about comes before what another row says beside.
    """
    is_all = step.amount is None and step.part is None
    beside = step.parent is not None
    return step.is_state, beside, step.told_at, is_all == step.is_state, step.amount or 0, step.part or 0, step.feed


def orphans_of(charges, steps):
    """Refunds of charges nobody knows that more than one feed tells: are they told twice? Nothing depends on it."""
    found, told = Charges(charges), defaultdict(list)
    for step in steps:
        if found.of(step) is None:
            told[step.transaction].append(step)
    return sum(len(orphans) for orphans in told.values() if len({step.feed for step in orphans}) > 1)
