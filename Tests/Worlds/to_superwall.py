"""A story as Superwall's webhooks tell it: no reversal of a refund, and no end of a failed renewal's grace."""

import json

from dirt import BAD_CURRENCIES, CHARGES, broken_lines
from layout import Source
from to_revenuecat import dollars, own_shares, webhook_writes

NAMES = {
    "trial_start": "initial_purchase", "purchase": "initial_purchase", "renewal": "renewal",
    "one_time_purchase": "non_renewing_purchase", "cancel": "cancellation", "uncancel": "uncancellation",
    "expire": "expiration", "extend": "subscription_extended", "billing_retry": "billing_issue", "refund": "cancellation",
}


def writes(event, world):
    return event["eventType"] in NAMES and webhook_writes(event, world)


def webhook(rng, world, event):
    """One webhook: what is said of it, and in `data` what is said of the event."""
    kind, name = event["eventType"], NAMES[event["eventType"]]
    id = event.get("eventId") or world.next_id("n")
    row = event.get("#of") or event
    told = {"id": f"sw-{id}:{name}", "name": name, "ts": event["#at"], "productId": event.get("productId"), "store": "APP_STORE",
            "transactionId": world.ids_of.written(row.get("transactionId") or event.get("transactionId")), "periodType": "NORMAL",
            "environment": "SANDBOX" if (event.get("environment") or "Production").lower() != "production" else "PRODUCTION",
            "isFamilyShare": event.get("ownershipType") == "FAMILY_SHARED", "priceInPurchasedCurrency": 0, "currencyCode": "USD",
            "isTrialConversion": False, "newProductId": None}
    chain = event.get("#original") if world.tells_chains else None
    told |= {"originalAppUserId": world.ids_of.written(world.ids_of.token(event["userId"], chain)),
             "originalTransactionId": world.ids_of.written(chain)}
    if kind == "trial_start":
        told |= {"periodType": "TRIAL", "purchasedAt": event["#at"], "priceInPurchasedCurrency": rng.choice([0, 0, None])}
        name = "renewal" if event.get("#more") else name
    if kind in CHARGES:
        worth = dollars(event, event["price"])
        tax, commission = own_shares(event)
        told |= {"purchasedAt": event["#at"], "ts": event["#at"] + rng.choice([0, 4106]), "currencyCode": event["currency"],
                 "priceInPurchasedCurrency": float(event["price"]), "price": worth and float(worth),
                 "taxPercentage": tax and float(tax), "commissionPercentage": commission and float(commission),
                 "periodType": rng.choice(["NORMAL", "NORMAL", "INTRO", "SEASONAL"] + ["TRIAL"] * (kind == "renewal"))}
    if "#expires" in event and kind != "billing_retry":
        told["expirationAt"] = event["#expires"]
    if kind == "cancel":
        told["cancelReason"] = event.get("#reason") or rng.choice(["UNSUBSCRIBE", "UNSUBSCRIBE", "BILLING_ERROR", "A_WHIM"])
    if kind == "refund":
        part = event["#charge"]["price"] if event.get("price") is None else event["price"]
        told |= {"cancelReason": "CUSTOMER_SUPPORT", "priceInPurchasedCurrency": -float(part),
                 "currencyCode": (event.get("#charge") or {}).get("currency") or "USD"}
    return {"object": "event", "type": name, "projectId": 1, "applicationId": 1, "timestamp": event["#at"] + 9000, "data": told}


def spoil(rng, told, kind):
    data, choice = told["data"], rng.choice(["user", "time"] + ["productId", "priceInPurchasedCurrency", "currencyCode"] * (kind in CHARGES))
    data["isFamilyShare"], data["environment"] = False, "PRODUCTION"  # which of two reasons comes first is not this world's question
    if choice == "user":
        data["originalAppUserId"] = data["originalTransactionId"] = None
    elif choice == "time":
        told["timestamp"] = data["ts"] = data["purchasedAt"] = None
    else:
        data[choice] = rng.choice(BAD_CURRENCIES + [None]) if choice == "currencyCode" else None


def source_of(rng, hooks, name, entry):
    records = []
    for told in hooks:
        data = {key: value for key, value in told["data"].items() if value is not None or rng.random() < 0.5}
        records.append(json.dumps(told | {"data": data}, ensure_ascii=False).encode())
    return Source("purchases", name, entry, records)


def source(rng, world, events, name):
    entry, hooks = {"format": "superwall-webhooks"}, []
    asked = world.spelling.columns(entry)
    for event in events:
        told = webhook(rng, world, event)
        if asked and event["eventType"] in CHARGES:
            told["data"] |= {column: value for column, value in world.spelling.told(event, asked).items() if column != "store" or value}
        if rng.random() < 0.04 * world.dirt:
            spoil(rng, told, event["eventType"])
        hooks += [told] * (2 if rng.random() < 0.08 * world.dirt else 1)
    for _ in range(round(len(hooks) * 0.05 * world.dirt)):
        kind = rng.choice(["product_change", "subscription_paused", "something_new"])
        hooks.append({"object": "event", "type": kind, "projectId": 1, "data": {"id": world.next_id("sw"), "priceInPurchasedCurrency": 0}})
    made = source_of(rng, hooks, name, entry)
    made.records += [broken_lines(rng, made.records) for _ in range(round(len(made.records) * 0.02 * world.dirt))]
    return made
