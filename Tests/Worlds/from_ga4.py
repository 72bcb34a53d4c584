"""Google Analytics' rows of BigQuery's `events_*` → events.

Field names: Google, "BigQuery Export schema", "Automatically collected events", "Recommended events".
"""

from fractions import Fraction

from facts import READERS, Event, id_of, needed
from rows_in import bytes_of, json_rows
from values import MICROS, Fault, currency_code, round_half_even, time_millis

KINDS = {"purchase": "purchase", "ecommerce_purchase": "purchase", "refund": "refund", "purchase_refund": "refund",
         "app_store_subscription_renew": "renewal", "app_store_subscription_convert": "renewal", "in_app_purchase": "one_time_purchase"}


class ga4_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return json_rows(bytes_of(path))

    def events(self, row, account):
        name = needed(row, "event_name")
        if name not in KINDS:
            self.notices.leave_out(name)
        told = {pair["key"]: next(iter(pair["value"].values())) for pair in row["event_params"]}
        kind = "trial_start" if told.get("free_trial") == "1" else KINDS[name]
        user = id_of(row.get("user_id")) or id_of(row.get("user_pseudo_id"))
        if not user:
            raise Fault("missing_field", "user_id")
        at = time_millis(str(row["event_timestamp"]), unit="microseconds")
        product = told.get("product_id") or max(row["items"], key=lambda item: Fraction(str(item["price"])), default={}).get("item_id")
        amount = currency = None
        if kind != "trial_start" and "value" in told:
            amount, currency = round_half_even(Fraction(str(told["value"])) * MICROS), currency_code(told["currency"])
        if kind == "refund" and not amount:
            amount = currency = None
        return [Event(user, kind, at, product, amount, currency, id_of(told["transaction_id"]),
                      f"trial {at} of {product}" if kind == "trial_start" else None, None, None, None, None, account, feed="ga4-export")]


READERS["ga4-export"] = ga4_reader
