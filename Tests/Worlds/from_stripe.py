"""Stripe's events, by themselves or in lists → events.

Field names: Stripe, API Reference, "Events"; the invoice, charge and subscription objects of 2024-06-20 and 2025-03-31.basil.
"""

from fractions import Fraction

from facts import READERS, Event, id_of, needed, needed_id
from rows_in import bytes_of, json_rows
from values import MICROS, currency_code, time_millis

REASONS = {"subscription_create": "purchase", "subscription_update": "purchase", "subscription_cycle": "renewal"}
NO_CENTS = {"JPY"}


def seconds(value):
    return time_millis(str(value), unit="seconds")


def micros(amount, currency):
    return int(Fraction(str(amount)) * MICROS / (1 if currency in NO_CENTS else 100))


class stripe_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        """A list is as many rows as it has elements."""
        for line, row in json_rows(bytes_of(path)):
            if isinstance(row, dict) and isinstance(row.get("data"), list):
                yield from ((line, element) for element in row["data"])
            else:
                yield line, row

    def events(self, row, account):
        told, name, at = row["data"]["object"], needed(row, "type"), seconds(row["created"])
        self.one_customer(told, at)
        self.previous, self.account, self.at, self.id = row["data"].get("previous_attributes") or {}, account, at, needed(row, "id")
        said = {
            "invoice.paid": self.invoice, "invoice.payment_succeeded": self.invoice, "invoice.payment_failed": self.failure,
            "charge.succeeded": self.charge, "charge.refunded": self.refund, "customer.subscription.created": self.trial,
            "customer.subscription.updated": self.change, "customer.subscription.deleted": self.end,
        }.get(name)
        event = said(told) if said else None
        if event is None:
            self.notices.leave_out(name)
        return [event]

    def one_customer(self, told, at):
        ids = {id_of(told.get("customer")), self.user(told), self.subscription(told)}
        if told.get("object") in ("subscription", "customer"):
            ids.add(id_of(told["id"]))
        self.notices.aliases.append((at, ids - {None}))

    def user(self, told):
        nested = [told, told.get("subscription_details") or {}, (told.get("parent") or {}).get("subscription_details") or {}]
        return next((id_of(each["metadata"]["user_id"]) for each in nested if (each.get("metadata") or {}).get("user_id")), None)

    def subscription(self, told):
        return told.get("subscription") or ((told.get("parent") or {}).get("subscription_details") or {}).get("subscription")

    def said(self, told, kind, at, product, transaction, chain=None, **more):
        user = self.user(told) or needed_id(told, "customer")
        return Event(user, kind, at, product, more.pop("amount", None), more.pop("currency", None), id_of(transaction),
                     more.pop("id", None), None, None, None, None, self.account, feed="stripe-events", chain=id_of(chain),
                     family=chain and f"subscription {chain}", is_of_web=True, **more)

    def invoice(self, told):
        line = told["lines"]["data"][0]
        product = (line.get("price") or {}).get("id") or line["pricing"]["price_details"]["price"]
        chain, at, end = self.subscription(told), seconds(told["status_transitions"]["paid_at"]), seconds(line["period"]["end"])
        if told["amount_paid"] == "0":
            return self.trial_of(told, chain, product, seconds(line["period"]["start"]), end)
        currency = currency_code(told["currency"])
        return self.said(told, REASONS[told["billing_reason"]], at, product, told["id"], chain, key=f"{told['id']}", expires=end,
                         amount=micros(told["amount_paid"], currency), currency=currency)

    def trial_of(self, told, chain, product, at, end):
        return self.said(told, "trial_start", at, product, chain, chain, expires=end, id=f"trial {chain}")

    def trial(self, told):
        if told.get("trial_start") is None:
            return None
        return self.trial_of(told, told["id"], self.item(told), seconds(told["trial_start"]), seconds(told["trial_end"]))

    def item(self, told):
        return told["items"]["data"][0]["price"]["id"]

    def failure(self, told):
        line = told["lines"]["data"][0]
        product = (line.get("price") or {}).get("id") or line["pricing"]["price_details"]["price"]
        chain = self.subscription(told)
        return self.said(told, "billing_retry", self.at, product, chain, chain, id=f"failed {told['id']}")

    def charge(self, told):
        currency = currency_code(told["currency"])
        return self.said(told, "one_time_purchase", seconds(told["created"]), told["description"], told["id"], key=told["id"],
                         amount=micros(told["amount"], currency), currency=currency)

    def refund(self, told):
        """All that was given back by then; the invoice, else the charge, is what was paid."""
        currency, sold = currency_code(told["currency"]), told.get("invoice") or told["id"]
        return self.said(told, "refund", self.at, None, sold, key=sold, is_state=True, told_at=self.at, id=self.id,
                         amount=micros(told["amount_refunded"], currency), currency=currency)

    def change(self, told):
        if self.previous.get("status") not in (None, told["status"]) and told["status"] == "past_due":
            return self.said(told, "billing_retry", self.at, self.item(told), told["id"], told["id"], id=f"failed {told['latest_invoice']}")
        if "cancel_at_period_end" in self.previous:
            is_off = told["cancel_at_period_end"]
            at = seconds(told["canceled_at"]) if is_off else self.at
            kind = "cancel" if is_off else "uncancel"
            return self.said(told, kind, at, self.item(told), told["id"], told["id"], id=f"{kind} {told['id']} {at}")
        return None

    def end(self, told):
        at = seconds(told["ended_at"])
        return self.said(told, "expire", at, self.item(told), told["id"], told["id"], id=f"end {told['id']} {at}")


READERS["stripe-events"] = stripe_reader
