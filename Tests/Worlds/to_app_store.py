"""A story as App Store Server Notifications: POST bodies, decoded payloads, pages of the history.

Signatures are dummies: nothing here is verified.
"""

import base64
from fractions import Fraction
import json

from dirt import BAD_CURRENCIES, CHARGES, broken_lines
from layout import Source
from whole_lives import standing_refund

TYPES = {
    "trial_start": [("SUBSCRIBED", "INITIAL_BUY"), ("OFFER_REDEEMED", "INITIAL_BUY")],
    "purchase": [("SUBSCRIBED", "INITIAL_BUY"), ("SUBSCRIBED", "RESUBSCRIBE"), ("OFFER_REDEEMED", "UPGRADE"),
                 ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("SUBSCRIBED", "BY_GIFT")],
    "renewal": [("DID_RENEW", None), ("DID_RENEW", None), ("DID_RENEW", "BILLING_RECOVERY"), ("DID_RENEW", "LATER")],
    "one_time_purchase": [("ONE_TIME_CHARGE", None)],
    "refund": [("REFUND", None)],
    "refund_reversal": [("REFUND_REVERSED", None)],
    "cancel": [("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")],
    "uncancel": [("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")],
    "billing_retry": [("DID_FAIL_TO_RENEW", None), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD")],
    "extend": [("RENEWAL_EXTENDED", None)],
    "expire": [("EXPIRED", "VOLUNTARY"), ("EXPIRED", "BILLING_RETRY"), ("GRACE_PERIOD_EXPIRED", None)],
}
UNMEASURED = [("PRICE_INCREASE", "PENDING"), ("CONSUMPTION_REQUEST", None), ("TEST", None), ("RENEWAL_EXTENSION", "SUMMARY"), ("OFFER_REDEEMED", "DOWNGRADE"),
              ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE"), ("DID_CHANGE_RENEWAL_PREF", None), ("BRAND_NEW", "SORT_OF")]


def percentage(event):
    """The refund's share of its charge in thousandths of a percent, or None where it is not a whole number."""
    charge = event.get("#charge")
    if charge is None or float(charge["price"]) <= 0:
        return None
    share = Fraction(event["price"]) / Fraction(charge["price"]) * 100_000
    whole = share.denominator == 1 and (Fraction(charge["price"]) * 1000).denominator == 1
    return int(share) if whole and 0 < share <= 100_000 else None


def writes(event, world):
    kind = event["eventType"]
    if kind not in TYPES or not event.get("transactionId") and kind in (*CHARGES, "trial_start"):
        return False
    if world.by_original and not event.get("#original"):
        return False
    if kind in CHARGES:
        return (Fraction(event["price"]) * 1000).denominator == 1
    return kind != "refund" or event.get("price") is None or percentage(event) is not None


def environment_of(event):
    """The environment in Apple's own words."""
    name = (event.get("environment") or "Production").lower()
    return {"production": "Production", "xcode": "Xcode", "localtesting": "LocalTesting"}.get(name, "Sandbox")


def notification(rng, world, event, columns):
    """The decoded payload of one event."""
    kind = event["eventType"]
    name, subtype = event.get("#said") or rng.choice(TYPES[kind])
    if event.get("#more"):
        name, subtype = world.dice.choice([("DID_CHANGE_RENEWAL_PREF", "UPGRADE"), ("DID_RENEW", None), ("OFFER_REDEEMED", "UPGRADE")])
    sold = {"transactionId": event.get("transactionId"), "originalTransactionId": event.get("#original"),
            "webOrderLineItemId": event.get("#web"), "productId": event.get("productId"), "quantity": 1,
            "inAppOwnershipType": event.get("ownershipType"), "bundleId": "com.example.app",
            "appAccountToken": world.ids_of.token(event["userId"], event.get("#original"))}
    sold |= {name: world.ids_of.written(sold[name]) for name in ("transactionId", "originalTransactionId", "appAccountToken")}
    sold["subscriptionGroupIdentifier"] = world.families.get(event.get("productId"))
    renewal = {"autoRenewStatus": 1, "productId": event.get("productId")}
    signed = event["#at"]
    if kind in CHARGES:
        sold |= {"purchaseDate": event["#at"], "price": int(Fraction(event["price"]) * 1000), "currency": event["currency"]}
        delay = rng.choice([0, 1, 5000, 90_000_000])
        signed += delay if sold["price"] else 0  # a price of nothing is a trial, which begins when it is told
        sold |= event.get("#own") or {}
        if columns:
            sold |= {name: NULL if value is None else value for name, value in world.spelling.told(event, columns).items()}
    if kind == "trial_start":
        sold |= {"offerDiscountType": "FREE_TRIAL", "offerType": 1, "price": 0, "currency": "USD", "purchaseDate": signed}
    if kind == "billing_retry":
        renewal["gracePeriodExpiresDate"] = event.get("#expires")
        subtype = subtype if "#expires" in event else None  # GRACE_PERIOD is said where there is one
    elif "#expires" in event:
        sold["expiresDate"] = event["#expires"]
    if kind == "refund":
        if event.get("price") is not None:
            charge = event["#charge"]
            sold |= {"revocationPercentage": event.get("#percent") or percentage(event), "currency": charge["currency"],
                     "price": int(Fraction(charge["price"]) * 1000)}
        if rng.random() < 0.8:
            sold["revocationDate"] = event["#at"]
            signed += rng.choice([0, 3_600_000])
    data = {"bundleId": "com.example.app", "environment": environment_of(event), "status": status_of(event),
            "signedTransactionInfo": sold, "signedRenewalInfo": renewal}
    if rng.random() < 0.2:
        sold["environment"] = data.pop("environment")
    return {"notificationType": name, "subtype": subtype, "version": "2.0", "signedDate": signed, "data": data,
            "notificationUUID": f"as-{event.get('eventId') or world.next_id('n')}"}


def status_of(event):
    """A failed renewal has a grace, or is being retried without one."""
    if event["eventType"] != "billing_retry":
        return 2 if event["eventType"] == "expire" else 1
    return 4 if "#expires" in event else 3


def spoiled(rng, payload):
    """One thing that is missing or wrong with what is needed."""
    sold = payload["data"]["signedTransactionInfo"]
    sold["inAppOwnershipType"] = None  # which of two reasons comes first is not this world's question
    choices = ["user", "time"] + ["productId", "price", "currency"] * ("purchaseDate" in sold)
    choice = rng.choice(choices)
    if choice == "user":
        sold["appAccountToken"] = sold["originalTransactionId"] = None
    elif choice == "time":
        payload["signedDate"] = sold["purchaseDate"] = sold["revocationDate"] = None
    elif sold.get("offerDiscountType") is None:
        sold[choice] = rng.choice(BAD_CURRENCIES + [None]) if choice == "currency" else None


def unmeasured(rng, world):
    name, subtype = rng.choice(UNMEASURED)
    payload = {"notificationType": name, "subtype": subtype, "signedDate": world.cutoff - 1,
               "notificationUUID": world.next_id("uuid"), "data": {"environment": rng.choice(["Sandbox", "Production"])}}
    if name not in ("TEST", "RENEWAL_EXTENSION"):
        payload["data"]["signedTransactionInfo"] = {"transactionId": world.next_id("t"), "appAccountToken": "u"}
    return payload


NULL = ...  # a member that is there and null


def bare(fields):
    return {name: None if value is NULL else value for name, value in fields.items() if value is not None}


def jws(fields):
    parts = [json.dumps({"alg": "ES256", "x5c": ["AAAA", "BBBB", "CCCC"]}), json.dumps(fields, ensure_ascii=False), "not checked"]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)


def packed(rng, payload, signed):
    """The payload with its inner infos signed or as they are, and itself signed or not."""
    payload = bare(payload)
    data = bare(payload.get("data", {}))
    inner = signed or rng.random() < 0.5
    for name in ("signedTransactionInfo", "signedRenewalInfo"):
        if name in data:
            data[name] = jws(bare(data[name])) if inner else bare(data[name])
    payload["data"] = data
    return {"signedPayload": jws(payload)} if signed else payload


def state_of(world, row, theirs, moment):
    """A transaction as it stood at a moment: `theirs` are all events that belong to it."""
    turns = [event for event in theirs if event["#at"] < moment]
    ends = [event["#expires"] for event in turns if event["eventType"] == "extend"]
    kind = row["eventType"]
    sold = {"transactionId": row["transactionId"], "originalTransactionId": row["#original"], "webOrderLineItemId": row["#web"],
            "productId": row["productId"], "purchaseDate": row["#at"], "expiresDate": ends[-1] if ends else row.get("#expires"),
            "type": "Consumable" if kind == "one_time_purchase" else "Auto-Renewable Subscription", "signedDate": moment,
            "transactionReason": "RENEWAL" if kind == "renewal" else "PURCHASE", "inAppOwnershipType": "PURCHASED",
            "appAccountToken": world.ids_of.token(row["userId"], row["#original"]), "environment": "Production",
            "subscriptionGroupIdentifier": world.families.get(row["productId"]), "price": 0, "currency": "USD"} | (row.get("#own") or {})
    if kind == "trial_start":
        return sold | {"offerType": 1, "offerDiscountType": "FREE_TRIAL"}
    price, (cents, at) = round(float(row["price"]) * 100), standing_refund(row, theirs, moment)
    sold |= {"price": price * 10, "currency": row["currency"]}
    if cents:
        sold["revocationDate"] = at
        sold |= {"revocationPercentage": round(cents * 100_000 / price)} if cents < price else {}
    return sold


def status_of_chain(row, theirs, moment):
    """`(status, renewal)` of the subscription whose last transaction this is."""
    turns = sorted((event for event in theirs if event["#at"] < moment), key=lambda event: event["#at"])
    kinds = [event["eventType"] for event in turns]
    off = [kind for kind in kinds if kind in ("cancel", "uncancel")][-1:] == ["cancel"]
    renewal = {"productId": row["productId"], "originalTransactionId": row["#original"], "signedDate": moment, "autoRenewStatus": 0 if off else 1}
    failed = [event for event in turns if event["eventType"] == "billing_retry"]
    if failed and not failed[-1].get("#graceless"):
        renewal["gracePeriodExpiresDate"] = failed[-1].get("#expires")
    if "expire" in kinds:
        return 2, renewal | {"expirationIntent": 2 if failed else 1}
    return (4 if "gracePeriodExpiresDate" in renewal else 3) if failed else 1, renewal


def answers_source(rng, world, events, name):
    """What the store's server answers at the cut-off: histories page by page, and the state of every subscription."""
    moment, lines, last = world.cutoff - 1, [], {}
    rows = [event for event in events if "#product" in event and event["#at"] < moment]
    belonging = {id(row): [event for event in events if event.get("#of") is row] for row in rows}
    states = [bare(state_of(world, row, belonging[id(row)], moment)) for row in rows]
    for row in rows:
        if row["eventType"] != "one_time_purchase" and row["#at"] >= last.get(row["#original"], row)["#at"]:
            last[row["#original"]] = row
    said = lambda fields: jws(fields) if rng.random() < 0.6 else fields
    while states:
        page, states = states[:20], states[20:]
        lines.append({"revision": "1_1", "bundleId": "com.example.app", "environment": "Production", "hasMore": bool(states),
                      "signedTransactions": [said(state) for state in page]})
    for chain, row in last.items():
        if any(event["eventType"] == "billing_retry" and event["#at"] > row["#until"] for event in belonging[id(row)]):
            continue  # noticed after the end, which a state alone does not say
        status, renewal = status_of_chain(row, belonging[id(row)], moment)
        item = {"originalTransactionId": chain, "status": status, "signedRenewalInfo": said(bare(renewal)),
                "signedTransactionInfo": said(bare(state_of(world, row, belonging[id(row)], moment)))}
        lines.append({"environment": "Production", "bundleId": "com.example.app",
                      "data": [{"subscriptionGroupIdentifier": "1", "lastTransactions": [item]}]})
    return Source("purchases", name, {"format": "app-store-notifications"}, [json.dumps(line, ensure_ascii=False).encode() for line in lines])


def app_store_source(rng, world, events, name):
    payloads = []
    entry = {"format": "app-store-notifications"} | ({"user": "originalTransactionId"} if world.by_original else {})
    columns = world.spelling.columns(entry)
    for event in events:
        payload = notification(rng, world, event, columns)
        if rng.random() < 0.04 * world.dirt:
            spoiled(rng, payload)
        payloads += [payload] * (2 if rng.random() < 0.08 * world.dirt else 1)
    payloads += [unmeasured(rng, world) for _ in range(round(len(payloads) * 0.05 * world.dirt))]
    rng.shuffle(payloads)
    lines = []
    while payloads:
        if rng.random() < 0.2:
            page, payloads = payloads[:3], payloads[3:]
            history = [packed(rng, payload, True) | {"sendAttempts": [{"attemptDate": 1, "sendAttemptResult": "SUCCESS"}]}
                       for payload in page]
            lines.append({"notificationHistory": history, "hasMore": False, "paginationToken": "p"})
        else:
            lines.append(packed(rng, payloads.pop(), rng.random() < 0.6))
    if rng.random() < 0.3 * world.dirt:
        lines.append({"notificationHistory": [], "hasMore": False})
        lines.append({"signedPayload": rng.choice(["abc", "a.e30x.c"])})
    records = [json.dumps(line, ensure_ascii=False).encode() for line in lines]
    records += [broken_lines(rng, records) for _ in range(round(len(records) * 0.02 * world.dirt))]
    return Source("purchases", name, entry, records)
