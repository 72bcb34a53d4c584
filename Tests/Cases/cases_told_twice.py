"""Sales that two inputs tell under names of their own: counted twice unless the job joins them."""

from answers import Looked
from case import case
from people import COLUMNS, EVENTS, ORDERS, PAID, events, orders, right, sums, table_job, users

TWO_LOGS = "a shop's table of orders beside the store's log of the same sales, each with ids of its own: feeds.md of a store's \
documentation names transactions, a shop's database numbers orders"
SOON = "2026-03-05T00:00:31Z"
STORE = EVENTS | {"path": "store.jsonl", "columns": {}}
TWICE = ("50 %", "2026-03-05T00:00:00Z in orders.csv", "2026-03-05T00:00:31Z in store.jsonl",
    "columns: {transactionId:")


def both(folder, rows, shop=None, **mapping):
    """The shop's table and the store's log; keys of the shop's input go over the usual ones."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", shop or orders(store_id=lambda i: f"s{i}"))
    folder.jsonl("store.jsonl", rows)
    table_job(folder, [mapping, STORE])


def store(name="s{}", at=SOON):
    return events(transactionId=lambda i: name.format(i), occurredAt=at)


@case("mapping", TWO_LOGS)
def a_shop_and_a_store_without_a_common_transaction(folder):
    """Each sale is told by the shop under its order's number and by the store under its transaction: two rows and what to type."""
    both(folder, store())
    return sums(68, 66, checks={"told_twice": ("fail", *TWICE)})


@case("mapping", TWO_LOGS)
def a_shop_that_names_the_transaction_of_the_store(folder):
    """The line that the check says is typed: a sale counts once, and nothing is said."""
    both(folder, store(), columns=COLUMNS | {"transactionId": "store_id"})
    return right(aside={"duplicate": 67}, silent=["told_twice"], failing=["duplicate"])


@case("mapping", TWO_LOGS)
def a_shop_whose_charges_are_left_out(folder):
    """The other line: the shop's rows are no charges, and the store's count."""
    both(folder, store(), types={"purchase": "ignore", "renewal": "ignore", "one_time_purchase": "ignore"})
    return right(aside={"not_measured": 67}, silent=["told_twice"])


@case("mapping", TWO_LOGS)
def a_few_of_many_warn(folder):
    """One sale in 135 is told twice: the check warns."""
    again = [row | {"order_id": "n" + row["order_id"], "paid_at": "2026-03-09T00:00:00Z"} for row in orders()]
    both(folder, store()[:1], shop=orders() + again)
    return sums(69, 66, checks={"told_twice": ("warn", "1 of 135 charges")})


@case("mapping", "a consumable that is bought twice in a row; the same product a day later", each={"one_input": 1, "a_day_apart": 2})
def bought_twice_and_not_told_twice(folder, sort):
    """Two purchases that one input tells within a minute are two; so are those of two inputs that lie a day apart."""
    soon = [row | {"order_id": "n" + row["order_id"], "paid_at": SOON} for row in orders()]
    if sort == 1:
        both(folder, [row | {"occurredAt": "2026-03-20T00:00:00Z"} for row in store()][:1], shop=orders() + soon)
        return sums(69, 66, silent=["told_twice"])
    both(folder, store(at="2026-03-06T00:00:00Z"))
    return sums(68, 66, silent=["told_twice"])


@case("mapping", "a consumable that is bought twice in a row, which both feeds tell, joined by the transaction")
def bought_twice_and_told_by_both(folder):
    """Two purchases within a minute, each told by both inputs under one transaction: each input knows them as two."""
    twice = orders() + [row | {"order_id": "n" + row["order_id"], "paid_at": SOON} for row in orders()]
    rows = events() + [row | {"transactionId": "n" + row["transactionId"], "occurredAt": SOON} for row in events()]
    both(folder, rows, shop=twice)
    return sums(68, 66, aside={"duplicate": 134}, silent=["told_twice"], failing=["duplicate"])


@case("mapping", "two servers' tables of orders, of which some repeat what the other has")
def two_tables_in_many_files(folder):
    """Which rows are shown does not follow from the order of inputs and files, though all are of one instant."""
    folder.csv("users.csv", users())
    folder.shards("east-{}.csv", orders())
    folder.shards("west-{}.csv", orders(order_id=lambda i: f"w{i}"))
    east, west = ORDERS | {"path": "east-*.csv"}, ORDERS | {"path": "west-*.csv"}
    table_job(folder, [east, west])
    return sums(68, 66, checks={"told_twice": ("fail", f"{PAID} in east-", f"{PAID} in west-", "purchases east-*.csv and west-*.csv")})
