"""Trials that an app or its server begins by itself, beside those of the stores."""

from answers import Looked, Sums
from case import case
from stores import NOTIFICATIONS, WEBHOOKS, apple, bought, feed_job, renewed, trial, webhook

OWN = {"path": "app.jsonl", "format": "events"}
TWO = {"ann": "control", "ben": "variant"}
APP = "fourteen free days as a date on the device, then the store's introductory offer: Apple, offerDiscountType FREE_TRIAL"
SERVER = "three days of access, `trial_activated_at` in the server's table of users and its procedure: Supabase, rpc; RevenueCat, non-renewing"
METRICS = [{"name": "event_count", "event": "trial_start", "id": "trials"}, {"name": "event_rate", "event": "trial_start", "at_least": 2,
    "id": "second"}, {"name": "trial_to_paid"}, {"name": "initial_conversion"}, {"name": "trial_start_rate"}]


def own(user, when, **more):
    """The app's own trial: no transaction, and no product unless told."""
    return {"userId": user, "eventType": "trial_start", "occurredAt": f"{when.replace(' ', 'T')}Z"} | more


@case("life", APP, each={"without_product": {}, "with_product": {"productId": "monthly"}, "with_id": {"productId": "monthly", "eventId": "e1"}})
def the_app_s_trial_and_then_the_store_s(folder, more):
    """The store's offer begins twelve days after the app's trial: a second trial, which is paid. Who had the app's alone is past it."""
    folder.jsonl("app.jsonl", [own(user, "2026-03-01 09:00:00", **{name: value + user if name == "eventId" else value for name, value in more.items()})
        for user in TWO])
    folder.jsonl("notifications.jsonl", [trial("ann", 1, "2026-03-13", "2026-03-27"), renewed("ann", 2, "2026-03-27", "2026-04-27", 1)])
    feed_job(folder, TWO, [OWN, NOTIFICATIONS], metrics=METRICS, trial="P14D")
    return Sums({"control": {"trials": 2, "second": 1, "trial_to_paid": [1, 1], "initial_conversion": 1},
                 "variant": {"trials": 1, "second": 0, "trial_to_paid": [0, 1], "initial_conversion": 1}},
                states={"control": {"expired": 1}, "variant": {"trial_expired": 1}}, aside={}, silent=["unknown_trial"])


@case("life", APP, each={"apple": lambda: (NOTIFICATIONS, trial("ann", 1, "2026-04-20", "2026-05-20")),
    "revenuecat": lambda: (WEBHOOKS, webhook("INITIAL_PURCHASE", "ann", 1, "2026-04-20", "2026-05-20", price=0, period_type="TRIAL"))})
def one_trial_told_by_the_app_and_the_store(folder, told):
    """The app tells at the same moment what the store tells: one trial, as long as the store's."""
    feed, row = told()
    folder.jsonl("app.jsonl", [own("ann", "2026-04-20 10:00:00")])
    folder.jsonl(feed["path"], [row])
    feed_job(folder, TWO, [OWN, feed], metrics=METRICS, trial="P1W")
    return Sums({"control": {"trials": 1, "second": 0}}, states={"control": {"in_trial": 1}}, aside={"duplicate": 1})


@case("life", APP)
def trials_of_unknown_length(folder):
    """Nothing tells how long the app's trial is: it ends with a charge alone, and a check names the users and what to type."""
    folder.jsonl("app.jsonl", [own(user, "2026-02-03 09:00:00") for user in TWO])
    folder.jsonl("notifications.jsonl", [bought("ann", 1, "2026-02-20", "2026-03-20")])
    feed_job(folder, TWO, [OWN, NOTIFICATIONS], metrics=METRICS)
    return Sums({"control": {"trials": 1}, "variant": {"trials": 1}}, states={"control": {"expired": 1}, "variant": {"in_trial": 1}},
                aside={}, checks={"unknown_trial": ("warn", "1 user", "trial: P14D")})


@case("life", APP)
def a_trial_longer_than_the_usual_time(folder):
    """Thirty free days, paid on the day they end: a trial that was paid, though 16 days were long over."""
    apple(folder, TWO, [trial("ann", 1, "2026-03-01", "2026-03-31"), renewed("ann", 2, "2026-03-31", "2026-04-30", 1)], metrics=METRICS + [
        {"name": "trial_to_paid", "within": "16d", "id": "in_16_days"}])
    return Sums({"control": {"trial_to_paid": [1, 1], "in_16_days": [0, 1]}}, aside={})


