"""Worlds of whole subscription lives: one story, told in each format alone and in pairs.

`tellings(seed)` are the same users and the same months in several worlds. Where nothing forbids it (`alike`),
their answers must be the same.
"""

import datetime
import json
import random

from jobs import analysis_settings, now_and_then_silent
from metrics import RATIO_NAMES, metric_id
from layout import Source, World
from records import csv_record
from tables import assignment_sources, events_csv, events_jsonl, side_tables
import to_adapty
from to_app_store import answers_source, app_store_source
from to_google_play import google_play_sources
from to_revenuecat import NEEDED, clock, webhook_record
from to_stripe import stripe_source
import to_superwall
from values import DAY, EPOCH
from whole_lives import WholeLife, standing_refund
from worlds import Settings, assigned_rows, those_granted

FORMATS = ["native", "app-store-notifications", "revenuecat-export", "revenuecat-webhooks", "superwall-webhooks", "adapty-export"]
# What a format has no words for, the app's own log tells.
UNTOLD = {"superwall-webhooks": {"refund_reversal"}, "adapty-export": {"refund_reversal", "extend"}}
BESIDE_PLAY = ["native", "revenuecat-export", "revenuecat-webhooks", "adapty-export"]  # who may tell of what Google Play sells
PLANS = [("P1W", "P3D"), ("P1M", "P14D"), ("P1M", None), ("P1Y", "P1M"), ("P3M", None), ("P6M", "P14D"), ("P1Y6M", None), ("P2W", "P3D")]
LIFE_METRICS = [
    {"name": "initial_conversion", "window": "30d"}, {"name": "paying_conversion", "window": "30d", "kept": True, "id": "kept"},
    {"name": "revenue_net", "window": "60d", "primary": True}, {"name": "revenue_gross", "window": "none", "id": "gross"},
    {"name": "proceeds", "window": "none", "id": "proceeds"}, {"name": "charges", "window": "30d"},
    {"name": "revenue_net_per_payer", "window": "60d"}, {"name": "refund_rate", "window": "none", "id": "refunds"},
    {"name": "trial_start_rate", "window": "30d"}, {"name": "trial_to_paid", "window": "30d"},
    {"name": "one_time_to_subscription", "window": "none", "id": "moves_up"}, {"name": "renewal_rate", "window": "60d"},
    {"name": "renewal_rate", "window": "none", "grace": "3d", "id": "renewed_soon"},
    {"name": "involuntary_churn", "window": "60d"}, {"name": "recovery_rate", "window": "60d"}, {"name": "recovery_rate", "id": "recovered"},
    {"name": "active_subscription"}, {"name": "set_to_renew"}, {"name": "mrr", "primary": True}, {"name": "retention"},
    {"name": "credits_granted", "window": "30d"}, {"name": "credits_balance", "starting": 6, "spent_by": "scan"},
    {"name": "revenue_net", "window": "30d", "covariate": {"lookback": "60d"}, "id": "adjusted"},
]
LIFE_NAMES = {metric_id(metric) for metric in LIFE_METRICS}
# What some formats leave out, an export most of it: their answers need not be alike.
COUNTED = [{"name": "event_count", "event": kind, "id": f"n_{kind}"}
           for kind in ("trial_start", "cancel", "uncancel", "billing_retry", "billing_recovery", "expire", "extend")]
NOT_OF_EXPORTS = {"adjusted"}  # a row tells one time of all its refunds
FUNNELS = [
    {"name": "trial", "steps": ["paywall_view", "trial_start", "charge"], "within": "30d"},
    {"name": "either", "steps": [["trial_start", "purchase"], "renewal", "scan"], "within": "60d"},
]


def life_metrics(seed):
    """The metrics of a seed's job: in some a ratio is primary, or the retention, with dice of their own."""
    dice = random.Random(f"primary {seed}")
    ratio, retention = dice.random() < 0.25, dice.random() < 1 / 15
    chosen = dice.choice([metric_id(metric) for metric in LIFE_METRICS if metric["name"] in RATIO_NAMES])
    primary = [chosen] * ratio + ["retention"] * retention
    spoken = [metric | {"primary": True} if metric_id(metric) in primary else metric for metric in LIFE_METRICS]
    return now_and_then_silent(spoken, seed) + COUNTED + [{"name": "committed"}]


