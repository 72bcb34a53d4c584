"""What a charge is and how long access lasts, RevenueCat and our own log."""

from answers import Sums
from case import case
from stores import at, export, export_row, feed_job, webhook, webhooks

EVENTS = "RevenueCat/docs event-types-and-fields; event-flows"
EXPORTS = ("RevenueCat/docs data-export: \"For Google Play, end_time can be before start_time to indicate an invalid transaction\"; official queries keep rows with "
           "DATE_DIFF('s', start_time, end_time) > 0")
TOLD = "RevenueCat/docs sample-events_2.json (price 8.14 USD, 7.99 EUR)"
TWO = {"ann": "control", "ben": "variant"}
STATE = {"control": {"subscribed": 1}}
BARE = {"price": 0, "price_in_purchased_currency": 0}


def first(user="ann", number=1, when="2026-03-02", until="2026-04-02", **more):
    return webhook("INITIAL_PURCHASE", user, number, when, until, **more)


# Charges of nothing

@case("life", EVENTS, each={"trial": {"period_type": "TRIAL"}, "promotional": {"period_type": "TRIAL", "store": "PLAY_STORE"}})
def a_renewal_inside_a_trial(folder, more):
    """A RENEWAL of `period_type` TRIAL (a plan changed, a trial prolonged) is no charge."""
    webhooks(folder, TWO, [first(period_type="TRIAL", until="2026-03-16", **BARE),
        webhook("RENEWAL", "ann", 2, "2026-03-10", "2026-03-24", original_transaction_id="1", **BARE | more)])
    return Sums({"control": {"revenue_gross": "0", "charges": 0, "paying_conversion": 0, "trial_start_rate": 1, "trial_to_paid": [0, 1]}},
                states={"control": {"trial_expired": 1}}, aside={})


@case("life", EVENTS)
def a_charge_of_0_converts_nobody(folder):
    """A trial is followed by a renewal of price 0, another by a paid one: one of two converts."""
    webhooks(folder, {"ann": "control", "cat": "control", "ben": "variant"}, [
        first(period_type="TRIAL", until="2026-03-16", **BARE), webhook("RENEWAL", "ann", 2, "2026-03-16", "2026-04-16",
        original_transaction_id="1", **BARE),
        first("cat", 11, period_type="TRIAL", until="2026-03-16", **BARE), webhook("RENEWAL", "cat", 12, "2026-03-16", "2026-04-16",
        original_transaction_id="11")])
    return Sums({"control": {"revenue_gross": "9.99", "paying_conversion": 1, "subscription_conversion": 1, "trial_to_paid": [1, 2]}},
        aside={})


@case("life", "spec: a charge of 0 converts nobody; our own log", each={"renewal": "renewal", "purchase": "purchase"})
def a_charge_of_0_in_our_own_log(folder, sort):
    """A trial and a charge of 0.00 in time: no conversion, no payer, no renewal."""
    rows = [{"userId": "ann", "eventType": "trial_start", "occurredAt": "2026-03-02T10:00:00Z", "productId": "monthly",
        "transactionId": "1"},
            {"userId": "ann", "eventType": sort, "occurredAt": "2026-03-16T10:00:00Z", "productId": "monthly", "price": "0.00",
            "currency": "USD", "transactionId": "2"}]
    folder.jsonl("events.jsonl", rows)
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}])
    return Sums({"control": {"revenue_gross": "0", "paying_conversion": 0, "subscription_conversion": 0, "trial_to_paid": [0, 1],
        "renewal_rate": [0, 0]}}, aside={})


@case("life", "spec: a charge of 0 renews nothing; our own log")
def a_renewal_of_0_in_our_own_log(folder):
    """Paid once, then renewed for 0.00: not renewed."""
    rows = [{"userId": "ann", "eventType": sort, "occurredAt": when, "productId": "monthly", "price": price, "currency": "USD",
        "transactionId": when}
            for sort, when, price in (("purchase", "2026-03-02T10:00:00Z", "9.99"), ("renewal", "2026-04-02T10:00:00Z", "0"))]
    folder.jsonl("events.jsonl", rows)
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}])
    return Sums({"control": {"revenue_gross": "9.99", "paying_conversion": 1, "renewal_rate": [0, 1]}}, aside={})


