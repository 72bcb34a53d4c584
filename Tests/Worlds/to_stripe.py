"""A story as Stripe's events: invoices that were paid or failed, charges, what was given back, subscriptions that change.

Stripe tells no grace, no extension and no refund taken back again: stories that are told in it have none (`is_of_the_web`).
"""

import json

from layout import Source

REASONS = {"purchase": ["subscription_create", "subscription_update"], "renewal": ["subscription_cycle"]}


def smallest(price, currency):
    """Cents of a price, or yen."""
    return round(float(price) * (1 if currency == "JPY" else 100))


class Teller:
    """One world's rows of Stripe, each with a version of the API of its own."""

    def __init__(self, world):
        self.world, self.dice, self.number = world, world.dice, 0

    def event(self, kind, at, told, previous=None, number=None):
        self.number += 1
        data = {"object": told} | ({"previous_attributes": previous} if previous is not None else {})
        return {"id": f"evt_{number or self.number}", "object": "event", "created": at // 1000, "type": kind, "livemode": True, "data": data}

    def who(self, user):
        """The customer, and the app's own id where this row tells it."""
        ids = self.world.ids_of
        tells = not ids.is_many or ids.times(0.5)
        return f"cus_{user}", {"user_id": ids.written(user)} if tells else {}

    def invoice(self, event, paid):
        """A paid invoice of a charge or a trial, in one of two shapes: from 2025 on it names no charge."""
        dice, at = self.dice, event["#at"] // 1000
        customer, metadata = self.who(event["userId"])
        price, end = event["productId"], event["#expires"] // 1000
        line = {"amount": paid, "period": {"start": at, "end": end}, "description": "" if paid else "Trial period for Premium"}
        told = {"id": event["transactionId"], "object": "invoice", "customer": customer, "amount_paid": paid, "currency": "usd", "created": at,
                "status": "paid", "status_transitions": {"paid_at": at}, "livemode": True}
        told["currency"] = (event.get("currency") or "USD").lower()
        told["billing_reason"] = dice.choice(REASONS.get(event["eventType"], ["subscription_create"])) if paid else "subscription_create"
        if dice.random() < 0.5:
            told |= {"subscription": event["#original"], "charge": f"ch_{told['id']}", "payment_intent": f"pi_{told['id']}",
                     "subscription_details": {"metadata": metadata}}
            line |= {"price": {"id": price}, "proration": False}
        else:
            told["parent"] = {"subscription_details": {"subscription": event["#original"], "metadata": metadata}}
            line |= {"pricing": {"price_details": {"price": price}}, "parent": {"subscription_item_details": {"proration": False}}}
        lines = [line]
        if paid and dice.random() < 0.2:  # what is left of an old plan is a line of the same charge
            lines.append({"amount": -5, "price": {"id": "old"}, "proration": True})
        return told | {"lines": {"object": "list", "data": lines}}

    def charge(self, row, **more):
        customer, metadata = self.who(row["userId"])
        is_once = row["eventType"] == "one_time_purchase"
        told = {"id": row["transactionId"] if is_once else f"ch_{row['transactionId']}", "object": "charge", "customer": customer,
                "amount": smallest(row["price"], row["currency"]), "currency": row["currency"].lower(), "created": row["#at"] // 1000,
                "captured": True, "paid": True, "status": "succeeded", "metadata": metadata, "amount_refunded": 0, "livemode": True,
                "invoice": None if is_once else row["transactionId"], "description": row["productId"] if is_once else "Subscription update"}
        return told | more

    def subscription(self, row, status="active", **more):
        customer, metadata = self.who(row["userId"])
        return {"id": row["#original"], "object": "subscription", "customer": customer, "metadata": metadata, "status": status,
                "cancel_at_period_end": False, "created": row["#at"] // 1000, "livemode": True,
                "items": {"object": "list", "data": [{"price": {"id": row["productId"]}}]}} | more

    def rows(self, event):
        """What Stripe tells of an event, and of it alone."""
        kind, at, row = event["eventType"], event["#at"], event.get("#of") or event
        if kind == "trial_start":
            began = self.subscription(row, "trialing", trial_start=at // 1000, trial_end=row["#expires"] // 1000)
            told = [self.event("customer.subscription.created", at, began), self.event("invoice.paid", at, self.invoice(row, 0))]
            return self.dice.choice([told, told[:1], told[1:]])
        if kind in REASONS:
            told = self.invoice(row, smallest(row["price"], row["currency"]))
            names = self.dice.choice([["invoice.paid"], ["invoice.payment_succeeded"], ["invoice.paid", "invoice.payment_succeeded"]])
            return [self.event(name, at, told) for name in names]
        if kind == "one_time_purchase":
            return [self.event("charge.succeeded", at, self.charge(row))]
        if kind == "refund":
            return [self.event("charge.refunded", at, self.charge(row, amount_refunded=event["#total"]))]
        if kind == "cancel":
            told = self.subscription(row, cancel_at_period_end=True, canceled_at=at // 1000)
            return [self.event("customer.subscription.updated", at, told, {"cancel_at_period_end": False})]
        if kind == "uncancel":
            return [self.event("customer.subscription.updated", at, self.subscription(row), {"cancel_at_period_end": True})]
        if kind == "expire":
            told = self.subscription(row, "canceled", ended_at=at // 1000)
            return [self.event("customer.subscription.deleted", at, told)]
        return self.failure(event, row) if kind == "billing_retry" else []

    def failure(self, event, row):
        """A renewal that failed is told by its invoice, at each try, and by its subscription."""
        at, invoice = event["#at"], f"in_{event['eventId']}"
        failed = self.invoice(row | {"transactionId": invoice, "eventType": "renewal"}, 0)
        failed |= {"status": "open", "billing_reason": "subscription_cycle", "amount_paid": 0}
        past = self.subscription(row, "past_due", latest_invoice=invoice)
        told = [self.event("invoice.payment_failed", at, failed), self.event("customer.subscription.updated", at, past, {"status": "active"})]
        return self.dice.choice([told, told[:1], told[1:], told[:1] + [self.event("invoice.payment_failed", at + 1000, failed)]])


def stripe_source(rng, world, events):
    teller, told, known = Teller(world), [], set()
    for event in events:
        if event["userId"] not in known:  # whose customer it is is told once at least
            known.add(event["userId"])
            customer = {"id": f"cus_{event['userId']}", "object": "customer", "metadata": {"user_id": event["userId"]}}
            told.append(teller.event("customer.created", event["#at"], customer))
        told += teller.rows(event)
    told = [row for row in told for _ in range(2 if rng.random() < 0.04 else 1)]
    if told:
        told.append(teller.event("charge.dispute.created", world.cutoff - 5000, {"id": "dp_1", "object": "dispute"}))
    lines = []
    while told:
        if rng.random() < 0.1:
            page, told = told[:3], told[3:]
            lines.append({"object": "list", "has_more": False, "data": page})
        else:
            lines.append(told.pop())
    return Source("purchases", "stripe", {"format": "stripe-events"}, [json.dumps(line, ensure_ascii=False).encode() for line in lines])
