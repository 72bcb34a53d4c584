"""What stores send: App Store Server Notifications, RevenueCat's webhooks and exports, Stripe's events, with made-up people."""

import base64
import datetime
import itertools
import json

from folders import csv_text

METRICS = ["revenue_gross", "revenue_net", "charges", "paying_conversion", "initial_conversion", "subscription_conversion",
    "trial_start_rate",
           "refund_rate", "active_subscription", "mrr", "trial_to_paid", "renewal_rate"]
PRODUCTS = """product_id,kind,period,grace,tier
monthly,auto_renewable,P1M,P16D,basic
yearly,auto_renewable,P1Y,P16D,basic
pro_monthly,auto_renewable,P1M,P16D,pro
coins,consumable,,,
lifetime,non_consumable,,,
"""
DAY = 86_400_000


def at(text):
    """Milliseconds since 1970 of a time in UTC: `2026-03-02` is its 10:00, `2026-03-02 12:30` as it stands."""
    text = text if " " in text else text + " 10:00"
    form = "%Y-%m-%d %H:%M:%S" if text.count(":") == 2 else "%Y-%m-%d %H:%M"
    moment = datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc)
    return round(moment.timestamp() * 1000)


def feed_job(folder, groups, purchases, products=PRODUCTS, metrics=METRICS, assigned="2026-02-01T00:00:00Z", **keys):
    """The job of some users by group, `{user: group}` or pairs, and of feeds."""
    pairs = groups.items() if isinstance(groups, dict) else groups
    rows = [{"user_id": user, "offering_id": "spring", "test_group_id": group, "assigned_at": assigned} for user, group in pairs]
    if rows:
        folder.csv("assignments.csv", rows)
        keys["assignments"] = [{"path": "assignments.csv", "columns": {
            "user": "user_id", "offering": "offering_id", "group": "test_group_id", "assigned_at": "assigned_at"}}]
    if isinstance(products, dict):
        keys["products"] = products
    else:
        folder.write("products.csv", products)
    folder.job(**({"purchases": purchases, "products": "products.csv", "max_reject_ratio": 1.0,
                   "metrics": [{"name": metric} if isinstance(metric, str) else metric for metric in metrics]} | keys))


# Apple

NOTIFICATIONS = {"path": "notifications.jsonl", "format": "app-store-notifications"}


def transaction(user, number, bought, until, product="monthly", price=9990, chain=None, **more):
    """A decoded transaction; `number` is its id, `chain` the original transaction's (its own unless told). None leaves a member out."""
    told = {
        "transactionId": str(number), "originalTransactionId": str(chain or number), "webOrderLineItemId": f"9{number}",
        "bundleId": "com.example.app",
        "productId": product, "subscriptionGroupIdentifier": "21000001", "purchaseDate": at(bought), "originalPurchaseDate": at(bought),
        "expiresDate": at(until) if until else None, "quantity": 1, "type": "Auto-Renewable Subscription", "appAccountToken": user,
        "inAppOwnershipType": "PURCHASED", "signedDate": at(bought) + 1000, "environment": "Production", "transactionReason": "PURCHASE",
        "storefront": "USA", "storefrontId": "143441", "price": price, "currency": "USD"} | more
    return {name: value for name, value in told.items() if value is not None}


def notification(sort, told, signed=None, renewal=None, status=1, uuid=None, **data):
    """A decoded notification of `TYPE` or `TYPE/SUBTYPE` about a transaction; `signed` is when Apple sent it."""
    name, _, subtype = sort.partition("/")
    sent = at(signed) if signed else told["signedDate"] + 500
    inner = {"appAppleId": 1234567890, "bundleId": "com.example.app", "bundleVersion": "42", "environment": "Production", "status": status,
             "signedTransactionInfo": told} | ({"signedRenewalInfo": renewal} if renewal else {}) | data
    unique = uuid or f"{name}-{subtype}-{told['transactionId']}-{sent}"
    return {"notificationType": name} | ({"subtype": subtype} if subtype else {}) | {
        "notificationUUID": unique, "version": "2.0", "signedDate": sent, "data": inner}


def bought(user, number, when, until, **more):
    return notification("SUBSCRIBED/INITIAL_BUY", transaction(user, number, when, until, **more))


def renewed(user, number, when, until, chain, sort="DID_RENEW", **more):
    return notification(sort, transaction(user, number, when, until, chain=chain, **({"transactionReason": "RENEWAL"} | more)))


def trial(user, number, when, until, **more):
    return bought(user, number, when, until, **({"price": 0, "offerType": 1, "offerDiscountType": "FREE_TRIAL",
        "offerPeriod": "P14D"} | more))


