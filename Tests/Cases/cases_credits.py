"""Tiers and credits: products as a server has them, whose a purchase is that a call sent, and what the server says is left."""

import json

from answers import Looked, Refusal, Sums
from case import case
from folders import jsonl_text
from stores import METRICS, NOTIFICATIONS, bought, feed_job, refunded, renewed, signed_text

SERVER = "the system of tiers and credits: GET /subscription/products, POST /subscription/purchase, GET /user/subscription"
PLAN = "the system of one professional plan: POST /api/subscription/upgrade"
API = {"path": "api*.jsonl", "format": "api-log"}
TABLE = """id,product_id,name,tier,platform,duration_days,scan_credits
1,basic,Basic,basic,apple,30,30
2,standard,Standard,standard,apple,30,60
4,basic,Basic,basic,google,30,30
"""
PRODUCTS = [dict(zip(TABLE.split("\n")[0].split(","), row.split(","))) | {"duration_days": 30, "scan_credits": int(row.split(",")[-1])}
    for row in TABLE.strip().split("\n")[1:]]
CREDITS = ["credits_granted", {"name": "credits_balance", "starting": 6, "spent_by": "scan"}, "mrr", "active_subscription", "charges"]
ANN, BEN, TOKEN = (f"7a1c0de0-0000-4000-8000-0000000000{letter}1" for letter in "abc")


def call(user, when, endpoint, response, **request):
    """A call of the app; what it sent stands beside the answer."""
    return {"userId": user, "occurredAt": when, "endpoint": endpoint} | ({"request": request} if request else {}) | {"response": response}


def sent(user, when, receipt, left=None, success=True):
    """A purchase that a call sent to the server."""
    told = {"is_active": success, "tier": "basic"} | ({} if left is None else {"scan_credits_remaining": left})
    return call(user, when, "/subscription/purchase", {"success": success, "message": "Processed", "subscription": told},
        receipt_data=receipt, platform="apple")


def asked(user, when, left):
    return call(user, when, "/user/subscription", {"is_active": False, "tier": "none", "scan_credits_remaining": left})


def scan(user, when):
    return {"userId": user, "eventType": "scan", "occurredAt": when, "eventId": f"scan-{user}-{when}"}


def write(folder, notifications, calls, users, products=None, metrics=METRICS, inputs=(), **keys):
    """Notifications, calls in a file each of two, and the job."""
    rows = notifications if folder.is_told else [signed_text(row) for row in notifications]
    folder.jsonl("notifications.jsonl", rows)
    folder.shards("api-{}.jsonl", calls, parts=2, text=jsonl_text)
    feed_job(folder, users, [NOTIFICATIONS, API, *inputs], metrics=metrics, **({"products": products} if products else {}), **keys)


def basic(user, number, when="2026-03-02", until="2026-04-02", **more):
    return bought(user, number, when, until, product="basic", price=4990, **more)


# Products


@case("mapping", SERVER, each={
    "csv": ("p.csv", TABLE, {}), "list": ("p.json", json.dumps(PRODUCTS), {"format": "jsonl"}),
    "spread": ("p.json", json.dumps(PRODUCTS, indent=2) + "\n", {"format": "jsonl"}),
    "lists": ("p.jsonl", "".join(json.dumps(rows) + "\n" for rows in ([], PRODUCTS[:1], PRODUCTS)), {"format": "jsonl"}),
    "calls": ("p.jsonl", jsonl_text([call(ANN, "2026-03-01T00:00:00Z", "/subscription/products?platform=apple", PRODUCTS),
        call(BEN, "2026-03-01T00:00:00Z", "/subscription/products?platform=google", PRODUCTS[2:]),
        asked(BEN, "2026-03-01T00:00:00Z", 6)]), {"format": "jsonl"}),
    "objects": ("p.jsonl", jsonl_text(PRODUCTS), {"format": "jsonl"}),
    "named": ("p.csv", TABLE, {"columns": {"credits": "scan_credits"}})})
def products_as_the_server_has_them(folder, written):
    """Credits, tiers and periods of 30 days are read from the server's table, or from its answers; the price is not."""
    name, text, keys = written
    folder.write(name, text)
    write(folder, [basic(ANN, 1101), bought(BEN, 1201, "2026-03-03", "2026-04-03", product="standard", price=8990)], [],
        {ANN: "control", BEN: "variant"}, products={"path": name} | keys, metrics=CREDITS, inputs=[{"path": "scans.jsonl", "format": "events"}])
    folder.jsonl("scans.jsonl", [scan(ANN, "2026-03-04T00:00:00Z")])
    folder.as_of = "2026-03-20T00:00:00Z"
    return Sums({"control": {"credits_granted": 30, "credits_balance": 35, "charges": 1, "mrr": "4.99"},
        "variant": {"credits_granted": 60, "credits_balance": 66, "mrr": "8.99"}}, aside={})


