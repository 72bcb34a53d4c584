"""How long access lasts that Google Play sold: tokens that were replaced, answers without a time, tests."""

from answers import Sums
from case import case
from play import order, play, subscription, turn
from stores import WEBHOOKS, webhook

TWO = {"ann": "control", "ben": "variant"}
REPLACED = "hyodotdev/openiap#96 (EXPIRED of the old token once a plan was changed); Google: linkedPurchaseToken"
MODES = "Google: replacement modes WITH_TIME_PRORATION and DEFERRED, whose new token has no charge of its own"
ANSWERS = "android/play-billing-samples#624 (canceledStateContext); Google: SubscriptionState, expiryTime, autoRenewingPlan"
ANEW = "j3k0/cordova-plugin-purchase#1068 (account hold); android/play-billing-samples#420 (bought again under a new token)"
PREPAID = "Google: prepaid plans do not renew by themselves; a top-up has a token of its own"
PRORATED = "Google: CHARGE_PRORATED_PRICE, ProrationPeriodDetails, autoRenewingPlan.recurringPrice"
TESTERS = "Google: testPurchase of a license tester's subscription"
PRO = {"autoRenewingPlan": {"autoRenewEnabled": True, "recurringPrice": {"currencyCode": "USD", "units": "19", "nanos": 990_000_000}}}
PREPAID_PLAN = {"prepaidPlan": {}}


def monthly(number=1, when="2026-03-02", until="2026-04-02", **more):
    return order(number, when, until, **more)


def standing(state, active=1, renewing=1, **more):
    """The sums and the state of the one subscriber."""
    return Sums({"control": {"active_subscription": active, "set_to_renew": renewing} | more}, states={"control": {state: 1}})


# Tokens that were replaced

@case("life", REPLACED, each={"expired": (3, 13), "canceled": (3,), "in_silence": ()})
def a_plan_is_changed(folder, kinds):
    """A monthly plan becomes a yearly one on 12 March: what comes for the old token ends nothing of the new one."""
    play(folder, TWO, [monthly(), order(2, "2026-03-12", "2027-03-12", "79.99")], [
        subscription("ann", 1, "EXPIRED", "2026-03-02", "2026-03-12", canceledStateContext={"replacementCancellation": {}}),
        subscription("ann", 2, "ACTIVE", "2026-03-12", "2027-03-12", replaces=1)],
        [turn(1, kind, f"2026-03-12 10:0{place}") for place, kind in enumerate(kinds)])
    return standing("subscribed", mrr="6.665833", charges=2)


@case("life", ANEW)
def bought_again_while_the_old_token_is_on_hold(folder):
    """On hold from 9 April, bought again on 25 April; on 30 April the hold ends and the old token expires."""
    play(folder, TWO, [monthly(), monthly(2, "2026-04-25", "2026-05-25")], [
        subscription("ann", 1, "EXPIRED", "2026-03-02", "2026-04-02"), subscription("ann", 2, "ACTIVE", "2026-04-25", "2026-05-25")],
        [turn(1, 6, "2026-04-02 10:05"), turn(1, 5, "2026-04-09"), turn(1, 13, "2026-04-30")], as_of="2026-05-02")
    return standing("subscribed", mrr="9.99")


@case("life", PREPAID, each={"expired": [turn(1, 13, "2026-03-28 10:01")], "in_silence": []})
def a_prepaid_plan_is_topped_up(folder, turns):
    """Topped up on 28 March until 2 May, under another token: access goes on, and renews not by itself."""
    play(folder, TWO, [monthly(), monthly(2, "2026-03-28", "2026-05-02")], [
        subscription("ann", 1, "EXPIRED", "2026-03-02", "2026-03-28", plan=PREPAID_PLAN),
        subscription("ann", 2, "ACTIVE", "2026-03-28", "2026-05-02", replaces=1, plan=PREPAID_PLAN)], turns, as_of="2026-04-20")
    return standing("set_to_expire", renewing=0, mrr="9.99", revenue_gross="19.98")


@case("life", MODES, each={"before": ("2026-04-10", "subscribed", 1), "after": ("2026-04-20", "expired", 0)})
def a_plan_is_changed_at_no_cost(folder, told):
    """What was paid for is worth two weeks more of a cheaper plan; the old token expires that day."""
    as_of, state, active = told
    play(folder, TWO, [monthly(), order(2, "2026-03-12", "2026-04-16", "0", phase="proration")], [
        subscription("ann", 2, "ACTIVE", "2026-03-12", "2026-04-16", replaces=1)], [turn(1, 13, "2026-03-12 10:01")], as_of=as_of)
    return standing(state, active, active, charges=1)


