"""App Store Server Notifications V2: POST bodies, pages of the history, decoded payloads → events; transactions alone.

Field names: Apple, "App Store Server Notifications", responseBodyV2DecodedPayload, JWSTransaction, JWSRenewalInfo.
"""

import base64
from dataclasses import replace
from fractions import Fraction
import json

from facts import CHARGES, READERS, TELLS_ITS_END, Event, id_of, needed, needed_id, text_of, told_by
from rows_in import Number, bytes_of, json_object, json_rows
from values import Fault, currency_code, round_half_even, time_millis

BY_TYPE = {
    "SUBSCRIBED": "purchase", "OFFER_REDEEMED": "purchase",
    "DID_RENEW": "renewal", "ONE_TIME_CHARGE": "one_time_purchase", "REFUND": "refund",
    "REFUND_REVERSED": "refund_reversal", "DID_FAIL_TO_RENEW": "billing_retry",
    "EXPIRED": "expire", "GRACE_PERIOD_EXPIRED": "expire", "RENEWAL_EXTENDED": "extend",
}
BY_SUBTYPE = {
    ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"): "purchase",
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"): "cancel",
    ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"): "uncancel",
}
SUBTYPES = {  # of the types that are mapped whatever their subtype
    "SUBSCRIBED": {"INITIAL_BUY", "RESUBSCRIBE"}, "DID_RENEW": {"BILLING_RECOVERY"},
    "OFFER_REDEEMED": {"INITIAL_BUY", "RESUBSCRIBE", "UPGRADE"},
    "DID_FAIL_TO_RENEW": {"GRACE_PERIOD"},
    "EXPIRED": {"VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"},
}


