"""What a charge is and how long access lasts, App Store."""

from answers import Sums
from case import case
from stores import NOTIFICATIONS, apple, at, bought, feed_job, jws, notification, refunded, renewed, transaction, trial

OLD_CHAIN = "https://developer.apple.com/forums/thread/800210 (EXPIRED of the old chain 60 days after its failure)"
TRIALS = "https://developer.apple.com/forums/thread/802109 (plan changed during the free trial); Apple: offerDiscountType FREE_TRIAL"
COMMITMENT = "adaptyteam/adapty-docs app-store-12-month-commitment; developer.apple.com/documentation/appstoreserverapi/transactioncommitmentinfo"
GROUPS = "Apple: a customer may hold one subscription in each subscription group (subscriptionGroupIdentifier)"
FAILED = "Apple: DID_FAIL_TO_RENEW without subtype GRACE_PERIOD may stop the service; data.status 3 is billing retry, 4 grace"
TYPES = "namecare/app-store-server-library-rust#76; apple's library, NotificationTypeV2"
TWO = {"ann": "control", "ben": "variant"}
STATE = {"control": {"subscribed": 1}}


def failing(told, signed, grace=None, status=3):
    """A failed renewal; `grace` is when the grace that Apple tells ends."""
    renewal = {"originalTransactionId": told["originalTransactionId"], "autoRenewProductId": told["productId"],
        "productId": told["productId"], "autoRenewStatus": 1,
               "isInBillingRetryPeriod": True, "expirationIntent": 2} | ({"gracePeriodExpiresDate": at(grace)} if grace else {})
    return notification("DID_FAIL_TO_RENEW/GRACE_PERIOD" if grace else "DID_FAIL_TO_RENEW", told, signed=signed, renewal=renewal,
        status=4 if grace else status)


def of(row):
    return row["data"]["signedTransactionInfo"]


# Chains

@case("life", OLD_CHAIN)
def an_old_chain_expires(folder):
    """A lapsed payer buys the product again under a new chain; sixty days after the failure Apple expires the old one: the new one goes
    on."""
    folder.as_of = "2026-05-05T00:00:00Z"
    old = bought("ann", 101, "2026-02-03 09:00", "2026-03-03 09:00")
    apple(folder, TWO, [old, failing(of(old), "2026-03-03 09:01", "2026-03-19 09:00"),
        notification("GRACE_PERIOD_EXPIRED", of(old), signed="2026-03-19 09:01"),
                        bought("ann", 202, "2026-04-10 18:00", "2026-05-10 18:00"),
                        notification("EXPIRED/BILLING_RETRY", of(old), signed="2026-05-02 09:00")])
    return Sums({"control": {"revenue_gross": "19.98", "revenue_net": "19.98", "charges": 2, "active_subscription": 1, "mrr": "9.99"}},
        states=STATE, aside={})


@case("life", OLD_CHAIN, each={
    "auto_renew_disabled": lambda old: notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", of(old), signed="2026-04-20"),
    "failed": lambda old: failing(of(old), "2026-04-20"), "failed_in_grace": lambda old: failing(of(old), "2026-04-20", "2026-04-28"),
    "refunded": lambda old: refunded("ann", old, "2026-04-20"), "grace_expired": lambda old: notification("GRACE_PERIOD_EXPIRED", of(old),
    signed="2026-04-20"),
    "expired": lambda old: notification("EXPIRED/VOLUNTARY", of(old), signed="2026-04-20")})
def what_befalls_an_old_chain(folder, event):
    """The old chain is cancelled, fails, is refunded or expires after the new one began: the new one stays subscribed."""
    old = bought("ann", 101, "2026-02-03", "2026-03-03")
    apple(folder, TWO, [old, bought("ann", 202, "2026-04-10", "2026-05-10"), event(old)])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "9.99"}}, states=STATE, aside={})


@case("life", OLD_CHAIN)
def the_new_chain_expires_too(folder):
    """The same, and then the new chain expires: it is over."""
    folder.as_of = "2026-05-20T00:00:00Z"
    old, new = bought("ann", 101, "2026-02-03", "2026-03-03"), bought("ann", 202, "2026-04-10", "2026-05-10")
    apple(folder, TWO, [old, new, notification("EXPIRED/VOLUNTARY", of(new), signed="2026-05-10 10:01"),
        notification("EXPIRED/BILLING_RETRY", of(old), signed="2026-05-02")])
    return Sums({"control": {"charges": 2, "active_subscription": 0, "mrr": "0"}}, states={"control": {"expired": 1}}, aside={})


