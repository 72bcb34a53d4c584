"""What the app's server answered: receipts, failures, callers nobody knows."""

from answers import Refusal, Sums
from case import case
from people import ASSIGNMENTS

UPGRADES = "a plan's documents: upgrade answers with its transaction inside data, and with error_code and error where it fails"
PURCHASES = "an app of tiers and credits: purchase tells no transaction and no code; the request's receipt_data is what was sent"
OFFERINGS = "server-driven offerings: Success 5 is an invalid token, nobody is known, the body is not well formed"
APPLE = "developer.apple.com/documentation/appstoreserverapi/error-codes; App Store Receipts, status"
OFFERING, UPGRADE, PURCHASE = "/v1/getSubscriptionOffering", "/api/subscription/upgrade", "/subscription/purchase"
METRICS = [{"name": "event_count", "event": event, "window": "none", "id": event}
           for event in ("activation", "validation_failed", "already_subscribed", "auth_invalid")]


def call(minute, endpoint, response, user="ann", **members):
    return {"userId": user, "occurredAt": f"2026-03-02T10:{minute:02}:00Z", "endpoint": endpoint, "response": response} | members


def upgraded(minute, response, receipt=None, **members):
    return call(minute, UPGRADE, response, **({"request": {"apple_receipt": receipt}} if receipt else {}), **members)


def bought(minute, response, receipt=None, **members):
    return call(minute, PURCHASE, response, **({"request": {"receipt_data": receipt, "platform": "apple"}} if receipt else {}), **members)


def calls(folder, rows, **purchases):
    """A job of `ann`, in control, and `ben`, who calls nobody."""
    folder.csv("users.csv", [{"user": user, "offering": "o", "group": group, "at": "2026-03-01T00:00:00Z"}
                             for user, group in (("ann", "control"), ("ben", "b"))])
    folder.jsonl("calls.jsonl", rows)
    folder.job(assignments=ASSIGNMENTS, purchases={"path": "calls.jsonl", "format": "api-log"} | purchases, metrics=METRICS)


def failed(code, message="", receipts=1, transactions=1, event="validation_failed", **columns):
    return {"event": event, "code": code, "message": message, "transactions": str(transactions), "receipts": str(receipts)} | columns


def answered(failures, activation=0, validation_failed=0, **more):
    return Sums({"control": {"activation": activation, "validation_failed": validation_failed}}, tables={"failures.csv": failures}, **more)


# Receipts

@case("life", UPGRADES, each={
    "top": lambda told: told, "data": lambda told: {"data": told}, "subscription": lambda told: {"subscription": told},
    "data_is_null": lambda told: told | {"data": None}})
def a_receipt_sent_three_times(folder, placed):
    """The answer names its transaction at the top or inside one of its objects: sent three times it is one receipt of two."""
    done = {"success": True, "message": "Done"} | placed({"original_transaction_id": "1", "transaction_id": "2", "product_id": "pro"})
    calls(folder, [upgraded(minute, done) for minute in range(3)] + [upgraded(5, {"success": False, "error_code": 21003, "error": "no"})])
    return answered([failed("21003", receipts=2)], 3, 1, aside={})


@case("life", PURCHASES, each={"transaction": "2000000123456789", "receipt": "MIITtgYJKoZIhvcNAQcCoIITpzCCE6MCAQEx"})
def a_purchase_names_its_receipt_in_the_request(folder, receipt):
    """Sent twice in vain and then with success it is one receipt."""
    no, yes = {"success": False, "message": "Try again"}, {"success": True, "message": "ok", "subscription": {"is_active": True}}
    calls(folder, [bought(1, no, receipt), bought(2, no, receipt), bought(3, yes, receipt), bought(4, yes, "3")])
    return answered([failed("", "Try again", receipts=2)], 2, 2, aside={})


@case("life", UPGRADES)
def a_failed_receipt_that_is_accepted_later(folder):
    """The failure has no transaction; what was sent says that the success is of the same receipt."""
    calls(folder, [upgraded(1, {"success": False, "error_code": 21005}, "MII1"),
                   upgraded(2, {"success": True, "data": {"transaction_id": "7"}}, "MII1")])
    return answered([failed("21005")], 1, 1, aside={})


