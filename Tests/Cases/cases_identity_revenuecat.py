"""Whose money it is, RevenueCat: one customer has many ids, and logging in tells nobody."""

from answers import CheckTold, Either, Sums
from case import case
from stores import EXPORT, EXPORT_COLUMNS, WEBHOOKS, at, export, export_row, feed_job, webhook, webhooks
from folders import csv_text, jsonl_text

ALIASES = ("RevenueCat/docs event-types-and-fields (\"search both the original_app_user_id and the aliases array\"); "
           "RevenueCat/react-native-purchases#297; RevenueCat/firestore-revenuecat-purchases#97")
EXPORTS = "RevenueCat/docs scheduled-data-exports: rc_original_app_user_id, rc_last_seen_app_user_id_alias"
TRANSFERS = "RevenueCat community: transfer-webhook-event-4804"
ENROLLED = "RevenueCat/docs EXPERIMENT_ENROLLMENT"
ANON = "$RCAnonymousID:80690000d6049ce87cc5298539{:06x}"
TWO = {"ann": "control", "ben": "variant"}


def purchase(user, number=1, **more):
    return webhook("INITIAL_PURCHASE", user, 440000000100 + number, "2026-03-02", "2026-04-02", **more)


def cancellation(user, number=1, **more):
    return webhook("CANCELLATION", user, 440000000100 + number, "2026-03-02", "2026-04-02",
                   **({"sent": "2026-03-10", "price": 0, "cancel_reason": "UNSUBSCRIBE"} | more))


ANNS = Sums({"control": {"revenue_gross": "9.99", "revenue_net": "9.99", "charges": 1, "paying_conversion": 1}, "variant": {"charges": 0}},
    aside={})


@case("identity", ALIASES)
def ten_of_forty_bought_before_they_logged_in(folder):
    """Ten first events carry an anonymous id, the next ones list it beside the app's own id: both groups are alike."""
    rows = []
    for number in range(40):
        user, anonymous = f"user_{number:03}", ANON.format(number)
        is_early = number % 4 == 0
        first = webhook("INITIAL_PURCHASE", anonymous if is_early else user, 1000 + number, "2026-03-02", "2026-04-02", original=anonymous,
                        aliases=[anonymous] if is_early else [anonymous, user])
        rows += [first, webhook("RENEWAL", user, 2000 + number, "2026-04-02", "2026-05-02", original=anonymous, aliases=[anonymous, user])]
    webhooks(folder, {f"user_{number:03}": ("variant", "control")[number % 2] for number in range(40)}, rows)
    return Sums({group: {"revenue_gross": "399.6", "charges": 40, "paying_conversion": 20} for group in ("control", "variant")}, aside={})


@case("identity", ALIASES)
def half_of_a_group_buys_before_it_signs_up(folder):
    """Three hundred payers a group; half of the variant's buy before they sign up: neither earns less."""
    rows = []
    groups = {f"user_{number:05}": ("variant", "control")[number % 2] for number in range(3000)}
    for number in (number for number in range(3000) if number % 10 < 2):
        user, anonymous = f"user_{number:05}", ANON.format(number)
        is_early = number % 20 == 0
        rows += [webhook("INITIAL_PURCHASE", anonymous if is_early else user, 4700000000 + number, "2026-03-02", "2026-04-02",
            original=anonymous,
                         aliases=[anonymous] if is_early else [anonymous, user]),
                 webhook("CANCELLATION", user, 4700000000 + number, "2026-03-02", "2026-04-02", sent="2026-03-10", original=anonymous,
                         aliases=[anonymous, user], price=0, cancel_reason="UNSUBSCRIBE")]
    folder.as_of = "2026-04-20T00:00:00Z"
    webhooks(folder, groups, rows, assigned="2026-03-02T00:00:00Z", metrics=[
        {"name": "revenue_net", "window": "30d", "primary": True}, {"name": "paying_conversion", "window": "30d", "primary": True}])
    return Sums({group: {"revenue_net_30d": "2997.00", "paying_conversion_30d": 300} for group in ("control", "variant")}, aside={})