@case("life", MODES, each={"renewing": ([], "subscribed", 1), "canceled": ([turn("new", 3, "2026-03-20")], "set_to_expire", 0)})
def a_change_of_plan_is_deferred(folder, told):
    """The new token goes on with what was paid for the old one, which expires that day, and is not charged before April."""
    turns, state, renewing = told
    play(folder, TWO, [monthly()], [
        subscription("ann", 1, "ACTIVE", "2026-03-12", "2026-04-02", token="token-new", replaces=1, plan={
            "autoRenewingPlan": {"autoRenewEnabled": False}, "deferredItemReplacement": {"productId": "basic"}})],
        [turn(1, 3, "2026-03-12 10:01"), turn(1, 13, "2026-03-12 10:02"), *turns], as_of="2026-03-25")
    return standing(state, renewing=renewing, mrr="9.99")


@case("life", "android/play-billing-samples#624 (the answer has both items; the one to come has no order of its own)")
def a_deferred_plan_that_is_yet_to_begin(folder):
    """The plan to come would last until next year; what was paid for lasts until 2 April."""
    told = subscription("ann", 1, "ACTIVE", "2026-03-12", "2026-04-02", token="token-new", replaces=1, plan={
        "autoRenewingPlan": {}, "deferredItemReplacement": {"productId": "yearly"}})
    told["lineItems"].insert(0, {"productId": "yearly", "expiryTime": "2027-04-02T10:00:00Z", "autoRenewingPlan": {}})
    play(folder, TWO, [monthly()], [told], [turn(1, 13, "2026-03-12 10:02")], as_of="2026-04-20")
    return standing("expired", 0, 0)


# Whose records name what

@case("life", "Google: purchaseToken in notifications; an order may be kept without it", each={"with_its_token": {}, "without": {"purchaseToken": None}})
def an_order_and_its_token(folder, more):
    """The notification names the token alone, which the answer says is the order's."""
    play(folder, TWO, [monthly(**more)], [subscription("ann", 1, "ACTIVE", "2026-03-02", "2026-04-02")], [turn(1, 3, "2026-03-09")],
         as_of="2026-03-20")
    return standing("set_to_expire", renewing=0)


@case("life", "Google: purchaseToken; RevenueCat: original_transaction_id is the first order")
def a_cancellation_that_revenuecat_tells(folder):
    """The order goes by its token, the webhook by the order: both mean one subscription, and not the one that was bought later."""
    folder.jsonl("hooks.jsonl", [webhook("CANCELLATION", "ann", "GPA.3300-1", "2026-03-02", "2026-04-02", store="PLAY_STORE", product="premium",
                                         original_transaction_id="GPA.3300-1", cancel_reason="UNSUBSCRIBE", event_timestamp_ms=1_773_050_400_000)])
    play(folder, TWO, [monthly()], [subscription("ann", 1, "ACTIVE", "2026-03-02", "2026-04-02")], as_of="2026-03-20",
         more=[WEBHOOKS | {"path": "hooks.jsonl"}])
    return standing("set_to_expire", renewing=0)


@case("life", "Google: outOfAppPurchaseContext of a subscription that is bought again in the Play Store", each={
    "account": {"expiredExternalAccountIdentifiers": {"obfuscatedExternalAccountId": "ann"}}, "token": {"expiredPurchaseToken": "token-1"}})
def bought_again_outside_of_the_app(folder, context):
    """The app gave no account with it: the answer names that of the subscription that had expired, or its token."""
    again = subscription("", 2, "ACTIVE", "2026-04-20", "2026-05-20", outOfAppPurchaseContext=context)
    del again["externalAccountIdentifiers"]
    play(folder, TWO, [monthly(), monthly(2, "2026-04-20", "2026-05-20")], [
        subscription("ann", 1, "EXPIRED", "2026-03-02", "2026-04-02"), again], [turn(1, 13, "2026-04-02 10:05")])
    return standing("subscribed", charges=2)


# Answers without a time

@case("life", ANSWERS, each={
    "before_it_failed": ("2026-03-20", "subscribed", 1), "in_grace": ("2026-04-05", "billing_retry", 1), "after": ("2026-04-10", "expired", 0)})