def life_products(rng):
    """Several plans, one of a period nobody knows perhaps, and things bought once."""
    found = []
    for number, (period, trial) in enumerate(rng.sample(PLANS, rng.choice([2, 3, 4]))):
        found.append(product_of(rng, f"plan_{number}", "auto_renewable", period, trial))
    found.append(product_of(rng, "pass", "non_renewing", rng.choice(["P3D", "P1W", "P1M"]), None))
    found.append(product_of(rng, "scans", "consumable", None, None))
    if rng.random() < 0.3:
        found.append(product_of(rng, "forever", "non_consumable", None, None))
    return found


def product_of(rng, name, kind, period, trial):
    return {"id": name, "kind": kind, "period": period, "trial": trial, "price": rng.choice(["8.00", "20.00", "4.00", "60.00"]),
            "tier": rng.choice(["gold", "silver"]), "grace": rng.choice(["P3D", "P6D", "P16D"]) if kind == "auto_renewable" else None,
            "tax": rng.choice([None, "19"]), "commission": rng.choice([None, "15"]), "credits": rng.choice([None, "30"]),
            "catalog": {"P1W": "weekly", "P1M": "monthly", "P1Y": "yearly"}.get(period, ""), "known": True}


class LifeSettings(Settings):
    """A world without noise: what differs between tellings is the telling."""

    def __init__(self, rng, seed):
        super().__init__(rng, seed)
        self.spelling.names = []  # not every format here tells them
        self.is_faithful = self.always_tells_families = True
        self.large, self.dirt, self.mismatch, self.population, self.new_only = False, 0, 0, "assigned", False
        self.names = self.groups = rng.choice([["control", "group_a"], ["control", "a", "b"]])
        self.stores, self.by_original, self.by_alias, self.aliased = [], False, False, False
        self.has_catalog, self.foreign = False, False
        self.home_currency = rng.choice(["USD", "USD", "USD", "USD", "EUR"])
        self.products, self.reach = life_products(rng), rng.choice([40, 70, 120, 200])
        self.offerings, self.countries = ["plans"], ["DE", "US", None, ""]
        self.shape = rng.choice(["plain", "plain", "plain", "plain", "stripe", "late", "cents", "shares", "skewed", "version 3", "no ends", "cut short"])
        if self.shape == "plain" and self.dice.random() < 0.4:
            self.shape = "web"
        self.is_of_the_web = self.shape == "web"  # what is sold on a site: no store extends it or takes a refund back
        if self.is_of_the_web:  # where nobody says what is kept, a site keeps nothing and a store 30 %
            for product in self.products:
                product["commission"] = product["commission"] or "15"
        self.late = self.shape == "late"
        self.is_alike = self.shape not in ("cents", "shares", "skewed", "no ends") and self.home_currency == "USD"
        self.families = {product["id"]: self.dice.choice(["gold", "silver"]) for product in self.products} if self.dice.random() < 0.35 else {}
        self.is_of_play = self.shape in ("plain", "late") and self.is_alike and self.dice.random() < 0.4
        if self.shape == "cents":
            for product in self.products:
                product["price"] = rng.choice(["7.99", "9.99", "19.99"])
        if self.shape == "no ends" and rng.random() < 0.5:
            self.products[0]["known"] = False


def tellings_of(rng, world):
    """The formats' sets this story is told in, and whether all must answer alike."""
    if world.is_of_play:
        beside = [name for name in BESIDE_PLAY if world.shape != "late" or name != "revenuecat-export"]
        return [["native"], ["google-play"], ["google-play", rng.choice(beside)]], world.is_alike
    # An export tells neither the end of a failed renewal that came after all nor that of a pass before its time.
    not_exports = [name for name in FORMATS if name != "revenuecat-export"]
    if world.is_of_the_web:
        return [["native"], ["stripe-events"], rng.sample(["stripe-events", rng.choice([FORMATS[0], *FORMATS[2:4]])], 2)], world.is_alike
    shapes = {"stripe": FORMATS[2:4], "version 3": FORMATS[2:3], "late": not_exports, "cut short": not_exports, "no ends": FORMATS[:1]}
    formats = shapes.get(world.shape, FORMATS)
    alone = rng.choice(formats)
    pair = rng.sample(formats, 2) if len(formats) > 1 else []
    if world.shape == "version 3":
        pair = [formats[0], rng.choice([name for name in FORMATS if name != formats[0]])]
    return [["native"]] + ([[alone]] + [pair] * bool(pair)) * (world.shape != "no ends"), world.is_alike


