"""What Google Play's servers answer and send, with made-up people: orders, subscriptions, Real-time developer notifications."""

from stores import at, feed_job

METRICS = ["revenue_gross", "charges", "active_subscription", "set_to_renew", "mrr", "involuntary_churn", "renewal_rate"]
PRODUCTS = """product_id,kind,period,grace
premium,auto_renewable,P1M,P7D
"""
FEEDS = ["orders", "subscriptions", "notifications"]


def stamp(text):
    """`2026-03-02` is its 10:00 in UTC, `2026-03-02 12:30` as it stands."""
    return (text if " " in text else f"{text} 10:00").replace(" ", "T") + ":00Z"


def money(price):
    units, _, cents = price.partition(".")
    return {"currencyCode": "USD", "units": units, "nanos": int(cents.ljust(9, "0") or 0)}


def order(number, when, until, price="9.99", token=None, phase=None, **more):
    """An order whose token is its number unless told; of a plan that was changed the `phase` is `proration`."""
    details = {"basePlanId": "base", "servicePeriodStartTime": stamp(when), "servicePeriodEndTime": stamp(until)}
    details |= {"offerPhaseDetails": {"prorationPeriodDetails": {"originalOfferPhase": "BASE"}}} if phase else {"offerPhase": "BASE"}
    item = {"productTitle": "Premium", "productId": "premium", "total": money(price), "subscriptionDetails": details}
    told = {"orderId": f"GPA.3300-{number}", "purchaseToken": token or f"token-{number}", "state": "PROCESSED", "createTime": stamp(when),
            "lastEventTime": stamp(when), "total": money(price), "lineItems": [item],
            "orderHistory": {"processedEvent": {"eventTime": stamp(when)}}} | more
    return {name: value for name, value in told.items() if value is not None}


def subscription(user, number, state, when, until, token=None, replaces=None, plan=None, **more):
    """An answer that names the order `number`; the token is its number unless told, `replaces` the number of a token before."""
    item = {"productId": "premium", "expiryTime": stamp(until), "latestSuccessfulOrderId": f"GPA.3300-{number}"}
    item |= plan or {"autoRenewingPlan": {"autoRenewEnabled": state not in ("CANCELED", "EXPIRED"), "recurringPrice": money("9.99")}}
    told = {"purchaseToken": token or f"token-{number}", "startTime": stamp(when), "subscriptionState": f"SUBSCRIPTION_STATE_{state}",
            "externalAccountIdentifiers": {"obfuscatedExternalAccountId": user}, "lineItems": [item]}
    return told | ({"linkedPurchaseToken": f"token-{replaces}"} if replaces else {}) | more


def turn(number, kind, when):
    """A notification of `kind` by its number: 3 is canceled, 5 on hold, 6 in grace, 13 expired."""
    return {"version": "1.0", "packageName": "com.example.app", "eventTimeMillis": str(at(when)), "subscriptionNotification": {
        "version": "1.0", "notificationType": kind, "purchaseToken": f"token-{number}", "subscriptionId": "premium"}}


def play(folder, groups, orders, subscriptions, notifications=(), as_of=None, more=(), **keys):
    """A job of the three feeds, of which the last is left out where nothing came; `more` are other inputs."""
    told = dict(zip(FEEDS, (orders, subscriptions, notifications)))
    for name, rows in told.items():
        if rows:
            folder.jsonl(f"{name}.jsonl", rows)
    inputs = [{"path": f"{name}.jsonl", "format": f"google-play-{name}"} for name in FEEDS if told[name]]
    if as_of:
        folder.as_of = f"{as_of}T00:00:00Z"
    feed_job(folder, groups, [*inputs, *more], **({"products": PRODUCTS, "metrics": METRICS} | keys))
