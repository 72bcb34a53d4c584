"""Whose money it is where a row does not say so itself: another row gives its owner; and what Google Analytics' rows mean."""

from answers import CheckTold, Init, Sums
from case import case
from folders import csv_text
from stores import EXPORT, at, export_row, feed_job, webhook, webhooks

GA4 = {"path": "ga4.jsonl", "format": "ga4-export"}
GA4_SOURCE = "Google, \"[GA4] BigQuery Export schema\", \"Automatically collected events\"; "
TWO = {"ann": "control", "ben": "variant"}


def value(told):
    """In the column of its type: BigQuery keeps a whole number, 10.0 too, as an integer."""
    if isinstance(told, str):
        return {"string_value": told}
    return {"int_value": str(int(told))} if told == int(told) else {"double_value": told}


def row(name, when, user="ann", device="d-ann", experiments=(), **parameters):
    """A row of `events_*`; without a user where nobody was logged in."""
    told = {"event_date": "20260302", "event_timestamp": str(at(when) * 1000), "event_name": name, "user_pseudo_id": device,
            "event_params": [{"key": key, "value": value(told)} for key, told in parameters.items()],
            "user_properties": [{"key": key, "value": {"string_value": group}} for key, group in experiments]}
    return told | ({"user_id": user} if user else {})


def sale(number, when="2026-03-02", user="ann", device="d-ann", worth=9.99, item="monthly", experiments=(), **more):
    """A sale that the app logs, by the number of its order."""
    return row("purchase", when, user, device, experiments,
               **({"transaction_id": f"T{number}", "value": worth, "currency": "USD", "item_id": item} | more))


def collected(name="in_app_purchase", when="2026-03-02", user="ann", device="d-ann", item="coins", price=9_990_000, quantity=1):
    """What Google collects by itself."""
    return row(name, when, user, device, product_id=item, price=price, currency="USD", quantity=quantity)


def analytics(folder, rows, groups=TWO, **keys):
    folder.jsonl("ga4.jsonl", rows)
    feed_job(folder, groups, [GA4], **keys)


# What a price counts

@case("money", GA4_SOURCE + "only what is collected counts millionths; RevenueCat community 3535", each={
    "whole": ({"value": 10, "price": 10}, "10"), "price_alone": ({"value": None, "price": 10}, "10"),
    "value_first": ({"value": 8.5, "price": 10}, "8.5"), "of_three": ({"value": None, "price": 4, "quantity": 3}, "12"),
    "thousands": ({"value": 12000, "price": 12000}, "12000")})
def a_price_that_the_app_logs_is_a_price(folder, told):
    """A whole number is an integer in BigQuery, and no millionths."""
    parameters, gross = told
    logged = sale(1)
    logged["event_params"] = [pair for pair in logged["event_params"] if pair["key"] not in parameters]
    logged["event_params"] += [{"key": key, "value": value(told)} for key, told in parameters.items() if told is not None]
    analytics(folder, [logged])
    return Sums({"control": {"revenue_gross": gross, "charges": 1}}, aside={})


@case("money", GA4_SOURCE + "\"Recommended events\": refund", each={"whole": (4, "5.99"), "fraction": (2.5, "7.49")})
def a_refund_that_the_app_logs_is_no_millionths(folder, told):
    """4 of 9.99 is taken back."""
    back, net = told
    analytics(folder, [sale(1), row("refund", "2026-03-09", transaction_id="T1", value=back, price=back, currency="USD")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net}}, aside={})


@case("money", GA4_SOURCE + "app_store_subscription_renew", each={"renewal": ("app_store_subscription_renew", 1),
    "two": ("in_app_purchase", 2)})
def what_is_collected_counts_millionths(folder, told):
    """4,990,000 of them are 4.99."""
    name, quantity = told
    analytics(folder, [collected(name, item="monthly", price=4_990_000, quantity=quantity)])
    return Sums({"control": {"revenue_gross": ("4.99", "9.98")[quantity - 1], "charges": 1}}, aside={})


# Refunds that name no transaction

STORE_REFUND = GA4_SOURCE + "app_store_refund (product_id, price, currency, quantity)"


def gone(when="2026-03-09", item="coins", price=9_990_000, **more):
    return collected("app_store_refund", when, item=item, price=price, **more)