@case("identity", ALIASES, each={
    "aliases": lambda anonymous: {"aliases": [anonymous, "ann"], "original": "ann"},
    "original": lambda anonymous: {"original": anonymous, "aliases": ["ann"]},
    "original_without_aliases": lambda anonymous: {"original": anonymous, "aliases": ...},
    "original_and_null": lambda anonymous: {"original": anonymous, "aliases": None},
    "no_own_id_among_aliases": lambda anonymous: {"original": "ann", "aliases": [anonymous]}, "many": lambda anonymous: {
        "aliases": ["ann", ANON.format(77), anonymous, "ann", ANON.format(78)], "original": ANON.format(78)}})
def ids_told_by_a_later_event(folder, told):
    """Who bought anonymously is named by a later cancellation, by its aliases or its original id."""
    anonymous = ANON.format(1)
    webhooks(folder, TWO, [purchase(anonymous), cancellation("ann", **told(anonymous))])
    return ANNS


@case("identity", ALIASES, each={
    "shared": ({"is_family_share": True}, "family_shared"), "given": ({"store": "PROMOTIONAL"}, "not_measured"),
    "without_its_price": ({"price_in_purchased_currency": None}, "missing_price")})
def ids_told_by_an_event_that_is_no_payment(folder, told):
    """An event of access that nobody paid for, or of a price that nobody knows, says all the same whose the ids are."""
    members, reason = told
    anonymous = ANON.format(1)
    webhooks(folder, TWO, [purchase(anonymous), purchase("ann", 2, aliases=[anonymous, "ann"], **members)])
    return Sums(ANNS.groups, aside={reason: 1})


@case("identity", ALIASES, each={"original": 1, "aliases": 2})
def the_assigned_id_is_the_anonymous_one(folder, sort):
    """The test was assigned before the login, by the anonymous id; the purchase comes under the account's."""
    anonymous = ANON.format(1)
    webhooks(folder, {anonymous: "control", "ben": "variant"}, [
        purchase("ann", original=anonymous if sort == 1 else "ann", aliases=["ann"] if sort == 1 else [anonymous, "ann"])])
    return ANNS


@case("identity", ALIASES)
def aliases_over_three_ids(folder):
    """Two devices and an account: the first event knows the first device, the second joins both, the third names the account."""
    one, two = ANON.format(1), ANON.format(2)
    webhooks(folder, TWO, [purchase(one), cancellation(two, original=two, aliases=[one, two]),
                           webhook("UNCANCELLATION", "ann", 440000000101, "2026-03-02", "2026-04-02", sent="2026-03-12", original="ann",
                           aliases=[two, "ann"], price=0)])
    return ANNS


@case("identity", ALIASES)
def aliases_over_six_ids(folder):
    """Each event joins two neighbours of a chain of six ids, in no order of time."""
    ids = [ANON.format(number) for number in range(5)] + ["ann"]
    rows = [purchase(ids[0], aliases=[ids[0]])] + [
        webhook("UNCANCELLATION", ids[place], 900 + place, "2026-03-02", "2026-04-02", sent=f"2026-03-{20 - place}", original=ids[place],
                aliases=[ids[place + 1]], price=0) for place in (3, 0, 4, 2, 1)]
    webhooks(folder, TWO, rows)
    return ANNS


@case("identity", "RevenueCat/docs: SUBSCRIBER_ALIAS (deprecated, still in old logs)", each={"before": "2026-03-01", "after": "2026-03-15"})
def a_subscriber_alias(folder, when):
    """The event SUBSCRIBER_ALIAS says that an anonymous id is an account's."""
    anonymous = ANON.format(1)
    alias = {"api_version": "1.0", "event": {"type": "SUBSCRIBER_ALIAS", "id": "AL-1", "app_id": "app1", "event_timestamp_ms": at(when),
        "app_user_id": "ann",
                                             "original_app_user_id": anonymous, "aliases": [anonymous, "ann"], "store": "APP_STORE",
                                             "environment": "PRODUCTION"}}
    webhooks(folder, TWO, [purchase(anonymous), alias])
    return Sums(ANNS.groups)