@case("life", "spec: of a user, product and chain the k-th cancellation that one feed tells is the k-th that another tells")
def a_cancellation_at_the_moment_a_trial_began(folder):
    """Our own log tells no chain of a cancellation in the trial's first millisecond: it is the webhook's all the same."""
    def own(sort, when, **more):
        return {"userId": "ann", "eventType": sort, "occurredAt": f"{when}T10:00:00Z", "productId": "monthly"} | more

    chain = {"originalTransactionId": "1"}
    folder.jsonl("events.jsonl", [own("trial_start", "2026-03-02", transactionId="1", **chain), own("cancel", "2026-03-02"),
        own("uncancel", "2026-03-03", **chain), own("cancel", "2026-03-04", **chain)])
    off = {"price": ..., "currency": ..., "price_in_purchased_currency": ..., "transaction_id": None, "original_transaction_id": "1"}
    folder.jsonl("webhooks.jsonl", [
        first(period_type="TRIAL", until="2026-03-16", **BARE),
        *(webhook(sort, "ann", 1, "2026-03-02", "2026-03-16", sent=f"{sent} 10:00", **off) for sort, sent in (
            ("CANCELLATION", "2026-03-02"), ("UNCANCELLATION", "2026-03-03"), ("CANCELLATION", "2026-03-04")))])
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}, {"path": "webhooks.jsonl", "format": "revenuecat-webhooks"}],
        metrics=[{"name": "event_count", "event": "cancel", "window": "none", "id": "cancelled"}])
    return Sums({"control": {"cancelled": 2}}, aside={"duplicate": 4})


@case("life", "RevenueCat/docs TEMPORARY_ENTITLEMENT_GRANT")
def a_temporary_grant(folder):
    """The store could not be asked: access for a day without a purchase is no charge, and its end no subscription's."""
    folder.as_of = "2026-03-20T00:00:00Z"
    webhooks(folder, TWO, [webhook("TEMPORARY_ENTITLEMENT_GRANT", "ann", "tmp-1", "2026-03-02", "2026-03-03", price=..., currency=...,
        price_in_purchased_currency=...),
                           webhook("EXPIRATION", "ann", "tmp-1", "2026-03-02", "2026-03-03", sent="2026-03-03 10:01",
                           expiration_reason="UNKNOWN", **BARE)])
    return Sums({"control": {"revenue_gross": "0", "charges": 0}}, states={"control": {"never": 1}})


@case("life", EVENTS)
def an_immediate_change_keeps_the_time_of_purchase(folder):
    """On Stripe a changed plan's RENEWAL tells the first purchase's time and transaction: two charges all the same."""
    folder.as_of = "2026-03-20T00:00:00Z"
    shared = {"store": "STRIPE"}
    webhooks(folder, TWO, [
        first(number="si_AAA", product="prod_basic", renewal_number=1, **shared),
        webhook("PRODUCT_CHANGE", "ann", "si_AAA", "2026-03-02", "2026-04-02", sent="2026-03-12", product="prod_basic", renewal_number=1,
        **shared, **BARE),
        webhook("RENEWAL", "ann", "si_AAA", "2026-03-02", "2026-04-02", sent="2026-03-12", product="prod_pro", price=13.44,
        renewal_number=2, **shared)])
    return Sums({"control": {"revenue_gross": "23.43", "charges": 2}}, states=STATE, aside={"not_measured": 1})


@case("life", "RevenueCat/docs SUBSCRIPTION_PAUSED; Google Play's pause")
def a_pause_and_its_end(folder):
    """A subscription is paused, expires, and resumes two months later."""
    folder.as_of = "2026-04-20T00:00:00Z"
    play = {"store": "PLAY_STORE", "product": "monthly:base", "original_transaction_id": "GPA.1"}
    webhooks(folder, TWO, [
        first(number="GPA.1", when="2026-02-10", until="2026-03-10", **play),
        webhook("SUBSCRIPTION_PAUSED", "ann", "GPA.1", "2026-02-10", "2026-03-10", sent="2026-03-01", auto_resume_at_ms=at("2026-04-10"),
        **play, **BARE),
        webhook("EXPIRATION", "ann", "GPA.1", "2026-02-10", "2026-03-10", sent="2026-03-10 10:01", expiration_reason="SUBSCRIPTION_PAUSED",
        **play, **BARE),
        webhook("RENEWAL", "ann", "GPA.1..0", "2026-04-10", "2026-05-10", **play)])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2, "active_subscription": 1}}, states=STATE, aside={"not_measured": 1})


# Chains, groups and grace

