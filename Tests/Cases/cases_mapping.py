"""Keys that map a stranger's log: renamed types, a status column, rows left out, names with dots, JSON inside a column."""

import json

from answers import Either, Refusal, Sums
from case import case
from people import COLUMNS, METRICS, PRICE, RIGHT, cents, event_job, events, nth, orders, right, sums, table_job, users

BACK = "2026-03-20T00:00:00Z"
NO_TYPE = {"defaults": {"currency": "USD"}}
REFUNDED = {"control": cents(29), "b": cents(28)}


def few(rows, number=30, key="user"):
    """Rows of the first ten payers."""
    return [row for row in rows if int(str(row[key])[1:]) < number]


# Types renamed

TYPES = "adaptyteam/adapty-docs (subscription_started, trial_converted …); Stripe's `charge.refunded`; PayPal's \"Charge refund\""


@case("mapping", TYPES, each={"csv": 1, "json": 2})
def types_under_other_names(folder, sort):
    """The log calls a purchase `subscription_started`, a refund `Charge refund`, and has rows of no interest: renamed and ignored."""
    types = {"subscription_started": "purchase", "Charge refund": "refund", "app_opened": "ignore"}
    folder.csv("users.csv", users())
    if sort == 1:
        rows = orders(kind="subscription_started")
        folder.csv("orders.csv",
            rows + [row | {"kind": "Charge refund", "paid_at": BACK} for row in few(rows)] + [row | {"kind": "app_opened",
            "price": ""} for row in rows])
        table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}, "types": types} | NO_TYPE)
    else:
        rows = events(eventType="subscription_started")
        folder.jsonl("orders.jsonl", rows + [row | {"eventType": "Charge refund", "occurredAt": BACK} for row in few(rows,
            key="userId")] + [
            row | {"eventType": "app_opened"} for row in rows])
        event_job(folder, {"types": types} | NO_TYPE)
    return sums(34, 33, net=REFUNDED)


@case("mapping", TYPES)
def types_that_convert_a_trial(folder):
    """`trial_started` and `trial_converted` are a trial and its renewal."""
    folder.csv("users.csv", users())
    rows = events(eventType="trial_converted", occurredAt="2026-03-15T00:00:00Z")
    folder.jsonl("orders.jsonl", rows + [row | {"eventType": "trial_started", "occurredAt": "2026-03-02T00:00:00Z",
        "transactionId": "x" + row["transactionId"]} for row in events()])
    event_job(folder, {"types": {"trial_started": "trial_start", "trial_converted": "renewal"}} | NO_TYPE,
        metrics=METRICS + [{"name": "trial_to_paid"}])
    return Sums({"control": {"charges": 34, "trial_to_paid": [34, 34]}, "b": {"charges": 33, "trial_to_paid": [33, 33]}})


@case("mapping", TYPES)
def a_type_that_keeps_its_name_beside_renamed_ones(folder):
    """Some rows have our own names already: both are read."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(kind=lambda i: "purchase" if nth(i) % 2 else "order.paid"))
    table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}, "types": {"order.paid": "purchase"}} | NO_TYPE)
    return RIGHT


@case("mapping", TYPES)
def a_type_that_nobody_named(folder):
    """Ten rows have a type that the job does not name: rejected by name."""
    folder.csv("users.csv", users())
    rows = orders(kind="order.paid")
    folder.csv("orders.csv", rows + [row | {"kind": "order.unheard_of", "order_id": "x" + row["order_id"]} for row in few(rows)])
    table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}, "types": {"order.paid": "purchase"}} | NO_TYPE, max_reject_ratio=1.0)
    return right(aside={"unknown_event_type": 10})


@case("mapping", TYPES)
def strange_types_are_refused_with_the_line_to_type(folder):
    """The job renames nothing: refused, and the line to type is said."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(kind="subscription_started"))
    table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}} | NO_TYPE)
    return Refusal("orders.csv", "subscription_started", "types:")