def in_grace_by_the_answer(folder, told):
    """The answer says: in grace until 9 April. No notification tells when the renewal failed."""
    as_of, state, active = told
    play(folder, TWO, [monthly()], [subscription("ann", 1, "IN_GRACE_PERIOD", "2026-03-02", "2026-04-09")], as_of=as_of)
    return standing(state, active, active)


@case("life", ANSWERS, each={"notified": [turn(1, 6, "2026-04-02 10:05")], "in_silence": []})
def a_grace_until_when_the_answer_says(folder, turns):
    """Notified or not, the grace lasts as long as the answer says, longer than the products table has it."""
    play(folder, TWO, [monthly()], [subscription("ann", 1, "IN_GRACE_PERIOD", "2026-03-02", "2026-04-16")], turns, as_of="2026-04-14")
    return standing("billing_retry")


@case("life", ANSWERS, each={"system": {"systemInitiatedCancellation": {}}, "developer": {"developerInitiatedCancellation": {}}, "untold": {}})
def canceled_without_a_time(folder, context):
    """CANCELED: access until 2 April, and no renewal."""
    play(folder, TWO, [monthly()], [subscription("ann", 1, "CANCELED", "2026-03-02", "2026-04-02", canceledStateContext=context)], as_of="2026-03-20")
    return standing("set_to_expire", renewing=0)


@case("life", ANSWERS)
def canceled_before_the_latest_renewal(folder):
    """An answer of March says CANCELED, and April was paid: the answer is of March's order."""
    play(folder, TWO, [monthly(), monthly("1..0", "2026-04-02", "2026-05-02", token="token-1")], [
        subscription("ann", 1, "CANCELED", "2026-03-02", "2026-04-02")], as_of="2026-04-20")
    return standing("subscribed", charges=2)


@case("life", "Google: purchases.subscriptionsv2.defer moves expiryTime", each={"ACTIVE": ("ACTIVE", "subscribed", 1), "CANCELED": ("CANCELED", "set_to_expire", 0)})
def a_later_expiry(folder, told):
    """Deferred until 12 April: access lasts until then, whether it renews or not; the charge is still of a month."""
    state, standing_at, renewing = told
    play(folder, TWO, [monthly()], [subscription("ann", 1, state, "2026-03-02", "2026-04-12")], as_of="2026-04-10")
    return standing(standing_at, renewing=renewing, mrr="9.99")


# Prorated charges

@case("life", PRORATED, each={"half_a_month": "2026-03-17", "a_week": "2026-03-26"})
def a_prorated_upgrade(folder, when):
    """The rest of a month of a dearer plan costs 5.00; a month of it costs 19.99, however short that rest."""
    play(folder, TWO, [monthly(), order(2, when, "2026-04-02", "5", phase="proration")], [
        subscription("ann", 1, "EXPIRED", "2026-03-02", when), subscription("ann", 2, "ACTIVE", when, "2026-04-02", replaces=1, plan=PRO)],
        as_of="2026-03-30")
    return standing("subscribed", mrr="19.99", revenue_gross="14.99")


@case("life", PRORATED)
def an_introductory_price(folder):
    """A month for 0.99 is worth 0.99 a month, whatever the next one costs."""
    play(folder, TWO, [monthly(price="0.99")], [subscription("ann", 1, "ACTIVE", "2026-03-02", "2026-04-02")], as_of="2026-03-20")
    return standing("subscribed", mrr="0.99")


# Tests

@case("life", TESTERS, each={"with_its_token": {}, "without": {"purchaseToken": None}})
def a_license_tester(folder, more):
    """Orders and notifications of a token that is a tester's are of a sandbox; the same user's other token is not."""
    play(folder, TWO, [monthly(obfuscatedExternalAccountId="ann", **more), monthly("1..0", "2026-04-02", "2026-05-02", token="token-1"),
                       monthly(2, price="5.00")],
         [subscription("ann", 1, "ACTIVE", "2026-03-02", "2026-05-02", testPurchase={}), subscription("ann", 2, "ACTIVE", "2026-03-02", "2026-04-02")],
         [turn(1, 13, "2026-03-10"), turn(2, 3, "2026-03-10")], as_of="2026-04-20")
    return Sums({"control": {"revenue_gross": "5.00", "charges": 1}}, aside={"sandbox": 4})