# Trials

@case("life", TRIALS)
def a_plan_changed_inside_a_trial(folder):
    """Still in the trial, of another plan: nothing was charged."""
    apple(folder, TWO, [trial("ann", 101, "2026-04-20", "2026-05-04"),
                        notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", of(trial("ann", 102, "2026-04-22", "2026-05-06", chain=101,
                        product="pro_monthly")))])
    return Sums({"control": {"revenue_gross": "0", "charges": 0, "paying_conversion": 0, "subscription_conversion": 0,
        "active_subscription": 0, "trial_start_rate": 1}},
                states={"control": {"in_trial": 1}}, aside={})


@case("life", TRIALS)
def trials_that_never_paid(folder):
    """A plan changed in the trial, a trial renewed by an offer code's free month, and one that paid: one of three converts."""
    changed = of(trial("u-up", 5102, "2026-03-04", "2026-03-18", chain=5101, product="pro_monthly"))
    month = transaction("u-promo", 5202, "2026-03-15", "2026-04-15", chain=5201, price=0, transactionReason="RENEWAL", offerType=3,
        offerIdentifier="FRIENDS",
                        offerDiscountType="FREE_TRIAL", offerPeriod="P1M")
    apple(folder, {"u-up": "control", "u-promo": "variant", "u-paid": "third"}, [
        trial("u-up", 5101, "2026-03-01", "2026-03-15"), notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", changed),
        notification("EXPIRED/VOLUNTARY", changed, signed="2026-03-18 10:01"),
        trial("u-promo", 5201, "2026-03-01", "2026-03-15"), notification("DID_RENEW", month),
        notification("EXPIRED/VOLUNTARY", month, signed="2026-04-15 10:01"),
        trial("u-paid", 5301, "2026-03-01", "2026-03-15"), renewed("u-paid", 5302, "2026-03-15", "2026-04-15", 5301)])
    never = {"revenue_gross": "0", "trial_start_rate": 1, "paying_conversion": 0, "trial_to_paid": [0, 1]}
    return Sums({"control": never, "variant": never, "third": {"revenue_gross": "9.99", "trial_to_paid": [1, 1]}},
                states={"control": {"trial_expired": 1}, "variant": {"trial_expired": 1}}, aside={})


@case("life", TRIALS)
def a_fifth_of_the_trials_pays_in_either_group(folder):
    """Three hundred trials a group; in one group two fifths change their plan inside the trial: both convert alike."""
    rows, groups = [], {}
    for number in range(600):
        user, chain = f"u{number:05}", 510000 + number
        groups[user] = ("variant", "control")[number % 2]
        rows.append(trial(user, chain, "2026-03-01", "2026-03-15"))
        if number // 2 % 5 == 0:
            rows.append(renewed(user, 520000 + number, "2026-03-15", "2026-04-15", chain))
        elif number // 2 % 5 < 3 and number % 2 == 0:
            rows.append(notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", of(trial(user, 530000 + number, "2026-03-04", "2026-03-18",
                chain=chain, product="pro_monthly"))))
    apple(folder, groups, rows, metrics=[{"name": "trial_to_paid", "window": "none", "primary": True},
        {"name": "paying_conversion", "window": "none"}])
    return Sums({group: {"trial_to_paid_none": [60, 300], "paying_conversion_none": 60} for group in ("control", "variant")}, aside={})


@case("life", TRIALS, each={
    "redeemed": lambda: notification("OFFER_REDEEMED/INITIAL_BUY", of(trial("ann", 101, "2026-04-20", "2026-05-20", offerType=3,
    offerPeriod="P1M"))),
    "price_0_alone": lambda: bought("ann", 101, "2026-04-20", "2026-05-20", price=0),
    "redeemed_price_0": lambda: notification("OFFER_REDEEMED/RESUBSCRIBE", transaction("ann", 101, "2026-04-20", "2026-05-20", price=0,
    offerType=3)),
    "resubscribed": lambda: notification("SUBSCRIBED/RESUBSCRIBE", of(trial("ann", 101, "2026-04-20", "2026-05-20", offerType=2)))})