@case("mapping", "a job's own mistakes")
def a_type_renamed_to_nothing_there_is(folder):
    """`types` names a type of ours that there is not: the job file is refused."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(kind="a"))
    table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}, "types": {"a": "purchas"}} | NO_TYPE)
    return Refusal("purchas", code=78)


# A status

STATUS = "Stripe's and Shopify's status columns: succeeded, paid, refunded, voided"


@case("mapping", STATUS, each={"csv": 1, "json": 2})
def types_by_a_status(folder, sort):
    """A column tells paid, refunded or failed: each is an event, or ignored."""
    types = {"column": "status", "paid": "purchase", "refunded": "refund", "failed": "ignore"}
    folder.csv("users.csv", users())
    if sort == 1:
        rows = orders(status="paid")
        folder.csv("orders.csv", rows + [row | {"status": "refunded", "paid_at": BACK} for row in few(rows)] + [
            row | {"status": "failed", "order_id": "f" + row["order_id"]} for row in few(rows, 60)])
        table_job(folder, {"types_of": types} | NO_TYPE)
    else:
        rows = events(status="paid")
        folder.jsonl("orders.jsonl", rows + [row | {"status": "refunded", "occurredAt": BACK} for row in few(rows, key="userId")] + [
            row | {"status": "failed", "transactionId": "f" + row["transactionId"]} for row in few(rows, 60, "userId")])
        event_job(folder, {"types_of": types} | NO_TYPE)
    return sums(34, 33, net=REFUNDED)


@case("mapping", STATUS)
def a_status_that_nobody_named(folder):
    """Ten rows are `pending`, which the job does not name: rejected by name."""
    folder.csv("users.csv", users())
    rows = orders(status="paid")
    folder.csv("orders.csv", rows + [row | {"status": "pending", "order_id": "x" + row["order_id"]} for row in few(rows)])
    table_job(folder, {"types_of": {"column": "status", "paid": "purchase"}} | NO_TYPE, max_reject_ratio=1.0)
    return right(aside={"unknown_event_type": 10})


@case("mapping", STATUS)
def a_status_column_that_is_not_there(folder):
    """The job asks for a column that the file lacks: refused by name."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    table_job(folder, {"types_of": {"column": "state", "paid": "purchase"}} | NO_TYPE)
    return Refusal("state")


@case("mapping", STATUS)
def a_status_in_a_nested_object(folder):
    """The status is a member of an object."""
    folder.csv("users.csv", users())
    rows = events(payment={"status": "paid"})
    folder.jsonl("orders.jsonl", rows + [row | {"payment": {"status": "failed"},
        "transactionId": "f" + row["transactionId"]} for row in few(rows, key="userId")])
    event_job(folder, {"types_of": {"column": "payment.status", "paid": "purchase", "failed": "ignore"}} | NO_TYPE)
    return RIGHT


# Rows left out

DELETED = "Fivetran's _fivetran_deleted; Debezium's __deleted; AWS DMS' Op"


@case("mapping", DELETED, each={
    "fivetran": ("_fivetran_deleted", True, "true", "false"), "letters": ("is_deleted", "t", "t", "f"), "numbers": ("deleted", 1, "1", "0"),
    "debezium": ("__deleted", "true", "true", "false"), "dms": ("Op", "D", "D", "I"), "upper": ("DELETED", "TRUE", "TRUE", "FALSE")})
def rows_left_out_by_a_column(folder, told):
    """Twenty more rows are marked as deleted, and the job leaves them out by name."""
    name, value, yes, no = told
    rows = orders(**{name: no})
    folder.csv("users.csv", users())
    folder.csv("orders.csv", rows + [row | {"order_id": "d" + row["order_id"], name: yes} for row in few(rows, 60)])
    table_job(folder, {"skip_where": {name: value}})
    return right(aside={"skipped": 20})


@case("mapping", DELETED, each={"boolean": True, "number": 1, "text": "true"})
def rows_left_out_of_json(folder, value):
    """The same with JSON's own true, a number, and a text."""
    rows = events(deleted=False if value is True else 0 if value == 1 else "false")
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", rows + [row | {"transactionId": "d" + row["transactionId"], "deleted": value} for row in few(rows, 60,
        "userId")])
    event_job(folder, {"skip_where": {"deleted": value}})
    return right(aside={"skipped": 20})