@case("identity", ALIASES, each={"names_first": "a", "names_last": "z"})
def ids_told_in_another_file(folder, name):
    """The event that names the account lies in the log of another day."""
    anonymous = ANON.format(1)
    folder.text("m.jsonl", jsonl_text([purchase(anonymous)]))
    folder.text(f"{name}.jsonl", jsonl_text([cancellation("ann", original=anonymous, aliases=[anonymous, "ann"])]))
    feed_job(folder, TWO, [WEBHOOKS | {"path": "*.jsonl"}])
    return ANNS


@case("identity", ALIASES, each={"null": None, "empty": [], "absent": ...})
def events_that_tell_no_aliases(folder, aliases):
    """Aliases are null, empty or not there: the event is its user's."""
    webhooks(folder, TWO, [purchase("ann", aliases=aliases)])
    return ANNS


@case("identity", "RevenueCat/docs: refunds are CANCELLATION with a negative price")
def a_refund_under_another_id(folder):
    """The purchase came anonymously, its refund under another id and without aliases: known by its transaction."""
    webhooks(folder, TWO, [purchase("ann"), cancellation("support", price=-9.99, cancel_reason="CUSTOMER_SUPPORT")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1}}, aside={})


@case("identity", ALIASES)
def aliases_in_upper_case(folder):
    """The account's id is a UUID, which the app tells in upper case and the server keeps in lower case."""
    user = "7a1c0de0-0000-4000-8000-0000000000a1"
    webhooks(folder, {user: "control", "ben": "variant"}, [
        purchase(ANON.format(1)), cancellation(user.upper(), original=ANON.format(1), aliases=[ANON.format(1), user.upper()])])
    return ANNS


@case("identity", ALIASES)
def aliases_and_identities(folder):
    """An alias is an account of the app by the identities."""
    folder.csv("identities.csv", [{"alias": "login-1", "user": "ann"}, {"alias": "login-2", "user": "ben"}])
    webhooks(folder, TWO, [purchase(ANON.format(1)), cancellation("login-1", original=ANON.format(1), aliases=[ANON.format(1), "login-1"])],
             identities="identities.csv")
    return ANNS


@case("identity", ALIASES)
def strangers_aliases(folder):
    """A customer none of whose ids is assigned is outside the test."""
    webhooks(folder, TWO, [purchase("ann"), purchase(ANON.format(9), 2), cancellation("zoe", 2, original=ANON.format(9),
        aliases=[ANON.format(9), "zoe"])])
    return Sums(ANNS.groups, aside={"unassigned": 2}, failing=["unassigned"])


@case("identity", "RevenueCat/docs user-ids: hard-coded ids, of which `guest` and `unknown` are blocked by now")
def an_id_that_everybody_shares(folder):
    """Old logs have one hard-coded id among everybody's aliases: each is himself, or the check says that users are in two groups."""
    users = {f"user_{number:03}": ("control", "variant")[number % 2] for number in range(60)}
    webhooks(folder, users, [purchase(user, place, original="guest", aliases=["guest", user]) for place, user in enumerate(users)])
    return Either(Sums({group: {"charges": 30, "paying_conversion": 30} for group in ("control", "variant")}), CheckTold("multiple_groups"))


@case("identity", ALIASES, each={"aliases": 1, "export": 2})
def aliases_that_are_nothing(folder, sort):
    """Aliases are empty, null or written as NULL in everybody's rows: they join nobody with anybody."""
    users = {f"user_{number:03}": ("control", "variant")[number % 2] for number in range(40)}
    if sort == 1:
        webhooks(folder, users, [purchase(user, place, aliases=["", user, None]) for place, user in enumerate(users)])
    else:
        export(folder, users, [export_row(user, place, "2026-03-02", "2026-04-02") | {
            "rc_last_seen_app_user_id_alias": ("", "\\N", "NULL")[place % 3]} for place, user in enumerate(users)])
    return Sums({group: {"charges": 20, "paying_conversion": 20} for group in ("control", "variant")}, aside={})


@case("identity", "apps log in as \"null\": RevenueCat/docs user-ids (blocked App User IDs)", each={"lower": "null", "upper": "NULL"})
def words_for_nobody_join_nobody(folder, word):
    """Two customers have a word for nobody among their ids, and got purchases of it: they stay two."""
    transfer = {"api_version": "1.0", "event": {"type": "TRANSFER", "id": "TR-1", "event_timestamp_ms": at("2026-03-05"),
        "store": "APP_STORE", "environment": "PRODUCTION", "transferred_from": ["old", word], "transferred_to": ["ann"]}}
    webhooks(folder, TWO, [purchase("ann", 1, aliases=[word, "ann"]), purchase("ben", 2, original=word, aliases=["ben"]), transfer])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}, "variant": {"revenue_gross": "9.99", "charges": 1}}, aside={})


