"""A story as Google Play tells it: money in orders, whose it is in subscriptions, the rest in notifications.

The store has no word for a refund that is restored, for an end of a pass before its time, or for a grace's end.
"""

import base64
from datetime import timedelta
import json

from layout import Source
from values import DAY, EPOCH

TURNS = {"cancel": 3, "uncancel": 7, "billing_recovery": 1, "billing_retry": 6, "expire": 13}


def stamp(at):
    """RFC 3339, with as many decimals of a second as there are."""
    told = (EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{told}.{at % 1000:03d}Z" if at % 1000 else f"{told}Z"


def money(rng, cents, currency):
    """What is nothing may be left out."""
    told = {"currencyCode": currency, "units": str(cents // 100), "nanos": cents % 100 * 10_000_000}
    return {name: value for name, value in told.items() if value not in ("0", 0) or rng.random() < 0.5}


def token_of(row):
    return f"token-{row['#original']}"


def order_at(rng, world, row, events, moment):
    """An order as it stood at a moment: all that had been given back by then."""
    given = [e for e in events if e.get("#of") is row and e["eventType"] == "refund" and e["#at"] < moment]
    price = 0 if row["eventType"] == "trial_start" else round(float(row["price"]) * 100)
    currency = row.get("currency") or "USD"
    parts = [{"createTime": stamp(e["#at"] - 1), "processTime": stamp(e["#at"]), "state": "PROCESSED_SUCCESSFULLY",
              "refundDetails": {"total": money(rng, e["#part"], currency)}} for e in given if e.get("price") is not None]
    if rng.random() < 0.1:
        parts.append({"createTime": stamp(row["#at"]), "state": "PENDING", "refundDetails": {"total": money(rng, 1, currency)}})
    whole = [e for e in given if e.get("price") is None]
    history = {"processedEvent": {"eventTime": stamp(row["#at"])}} | ({"partialRefundEvents": parts} if parts else {})
    if whole:
        history["refundEvent"] = {"eventTime": stamp(whole[0]["#at"]), "refundReason": "OTHER"}
    item = {"productId": row["productId"], "productTitle": "a plan", "total": money(rng, price, currency)}
    if row["#product"]["kind"] == "auto_renewable":
        item["subscriptionDetails"] = {"basePlanId": "base", "offerPhase": "FREE_TRIAL" if row["eventType"] == "trial_start" else "BASE",
                                       "servicePeriodStartTime": stamp(row["#at"]), "servicePeriodEndTime": stamp(row["#expires"])}
    else:
        item["oneTimePurchaseDetails"] = {"quantity": 1}
    told = {"orderId": row["transactionId"], "purchaseToken": token_of(row), "createTime": stamp(row["#at"]),
            "state": "REFUNDED" if whole else "PARTIALLY_REFUNDED" if given else "PROCESSED", "lastEventTime": stamp(moment - 1),
            "total": money(rng, price, currency), "lineItems": [item], "orderHistory": history}
    if row["eventType"] == "one_time_purchase":  # no subscription tells whose it is
        told["obfuscatedExternalAccountId"] = world.ids_of.written(row["userId"])
    return told


def orders(rng, world, events):
    told = []
    for row in (e for e in events if "#product" in e and e["#at"] < world.cutoff):
        told.append(order_at(rng, world, row, events, world.cutoff))
        if rng.random() < 0.3:
            told.append(order_at(rng, world, row, events, rng.randrange(row["#at"] + 1, world.cutoff + 1)))
        if rng.random() < 0.05:  # one that never was paid for
            told.append(told[-1] | {"orderId": f"{row['transactionId']}-x", "state": rng.choice(["PENDING", "CANCELED"])})
    rng.shuffle(told)
    lines = []
    while told:
        count = rng.choice([0, 0, 3])
        lines, told = lines + ([{"orders": told[:count]}] if count else told[:1]), told[count or 1:]
    return lines


def subscriptions(rng, world, events):
    told = []
    for event in events:
        row = event.get("#of") or event
        if "#product" not in row or row["#product"]["kind"] != "auto_renewable" or event["#at"] >= world.cutoff:
            continue
        kind, item = event["eventType"], {"productId": row["productId"], "expiryTime": stamp(row["#expires"])}
        item["latestSuccessfulOrderId"] = row["transactionId"]
        state = {"cancel": "CANCELED", "expire": "EXPIRED"}.get(kind, "ACTIVE")
        # Where one ended after a cancellation that was taken back, another feed tells which.
        if kind not in ("purchase", "trial_start") and (kind not in ("expire",) or rng.random() < 0.5):
            continue
        if kind == "expire":
            item["expiryTime"] = stamp(event["#at"])
        fields = {"kind": "androidpublisher#subscriptionPurchaseV2", "startTime": stamp(row["#at"]), "subscriptionState": f"SUBSCRIPTION_STATE_{state}",
                  "externalAccountIdentifiers": {"obfuscatedExternalAccountId": world.ids_of.written(row["userId"])}, "lineItems": [item]}
        if rng.random() < 0.8:  # else the order's name is all that leads to the token
            fields["purchaseToken"] = token_of(row)
        told.append(fields)
    return told


def notifications(rng, world, events):
    told = []
    for event in events:
        kind, row = event["eventType"], event.get("#of") or event
        body = {"version": "1.0", "packageName": "com.example.app", "eventTimeMillis": str(event["#at"])}
        if kind in TURNS:
            number = 5 if event.get("#graceless") else TURNS[kind]
        elif kind in ("purchase", "renewal") and rng.random() < 0.3:
            number = 4 if kind == "purchase" else 2
        elif kind == "refund" and event.get("price") is None and rng.random() < 0.7:
            told.append(body | {"voidedPurchaseNotification": {"purchaseToken": token_of(row), "orderId": row["transactionId"], "refundType": 1}})
            continue
        else:
            continue
        told.append(body | {"subscriptionNotification": {
            "version": "1.0", "notificationType": number, "purchaseToken": token_of(row), "subscriptionId": row["productId"]}})
    told.append({"version": "1.0", "packageName": "com.example.app", "eventTimeMillis": str(world.cutoff - DAY), "testNotification": {"version": "1.0"}})
    return [pushed(number, body) if rng.random() < 0.6 else body for number, body in enumerate(told)]


def pushed(number, body):
    data = base64.b64encode(json.dumps(body, ensure_ascii=False).encode()).decode()
    return {"message": {"data": data, "messageId": str(number)}, "subscription": "projects/p/subscriptions/rtdn"}


def google_play_sources(rng, world, events):
    feeds = {"orders": orders, "subscriptions": subscriptions, "notifications": notifications}
    sources = []
    for name, tell in feeds.items():
        lines = [line for line in tell(rng, world, events) for _ in range(2 if rng.random() < 0.04 else 1)]
        rng.shuffle(lines)
        records = [json.dumps(line, ensure_ascii=False).encode() for line in lines]
        sources.append(Source("purchases", f"play-{name}", {"format": f"google-play-{name}"}, records))
    return sources
