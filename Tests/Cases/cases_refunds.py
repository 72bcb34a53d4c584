"""Items of an order, and refunds with the charges they are of."""

from answers import CheckTold, Refusal
from case import case
from people import COLUMNS, PAYERS, RIGHT, cents, event_job, events, nth, orders, right, sums, table_job, users

# Items of an order

ITEMS = "a table of line items: https://help.shopify.com/manual/orders/export-orders (one row an item, one order number)"


def baskets(**columns):
    """Every payer's order has two items, of 9.99 and 4.99."""
    return [row | {"sku": sku, "price": price} for row in orders(**columns) for sku, price in (("p0", "9.99"), ("p1", "4.99"))]


@case("mapping", ITEMS, each={"csv": 1, "json": 2})
def items_of_an_order(folder, sort):
    """Two products of one order are two charges where the job says `items: true`."""
    folder.csv("users.csv", users())
    if sort == 1:
        folder.csv("orders.csv", baskets())
        table_job(folder, {"items": True})
    else:
        folder.jsonl("orders.jsonl", [row | {"productId": sku, "price": price} for row in events() for sku,
            price in (("p0", 9.99), ("p1", 4.99))])
        event_job(folder, {"items": True})
    return sums(68, 66, net={"control": cents(34, 1498), "b": cents(33, 1498)})


@case("mapping", ITEMS, each={"all": 1, "every_tenth": 10})
def items_without_a_word_fail_a_check(folder, every):
    """The job does not say so: rows are left out as copies, and `order_items` fails with the line to type."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders() + [row for row in baskets() if row["sku"] == "p1" and nth(int(row["user"][1:])) % every == 0])
    table_job(folder)
    return CheckTold("order_items", "items: true")


@case("mapping", ITEMS)
def the_same_item_twice_is_a_copy(folder):
    """Order and product are the key: a row told twice is a copy, another product is not."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", baskets() + baskets()[:20])
    table_job(folder, {"items": True})
    return sums(68, 66, net={"control": cents(34, 1498), "b": cents(33, 1498)}, aside={"duplicate": 20}, failing=["duplicate"])


@case("mapping", ITEMS, each={"full": ("-4.99", 499), "part": ("-1.00", 100)})
def a_refund_of_one_item(folder, told):
    """One item of ten orders is taken back, in full or in part: the other stands."""
    amount, taken = told
    folder.csv("users.csv", users())
    back = [row | {"price": amount,
        "paid_at": "2026-03-09T00:00:00Z"} for row in baskets() if row["sku"] == "p1" and int(row["user"][1:]) < 30]
    folder.csv("orders.csv", baskets() + back)
    table_job(folder, {"items": True, "negative": "refund"})
    return sums(68, 66, net={"control": cents(1, 34 * 1498 - 5 * taken), "b": cents(1, 33 * 1498 - 5 * taken)})


@case("mapping", ITEMS)
def items_times_quantities(folder):
    """Items with unit prices and quantities: 2 × 9.99 and 1 × 4.99."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", [row | {"n": "2" if row["sku"] == "p0" else "1"} for row in baskets()])
    table_job(folder, {"items": True, "quantity": "n"})
    return sums(68, 66, net={"control": cents(34, 2497), "b": cents(33, 2497)})


@case("mapping", "one product in several rows of one order is a copy, as before")
def copies_of_a_charge_are_no_items(folder):
    """Rows are told twice: `duplicate`, and nothing is said of items."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders() + orders()[:10])
    table_job(folder)
    return right(aside={"duplicate": 10}, silent=["order_items"], failing=["duplicate"])


# Refunds and their charges

BACK = "2026-03-20T00:00:00Z"


def refunds(number=30, **members):
    """Refunds of the first ten payers."""
    return [row | {"eventType": "refund", "occurredAt": BACK} | {name: value(row) if callable(value) else value for name,
        value in members.items()}
            for row in ({name: value for name,
            value in event.items() if name != "price"} for event in events()) if int(row["userId"][1:]) < number]


REFUNDED = sums(34, 33, net={"control": cents(29), "b": cents(28)}, aside={})