@case("money", STORE_REFUND, each={"in_full": (9_990_000, "9.99"), "in_part": (4_990_000, "14.99")})
def the_latest_charge_of_the_product_is_refunded(folder, told):
    """Two of coins and one of another product: the later coins are taken back; later ones are not."""
    price, net = told
    analytics(folder, [
        collected(when="2026-03-02", price=5_000_000), collected(when="2026-03-04"), collected(when="2026-03-05", item="gems"),
        gone("2026-03-09", price=price), collected(when="2026-03-20", item="coins", price=1_000_000)])
    gross = 999 * 2 + 500 + 100
    return Sums({"control": {"revenue_gross": f"{gross / 100:.2f}", "charges": 4,
                             "revenue_net": f"{(gross - price // 10_000) / 100:.2f}"}}, aside={})


@case("money", STORE_REFUND)
def two_refunds_are_of_two_charges(folder):
    """Each takes back a charge of its own; the same row in a second table is a copy."""
    back = [gone("2026-03-09"), gone("2026-03-10"), gone("2026-03-10")]
    analytics(folder, [collected(when="2026-03-02"), collected(when="2026-03-04"), collected(when="2026-03-06"), *back])
    return Sums({"control": {"revenue_gross": "29.97", "revenue_net": "9.99"}}, aside={"duplicate": 1}, failing=["duplicate"])


@case("money", STORE_REFUND)
def a_refund_before_any_charge_is_of_none(folder):
    """Nothing of the product was sold by then."""
    analytics(folder, [gone("2026-03-01"), collected(when="2026-03-02"), gone("2026-03-03", item="gems")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "9.99"}}, aside={}, failing=["orphan_refund"])


def beside_a_store(folder, refunds, told):
    """Coins bought on 2 and 4 March, told by Google Analytics and by the store, which names the transactions that it takes back."""
    def stores(sort, number, when, **more):
        return {"userId": "ann", "eventType": sort, "occurredAt": f"{when}Z".replace(" ", "T"), "productId": "coins",
            "transactionId": f"c{number}"} | more
    folder.jsonl("ga4.jsonl", [collected(when="2026-03-02"), collected(when="2026-03-04"), *told])
    folder.jsonl("store.jsonl", [stores("one_time_purchase", number, f"2026-03-0{2 * number} 10:00:00", price="9.99", currency="USD")
        for number in (1, 2)] + [stores("refund", *refund) for refund in refunds])
    feed_job(folder, TWO, [GA4, {"path": "store.jsonl", "format": "events"}])


@case("money", STORE_REFUND, each={"store_first": "2026-03-09 09:00:00", "store_later": "2026-03-11 10:00:00"})
def a_refund_that_the_store_tells_too(folder, when):
    """The first charge is taken back, as the store names it: one refund, though the latest charge is another."""
    beside_a_store(folder, [(1, when)], [gone("2026-03-09")])
    return Sums({"control": {"revenue_gross": "19.98", "revenue_net": "9.99", "charges": 2}}, aside={"duplicate": 3}, failing=["duplicate"])


@case("money", STORE_REFUND, each={"both_told": (2, "0"), "one_told": (1, "0")})
def two_refunds_of_which_the_store_tells_some(folder, told):
    """The k-th that one tells is the k-th that the other tells; one that the store does not tell is of the latest charge left."""
    number, net = told
    beside_a_store(folder, [(1, "2026-03-09 09:00:00"), (2, "2026-03-10 09:00:00")][:number], [gone("2026-03-09"), gone("2026-03-12")])
    return Sums({"control": {"revenue_gross": "19.98", "revenue_net": net, "charges": 2}}, failing=["duplicate"])


# Devices

BEFORE = GA4_SOURCE + "user_pseudo_id stands alone until log-in"


@case("identity", BEFORE)
def bought_before_the_log_in(folder):
    """A purchase on the device alone is of who logs in on it, today or on another day, and of no other device's user."""
    analytics(folder, [sale(1, user=None), row("login", "2026-03-20"), sale(2, "2026-04-02"), sale(3, user=None, device="d-ben"),
        sale(4, "2026-04-02", user="ben", device="d-ben"), sale(5, user=None, device="d-nobody")])
    return Sums({group: {"charges": 2, "revenue_gross": "19.98"} for group in ("control", "variant")}, aside={
        "not_measured": 1, "unassigned": 1})


@case("identity", BEFORE)
def two_people_log_in_on_a_device(folder):
    """What names its user is that user's; what the device alone tells is of the first who logged in."""
    analytics(folder, [row("login", "2026-03-02"), sale(1, "2026-03-03"), row("login", "2026-03-04", user="ben"),
        sale(2, "2026-03-05", user="ben"), sale(3, "2026-03-06", user="ben"), sale(4, "2026-03-07", user=None)])
    return Sums({group: {"charges": 2} for group in ("control", "variant")}, aside={"not_measured": 2}, silent=["purchase_conflict"])


