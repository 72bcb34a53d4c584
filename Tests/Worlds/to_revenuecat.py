"""A story as RevenueCat tells it: a scheduled export in the style of versions 3 to 7, or webhooks."""

from fractions import Fraction
import json

from dirt import BAD_CURRENCIES, CHARGES, broken_lines
from layout import Source
from records import csv_record, more_fields
from values import DAY, EPOCH
import datetime

NEEDED = ["rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "product_identifier", "start_time", "end_time", "store",
          "is_auto_renewable", "is_trial_period", "is_sandbox", "price_in_purchased_currency", "purchased_currency",
          "purchase_price_in_purchased_currency", "store_transaction_id", "original_store_transaction_id", "refunded_at",
          "renewal_number", "presented_offering", "ownership_type", "updated_at", "effective_end_time"]
OPTIONAL = ["country", "is_in_intro_offer_period", "price_in_usd", "takehome_percentage", "tax_percentage",
            "commission_percentage", "entitlement_identifiers", "is_trial_conversion", "platform", "purchase_price_in_usd"]


def clock(millis):
    """A time as the exports write it, in UTC."""
    if millis is None:
        return None
    moment = EPOCH + datetime.timedelta(milliseconds=millis)
    return moment.strftime("%Y-%m-%d %H:%M:%S") + (f".{millis % 1000:03d}" if millis % 1000 else "")


def mark_lone_refunds(events):
    """An export's row can tell one refund of its charge: note which refunds are their charge's only one."""
    steps = {}
    for event in events:
        if event.get("#charge") is not None:
            steps.setdefault(event["#charge"].get("transactionId"), []).append(event)
        elif event["eventType"] in ("refund", "refund_reversal"):
            steps.setdefault(event.get("transactionId"), []).append(event)
    for those in steps.values():
        one = those[0]
        if len(those) == 1 and one["eventType"] == "refund" and one.get("#charge") is not None:
            one["#lone"] = one.get("price") is None or Fraction(one["price"]) <= Fraction(one["#charge"]["price"])


def export_writes(event, world):
    kind = event["eventType"]
    if event.get("#restored") or event["userId"] == "null":  # which an export may mean by NULL
        return False
    if kind == "trial_start" or kind in CHARGES:
        return bool(event.get("transactionId"))
    return kind == "refund" and event.get("#lone", False) and export_writes(event["#charge"], world)


def digits(rng, world, amount):
    """A price with as many decimals as RevenueCat happens to send; two feeds are not told different amounts."""
    text = f"{amount.numerator * 10**6 // amount.denominator / 10**6:.6f}"
    more = rng.choice(["", "", "49", "0000001"] + ([] if len(world.stores) > 1 else ["5", "50001"]))
    return text + more if more else (text.rstrip("0").rstrip(".") if rng.random() < 0.7 else text)


def own_shares(event):
    """A charge's own tax and commission, the same in whatever feed, or neither."""
    number = sum((event.get("transactionId") or "").encode())
    return [(None, None), (None, None), ("0.19", None), (None, "0.15"), ("0.0826", "0.2752"), ("0", "0.3")][number % 6]


def dollars(event, price):
    """What RevenueCat says an amount of the charge's currency was worth on its day."""
    worth = {"USD": Fraction(1), "EUR": Fraction(109, 100), "JPY": Fraction(7, 1000)}.get(event.get("currency"), Fraction(5, 4))
    text = f"{float(Fraction(price) * worth):.4f}"
    return text if float(text) else None  # too little to say in four digits