# Failures

@case("life", APPLE, each={
    "number": {"error_code": 21003}, "text": {"error_code": "21003"}, "apple": {"errorCode": 21003},
    "data": {"data": {"error_code": 21003}}, "error": {"error": {"code": 21003, "message": "no"}},
    "data_error": {"data": {"error": {"code": "21003"}}},
    "null_before_it": {"error_code": None, "errorCode": 21003}, "zero_before_it": {"error_code": 0, "errorCode": 21003},
    "words_beside_it": {"error_code": 21003, "message": "Not authenticated", "error": "no"}, "flag_is_a_text": {"success": "false",
    "error_code": 21003}, "flag_is_a_number": {"success": 0, "error_code": 21003}})
def a_code_wherever_it_stands(folder, told):
    """The code is kept, and what Apple means by it stands beside."""
    calls(folder, [upgraded(1, {"success": False} | told)])
    return answered([failed("21003", meaning="the receipt could not be authenticated")], 0, 1, aside={})


MEANINGS = {
    "4000003": "the App Store could not read the request", "4000006": "the transaction's id was invalid",
    "4040010": "the transaction was not found", "5000001": "an error of the App Store's server; sending it again may help",
    "5000007": "an error of the App Store's server", "21009": "internal data access error", "21010": "the account was not found or deleted",
    "E7": ""}


@case("life", APPLE, each={code: (code, meaning) for code, meaning in MEANINGS.items()})
def a_code_and_what_it_means(folder, told):
    """The codes of a receipt's status and of the App Store Server API have words; others have none."""
    code, meaning = told
    calls(folder, [bought(1, {"success": False, "errorCode": code})])
    return answered([failed(code, meaning=meaning)], 0, 1, aside={})


@case("life", PURCHASES, each={
    "none": ({}, ""), "message": ({"message": "Google Play integration coming soon"}, "Google Play integration coming soon"),
    "apples_words": ({"message": "Apple error 4040010: Transaction id not found."}, "Apple error 4040010: Transaction id not found."),
    "error": ({"error": "Unknown\n product"}, "Unknown product"),
    "null_codes": ({"error_code": None, "errorCode": None, "message": "No"}, "No"),
    "code_0": ({"error_code": 0, "message": "No"}, "No"), "error_object": ({"error": {"code": None, "message": "No"}}, "No"),
    "ids": ({"message": "User 100017 (ann@example.org): no transaction 2000000123456789"}, "User … … no transaction …"),
    "long": ({"message": "word " * 300}, " ".join(["word"] * 16) + "…")})
def a_failure_without_a_code(folder, told):
    """It stands in the table with an empty code and the kind of its message, in which nobody's id is left."""
    answer, message = told
    calls(folder, [bought(1, {"success": False} | answer, "1"), bought(2, {"success": True}, "2")])
    return answered([failed("", message, receipts=2)], 1, 1, aside={})


@case("life", UPGRADES)
def failures_of_each_kind_share_their_receipts(folder):
    """Codes and messages are shares of the same receipts."""
    no = {"success": False}
    calls(folder, [upgraded(1, no | {"message": "b"}), upgraded(2, no | {"message": "a"}), upgraded(3, no),
                   upgraded(4, no | {"error_code": 2}), upgraded(5, {"success": True}),
                   upgraded(6, no | {"message": "You already have an active subscription"})])
    return answered([failed("", "", 5), failed("", "a", 5), failed("", "b", 5), failed("2", "", 5)], 1, 4, aside={})


# Callers