@case("mapping", SERVER)
def two_answers_that_differ(folder):
    """Of one product two answers say different credits: nobody can say which is right."""
    folder.write("p.json", json.dumps(PRODUCTS + [PRODUCTS[2] | {"scan_credits": 40}]))
    write(folder, [basic(ANN, 1101)], [], {ANN: "control"}, products={"path": "p.json", "format": "jsonl"}, metrics=["charges"])
    return Refusal("basic", "p.json", "an earlier row says otherwise", code=65)


@case("check", SERVER, each={"no_column": TABLE.replace("scan_credits", "scans"), "nothing": TABLE.replace(",30\n", ",0\n").replace(",60\n", ",0\n")})
def credits_that_no_product_grants(folder, table):
    """A metric of credits is refused where the products table grants none."""
    folder.write("p.csv", table)
    write(folder, [basic(ANN, 1101)], [], {ANN: "control"}, products={"path": "p.csv"}, metrics=CREDITS)
    return Refusal("credits_granted", "p.csv", "columns: {credits:", code=78)


@case("check", SERVER)
def credits_that_no_product_grants_are_found_by_check(folder):
    """`check` says it before the night."""
    folder.write("p.csv", TABLE.replace("scan_credits", "scans"))
    write(folder, [basic(ANN, 1101)], [], {ANN: "control"}, products={"path": "p.csv"}, metrics=CREDITS)
    return Looked("credits_granted", "p.csv", "columns: {credits:")


# Whose it is


@case("identity", SERVER, each={"before": "2026-03-02T09:00:00Z", "after": "2026-03-09T00:00:00Z", "after_the_renewal": "2026-04-09T00:00:00Z"})
def a_call_names_the_buyer(folder, when):
    """Notifications have no token: whose they are the purchase call says, whenever it came; so are renewal and refund."""
    one = bought(None, 1101, "2026-03-02", "2026-04-02")
    other = bought(None, 1201, "2026-03-02", "2026-04-02")
    write(folder, [one, renewed(None, 1102, "2026-04-02", "2026-05-02", 1101), other, refunded(None, other, "2026-03-20")],
        [sent("ann", when, "1101"), sent("ben", when, "1201")], {"ann": "control", "ben": "variant"})
    folder.as_of = "2026-04-20T00:00:00Z"
    return Sums({"control": {"charges": 2, "revenue_net": "19.98", "active_subscription": 1},
        "variant": {"charges": 1, "revenue_gross": "9.99", "revenue_net": 0}}, aside={}, silent=["purchase_conflict"])


@case("identity", SERVER)
def a_call_that_sends_a_renewal(folder):
    """The app sends the transaction it finds, a renewal's: all of the subscription is the user's."""
    write(folder, [bought(None, 1101, "2026-03-02", "2026-04-02"), renewed(None, 1102, "2026-04-02", "2026-05-02", 1101),
        renewed(None, 1103, "2026-05-02", "2026-06-02", 1101)], [sent("ann", "2026-04-02T12:00:00Z", "1102")],
        {"ann": "control", "ben": "variant"})
    folder.as_of = "2026-05-20T00:00:00Z"
    return Sums({"control": {"charges": 3, "revenue_gross": "29.97"}, "variant": {"charges": 0}}, aside={})


@case("identity", PLAN, each={"original": "original_transaction_id", "transaction": "transaction_id"})
def an_upgrade_names_the_buyer(folder, member):
    """The upgrade's answer has the transaction inside data; the receipt that was sent names none."""
    answer = {"success": True, "data": {"plan_name": "Professional", member: {"transaction_id": "1102"}.get(member, "1101"), "product_id": "monthly"}}
    upgrade = call("ann", "2026-04-03T00:00:00Z", "/api/subscription/upgrade", answer, apple_receipt="MIIT" + "A" * 4000)
    write(folder, [bought(None, 1101, "2026-03-02", "2026-04-02"), renewed(None, 1102, "2026-04-02", "2026-05-02", 1101)], [upgrade],
        {"ann": "control", "ben": "variant"})
    return Sums({"control": {"charges": 2, "revenue_gross": "19.98"}, "variant": {"charges": 0}}, aside={})


@case("identity", SERVER)
def a_call_that_failed_names_nobody(folder):
    """Only a call that went well says whose a transaction is; a receipt of old names none."""
    write(folder, [bought(None, 1101, "2026-03-02", "2026-04-02")],
        [sent("ann", "2026-03-02T12:00:00Z", "1101", success=False), sent("ben", "2026-03-02T12:00:00Z", "MIIT" + "A" * 4000)],
        {"ann": "control", "ben": "variant"})
    return Sums({"control": {"charges": 0}, "variant": {"charges": 0}}, aside={"unassigned": 1}, failing=["unassigned", "user_ids"])