def offers_of_price_0(folder, told):
    """A first subscription costs nothing, whatever the offer is called: a trial and no charge."""
    apple(folder, TWO, [told()])
    return Sums({"control": {"revenue_gross": "0", "charges": 0, "paying_conversion": 0, "trial_start_rate": 1, "active_subscription": 0}},
                states={"control": {"in_trial": 1}}, aside={})


@case("life", TRIALS, each={"without_word": {}, "free_trial": {"offerDiscountType": "FREE_TRIAL", "offerType": 2, "offerPeriod": "P1M"}})
def a_renewal_of_price_0(folder, more):
    """A payer's second month is free: it renews nothing and is no charge."""
    apple(folder, TWO, [bought("ann", 101, "2026-03-01", "2026-04-01"), renewed("ann", 102, "2026-04-01", "2026-05-01", 101, price=0,
        **more)])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1, "renewal_rate": [0, 1]}}, aside={})


@case("life", TRIALS)
def a_free_month_between_paid_ones(folder):
    """Paid, free, paid: two charges, and the third month is paid access."""
    folder.as_of = "2026-05-20T00:00:00Z"
    apple(folder, TWO, [bought("ann", 101, "2026-03-01", "2026-04-01"), renewed("ann", 102, "2026-04-01", "2026-05-01", 101, price=0),
                        renewed("ann", 103, "2026-05-01", "2026-06-01", 101)])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2, "active_subscription": 1, "mrr": "9.99"}}, states=STATE, aside={})


@case("life", TRIALS)
def a_plan_changed_inside_a_trial_that_pays(folder):
    """The changed plan is paid for after the trial: one trial, one conversion of 19.99."""
    apple(folder, TWO, [trial("ann", 101, "2026-03-01", "2026-03-15"),
                        notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", of(trial("ann", 102, "2026-03-04", "2026-03-18", chain=101,
                        product="pro_monthly"))),
                        renewed("ann", 103, "2026-03-18", "2026-04-18", 101, product="pro_monthly", price=19990)])
    return Sums({"control": {"revenue_gross": "19.99", "charges": 1, "trial_start_rate": 1}}, aside={})