def refunded(user, told, when, percentage=None, sort="REFUND", **more):
    """A refund of a notification's transaction, in full or of a percentage (40000 is 40 %)."""
    inner = told["data"]["signedTransactionInfo"] | {"revocationDate": at(when), "revocationReason": 0} | more
    inner.pop("appAccountToken", None)
    if user:
        inner["appAccountToken"] = user
    if percentage:
        inner |= {"revocationPercentage": percentage, "revocationType": "REFUND_PRORATED"}
    return notification(sort, inner, signed=when)


def signed_text(row):
    """The same as Apple posts it, `{"signedPayload": …}`, with a signature that nobody checks."""
    data = dict(row.get("data", {}))
    for name in ("signedTransactionInfo", "signedRenewalInfo"):
        if isinstance(data.get(name), dict):
            data[name] = jws(data[name])
    return {"signedPayload": jws(row | ({"data": data} if data else {}))}


def jws(payload):
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (
        b'{"alg":"ES256"}', json.dumps(payload).encode(), b"unsigned"))


def apple(folder, groups, rows, name="notifications.jsonl", **keys):
    """Notifications decoded as told, and signed texts where the case is told in another order."""
    folder.jsonl(name, rows if folder.is_told else map(signed_text, rows))
    feed_job(folder, groups, [NOTIFICATIONS], **keys)


# RevenueCat

WEBHOOKS = {"path": "webhooks.jsonl", "format": "revenuecat-webhooks"}
EXPORT = {"path": "transactions.csv", "format": "revenuecat-export"}
COUNTER = itertools.count(1)


def webhook(sort, user, number, when, until, sent=None, product="monthly", price=9.99, original=None, aliases=..., id=None, **more):
    """An event as RevenueCat posts it; `number` is the transaction."""
    sent = at(sent) if sent else at(when) + 1500
    told = {
        "type": sort, "id": id or f"EV-{sort}-{number}-{sent}-{user}", "app_id": "app1a2b3c", "event_timestamp_ms": sent,
        "app_user_id": user,
        "original_app_user_id": original or user, "aliases": [original or user, user] if aliases is ... else aliases, "product_id": product,
        "entitlement_ids": ["pro"], "period_type": "NORMAL", "purchased_at_ms": at(when), "expiration_at_ms": at(until) if until else None,
        "store": "APP_STORE", "environment": "PRODUCTION", "presented_offering_id": "default", "price": price, "currency": "USD",
        "price_in_purchased_currency": price, "tax_percentage": 0.0, "commission_percentage": 0.3, "takehome_percentage": 0.7,
        "transaction_id": str(number), "original_transaction_id": str(number), "is_family_share": False, "country_code": "US",
        "offer_code": None, "subscriber_attributes": {}} | more
    return {"api_version": "1.0", "event": {name: value for name, value in told.items() if value is not ...}}


def webhooks(folder, groups, rows, **keys):
    folder.jsonl("webhooks.jsonl", rows)
    feed_job(folder, groups, [WEBHOOKS], **keys)


EXPORT_COLUMNS = (
    "rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,country_source,product_identifier,product_display_name,product_duration,"
    "start_time,end_time,grace_period_end_time,effective_end_time,store,is_auto_renewable,is_trial_period,is_in_intro_offer_period,is_sandbox,"
    "price_in_usd,purchase_price_in_usd,takehome_percentage,tax_percentage,commission_percentage,store_transaction_id,"
    "original_store_transaction_id,refunded_at,unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,"
    "price_in_purchased_currency,purchase_price_in_purchased_currency,entitlement_identifiers,renewal_number,is_trial_conversion,"
    "presented_offering,ownership_type,reserved_subscriber_attributes,custom_subscriber_attributes,platform,experiment_id,"
    "experiment_variant,updated_at,offer,offer_type,first_seen_time,auto_resume_time").split(",")


def export_row(user, number, start, end, price="9.99", alias=None, renewal=1, **more):
    """A transaction of a Scheduled Data Export."""
    told = {
        "rc_original_app_user_id": user, "rc_last_seen_app_user_id_alias": alias or user, "country": "US", "country_source": "from_sdk",
        "product_identifier": "monthly", "product_duration": "P1M", "start_time": clock(start), "end_time": clock(end) if end else "",
        "effective_end_time": clock(end) if end else "", "store": "app_store", "is_auto_renewable": "true", "is_trial_period": "false",
        "is_in_intro_offer_period": "false", "is_sandbox": "false", "price_in_usd": price, "purchase_price_in_usd": price,
        "takehome_percentage": "0.7", "tax_percentage": "0.0", "commission_percentage": "0.3", "store_transaction_id": str(number),
        "original_store_transaction_id": str(number), "purchased_currency": "USD", "price_in_purchased_currency": price,
        "purchase_price_in_purchased_currency": price, "entitlement_identifiers": '["pro"]', "renewal_number": str(renewal),
        "is_trial_conversion": "false", "presented_offering": "default", "ownership_type": "PURCHASED", "platform": "iOS",
        "updated_at": clock(start)}
    return told | {name: str(value) for name, value in more.items()}


