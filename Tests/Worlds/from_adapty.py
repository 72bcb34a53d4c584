"""Adapty's exports, of events and of paywall visits → events."""

from fractions import Fraction

from facts import CHARGES, READERS, TELLS_ITS_END, Event, id_of, needed, told_by
from from_revenuecat import dollars_a_unit, micros_of
from rows_in import bytes_of, csv_rows
from values import Fault, currency_code, time_millis

KINDS = {
    "subscription_started": "purchase", "subscription_initial_purchase": "purchase", "subscription_renewed": "renewal",
    "trial_converted": "renewal", "trial_started": "trial_start", "non_subscription_purchase": "one_time_purchase",
    "subscription_refunded": "refund", "non_subscription_purchase_refunded": "refund",
    "subscription_renewal_cancelled": "cancel", "trial_renewal_cancelled": "cancel",
    "subscription_renewal_reactivated": "uncancel", "trial_renewal_reactivated": "uncancel",
    "billing_issue_detected": "billing_retry", "entered_grace_period": "billing_retry",
    "subscription_expired": "expire", "trial_expired": "expire",
}
REPLACED = ("new_subscription_replace", "upgraded")


class adapty_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return csv_rows(bytes_of(path), self.source.get("delimiter"))

    def events(self, row, account):
        if not row.get("event_type") and row.get("paywall_showed_at"):
            event = self.happening(row, "paywall_view", "paywall_showed_at", account)
        else:
            event = self.said(row, account)
        if (event.environment or "Production").lower() == "production":
            ids = {id_of(row.get(name)) for name in ("customer_user_id", "profile_id")} - {None}
            self.notices.aliases.append((event.at, ids))
        return [event]

    def said(self, row, account):
        name = needed(row, "event_type")
        kind = KINDS.get(name)
        if kind is None:
            self.notices.leave_out(name)
        if kind in ("expire", "cancel") and row.get("cancellation_reason") in REPLACED:
            self.notices.leave_out(f"{name} ({row['cancellation_reason']})")
        event = self.happening(row, kind, "event_datetime", account)
        event.environment, event.product = row.get("environment"), row.get("product_id")
        event.transaction, event.chain = id_of(row.get("transaction_id")), id_of(row.get("original_transaction_id"))
        if kind in TELLS_ITS_END and row.get("subscription_expires_at"):
            event.expires = time_millis(row["subscription_expires_at"])
        if kind in CHARGES:
            needed(row, "product_id")
        if kind in CHARGES or kind == "refund":
            self.money(row, event)
        if name in ("subscription_started", "subscription_initial_purchase") and event.amount == 0:
            self.notices.leave_out(f"{name} of 0")
        if kind not in CHARGES and kind != "refund":  # an event has no id of its own
            event.event_id = f"{event.transaction or event.product}/{name}/{event.at}"
        event.voice = name if kind == "billing_retry" else None
        event.told = told_by(row, self.source)
        return event

    def money(self, row, event):
        local, dollars = row.get("revenue_local"), row.get("revenue_usd")
        if local and row.get("currency"):
            event.amount, event.currency = micros_of(local), currency_code(row["currency"])
        elif dollars:
            event.amount, event.currency = micros_of(dollars), "USD"
        elif event.type in CHARGES:
            raise Fault("missing_price")
        if event.type in CHARGES:
            if event.amount < 0:
                raise Fault("bad_price", local)
            event.dollars = dollars_a_unit(row, ("revenue_usd", "revenue_local"))
            if row.get("net_revenue_local"):  # what the writers here tell: all parts or none
                tax, left = (Fraction(micros_of(row[name]), event.amount) for name in ("tax_amount_local", "net_revenue_local"))
                event.tax, event.commission = tax, 1 - tax - left
        elif event.amount is not None:
            event.amount = abs(event.amount)
            event.dollars_back = abs(micros_of(dollars)) if dollars else None

    def happening(self, row, kind, column, account):
        who = next((id_of(row.get(name)) for name in ("customer_user_id", "profile_id", "original_transaction_id") if id_of(row.get(name))), None)
        if who is None:
            raise Fault("missing_field", "customer_user_id")
        test = id_of(row.get("ab_test_name"))
        return Event(who, kind, time_millis(needed(row, column)), None, None, None, None, None, test,
                     id_of(row.get("paywall_name")) if test else None, None, None, account, feed="adapty-export")


READERS["adapty-export"] = adapty_reader
