"""Random small worlds from a seed, with every kind of dirt the specification names.

The generator says nothing about what the dirt does: the model reads the
written files like anyone else and decides.
"""

import random
import unicodedata

from dirt import damaged_assignments, damaged_events, with_copies
from jobs import analysis_settings, metrics
from layout import World
from tables import assignment_sources, purchase_sources, side_tables
from values import DAY, rfc3339, time_millis

HOUR = 3_600_000
CUTOFFS = [
    "2026-03-31T00:00:00Z", "2026-04-02T13:37:11.123Z", "2026-11-05T00:00:00Z",
    "2026-03-12T06:00:00Z", "2026-10-30T23:00:00Z", "2024-03-01T00:00:00Z", "2026-04-10T00:00:00Z",
]
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/London"]
ODD_USERS = [
    "007", "7", "00000000000000000007", "12345678901234567890", "12345678901234567891",
    "caf\u00e9", "cafe\u0301", "U1", "u1 ", "a,b", 'q"uote', "semi;colon", "\U0001f600", "-dash",
    "=1+1", "back\\slash", "\u212b", "\u00c5", "null", "NaN", "true", "x" * 200,
]
GROUPS = [
    ["control", "group_a"], ["control", "group_a", "group_b"], ["a", "b"], ["caf\u00e9", "cafe\u0301", "control"],
    ["control", "=SUM(1)", "-5%"], ["B", "a", "\u00e4"], ["control", 'with, "quotes"'],
]
KINDS = ["auto_renewable", "auto_renewable", "non_renewing", "consumable", "non_consumable"]


def products_of(rng):
    found = []
    for number in range(rng.randrange(3, 7)):
        kind = rng.choice(KINDS)
        found.append({
            "id": rng.choice([f"sku_{number}", f"weekly_{number}99", f"com.app.\u00e9{number}"]),
            "kind": kind,
            "price": rng.choice(["7.99", "19.99", "0.99", "4.990", "299", "0.000001", "12.345678", "1000"]),
            "tier": rng.choice(["gold", "silver", None]),
            "tax": rng.choice([None, "0", "19", "8.875", "16.6667"]),
            "commission": rng.choice([None, "15", "30", "0", "27.5"]),
            "known": rng.random() < 0.75,
        })
    return found


def users_of(rng, number):
    names = rng.sample(ODD_USERS, min(len(ODD_USERS), rng.choice([0, 3, 8])))
    return names + [rng.choice([f"user-{i}", f"{i:08d}", f"{10**19 + i}"]) for i in range(number - len(names))]


