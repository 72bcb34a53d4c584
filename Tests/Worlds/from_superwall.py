"""Superwall's webhooks → events."""

from facts import CHARGES, READERS, TELLS_ITS_END, WEB, Event, id_of, needed, text_of, told_by
from from_revenuecat import dollars_a_unit, micros_of, share_of
from rows_in import bytes_of, json_rows
from values import DAY, Fault, currency_code, time_millis

KINDS = {
    "initial_purchase": "purchase", "renewal": "renewal", "non_renewing_purchase": "one_time_purchase",
    "product_change": "purchase", "cancellation": "cancel", "uncancellation": "uncancel", "expiration": "expire",
    "billing_issue": "billing_retry", "subscription_extended": "extend",
}
KNOWN = {
    "periodType": {"TRIAL", "INTRO", "NORMAL"}, "store": {"APP_STORE", "PLAY_STORE", "STRIPE", "PADDLE"},
    "cancelReason": {"BILLING_ERROR", "CUSTOMER_SUPPORT", "UNSUBSCRIBE", "PRICE_INCREASE", "DEVELOPER_INITIATED", "UNKNOWN"},
}
PRICE = "priceInPurchasedCurrency"


class superwall_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return json_rows(bytes_of(path))

    def events(self, row, account):
        told, name = row.get("data") or {}, needed(row, "type")
        price = None if told.get(PRICE) is None else micros_of(told[PRICE])
        kind = self.kind_of(name, told, price)
        who = next((user for user in (id_of(told.get("originalAppUserId")), id_of(told.get("originalTransactionId"))) if user), None)
        if not who:
            raise Fault("missing_field", "originalAppUserId")
        at = self.moment(kind, told, row)
        shared = told.get("isFamilyShare") is True and not price
        amount = currency = None
        if kind in CHARGES and not shared:
            needed(told, "productId")
            if price is None:
                raise Fault("missing_price")
            amount, currency = price, currency_code(needed(told, "currencyCode"))
        if kind == "refund":
            named = text_of(told.get("currencyCode"))
            amount, currency = -price, currency_code(named) if named else None
        product = told.get("newProductId") if name == "product_change" else None
        event = Event(
            who, kind, at, text_of(product or told.get("productId")), amount, currency, id_of(told.get("transactionId")),
            id_of(told.get("id")), None, None, text_of(told.get("environment")), "FAMILY_SHARED" if shared else None, account,
            expires=self.millis(told, "expirationAt") if kind in TELLS_ITS_END and kind != "billing_retry" else None,
            feed="superwall-webhooks", voice=name if kind == "billing_retry" else None,
            is_of_web=(told.get("store") or "").lower() in WEB, tax=share_of(told, "taxPercentage"), commission=share_of(told, "commissionPercentage"),
            told=told_by(told, self.source), chain=id_of(told.get("originalTransactionId")),
            dollars=dollars_a_unit(told, ("price", PRICE)) if kind in CHARGES else None,
            dollars_back=-micros_of(told["price"]) if kind == "refund" and told.get("price") is not None else None,
        )
        for member, known in KNOWN.items():
            if told.get(member) and told[member] not in known:
                self.notices.unknown_values[f"{member}={told[member]}"] += 1
        if (event.environment or "PRODUCTION").lower() == "production" and not shared:
            self.notices.aliases.append((at, {id_of(told.get(id)) for id in ("originalAppUserId", "originalTransactionId")} - {None}))
        return [event]

    def kind_of(self, name, told, price):
        """Money back whatever the event; a period for nothing is a trial unless it is a normal one; a plan that changes for nothing
        is no event."""
        kind = KINDS.get(name)
        if kind is None or name == "product_change" and not price:
            self.notices.leave_out(name)
        if price is not None and price < 0:
            return "refund"
        is_free = told.get("periodType") == "TRIAL" if price is None else price == 0 and told.get("periodType") != "NORMAL"
        if name in ("initial_purchase", "renewal") and is_free:
            return "trial_start"
        return "billing_retry" if name == "cancellation" and told.get("cancelReason") == "BILLING_ERROR" else kind

    def moment(self, kind, told, row):
        happened = self.millis(told, "ts") if told.get("ts") is not None else self.millis(row, "timestamp")
        at = self.millis(told, "purchasedAt") if kind in CHARGES or kind == "trial_start" else happened
        if at is None:
            raise Fault("missing_field", "purchasedAt" if kind in CHARGES else "ts")
        late = kind == "renewal" and told.get("store") != "APP_STORE" and happened is not None and happened - at > DAY
        return happened if late else at

    def millis(self, told, name):
        value = told.get(name)
        return None if value is None else time_millis(str(value), unit="milliseconds")


READERS["superwall-webhooks"] = superwall_reader