@case("life", EVENTS, each={
    "expiration": ("EXPIRATION", {"expiration_reason": "BILLING_ERROR"}), "cancellation": ("CANCELLATION",
    {"cancel_reason": "UNSUBSCRIBE"}),
    "billing_issue": ("BILLING_ISSUE", {"grace_period_expiration_at_ms": None}),
    "billing_error": ("CANCELLATION", {"cancel_reason": "BILLING_ERROR"})})
def what_befalls_an_old_subscription(folder, told):
    """The old subscription of a resubscribed customer expires, is cancelled or fails: the new one goes on."""
    sort, more = told
    webhooks(folder, TWO, [first(when="2026-02-03", until="2026-03-03"), first(number=2, when="2026-04-10", until="2026-05-10"),
                           webhook(sort, "ann", 1, "2026-02-03", "2026-03-03", sent="2026-04-20", **BARE | more)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "9.99"}}, states=STATE, aside={})


@case("life", "spec: `expire` names a chain; our own log", each={
    "old_chain": ({"originalTransactionId": "1", "productId": "monthly"}, "subscribed"),
    "own_chain": ({"originalTransactionId": "2", "productId": "monthly"}, "expired"),
    "no_chain": ({}, "expired"), "another_product": ({"productId": "yearly"}, "subscribed")})
def an_expire_in_our_own_log(folder, told):
    """An `expire` of another chain or product is not the subscription's; one that names none is."""
    named, state = told
    rows = [{"userId": "ann", "eventType": "purchase", "occurredAt": when, "productId": "monthly", "price": "9.99", "currency": "USD",
        "transactionId": number,
             "originalTransactionId": number} for number, when in (("1", "2026-02-03T10:00:00Z"), ("2", "2026-04-10T10:00:00Z"))]
    folder.jsonl("events.jsonl", [*rows, {"userId": "ann", "eventType": "expire", "occurredAt": "2026-04-20T10:00:00Z"} | named])
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}])
    return Sums({"control": {"charges": 2}}, states={"control": {state: 1}}, aside={})


@case("life", "spec: `subscription_group` of the products table")
def groups_of_the_products_table(folder):
    """Two products of two groups, told by the table: one expires, the other goes on."""
    products = "product_id,kind,period,grace,tier,subscription_group\nmonthly,auto_renewable,P1M,P16D,basic,G1\npro_monthly,auto_renewable,P1M,P16D,pro,G2\n"
    rows = [{"userId": "ann", "eventType": "purchase", "occurredAt": when, "productId": product, "price": price, "currency": "USD",
        "transactionId": product}
            for product, when, price in (("monthly", "2026-04-10T10:00:00Z", "9.99"), ("pro_monthly", "2026-04-15T10:00:00Z", "19.99"))]
    folder.jsonl("events.jsonl", [*rows, {"userId": "ann", "eventType": "expire", "occurredAt": "2026-04-25T10:00:00Z",
        "productId": "pro_monthly"}])
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}], products=products)
    return Sums({"control": {"active_subscription": 1, "mrr": "9.99"}}, states=STATE, aside={})


@case("life", EVENTS, each={"null": (None, 0), "told": ("2026-04-17", 1), "told_and_over": ("2026-04-04", 0)})
def the_grace_of_a_billing_issue(folder, told):
    """`grace_period_expiration_at_ms` null is no grace; told, it is access until then."""
    grace, active = told
    folder.as_of = "2026-04-06T00:00:00Z"
    webhooks(folder, TWO, [first(), webhook("BILLING_ISSUE", "ann", 1, "2026-03-02", "2026-04-02", sent="2026-04-02 10:01",
                                            grace_period_expiration_at_ms=at(grace) if grace else None, **BARE)])
    return Sums({"control": {"active_subscription": active, "mrr": "9.99" if active else "0"}}, states={"control": {"billing_retry": 1}},
        aside={})


@case("life", "spec: the charge's own period", each={"a_year": ("2026-03-02", "2027-03-02", "0.8325"),
    "a_quarter": ("2026-03-02", "2026-06-02", "3.33"), "a_week": ("2026-04-27", "2026-05-04", "39.96")})
def an_end_that_a_webhook_tells(folder, told):
    """The products table says a month, the purchase tells another end."""
    when, until, mrr = told
    webhooks(folder, TWO, [first(when=when, until=until)])
    return Sums({"control": {"active_subscription": 1, "mrr": mrr}}, states=STATE, aside={})


# Exports