def decoded(jws):
    """The payload of a JWS, or the object itself where it is decoded already."""
    if jws is None or isinstance(jws, dict):
        return jws or {}
    try:
        middle = jws.split(".")[1]
        return json_object(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    except (AttributeError, IndexError, ValueError):
        raise Fault("malformed", "not a JWS") from None


def millis_of(fields, name):
    value = fields.get(name)
    return None if value is None else time_millis(str(value), unit="milliseconds")


class app_store_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        """A page is as many rows as it has notifications or transactions, or one that says nothing."""
        for line, row in json_rows(bytes_of(path)):
            for element in [row] if isinstance(row, Fault) else self.elements(row):
                yield line, element

    def elements(self, row):
        nothing = [{"notificationType": "empty page"}]
        if "notificationHistory" in row:
            return row["notificationHistory"] or nothing
        if "signedTransactions" in row:
            return [{"signedTransactionInfo": told} for told in row["signedTransactions"]] or nothing
        if isinstance(row.get("data"), list):
            return [told for group in row["data"] for told in group["lastTransactions"]] or nothing
        return [row]

    def events(self, row, account):
        if "signedTransactionInfo" in row:
            return self.state(row, account)
        payload = decoded(row["signedPayload"]) if "signedPayload" in row else row
        name = needed(payload, "notificationType")
        subtype = text_of(payload.get("subtype"))
        data = payload.get("data") or {}
        sold = decoded(data.get("signedTransactionInfo"))
        kind = self.kind_of(name, subtype, sold)
        if kind is None:
            self.of_one_chain(sold, data.get("environment") or sold.get("environment"), millis_of(payload, "signedDate"))
            self.notices.leave_out(f"{name}/{subtype}" if subtype else name)
        said = self.said(kind, subtype, payload, data, account)
        self.of_one_chain(sold, said[0].environment, said[0].at)
        return said

    def state(self, row, account):
        """A transaction alone: what was bought, what was given back of it, and how its subscription stands."""
        sold, renewal = decoded(row["signedTransactionInfo"]), decoded(row.get("signedRenewalInfo"))
        infos = {"signedTransactionInfo": sold, "signedRenewalInfo": renewal}
        bought = self.said(kind_of_state(sold), None, {"signedDate": sold.get("purchaseDate")}, infos, account)[0]
        bought.voice = None if bought.is_charge else "transaction"
        self.of_one_chain(sold, bought.environment, bought.at)
        told = [bought]
        if bought.is_charge and sold.get("revocationDate") is None:
            bought.whole_at = (millis_of(sold, "signedDate") or 0) // 1000 * 1000
        elif bought.is_charge:
            told += self.said("refund", None, {"signedDate": sold.get("signedDate")}, infos, account)
        for kind, at, end, graceless in standing(sold, renewal, text_of(str(row.get("status") or ""))):
            told.append(replace(bought, type=kind, at=at, expires=end, graceless=graceless, amount=None, currency=None, event_id=None,
                                key=None, voice="transaction", copies=[], period=None, committed=0))
        return told

    def of_one_chain(self, sold, environment, at):
        """The tokens of one original transaction are one customer's, and so is the transaction itself."""
        if self.source.get("user") == "originalTransactionId":  # the job knows better than tokens
            return
        ids = {id_of(sold.get(name)) for name in ("appAccountToken", "originalTransactionId")}
        if (environment or "Production").lower() == "production" and sold.get("inAppOwnershipType") != "FAMILY_SHARED":  # not of what is set aside
            self.notices.aliases.append((at or 0, ids - {None, ""}))

    def kind_of(self, name, subtype, sold):
        if (name, subtype) == ("OFFER_REDEEMED", "DOWNGRADE"):
            return None  # it takes effect with the next renewal
        kind = BY_TYPE.get(name) or BY_SUBTYPE.get((name, subtype))
        if kind in ("purchase", "renewal") and (sold.get("offerDiscountType") == "FREE_TRIAL" or sold.get("price") == "0"):
            kind = "trial_start"
        if subtype and (name, subtype) not in BY_SUBTYPE and subtype not in SUBTYPES.get(name, ()):
            self.notices.unknown_values[f"subtype={subtype}"] += 1
        return kind

    def said(self, kind, subtype, payload, data, account):
        sold = decoded(data.get("signedTransactionInfo"))
        renewal = decoded(data.get("signedRenewalInfo"))
        user = id_of(sold.get(self.source.get("user", "appAccountToken"))) or needed_id(sold, "originalTransactionId")
        at = self.time(kind, payload, sold)
        amount = currency = None
        if kind in CHARGES:
            needed(sold, "productId")
            if sold.get("inAppOwnershipType") != "FAMILY_SHARED" or sold.get("price") is not None:
                amount, currency = charged(sold)
        if kind == "billing_retry":
            expires = millis_of(renewal, "gracePeriodExpiresDate")
        else:
            expires = millis_of(sold, "expiresDate") if kind in TELLS_ITS_END else None
        share = taken_share(sold) if kind == "refund" else None
        if share is not None and sold.get("price") is not None:
            amount, share = round_half_even(charged(sold)[0] * share), None

        def event(kind):
            return Event(
                user, kind, at, text_of(sold.get("productId")), amount, currency,
                id_of(sold.get("transactionId")), id_of(payload.get("notificationUUID")), None, None,
                text_of(data.get("environment") or sold.get("environment")), text_of(sold.get("inAppOwnershipType")),
                account, expires=expires, feed="app-store-notifications", key=id_of(sold.get("webOrderLineItemId")),
                part=share, is_state=True, told_at=millis_of(payload, "signedDate") or 0, told=told_by(sold, self.source),
                chain=id_of(sold.get("originalTransactionId")), family=text_of(sold.get("subscriptionGroupIdentifier")),
                period=own_period(sold), graceless=kind == "billing_retry" and expires is None, committed=still_due(sold),
            )

        if kind == "renewal" and subtype == "BILLING_RECOVERY":
            recovery = event("billing_recovery")
            recovery.amount = recovery.currency = recovery.expires = None
            return [event(kind), recovery]
        return [event(kind)]

    def time(self, kind, payload, sold):
        names = {"refund": ("revocationDate", "signedDate")}.get(kind, ("signedDate",))
        place = sold if kind in CHARGES else payload
        if kind in CHARGES:
            names = ("purchaseDate",)
        for name in names:
            at = millis_of(sold if name == "revocationDate" else place, name)
            if at is not None:
                return at
        raise Fault("missing_field", names[-1])


def kind_of_state(sold):
    if sold.get("type") != "Auto-Renewable Subscription":
        return "one_time_purchase"
    if sold.get("offerDiscountType") == "FREE_TRIAL" or sold.get("price") == "0":
        return "trial_start"
    return "renewal" if sold.get("transactionReason") == "RENEWAL" else "purchase"


def standing(sold, renewal, status):
    """`(type, time, end, no grace)` of what a subscription's state says has befallen it."""
    end, seen, intent = millis_of(sold, "expiresDate"), millis_of(renewal, "signedDate"), str(renewal.get("expirationIntent"))
    if seen is None or end is None:
        return
    grace = millis_of(renewal, "gracePeriodExpiresDate")
    if intent == "1" if status == "2" else status != "5" and str(renewal.get("autoRenewStatus")) == "0":
        yield "cancel", min(seen, end), None, False
    if status in ("3", "4") or status == "2" and intent == "2":
        yield "billing_retry", end, grace, grace is None and status != "4"
    if status == "2":
        yield "expire", max(grace or end, end) if intent == "2" else end, None, False


def own_period(sold):
    """A month where a year is paid in instalments; an offer's where it was paid up front."""
    if sold.get("billingPlanType") == "MONTHLY":
        return "P1M"
    return text_of(sold.get("offerPeriod")) if sold.get("offerDiscountType") == "PAY_UP_FRONT" else None


def still_due(sold):
    """What of a commitment is not paid with this charge or before, in millionths."""
    told = sold.get("commitmentInfo")
    if not isinstance(told, dict) or sold.get("price") is None:
        return 0
    return int(sold["price"]) * 1000 * max(0, int(told["totalBillingPeriods"]) - int(told["billingPeriodNumber"]))


def taken_share(sold):
    """What share of its charge a refund takes back; None for all of it."""
    share = sold.get("revocationPercentage")
    return None if share is None else Fraction(str(share)) / 100_000


def charged(sold):
    """Millionths of the currency's unit, from thousandths."""
    price = sold.get("price")
    if price is None:
        raise Fault("missing_price")
    if not isinstance(price, Number) or not price.isdecimal():
        raise Fault("bad_price", repr(price))
    return int(price) * 1000, currency_code(needed(sold, "currency"))


READERS["app-store-notifications"] = app_store_reader
