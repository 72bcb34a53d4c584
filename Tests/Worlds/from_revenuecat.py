"""RevenueCat: scheduled exports (a row is a transaction, versions 3 to 7) and webhooks → events."""

from fractions import Fraction
import json
import re

from facts import CHARGES, ENROLMENT, READERS, TELLS_ITS_END, VOID, WEB, Account, Event, id_of, needed, needed_id, text_of, told_by
from rows_in import bytes_of, csv_rows, json_rows
from values import MICROS, Fault, currency_code, round_half_even, time_millis

GROSS, NET = "purchase_price_in_purchased_currency", "price_in_purchased_currency"
MONEY = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")


def micros_of(text):
    """Millionths, rounded half to even: RevenueCat's prices come with any number of decimals."""
    if not isinstance(text, str) or not MONEY.match(text):
        raise Fault("bad_price", repr(text))
    return round_half_even(Fraction(str(text)) * MICROS)


def dollars_a_unit(told, *pairs):
    """What the charge's currency is worth, by the first of these pairs of a price in dollars and the same in that currency."""
    for dollars, price in pairs:
        if told.get(dollars) is not None and told.get(price) is not None:
            worth, amount = micros_of(told[dollars]), micros_of(told[price])
            return Fraction(worth, amount) if amount else Fraction(0) if price != NET else None
    return None


def is_true(text):
    return text in ("t", "true")


def share_of(told, name):
    """A share of the price, as `tax_percentage` tells it: 0.15 is 15 %."""
    text = told.get(name)
    return None if text is None else Fraction(str(text))


