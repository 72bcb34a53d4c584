"""What users were offered: stored answers of the server that was asked for an offering, the prices it displays, tests that have ended."""

import json

from answers import Init, Looked, Sums
from case import case
from folders import csv_text
from people import METRICS, cents, event_job, events, group, sums, users

SERVER = "the document of the server-driven offerings: POST /v1/getSubscriptionOffering, subscriptions and copy"
TABLES = "the same document: the catalog's four tables in MySQL"
OFFERING = "/v1/getSubscriptionOffering"
UPTAKE = [*METRICS, {"name": "default_uptake", "window": "none", "id": "default_uptake"}]
COPY = {"headerTitle": "Learn well", "headerSubtitle": "Start today.", "ctaButtonText": "Next", "supportingText": "Stop whenever you like"}


def response(number, price="9.99", **body):
    """What the server answers a user: both groups are offered the same, each with another product selected."""
    of = group(number)
    weekly = {"productId": "p", "type": "weekly", "fallbackDisplayPrice": price, "position": 0, "isDefault": of == "control",
              "badgeText": None, "subtitleText": None}
    yearly = {"productId": "q", "type": "lifetime_deal", "fallbackDisplayPrice": "59.99", "position": 1, "isDefault": of == "b",
              "badgeText": "TOP PICK", "subtitleText": "Chosen most"}
    return {"Success": 1, "Body": {"offeringId": "o", "testGroupId": of, "subscriptions": [yearly, weekly], "copy": COPY} | body}


def answers(**body):
    return [response(i, **body) for i in range(200)] + [{"Success": 1, "Body": None}, {"Success": 5, "Body": "token"}, {"Success": 0}]


def call(number, answer, endpoint=OFFERING):
    return {"userId": f"u{number}", "occurredAt": "2026-03-02T00:00:00Z", "endpoint": endpoint, "response": answer}


def calls(told=lambda answer: answer, endpoint=OFFERING):
    others = [call(i, {"Success": 1, "Body": {"isPremium": False}}, "/v1/getIsPremium") for i in range(50)]
    return [call(i, told(answer), endpoint) for i, answer in enumerate(answers()[:200])] + others


def job(folder, catalog, purchases=None, log=None, **keys):
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", log or events())
    event_job(folder, purchases, catalog=catalog, metrics=UPTAKE, **keys)


def right(**more):
    """Everybody buys the weekly, which is the default of control alone, at the price displayed."""
    more = {"checks": {"display_price": ("pass", "All of 67 charges")}, "silent": ["catalog_products", "catalog_default", "catalog_conflict"],
            "tables": {"offers.csv": 4, "copy.csv": 8, "price_response.csv": 0}} | more
    return Sums({"control": {"default_uptake": [34, 34], "revenue_net": cents(34)}, "b": {"default_uptake": [0, 33], "revenue_net": cents(33)}},
                **more)


@case("reference", SERVER)
def stored_responses(folder):
    """Products stand in `subscriptions`, positions from 0 and in any order, and words in `copy`: that is what groups were offered."""
    folder.jsonl("responses.jsonl", answers())
    job(folder, {"responses": "responses.jsonl"})
    return right()


@case("reference", SERVER, each={
    "as_sent": lambda answer: answer, "as_text": json.dumps, "body_as_text": lambda answer: answer | {"Body": json.dumps(answer["Body"])}})
def responses_in_a_log_of_calls(folder, told):
    """A log of calls is a catalog, too: of it the lines of one endpoint count, and the others are left alone."""
    folder.jsonl("api.jsonl", calls(told))
    job(folder, {"responses": "api.jsonl"})
    return right()