@case("life", OFFERINGS, each={"absent": {}, "null": {"userId": None}, "empty": {"userId": ""}, "word": {"userId": "null"}})
def a_refused_token_is_nobodys(folder, user):
    """Half of the calls were refused for their token: they are counted, and none is rejected for want of a user."""
    bodies = [None, "{not json", [], {"offeringId": 7}]
    refused = [call(minute, OFFERING, {"Success": 5, "Body": body}) for minute, body in enumerate(bodies)]
    for row in refused:
        del row["userId"]
        row |= user
    served = {"Success": 1, "Body": {"offeringId": "o", "testGroupId": "control"}}
    calls(folder, refused + [call(10 + minute, OFFERING, served) for minute in range(3)] + [call(20, OFFERING, {"Success": 5})])
    return Sums({"control": {"auth_invalid": 1}}, aside={"not_measured": 4}, checks={
        "auth_invalid": ("warn", "5 of 8 calls"), "not_measured": ("pass", "auth_invalid of nobody")})


@case("life", OFFERINGS, each={
    "offering_failed": (OFFERING, {"Success": 0}, "server_error of nobody"),
    "plan": ("/api/subscription/plan-info", {"message": "Unauthenticated."}, "auth_invalid of nobody"),
    "upgrade": (UPGRADE, {"success": False, "message": "Unauthorized"}, "auth_invalid of nobody"),
    "purchase": (PURCHASE, {"Success": 5}, "auth_invalid of nobody")})
def a_call_that_ended_before_its_caller_was_known(folder, told):
    """The server failed, or says in words that it knows nobody: counted as that, whatever was called."""
    endpoint, response, name = told
    calls(folder, [call(1, endpoint, response, user=None), upgraded(2, {"success": True})])
    return answered([], 1, aside={"not_measured": 1}, checks={"not_measured": ("pass", name)})


@case("life", OFFERINGS, each={"offering": (OFFERING, {"Success": 1, "Body": None}), "upgrade": (UPGRADE, {"success": True})})
def a_call_that_went_well_has_a_caller(folder, told):
    """It was answered for somebody: the row lacks its user, as ever."""
    calls(folder, [call(1, *told, user=None)])
    return Refusal("userId is missing", code=65)


# Paths and rows

@case("mapping", PURCHASES)
def answers_that_are_no_object(folder):
    """An array of products tells nothing; the answer of a purchase must be an object."""
    calls(folder, [call(1, "/subscription/products?platform=apple", [{"id": 1}]), call(2, "/user/100000/subscription/status", {}),
                   call(3, "/user/7/subscription/status", {}), call(4, "/v2/registerTransaction", 1), call(5, "/v1/getIsPremium", None),
                   call(6, "/api/subscription/status", [])] + [bought(10 + minute, {"success": True}) for minute in range(3)])
    return answered([], 3, aside={"not_measured": 5}, checks={"not_measured": ("pass", "2 rows", "/user/*/subscription/status")})


@case("mapping", PURCHASES, each={"one": "/user/*/receipts", "two": "/*/*/receipts", "plain": "/user/100017/receipts"})
def a_path_with_an_id_in_it(folder, path):
    """The job names the path with `*` in place of the id."""
    calls(folder, [call(1, "/user/100017/receipts?a=b", {"success": True}), call(2, "/user/100017/receipts/more", {"success": True})],
        endpoints={path: PURCHASE})
    return answered([], 1, aside={"not_measured": 1})


@case("mapping", PURCHASES)
def a_path_with_half_a_part(folder):
    """`*` stands for a whole part, and is refused as a piece of one."""
    calls(folder, [], endpoints={"/user/u*/receipts": PURCHASE})
    return Refusal("/user/u*/receipts", "whole part", code=78)


@case("mapping", UPGRADES, each={"top": ({"is_test": True}, {"is_test": True}), "request": ({"request.platform": "google"},
    {"request": {"platform": "google"}}), "answer": ({"response.data.test": [1, 2]}, {"response": {"success": True, "data": {"test": 1}}}),
    "user": ({"userId": None}, {"userId": None})})
def calls_left_out_by_what_they_say(folder, told):
    """A member of the line, or of an object in it, leaves rows out."""
    rules, members = told
    calls(folder, [upgraded(1, {"success": True}) | members, upgraded(2, {"success": True})], skip_where=rules)
    return answered([], 1, aside={"skipped": 1})
