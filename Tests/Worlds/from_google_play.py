"""Google Play: orders, subscriptions, Real-time developer notifications → events.

Field names: Google, "Google Play Developer API" v3, orders and purchases.subscriptionsv2; "Real-time developer
notifications reference guide".
"""

import base64
from fractions import Fraction
import re

from facts import READERS, STATE, Event, id_of, needed, needed_id, text_of
from rows_in import bytes_of, json_object, json_rows
from values import MICROS, Fault, currency_code, round_half_even, time_millis

ORDERS, SUBSCRIPTIONS, NOTIFICATIONS = (f"google-play-{name}" for name in ("orders", "subscriptions", "notifications"))
WHOLE = re.compile(r"[0-9]+\Z")


def first_order(name):
    """An order without the number of its renewal."""
    return name and re.sub(r"\.\.[0-9]+\Z", "", name)


def when(fields, *path):
    """A time, down a path of members; None where it is not told."""
    for name in path:
        fields = (fields or {}).get(name)
    return None if fields is None else time_millis(fields)


def money(told):
    """`(micros, currency)`; None where nothing is told."""
    if told is None:
        return None
    units, nanos = (str(told.get(name, "0")) for name in ("units", "nanos"))
    if not WHOLE.match(units) or not WHOLE.match(nanos):
        raise Fault("bad_price", f"{units} {nanos}")
    return round_half_even((Fraction(units) + Fraction(nanos) / 10**9) * MICROS), currency_code(needed(told, "currencyCode"))


class reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return json_rows(bytes_of(path))

    def one_customer(self, at, *names):
        self.notices.aliases.append((at or 0, {id_of(name) for name in names} - {None, ""}))

    def told(self, user, kind, at, product, account, feed, **more):
        """An event without money."""
        return Event(user, kind, at, product, None, None, None, None, None, None, None, None, account, feed=feed, **more)


class order_reader(reader):
    def rows(self, path, account):
        """A page is as many rows as it has orders."""
        for line, row in json_rows(bytes_of(path)):
            if isinstance(row, Fault) or "orders" not in row:
                yield line, row
            else:
                yield from ((line, order) for order in row["orders"])

    def events(self, order, account):
        name = needed(order, "orderId")
        at = when(order, "orderHistory", "processedEvent", "eventTime") or when(order, "createTime")
        account_id, token = order.get("obfuscatedExternalAccountId"), order.get("purchaseToken")
        self.one_customer(at, account_id, token, first_order(name))
        if order["state"] in ("PENDING", "CANCELED"):
            self.notices.leave_out(f"state={order['state']}")
        item, = order["lineItems"]
        details, product = item.get("subscriptionDetails"), needed(item, "productId")
        amount, currency = money(item.get("total") or order.get("total"))
        kind = "one_time_purchase" if details is None else "renewal" if first_order(name) != name else "purchase"
        if details and details.get("offerPhase") == "FREE_TRIAL":
            kind, amount, currency = "trial_start", None, None
        key = f"{name}/{product}"
        charge = Event(
            id_of(account_id or token), kind, at, product, amount, currency, id_of(name), None, None, None, None, None, account,
            expires=when(details, "servicePeriodEndTime"), feed=ORDERS, key=key, chain=id_of(token or first_order(name)),
            snapshot=(key, when(order, "lastEventTime")))
        return [charge, *self.refunds(order, charge)]

    def refunds(self, order, charge):
        """What has been given back by then, step by step: each counts those before it."""
        history, total = order.get("orderHistory", {}), 0
        parts = [part for part in history.get("partialRefundEvents", []) if part["state"] == "PROCESSED_SUCCESSFULLY"]
        for part in sorted(parts, key=lambda part: when(part, "processTime")):
            total += money(part["refundDetails"]["total"])[0]
            yield self.refund(charge, when(part, "processTime"), total)
        if "refundEvent" in history:
            yield self.refund(charge, when(history, "refundEvent", "eventTime"), None)

    def refund(self, charge, at, amount):
        return Event(
            charge.user, "refund", at, charge.product, amount, charge.currency, charge.transaction, None, None, None, None, None,
            None, feed=ORDERS, key=charge.key, chain=charge.chain, is_state=True)


class subscription_reader(reader):
    def events(self, told, account):
        state = needed(told, "subscriptionState")
        item, = told["lineItems"]
        account_id = told.get("externalAccountIdentifiers", {}).get("obfuscatedExternalAccountId")
        name = item.get("latestSuccessfulOrderId")
        order, token = first_order(name), told.get("purchaseToken")
        self.one_customer(when(told, "startTime"), account_id, token, told.get("linkedPurchaseToken"), order)
        user, product, more = id_of(account_id or token), item["productId"], {"chain": id_of(token or order)}
        said = []
        off, end = when(told, "canceledStateContext", "userInitiatedCancellation", "cancelTime"), when(item, "expiryTime")
        if off is not None:
            said.append(self.told(user, "cancel", off, product, account, SUBSCRIPTIONS, **more))
        if state.endswith(("_EXPIRED", "_PAUSED")):
            said.append(self.told(user, "expire", end, product, account, SUBSCRIPTIONS, **more))
        if state.endswith("_ON_HOLD"):
            said.append(self.told(user, "billing_retry", end, product, account, SUBSCRIPTIONS, expires=end, **more))
        if state.endswith("_ACTIVE"):  # as long as its order says
            said.append(self.told(user, STATE, when(told, "startTime"), product, account, SUBSCRIPTIONS, **more))
            said[0].event_id = f"state {name or token} {end}"
        if not said:
            self.notices.leave_out(state)
        for event in said:
            event.transaction = id_of(name)
        return said


TYPES = {1: "billing_recovery", 3: "cancel", 5: "billing_retry", 6: "billing_retry", 7: "uncancel", 10: "expire", 12: "expire", 13: "expire"}
NAMES = {2: "SUBSCRIPTION_RENEWED", 4: "SUBSCRIPTION_PURCHASED", 9: "SUBSCRIPTION_DEFERRED"}


class notification_reader(reader):
    def events(self, row, account):
        if "message" in row:
            try:
                row = json_object(base64.b64decode(row["message"]["data"], validate=True))
            except ValueError:
                raise Fault("malformed", "not base 64") from None
        if "testNotification" in row:
            self.notices.leave_out("testNotification")
        at = int(needed(row, "eventTimeMillis"))
        if "voidedPurchaseNotification" in row:
            return [self.voided(row["voidedPurchaseNotification"], at, account)]
        told = row["subscriptionNotification"]
        number = int(told["notificationType"])
        if number not in TYPES:
            self.notices.leave_out(NAMES[number])
        more = {"chain": needed_id(told, "purchaseToken")} | ({"expires": at, "voice": "on hold"} if number == 5 else {})
        return [self.told(needed_id(told, "purchaseToken"), TYPES[number], at, text_of(told.get("subscriptionId")), account, NOTIFICATIONS, **more)]

    def voided(self, told, at, account):
        order = needed(told, "orderId")
        self.one_customer(at, told["purchaseToken"], first_order(order))
        event = self.told(id_of(told["purchaseToken"]), "refund", at, None, account, NOTIFICATIONS, chain=id_of(told["purchaseToken"]))
        event.transaction = id_of(order)
        return event


READERS |= {ORDERS: order_reader, SUBSCRIPTIONS: subscription_reader, NOTIFICATIONS: notification_reader}