def export_row(rng, world, event, refund, style):
    yes, no = ("t", "f") if style < 4 else ("true", "false")
    kind = event["eventType"]
    row = {"product_identifier": event["productId"], "start_time": clock(event["#at"]), "store": "app_store",
           "is_auto_renewable": no if kind == "one_time_purchase" else yes, "is_trial_period": yes if kind == "trial_start" else no,
           "is_sandbox": yes if (event.get("environment") or "Production").lower() != "production" else no,
           "purchased_currency": event.get("currency") or "USD", "store_transaction_id": event["transactionId"],
           "renewal_number": {"renewal": "3"}.get(kind, "1"), "ownership_type": event.get("ownershipType"),
           "tax_percentage": own_shares(event)[0], "commission_percentage": own_shares(event)[1],
           "updated_at": clock(event["#at"] + 90 * DAY), "country": "DE", "price_in_usd": "1.5"}
    row |= {name: world.ids_of.written(user) for name, user in world.ids_of.columns(event["userId"]).items()}
    row["store_transaction_id"] = world.ids_of.written(event["transactionId"])
    if world.tells_chains:
        row["original_store_transaction_id"] = world.ids_of.written(event.get("#original"))
    if kind in CHARGES:
        row |= {"purchase_price_in_usd": dollars(event, event["price"]), "price_in_usd": dollars(event, event["price"])}
    if "#expires" in event:
        row["effective_end_time" if rng.random() < 0.7 else "end_time"] = clock(event["#expires"])
        if "effective_end_time" in row and rng.random() < 0.5:
            row["end_time"] = clock(event["#expires"] - DAY)
    if style == 7 and event.get("offeringId"):
        row["enrolled_experiments_by_layer"] = json.dumps(
            {"default": [{"experiment_id": event["offeringId"], "variant": event["testGroupId"]}]}, ensure_ascii=False)
    elif event.get("offeringId"):
        if rng.random() < 0.7:
            row |= {"experiment_id": event["offeringId"], "experiment_variant": event["testGroupId"]}
        else:
            row["presented_offering"] = event["offeringId"]
    if kind == "trial_start":
        return row | {"price_in_purchased_currency": "0", "purchase_price_in_purchased_currency": "0"}
    gross = Fraction(event["price"])
    row["purchase_price_in_purchased_currency"] = row["price_in_purchased_currency"] = digits(rng, world, gross)
    if refund:
        left = gross - Fraction(refund["price"] if refund.get("price") is not None else gross)
        row["refunded_at"] = clock(refund["#at"])
        row["price_in_usd"] = dollars(event, left)
        row["price_in_purchased_currency"] = digits(rng, world, left) if left else rng.choice(["0", "0.0"])
    return row


def older(rng, row, at):
    """What an earlier export said of the same transaction: not refunded yet, or a price not settled yet."""
    row = dict(row) | {"updated_at": clock(at), "refunded_at": None, "price_in_usd": row.get("purchase_price_in_usd")}
    row["price_in_purchased_currency"] = row["purchase_price_in_purchased_currency"]
    if rng.random() < 0.5 and row["is_trial_period"] in ("f", "false"):
        row["purchase_price_in_purchased_currency"] = row["price_in_purchased_currency"] = "1.25"
    return row


def spoiled_row(rng, row, world):
    row |= {"is_sandbox": "f", "ownership_type": None}  # which of two reasons comes first is not this world's question
    choice = rng.choice(["user", "start_time", "product_identifier", "price", "purchased_currency", "store"])
    if choice == "user":
        row["rc_last_seen_app_user_id_alias"] = row["rc_original_app_user_id"] = None
    elif choice == "start_time":
        row[choice] = rng.choice([None, "yesterday"])
    elif choice == "product_identifier":
        row[choice] = None
    elif choice == "store":
        row[choice] = "promotional"
    elif row["is_trial_period"] in ("f", "false"):
        name = "purchase_price_in_purchased_currency" if choice == "price" else choice
        row[name] = rng.choice(BAD_CURRENCIES + [None]) if choice == "purchased_currency" else rng.choice([None, None, "abc"])


