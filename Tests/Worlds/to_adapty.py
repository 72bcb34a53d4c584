"""A story as Adapty's daily exports tell it: neither more time without a charge nor the reversal of a refund."""

import datetime
from fractions import Fraction

from dirt import BAD_CURRENCIES, CHARGES
from layout import Source
from records import csv_record, more_fields
from to_revenuecat import dollars, own_shares, webhook_writes
from values import EPOCH

NAMES = {
    "trial_start": "trial_started", "purchase": "subscription_started", "renewal": "subscription_renewed",
    "one_time_purchase": "non_subscription_purchase", "refund": "subscription_refunded", "cancel": "subscription_renewal_cancelled",
    "uncancel": "subscription_renewal_reactivated", "billing_retry": "billing_issue_detected", "expire": "subscription_expired",
}
OF_TRIALS = {"cancel": "trial_renewal_cancelled", "uncancel": "trial_renewal_reactivated", "expire": "trial_expired"}
COLUMNS = ["profile_id", "event_type", "event_datetime", "transaction_id", "original_transaction_id", "subscription_expires_at", "environment",
           "revenue_usd", "revenue_local", "customer_user_id", "store", "product_id", "ab_test_name", "ab_test_revision", "paywall_name", "currency", "proceeds_local", "net_revenue_local", "tax_amount_local"]
OF_VISITS = ["profile_id", "customer_user_id", "install_date", "store", "paywall_showed_at", "developer_id", "ab_test_name", "paywall_name"]


def writes(event, world):
    return event["eventType"] in NAMES and event.get("ownershipType") != "FAMILY_SHARED" and webhook_writes(event, world)


def clock(millis):
    return (EPOCH + datetime.timedelta(milliseconds=millis)).strftime("%Y-%m-%dT%H:%M:%S.%f+0000")


def row(rng, world, event):
    kind, of = event["eventType"], event.get("#of") or event
    name = OF_TRIALS[kind] if kind in OF_TRIALS and of["eventType"] == "trial_start" else NAMES[kind]
    told = {"event_type": "trial_converted" if kind == "renewal" and rng.random() < 0.3 else name, "event_datetime": clock(event["#at"]),
            "transaction_id": world.ids_of.written(of.get("transactionId") or event.get("transactionId")), "store": "app_store",
            "original_transaction_id": world.ids_of.written(event.get("#original")) if world.tells_chains else None,
            "environment": "Sandbox" if (event.get("environment") or "Production").lower() != "production" else "Production",
            "product_id": event.get("productId")} | ids(world, event["userId"])
    if event.get("offeringId"):
        told |= {"ab_test_name": event["offeringId"], "ab_test_revision": "1", "paywall_name": event["testGroupId"]}
    if "#expires" in event:
        told["subscription_expires_at"] = clock(event["#expires"])
    if kind in CHARGES:
        told |= {"revenue_local": event["price"], "revenue_usd": dollars(event, event["price"]), "currency": event["currency"]} | parts(event)
    if kind == "refund":
        part = event["#charge"]["price"] if event.get("price") is None else event["price"]
        told |= {"revenue_local": f"-{part}", "currency": (event.get("#charge") or {}).get("currency") or "USD"}
        if (event.get("#charge") or {}).get("eventType") == "one_time_purchase":
            told["event_type"] = "non_subscription_purchase_refunded"
    return told


def parts(event):
    """What of a price is tax and what is left, in money, of some charges; of none whose shares another feed may tell."""
    if own_shares(event) != (None, None) or sum((event.get("transactionId") or "").encode()) % 4 > 1:
        return {}
    price = Fraction(event["price"]) * 1_000_000
    told = {"tax_amount_local": price // 10, "net_revenue_local": price * 7 // 10, "proceeds_local": price * 7 // 10 + price // 10}
    return {name: f"{micros // 1_000_000}.{micros % 1_000_000:06d}" for name, micros in told.items()}


def ids(world, user):
    """The app's own id and Adapty's, in whatever places the two ids of an export's row are told."""
    original, alias = world.ids_of.columns(user).values()
    return {"customer_user_id": world.ids_of.written(original), "profile_id": world.ids_of.written(alias)}


def with_grace(rng, told, event):
    """Both events of a failed renewal that has a grace."""
    if event["eventType"] != "billing_retry" or "#expires" not in event or rng.random() < 0.4:
        return [told]
    return [told, told | {"event_type": "entered_grace_period"}]


def spoil(rng, told, kind):
    told["environment"] = "Production"  # which of two reasons comes first is not this world's question
    choice = rng.choice(["user", "event_datetime"] + ["product_id", "revenue", "currency"] * (kind in CHARGES))
    if choice == "user":
        told["customer_user_id"] = told["profile_id"] = told["original_transaction_id"] = None
    elif choice == "event_datetime":
        told[choice] = rng.choice([None, "yesterday"])
    elif choice == "revenue":
        told |= {"revenue_local": rng.choice([None, "abc"]), "revenue_usd": None}
    else:
        told[choice] = rng.choice(BAD_CURRENCIES) if choice == "currency" else None


def source_of(rng, rows, name, entry, more=(), columns=COLUMNS):
    columns = list(columns)
    rng.shuffle(columns)
    records = [csv_record(rng, [told.get(column) for column in columns], ",") + more_fields({column: told.get(column) for column in more}, ",")
               for told in rows]
    return Source("purchases", name, entry, records, csv_record(rng, columns, ",") + more_fields({column: column for column in more}, ","))


def visits(rng, world, events, name):
    """Paywalls that were shown, in a file of their own."""
    rows = [{"paywall_showed_at": clock(event["#at"]), "store": "app_store"} | ids(world, event["userId"]) for event in events]
    return source_of(rng, rows, name, {"format": "adapty-export"}, columns=OF_VISITS)


def source(rng, world, events, name):
    entry, rows = {"format": "adapty-export"}, []
    asked = world.spelling.columns(entry)
    for event in events:
        told = row(rng, world, event)
        if asked:
            told |= world.spelling.told(event, asked)
        if rng.random() < 0.04 * world.dirt:
            spoil(rng, told, event["eventType"])
        for said in with_grace(rng, told, event):
            rows += [said] * (2 if rng.random() < 0.04 * world.dirt else 1)
    for _ in range(round(len(rows) * 0.05 * world.dirt)):
        started = {"event_type": "subscription_started", "revenue_local": "0.0", "currency": "USD", "product_id": "replaced"}
        told = rng.choice([{"event_type": rng.choice(["subscription_paused", "access_level_updated", "something_new"])}, started])
        rows.append({"profile_id": "p", "event_datetime": clock(world.cutoff - 5), "environment": "Production"} | told)
    return source_of(rng, rows, name, entry, [column for column in asked.values() if column not in COLUMNS])
