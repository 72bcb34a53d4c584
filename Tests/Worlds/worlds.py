"""Random small worlds from a seed, with every kind of dirt the specification names.

The generator says nothing about what the dirt does: the model reads the
written files like anyone else and decides.
"""

from collections import Counter
import random
import unicodedata

from charge_attributes import Spelling
from dealing import purchase_sources, stores_of
from dirt import damaged_assignments
from jobs import analysis_settings, funnels, metrics, now_and_then_silent
from layout import World
from lives import Life
from many_ids import ManyIds
from stories import Story
from tables import assignment_sources, side_tables
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
EVENT_TYPES = ["plan_view", "purchase_tap", "scan \u00e9", "offering_served", "no_offering", "auth_invalid", "server_error",
               "status_check", "activation", "validation_failed", "already_subscribed"]
KINDS = ["auto_renewable", "auto_renewable", "non_renewing", "consumable", "non_consumable"]


PERIODS = ["P1W", "P1W", "P1M", "P1M", "P1D", "P3D", "P2W", "P4W", "P2M", "P3M", "P6M", "P1Y", "P1Y6M", "P7D"]


def products_of(rng):
    """Products with their own columns of the products table; periods of the rest come from the catalog or nowhere."""
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
            "period": rng.choice(PERIODS if kind == "auto_renewable" else ["P3D", "P1W", None]),
            "trial": rng.choice([None, None, "P3D", "P14D", "P1M"]),
            "grace": rng.choice([None, None, "P3D", "P6D", "P16D"]),
            "credits": rng.choice([None, "30", "60", "100"]),
            "catalog": rng.choice(["weekly", "monthly", "yearly"]),
            "known": rng.random() < 0.75,
        })
    return found


def families_of(dice, products):
    """Product → its subscription group, as a table or a store tells it; most worlds have none."""
    if dice.random() < 0.6:
        return {}
    return {product["id"]: dice.choice(["gold", "silver", None]) for product in products}


def users_of(rng, number):
    names = rng.sample(ODD_USERS, min(len(ODD_USERS), rng.choice([0, 3, 8])))
    return names + [rng.choice([f"user-{i}", f"{i:08d}", f"{10**19 + i}"]) for i in range(number - len(names))]


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
        self.stores = stores_of(rng)
        self.by_original = "app-store-notifications" in self.stores and rng.random() < 0.25
        self.by_alias = rng.random() < 0.3
        self.tells_ends = rng.random() < 0.5
        self.has_catalog = rng.random() < 0.35
        self.foreign = not self.new_only and self.population != "logged" and len(self.stores) < 2 and rng.random() < 0.5
        self.home_currency = self.currency(rng)
        self.aliases, self.transfers, self.other_names = [], [], {}
        self.aliased = rng.random() < 0.35
        self.spelling = Spelling(seed)
        self.ids_of, self.dice = ManyIds(seed), random.Random(f"rules {seed}")  # what came later has dice of its own
        self.tells_chains = self.dice.random() < 0.6
        self.families = families_of(self.dice, self.products)
        self.enrolments, self.is_faithful, self.always_tells_families = [], False, False
        self.reach = rng.choice([40, 120, 120])  # days back that assignments go

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
            at = world.cutoff - int(rng.uniform(-1 if rng.random() < 0.3 else 1, world.reach) * DAY)
            at = at // 1000 * 1000 if rng.random() < 0.7 else at
            if rng.random() < 0.1:
                at = world.cutoff + rng.choice([-7 * DAY, -7 * DAY - 1, -7 * DAY + 1, 0, -1])
            row = {"user": user, "offering": offering, "group": rng.choice(world.names), "#at": at}
            row |= {"country": rng.choice(world.countries), "platform": rng.choice(["ios", "android", "we b"])}
            rows.append(row)
            if rng.random() < 0.1 and row["country"]:  # an empty one may be NULL in the format of its copy
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