@case("identity", BEFORE)
def devices_may_be_who_is_assigned(folder):
    """The assignments name devices, the rows users, too."""
    analytics(folder, [row("session_start", "2026-03-01"), sale(1), sale(2, user="ben", device="d-ben"), sale(3, user=None)],
              {"d-ann": "control", "d-ben": "variant"})
    return Sums({"control": {"charges": 2}, "variant": {"charges": 1}}, aside={"not_measured": 1})


# Orders

ORDERS = GA4_SOURCE + "transaction_id; datavinci.services: GA4 does not resolve duplicates across users"


@case("identity", ORDERS, each={"another_user": ("ben", "d-ben", "control"), "the_server": ("ann", "server", "control"),
    "a_device": (None, "d-other", "control"), "a_device_first": (None, "d-other", "first")})
def an_order_is_one_sale_whoever_tells_it(folder, told):
    """It is told by ann, and once more on another device: the first counts, a user's word before a device's alone."""
    user, device, sort = told
    again = sale(1, "2026-03-01" if sort == "first" else "2026-03-03", user=user, device=device)
    analytics(folder, [sale(1, "2026-03-02"), again, sale(2, "2026-04-02", user="ben", device="d-ben")])
    return Sums({"control": {"charges": 1, "revenue_gross": "9.99"}, "variant": {"charges": 1}}, aside={"duplicate": 1},
        failing=["duplicate"])


@case("identity", ORDERS)
def an_order_told_on_a_device_before_the_log_in(folder):
    """The device is ann's, who logs in later: hers is the first word."""
    analytics(folder, [sale(1, "2026-03-02", user=None), sale(1, "2026-03-03", user="ben", device="d-ben"), row("login", "2026-03-04")])
    return Sums({"control": {"charges": 1}, "variant": {"charges": 0}}, aside={"duplicate": 1, "not_measured": 1}, failing=["duplicate"])


@case("identity", ORDERS)
def an_order_and_a_user_of_one_number(folder):
    """User 1001 has nothing to do with the order of that number."""
    rows = [sale(1, user="7", device="x", transaction_id="1001"), sale(2, user="1001", device="y", transaction_id="7")]
    analytics(folder, rows, {"7": "control", "1001": "variant"})
    return Sums({"control": {"charges": 1}, "variant": {"charges": 1}}, aside={})