@case("mapping", DELETED)
def rows_left_out_by_either_of_two_columns(folder):
    """Deleted or a test: either leaves a row out."""
    rows = orders(deleted="false", is_test="no")
    folder.csv("users.csv", users())
    folder.csv("orders.csv", rows + [row | {"order_id": "d" + row["order_id"], "deleted": "true"} for row in few(rows)] + [
        row | {"order_id": "e" + row["order_id"], "is_test": "yes"} for row in few(rows)])
    table_job(folder, {"skip_where": {"deleted": True, "is_test": "yes"}})
    return Either(right(aside={"skipped": 20}), sums(44, 43))


@case("mapping", DELETED)
def assignments_left_out_by_a_column(folder):
    """Assignments that were deleted assign nobody: fifty more users who buy are outside the test."""
    more = [row | {"user": "x" + row["user"], "deleted": "true"} for row in users()[:50]]
    folder.csv("users.csv", [row | {"deleted": "false"} for row in users()] + more)
    folder.csv("orders.csv", orders() + [row | {"user": "xu0", "order_id": "x1"} for row in orders()[:1]])
    table_job(folder, assignments={"skip_where": {"deleted": True}})
    return right(aside={"unassigned": 1})


@case("mapping", DELETED)
def a_column_of_deleted_rows_that_is_not_there(folder):
    """The job leaves rows out by a column that the file lacks: refused by name, not read as if none were deleted."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    table_job(folder, {"skip_where": {"is_deleted": True}})
    return Refusal("is_deleted")


# Names with dots

NESTED = "nested members: https://docs.airbyte.com (raw tables, _airbyte_data); Segment's and Mixpanel's `properties`"


def nested(event):
    return {"id": event["transactionId"], "data": {"user": {"id": event["userId"]}, "at": event["occurredAt"],
        "item": {"sku": event["productId"], "price": event["price"]}}}


DOTTED = {"userId": "data.user.id", "occurredAt": "data.at", "productId": "data.item.sku", "price": "data.item.price",
    "transactionId": "id"}


@case("mapping", NESTED, each={"text_price": PRICE, "number_price": 9.99})
def members_of_members(folder, price):
    """Price and user lie two levels deep: dotted names reach them."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", map(nested, events(price=price)))
    event_job(folder, {"columns": DOTTED})
    return RIGHT


@case("mapping", NESTED)
def names_that_really_have_dots(folder):
    """A member is called `data.price`, and another lies in `data` with another price: the name itself comes first."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", [{"userId": row["userId"], "occurredAt": row["occurredAt"], "productId": "p",
        "transactionId": row["transactionId"], "data.price": PRICE,
                                   "data": {"price": "100.00"}} for row in events()])
    event_job(folder, {"columns": {"price": "data.price"}})
    return RIGHT


@case("mapping", NESTED)
def columns_that_really_have_dots(folder):
    """A table's column is called `order.price`."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", [{"order.id": row["order_id"], "user": row["user"], "paid.at": row["paid_at"], "sku": "p",
        "order.price": row["price"]} for row in orders()])
    table_job(folder, {"columns": {"userId": "user", "occurredAt": "paid.at", "productId": "sku", "transactionId": "order.id",
        "price": "order.price"}})
    return RIGHT


@case("mapping", NESTED)
def members_that_are_missing_in_some(folder):
    """Ten events have no `data`, ten a `data` that is no object: rejected by name, not read from the event before."""
    folder.csv("users.csv", users())
    rows = [nested(row) for row in events()]
    folder.jsonl("orders.jsonl", rows + [{"id": f"x{place}"} for place in range(10)] + [{"id": f"y{place}",
        "data": place} for place in range(10)])
    event_job(folder, {"columns": DOTTED}, max_reject_ratio=1.0)
    return right(aside={"missing_field": 20})


@case("mapping", NESTED)
def assignments_in_nested_members(folder):
    """The assignments are JSON Lines whose fields lie in an object."""
    folder.jsonl("users.jsonl", [{"user": {"id": row["user"]}, "test": {"name": row["offering"], "group": row["group"]},
        "at": row["at"]} for row in users()])
    folder.csv("orders.csv", orders())
    table_job(folder, assignments={"path": "users.jsonl", "format": "jsonl", "columns": {
        "user": "user.id", "offering": "test.name", "group": "test.group", "assigned_at": "at"}})
    return RIGHT