def lives_of(rng, world):
    """A life without sense, a subscription's story, or both."""
    if world.large:
        return rng.choice([[Life], [Life], [Story]])
    return rng.choice([[Life], [Story], [Story], [Life, Story]])


def under_other_names(rng, world, user, events):
    """Some of the events under aliases of the user: a chain of them, told by a table or by transfers."""
    if world.by_original:
        world.aliases += [[name, user] for name in sorted({e["#original"] for e in events if "#original" in e})]
    if not world.aliased or rng.random() < 0.7:
        return events
    names = [world.next_id("alias") for _ in range(rng.choice([1, 1, 2, 3]))]
    for name, following in zip(names, [*names[1:], user]):
        if "revenuecat-webhooks" in world.stores and rng.random() < 0.4:
            at = world.cutoff - rng.randrange(1, 30 * DAY)
            others = [other for other in ("\U0001f600z", "zz", "$RCAnonymousID:0") if (other.startswith("$") or other > following) and rng.random() < 0.5]
            world.transfers.append((at, [name], [*others, following]))
            if rng.random() < 0.3:
                world.transfers.append((at - DAY, [name], ["stranger"]))
        else:
            world.aliases.append([name, following])
    world.other_names[user] = names[0]
    return [event | {"userId": rng.choice(names)} if rng.random() < 0.5 else event for event in events]


def circles(rng, world):
    """Aliases that lead nowhere: round in a circle, to two users, to themselves."""
    if world.aliased and rng.random() < 0.4:
        world.aliases += [["round-1", "round-2"], ["round-2", "round-1"], ["u-twice", "somebody"], ["u-twice", "stranger"],
                          ["itself", "itself"]]
    rng.shuffle(world.aliases)


def never_counted(world, users):
    """Products that only rows name which do not count: nothing may be said of them."""
    if world.dice.random() < 0.5:
        return []
    sold = {"eventType": "purchase", "price": "1", "currency": "USD", "#at": world.cutoff - DAY, "userId": world.dice.choice(users)}
    told = [{"environment": "Sandbox"}, {"#at": world.cutoff + DAY}, {"userId": "stranger"}, {"price": "x"}, {"ownershipType": "FAMILY_SHARED"}]
    return [sold | more | {"productId": f"ghost {place}"} for place, more in enumerate(told)]


def outside_the_test(world, rows):
    """Some users' group is no part of the test, and the job says so."""
    if world.population == "logged" or world.has_catalog or world.dice.random() > 0.12:
        return {}
    others = {(user, offering): world.dice.random() < 0.15 for user, offering in sorted({(row["user"], row["offering"]) for row in rows})}
    for row in rows:
        row["group"] = "not_in_test" if others[row["user"], row["offering"]] else row["group"]
    return {"exclude_groups": ["not_in_test"]}


def baseline_of(rng, world, rows, events):
    """What the job has to say of baselines: nothing where every offering has a `control`, one group of each otherwise.

    A `control` that few events are logged with may not be there after all: not every feed tells what an event was
    logged with, and some rows do not count.
    """
    told = [(row["offering"], row["group"]) for row in rows if row["#at"] < world.cutoff and row["group"] != "not_in_test"]
    if world.population == "logged":
        seen = {(event["userId"], event["offeringId"], event["testGroupId"]): None for event in events
                if event.get("testGroupId") and "offeringId" in event and event["#at"] < world.cutoff}
        shown = Counter((user, offering) for user, offering, _ in seen)
        # Who was shown two groups may be left out.
        told = [(offering, group) for user, offering, group in seen if shown[user, offering] == 1]
    counts = Counter(told)
    named = {}
    for offering in world.offerings:
        groups = sorted((group for o, group in counts if o == offering), key=lambda group: (-counts[offering, group], group))
        is_there = counts[offering, "control"] >= (4 if world.population == "logged" else 1)
        if groups and (not is_there or rng.random() < 0.2):
            named[offering] = groups[0]
    everywhere = {group for group in named.values() if all((offering, group) in counts for offering in world.offerings)}
    return rng.choice(sorted(everywhere)) if len(named) == len(world.offerings) and everywhere else named