class Life:
    """One user's logical events around the start of a window."""

    def __init__(self, rng, world, user, start, offering, group):
        self.rng, self.world, self.user, self.start = rng, world, user, start
        self.offering, self.group = offering, group
        self.events = []

    def moment(self, earliest=-2):
        """Often exactly on a window's edge, or a millisecond beside it."""
        rng = self.rng
        if rng.random() < 0.3:
            edge = self.start + rng.choice([0, 1, 1.5, 3, 7, 14, 30]) * DAY
            return int(edge + rng.choice([-1, 0, 0, 1]))
        if rng.random() < 0.05:
            return self.world.cutoff + rng.choice([-1, 0, 1])
        at = self.start + int(rng.uniform(earliest, 20) * DAY)
        return at // 1000 * 1000 if rng.random() < 0.5 else at

    def add(self, kind, at=None, **fields):
        rng, event = self.rng, {"userId": self.user, "eventType": kind, "#at": at or self.moment()}
        if rng.random() < 0.7:
            event["eventId"] = self.world.next_id("e")
        if self.offering and rng.random() < 0.6:
            event["offeringId"] = self.offering
            event["testGroupId"] = self.group
            if rng.random() < self.world.mismatch:
                event["testGroupId"] = rng.choice(self.world.groups)
        if rng.random() < 0.5:
            event["environment"] = rng.choice(["Production", "production", "PRODUCTION", None])
        if rng.random() < 0.03 * self.world.dirt:
            event["environment"] = rng.choice(["Sandbox", "Xcode", "LocalTesting", "TestFlight", "sandbox"])
        if rng.random() < 0.3:
            event["ownershipType"] = "PURCHASED"
        if rng.random() < 0.03 * self.world.dirt:
            event["ownershipType"] = "FAMILY_SHARED"
        event.update(fields)
        self.events.append(event)
        return event

    def charge(self):
        rng, world = self.rng, self.world
        product = rng.choice(world.products)
        kind = "one_time_purchase" if product["kind"] != "auto_renewable" else rng.choice(["purchase", "renewal"])
        if rng.random() < 0.05:
            kind = rng.choice(["purchase", "one_time_purchase"])
        price = product["price"] if rng.random() < 0.8 else rng.choice(["0", "0.00", "007.50", "3", "1.5"])
        event = self.add(kind, productId=product["id"], price=price, currency=world.currency(rng))
        if rng.random() < 0.3:
            event["#bare"] = True
        if rng.random() < 0.85:
            event["transactionId"] = world.next_id("t")
            if rng.random() < 0.03:
                event["transactionId"] = f"t{rng.randrange(1, 30)}u"  # another user's may be the same
            if float(price) > 0.01 and rng.random() < 0.35:
                self.refund(event)
        else:
            event["eventId"] = world.next_id("e") if rng.random() < 0.7 else None
        if rng.random() < 0.3:
            event["originalTransactionId"] = event.get("transactionId")

    def refund(self, charge):
        """In full, in part, reversed, at one instant, before its charge, of nothing."""
        rng, steps = self.rng, self.rng.choice([1, 1, 1, 2, 3, 4])
        at = charge["#at"] + rng.choice([-HOUR, 0, 1, DAY, 5 * DAY])
        for _ in range(steps):
            kind = rng.choice(["refund", "refund", "refund", "refund_reversal"])
            event = self.add(kind, at=at, transactionId=charge["transactionId"])
            if steps > 1:
                event["eventId"] = self.world.next_id("r")
            if kind == "refund" and rng.random() < 0.6:
                event["price"] = rng.choice(["0.5", "1", "0.333333", charge["price"]])
            if rng.random() < 0.05:
                event["transactionId"] = "unknown-charge"
            at += rng.choice([0, 0, HOUR, DAY])

    def live(self):
        rng, world = self.rng, self.world
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            self.add("paywall_view")
        if rng.random() < 0.25:
            event = self.add("trial_start", productId=rng.choice(world.products)["id"])
            if rng.random() < 0.3:
                event |= {"price": "0.00", "currency": "USD"}
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            if not world.large or rng.random() < world.appeal.get(self.group, 1):
                self.charge()
        for kind in ("plan_view", "purchase_tap", "cancel", "scan \u00e9", "expire", "uncancel"):
            if rng.random() < 0.25:
                for _ in range(rng.choice([1, 1, 3])):
                    self.add(kind)
        return self.events


class Settings:
    """What one world's rows share while it is made."""

    def __init__(self, rng, seed):
        self.rng, self.seed, self.ids = rng, seed, 0
        self.as_of = rng.choice(CUTOFFS)
        self.cutoff = time_millis(self.as_of)
        self.large = rng.random() < 0.15
        self.dirt = 0 if rng.random() < 0.1 else (0.2 if self.large else 1)
        self.mismatch = 0.05
        self.products = products_of(rng)
        self.names = rng.choice(GROUPS)
        self.groups = self.names
        self.appeal = {name: rng.choice([0.1, 0.3, 0.9]) for name in self.names}  # true effects, for verdicts
        self.population = rng.choice(["assigned"] * 5 + ["exposed", "logged"])
        self.new_only = rng.random() < 0.15
        self.foreign = not self.new_only and self.population != "logged" and rng.random() < 0.5

    def next_id(self, prefix):
        self.ids += 1
        return f"{prefix}{self.ids}" if self.rng.random() < 0.9 else f"{prefix}-\u00e9-{self.ids}"

    def currency(self, rng):
        return rng.choice(["USD", "USD", "EUR", "JPY", "GBP", "XXX"]) if self.foreign else "USD"


def assigned_rows(rng, world, users, enrolled):
    """The sticky table's logical rows: repeats, second groups, rows after the cut-off."""
    rows = []
    for offering in world.offerings:
        for user in users:
            if rng.random() > (0.9 if offering == world.offerings[0] else 0.4):
                continue
            at = world.cutoff - int(rng.uniform(-1 if rng.random() < 0.3 else 1, 40) * DAY)
            at = at // 1000 * 1000 if rng.random() < 0.7 else at
            if rng.random() < 0.1:
                at = world.cutoff + rng.choice([-7 * DAY, -7 * DAY - 1, -7 * DAY + 1, 0, -1])
            row = {"user": user, "offering": offering, "group": rng.choice(world.names), "#at": at}
            row |= {"country": rng.choice(world.countries), "platform": rng.choice(["ios", "android", "we b"])}
            rows.append(row)
            if rng.random() < 0.1:
                rows.append(dict(row))
            if enrolled or rng.random() > 0.08:
                continue
            later = row | {"#at": at + rng.choice([-HOUR, 1, DAY, 3 * DAY])}
            if rng.random() < (0.1 if world.large else 0.6):
                later["group"] = rng.choice(world.names)
                if rng.random() < 0.3:
                    later["#at"] = at
            else:
                later["country"] = rng.choice(world.countries)
                later["#at"] = at + rng.choice([-HOUR, 1000, DAY])  # never a tie, in seconds either
            rows.append(later)
    rng.shuffle(rows)
    return rows


