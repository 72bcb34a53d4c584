"""What `init` makes of the files of the five systems that the product was made for, and of logs in which nobody pays."""

from answers import CheckTold, Init, Looked, Sums
from case import case
from folders import jsonl_text, tab_text
from people import METRICS, PAYERS, cents, group, users
from stores import bought

SYSTEMS = "the five systems' own documents (spec: systems.md)"
USERS = ["--assignments", "users.csv"]
AT = "2026-03-05T00:00:00Z"


def counts(metric, control, b, **more):
    """So many users of each group did it."""
    return Sums({"control": {metric: control}, "b": {metric: b}}, **more)


def halves(members):
    """How many of these users are in each group."""
    return sum(1 for i in members if not i % 2), sum(1 for i in members if i % 2)


def call(i, endpoint, response, **more):
    return {"userId": f"u{i}", "occurredAt": AT, "endpoint": endpoint, "response": response} | more


def event(i, name, at=AT, **more):
    return {"userId": f"u{i}", "eventType": name, "occurredAt": at} | more


# Z1: a server's log, and no money anywhere

FAILED = range(0, 200, 7)


def professional():
    """Every user looks at the plan; those of PAYERS are activated, those of FAILED send a receipt that is none."""
    plan = {"success": True, "data": {"plan_name": "Professional", "price": 50.00, "currency": "GBP", "duration": 30, "duration_unit": "days"}}
    receipt = {"request": {"apple_receipt": "MIIT"}}
    good = {"success": True, "data": {"is_professional": True, "subscription_status": "active", "transaction_id": "10", "days_remaining": 30}}
    bad = {"success": False, "error_code": 21003, "error": "The receipt could not be authenticated."}
    return ([call(i, "/api/subscription/plan-info", plan) for i in range(200)]
            + [call(i, "/api/subscription/upgrade", good, **receipt) for i in PAYERS]
            + [call(i, "/api/subscription/upgrade", bad, **receipt) for i in FAILED])


@case("init", SYSTEMS)
def a_server_s_log_alone(folder):
    """The log says who was activated and whose receipt failed, and not who paid: that is measured, and no money."""
    folder.csv("users.csv", users())
    folder.jsonl("api-log.jsonl", professional())
    activated, failed = halves(PAYERS), halves(FAILED)
    return Init(*USERS, "--purchases", "api-log.jsonl", answer=Sums({
        name: {"activation_3d": activated[place], "validation_failed_3d": failed[place]} for place, name in enumerate(("control", "b"))}),
        says=["no input tells what was paid", "50", "GBP for 30 days", "app store's notifications"],
        writes=["event: activation", "primary: true", "currency: GBP", "goal: decrease"], never=["revenue", "paying"])


@case("init", SYSTEMS)
def money_asked_of_a_server_s_log(folder):
    """A job by hand asks for revenue of a log without money: do not trust, and never "Keep control" on nothing."""
    folder.csv("users.csv", users())
    folder.jsonl("api-log.jsonl", professional())
    hand(folder, "api-log.jsonl", "api-log")
    return CheckTold("no_charges", "revenue_net", "App Store's notifications")


@case("init", SYSTEMS)
def money_asked_of_a_server_s_log_before_the_night(folder):
    """`check` says the same, and promises no run that is to be believed."""
    folder.csv("users.csv", users())
    folder.jsonl("api-log.jsonl", professional())
    hand(folder, "api-log.jsonl", "api-log")
    return Looked("no input of this job tells charges", "not to trust")


def hand(folder, log, format):
    columns = {"user": "user", "offering": "offering", "group": "group", "assigned_at": "at"}
    folder.job(assignments=[{"path": "users.csv", "columns": columns}], purchases=[{"path": log, "format": format}], metrics=METRICS)


# Other logs in which nobody pays

@case("init", "an app's log of screens, exported alone")
def views_alone(folder):
    """The log has views and nothing else: who saw the paywall is measured."""
    folder.csv("users.csv", users())
    folder.jsonl("views.jsonl", [event(i, "paywall_view") for i in PAYERS])
    return Init(*USERS, "--purchases", "views.jsonl", answer=counts("exposure_none", *halves(PAYERS)),
                says=["no row of the logs tells a charge"], never=["revenue"])