@case("life", TRIALS)
def an_upgrade_that_is_paid(folder):
    """A plan changed outside a trial is a purchase."""
    upgrade = transaction("ann", 102, "2026-03-10", "2026-04-10", chain=101, product="pro_monthly", price=19990)
    apple(folder, TWO, [bought("ann", 101, "2026-03-01", "2026-04-01"), notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", upgrade)])
    return Sums({"control": {"revenue_gross": "29.98", "charges": 2}}, aside={})


# Periods

@case("life", COMMITMENT)
def a_year_in_twelve_instalments(folder):
    """One yearly product, two billing plans: an instalment of 5.99 a month is 5.99 of monthly revenue."""
    folder.as_of = "2026-04-20T00:00:00Z"

    def instalment(number):
        return {"product": "yearly", "price": 5990, "billingPlanType": "MONTHLY", "commitmentInfo": {
            "billingPeriodNumber": number, "totalBillingPeriods": 12, "commitmentExpiresDate": at("2027-03-02"), "commitmentPrice": 71880}}
    apple(folder, {"u-commit": "control", "u-upfront": "variant"}, [
        bought("u-commit", 3101, "2026-03-02", "2026-04-02", **instalment(1)),
        renewed("u-commit", 3102, "2026-04-02", "2026-05-02", 3101, **instalment(2)),
        bought("u-upfront", 3201, "2026-03-02", "2027-03-02", product="yearly", price=59990, billingPlanType="BILLED_UPFRONT")])
    return Sums({"control": {"revenue_gross": "11.98", "charges": 2, "active_subscription": 1, "mrr": "5.99", "renewal_rate": [1, 1]},
                 "variant": {"revenue_gross": "59.99", "charges": 1, "active_subscription": 1, "mrr": "4.999167"}}, aside={})


@case("life", COMMITMENT)
def an_instalment_that_failed(folder):
    """The second instalment of a year failed: one month after the first the access is over, and nothing renewed."""
    one = bought("ann", 3101, "2026-03-02", "2026-04-02", product="yearly", price=5990, billingPlanType="MONTHLY", commitmentInfo={
        "billingPeriodNumber": 1, "totalBillingPeriods": 12, "commitmentExpiresDate": at("2027-03-02"), "commitmentPrice": 71880})
    apple(folder, TWO, [one, failing(of(one), "2026-04-02 10:01")])
    return Sums({"control": {"charges": 1, "active_subscription": 0, "mrr": "0", "renewal_rate": [0, 1]}},
        states={"control": {"billing_retry": 1}}, aside={})


@case("life", "Apple: offerDiscountType PAY_UP_FRONT, offerPeriod ISO 8601", each={
    "three_months": ("P3M", "2026-06-02", 19990, "6.663333", [0, 0]), "six_months": ("P6M", "2026-09-02", 29990, "4.998333", [0, 0]),
    "a_year": ("P1Y", "2027-03-02", 59990, "4.999167", [0, 0]), "two_months": ("P2M", "2026-05-02", 15000, "7.5", [0, 0]),
    "as_you_go": ("P1M", "2026-04-02", 4990, None, [0, 1])})
def paid_up_front(folder, told):
    """An offer of a monthly product is paid up front for months: its price is spread over them, and no renewal is due before."""
    period, until, price, mrr, due = told
    apple(folder, TWO, [bought("ann", 101, "2026-03-02", until, price=price, offerType=1, offerPeriod=period,
                               offerDiscountType="PAY_AS_YOU_GO" if mrr is None else "PAY_UP_FRONT")])
    control = {"charges": 1, "renewal_rate": due} | ({"mrr": mrr, "active_subscription": 1} if mrr else {"active_subscription": 0})
    return Sums({"control": control}, aside={})


@case("life", "spec: the charge's own period, from its time to the end it tells", each={
    "a_week": ("2026-04-28", "2026-05-05", "39.96"), "two_weeks": ("2026-04-20", "2026-05-04", "19.98"),
    "a_year": ("2026-03-02", "2027-03-02", "0.8325"),
    "a_quarter": ("2026-03-02", "2026-06-02", "3.33"), "half_a_year": ("2026-03-02", "2026-09-02", "1.665"),
    "a_month": ("2026-04-10", "2026-05-10", "9.99")})
def an_end_that_the_charge_tells(folder, told):
    """A product's length was changed in the store, and the table still says a month: the charge's own end tells its period."""
    when, until, mrr = told
    apple(folder, TWO, [bought("ann", 101, when, until)])
    return Sums({"control": {"charges": 1, "active_subscription": 1, "mrr": mrr}}, states=STATE, aside={})


@case("life", "as above")
def an_end_that_is_no_period(folder):
    """A first charge's end lies twenty days behind it (a month was cut): the product's period says what a month is worth."""
    apple(folder, TWO, [bought("ann", 101, "2026-04-20", "2026-05-10")])
    return Sums({"control": {"active_subscription": 1, "mrr": "9.99"}}, states=STATE, aside={})


# Subscription groups

def two_groups(user="ann"):
    one = bought(user, 6101, "2026-03-10", "2026-04-10", subscriptionGroupIdentifier="G1")
    again = renewed(user, 6102, "2026-04-10", "2026-05-10", 6101, subscriptionGroupIdentifier="G1")
    other = bought(user, 6201, "2026-04-15", "2026-05-15", product="pro_monthly", price=19990, subscriptionGroupIdentifier="G2")
    return [one, again, other]


@case("life", GROUPS)
def two_subscriptions_at_once(folder):
    """One customer holds 9.99 and 19.99 a month."""
    apple(folder, TWO, two_groups())
    return Sums({"control": {"revenue_gross": "39.97", "charges": 3, "active_subscription": 1, "mrr": "29.98"}}, states=STATE, aside={})


@case("life", GROUPS, each={
    "expired": (lambda rows: notification("EXPIRED/VOLUNTARY", of(rows[2]), signed="2026-05-01"), "9.99", "subscribed"),
    "first_expired": (lambda rows: notification("EXPIRED/VOLUNTARY", of(rows[1]), signed="2026-05-01"), "19.99", "subscribed"),
    "cancelled": (lambda rows: notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", of(rows[2]), signed="2026-05-01"), "29.98",
    "subscribed"),
    "first_cancelled": (lambda rows: notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", of(rows[1]), signed="2026-05-01"),
    "29.98", "subscribed"),
    "refunded": (lambda rows: refunded("ann", rows[2], "2026-05-01"), "9.99", "subscribed"),
    "first_refunded": (lambda rows: refunded("ann", rows[1], "2026-05-01"), "19.99", "subscribed")})
def one_of_two_subscriptions(folder, told):
    """Something befalls one of two groups: the other goes on, and the state is the better of both."""
    event, mrr, state = told
    folder.as_of = "2026-05-05T00:00:00Z"
    rows = two_groups()
    apple(folder, TWO, [*rows, event(rows)])
    return Sums({"control": {"active_subscription": 1, "mrr": mrr}}, states={"control": {state: 1}}, aside={})


@case("life", GROUPS)
def what_is_bought_once_is_of_no_group(folder):
    """Something bought once names a group and the subscription's first transaction: the subscription stays the only one there is."""
    folder.as_of = "2026-05-05T00:00:00Z"
    old = bought("ann", 6401, "2026-03-10", "2027-03-10", product="yearly", price=79990, subscriptionGroupIdentifier=None)
    once = notification("ONE_TIME_CHARGE", transaction("ann", 6501, "2026-04-11", None, product="coins", chain=6601,
        subscriptionGroupIdentifier="G1"))
    new = renewed("ann", 6602, "2026-04-20", "2026-05-20", 6601, subscriptionGroupIdentifier=None)
    off = notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", of(new), signed="2026-05-01")
    apple(folder, TWO, [old, once, new, off])
    return Sums({"control": {"active_subscription": 1, "mrr": "9.99"}}, states={"control": {"set_to_expire": 1}}, aside={})


@case("life", GROUPS)
def both_of_two_subscriptions_cancelled(folder):
    """Both are turned off: set to expire."""
    folder.as_of = "2026-05-05T00:00:00Z"
    rows = two_groups()
    apple(folder, TWO, rows + [notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", of(row),
        signed="2026-05-01") for row in rows[1:]])
    return Sums({"control": {"active_subscription": 1}}, states={"control": {"set_to_expire": 1}}, aside={})


@case("life", GROUPS)
def one_of_two_subscriptions_fails(folder):
    """The first group's renewal fails without grace, the second goes on."""
    folder.as_of = "2026-05-12T00:00:00Z"
    rows = two_groups()
    apple(folder, TWO, [*rows, failing(of(rows[1]), "2026-05-10 10:01")])
    return Sums({"control": {"active_subscription": 1, "mrr": "19.99"}}, aside={})


@case("life", GROUPS)
def one_group_over_two_products(folder):
    """Two products of one group are one subscription: the later one counts."""
    apple(folder, TWO, [bought("ann", 101, "2026-04-05", "2026-05-05"), notification("DID_CHANGE_RENEWAL_PREF/UPGRADE", transaction(
        "ann", 102, "2026-04-15", "2026-05-15", chain=101, product="pro_monthly", price=19990))])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "19.99"}}, states=STATE, aside={})