@case("identity", "refunds booked by support, by another id of the buyer, or by the store: readdle/app-store-server-api#32", each={
    "same_user": lambda row: row["userId"], "support": "support", "nobody_known": lambda row: "x" + row["userId"],
    "another_group": lambda row: f"u{int(row['userId'][1:]) + 1}"})
def a_refund_under_another_name(folder, user):
    """Ten refunds name the charge by its transaction and another user: each takes back its charge, in its buyer's group."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(userId=user))
    event_job(folder)
    return REFUNDED


@case("identity", "as above", each={"file_before": "a", "file_behind": "z"})
def a_refund_in_another_file_and_under_another_name(folder, name):
    """The refunds lie in a file of their own, that is read before or after the charges'."""
    folder.csv("users.csv", users())
    folder.jsonl("logs/m.jsonl", events())
    folder.jsonl(f"logs/{name}.jsonl", refunds(userId=lambda row: "x" + row["userId"]))
    event_job(folder, {"path": "logs/*.jsonl"})
    return REFUNDED


@case("identity", "as above; two formats of input")
def a_refund_in_another_input(folder):
    """Charges are a table of orders, refunds a log of events: one transaction, one charge."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    folder.jsonl("refunds.jsonl", refunds(userId=lambda row: "x" + row["userId"]))
    table_job(folder, [{}, {"path": "refunds.jsonl", "format": "events", "columns": {}}])
    return REFUNDED


@case("identity", "as above")
def a_reversal_under_another_name(folder):
    """Ten refunds are reversed by who booked them: the money is back."""
    folder.csv("users.csv", users())
    back = refunds(userId="support")
    folder.jsonl("orders.jsonl", events() + back + [row | {"eventType": "refund_reversal", "occurredAt": "2026-03-25T00:00:00Z",
        "userId": "other"} for row in back])
    event_job(folder)
    return right(aside={})


@case("identity", "as above")
def partial_refunds_under_two_names(folder):
    """Two partial refunds of one charge under two names add up."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(userId="support", price="2.00") + refunds(userId="store", price="1.50",
        occurredAt="2026-03-21T00:00:00Z"))
    event_job(folder)
    return sums(34, 33, net={"control": cents(1, 34 * 999 - 5 * 350), "b": cents(1, 33 * 999 - 5 * 350)}, aside={})


@case("identity", "as above")
def a_refund_of_a_stranger_s_charge_is_not_the_test_s(folder):
    """A stranger's charge and its refund under an assigned user's name: outside the test, both."""
    folder.csv("users.csv", users())
    strange = [row | {"userId": "x" + row["userId"],
        "transactionId": "x" + row["transactionId"]} for row in events() if int(row["userId"][1:]) < 30]
    folder.jsonl("orders.jsonl", events() + strange + refunds(transactionId=lambda row: "x" + row["transactionId"]))
    event_job(folder)
    return RIGHT


@case("identity", "as above")
def a_refund_of_no_charge_is_an_orphan(folder):
    """Ten refunds name transactions that no log has: counted, without effect."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(transactionId=lambda row: "lost" + row["transactionId"]))
    event_job(folder)
    return right(failing=["orphan_refund"], checks={"orphan_refund": (("warn", "fail"), "10")})


@case("identity", "as above")
def a_refund_after_the_cut_off(folder):
    """Refunds under another name that come after the cut-off have not happened."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(userId="support", occurredAt="2026-05-01T00:00:00Z"))
    event_job(folder)
    return right(aside={"after_cutoff": 10})


@case("life", "cents given as units: https://docs.stripe.com/api/charges (amount_refunded in cents)",
    each={"cents": "999", "double": "19.98", "a_cent_more": "10.00"})
def refunds_beyond_their_charge(folder, price):
    """Refunds of 999 for charges of 9.99: cut at the charge, and the check says that a unit is wrong."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(price=price))
    event_job(folder)
    return sums(34, 33, net={"control": cents(29), "b": cents(28)}, checks={"refund_exceeds_charge": ("fail", "10")})


@case("life", "as above")
def refunds_that_add_up_to_more(folder):
    """Two partial refunds of 6.00 of a charge of 9.99: cut, and told."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(price="6.00") + refunds(price="6.00", occurredAt="2026-03-21T00:00:00Z"))
    event_job(folder)
    return sums(34, 33, net={"control": cents(29), "b": cents(28)}, checks={"refund_exceeds_charge": ("fail",)})