@case("identity", SERVER)
def a_purchase_restored_on_another_account(folder):
    """Two users send one transaction: it is the first one's, the two stay two, and it is said."""
    calls = [sent("ann", "2026-03-02T12:00:00Z", "1101"), sent("ben", "2026-03-12T12:00:00Z", "1101"),
        sent("ben", "2026-03-12T12:00:01Z", "1201")]
    write(folder, [bought(None, 1101, "2026-03-02", "2026-04-02"), bought(None, 1201, "2026-03-12", "2026-04-12")],
        calls, {"ann": "control", "ben": "variant"})
    return Sums({"control": {"charges": 1, "users": 1}, "variant": {"charges": 1, "users": 1}}, aside={},
        checks={"purchase_conflict": ("pass", "1 subscription")})


@case("identity", SERVER)
def a_token_of_another_kind_than_the_users(folder):
    """The app's token is no user of the server's: the call says whose it is, and the chain without a token, too."""
    write(folder, [bought(TOKEN, 1101, "2026-03-02", "2026-04-02"), bought(TOKEN, 1201, "2026-03-03", "2026-04-03", product="coins"),
        bought(None, 1301, "2026-03-02", "2026-04-02")],
        [sent("42", "2026-03-02T12:00:00Z", "1101"), sent("43", "2026-03-02T12:00:00Z", "1301")], {"42": "control", "43": "variant"})
    return Sums({"control": {"charges": 2}, "variant": {"charges": 1}}, aside={}, silent=["purchase_conflict"])


@case("identity", SERVER)
def a_token_that_is_another_user(folder):
    """The notification names the buyer: who restores the purchase on another account is somebody else."""
    write(folder, [bought(ANN, 1101, "2026-03-02", "2026-04-02"), bought(BEN, 1201, "2026-03-02", "2026-04-02")],
        [sent(BEN, "2026-03-12T12:00:00Z", "1101"), sent(BEN, "2026-03-02T12:00:00Z", "1201")], {ANN: "control", BEN: "variant"})
    return Sums({"control": {"charges": 1, "users": 1}, "variant": {"charges": 1, "users": 1}}, aside={},
        checks={"purchase_conflict": ("pass", "1 subscription")})


@case("identity", SERVER)
def a_call_after_the_night(folder):
    """A call at or after the cut-off has not come yet: nobody knows whose the transaction is."""
    write(folder, [bought(None, 1101, "2026-03-02", "2026-04-02")], [sent("ann", "2026-03-20T00:00:00Z", "1101")], {"ann": "control"})
    folder.as_of = "2026-03-20T00:00:00Z"
    return Sums({"control": {"charges": 0}}, aside={"unassigned": 1, "after_cutoff": 1}, failing=["unassigned", "user_ids"])


# What is left


def balances(folder, left, **keys):
    """Ann begins with 6, buys 30, scans twice, and the server says what is left; Ben's account was old."""
    folder.write("p.csv", TABLE)
    rows = [asked("ann", "2026-03-01T00:00:00Z", 6), sent("ann", "2026-03-02T12:00:00Z", "1101", left=36), asked("ann", "2026-03-05T00:00:00Z", left),
        asked("ben", "2026-03-01T00:00:00Z", 3), asked("ben", "2026-03-05T00:00:00Z", 3)]
    write(folder, [basic(None, 1101)], rows, {"ann": "control", "ben": "variant"}, products={"path": "p.csv"},
        inputs=[{"path": "scans.jsonl", "format": "events"}], **({"metrics": CREDITS} | keys))
    folder.jsonl("scans.jsonl", [scan("ann", "2026-03-03T00:00:00Z"), scan("ann", "2026-03-04T00:00:00Z"), scan("ann", "2026-03-06T00:00:00Z")])


@case("check", SERVER, each={"alike": (34, "pass", "all 1 user compared"), "other": (30, "warn", "1 of 1 user compared", "by 4 at most")})
def what_the_server_says_is_left(folder, said):
    """The server's last answer is held against the balance at that moment; an account with a history is not."""
    left, status, *words = said
    balances(folder, left)
    return Sums({"control": {"credits_granted": 30, "credits_balance": 33}, "variant": {"credits_balance": 6}}, aside={},
        checks={"credits_balance": (status, *words, "1 user")})


@case("check", SERVER)
def a_refund_after_the_answer(folder):
    """At the moment of the answer the charge was not refunded; at the cut-off it is."""
    folder.write("p.csv", TABLE)
    one = basic(None, 1101)
    write(folder, [one, refunded(None, one, "2026-03-10")], [asked("ann", "2026-03-01T00:00:00Z", 6), sent("ann", "2026-03-02T12:00:00Z", "1101", left=36)],
        {"ann": "control"}, products={"path": "p.csv"}, metrics=CREDITS)
    return Sums({"control": {"credits_granted": 0, "credits_balance": 6}}, aside={}, checks={"credits_balance": ("pass", "all 1 user")})


@case("check", SERVER)
def other_credits_where_they_decide(folder):
    """Where a metric of credits is the primary one, other balances fail."""
    balances(folder, 30, metrics=[CREDITS[1] | {"primary": True}])
    return Sums({"control": {"credits_balance": 33}}, aside={}, checks={"credits_balance": ("fail", "1 of 1", "spent_by:")})
