"""RevenueCat: scheduled exports (a row is a transaction, versions 3 to 7) and webhooks → events."""

from fractions import Fraction
import json
import re

from facts import CHARGES, READERS, TELLS_ITS_END, Event, needed, text_of, told_by
from rows_in import bytes_of, csv_rows, json_rows
from values import MICROS, Fault, currency_code, round_half_even, time_millis

GROSS, NET = "purchase_price_in_purchased_currency", "price_in_purchased_currency"
MONEY = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")


def micros_of(text):
    """Millionths, rounded half to even: RevenueCat's prices come with any number of decimals."""
    if not isinstance(text, str) or not MONEY.match(text):
        raise Fault("bad_price", repr(text))
    return round_half_even(Fraction(str(text)) * MICROS)


def is_true(text):
    return text in ("t", "true")


def share_of(told, name):
    """A share of the price, as `tax_percentage` tells it: 0.15 is 15 %."""
    text = told.get(name)
    return None if text is None else Fraction(str(text))


class export_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        self.tells_gross = True  # version 3 tells only what is left after refunds
        for line, row in csv_rows(bytes_of(path), self.source.get("delimiter")):
            if isinstance(row, dict):
                self.tells_gross = "purchase_price_in_purchased_currency" in row
            yield line, row

    def events(self, row, account):
        if (row.get("store") or "").lower() == "promotional":
            self.notices.leave_out("store=promotional")
        user = needed(row, self.source.get("user", "rc_original_app_user_id"))
        at = self.time(row, "start_time")
        if at is None:
            raise Fault("missing_field", "start_time")
        product, kind = needed(row, "product_identifier"), kind_of_row(row)
        amount = currency = None
        if kind in CHARGES:
            price = row.get(GROSS if self.tells_gross else NET)
            if price is not None:
                amount, currency = micros_of(price), currency_code(needed(row, "purchased_currency"))
            elif row.get("ownership_type") != "FAMILY_SHARED":
                raise Fault("missing_price")
            if amount is not None and amount < 0:
                raise Fault("bad_price", price)
        offering, group = enrolled(row)
        transaction, number = row.get("store_transaction_id"), row.get("renewal_number")
        key = f"{transaction}/{number}" if transaction else None
        updated = self.time(row, "updated_at")
        charge = Event(
            user, kind, at, product, amount, currency, transaction, None, offering, group,
            "Sandbox" if is_true(row.get("is_sandbox")) else "Production", row.get("ownership_type"), account,
            expires=self.end(row),
            feed="revenuecat-export", key=key, number=number,
            snapshot=(key, -1 if updated is None else updated) if key else None,
            tax=share_of(row, "tax_percentage"), commission=share_of(row, "commission_percentage"),
        )
        charge.is_net = not self.tells_gross
        charge.told = told_by(row, self.source)
        return [charge, *self.refund(row, charge), *self.life(row, charge)]

    def end(self, row):
        """When what was paid for ends: at `end_time`; what is effective is later by a failure's grace, says RevenueCat."""
        end = self.time(row, "end_time")
        return self.time(row, "effective_end_time") if end is None else end

    def refund(self, row, charge):
        """The difference of gross and net, taken back at `refunded_at`, else when the row was updated."""
        at = self.time(row, "refunded_at")
        if charge.type not in CHARGES or charge.amount is None:
            return []
        net = row.get(NET)
        amount = None if net is None or not self.tells_gross else charge.amount - micros_of(net)
        if at is None and amount:
            at = self.time(row, "updated_at")
        if at is None:
            return []
        return [self.companion(charge, "refund", at, amount=amount or None, currency=charge.currency, is_state=True)]

    def life(self, row, charge):
        """Renewal turned off, and a renewal that failed: its grace ends when access does."""
        off, failed = self.time(row, "unsubscribe_detected_at"), self.time(row, "billing_issues_detected_at")
        if off is not None:
            yield self.companion(charge, "cancel", off)
        if failed is not None:
            yield self.companion(charge, "billing_retry", failed, expires=self.time(row, "effective_end_time"))

    def companion(self, charge, kind, at, **more):
        """Another thing that the charge's row tells; what was offered is told of the charge alone."""
        return Event(
            charge.user, kind, at, charge.product, more.pop("amount", None), more.pop("currency", None), charge.transaction,
            None, None, None, charge.environment, charge.ownership, None,
            feed=charge.feed, key=charge.key, number=charge.number, **more,
        )

    def time(self, row, name):
        text = row.get(name)
        return None if text is None else time_millis(text, self.source.get("timezone", "UTC"))


def kind_of_row(row):
    if is_true(row.get("is_trial_period")):
        return "trial_start"
    if row.get("is_auto_renewable") in ("f", "false"):
        return "one_time_purchase"
    return "renewal" if int(needed(row, "renewal_number")) > 1 else "purchase"