# Failed renewals

@case("life", FAILED)
def a_renewal_failed_without_grace(folder):
    """No grace period is told (status 3): access ended with the period."""
    folder.as_of = "2026-04-06T00:00:00Z"
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    apple(folder, TWO, [one, failing(of(one), "2026-04-01 10:01"), bought("ben", 201, "2026-03-20", "2026-04-20")])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1, "active_subscription": 0, "mrr": "0"},
        "variant": {"active_subscription": 1, "mrr": "9.99"}},
                states={"control": {"billing_retry": 1}}, aside={})


@case("life", FAILED, each={"inside": ("2026-04-06T00:00:00Z", 1), "behind": ("2026-04-20T00:00:00Z", 0)})
def a_renewal_failed_with_grace(folder, told):
    """Apple tells a grace of sixteen days: access until then."""
    folder.as_of, active = told
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    apple(folder, TWO, [one, failing(of(one), "2026-04-01 10:01", "2026-04-17")])
    return Sums({"control": {"active_subscription": active, "mrr": "9.99" if active else "0"}}, states={"control": {"billing_retry": 1}},
        aside={})


@case("life", FAILED)
def a_failed_renewal_that_is_paid_later(folder):
    """The failed renewal is paid eight days later: a charge, and access."""
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    apple(folder, TWO, [one, failing(of(one), "2026-04-01 10:01"), renewed("ann", 102, "2026-04-09", "2026-05-09", 101,
        sort="DID_RENEW/BILLING_RECOVERY")])
    return Sums({"control": {"charges": 2, "active_subscription": 1, "mrr": "9.99", "renewal_rate": [1, 1]}}, states=STATE, aside={})