# Exports

@case("identity", EXPORTS, each={"original": ("ann", ANON.format(1)), "alias": (ANON.format(1), "ann"), "both": ("ann", "ann")})
def the_two_ids_of_an_export(folder, ids):
    """The assigned id stands in one of the export's two columns."""
    export(folder, TWO, [export_row(ids[0], 1, "2026-03-02", "2026-04-02", alias=ids[1])])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}, "variant": {"charges": 0}}, aside={})


@case("identity", EXPORTS)
def ids_of_an_export_over_rows(folder):
    """A row joins the first id with the second, another the second with the account: all are one customer."""
    export(folder, TWO, [export_row("anon1", 1, "2026-03-02", "2026-04-02", alias="anon1"),
        export_row("anon1", 2, "2026-03-03", "2026-04-03", alias="anon2"),
                         export_row("anon2", 3, "2026-03-04", "2026-04-04", alias="ann")])
    return Sums({"control": {"revenue_gross": "29.97", "charges": 3}}, aside={})


@case("identity", EXPORTS, each={
    "shared": ({"ownership_type": "FAMILY_SHARED"}, "family_shared"), "given": ({"store": "promotional"}, "not_measured"),
    "ended_before": ({"end_time": "2026-03-01 10:00:00"}, "not_measured")})
def ids_of_an_exports_row_that_is_no_payment(folder, told):
    """A row of access that nobody paid for is left out, and says all the same whose the ids are."""
    members, reason = told
    anonymous = ANON.format(1)
    export(folder, TWO, [export_row(anonymous, 1, "2026-03-02", "2026-04-02"),
                         export_row(anonymous, 2, "2026-03-03", "2026-04-03", alias="ann") | members])
    return Sums(ANNS.groups, aside={reason: 1})


@case("identity", EXPORTS)
def what_a_spreadsheet_left_of_an_exports_ids_joins_nobody(folder):
    """The second id of two customers is the same rounded number: they stay two."""
    export(folder, TWO, [export_row(user, place, "2026-03-02", "2026-04-02", alias="4.07E+09") for place, user in enumerate(TWO)])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}, "variant": {"revenue_gross": "9.99", "charges": 1}}, aside={})


@case("identity", EXPORTS)
def an_export_without_the_second_column(folder):
    """The customer's export has one column of ids: as ever."""
    rows = [export_row("ann", 1, "2026-03-02", "2026-04-02")]
    folder.text("transactions.csv", csv_text(rows, header=[name for name in EXPORT_COLUMNS if name != "rc_last_seen_app_user_id_alias"]))
    feed_job(folder, TWO, [EXPORT])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}}, aside={})


@case("identity", "as both; spec: several feeds of one store")
def webhooks_and_an_export_of_one_customer(folder):
    """The webhook knows the anonymous id, the export both: one charge of the assigned user."""
    anonymous = ANON.format(1)
    folder.jsonl("webhooks.jsonl", [purchase(anonymous, renewal_number=1)])
    folder.text("transactions.csv", csv_text([export_row(anonymous, 440000000101, "2026-03-02", "2026-04-02", alias="ann")],
        header=EXPORT_COLUMNS))
    feed_job(folder, TWO, [WEBHOOKS, EXPORT])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1, "paying_conversion": 1}}, failing=["duplicate"])


# Transfers

def transfer(old, new, when="2026-03-20"):
    return {"api_version": "1.0", "event": {"type": "TRANSFER", "id": f"T-{old}-{new}", "app_id": "app1a2b3c",
        "event_timestamp_ms": at(when), "store": "APP_STORE",
                                            "environment": "PRODUCTION", "transferred_from": [old], "transferred_to": [new]}}