@case("init", "an app's log of screens, exported alone")
def money_asked_of_views(folder):
    """A job by hand asks such a log for revenue: a warning, as people may pay yet, and nothing to compare."""
    folder.csv("users.csv", users())
    folder.jsonl("views.jsonl", [event(i, "paywall_view") for i in PAYERS])
    hand(folder, "views.jsonl", "events")
    return CheckTold("no_charges", "No row of the purchase logs is a charge", status="warn")


@case("init", "Amplitude's and Segment's exports: an event a row, and no amount in any")
def a_stranger_s_log_of_events(folder):
    """Events have names that are nobody's and no amounts: they are counted by their names, and no price is asked for."""
    folder.csv("users.csv", users())
    folder.csv("events.csv", [{"user_id": f"u{i}", "time": AT, "event": name} for i in PAYERS for name in ("screen_view", "button_tap")])
    return Init(*USERS, "--purchases", "events.csv", answer=counts("screen_view_3d", *halves(PAYERS)), asks=(), never=["revenue"])


@case("init", "Google Play's real-time notifications without orders")
def notifications_of_google_alone(folder):
    """Notifications tell what happened to a subscription: cancellations are measured, and the orders named as what is missing."""
    folder.csv("users.csv", users())
    folder.jsonl("play.jsonl", [{"version": "1.0", "packageName": "a", "eventTimeMillis": "1772668800000", "subscriptionNotification": {
        "version": "1.0", "notificationType": 3, "purchaseToken": f"u{i}", "subscriptionId": "p"}} for i in PAYERS])
    return Init(*USERS, "--purchases", "play.jsonl", answer=counts("cancel_3d", *halves(PAYERS)), says=["Google Play's orders"], never=["revenue"])


# Z0: tables keyed by row ids

TABLES = {
    "subscription_offerings": ("id offering_id name is_active", [(7, "spring", "Spring", 1)]),
    "subscription_offering_groups": ("id subscription_offering_id group_name weight", [(11, 7, "control", "1.0"), (12, 7, "b", "1.0")]),
    "subscription_offering_group_products": (
        "id offering_group_id product_id type fallback_display_price position is_default badge_text subtitle_text",
        [(g * 10 + place, g, f"p{place}", "monthly", "9.99", place, int(place == g - 11), "", "") for g in (11, 12) for place in (0, 1)]),
    "subscription_offering_group_copy": (
        "id offering_group_id header_title header_subtitle cta_button_text supporting_text", [(g, g, "Go", "on", "Buy", "now") for g in (11, 12)]),
}


def server_tables(folder, place="", dumped=False):
    for name, (columns, rows) in TABLES.items():
        rows = [dict(zip(columns.split(), row)) for row in rows]
        if dumped:
            folder.write(f"{place}{name}.txt", tab_text(rows, columns.split()))
        else:
            folder.csv(f"{place}{name}.csv", rows)


def by_row_ids(folder, dumped=False):
    rows = [{"id": i + 1, "user_id": f"u{i}", "subscription_offering_id": 7, "offering_group_id": 11 if group(i) == "control" else 12,
             "created_at": "2026-03-01 00:00:00"} for i in range(200)]
    if dumped:
        folder.text("user_offering_assignments.txt", tab_text(folder.mixed(rows), list(rows[0])))
    else:
        folder.csv("user_offering_assignments.csv", rows)


def sales():
    """Every payer buys the product that stands first, the default of the control group alone."""
    return [event(i, "purchase", productId="p0", price="9.99", currency="USD", transactionId=f"t{i}", offeringId="spring", testGroupId=group(i))
            for i in PAYERS]


def default_sums():
    control, b = halves(PAYERS)
    return Sums({"control": {"revenue_net_none": cents(control), "default_uptake_none": [control, control]},
                 "b": {"revenue_net_none": cents(b), "default_uptake_none": [0, b]}}, silent=["group_mismatch"])


@case("init", SYSTEMS, each={"beside": ("", (), False), "handed_over": ("tables/", ("--catalog", *(
    f"tables/{name}.csv" for name in TABLES)), False), "dumped": ("", (), True)})