def clock(text):
    return (text if " " in text else text + " 10:00") + ("" if text.count(":") == 2 else ":00")


def export(folder, groups, rows, **keys):
    folder.text("transactions.csv", csv_text(folder.mixed(rows), header=EXPORT_COLUMNS))
    feed_job(folder, groups, [EXPORT], **keys)


# Stripe

class Stripe:
    """What Stripe sends of one customer, `cus_NAME`; from 2025-03-31 on (`basil`) neither a charge nor an invoice names the other."""

    def __init__(self, user, basil=True):
        self.user, self.basil = user, basil

    def event(self, sort, when, told, before=None):
        data = {"object": told} | ({"previous_attributes": before} if before else {})
        return {"id": f"evt_{told['id']}_{sort}_{when}", "object": "event", "created": at(when) // 1000, "type": sort, "livemode": True,
                "data": data}

    def line(self, amount, start, end, price="monthly", sort="subscription", proration=False, **more):
        parent = {"subscription": "subscription_item_details", "invoiceitem": "invoice_item_details"}[sort]
        told = {"amount": amount, "period": {"start": at(start) // 1000, "end": at(end) // 1000}}
        if self.basil:
            return told | {"pricing": {"price_details": {"price": price}}, "parent": {"type": parent, parent: {"proration": proration}}} | more
        kind = "one_time" if sort == "invoiceitem" and not proration else "recurring"
        return told | {"price": {"id": price, "type": kind}, "type": sort, "proration": proration} | more

    def invoice(self, number, when, lines, paid=None, reason="subscription_create", subscription=None, **more):
        """A paid invoice: `in_NUMBER`, which `pi_NUMBER` and `ch_NUMBER` paid."""
        subscription, paid = subscription or f"sub_{self.user}", sum(line["amount"] for line in lines) if paid is None else paid
        metadata, moment = {"user_id": self.user}, at(when) // 1000
        told = {"id": f"in_{number}", "object": "invoice", "customer": f"cus_{self.user}", "amount_paid": paid, "total": paid,
                "currency": "usd", "billing_reason": reason, "created": moment, "status": "paid", "livemode": True,
                "status_transitions": {"paid_at": moment}, "lines": {"data": lines, "has_more": False}}
        if self.basil:
            told["parent"] = {"subscription_details": {"subscription": subscription, "metadata": metadata}}
        else:
            told |= {"subscription": subscription, "subscription_details": {"metadata": metadata}, "charge": f"ch_{number}",
                     "payment_intent": f"pi_{number}"}
        return self.event("invoice.paid", when, told | more)

    def charge(self, number, when, sort="charge.succeeded", told_at=None, before=None, amount=999, **more):
        told = {"id": f"ch_{number}", "object": "charge", "customer": f"cus_{self.user}", "payment_intent": f"pi_{number}",
                "amount": amount, "amount_captured": amount, "amount_refunded": 0, "captured": True, "paid": True, "currency": "usd",
                "created": at(when) // 1000, "status": "succeeded", "livemode": True, "metadata": {}, "description": "Premium"}
        told |= {} if self.basil else {"invoice": f"in_{number}"}
        return self.event(sort, told_at or when, told | more, before) if sort else told | more

    def refund(self, number, when, amount=999, sort="refund.created", told_at=None, status="succeeded", name="re"):
        told = {"id": f"{name}_{number}", "object": "dispute" if name == "du" else "refund", "amount": amount, "charge": f"ch_{number}",
                "payment_intent": f"pi_{number}", "currency": "usd", "created": at(when) // 1000, "status": status}
        return self.event(sort, told_at or when, told) if sort else told

    def payment(self, number, when, amount=999):
        """The invoice's payment, which alone names both."""
        return self.event("invoice_payment.paid", when, {
            "id": f"inpay_{number}", "object": "invoice_payment", "amount_paid": amount, "currency": "usd", "invoice": f"in_{number}",
            "created": at(when) // 1000, "status": "paid", "payment": {"type": "payment_intent", "payment_intent": f"pi_{number}"}})

    def subscription(self, when, sort="created", before=None, price="monthly", **more):
        told = {"id": f"sub_{self.user}", "object": "subscription", "customer": f"cus_{self.user}", "status": "active",
                "cancel_at_period_end": False, "created": at(when) // 1000, "metadata": {"user_id": self.user}, "trial_start": None,
                "trial_end": None, "livemode": True, "items": {"data": [{"price": {"id": price}}]}}
        return self.event(f"customer.subscription.{sort}", when, told | more, before)


def stripe(folder, groups, rows, **keys):
    """The job of what Stripe has sent."""
    folder.jsonl("stripe.jsonl", rows)
    feed_job(folder, groups, [{"path": "stripe.jsonl", "format": "stripe-events"}], **keys)