def export_source(rng, world, events, name):
    style = rng.choice([3, 4, 5, 6, 7])
    refunds = {e["transactionId"]: e for e in events if e["eventType"] == "refund"}
    entry = {"format": "revenuecat-export"} | ({"user": "rc_last_seen_app_user_id_alias"} if world.by_alias else {})
    asked, rows = world.spelling.columns(entry), []
    for event in (e for e in events if e["eventType"] != "refund"):
        row = export_row(rng, world, event, refunds.get(event["transactionId"]), style)
        if asked:
            row |= world.spelling.told(event, asked)
        if rng.random() < 0.04 * world.dirt:
            spoiled_row(rng, row, world)
        rows.append(row)
        for days in (30, 60):
            if rng.random() < 0.1:
                rows.append(older(rng, row, event["#at"] + days * DAY))
        if rng.random() < 0.04 * world.dirt:
            rows.append(dict(row))
    columns = NEEDED + rng.sample(OPTIONAL, rng.randrange(len(OPTIONAL)))
    columns += ["enrolled_experiments_by_layer"] if style == 7 else ["experiment_id", "experiment_variant"]
    rng.shuffle(columns)
    more = [column for column in asked.values() if column not in columns]
    if "price_in_usd" in columns and "purchase_price_in_usd" not in columns:  # what is left of a refunded charge is not its worth
        columns.append("purchase_price_in_usd")
    delimiter = rng.choice([",", ";"])
    records = [csv_record(rng, [row.get(column) for column in columns], delimiter)
               + more_fields({column: row.get(column) for column in more}, delimiter) for row in rows]
    records += [b"garbage"] * (rng.random() < 0.3 * world.dirt)
    header = csv_record(rng, columns, delimiter) + more_fields({column: column for column in more}, delimiter)
    return Source("purchases", name, entry, records, header)


WEBHOOKS = {
    "trial_start": "INITIAL_PURCHASE", "purchase": "INITIAL_PURCHASE", "renewal": "RENEWAL",
    "one_time_purchase": "NON_RENEWING_PURCHASE", "cancel": "CANCELLATION", "uncancel": "UNCANCELLATION",
    "expire": "EXPIRATION", "extend": "SUBSCRIPTION_EXTENDED", "billing_retry": "BILLING_ISSUE", "refund": "CANCELLATION", "refund_reversal": "REFUND_REVERSED",
}


def webhook_writes(event, world):
    kind = event["eventType"]
    if kind not in WEBHOOKS or event.get("#restored") or event["userId"] == "null":  # nobody's name there
        return False
    if kind == "trial_start" and not event.get("transactionId"):
        return False
    if kind in CHARGES and (not event.get("transactionId") or Fraction(event["price"]) < Fraction(1, 100)):
        return False
    if kind == "refund" and event.get("price") is None:
        return float((event.get("#charge") or {}).get("price", 0)) > 0.01  # what is taken back is told as a price
    return kind != "refund" or Fraction(event["price"]) > Fraction(1, 1000)


def webhook_record(rng, world, event):
    kind = event["eventType"]
    told = {"type": WEBHOOKS[kind], "id": f"rc-{event.get('eventId') or world.next_id('n')}", "product_id": event.get("productId"),
            "event_timestamp_ms": event["#at"], "store": "APP_STORE", "transaction_id": event.get("transactionId"),
            "environment": "SANDBOX" if (event.get("environment") or "Production").lower() != "production" else "PRODUCTION",
            "is_family_share": event.get("ownershipType") == "FAMILY_SHARED", "period_type": "NORMAL"}
    told |= world.ids_of.hook(event["userId"])
    told |= {name: world.ids_of.written(told[name]) for name in ("app_user_id", "original_app_user_id", "transaction_id")}
    if world.tells_chains:
        told["original_transaction_id"] = world.ids_of.written(event.get("#original"))
    if kind == "trial_start":
        told |= {"period_type": "TRIAL", "purchased_at_ms": event["#at"], "price_in_purchased_currency": 0, "currency": "USD"}
        told["type"] = "RENEWAL" if event.get("#more") else told["type"]
    if kind in CHARGES:
        told |= {"purchased_at_ms": event["#at"], "event_timestamp_ms": event["#at"] + rng.choice([0, 1500]),
                 "currency": event["currency"], "price_in_purchased_currency": float(event["price"])}
        worth = dollars(event, event["price"])
        told["price"] = worth and float(worth)
        tax, commission = own_shares(event)
        told |= {"tax_percentage": tax and float(tax), "commission_percentage": commission and float(commission)}
        told["period_type"] = rng.choice(["NORMAL", "NORMAL", "INTRO", "SEASONAL"]) if kind == "purchase" else "NORMAL"
    if "#expires" in event:
        told["grace_period_expiration_at_ms" if kind == "billing_retry" else "expiration_at_ms"] = event["#expires"]
    if kind == "cancel":
        told["cancel_reason"] = event.get("#reason") or rng.choice(["UNSUBSCRIBE", "UNSUBSCRIBE", "BILLING_ERROR", "A_WHIM", "CUSTOMER_SUPPORT"])
    if kind == "refund":
        part = event["#charge"]["price"] if event.get("price") is None else event["price"]
        told |= {"cancel_reason": "CUSTOMER_SUPPORT", "currency": (event.get("#charge") or {}).get("currency") or "USD",
                 "price_in_purchased_currency": -float(part)}
    if event.get("offeringId"):
        if rng.random() < 0.7:
            told["experiments"] = [{"experiment_id": event["offeringId"], "experiment_variant": event["testGroupId"]}]
            told["presented_offering_id"] = "another"
        else:
            told["presented_offering_id"] = event["offeringId"]
    return told