@case("life", EXPORTS, each={"priced": "9.99", "price_0": "0"})
def a_row_that_ends_before_it_starts(folder, price):
    """Google Play's failed renewal is a row that ends before it starts: no transaction, counted by name."""
    export(folder, TWO, [
        export_row("ann", "GPA.1", "2026-03-02", "2026-04-02", store="play_store"),
        export_row("ann", "GPA.1..0", "2026-04-02", "2026-04-01 22:00", price, renewal=2, store="play_store",
        billing_issues_detected_at="2026-04-02 10:00:30"),
        export_row("ben", "GPA.2", "2026-03-02", "2026-04-02", store="play_store")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "9.99", "charges": 1, "renewal_rate": [0, 1]},
        "variant": {"revenue_gross": "9.99", "charges": 1}},
                aside={"not_measured": 1})


@case("life", EXPORTS)
def a_failed_row_and_the_one_that_was_paid(folder):
    """The failed renewal is followed by a paid one."""
    export(folder, TWO, [
        export_row("ann", "GPA.1", "2026-03-02", "2026-04-02", store="play_store"),
        export_row("ann", "GPA.1..0", "2026-04-02", "2026-04-01 22:00", renewal=2, store="play_store"),
        export_row("ann", "GPA.1..1", "2026-04-05", "2026-05-05", renewal=3, store="play_store")])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2, "renewal_rate": [1, 1], "active_subscription": 1}}, states=STATE,
        aside={"not_measured": 1})


@case("life", "RevenueCat/docs data-export: lifetime products have no end")
def a_row_without_an_end(folder):
    """A lifetime purchase has no end time: a charge."""
    export(folder, TWO, [export_row("ann", 1, "2026-03-02", None, "49.99", product_identifier="lifetime", is_auto_renewable="false",
        product_duration="")])
    return Sums({"control": {"revenue_gross": "49.99", "charges": 1}}, aside={})


@case("life", "RevenueCat's support on billing_issues_detected_at: noticed when the store says so",
    each={"minutes_after": "2026-04-02 10:07", "before": "2026-04-02 09:40", "at": "2026-04-02"})
def a_billing_issue_noticed_late(folder, noticed):
    """A failed renewal was noticed minutes after the end: an involuntary end, not a retry of sixty days."""
    export(folder, TWO, [export_row("ann", 1, "2026-03-02", "2026-04-02",
        billing_issues_detected_at=noticed + (":00" if " " in noticed else " 10:00:00"))],
           metrics=["charges", "involuntary_churn", "active_subscription"])
    return Sums({"control": {"charges": 1, "involuntary_churn": [1, 1], "active_subscription": 0}}, states={"control": {"expired": 1}},
        aside={})


@case("life", "RevenueCat/docs: proceeds = price × (1 − tax − commission)", each={"webhook": 1, "export": 2})
def tax_and_commission_are_shares_of_the_price(folder, sort):
    """A fifth is tax and three tenths are the store's: half is left, not 56 %."""
    metrics = ["revenue_net", "proceeds"]
    if sort == 1:
        webhooks(folder, TWO, [first(price=10.0, tax_percentage=0.2, commission_percentage=0.3)], metrics=metrics)
    else:
        export(folder, TWO, [export_row("ann", 1, "2026-03-02", "2026-04-02", "10.00", tax_percentage="0.2", commission_percentage="0.3")],
            metrics=metrics)
    return Sums({"control": {"revenue_net": "10", "proceeds": "5"}}, aside={})


@case("life", "spec: proceeds by the products table")
def tax_and_commission_of_the_products_table(folder):
    """Where the table tells both, the commission is of what tax leaves: 56 %."""
    rows = [{"userId": "ann", "eventType": "purchase", "occurredAt": "2026-03-02T10:00:00Z", "productId": "monthly", "price": "10",
        "currency": "USD", "transactionId": "1"}]
    folder.jsonl("events.jsonl", rows)
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}], metrics=["revenue_net", "proceeds"],
             products="product_id,kind,period,commission_percent,tax_percent\nmonthly,auto_renewable,P1M,30,20\n")
    return Sums({"control": {"proceeds": "5.6"}}, aside={})


# The worth in dollars that a feed tells

def euros(**more):
    return first(price=8.14, currency="EUR", price_in_purchased_currency=7.99, **more)


@case("life", TOLD)
def dollars_that_a_webhook_tells(folder):
    """7.99 EUR are told to be 8.14 USD, and no rates are given: 8.14, and a check says for how many."""
    folder.as_of = "2026-03-20T00:00:00Z"
    webhooks(folder, TWO, [euros(), first("ben", 2)])
    return Sums({"control": {"revenue_gross": "8.14", "charges": 1}, "variant": {"revenue_gross": "9.99"}}, aside={},
        checks={"told_rates": (("pass", "warn"), "1")})