def make_world(seed, size=None, corrected=lambda rows: rows):
    """The world of a seed: job, inputs and cut-off, always the same for the same seed (and size).

    `corrected` may change the rows that assign users, once all else has been made of them.
    """
    rng = random.Random(seed)
    world = Settings(rng, seed)
    world.offerings = rng.sample(["spring_2026", "\u00fc-offer", "main", "=cmd"], rng.choice([1, 1, 2, 3]))
    plain = world.population == "assigned" and not (world.large or size) and not world.new_only
    many = plain and rng.random() < 0.06
    world.countries = [f"C{i}" for i in range(26)] if many else rng.choice([["DE", "US", "F,R", "-X"], ["DE", "", None]])
    world.large = world.large or size is not None
    users = world.ids_of.users(users_of(rng, size or (rng.randrange(700, 1500) if world.large else rng.randrange(4, 60))))
    world.users = users
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
        for kind in lives_of(rng, world):
            theirs = kind(rng, world, user, start, named and named["offering"], named and named["group"]).live()
            events += under_other_names(rng, world, user, theirs)
    for row in rows:
        if row["user"] in world.other_names and rng.random() < 0.2:
            row["user"] = world.other_names[row["user"]]
    stranger = {"userId": "stranger", "eventType": "paywall_view", "#at": world.cutoff - DAY}
    events += [dict(stranger)] if rng.random() < 0.5 else []
    world.enrolments = [row for row in rows if world.dice.random() < (0.4 if world.population == "logged" else 0.03)]
    events += never_counted(world, users)
    left_out = {} if many else outside_the_test(world, rows)
    job = job_of(rng, world, rows, enrolled) | left_out
    if baseline := baseline_of(rng, world, rows, events):
        job["baseline"] = baseline
    circles(rng, world)
    side, settings, catalog = side_tables(rng, world)
    job |= settings
    job["metrics"] = those_granted(job, world.products)
    alike = len({unicodedata.normalize("NFC", name) for name in world.names}) < len(world.names)
    if not catalog and not alike and rng.random() < 0.3:  # YAML readers may take such keys for one
        job["weights"] = {offering: {name: rng.choice([1, 1, 1.5]) for name in world.names} for offering in world.offerings}
    sources = purchase_sources(rng, world, events)
    if world.population != "logged":
        sources += assignment_sources(rng, world, corrected(damaged_assignments(rng, world, rows)), catalog)
    return World(seed, job, world.as_of, sources, side)


def those_granted(job, products):
    """The job's metrics, without those of credits where no product of its table grants any: such a job is refused."""
    if "products" in job and any(product["known"] and product["credits"] for product in products):
        return job["metrics"]
    of_credits = ("credits_granted", "credits_balance")
    others = [metric for metric in job["metrics"] if metric.get("of", metric["name"]) not in of_credits]
    return others or [{"name": "charges", "window": "7d"}]


def job_of(rng, world, rows, enrolled):
    job = {"job": f"world-{world.seed}", "currency": "USD", "max_reject_ratio": 1,
           "population": world.population, "event_types": EVENT_TYPES}
    job["metrics"] = now_and_then_silent(metrics(rng, world), world.seed)
    if "app-store-notifications" in world.stores and world.dice.random() < 0.5:
        job["metrics"].append({"name": "committed"})
    if rng.random() < 0.7:
        job["funnels"] = funnels(rng)
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
    if enrolled:
        starts = sorted(row["#at"] for row in rows) or [world.cutoff]
        whole = rng.random() < 0.7
        bounds = [starts[len(starts) // 5], starts[-1 - len(starts) // 8]]
        job["enrolment"] = {key: rfc3339(at)[: 10 if whole else None] for key, at in zip(("from", "to"), bounds)}
    return job