@case("mapping", "Airbyte's raw tables: https://docs.airbyte.com/understanding-airbyte/typing-deduping",
    each={"object": False, "text": True})
def rows_inside_airbyte_s_own(folder, is_text):
    """The row lies in `_airbyte_data`, as an object or as text: read by dotted names."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", [{"_airbyte_ab_id": f"{place:08x}-0000-0000-0000-000000000000", "_airbyte_emitted_at": 1772755200000,
                                   "_airbyte_data": json.dumps(row) if is_text else row} for place, row in enumerate(events())])
    event_job(folder, {"columns": {name: f"_airbyte_data.{name}" for name in ("userId", "occurredAt", "productId", "price",
        "transactionId")}})
    return RIGHT


@case("mapping", "as above")
def airbyte_s_rows_without_a_word(folder):
    """The job names no columns: the line to type is said."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", [{"_airbyte_ab_id": f"{place:08x}-0000-0000-0000-000000000000", "_airbyte_emitted_at": 1772755200000,
        "_airbyte_data": row}
                                  for place, row in enumerate(events())])
    event_job(folder)
    return Either(RIGHT, Refusal("orders.jsonl", "_airbyte_data"))


@case("mapping", NESTED, each={"csv": False, "escaped": True})
def json_text_in_a_column(folder, is_escaped):
    """A table's column holds JSON text with price and product, with quotes, commas and escapes."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", [{"order_id": row["order_id"], "user": row["user"], "paid_at": row["paid_at"], "body": json.dumps(
        {"note": 'a "quoted", \\ note\u00e9' if is_escaped else "", "item": {"sku": "p", "price": 9.99}})} for row in orders()])
    table_job(folder, {"columns": COLUMNS | {"productId": "body.item.sku", "price": "body.item.price"}})
    return RIGHT


@case("mapping", NESTED)
def a_column_that_holds_no_json(folder):
    """Ten rows hold other text where JSON is expected: rejected by name."""
    folder.csv("users.csv", users())
    rows = [{"order_id": row["order_id"], "user": row["user"], "paid_at": row["paid_at"], "sku": "p",
        "body": json.dumps({"price": PRICE})} for row in orders()]
    folder.csv("orders.csv", rows + [row | {"order_id": "x" + row["order_id"], "body": "price=9.99"} for row in rows[:10]])
    table_job(folder, {"columns": COLUMNS | {"price": "body.price"}}, max_reject_ratio=1.0)
    return Either(right(aside={"missing_price": 10}), right(aside={"malformed": 10}), right(aside={"missing_field": 10}),
        right(aside={"bad_price": 10}))


# All at once

@case("mapping", "a warehouse's export of a payment service: everything at once")
def everything_at_once(folder):
    """Minor units, lower-case codes, a status, deleted rows, nested names, epoch milliseconds and negative refunds in one log."""
    folder.csv("users.csv", users())
    rows = [{"id": f"ch{i}", "obj": {"metadata": {"uid": f"u{i}"}, "amount": 999, "currency": "usd"}, "created": 1772704800123,
        "status": "succeeded", "_deleted": False}
            for i in range(0, 200, 3)]
    refunded = [row | {"created": 1773704800123, "obj": row["obj"] | {"amount": -999}} for row in rows[:10]]
    failed = [row | {"id": "f" + row["id"], "status": "failed"} for row in rows[:10]]
    deleted = [row | {"id": "d" + row["id"], "_deleted": True} for row in rows[:10]]
    folder.jsonl("orders.jsonl", rows + refunded + failed + deleted)
    event_job(folder, {"columns": {"userId": "obj.metadata.uid", "occurredAt": "created", "price": "obj.amount", "currency": "obj.currency",
        "transactionId": "id"},
                       "time_unit": "milliseconds", "price_unit": "minor", "negative": "refund", "skip_where": {"_deleted": True},
                       "types_of": {"column": "status", "succeeded": "purchase", "failed": "ignore"}, "defaults": {"productId": "p"}})
    return sums(34, 33, net=REFUNDED)