@case("life", TOLD)
def dollars_that_an_export_tells(folder):
    """The same from an export, a partial refund of half of it included."""
    export(folder, TWO, [
        export_row("ann", 1, "2026-03-02", "2026-04-02", purchased_currency="EUR", purchase_price_in_usd="8.14", price_in_usd="8.14",
                   purchase_price_in_purchased_currency="7.99", price_in_purchased_currency="7.99"),
        export_row("ben", 2, "2026-03-02", "2026-04-02", purchased_currency="EUR", purchase_price_in_usd="10.00", price_in_usd="5.00",
                   purchase_price_in_purchased_currency="8.00", price_in_purchased_currency="4.00", refunded_at="2026-03-10 10:00:00")])
    return Sums({"control": {"revenue_gross": "8.14"}, "variant": {"revenue_gross": "10", "revenue_net": "5"}}, aside={})


@case("life", TOLD)
def a_rate_that_the_job_gives_comes_first(folder):
    """The job has a rate of 1.5 for the day: it is the rate."""
    folder.write("rates.csv", "date,currency,rate\n2026-03-02,EUR,1.5\n")
    webhooks(folder, TWO, [euros()], exchange_rates="rates.csv")
    return Sums({"control": {"revenue_gross": "11.985"}}, aside={})


@case("life", TOLD)
def a_refund_of_told_dollars(folder):
    """The refund is told in both currencies, too: nothing is left."""
    webhooks(folder, TWO, [euros(), webhook("CANCELLATION", "ann", 1, "2026-03-02", "2026-04-02", sent="2026-03-10", price=-8.14,
        currency="EUR",
                                            price_in_purchased_currency=-7.99, cancel_reason="CUSTOMER_SUPPORT")])
    return Sums({"control": {"revenue_gross": "8.14", "revenue_net": "0"}}, aside={}, silent=["refund_exceeds_charge"])


@case("life", "a refund uses the rate of its charge; RevenueCat/docs webhooks: the price in USD of a CANCELLATION is of its own day",
    each={"full": (-9.5, -9.0, "0"), "half": (-4.75, -4.5, "5"), "more_dollars_than_paid": (-10.5, -9.0, "0")})
def a_refund_when_a_dollar_is_worth_something_else(folder, told):
    """9.00 EUR are paid, 10.00 USD that day, and given back when they are other dollars: the same share of the charge goes back."""
    dollars, euros, net = told
    webhooks(folder, TWO, [
        first(price=10.0, currency="EUR", price_in_purchased_currency=9.0),
        webhook("CANCELLATION", "ann", 1, "2026-03-02", "2026-04-02", sent="2026-03-20", price=dollars, currency="EUR",
                price_in_purchased_currency=euros, cancel_reason="CUSTOMER_SUPPORT")])
    return Sums({"control": {"revenue_gross": "10", "revenue_net": net}}, aside={}, silent=["refund_exceeds_charge"])


@case("life", TOLD)
def told_dollars_do_not_help_another_report(folder):
    """The report is in pounds: a price told in dollars is no pound, and the charge is set aside by name."""
    webhooks(folder, TWO, [euros()], currency="GBP")
    return Sums({"control": {"charges": 0}}, aside={"no_exchange_rate": 1})


# Products nobody counts

@case("life", "found by comparing a warm state with a cold one", each={
    "stranger": {"userId": "zoe"}, "sandbox": {"environment": "Sandbox"}, "late": {"occurredAt": "2026-06-01T00:00:00Z"},
    "rejected": {"price": "?"}})
def products_of_rows_that_do_not_count(folder, odd):
    """A product is known by rows alone that do not count (strangers', sandbox, after the cut-off, rejected): nobody is told to list it."""
    row = {"userId": "ann", "eventType": "purchase", "occurredAt": "2026-03-02T10:00:00Z", "productId": "monthly", "price": "9.99",
        "currency": "USD", "transactionId": "1"}
    folder.jsonl("events.jsonl", [row, row | {"productId": "odd", "transactionId": "9"} | odd])
    feed_job(folder, TWO, [{"path": "events.jsonl", "format": "events"}])
    return Sums({"control": {"charges": 1}}, silent=["unknown_product"], failing=["unassigned"])

