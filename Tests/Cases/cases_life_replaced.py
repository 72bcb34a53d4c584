"""Subscriptions that another took the place of, as Adapty, Superwall and RevenueCat tell of them: the old one's end is not the new one's."""

import datetime

from answers import Sums
from case import case
from folders import csv_text
from stores import at, feed_job, webhook, webhooks

TWO = {"ann": "control", "ben": "variant"}
SUBSCRIBED = {"control": {"subscribed": 1}}
AT_ONCE = {"same_instant": 0, "a_minute_later": 60_000, "a_minute_before": -60_000}
ADAPTY = "adaptyteam/adapty-docs event-flows.mdx, \"Immediate Product Change Flow\": the old subscription expires (churned), the new one starts; cancellation_reason \
new_subscription_replace, upgraded"
REVENUECAT = "RevenueCat/docs event-flows.md, \"Immediate Product Change\": PRODUCT_CHANGE beside a RENEWAL (App Store) or an INITIAL_PURCHASE (Google Play); the \
replaced subscription expires"
SUPERWALL = "superwall.com/docs/integrations/webhooks: product_change with newProductId; expiration; originalTransactionId acts like a subscription's id"


def moment(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f+0000")


# Adapty

def adapty_row(sort, when, number, chain, product="monthly", price="", until="", **more):
    """A row of ann's; `when` a time or milliseconds, without an end where none is told."""
    when = when if isinstance(when, int) else at(when)
    return {"profile_id": "p-ann", "event_type": sort, "event_datetime": moment(when), "transaction_id": number,
        "original_transaction_id": chain, "subscription_expires_at": moment(at(until)) if until else "", "environment": "Production",
        "revenue_usd": price, "revenue_local": price, "customer_user_id": "ann", "store": "app_store", "product_id": product,
        "base_plan_id": "", "cancellation_reason": "", "currency": "USD"} | more


def adapty(folder, rows):
    folder.as_of = "2026-03-20T00:00:00Z"
    folder.text("adapty.csv", csv_text(folder.mixed(rows)))
    feed_job(folder, TWO, [{"path": "adapty.csv", "format": "adapty-export"}])


@case("life", ADAPTY, each=AT_ONCE)
def adaptys_upgrade_in_the_app_store(folder, later):
    """One original transaction, another product: the old product's end comes with the upgrade, or just before or after it."""
    adapty(folder, [
        adapty_row("subscription_started", "2026-03-02", 101, 101, price=9.99, until="2026-04-02"),
        adapty_row("subscription_expired", at("2026-03-12") + later, 101, 101, cancellation_reason="upgraded"),
        adapty_row("subscription_started", "2026-03-12", 102, 101, "pro_monthly", 19.99, "2026-04-12")])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=SUBSCRIBED, aside={"not_measured": 1})


@case("life", ADAPTY, each=AT_ONCE)
def adaptys_other_base_plan(folder, later):
    """Google Play: the same product under another base plan, a new subscription; the old one's end comes with it."""
    play = {"store": "play_store"}
    adapty(folder, [
        adapty_row("subscription_started", "2026-03-02", "GPA.1", "GPA.1", price=9.99, until="2026-04-02", base_plan_id="m", **play),
        adapty_row("subscription_expired", at("2026-03-12") + later, "GPA.1", "GPA.1", base_plan_id="m",
            cancellation_reason="new_subscription_replace", **play),
        adapty_row("subscription_renewal_cancelled", at("2026-03-12") + later, "GPA.1", "GPA.1", base_plan_id="m",
            cancellation_reason="new_subscription_replace", **play),
        adapty_row("subscription_started", "2026-03-12", "GPA.2", "GPA.2", price=14.99, until="2026-04-12", base_plan_id="y", **play)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "14.99"}}, states=SUBSCRIBED, aside={"not_measured": 2})


@case("life", ADAPTY, each=AT_ONCE)
def adaptys_change_without_a_charge(folder, later):
    """Google Play with time proration: the new subscription starts at 0, and what was paid for the old one goes on until its next charge."""
    play = {"store": "play_store"}
    adapty(folder, [
        adapty_row("subscription_started", "2026-03-02", "GPA.1", "GPA.1", price=9.99, until="2026-04-02", **play),
        adapty_row("subscription_expired", at("2026-03-12") + later, "GPA.1", "GPA.1", cancellation_reason="new_subscription_replace", **play),
        adapty_row("subscription_started", "2026-03-12", "GPA.2", "GPA.2", "pro_monthly", 0, "2026-03-23", **play)])
    return Sums({"control": {"charges": 1, "revenue_gross": "9.99", "active_subscription": 1, "trial_start_rate": 0, "mrr": "9.99"}},
        states=SUBSCRIBED, aside={"not_measured": 1})