@case("life", "as above")
def refunds_in_full_say_nothing(folder):
    """Refunds in full and in part are as they should be: nothing is told to exceed."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events() + refunds(15) + [row for row in refunds(30, price="9.99") if int(row["userId"][1:]) >= 15])
    event_job(folder)
    return sums(34, 33, net={"control": cents(29), "b": cents(28)}, silent=["refund_exceeds_charge"])


@case("mapping", ITEMS)
def a_refund_of_all_items(folder):
    """A refund names the order and no product: all of its items are taken back."""
    folder.csv("users.csv", users())
    rows = [row | {"eventType": "purchase", "productId": sku, "price": price} for row in events() for sku,
        price in (("p0", "9.99"), ("p1", "4.99"))]
    back = [{name: value for name, value in row.items() if name != "productId"} for row in refunds()]
    folder.jsonl("orders.jsonl", rows + back)
    event_job(folder, {"items": True})
    return sums(68, 66, net={"control": cents(29, 1498), "b": cents(28, 1498)})


@case("mapping", ITEMS, each={"full": ({}, 499), "part": ({"price": "1.00"}, 100), "under_another_name": ({"userId": "support"}, 499)})
def a_refund_of_one_item_in_another_log(folder, told):
    """The orders' table tells items, the server's own log which product of an order was taken back: the other item stands."""
    members, taken = told
    folder.csv("users.csv", users())
    folder.csv("orders.csv", baskets())
    folder.jsonl("refunds.jsonl", refunds(productId="p1", **members))
    table_job(folder, [{"items": True}, {"path": "refunds.jsonl", "format": "events", "columns": {}}])
    return sums(68, 66, net={"control": cents(1, 34 * 1498 - 5 * taken), "b": cents(1, 33 * 1498 - 5 * taken)}, aside={})


@case("identity", "spec: a refund's currency is its own, the day's rate its charge's")
def a_refund_in_another_currency_under_another_name(folder):
    """Support takes back 2.00 EUR of a charge in dollars: at the rate of the charge's day, 4.00."""
    folder.csv("users.csv", users())
    folder.write("rates.csv", "date,currency,rate\n2026-03-05,EUR,2\n2026-03-20,EUR,3\n")
    folder.jsonl("orders.jsonl", events() + refunds(userId="support", price="2.00", currency="EUR"))
    event_job(folder, exchange_rates="rates.csv")
    return sums(34, 33, net={"control": cents(1, 34 * 999 - 5 * 400), "b": cents(1, 33 * 999 - 5 * 400)}, aside={})


# Refunds that name no user

@case("mapping", "a table of refunds that names orders alone", each={"told": {"columns": {"userId": None}}, "not_told": {}})
def refunds_of_whoever_has_the_charge(folder, told):
    """`columns: {userId: null}` says that no row names a user; without it that line is what is said to type."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    folder.csv("refunds.csv", [{"transactionId": f"t{i}", "occurredAt": "2026-03-09T00:00:00Z", "price": "4.99"}
        for i in PAYERS if i < 30])
    back = {"path": "refunds.csv", "columns": told.get("columns", {}), "defaults": {"eventType": "refund", "currency": "USD"}}
    table_job(folder, [{}, back])
    if not told:
        return Refusal("userId", "columns: {userId: null}")
    return sums(34, 33, net={"control": cents(1, 34 * 999 - 5 * 499), "b": cents(1, 33 * 999 - 5 * 499)}, aside={})


@case("mapping", "a table without a user that is none of refunds")
def charges_without_a_user_are_rejected(folder):
    """A sale that names nobody is nobody's, whatever the job says."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", [{key: value for key, value in row.items() if key != "user"} for row in orders()])
    table_job(folder, {"columns": COLUMNS | {"userId": None}})
    return Refusal("userId is missing", "follows no charge")