def with_two_at_once(events):
    """Users of whom a subscription is charged, or begins free, while another one has not ended."""
    ends, users = {}, set()
    for event in events:
        if event["eventType"] not in ("trial_start", "purchase", "renewal"):
            continue
        own = ends.setdefault(event["userId"], {})
        if any(end > event["#at"] for original, end in own.items() if original != event["#original"]):
            users.add(event["userId"])
        own[event["#original"]] = max(event["#expires"], own.get(event["#original"], 0))
    return users


def life_worlds(seed):
    """`[(formats, world)]` of one seed, and whether they must agree."""
    rng = random.Random(f"life {seed}")
    settings = LifeSettings(rng, seed)
    users = settings.ids_of.users([f"user-{number}" for number in range(rng.randrange(15, 60))])
    rows = assigned_rows(rng, settings, users, True)
    homes = {row["user"]: row for row in rows}
    events = []
    for user in users:
        start = homes[user]["#at"] if user in homes else settings.cutoff - 50 * DAY
        events += WholeLife(rng, settings, user, start, None, None).live()
    events.sort(key=lambda event: event["#at"])  # whose an id is is told before it is needed
    if settings.is_of_the_web:  # on a site each counts by itself, in a store the latest alone
        several = with_two_at_once(events)
        events = [event for event in events if event["userId"] not in several]
    settings.users = users
    job = {"job": f"life-{seed}", "currency": "USD", "max_reject_ratio": 1, "event_types": ["scan"],
           "metrics": life_metrics(seed), "funnels": FUNNELS} | analysis_settings(rng)
    present = {row["group"] for row in rows if row["#at"] < settings.cutoff}
    if present and "control" not in present:
        job["baseline"] = min(present)
    if rng.random() < 0.5:
        job["segments"] = ["country"]
    tables = {}
    while "products" not in tables:
        side, tables, _ = side_tables(rng, settings)
    job |= tables | {"exchange_rates": "data/rates.csv"}
    job["metrics"] = those_granted(job, settings.products)
    side["rates.csv"] = daily_rates(rng, settings)
    sticky = assignment_sources(rng, settings, rows, None)
    chosen, alike = tellings_of(rng, settings)
    worlds = []
    for formats in chosen:
        sources = [source for name in formats for source in TELLERS[name](rng, settings, events)]
        if "native" not in formats:
            sources += [events_jsonl(rng, settings, of_the_app(settings, events, formats), "app")]
        worlds.append((formats, World(seed, job, settings.as_of, sources + sticky, side)))
    return worlds, alike


def of_the_app(world, events, formats):
    """What only the app's own log knows, and what none of the formats that tell events has words for."""
    untold = [UNTOLD.get(name, set()) for name in formats if name != "revenuecat-export"]
    untold = set.intersection(*untold) if untold else set()
    rest = [event for event in events if event["eventType"] in untold | {"paywall_view", "scan"}]
    return [named_by_the_store(event) for event in rest] if world.tells_chains else rest