def make_world(seed, size=None):
    """The world of a seed: job, inputs and cut-off, always the same for the same seed (and size)."""
    rng = random.Random(seed)
    world = Settings(rng, seed)
    world.offerings = rng.sample(["spring_2026", "\u00fc-offer", "main", "=cmd"], rng.choice([1, 1, 2, 3]))
    plain = world.population == "assigned" and not (world.large or size) and not world.new_only
    many = plain and rng.random() < 0.06
    world.countries = [f"C{i}" for i in range(26)] if many else ["DE", "US", "F,R", "-X"]
    world.large = world.large or size is not None
    users = users_of(rng, size or (rng.randrange(700, 1500) if world.large else rng.randrange(4, 60)))
    enrolled = rng.random() < 0.12 and world.population != "logged"
    rows = assigned_rows(rng, world, users, enrolled)
    if many:
        world.offerings, enrolled = world.offerings[:1], False
        rows = []  # distinct sizes, so that no tie decides who is among the twenty
        for place, country in enumerate(world.countries):
            for number in range(place + 1):
                rows.append({"user": f"{country}-{number}", "offering": world.offerings[0],
                             "group": rng.choice(world.names), "#at": world.cutoff - 9 * DAY,
                             "country": country, "platform": "ios"})
        users = [row["user"] for row in rows]
    events = []
    homes = {}
    for row in rows:
        homes.setdefault(row["user"], row)
    for user in users:
        home = homes.get(user)
        start = home["#at"] if home else world.cutoff - 10 * DAY
        named = home if home or world.population != "logged" else None
        events += Life(rng, world, user, start, named and named["offering"], named and named["group"]).live()
    stranger = {"userId": "stranger", "eventType": "paywall_view", "#at": world.cutoff - DAY}
    events += [dict(stranger)] if rng.random() < 0.5 else []
    events = with_copies(rng, world, events)
    job = job_of(rng, world, rows, enrolled)
    side, settings, catalog = side_tables(rng, world)
    job |= settings
    alike = len({unicodedata.normalize("NFC", name) for name in world.names}) < len(world.names)
    if not catalog and not alike and rng.random() < 0.3:  # YAML readers may take such keys for one
        job["weights"] = {offering: {name: rng.choice([1, 1, 1.5]) for name in world.names} for offering in world.offerings}
    sources = purchase_sources(rng, world, damaged_events(rng, world, events))
    if world.population != "logged":
        sources += assignment_sources(rng, world, damaged_assignments(rng, world, rows), catalog)
    return World(seed, job, world.as_of, sources, side)


def job_of(rng, world, rows, enrolled):
    job = {"job": f"world-{world.seed}", "currency": "USD", "max_reject_ratio": 1,
           "population": world.population, "event_types": ["plan_view", "purchase_tap", "scan \u00e9"]}
    job["metrics"] = metrics(rng, world.products)
    job |= analysis_settings(rng)
    if rng.random() < 0.3:
        job["multiple_groups"] = rng.choice(["exclude", "first"])
    if world.new_only:
        job["new_customers_only"] = True
    if world.population != "logged" and rng.random() < 0.5:
        job["segments"] = rng.choice([["country"], ["country", "platform"], ["platform"]])
        if len(world.countries) > 20:
            job["segments"] = ["country"]
    if rng.random() < 0.15 and len(world.offerings) > 1:
        job["offerings"] = world.offerings[:1]
    if rng.random() < 0.2:
        name = rng.choice(world.names)
        job["baseline"] = rng.choice([name, {world.offerings[0]: name}])
    if enrolled:
        starts = sorted(row["#at"] for row in rows) or [world.cutoff]
        whole = rng.random() < 0.7
        bounds = [starts[len(starts) // 5], starts[-1 - len(starts) // 8]]
        job["enrolment"] = {key: rfc3339(at)[: 10 if whole else None] for key, at in zip(("from", "to"), bounds)}
    return job


