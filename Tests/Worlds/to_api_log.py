"""What the app's own server answered, one line a request."""

import json

from dirt import BAD_TIMES, broken_lines
from layout import Source
from records import stamp

OFFERING, UPGRADE, BUY = "/v1/getSubscriptionOffering", "/api/subscription/upgrade", "/subscription/purchase"
ANSWERED = {"offering_served", "no_offering", "auth_invalid", "server_error", "plan_view", "status_check",
            "activation", "validation_failed", "already_subscribed"}


def answer(rng, event):
    """The endpoint and the response that tell this event."""
    kind = event["eventType"]
    if kind == "offering_served":
        body = {"offeringId": event.get("offeringId"), "testGroupId": event.get("testGroupId"), "products": []}
        return OFFERING, {"Success": 1, "Body": {key: value for key, value in body.items() if value is not None}}
    if kind in ("no_offering", "auth_invalid", "server_error"):
        success = {"no_offering": 1, "auth_invalid": 5, "server_error": rng.choice([0, 2, 9])}[kind]
        return OFFERING, {"Success": success, "Body": None if kind == "no_offering" else rng.choice([None, {}])}
    if kind == "plan_view":
        return "/api/subscription/plan-info", {"price": 1}
    if kind == "status_check":
        return "/api/subscription/status", {}
    if kind == "already_subscribed":
        return UPGRADE, {"success": False, "message": "Subscription is already active"}
    if kind == "activation":
        if event.get("transactionId") and rng.random() < 0.8:
            return UPGRADE, {"success": True, "transaction_id": event["transactionId"]}
        return BUY, {"success": True}
    code = event.get("errorCode")
    return (UPGRADE, {"success": False, "error_code": int(code)}) if code else (BUY, {"success": False})


def writes(event, world):
    return event["eventType"] in ANSWERED


def api_log_source(rng, world, events, name):
    entry = {"format": "api-log"}
    paths = {}
    if rng.random() < 0.3:
        paths = {UPGRADE: "/v2/upgrade", OFFERING: "/v3/offering"}
        entry["endpoints"] = {theirs: ours for ours, theirs in paths.items()}
    lines = []
    for event in events:
        endpoint, response = answer(rng, event)
        event = world.ids_of.row(event)
        line = {"userId": event["userId"], "occurredAt": stamp(rng, event["#at"]), "eventId": event.get("eventId"),
                "endpoint": paths.get(endpoint, endpoint), "response": response}
        if rng.random() < 0.05 * world.dirt:
            name_of = rng.choice(["userId", "occurredAt", "endpoint", "response", "unknown"])
            if name_of == "unknown":
                line["endpoint"] = rng.choice(["/health", "/v9/new"])
            else:
                line[name_of] = rng.choice([None, "no object"] if name_of == "response" else [None])
            if name_of == "occurredAt" and rng.random() < 0.5:
                line["occurredAt"] = rng.choice(BAD_TIMES)
        lines += [line] * (2 if rng.random() < 0.06 * world.dirt else 1)
    records = [json.dumps({k: v for k, v in line.items() if v is not None}, ensure_ascii=False).encode() for line in lines]
    records += [broken_lines(rng, records) for _ in range(round(len(records) * 0.02 * world.dirt))]
    return Source("purchases", name, entry, records)
