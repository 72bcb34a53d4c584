"""A story's money as Google Analytics exports it to BigQuery: sales, trials and refunds by their transactions, nothing of what follows."""

from fractions import Fraction
import json

from dirt import CHARGES
from layout import Source

NAMES = {"purchase": ["purchase", "ecommerce_purchase"], "renewal": ["app_store_subscription_renew", "app_store_subscription_convert"],
         "one_time_purchase": ["in_app_purchase"], "trial_start": ["in_app_purchase"], "refund": ["refund", "purchase_refund"]}
UNMEASURED = ["session_start", "first_open", "user_engagement"]


def writes(event, world):
    kind = event["eventType"]
    is_sold = (event.get("environment") or "Production").lower() == "production" and event.get("ownershipType") != "FAMILY_SHARED"
    if kind not in NAMES or not is_sold or not event.get("transactionId") or event.get("#restored") or event["userId"] == "null":
        return False
    if kind == "trial_start" or event.get("price") is None:
        return True
    return Fraction(event["price"]) >= Fraction(1, 100) and event.get("currency") is not None  # smaller ones are written as 1e-06


def value(told):
    """In the column of its type."""
    return {"int_value": str(told)} if isinstance(told, int) else {"double_value": told} if isinstance(told, float) else {"string_value": told}


def pairs(fields):
    return [{"key": name, "value": value(told)} for name, told in fields.items() if told is not None]


def row_of(world, event):
    dice, kind = world.dice, event["eventType"]
    told = {"transaction_id": world.ids_of.written(event["transactionId"]), "firebase_screen_class": "Paywall"}
    row = {"event_date": "20260302", "event_name": dice.choice(NAMES[kind]), "user_pseudo_id": f"device of {event['userId']}",
           "user_id": world.ids_of.written(event["userId"]), "platform": dice.choice(["IOS", "ANDROID"]), "items": [], "user_properties": []}
    stamp = event["#at"] * 1000
    row["event_timestamp"] = str(stamp) if dice.random() < 0.7 else stamp
    if kind in CHARGES or kind == "refund" and event.get("price") is not None:
        told |= {"currency": event["currency"], "value": float(event["price"])}
    if kind == "trial_start":
        told |= {"subscription": 1, "free_trial": 1, "price": 0, "currency": "USD"}
    if event.get("productId") and kind not in ("purchase", "refund"):
        told["product_id"] = event["productId"]
    elif event.get("productId"):
        row["items"] = [{"item_id": event["productId"], "price": 1.5}, {"item_id": "a gift", "price": 0}]
    return row | {"event_params": dice.sample(pairs(told), len(pairs(told)))}


def ga4_source(rng, world, events, name):
    rows = []
    for event in events:
        row = row_of(world, event)
        rows += [row] * (2 if rng.random() < 0.05 * world.dirt else 1)
    for _ in range(round(len(rows) * 0.05 * world.dirt)):
        rows.append({"event_name": rng.choice(UNMEASURED), "event_timestamp": "1", "event_params": []})
        rows.append(dict(rng.choice(rows)) | rng.choice([{"user_id": None, "user_pseudo_id": None}, {"event_timestamp": "soon"}]))
    return Source("purchases", name, {"format": "ga4-export"}, [json.dumps(row, ensure_ascii=False).encode() for row in rows])
