"""What purchase logs tell of charges beside their money: how a world spells it, and which of several tellings counts.

The names and values of a world come from dice of their own, so that a world without them is what it was before.
"""

from collections import Counter, defaultdict
import random
import zlib

from feeds import copies_order, utf8
from metrics import LARGEST_SEGMENTS, shown

STORES = ["APP_STORE", "PLAY_STORE", "STRIPE"]
PAYWALLS = ["discovery", "messages exhausted", "access, ended", "=1+1", "\u00e9", "e\u0301", "", "(none)", "(other)"]
MEMBERS = {"store": "storefront", "paywall": "offerIdentifier"}  # of Apple's transaction


class Spelling:
    """The attributes that a world's job asks for, and each charge's values."""

    def __init__(self, seed):
        self.rng = random.Random(f"attributes of charges {seed}")
        self.names = self.rng.choice([["paywall"], ["store"], ["paywall", "store"], ["store", "paywall"]])
        if self.rng.random() > 0.4:
            self.names = []
        self.values = {"store": STORES, "paywall": PAYWALLS}
        if self.rng.random() < 0.25:
            self.values["paywall"] = [*PAYWALLS, *(f"screen {number}" for number in range(20))]

    def columns(self, entry):
        """Name → what the source of this entry calls it, noted in the entry."""
        if not self.names:
            return {}
        columns = {name: name for name in self.names}
        if entry["format"] == "app-store-notifications":
            columns = {name: MEMBERS[name] for name in self.names}
        elif entry["format"] in ("events", "events-csv") and self.rng.random() < 0.4:
            columns = {name: f"{name} of it" for name in self.names}
        entry["attributes"] = self.names
        renamed = {name: column for name, column in columns.items() if name != column}
        if renamed:
            entry["columns"] = entry.get("columns", {}) | renamed
        return columns

    def values_of(self, event):
        """Name → value or None: mostly the same in all that tell the charge."""
        number = zlib.crc32(utf8(event.get("transactionId") or event.get("eventId") or event["userId"]))
        dice = random.Random(number) if self.rng.random() < 0.75 else self.rng
        return {name: dice.choice(self.values[name]) if dice.random() < 0.8 else None for name in self.names}

    def told(self, event, columns):
        """The source's own names → values."""
        values = self.values_of(event)
        return {column: values[name] for name, column in columns.items()}


def value_of(charge, name, names):
    """The first value that a row telling the charge has; of rows alike in all else the first by its bytes."""
    def order(event):
        values = [event.told.get(other) for other in names]
        return copies_order(event), event.feed, [(value is None, utf8(value)) for value in values]

    tellings = sorted([charge, *charge.copies], key=order)
    return next((event.told[name] for event in tellings if event.told.get(name) is not None), None)


def charges_by(names, members, histories, cutoff):
    """`(group, attribute, value) → row` of one offering: what was sold from each member's start to the cut-off."""
    rows = defaultdict(Counter)
    for name in names:
        sold = []
        for member in members:
            history = histories[member.user]
            for charge in history.charges:
                if member.at <= charge.at < cutoff:
                    sold.append((member, charge, value_of(charge, name, names)))
        sizes = Counter(value for _, _, value in sold)
        order = sorted(sizes, key=lambda value: (-sizes[value], shown(value).encode(), value is None))
        largest, buyers = set(order[:LARGEST_SEGMENTS]), defaultdict(set)
        for member, charge, value in sold:
            key = (member.group, name, shown(value) if value in largest else "(other)")
            buyers[key].add(member.user)
            row = rows[key]
            row["buyers"] = len(buyers[key])
            row["charges"] += 1
            row["refunded_charges"] += charge.refunded > 0
            row["gross"] += charge.gross
            row["net"] += charge.net
            row["proceeds"] += histories[member.user].tables.proceeds(charge)
    return rows


def asked(job):
    """The attributes that a job's purchases name, each once, in the order they come."""
    return list(dict.fromkeys(name for source in job["purchases"] for name in source.get("attributes", [])))