# What is no event

@case("life", TYPES)
def types_that_nobody_measures(folder):
    """Ten notifications of types that came later or carry nothing: each is counted by name, none fails the file."""
    folder.as_of = "2026-03-20T00:00:00Z"
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    bare = {"notificationUUID": "n-1", "version": "2.0", "signedDate": at("2026-03-02")}
    rows = [one, {"notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "UNREPORTED", **bare, "externalPurchaseToken": {
        "externalPurchaseId": "b2158121-7af9-49d4-9561-1f588205523e", "tokenCreationDate": at("2026-03-01"), "appAppleId": 1234567890,
        "bundleId": "com.example.app"}},
        {"notificationType": "RESCIND_CONSENT", **bare, "notificationUUID": "n-2",
        "appData": {"environment": "Production", "signedAppTransactionInfo": "a.b.c"}},
        {"notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY", **bare, "notificationUUID": "n-3", "summary": {
            "requestIdentifier": "x", "environment": "Production", "productId": "monthly", "storefrontCountryCodes": ["USA"],
            "failedCount": 0, "succeededCount": 5}}]
    rows += [notification(sort, of(one), signed=f"2026-03-0{place + 2}") for place, sort in enumerate((
        "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE", "PRICE_INCREASE/PENDING", "REFUND_DECLINED", "CONSUMPTION_REQUEST",
        "SOMETHING_NEW/WHATEVER"))]
    apple(folder, TWO, rows)
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "9.99", "charges": 1, "active_subscription": 1}},
        aside={"not_measured": 10})


@case("life", "Apple: a downgrade takes effect with the next renewal", each={"pref": "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
    "redeemed": "OFFER_REDEEMED/DOWNGRADE",
                                                                              "pref_undone": "DID_CHANGE_RENEWAL_PREF", "test": "TEST"})
def what_changes_nothing_yet(folder, sort):
    """A downgrade is told when it is asked for: no charge, counted by name."""
    folder.as_of = "2026-03-20T00:00:00Z"
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    told = notification(sort, of(one), signed="2026-03-10")
    if sort == "TEST":
        told["data"].pop("signedTransactionInfo")
    apple(folder, TWO, [one, told])
    return Sums({"control": {"charges": 1, "active_subscription": 1}}, states=STATE, aside={"not_measured": 1})


@case("life", "Apple: REFUND with revocationPercentage (thousandths of a percent)", each={
    "part": ([(40000, "2026-03-10")], "5.994"), "later_replaces": ([(40000, "2026-03-10"), (60000, "2026-03-12")], "3.996"),
    "full": ([(None, "2026-03-10")], "0"),
    "part_then_full": ([(40000, "2026-03-10"), (100000, "2026-03-12")], "0")})
def refunds_of_a_percentage(folder, told):
    """A refund tells which share of the charge is taken back: a later one replaces it, never adds."""
    parts, net = told
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    apple(folder, TWO, [one] + [refunded(None, one, when, percentage) for percentage, when in parts])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net}}, silent=["refund_exceeds_charge"])


@case("life", "Apple: FAMILY_SHARED transactions may have no price", each={"priced": 9990, "unpriced": None})
def shared_in_a_family(folder, price):
    """A family member's access, with a price or without: set aside as such."""
    told = bought("ben", 201, "2026-03-01", "2026-04-01", inAppOwnershipType="FAMILY_SHARED", price=price,
        **({} if price else {"currency": None}))
    apple(folder, TWO, [bought("ann", 101, "2026-03-01", "2026-04-01"), told])
    return Sums({"control": {"charges": 1}, "variant": {"charges": 0}}, aside={"family_shared": 1})


@case("life", "Apple: price is in thousandths of every currency's unit", each={"JPY": (1200000, "1200"), "KWD": (9990, "9.99"),
    "USD": (9990, "9.99")})
def thousandths_of_every_currency(folder, told):
    """1,200 yen are 1200000."""
    price, gross = told
    currency = {"1200": "JPY"}.get(gross) or "USD"
    apple(folder, TWO, [bought("ann", 101, "2026-03-01", "2026-04-01", price=price, currency=currency)], currency=currency)
    return Sums({"control": {"revenue_gross": gross}}, aside={})


