"""Nobody, nothing and no group: what tables write where there is no value; and groups that look alike."""

from answers import AnyCheck, Either, Refusal, Sums
from case import case
from people import COLUMNS, PRICE, RIGHT, event_job, events, group, orders, right, sums, table_job, users

POSTGRES = "https://www.postgresql.org/docs/current/sql-copy.html (NULL is \\N); https://dev.mysql.com/doc/refman/8.4/en/load-data.html"
NULLS = {"backslash_n": "\\N", "upper": "NULL", "lower": "null", "empty": ""}
MORE = range(200, 220)


def nobody(folder, assignments, purchases, reason="missing_field", **keys):
    """The two hundred and what is nobody's beside them."""
    folder.csv("users.csv", users() + assignments)
    folder.csv("orders.csv", orders() + purchases)
    table_job(folder, max_reject_ratio=1.0, **keys)
    return right(aside={reason: len(purchases)} if purchases else {})


def order(number, **columns):
    return {"order_id": f"t{number}", "user": f"u{number}", "paid_at": "2026-03-05T00:00:00Z", "sku": "p", "price": PRICE} | columns


def user(number, **columns):
    return {"user": f"u{number}", "offering": "o", "group": group(number), "at": "2026-03-01T00:00:00Z"} | columns


@case("files", POSTGRES, each=NULLS)
def a_user_who_is_nobody(folder, null):
    """Twenty users and twenty orders have no user: they are nobody's, not those of a user called so."""
    return nobody(folder, [user(number, user=null) for number in MORE], [order(number, user=null) for number in MORE])


@case("files", POSTGRES, each=NULLS)
def a_group_that_is_none(folder, null):
    """Twenty users have no group, and buy: there is no third group, and their orders are outside the test."""
    return nobody(folder, [user(number, group=null) for number in MORE], [order(number) for number in MORE], "unassigned")


@case("files", POSTGRES, each=NULLS)
def an_offering_that_is_none(folder, null):
    """Twenty users have no offering: there is no second offering."""
    return nobody(folder, [user(number, offering=null) for number in MORE], [order(number) for number in MORE], "unassigned")


@case("files", POSTGRES, each=NULLS)
def an_assignment_without_time(folder, null):
    """Twenty users have no time of assignment: they are not assigned since 1970."""
    return nobody(folder, [user(number, at=null) for number in MORE], [order(number) for number in MORE], "unassigned")


@case("files", POSTGRES, each=NULLS)
def a_charge_without_price(folder, null):
    """Twenty orders of known users have no price: unknown, never 0."""
    return nobody(folder, [], [order(number, user=f"u{number - 200}") for number in ()] + [
        order(number, user=f"u{number - 200}", price=null) for number in MORE], "missing_price")


@case("files", POSTGRES, each=NULLS)
def a_charge_without_time(folder, null):
    """Twenty orders of known users have no time: they are rejected, not of 1970."""
    answer = nobody(folder, [], [order(number, user=f"u{number - 200}", paid_at=null) for number in MORE])
    return Either(answer, right(aside={"bad_time": len(MORE)}))


@case("files", POSTGRES, each=NULLS)
def a_charge_without_number(folder, null):
    """No order has a number: each stands alone, they are not one order of that name."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(order_id=null, paid_at=lambda i: f"2026-03-05T00:00:{i % 60:02}Z"))
    table_job(folder)
    return right(aside={})


@case("files", POSTGRES, each=NULLS)
def two_charges_of_a_user_without_number(folder, null):
    """Each payer bought twice, an order without a number each: 134 charges."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(order_id=null) + orders(order_id=null, paid_at="2026-03-06T00:00:00Z"))
    table_job(folder)
    return sums(68, 66)


@case("files", POSTGRES, each=NULLS)
def trials_without_a_first_transaction(folder, null):
    """Each payer tried two products, and neither names a subscription: two trials, not one whose plan was changed."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(sort="purchase", chain=null) + [
        row | {"sort": "trial_start", "sku": sku, "order_id": f"{row['order_id']} {sku}", "paid_at": f"2026-03-0{day}T00:00:00Z", "price": ""}
        for row in orders(chain=null) for day, sku in ((3, "q"), (4, "r"))])
    table_job(folder, {"columns": COLUMNS | {"eventType": "sort", "originalTransactionId": "chain"}}, metrics=[
        {"name": "revenue_net", "primary": True}, {"name": "charges"}, {"name": "event_count", "event": "trial_start", "id": "trials"}])
    return Sums({"control": {"charges": 34, "trials": 68, "users": 100}, "b": {"charges": 33, "trials": 66, "users": 100}}, aside={})


@case("files", POSTGRES, each={"backslash_n": "\\N", "upper": "NULL", "lower": "null"})
def a_charge_without_currency(folder, null):
    """Twenty orders of known users have no currency: rejected by name, no currency is guessed."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(currency="USD") + [order(number, user=f"u{number - 200}", currency=null) for number in MORE])
    table_job(folder, {"columns": COLUMNS, "defaults": {"eventType": "purchase"}}, max_reject_ratio=1.0)
    return Either(right(aside={"bad_currency": 20}), right(aside={"missing_field": 20}))