def daily_rates(rng, world):
    """Every day has a rate: what is told in two ways may lack nothing in one of them."""
    days = [EPOCH + datetime.timedelta(days=day) for day in range(world.cutoff // DAY - 900, world.cutoff // DAY + 1)]
    return "\n".join(["date,currency,rate", *(f"{day.date()},EUR,1.{rng.randrange(10**6):06d}" for day in days)]).encode()


def native(rng, world, events):
    if world.shape == "no ends":
        events = [{k: v for k, v in e.items() if k != "#expires" or e["eventType"] == "extend"} for e in events]
    if world.tells_chains:
        events = [named_by_the_store(event) for event in events]
    events = world.ids_of.stray(events)
    half = rng.randrange(len(events) + 1)
    return [events_jsonl(rng, world, repeated(rng, events[:half]), "log0"), events_csv(rng, world, repeated(rng, events[half:]), "log1")]


def named_by_the_store(event):
    """With the transaction and the chain that the store knows it by."""
    row = event.get("#of") or event
    return event | {"transactionId": row.get("transactionId"), "originalTransactionId": row.get("#original")} if "#original" in row else event


def repeated(rng, things):
    """Some of them told twice."""
    return [thing for thing in things for _ in range(2 if rng.random() < 0.04 else 1)]


def app_store(rng, world, events):
    told = []
    world.ids_of.begin()
    for event in events:
        kind = event["eventType"]
        if kind in ("paywall_view", "scan", "billing_recovery"):
            continue
        event = dict(event)
        if event.get("#graceless"):
            event.pop("#expires")
        if kind == "renewal":
            event["#said"] = ("DID_RENEW", "BILLING_RECOVERY" if event["#recovers"] else None)
        if kind == "purchase":
            event["#said"] = rng.choice([("SUBSCRIBED", "INITIAL_BUY"), ("SUBSCRIBED", "RESUBSCRIBE"), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")])
        if kind == "refund":
            price = round(float(event["#charge"]["price"]) * 100)
            event["price"] = None
            if event["#total"] < price:
                event |= {"price": f"{event['#total'] / 100:.2f}", "#percent": round(event["#total"] * 100_000 / price)}
        told.append(event)
    answers = [answers_source(rng, world, events, "answers")] if world.dice.random() < 0.5 else []
    return [app_store_source(rng, world, repeated(rng, told), "apple"), *answers]


def webhooks(rng, world, events):
    hooks = []
    world.ids_of.begin()
    for event in events:
        kind = event["eventType"]
        if kind in ("paywall_view", "scan", "billing_recovery"):
            continue
        event, row = dict(event), event.get("#of") or event
        if event.get("#graceless"):
            event.pop("#expires")
        if kind == "refund":
            event["price"] = f"{event['#part'] / 100:.2f}"
        if kind == "cancel":
            event["#reason"] = "UNSUBSCRIBE"
        told = webhook_record(rng, world, event)
        told["transaction_id"] = identity(world, row)
        told["id"] = f"rc-{event['eventId']}"
        if world.shape == "stripe" or row["#number"] % 2:
            told["renewal_number"] = row["#number"]
        told["tax_percentage"] = told["commission_percentage"] = None
        if world.shape == "shares" and "#product" in event and row["#number"] % 3 == 0:
            told |= {"tax_percentage": 0.19, "commission_percentage": 0.15}
        if world.shape == "skewed" and "#product" not in event:
            told["event_timestamp_ms"] += rng.choice([0, 1, 2500])
        hooks.append(told)
        if kind == "billing_retry" and rng.random() < 0.5:
            error = dict(told) | {"type": "CANCELLATION", "cancel_reason": "BILLING_ERROR", "id": f"be-{event['eventId']}"}
            error.pop("grace_period_expiration_at_ms", None)
            hooks.append(error)
    return [webhook_source_of(rng, world, repeated(rng, hooks))]


def webhook_source_of(rng, world, hooks):
    records = [json.dumps({"api_version": "1.0", "event": {k: v for k, v in told.items() if v is not None}}).encode() for told in hooks]
    return Source("purchases", "hooks", {"format": "revenuecat-webhooks"}, records)


def identity(world, row):
    """Stripe's ids are a subscription's; the stores' are a charge's."""
    return row["#original"] if world.shape == "stripe" else row["transactionId"]


def export(rng, world, events):
    """Each row as it stands at the cut-off, now and then as it stood before too."""
    rows = []
    world.ids_of.begin()
    for row in (e for e in events if "#product" in e and e["#at"] < world.cutoff):
        theirs = [e for e in events if e.get("#of") is row]
        rows.append(row_at(world, row, theirs, world.cutoff))
        moments = [rng.randrange(row["#at"], world.cutoff)] if rng.random() < 0.3 else []
        if world.shape == "version 3":
            moments += [e["#at"] for e in theirs if e["eventType"] == "refund" and e["#at"] < world.cutoff][:1]
        rows += [row_at(world, row, theirs, moment) for moment in moments]
        if any(e["eventType"] == "expire" for e in theirs) and row["eventType"] != "one_time_purchase" and world.dice.random() < 0.3:
            rows += never_was(rows[-1], row, world)
    columns = NEEDED + ["unsubscribe_detected_at", "billing_issues_detected_at", "tax_percentage", "commission_percentage"]
    if world.shape == "version 3":
        columns.remove("purchase_price_in_purchased_currency")
    rng.shuffle(columns)
    records = [csv_record(rng, [row.get(column) for column in columns], ",") for row in repeated(rng, rows)]
    return [Source("purchases", "export", {"format": "revenuecat-export"}, records, csv_record(rng, columns, ","))]


def never_was(told, row, world):
    """What Google's next renewal was before it failed, and what it is since: a row that ends before it starts."""
    start = row["#until"]
    void = told | {"start_time": clock(start), "end_time": clock(start - 3_600_000), "effective_end_time": clock(start - 3_600_000),
                   "store_transaction_id": f"{row['transactionId']}..9", "renewal_number": "99", "is_trial_period": "f", "refunded_at": None,
                   "price_in_purchased_currency": "7", "purchase_price_in_purchased_currency": "7", "updated_at": clock(start + 9_000)}
    valid = void | {"updated_at": clock(start + 1_000), "end_time": clock(start + 9 * DAY), "billing_issues_detected_at": None}
    return [void, valid] if world.dice.random() < 0.5 else [void]


def row_at(world, row, events, moment):
    """What the export of a moment says of one transaction."""
    until = sorted((e for e in events if e["#at"] < moment), key=lambda e: e["#at"])
    last = {e["eventType"]: e for e in until}
    end = last["extend"]["#expires"] if "extend" in last else row.get("#expires")
    ends = [e["#at"] for e in until if e["eventType"] == "expire"]
    graced = last["billing_retry"]["#expires"] if "billing_retry" in last else end
    turned = max((e for e in until if e["eventType"] in ("cancel", "uncancel")), key=lambda e: e["#at"], default=None)
    kind, yes = row["eventType"], ("t", "f")
    told = {
        "product_identifier": row["productId"], "start_time": clock(row["#at"]),
        "store": "app_store", "is_auto_renewable": yes[kind == "one_time_purchase"], "is_trial_period": yes[kind != "trial_start"],
        "is_sandbox": "f", "store_transaction_id": identity(world, row), "renewal_number": str(row["#number"]),
        "purchased_currency": row.get("currency") or "USD", "updated_at": clock(moment - 1), "end_time": clock(end),
        "effective_end_time": clock(min(ends) if ends and not row.get("#left") else graced),
        "unsubscribe_detected_at": clock(turned["#at"]) if turned and turned["eventType"] == "cancel" else None,
        "billing_issues_detected_at": clock(last["billing_retry"]["#at"]) if "billing_retry" in last else None,
    }
    told |= {name: world.ids_of.written(user) for name, user in world.ids_of.columns(row["userId"]).items()}
    if world.tells_chains:
        told["original_store_transaction_id"] = row["#original"]
    if kind == "trial_start":
        return told | {"price_in_purchased_currency": "0", "purchase_price_in_purchased_currency": "0"}
    cents, at = standing_refund(row, until, moment)
    price = round(float(row["price"]) * 100)
    if world.shape == "shares" and row["#number"] % 3 == 0:
        told |= {"tax_percentage": "0.19", "commission_percentage": "0.15"}
    return told | {"purchase_price_in_purchased_currency": row["price"], "refunded_at": clock(at),
                   "price_in_purchased_currency": f"{(price - cents) / 100:.2f}"}


def superwall(rng, world, events):
    hooks = []
    world.ids_of.begin()
    for event in events:
        kind = event["eventType"]
        if kind not in to_superwall.NAMES:
            continue
        event = dict(event)
        if kind == "refund":
            event["price"] = f"{event['#part'] / 100:.2f}"
        if kind == "cancel":
            event["#reason"] = "UNSUBSCRIBE"
        told = to_superwall.webhook(rng, world, event)
        told["data"] |= {"taxPercentage": None, "commissionPercentage": None}
        hooks.append(told)
        if kind == "billing_retry" and rng.random() < 0.5:
            error = {"cancelReason": "BILLING_ERROR", "id": f"be-{event['eventId']}"}
            hooks.append(told | {"type": "cancellation", "data": told["data"] | error})
    return [to_superwall.source_of(rng, repeated(rng, hooks), "superwall", {"format": "superwall-webhooks"})]


def adapty(rng, world, events):
    rows = []
    world.ids_of.begin()
    for event in events:
        if event["eventType"] not in to_adapty.NAMES:
            continue
        if event["eventType"] == "refund":
            event = event | {"price": f"{event['#part'] / 100:.2f}"}
        told = to_adapty.row(rng, world, event) | dict.fromkeys(("proceeds_local", "net_revenue_local", "tax_amount_local"))
        told["store"] = "play_store" if world.is_of_play else "app_store"
        rows += to_adapty.with_grace(rng, told, event)
    return [to_adapty.source_of(rng, repeated(rng, rows), "adapty", {"format": "adapty-export"})]


def stripe(rng, world, events):
    return [stripe_source(rng, world, events)]


TELLERS = dict(zip([*FORMATS, "stripe-events"], [native, app_store, export, webhooks, superwall, adapty, stripe])) | {"google-play": google_play_sources}