def three_days(folder, metrics=METRICS, **keys):
    """Ann's three days began on the last evening, ben's a week ago; cem never asked."""
    rows = [{"id": user, "email": "", "trial_activated_at": began} for user, began in (
        ("ann", "2026-04-29 20:00:00.123456+00"), ("ben", "2026-04-20 08:00:00+00"), ("cem", ""))]
    folder.csv("users.csv", rows)
    table = {"path": "users.csv", "format": "events-csv", "columns": {"userId": "id", "occurredAt": "trial_activated_at"},
             "defaults": {"eventType": "trial_start"}} | keys
    return TWO | {"cem": "third"}, table


@case("life", SERVER)
def three_days_of_the_server_s_own(folder):
    """Who is in the three days tonight, of a table of users that names no product: one is, one was, one never."""
    groups, table = three_days(folder, skip_where={"trial_activated_at": None})
    feed_job(folder, groups, [table], metrics=METRICS, trial="P3D")
    return Sums({"control": {"trials": 1}, "third": {"trials": 0}},
                states={"control": {"in_trial": 1}, "variant": {"trial_expired": 1}, "third": {"never": 1}}, aside={"skipped": 1})


@case("life", SERVER)
def users_who_never_began_one(folder):
    """The same without a word of those whose time is empty: the refusal says how to leave them out."""
    groups, table = three_days(folder)
    feed_job(folder, groups, [table], metrics=METRICS, trial="P3D", max_reject_ratio=0.01)
    return Looked("skip_where: {trial_activated_at: null}")


@case("life", SERVER)
def three_days_bought_and_given(folder):
    """The three days are bought, and the server notes the same: access that was paid for comes first, and nobody is in two states."""
    groups, table = three_days(folder, skip_where={"trial_activated_at": None})
    folder.jsonl("webhooks.jsonl", [webhook("NON_RENEWING_PURCHASE", user, number, when, None, product="coach_3day", price=2.99)
        for number, (user, when) in enumerate({"ann": "2026-04-29 20:00", "ben": "2026-04-20 08:00"}.items())])
    feed_job(folder, groups, [table, WEBHOOKS], products="product_id,kind,period\ncoach_3day,non_renewing,P3D\n", trial="P3D",
        metrics=[*METRICS, "charges"])
    return Sums({"control": {"trials": 1, "charges": 1, "initial_conversion": 1}, "variant": {"charges": 1}},
                states={"control": {"one_time_access": 1}, "variant": {"trial_expired": 1}, "third": {"never": 1}}, aside={"skipped": 1})


def calls(folder, path, answer, **keys):
    """Ann's app calls a procedure of the server on two days."""
    folder.jsonl("calls.jsonl", [{"userId": "ann", "occurredAt": when, "endpoint": path, "eventId": when, "response": answer}
        for when in ("2026-04-27T09:00:01Z", "2026-04-30T10:00:00Z")])
    feed_job(folder, TWO, [{"path": "calls.jsonl", "format": "api-log"} | keys], metrics=METRICS, trial="P3D")


@case("life", SERVER, each={"by_the_usual_name": ("/rest/v1/rpc/activate_trial", {}),
    "mapped": ("/rest/v1/rpc/start_trial", {"endpoints": {"/rest/v1/rpc/start_trial": "/rest/v1/rpc/activate_trial"}})})
def three_days_asked_for_twice(folder, told):
    """The server answers both calls with when the trial began: it is one."""
    path, keys = told
    calls(folder, path, {"id": "ann", "trial_activated_at": "2026-04-27T09:00:00+00:00"}, **keys)
    return Sums({"control": {"trials": 1}}, states={"control": {"trial_expired": 1}}, aside={"duplicate": 1})


@case("life", SERVER)
def three_days_of_which_nothing_is_told(folder):
    """The server answers with nothing of the kind: each call is a trial from its own time."""
    calls(folder, "/rest/v1/rpc/activate_trial", {})
    return Sums({"control": {"trials": 2}}, states={"control": {"in_trial": 1}}, aside={})


@case("life", SERVER)
def three_days_refused(folder):
    """The procedure raised an error both times: no trial."""
    calls(folder, "/rest/v1/rpc/activate_trial", {"code": "P0001", "message": "trial already used", "details": None, "hint": None})
    return Sums({"control": {"trials": 0}}, states={"control": {"never": 1}}, aside={})