def assignments_by_row_ids(folder, how):
    """The server's own table names groups by row ids: names, defaults and prices come from the tables beside it."""
    place, arguments, dumped = how
    server_tables(folder, place, dumped)
    by_row_ids(folder, dumped)
    folder.jsonl("events.jsonl", sales())
    return Init("--assignments", f"user_offering_assignments.{'txt' if dumped else 'csv'}", "--purchases", "events.jsonl", *arguments,
                answer=default_sums(), writes=["keys: catalog", "default_uptake"])


@case("init", SYSTEMS)
def row_ids_without_the_catalog(folder):
    """No table says what the groups are called: that is told, with what to type."""
    by_row_ids(folder)
    folder.jsonl("events.jsonl", sales())
    return Init("--assignments", "user_offering_assignments.csv", "--purchases", "events.jsonl",
                asks=["row ids", "--catalog", "subscription_offering_groups"])


@case("init", SYSTEMS, each={"responses": ("responses.jsonl", "--catalog"), "products": ("products.csv", "--products")})
def what_is_sold_among_the_purchases(folder, told):
    """Stored answers, or the products table, are handed over as purchases: init says where they belong."""
    name, option = told
    folder.csv("users.csv", users())
    if name == "products.csv":
        folder.csv(name, [{"id": 1, "product_id": "p", "name": "P", "tier": "basic", "platform": "apple", "duration_days": 30, "scan_credits": 30}])
    else:
        body = {"offeringId": "o", "testGroupId": "control", "subscriptions": [{"productId": "p", "type": "monthly", "isDefault": True}]}
        folder.jsonl(name, [{"Success": 1, "Body": body}] * 3)
    return Init(*USERS, "--purchases", name, asks=[name, f"hand it over with {option}"])


# Z2, Z3, Z4: logs of one type of event beside the store's

@case("init", SYSTEMS)
def scans_beside_the_store(folder):
    """The app logs scans alone, a type that is nobody else's: no price is asked for, and money comes from the store."""
    folder.csv("users.csv", users())
    folder.jsonl("scans.jsonl", [event(i, "scan") for i in range(200)])
    folder.jsonl("notifications.jsonl", [bought(f"u{i}", i, "2026-03-05", "2026-04-05") for i in PAYERS])
    control, b = halves(PAYERS)
    return Init(*USERS, "--purchases", "notifications.jsonl", "scans.jsonl",
                answer=Sums({"control": {"revenue_net_none": cents(control)}, "b": {"revenue_net_none": cents(b)}}, aside={}),
                writes=["event_types: [scan]"])


@case("init", SYSTEMS, each={"user_id": "user_id", "id": "id"})
def a_server_s_table_of_trials(folder, name):
    """The server keeps `trial_activated_at` beside each user: that is when the trial began, not when the row was written."""
    folder.csv("users.csv", users())
    folder.csv("trials.csv", [{name: f"u{i}", "trial_activated_at": AT, "created_at": "2026-02-01T00:00:00Z"} for i in PAYERS])
    return Init(*USERS, "--purchases", "trials.csv", answer=counts("trial_start_rate_none", *halves(PAYERS)), writes=["trial_start"])


@case("init", SYSTEMS)
def an_app_s_trial_and_then_the_store_s(folder):
    """The app's own trial names no product; of those who pay later the store begins another: who took two is counted."""
    folder.csv("users.csv", users())
    folder.csv("app.csv", [event(i, "trial_start", at="2026-03-02T00:00:00Z", trialStartDate="2026-03-02T00:00:00Z") for i in range(0, 200, 2)])
    store = [event(i, "trial_start", at="2026-03-20T00:00:00Z", productId="pro_monthly") for i in range(0, 200, 8)]
    paid = [event(i, "renewal", at="2026-04-03T00:00:00Z", productId="pro_monthly", price="2.99", currency="USD", transactionId=f"t{i}") for i in range(0, 200, 8)]
    folder.text("store.jsonl", jsonl_text(folder.mixed(store + paid)))
    return Init(*USERS, "--purchases", "app.csv", "store.jsonl", answer=Sums({"control": {"second_trial_30d": 25, "trial_start_rate_none": 100}}),
                writes=["at_least: 2"])