@case("files", POSTGRES)
def a_currency_that_is_null_takes_the_default(folder):
    """Every order's currency is `\\N`, and the job says the default: it is what the job says, or refused; never a currency of that name."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(currency="\\N"))
    table_job(folder)
    return Either(RIGHT, Refusal("currency"))


@case("files", "spec: an attribute's NULL is `(none)`, its empty value another segment")
def an_attribute_that_is_null(folder):
    """A country is `\\N` for some users: its segment is that of none."""
    folder.csv("users.csv", users(country=lambda i: "\\N" if i < 20 else "US"))
    folder.csv("orders.csv", orders())
    table_job(folder, assignments={"attributes": ["country"]}, segments=["country"])
    answer = right()
    faults = answer.faults

    def held(outcome):
        segments = {row["segment"] for row in outcome.rows("sufficient_statistics.csv")} if outcome.is_published else set()
        return faults(outcome) + ([f"segments {segments}"] if segments and segments != {"all", "country=US", "country=(none)"} else [])
    answer.faults = held
    return answer


@case("files", "RFC 8259; exports that write absent members as null", each={"null": None, "absent": ...})
def a_json_user_who_is_nobody(folder, null):
    """Twenty events have no user, by null or by absence."""
    folder.csv("users.csv", users())
    more = [{"userId": null, "occurredAt": "2026-03-05T00:00:00Z", "productId": "p", "price": PRICE,
        "transactionId": f"n{number}"} for number in MORE]
    folder.jsonl("orders.jsonl", events() + [{name: value for name, value in row.items() if value is not ...} for row in more])
    event_job(folder, max_reject_ratio=1.0)
    return right(aside={"missing_field": 20})


@case("files", "spec: rejects beyond `max_reject_ratio`")
def many_nobodies_are_refused(folder):
    """A quarter of the log has no user, and the job allows a hundredth: nothing is published."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders() + [order(number, user="\\N") for number in MORE])
    table_job(folder)
    return Refusal("orders.csv", "max_reject_ratio", code=65)


# Groups

ALIKE = ("alike", "look like", "but for", "white space", "differ only")


@case("files", "group names typed by hand: https://www.geteppo.com/docs (variant names); reports of SRM by trailing blanks", each={
    "blank": ["b ", "b"], "no_break_space": ["b\u00a0", "b"], "case": ["B", "b"], "all": ["b ", "b\u00a0", "B", "b"],
    "zero_width": ["b\u200b", "b"],
    "tab": ["b\t", "b"], "in_front": [" b", "b"]})
def groups_that_look_alike(folder, names):
    """Half of group `b` is called `b ` (or `B` …): told as names that look alike, not as lost assignments and bots; or taken as one."""
    folder.csv("users.csv", users(group=lambda i: names[i // 2 % len(names)] if i % 2 else "control"))
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Either(RIGHT, Refusal(ALIKE), AnyCheck(ALIKE))


@case("files", "as above")
def groups_that_are_told_apart(folder):
    """Groups `b1` and `b10` differ by more than writing: nothing is said of them."""
    folder.csv("users.csv", users(group=lambda i: ("b1" if i % 4 == 1 else "b10") if i % 2 else "control"))
    folder.csv("orders.csv", orders())
    table_job(folder)
    answer = Sums({"control": {"charges": 34, "users": 100}, "b1": {"users": 50}, "b10": {"users": 50}})
    faults = answer.faults
    answer.faults = lambda outcome: faults(outcome) + (["told to look alike"] if not AnyCheck("alike").faults(outcome) else [])
    return answer


@case("mapping", "tables of all users, the test's or not: https://docs.statsig.com (not in experiment)", each={
    "named": ["not_in_test"], "null_beside": ["not_in_test"]})
def groups_that_are_left_out_by_name(folder, names):
    """A hundred users stand in the table as `not_in_test`, and buy: left out by name and counted."""
    more = [user(number, group="not_in_test") for number in range(200, 300)]
    folder.csv("users.csv", users() + more)
    folder.csv("orders.csv", orders() + [order(number) for number in range(200, 300, 2)])
    table_job(folder, exclude_groups=names)
    answer = right()
    faults = answer.faults

    def held(outcome):
        found = faults(outcome)
        return found + (["not_in_test is measured"] if not found and "not_in_test" in outcome.sums else [])
    answer.faults = held
    return answer