def enrolments(world):
    """Who was enrolled in what, whether they bought anything or not; and aliases that are told by themselves."""
    dice, told = world.dice, []
    for row in (row for row in world.enrolments if row["user"] != "null"):
        told.append({"type": "EXPERIMENT_ENROLLMENT", "id": f"en-{len(told)}", "event_timestamp_ms": row["#at"], "enrolled_at_ms": row["#at"],
                     "experiment_id": row["offering"], "experiment_variant": row["group"], "offering_id": "default",
                     "environment": "SANDBOX" if dice.random() < 0.05 else "PRODUCTION"} | world.ids_of.hook(row["user"]))
    for user in (user for user in world.users if user != "null" and world.ids_of.is_many):
        if dice.random() < 0.1:
            ids = [world.ids_of.anonymous(user), user, f"{user}, too"]
            told.append({"type": "SUBSCRIBER_ALIAS", "id": f"al-{len(told)}", "event_timestamp_ms": world.cutoff - 1, "environment": "PRODUCTION",
                         "app_user_id": dice.choice(ids), "original_app_user_id": dice.choice(ids), "aliases": dice.sample(ids, 2)})
    return told


def spoiled_hook(rng, told, kind):
    choices = ["user", "time"] + ["product_id", "price_in_purchased_currency", "currency"] * (kind in CHARGES)
    choice = rng.choice(choices)
    if choice == "user":
        told["app_user_id"] = told["original_app_user_id"] = told["aliases"] = None
    elif choice == "time":
        told["event_timestamp_ms"] = told["purchased_at_ms"] = None
    else:
        told[choice] = rng.choice(BAD_CURRENCIES + [None]) if choice == "currency" else None


def webhook_source(rng, world, events, name):
    hooks = []
    entry = {"format": "revenuecat-webhooks"} | ({"user": "original_app_user_id"} if world.by_alias else {})
    asked = world.spelling.columns(entry)
    for event in events:
        told = webhook_record(rng, world, event)
        if asked and event["eventType"] in CHARGES:
            values = world.spelling.told(event, asked)
            told["#told"] = values if values.get("store") else values | {"store": "APP_STORE"}
        if rng.random() < 0.04 * world.dirt:
            spoiled_hook(rng, told, event["eventType"])
        hooks += [told] * (2 if rng.random() < 0.08 * world.dirt else 1)
    for _ in range(round(len(hooks) * 0.05 * world.dirt)):
        kind = rng.choice(["TEST", "PRODUCT_CHANGE", "SUBSCRIPTION_PAUSED", "SOMETHING_NEW"])
        hooks.append({"type": kind, "id": world.next_id("hook"), "app_user_id": "u", "event_timestamp_ms": world.cutoff - 5})
    hooks += enrolments(world)
    for at, aliases, users in world.transfers:
        hooks.append({"type": "TRANSFER", "id": world.next_id("hook"), "event_timestamp_ms": at, "store": "APP_STORE",
                      "environment": "PRODUCTION", "transferred_from": aliases, "transferred_to": users})
    records = []
    for told in hooks:
        values = told.get("#told", {})
        told = {key: value for key, value in told.items() if key != "#told" and (value is not None or rng.random() < 0.5)} | values
        records.append(json.dumps({"api_version": "1.0", "event": told}, ensure_ascii=False).encode())
    records += [broken_lines(rng, records) for _ in range(round(len(records) * 0.02 * world.dirt))]
    return Source("purchases", name, entry, records)