@case("reference", SERVER)
def responses_at_a_path_of_the_app_s_own(folder):
    """The log that is counted says which of the app's paths the endpoint is; the catalog takes the same lines of it."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events())
    folder.jsonl("api.jsonl", calls(endpoint="/app/offer?build=7"))
    folder.job(assignments=[{"path": "users.csv", "columns": {"user": "user", "offering": "offering", "group": "group", "assigned_at": "at"}}],
               purchases=[{"path": "orders.jsonl", "format": "events", "defaults": {"eventType": "purchase", "currency": "USD"}},
                          {"path": "api.jsonl", "format": "api-log", "endpoints": {"/app/offer": OFFERING}}],
               event_types=["offering_served"], metrics=UPTAKE, catalog={"responses": "api.jsonl"})
    return right(aside={"not_measured": 50})


@case("reference", SERVER)
def responses_in_a_column_of_a_table(folder):
    """Calls lie in a table whose column holds the answer as JSON text."""
    folder.csv("calls.csv", [{"id": i, "path": row["endpoint"], "answer": json.dumps(row["response"])} for i, row in enumerate(calls())])
    job(folder, {"responses": {"path": "calls.csv", "format": "csv", "columns": {"endpoint": "path", "response": "answer"}}})
    return right()


@case("reference", SERVER, each={
    "no_body": ([{"Success": 1, "Body": None}] * 30, "30 without a Body"),
    "nobody_known": ([{"Success": 5, "Body": None}] * 30, "30 with Success 5"),
    "no_list": ([response(i, subscriptions=[]) for i in range(30)], "30 without a list of products"),
    "other_calls": (calls()[200:], "no answer of /v1/getSubscriptionOffering")})
def responses_that_tell_no_product(folder, told):
    """Stored answers are named and none tells a product: that is said, and nobody is said to sell at other prices."""
    rows, words = told
    folder.jsonl("responses.jsonl", rows)
    job(folder, {"responses": "responses.jsonl"}, log=events(productId=lambda number: "q" if group(number) == "b" else "p"))
    return sums(34, 33, checks={"catalog_products": ("warn", words), "display_price": ("pass", "tells no price")},
                tables={"offers.csv": 0, "price_response.csv": 0})


@case("reference", SERVER)
def responses_of_one_group(folder):
    """Only control was ever served: of the other group nothing is known, which is said by name."""
    folder.jsonl("responses.jsonl", [response(i) for i in range(0, 200, 2)])
    job(folder, {"responses": "responses.jsonl"})
    return sums(34, 33, checks={"catalog_products": ("warn", "no product of b"), "display_price": ("pass", "All of 34", "Of b none")})


@case("reference", SERVER, each={
    "plain": ("6.99", "USD", "67 of 67 charges"), "comma": ("6,99", "USD", "67 of 67 charges"), "decimals": ("6.9900", "USD", "67 of 67 charges"),
    "sign": ("$6.99", "USD", "67 of 67 charges"), "euros": ("6.99", "EUR", "67 of 67 charges")})
def a_price_that_is_not_the_one_displayed(folder, told):
    """Everybody is charged 3.00 more than is displayed; a price without a sign is in the currency of the job."""
    price, currency, words = told
    folder.jsonl("responses.jsonl", answers(price=price))
    job(folder, {"responses": "responses.jsonl"}, {"defaults": {"eventType": "purchase", "currency": currency}}, currency=currency)
    return sums(34, 33, checks={"display_price": ("warn", words, "9.99", "6.99")}, tables={"display_prices.csv": 2, "price_response.csv": 0})


@case("reference", SERVER, each={
    "other_currency": ("€9.99", "pass", "none of 67 charges is in its currency, EUR"), "no_amount": ("free", "warn", "\"free\" of p is no amount")})
def prices_that_cannot_be_compared(folder, told):
    """No charge can be held against the price displayed: the check says so, and why."""
    price, status, words = told
    folder.jsonl("responses.jsonl", answers(price=price))
    job(folder, {"responses": "responses.jsonl"})
    return sums(34, 33, checks={"display_price": (status, "No charge could be compared", words)}, tables={"price_response.csv": 0})


@case("reference", TABLES, each={
    "0": ("0", True), "f": ("f", True), "false": ("FALSE", True), "1": ("1", False), "t": ("t", False), "empty": ("", False)})
def an_offering_that_is_not_active(folder, told):
    """`is_active` false ends the test, which is said; its users count as ever."""
    flag, has_ended = told
    tables(folder, flag)
    return sums(34, 33, **({"checks": {"offering_ended": ("warn", "o is false")}} if has_ended else {"silent": ["offering_ended"]}))


@case("init", TABLES)
def check_of_an_offering_that_is_not_active(folder):
    """`check` says before the night that the test has ended."""
    tables(folder, "0")
    return Looked("offering_ended", "the test has ended", runs=True)


def tables(folder, is_active):
    folder.text("offerings.csv", csv_text([{"id": 7, "offering_id": "o", "name": "Test", "is_active": is_active}]))
    folder.csv("groups.csv", [{"id": 70 + i, "subscription_offering_id": 7, "group_name": of, "weight": 1.0} for i, of in enumerate(["control", "b"])])
    folder.csv("products.csv", [
        {"offering_group_id": of, "product_id": product, "type": kind, "fallback_display_price": price, "position": place, "is_default": place}
        for of in (70, 71) for place, (product, kind, price) in enumerate([("p", "weekly", "9.99"), ("q", "yearly", "59.99")])])
    job(folder, {name: f"{name}.csv" for name in ("offerings", "groups", "products")})


@case("init", SERVER, each={"responses": ("responses.jsonl", answers()), "calls": ("api.jsonl", calls())})
def answers_among_the_files(folder, told):
    """Stored answers, or a log of such calls, lie beside the orders: they become the catalog."""
    name, rows = told
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", [row | {"eventType": "purchase", "currency": "USD"} for row in events()])
    folder.jsonl(name, rows)
    return Init("--assignments", "users.csv", "--purchases", "orders.jsonl", name,
                answer=Sums({"control": {"revenue_net_none": cents(34)}, "b": {"revenue_net_none": cents(33)}}, tables={"offers.csv": 4}))