@case("identity", ORDERS)
def a_refund_of_an_order_finds_it(folder):
    """The server's refund names the order and another client."""
    analytics(folder, [sale(1), row("refund", "2026-03-09", user=None, device="server", transaction_id="T1")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0"}}, aside={})


# Experiments

SEVERAL = "Firebase, A/B Testing: a user property firebase_exp_N for each experiment"


def firebase(number):
    return [("firebase_exp_12", str(number // 2 % 2)), ("firebase_exp_15", str(number % 2))]


@case("offerings", SEVERAL, each={"first": "firebase_exp_12", "second": "firebase_exp_15"})
def two_experiments_at_once(folder, wanted):
    """Everybody whose rows name the experiment is in it, buyer or not."""
    rows = []
    for number in range(40):
        user, experiments = f"u{number}", firebase(number)
        rows.append(row("session_start", "2026-03-01", user, f"d{number}", experiments))
        if number % 4 == 0 or number % 8 == 3:
            rows.append(sale(number, "2026-03-02", user, f"d{number}", experiments=experiments))
    analytics(folder, rows, {}, population="logged", baseline="0", offerings=[wanted])
    bought = {"0": 10, "1": 5}
    return Sums({group: {"users": 20, "charges": bought[group]} for group in "01"}, aside={"not_measured": 40})


@case("offerings", "RevenueCat/docs: enrolled_experiments_by_layer (version 7); experiments of webhooks", each={
    f"{feed}_{wanted}": (feed, wanted) for feed in ("export", "webhooks") for wanted in ("exp1", "exp2")})
def two_layers_of_experiments(folder, told):
    """A customer enrolled in two experiments is in both."""
    feed, wanted = told
    rows = []
    for number in range(40):
        enrolled = [{"experiment_id": "exp1", "experiment_variant": "ab"[number % 2]},
                    {"experiment_id": "exp2", "experiment_variant": "ab"[number // 2 % 2]}]
        user = f"u{number}"
        if feed == "export":
            layers = "{" + ",".join(f'"layer{place}":[{{"experiment_id":"{one["experiment_id"]}","variant":"{one["experiment_variant"]}"}}]'
                for place, one in enumerate(enrolled)) + "}"
            rows.append(export_row(user, 100 + number, "2026-03-02", "2026-04-02") | {"enrolled_experiments_by_layer": layers})
        else:
            rows.append(webhook("INITIAL_PURCHASE", user, 100 + number, "2026-03-02", "2026-04-02", experiments=enrolled))
    keys = {"population": "logged", "baseline": "a", "offerings": [wanted]}
    if feed == "export":
        folder.text("transactions.csv", csv_text(folder.mixed(rows)))
        feed_job(folder, {}, [EXPORT], **keys)
    else:
        webhooks(folder, {}, rows, **keys)
    return Sums({group: {"users": 20, "charges": 20} for group in "ab"}, aside={})


# Rows without an owner

ADAPTY = {"path": "adapty.csv", "format": "adapty-export"}
LOST = "adaptyteam/adapty-docs s3-exports.mdx: profile_id and customer_user_id may be empty"


def adapty_row(sort, when, number, chain=1, user="ann", profile="p-ann", price=9.99, until="2026-04-02"):
    return {"profile_id": profile, "event_type": sort, "event_datetime": f"{when}T10:00:00.000000+0000", "transaction_id": number,
        "original_transaction_id": chain, "subscription_expires_at": f"{until}T10:00:00.000000+0000", "environment": "Production",
        "revenue_usd": price, "revenue_local": price, "customer_user_id": user, "store": "app_store", "product_id": "monthly",
        "currency": "USD"}


def adapty(folder, rows, groups=TWO, **keys):
    folder.text("adapty.csv", csv_text(folder.mixed(rows)))
    feed_job(folder, groups, [ADAPTY], **keys)


def nobody(sort, when, number, chain=1, **more):
    return adapty_row(sort, when, number, chain, user="", profile="", **more)


@case("identity", LOST)
def adaptys_rows_without_a_profile(folder):
    """Renewals, a first payment and a refund without a profile are of whoever another row of the subscription names."""
    adapty(folder, [
        adapty_row("subscription_started", "2026-03-02", 5001, 5001), nobody("subscription_renewed", "2026-04-02", 5002, 5001),
        nobody("subscription_started", "2026-03-03", 6001, 6001),
        adapty_row("subscription_renewed", "2026-04-03", 6002, 6001, user="ben", profile="p-ben"),
        nobody("subscription_refunded", "2026-04-04", 6002, 6001, price=-9.99), nobody("subscription_started", "2026-03-03", 7001, 7001)])
    return Sums({"control": {"charges": 2, "revenue_gross": "19.98", "revenue_net": "19.98"},
                 "variant": {"charges": 2, "revenue_gross": "19.98", "revenue_net": "9.99"}}, aside={"unassigned": 1})


@case("identity", LOST)
def adaptys_subscription_of_two_profiles(folder):
    """A purchase is restored on another account: each row is its profile's, one without any the first profile's."""
    adapty(folder, [adapty_row("subscription_started", "2026-03-02", 5001, 5001),
        adapty_row("subscription_renewed", "2026-04-02", 5002, 5001, user="ben", profile="p-ben"),
        nobody("subscription_renewed", "2026-04-30", 5003, 5001)])
    return Sums({"control": {"charges": 2}, "variant": {"charges": 1}}, aside={}, checks={"purchase_conflict": ("pass", "1 subscription")})


@case("identity", "RevenueCat/docs: search both the original_app_user_id and the aliases array", each={"null": None, "absent": ...})
def revenuecats_event_by_another_id(folder, told):
    """An event without `app_user_id` is of the customer whom its other id names."""
    renewal = webhook("RENEWAL", "ann", 2, "2026-04-02", "2026-05-02")["event"] | {"app_user_id": told}
    webhooks(folder, TWO, [webhook("INITIAL_PURCHASE", "ann", 1, "2026-03-02", "2026-04-02"),
        {"api_version": "1.0", "event": {name: told for name, told in renewal.items() if told is not ...}}])
    return Sums({"control": {"charges": 2}}, aside={})


# Groups that are one

ACROSS = "adaptysdk-react-native 3.6.1 release notes: cross-placement A/B tests, one variation, a paywall a placement"


def across_placements(folder):
    """Forty users, each in one variation, see its paywall in two placements; twenty buy in the second."""
    visits = [{"profile_id": f"p{number}", "customer_user_id": f"u{number}" if number % 3 else "", "store": "app_store",
        "paywall_showed_at": f"2026-03-0{2 + place}T10:00:00.000000+0000", "developer_id": placement, "ab_test_name": "Price",
        "paywall_name": f"{placement} {'AB'[number % 2]}"}
        for number in range(40) for place, placement in enumerate(["onboarding", "settings"])]
    folder.text("visits.csv", csv_text(folder.mixed(visits)))
    rows = [adapty_row("subscription_started", "2026-03-05", 100 + number, 100 + number, f"u{number}", f"p{number}") | {
        "ab_test_name": "Price", "paywall_name": f"settings {'AB'[number % 2]}"} for number in range(40) if number % 4 < 2]
    folder.text("adapty.csv", csv_text(folder.mixed(rows)))
    return [ADAPTY, {"path": "visits.csv", "format": "adapty-export"}]


@case("offerings", ACROSS)
def a_variation_of_several_paywalls(folder):
    """The logged groups are paywalls, and everybody is in two: the check says how to take one placement's."""
    feed_job(folder, {}, across_placements(folder), population="logged", baseline="onboarding A")
    return CheckTold("multiple_groups", "developer_id", "population: logged")


@case("offerings", ACROSS)
def the_groups_of_one_placement(folder):
    """The job that the check advises."""
    purchases = across_placements(folder)
    feed_job(folder, {}, purchases, baseline="onboarding A", assignments=[{"path": "visits.csv", "columns": {
        "user": "profile_id", "offering": "ab_test_name", "group": "paywall_name", "assigned_at": "paywall_showed_at"},
        "skip_where": {"developer_id": ["settings"]}}])
    return Sums({f"onboarding {group}": {"users": 20, "charges": 10} for group in "AB"}, aside={}, failing=["group_mismatch"])


@case("init", ACROSS)
def init_says_how_to_take_one_placement(folder):
    """Which group is the baseline is asked, and how to take one placement's stands in the job."""
    across_placements(folder)
    return Init("--purchases", "adapty.csv", "visits.csv", asks=("baseline", "onboarding A"), writes=("developer_id",))


# A stranger's webhooks

PADDLE = {"path": "paddle.jsonl", "format": "events", "price_unit": "minor", "defaults": {"productId": "product", "eventType": "purchase"},
    "skip_where": {"data.custom_data.user_id": None}, "columns": {
        "eventId": "event_id", "userId": "data.custom_data.user_id", "eventType": "data.action", "occurredAt": "occurred_at",
        "price": "data.details.totals.grand_total", "currency": "data.details.totals.currency_code", "transactionId": "data.transaction_id"}}
PADDLE_SOURCE = "developer.paddle.com: transaction.completed has its own id, adjustment.created names it and no user"


def paddle_rows():
    rows = []
    for number in range(20):
        bought = {"id": f"txn_{number}", "custom_data": {"user_id": f"u{number}"},
            "details": {"totals": {"grand_total": "999", "currency_code": "USD"}}}
        rows += [{"event_id": f"evt_{sort}_{number}", "event_type": f"transaction.{sort}", "occurred_at": f"2026-03-02T10:00:0{place}Z",
            "data": bought} for place, sort in enumerate(["paid", "completed"][:1 + number % 2])]
    for number in (0, 1, 3):
        rows.append({"event_id": f"evt_r{number}", "event_type": "adjustment.created", "occurred_at": "2026-03-05T10:00:00Z",
            "data": {"id": f"adj_{number}", "action": "refund", "transaction_id": f"txn_{number}",
                "totals": {"total": "999", "currency_code": "USD"}}})
    return rows


@case("mapping", PADDLE_SOURCE)
def refunds_that_name_a_transaction_and_nobody(folder):
    """They are their charges', whose own id is the transaction's; a sale that two events tell is one."""
    folder.jsonl("paddle.jsonl", paddle_rows())
    feed_job(folder, {f"u{number}": ("control", "variant")[number % 2] for number in range(20)}, [PADDLE])
    return Sums({"control": {"charges": 10, "revenue_net": "89.91"}, "variant": {"charges": 10, "revenue_net": "79.92"}},
        aside={"duplicate": 10}, failing=["duplicate"])


@case("mapping", PADDLE_SOURCE)
def what_is_skipped_for_want_of_a_user_stays_skipped(folder):
    """A charge without a user is left out by name, and a refund of one that nobody tells is nobody's."""
    rows = paddle_rows()
    del rows[0]["data"]["custom_data"]
    folder.jsonl("paddle.jsonl", rows)
    feed_job(folder, {f"u{number}": ("control", "variant")[number % 2] for number in range(20)}, [
        PADDLE])
    return Sums({"control": {"charges": 9, "revenue_net": "89.91"}, "variant": {"charges": 10, "revenue_net": "79.92"}},
        aside={"duplicate": 10, "skipped": 1, "unassigned": 1}, failing=["duplicate"])