@case("identity", TRANSFERS)
def a_transfer_between_assigned_accounts(folder):
    """Two assigned accounts of one group, one purchase, one transfer: one payer of two users."""
    folder.as_of = "2026-04-20T00:00:00Z"
    webhooks(folder, {"alice": "variant", "bob": "variant", "carol": "control"}, [purchase("alice"), transfer("alice", "bob")])
    return Sums({"variant": {"revenue_gross": "9.99", "charges": 1, "paying_conversion": 1}})


@case("identity", TRANSFERS, each={"to_assigned": ("old", "ann"), "to_unassigned": ("ann", "new")})
def a_transfer_with_one_assigned_account(folder, ids):
    """A purchase is transferred between an assigned account and another: it is the assigned one's."""
    webhooks(folder, TWO, [purchase(ids[0]), transfer(*ids)])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}})


# Enrolments

def enrolled(user, variant, number, when="2026-03-01", aliases=None):
    return {"api_version": "1.0", "event": {
        "type": "EXPERIMENT_ENROLLMENT", "id": f"EN{number}", "app_id": "app1", "event_timestamp_ms": at(when) + number,
        "app_user_id": user,
        "aliases": aliases or [user], "original_app_user_id": (aliases or [user])[0], "experiment_id": "prexp1",
        "experiment_variant": variant,
        "offering_id": "o", "enrolled_at_ms": at(when) + number}}


def logged(folder, rows):
    folder.as_of = "2026-03-20T00:00:00Z"
    webhooks(folder, {}, rows, population="logged", baseline="a")


def halves(**more):
    """Forty users, and the purchases of the first twenty."""
    users = [f"user_{number:03}" for number in range(40)]
    bought = [webhook("INITIAL_PURCHASE", user, 100 + place, "2026-03-05", "2026-04-05",
        **{name: value(place) for name, value in more.items()}, experiments=[
        {"experiment_id": "prexp1", "experiment_variant": "ab"[place % 2], "enrolled_at_ms": at("2026-03-01") + place}]) for place,
        user in enumerate(users[:20])]
    return users, bought


HALF = Sums({group: {"users": 20, "paying_conversion": 10, "revenue_gross": "99.9"} for group in "ab"})


@case("identity", ENROLLED, each={"once": 1, "twice": 2})
def enrolments_are_the_population(folder, times):
    """Forty were enrolled, once or told twice, ten of each variant bought: half of them, not all."""
    users, bought = halves()
    logged(folder, [enrolled(user, "ab"[place % 2], place + 100 * turn, f"2026-03-0{1 + turn}") for turn in range(times) for place,
        user in enumerate(users)] + bought)
    return HALF


@case("identity", ENROLLED)
def enrolments_under_an_anonymous_id(folder):
    """They were enrolled anonymously and bought after they logged in: the same people."""
    users, bought = halves(original=ANON.format, aliases=lambda place: [ANON.format(place), f"user_{place:03}"])
    logged(folder, [enrolled(ANON.format(place), "ab"[place % 2], place) for place in range(40)] + bought)
    return HALF


@case("identity", ENROLLED)
def buyers_that_were_not_enrolled(folder):
    """Five buyers who were in no experiment are not of the population."""
    users, bought = halves()
    strange = [webhook("INITIAL_PURCHASE", f"zoe{place}", 900 + place, "2026-03-05", "2026-04-05",
        presented_offering_id=None) for place in range(5)]
    logged(folder, [enrolled(user, "ab"[place % 2], place) for place, user in enumerate(users)] + bought + strange)
    return HALF


@case("identity", ENROLLED)
def enrolled_in_two_variants(folder):
    """One user is enrolled in both variants: left out of both."""
    users, bought = halves()
    logged(folder, [enrolled(user, "ab"[place % 2], place) for place, user in enumerate(users)] + [enrolled("user_039", "a", 900,
        "2026-03-02")] + bought)
    return Sums({"a": {"users": 20, "paying_conversion": 10}, "b": {"users": 19, "paying_conversion": 10}})


@case("identity", ENROLLED)
def enrolments_beside_assignments(folder):
    """Where a table assigns, enrolments change nothing."""
    webhooks(folder, TWO, [enrolled("ann", "b", 1), enrolled("zoe", "a", 2), purchase("ann")])
    return Sums({"control": {"users": 1, "charges": 1}, "variant": {"users": 1, "charges": 0}}, failing=["group_mismatch", "unassigned"])