ENDS_FIRST = "end_time before start_time"
IDS = ("rc_original_app_user_id", "rc_last_seen_app_user_id_alias")


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
        try:
            said = self.said(row, account)
        except Fault as fault:
            if fault.reason == "not_measured":
                self.one_customer(row)
            raise
        self.one_customer(row)
        return said

    def one_customer(self, row):
        """Whose the ids are is told by every row that is sound, whether or not anybody paid; not by a test store."""
        try:
            at = self.time(row, "start_time")
        except Fault:
            return
        if at is not None and not is_true(row.get("is_sandbox")):
            self.notices.aliases.append((at, {id_of(row.get(name)) for name in IDS} - {None}))

    def said(self, row, account):
        if (row.get("store") or "").lower() == "promotional":
            self.notices.leave_out("store=promotional")
        user = self.user(row)
        at = self.time(row, "start_time")
        if at is None:
            raise Fault("missing_field", "start_time")
        if (self.time(row, "end_time") or at) < at:
            return [self.void(row, user, at, account)]
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
        transaction, number = id_of(row.get("store_transaction_id")), row.get("renewal_number")
        snapshot = self.snapshot(row)
        key = snapshot and snapshot[0]
        charge = Event(
            user, kind, at, product, amount, currency, transaction, None, offering, group,
            "Sandbox" if is_true(row.get("is_sandbox")) else "Production", row.get("ownership_type"), account,
            expires=self.end(row),
            feed="revenuecat-export", key=key, number=number,
            snapshot=snapshot,
            is_of_web=(row.get("store") or "").lower() in WEB, tax=share_of(row, "tax_percentage"), commission=share_of(row, "commission_percentage"),
            chain=id_of(row.get("original_store_transaction_id")),
            dollars=dollars_a_unit(row, ("purchase_price_in_usd", GROSS), ("price_in_usd", NET)) if kind in CHARGES else None,
        )
        charge.is_net = not self.tells_gross
        charge.told = told_by(row, self.source)
        return [charge, *self.refund(row, charge), *self.life(row, charge)]

    def snapshot(self, row):
        """What the row is a state of, and when it was that."""
        transaction, updated = id_of(row.get("store_transaction_id")), self.time(row, "updated_at")
        return (f"{transaction}/{row.get('renewal_number')}", -1 if updated is None else updated) if transaction else None

    def void(self, row, user, at, account):
        """A row that ends before it starts: no transaction, whatever older rows with its key say."""
        self.notices.not_measured[ENDS_FIRST] += 1
        account.aside["not_measured"] += 1
        return Event(user, VOID, at, *[None] * 9, Account(), feed="revenuecat-export", snapshot=self.snapshot(row))

    def user(self, row):
        """Whichever of a customer's two ids the job asks for; a row that tells only the other is theirs all the same."""
        asked = self.source.get("user", "rc_original_app_user_id")
        return next((user for user in (id_of(row.get(name)) for name in (asked, *IDS)) if user), None) or needed(row, asked)

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
        told = [row.get(name) for name in ("purchase_price_in_usd", "price_in_usd")]
        back = None if None in told or not amount else micros_of(told[0]) - micros_of(told[1])
        return [self.companion(charge, "refund", at, amount=amount or None, currency=charge.currency, is_state=True, dollars_back=back)]

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
            feed=charge.feed, key=charge.key, number=charge.number, chain=charge.chain, **more,
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
    "EXPERIMENT_ENROLLMENT": ENROLMENT,
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
        self.one_customer(told)
        if name == "SUBSCRIBER_ALIAS":
            self.millis(told, "event_timestamp_ms")  # the one fault that it may have
            return []
        return self.said(name, told, account)

    def one_customer(self, told):
        """By whatever event: one that nobody paid for, or that has faults of its own, knows its customer all the same."""
        try:
            at = self.millis(told, "event_timestamp_ms")
        except Fault:
            return
        names = [*(told.get(name) for name in ("app_user_id", "original_app_user_id")), *(told.get("aliases") or ())]
        if at is not None and (told.get("environment") or "PRODUCTION").lower() == "production":  # not a test store's
            self.notices.aliases.append((at, {id_of(name) for name in names} - {None, ""}))

    def said(self, name, told, account):
        kind = self.kind_of(name, told)
        user = self.user(told)
        when = "purchased_at_ms" if kind in CHARGES else "event_timestamp_ms"
        at = self.millis(told, when)
        if at is None:
            raise Fault("missing_field", when)
        amount, currency = self.money(kind, told)
        end = {"billing_retry": "grace_period_expiration_at_ms"}.get(kind, "expiration_at_ms")
        transaction, number = id_of(told.get("transaction_id")), told.get("renewal_number")
        number = None if number is None else str(number)
        experiments = told.get("experiments") or [told if kind == ENROLMENT else {}]
        return [Event(
            user, kind, at, text_of(told.get("product_id")), amount, currency,
            transaction, id_of(told.get("id")),
            text_of(experiments[0].get("experiment_id") or told.get("presented_offering_id")),
            text_of(experiments[0].get("experiment_variant")), text_of(told.get("environment")),
            "FAMILY_SHARED" if told.get("is_family_share") is True else None, account,
            expires=self.millis(told, end) if kind in TELLS_ITS_END else None, feed="revenuecat-webhooks",
            key=f"{transaction}/{number}" if transaction and number else None, number=number,
            voice=name if kind == "billing_retry" else None,
            is_of_web=(told.get("store") or "").lower() in WEB, tax=share_of(told, "tax_percentage"), commission=share_of(told, "commission_percentage"),
            told=told_by(told, self.source), chain=id_of(told.get("original_transaction_id")),
            graceless=name == "BILLING_ISSUE" and told.get("grace_period_expiration_at_ms") is None,
            dollars=dollars_a_unit(told, ("price", NET)) if kind in CHARGES else None,
            dollars_back=-micros_of(told["price"]) if kind == "refund" and told.get("price") is not None else None,
        )]

    def user(self, told):
        asked = self.source.get("user", "app_user_id")
        known = (id_of(told.get(name)) for name in (asked, "app_user_id", "original_app_user_id"))
        return next((user for user in known if user), None) or needed_id(told, asked)

    def kind_of(self, name, told):
        kind = WEBHOOKS.get(name)
        if kind is None:
            self.notices.leave_out(name)
        period, reason = told.get("period_type"), told.get("cancel_reason")
        if name in ("INITIAL_PURCHASE", "RENEWAL") and period == "TRIAL":
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
        owners, others = ([user for user in map(id_of, told[name]) if user] for name in ("transferred_to", "transferred_from"))
        owners.sort(key=lambda user: (user.startswith("$RCAnonymousID:"), user.encode()))
        for alias in others + owners[1:]:
            self.notices.transfers.append((self.millis(told, "event_timestamp_ms"), alias, owners[0]))

    def millis(self, told, name):
        value = told.get(name)
        return None if value is None else time_millis(str(value), unit="milliseconds")


READERS["revenuecat-export"] = export_reader
READERS["revenuecat-webhooks"] = webhook_reader