# Answers of the store's server

KEPT = "servers that keep decoded JWSTransaction objects, one a line: readdle/app-store-server-api#5"


@case("life", KEPT)
def decoded_transactions_one_a_line(folder):
    """Two charges of a subscription as their decoded payloads alone, the first of them revoked."""
    first = of(bought("ann", 101, "2026-03-01", "2026-04-01")) | {"revocationDate": at("2026-03-10"), "revocationReason": 1}
    folder.jsonl("notifications.jsonl", [first, of(renewed("ann", 102, "2026-04-01", "2026-05-01", 101))])
    feed_job(folder, TWO, [NOTIFICATIONS])
    return Sums({"control": {"revenue_gross": "19.98", "revenue_net": "9.99", "charges": 2}}, aside={})


REVERSED = "the notification REFUND_REVERSED was missed: Apple retries it five times, and a later history shows the transaction without revocationDate"
SIGNED = {"after_the_refund": ("2026-03-25", "9.99"), "before_it": ("2026-03-05", "0"), "after_the_cut_off": ("2026-06-25", "0")}


def as_the_history_has(told, signed, **more):
    """A page of the transaction of a notification, signed later."""
    return {"signedTransactions": [jws(of(told) | {"signedDate": at(signed)} | more)]}


@case("life", REVERSED, each=SIGNED)
def a_refund_that_an_answer_no_longer_shows(folder, told):
    """The refund was notified on 10 March; an answer signed later without it takes it back, from then on."""
    signed, net = told
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    folder.jsonl("notifications.jsonl", [one, refunded("ann", one, "2026-03-10")])
    folder.jsonl("history.jsonl", [as_the_history_has(one, signed)])
    feed_job(folder, TWO, [NOTIFICATIONS, NOTIFICATIONS | {"path": "history.jsonl"}])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net, "charges": 1}})


@case("life", REVERSED, each={"whole_first": ("2026-03-15", "2026-03-20", "0"), "whole_last": ("2026-03-25", "2026-03-20", "9.99")})
def of_two_answers_the_later_counts(folder, told):
    """One answer shows the refund, another does not: the one that was signed last is right."""
    whole, revoked, net = told
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    folder.jsonl("notifications.jsonl", [one])
    folder.jsonl("history.jsonl", [
        as_the_history_has(one, whole), as_the_history_has(one, revoked, revocationDate=at("2026-03-10"), revocationReason=0)])
    feed_job(folder, TWO, [NOTIFICATIONS, NOTIFICATIONS | {"path": "history.jsonl"}])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net, "charges": 1}})


@case("life", REVERSED)
def an_answer_that_shows_no_refund(folder):
    """Nothing was given back: an answer that shows the charge as it stands is no reversal, and no refund."""
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    folder.jsonl("notifications.jsonl", [one])
    folder.jsonl("history.jsonl", [as_the_history_has(one, "2026-03-25")])
    feed_job(folder, TWO, [NOTIFICATIONS, NOTIFICATIONS | {"path": "history.jsonl"}], metrics=[
        "revenue_net", "refund_rate", {"name": "event_count", "event": "refund_reversal", "id": "reversals"}])
    return Sums({"control": {"revenue_net": "9.99", "refund_rate": [0, 1], "reversals": 0}}, silent=["orphan_refund"])


@case("life", "Apple: RENEWAL_EXTENDED, which may be missed; a later history has the later expiresDate", each={
    "signed_by_then": ("2026-03-25", 1), "signed_later": ("2026-06-25", 0)})
def a_later_expiry_that_an_answer_shows(folder, told):
    """Access was to end on 1 April and was prolonged to 20 April, which a history that was signed since shows alone."""
    signed, active = told
    folder.as_of = "2026-04-18T00:00:00Z"
    one = bought("ann", 101, "2026-03-01", "2026-04-01")
    folder.jsonl("notifications.jsonl", [one])
    folder.jsonl("history.jsonl", [as_the_history_has(one, signed, expiresDate=at("2026-04-20"))])
    feed_job(folder, TWO, [NOTIFICATIONS, NOTIFICATIONS | {"path": "history.jsonl"}])
    return Sums({"control": {"active_subscription": active, "mrr": ["0", "9.99"][active], "charges": 1}})
