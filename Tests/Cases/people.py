"""The two hundred users whose files most cases are: 100 in `control`, 100 in `b`, and 67 of them pay 9.99 once."""

from answers import Sums

METRICS = [{"name": "revenue_net", "primary": True}, {"name": "charges"}]
ASSIGNMENTS = {"path": "users.csv", "columns": {"user": "user", "offering": "offering", "group": "group", "assigned_at": "at"}}
COLUMNS = {"userId": "user", "occurredAt": "paid_at", "productId": "sku", "transactionId": "order_id"}
DEFAULTS = {"eventType": "purchase", "currency": "USD"}
ORDERS = {"path": "orders.csv", "format": "events-csv", "columns": COLUMNS, "defaults": DEFAULTS}
EVENTS = {"path": "orders.jsonl", "format": "events", "defaults": DEFAULTS}
PRICE = "9.99"
PAID = "2026-03-05T00:00:00Z"
PAYERS = range(0, 200, 3)


def sums(control, b, *, net=None, **more):
    """What so many charges of 9.99 come to; `net` where it is not 9.99 a charge."""
    of = net or {"control": cents(control), "b": cents(b)}
    return Sums({"control": {"charges": control, "revenue_net": of["control"], "users": 100},
                 "b": {"charges": b, "revenue_net": of["b"], "users": 100}}, **more)


def cents(charges, each=999):
    return f"{charges * each // 100}.{charges * each % 100:02}"


def right(**more):
    return sums(34, 33, **more)


RIGHT = right()


def group(number):
    return "b" if number % 2 else "control"


def users(name="u{}", at="2026-03-01T00:00:00Z", **columns):
    """Rows of assignments; further columns as they are, or by a function of the user's number."""
    return [{"user": named(name, i), "offering": "o", "group": group(i)} | told({"at": at} | columns, i) for i in range(200)]


def orders(name="u{}", **columns):
    """Rows of a table of orders."""
    return [{"order_id": f"t{i}", "user": named(name, i), "paid_at": PAID, "sku": "p", "price": PRICE} | told(columns, i) for i in PAYERS]


def events(name="u{}", **members):
    """Rows of our own log."""
    return [{"userId": named(name, i), "occurredAt": PAID, "productId": "p", "price": PRICE, "transactionId": f"t{i}"} | told(members, i)
            for i in PAYERS]


def named(name, number):
    return name(number) if callable(name) else name.format(number)


def told(columns, number):
    return {column: value(number) if callable(value) else value for column, value in columns.items()}


def nth(number):
    """The place of a paying user among those who pay."""
    return number // 3


def turns(*values):
    """Values one after the other, from payer to payer."""
    return lambda number: values[nth(number) % len(values)]


def table_job(folder, purchases=None, assignments=None, **keys):
    """The job of users.csv and orders.csv; keys of the two inputs go over the usual ones."""
    mine = [ASSIGNMENTS | part for part in (assignments if isinstance(assignments, list) else [assignments or {}])]
    theirs = [ORDERS | part for part in (purchases if isinstance(purchases, list) else [purchases or {}])]
    folder.job(**({"assignments": mine, "purchases": theirs, "metrics": METRICS} | keys))


def event_job(folder, purchases=None, **keys):
    """The job of users.csv and orders.jsonl."""
    table_job(folder, EVENTS | {"columns": {}} | (purchases or {}), **keys)