def enrolled(row):
    """The logged offering and group: the experiment's, else the offering that was shown."""
    layers = row.get("enrolled_experiments_by_layer")
    if layers:
        for experiment in (one for layer in json.loads(layers).values() for one in layer):
            return experiment["experiment_id"], experiment["variant"]
    return row.get("experiment_id") or row.get("presented_offering"), row.get("experiment_variant")


WEBHOOKS = {
    "INITIAL_PURCHASE": "purchase", "RENEWAL": "renewal", "NON_RENEWING_PURCHASE": "one_time_purchase",
    "CANCELLATION": "cancel", "UNCANCELLATION": "uncancel", "EXPIRATION": "expire",
    "BILLING_ISSUE": "billing_retry", "REFUND_REVERSED": "refund_reversal", "SUBSCRIPTION_EXTENDED": "extend",
}
REASONS = {"UNSUBSCRIBE", "BILLING_ERROR", "DEVELOPER_INITIATED", "PRICE_INCREASE", "CUSTOMER_SUPPORT", "UNKNOWN"}
PERIOD_TYPES = {"TRIAL", "INTRO", "NORMAL", "PROMOTIONAL", "PREPAID"}


def is_negative(price):
    return price is not None and micros_of(price) < 0


class webhook_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return json_rows(bytes_of(path))

    def events(self, row, account):
        told = row.get("event")
        if not isinstance(told, dict):
            raise Fault("missing_field", "event")
        name = needed(told, "type")
        if name == "TRANSFER":
            self.transfer(told)
            return []
        kind = self.kind_of(name, told)
        user = needed(told, self.source.get("user", "app_user_id"))
        when = "purchased_at_ms" if kind in CHARGES else "event_timestamp_ms"
        at = self.millis(told, when)
        if at is None:
            raise Fault("missing_field", when)
        amount, currency = self.money(kind, told)
        end = {"billing_retry": "grace_period_expiration_at_ms"}.get(kind, "expiration_at_ms")
        transaction, number = text_of(told.get("transaction_id")), told.get("renewal_number")
        number = None if number is None else str(number)
        experiments = told.get("experiments") or [{}]
        return [Event(
            user, kind, at, text_of(told.get("product_id")), amount, currency,
            transaction, text_of(told.get("id")),
            text_of(experiments[0].get("experiment_id") or told.get("presented_offering_id")),
            text_of(experiments[0].get("experiment_variant")), text_of(told.get("environment")),
            "FAMILY_SHARED" if told.get("is_family_share") is True else None, account,
            expires=self.millis(told, end) if kind in TELLS_ITS_END else None, feed="revenuecat-webhooks",
            key=f"{transaction}/{number}" if transaction and number else None, number=number,
            voice=name if kind == "billing_retry" else None,
            tax=share_of(told, "tax_percentage"), commission=share_of(told, "commission_percentage"),
            told=told_by(told, self.source),
        )]

    def kind_of(self, name, told):
        kind = WEBHOOKS.get(name)
        if kind is None:
            self.notices.leave_out(name)
        period, reason = told.get("period_type"), told.get("cancel_reason")
        if name == "INITIAL_PURCHASE" and period == "TRIAL":
            return "trial_start"
        if name == "CANCELLATION" and is_negative(told.get("price_in_purchased_currency")):
            return "refund"
        if name == "CANCELLATION" and reason == "BILLING_ERROR":
            return "billing_retry"
        if name == "CANCELLATION" and reason and reason not in REASONS:
            self.notices.unknown_values[f"cancel_reason={reason}"] += 1
        if name == "INITIAL_PURCHASE" and period and period not in PERIOD_TYPES:
            self.notices.unknown_values[f"period_type={period}"] += 1
        return kind

    def money(self, kind, told):
        price = told.get("price_in_purchased_currency")
        if kind in CHARGES:
            needed(told, "product_id")
            if price is None and told.get("is_family_share") is True:
                return None, None
            if price is None:
                raise Fault("missing_price")
            amount = micros_of(price)
            if amount < 0:
                raise Fault("bad_price", price)
            return amount, currency_code(needed(told, "currency"))
        if kind == "refund":
            named = text_of(told.get("currency"))
            return -micros_of(price), currency_code(named) if named else None
        return None, None

    def transfer(self, told):
        owners = sorted(told["transferred_to"], key=lambda user: (user.startswith("$RCAnonymousID:"), user.encode()))
        for alias in told["transferred_from"] + owners[1:]:
            self.notices.transfers.append((self.millis(told, "event_timestamp_ms"), alias, owners[0]))

    def millis(self, told, name):
        value = told.get(name)
        return None if value is None else time_millis(str(value), unit="milliseconds")


READERS["revenuecat-export"] = export_reader
READERS["revenuecat-webhooks"] = webhook_reader