@case("life", ADAPTY)
def adaptys_old_subscription_lapses(folder):
    """Bought again under a new subscription before the old one's end is told, days later: the new one goes on."""
    adapty(folder, [
        adapty_row("subscription_started", "2026-02-02", "GPA.1", "GPA.1", price=9.99, until="2026-03-02"),
        adapty_row("subscription_started", "2026-03-04", "GPA.2", "GPA.2", price=9.99, until="2026-04-04"),
        adapty_row("subscription_expired", "2026-03-09", "GPA.1", "GPA.1", cancellation_reason="billing_error")])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "9.99"}}, states=SUBSCRIBED, aside={})


# RevenueCat

@case("life", REVENUECAT, each=AT_ONCE)
def revenuecats_upgrade_in_the_app_store(folder, later):
    """One original transaction: PRODUCT_CHANGE and a RENEWAL of the new product; an EXPIRATION of the old one beside."""
    folder.as_of = "2026-03-20T00:00:00Z"
    mine = {"original_transaction_id": "101"}
    webhooks(folder, TWO, [
        webhook("INITIAL_PURCHASE", "ann", 101, "2026-03-02", "2026-04-02", **mine),
        webhook("PRODUCT_CHANGE", "ann", 101, "2026-03-02", "2026-04-02", sent="2026-03-12", new_product_id="pro_monthly", **mine),
        webhook("EXPIRATION", "ann", 101, "2026-03-02", "2026-03-12", event_timestamp_ms=at("2026-03-12") + later,
            expiration_reason="UNSUBSCRIBE", **mine),
        webhook("RENEWAL", "ann", 102, "2026-03-12", "2026-04-12", product="pro_monthly", price=19.99, **mine)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=SUBSCRIBED, aside={"not_measured": 1})


@case("life", REVENUECAT, each=AT_ONCE)
def revenuecats_upgrade_in_the_play_store(folder, later):
    """A new subscription of Google Play; the old one's CANCELLATION and EXPIRATION come with it."""
    folder.as_of = "2026-03-20T00:00:00Z"
    play, old = {"store": "PLAY_STORE"}, at("2026-03-12") + later
    webhooks(folder, TWO, [
        webhook("INITIAL_PURCHASE", "ann", "GPA.1", "2026-03-02", "2026-04-02", product="monthly:base", **play),
        webhook("PRODUCT_CHANGE", "ann", "GPA.1", "2026-03-02", "2026-04-02", sent="2026-03-12", product="monthly:base",
            new_product_id="pro_monthly:base", **play),
        webhook("CANCELLATION", "ann", "GPA.1", "2026-03-02", "2026-03-12", product="monthly:base", price=0,
            price_in_purchased_currency=0, event_timestamp_ms=old, cancel_reason="UNKNOWN", **play),
        webhook("EXPIRATION", "ann", "GPA.1", "2026-03-02", "2026-03-12", product="monthly:base", event_timestamp_ms=old + 1,
            expiration_reason="UNKNOWN", **play),
        webhook("INITIAL_PURCHASE", "ann", "GPA.2", "2026-03-12", "2026-04-12", product="pro_monthly:base", price=19.99, **play)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=SUBSCRIBED, aside={"not_measured": 1})


@case("life", REVENUECAT, each=AT_ONCE)
def revenuecats_change_without_a_charge(folder, later):
    """Google Play with time proration: the new subscription's INITIAL_PURCHASE costs nothing, and nobody has begun a trial."""
    folder.as_of = "2026-03-20T00:00:00Z"
    play = {"store": "PLAY_STORE"}
    webhooks(folder, TWO, [
        webhook("INITIAL_PURCHASE", "ann", "GPA.1", "2026-03-02", "2026-04-02", product="monthly:base", **play),
        webhook("EXPIRATION", "ann", "GPA.1", "2026-03-02", "2026-03-12", product="monthly:base",
            event_timestamp_ms=at("2026-03-12") + later, expiration_reason="UNKNOWN", **play),
        webhook("INITIAL_PURCHASE", "ann", "GPA.2", "2026-03-12", "2026-03-23", product="pro_monthly:base", price=0,
            price_in_purchased_currency=0, **play)])
    return Sums({"control": {"revenue_gross": "9.99", "active_subscription": 1, "trial_start_rate": 0}}, states=SUBSCRIBED, aside={})


# Superwall

def superwall_event(sort, number, chain, when, until, product="monthly", price=0, told=None, **more):
    """A webhook of ann's; `when` is the purchase, `told` when it happened."""
    told = at(when) + 1500 if told is None else told if isinstance(told, int) else at(told)
    data = {"id": f"{number}:{sort}:{told}", "name": sort, "cancelReason": None, "periodType": "NORMAL", "countryCode": "US",
        "price": price, "priceInPurchasedCurrency": price, "taxPercentage": 0, "commissionPercentage": 0.3, "isFamilyShare": False,
        "expirationAt": at(until), "transactionId": str(number), "originalTransactionId": str(chain), "originalAppUserId": "ann",
        "store": "APP_STORE", "purchasedAt": at(when), "currencyCode": "USD", "productId": product, "environment": "PRODUCTION",
        "isTrialConversion": False, "newProductId": None, "ts": told} | more
    return {"object": "event", "type": sort, "projectId": 3827, "applicationId": 1, "timestamp": told, "data": data}


def superwall(folder, rows):
    folder.as_of = "2026-03-20T00:00:00Z"
    folder.jsonl("superwall.jsonl", rows)
    feed_job(folder, TWO, [{"path": "superwall.jsonl", "format": "superwall-webhooks"}])


@case("life", SUPERWALL, each=AT_ONCE)
def superwalls_upgrade_in_the_app_store(folder, later):
    """One original transaction: product_change, the new product's renewal, and an expiration of the old one."""
    superwall(folder, [
        superwall_event("initial_purchase", 101, 101, "2026-03-02", "2026-04-02", price=9.99),
        superwall_event("product_change", 101, 101, "2026-03-02", "2026-04-02", told="2026-03-12", newProductId="pro_monthly"),
        superwall_event("expiration", 101, 101, "2026-03-02", "2026-03-12", told=at("2026-03-12") + later, expirationReason="UNKNOWN"),
        superwall_event("renewal", 102, 101, "2026-03-12", "2026-04-12", "pro_monthly", 19.99)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=SUBSCRIBED, aside={"not_measured": 1})


@case("life", SUPERWALL, each=AT_ONCE)
def superwalls_upgrade_in_the_play_store(folder, later):
    """A new subscription of Google Play; the old one's cancellation and expiration come with it."""
    play, old = {"store": "PLAY_STORE"}, at("2026-03-12") + later
    superwall(folder, [
        superwall_event("initial_purchase", "GPA.1", "GPA.1", "2026-03-02", "2026-04-02", "monthly:base", 9.99, **play),
        superwall_event("cancellation", "GPA.1", "GPA.1", "2026-03-02", "2026-03-12", "monthly:base", told=old, cancelReason="UNKNOWN",
            **play),
        superwall_event("expiration", "GPA.1", "GPA.1", "2026-03-02", "2026-03-12", "monthly:base", told=old + 1, **play),
        superwall_event("initial_purchase", "GPA.2", "GPA.2", "2026-03-12", "2026-04-12", "pro_monthly:base", 19.99, **play)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=SUBSCRIBED, aside={})


@case("life", SUPERWALL, each=AT_ONCE)
def superwalls_change_without_a_charge(folder, later):
    """Google Play with time proration: the new subscription costs nothing at first, and nobody has begun a trial."""
    play = {"store": "PLAY_STORE"}
    superwall(folder, [
        superwall_event("initial_purchase", "GPA.1", "GPA.1", "2026-03-02", "2026-04-02", "monthly:base", 9.99, **play),
        superwall_event("expiration", "GPA.1", "GPA.1", "2026-03-02", "2026-03-12", "monthly:base", told=at("2026-03-12") + later, **play),
        superwall_event("initial_purchase", "GPA.2", "GPA.2", "2026-03-12", "2026-03-23", "pro_monthly:base", 0, **play)])
    return Sums({"control": {"revenue_gross": "9.99", "active_subscription": 1, "trial_start_rate": 0}}, states=SUBSCRIBED, aside={})
