"""What `init` makes of strangers' files: sums that are right, or a question; never money that is wrong by a factor."""

import json

from answers import CheckTold, Either, Init, Sums
from case import case
from folders import csv_text
from people import PAYERS, cents, group, nth, turns, users

USERS = ["--assignments", "users.csv"]
ORDERS = ["--purchases", "orders.csv"]
LOG = ["--purchases", "orders.jsonl"]


def net(control, b, **more):
    """The net sums of a job that `init` wrote, in cents."""
    return Sums({"control": {"revenue_net_none": cents(1, control)}, "b": {"revenue_net_none": cents(1, b)}}, **more)


def spread(each):
    """Cents by group: of each paying user what a function says."""
    return net(sum(each(i) for i in PAYERS if not i % 2), sum(each(i) for i in PAYERS if i % 2))


ALL = spread(lambda i: 999)


def order(i, **columns):
    return {"order_id": 1000 + i, "customer": f"u{i}", "paid_at": f"2026-03-05T{nth(i) % 24:02}:00:00Z", "sku": "p", "price": "9.99"} | {
        name: value(i) if callable(value) else value for name, value in columns.items()}


def table(folder, rows, answer, asks, assignments=None, arguments=(), **columns):
    folder.csv("users.csv", assignments or users())
    folder.csv("orders.csv", rows)
    return Init(*USERS, *ORDERS, *arguments, answer=answer, asks=asks)


def orders(**columns):
    return [order(i, **columns) for i in PAYERS]


# Whose column

FIVE = "the first 5,000 rows of a table tell little of the rest; README's own names"


@case("init", FIVE, each={"country": ("user_id", "customer", "country"), "device": ("uid", "uid", "device"),
    "plan": ("id", "customer_id", "plan"),
                          "platform": ("account", "account_id", "platform"), "email_domain": ("member", "buyer", "email_domain")})
def payers_behind_the_first_5000_users(folder, names):
    """Two tables share a column of few values, and payers come late in the users' table: the user's column is the ids'."""
    user, customer, shared = names
    people = [{user: f"u{i}", "variant": ("b", "control")[i // 3 % 2], "joined_at": "2026-03-01 00:00:00",
        shared: "ABCD"[i % 4]} for i in range(7000)]
    rows = [{"order_id": i, customer: f"u{i}", "paid_at": "2026-03-05 10:00:00", "sku": "p", "total": "9.99",
        shared: "ABCD"[i // 3 % 4]} for i in range(5000, 7000, 7)]
    by = {name: sum(999 for i in range(5000, 7000, 7) if ("b", "control")[i // 3 % 2] == name) for name in ("control", "b")}
    folder.write("users.csv", csv_text(people))
    folder.write("orders.csv", csv_text(rows))
    return Init(*USERS, *ORDERS, answer=net(by["control"], by["b"]), asks=())


@case("init", "order numbers and user numbers from the same range")
def order_numbers_that_look_like_users(folder):
    """Orders are numbered 1 to 67 and users 1 to 200: the user's column is not the order's."""
    people = [{"user_id": i + 1, "variant": group(i), "joined_at": "2026-03-01 00:00:00"} for i in range(200)]
    rows = [{"id": nth(i) + 1, "user_id": i + 1, "created_at": "2026-03-05 10:00:00", "sku": "p", "amount": "9.99"} for i in PAYERS]
    return table(folder, rows, ALL, (), people)


@case("init", "few payers among many users")
def a_tenth_of_the_orders_is_of_assigned_users(folder):
    """Most orders are old clients': the user's column is still the ids', not the country that all share."""
    people = [row | {"country": "US" if place % 2 else "DE"} for place, row in enumerate(users())]
    rows = orders(country="US") + [order(i, customer=f"old{i}", country="DE") for i in range(1000, 1600)]
    return table(folder, rows, ALL, (), people)


# Several times, several amounts

TIMES = "tables with paid_at, shipped_at and updated_at: https://shopify.dev/docs/api/admin-rest/latest/resources/order"


@case("init", TIMES, each={"shipped": ("paid_at", "shipped_at"), "updated": ("created_at", "updated_at"),
    "synced": ("purchased_at", "_synced_at"),
                           "refunded": ("order_date", "refund_date"), "expires": ("purchase_date", "expires_date")})
def two_times(folder, names):
    """A second time lies beyond the cut-off for half of the orders: it is not the sale's."""
    folder.as_of = "2026-03-20T00:00:00Z"
    rows = [{"order_id": 1000 + i, "customer": f"u{i}", names[0]: f"2026-03-05T{nth(i) % 24:02}:00:00Z", "sku": "p", "price": "9.99",
             names[1]: "2026-04-02T00:00:00Z" if nth(i) % 2 else "2026-03-06T00:00:00Z"} for i in PAYERS]
    return table(folder, rows, ALL, (names[0],))


@case("init", TIMES)
def two_times_in_another_order(folder):
    """The later time's column comes first."""
    folder.as_of = "2026-03-20T00:00:00Z"
    rows = [{"updated_at": "2026-04-02T00:00:00Z", "created_at": "2026-03-05T10:00:00Z", "customer": f"u{i}", "order_id": 1000 + i,
        "price": "9.99"} for i in PAYERS]
    return table(folder, rows, ALL, ("created_at",))


@case("init", "MongoDB Extended JSON v2: https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/",
    each={"created": False, "updated_first": True})
def two_dates_of_mongo(folder, is_updated_first):
    """`created_at` and `updated_at` are both `{"$date": …}`: whatever is advised keeps the two apart."""
    folder.as_of = "2026-03-10T00:00:00Z"
    folder.csv("users.csv", users())
    rows = []
    for i in PAYERS:
        dates = {"created_at": {"$date": "2026-03-05T00:00:00Z"}, "updated_at": {"$date": "2026-03-20T00:00:00Z"}}
        dates = dict(reversed(dates.items())) if is_updated_first else dates
        rows.append({"_id": {"$oid": f"{i:024x}"}, "user_id": f"u{i}"} | dates | {"amount": {"$numberDecimal": "9.99"}})
    folder.jsonl("orders.jsonl", rows)
    return Init(*USERS, *LOG, answer=ALL, asks=("created_at", "updated_at"))


ADAPTY = (
    "profile_id,event_type,event_datetime,transaction_id,original_transaction_id,subscription_expires_at,environment,revenue_usd,proceeds_usd,net_revenue_usd,"
    "tax_amount_usd,revenue_local,proceeds_local,net_revenue_local,tax_amount_local,customer_user_id,store,product_id,ab_test_name,paywall_name,install_date,"
    "cancellation_reason,currency,store_country").split(",")


def adapty(folder, local, form="{} 10:00:00", arguments=()):
    """Forty users, the first twenty buy for 10.00 USD; `local` tells amount and currency of each."""
    names = ("variant", "control")
    folder.csv("assignments.csv", [{"user_id": f"user_{i:03}", "offering_id": "spring", "test_group_id": names[i % 2],
        "assigned_at": "2026-02-25T00:00:00Z"} for i in range(40)])
    rows = []
    for i in range(20):
        amount, currency = local(i)
        rows.append({"profile_id": f"00000000-0000-0000-0000-{i:012x}", "event_type": "subscription_started",
            "event_datetime": form.format("2026-03-02"),
                     "transaction_id": f"19000086950{i:04}", "original_transaction_id": f"19000086950{i:04}",
                     "subscription_expires_at": "2026-04-02T10:00:00.000000+0000",
                     "environment": "Production", "revenue_usd": "10.00", "proceeds_usd": "8.5000", "revenue_local": amount,
                     "customer_user_id": f"user_{i:03}",
                     "store": "app_store", "product_id": "monthly", "ab_test_name": "Spring price", "paywall_name": ("High", "Low")[i % 2],
                     "currency": currency,
                     "store_country": "DE" if currency == "EUR" else "US"})
    folder.text("adapty_events.csv", csv_text(folder.mixed(rows), header=ADAPTY))
    folder.as_of = "2026-04-21T00:00:00Z"
    return Init("--assignments", "assignments.csv", "--purchases", "adapty_events.csv", *arguments,
                answer=Sums({name: {"revenue_net_none": "100"} for name in names}), asks=())


DOLLARS = "adaptyteam/adapty-docs s3-exports.mdx (revenue_usd; currency = of the transaction)"


@case("init", DOLLARS, each={"with_rates": True, "without_rates": False})
def dollars_are_not_called_euros(folder, has_rates):
    """Twenty sales of 10.00 USD, five paid as 8.00 EUR at 1.25: revenue_usd goes with USD, revenue_local with currency."""
    folder.write("rates.csv", "date,currency,rate\n" + "".join(f"2026-{month:02}-{day:02},EUR,1.25\n" for month in (2, 3,
        4) for day in range(1, 29, 5)))
    return adapty(folder, lambda i: ("8.00", "EUR") if i % 4 == 0 else ("10.00", "USD"),
        arguments=["--rates", "rates.csv"] if has_rates else [])


@case("init", "adaptyteam/adapty-docs (event_datetime 2020-07-10T15:00:00.000000+0000)")
def times_with_an_offset_without_a_colon(folder):
    """Times end with +0000."""
    return adapty(folder, lambda i: ("10.00", "USD"), "{}T10:00:00.000000+0000")


@case("init", "tables with a price in the buyer's currency and one in dollars", each={
    "usd_behind": ("price", "currency", "price_usd"), "usd_in_front": ("amount_usd", None, "amount_local"),
    "eur": ("price", "currency", "price_eur")})
def two_amounts(folder, names):
    """Every third buyer paid yen, a hundred times the dollars: the dollars' column goes with USD, the other with the currency."""
    first, currency, second = names
    rows = []
    for i in PAYERS:
        is_yen = nth(i) % 3 == 0
        local, worth = ("999" if is_yen else "9.99"), "9.99"
        told = {first: worth if first.endswith("usd") else local,
            "currency": "JPY" if is_yen else "EUR" if second.endswith("eur") else "USD",
                second: local if second.endswith("local") else worth}
        rows.append({"order_id": 1000 + i, "customer": f"u{i}", "paid_at": "2026-03-05T10:00:00Z", "sku": "p"} | told)
    return table(folder, rows, ALL, ())


# Units

STRIPE = "Stripe API: amount is in the smallest currency unit, currency in lower case"


@case("init", STRIPE, each={"usd": ("usd", 1), "eur": ("eur", 1), "gbp_upper": ("GBP", 1), "jpy": ("jpy", 100)})
def charges_in_the_smallest_unit(folder, told):
    """Amounts are 999 and 1499 with codes in lower case: cents are asked about or understood, yen stay yen."""
    currency, factor = told
    rows = [{"id": f"ch_{i}", "created": 1772445600 + i, "amount": (999, 1499)[nth(i) % 2], "amount_refunded": 0, "currency": currency,
        "customer": f"cus_{i}",
             "status": "succeeded", "metadata_user_id": f"u{i}"} for i in PAYERS]
    return table(folder, rows, spread(lambda i: (999, 1499)[nth(i) % 2] * factor), (("minor", "cent", "unit"),),
        arguments=["--currency", currency.upper()])


@case("init", STRIPE)
def charges_in_whole_units(folder):
    """Amounts are whole dollars of 20, 35 and 50, as they are: not divided."""
    prices = (20, 35, 50)
    return table(folder, orders(price=lambda i: prices[nth(i) % 3], currency="USD"), spread(lambda i: prices[nth(i) % 3] * 100),
        (("minor", "cent", "unit"),))


@case("init", STRIPE)
def charges_with_partly_refunded_amounts(folder):
    """`amount_refunded` is not 0 for some: it is brought up, or taken off."""
    rows = [order(i, price="9.99", amount_refunded="9.99" if i < 30 else "0") for i in PAYERS]
    return table(folder, rows, spread(lambda i: 0 if i < 30 else 999), ("refund",))


# Copies and kinds of rows

@case("init", "docs.mixpanel.com raw-data-export-api: deduplication is not applied; use event, distinct_id, time, $insert_id", each={
    "mixpanel": "$insert_id", "amplitude": "insert_id", "posthog": "uuid", "segment": "messageId", "own": "event_id"})
def events_exported_twice(folder, key):
    """Five events stand in the export twice: the column of their own id tells."""
    rows = [{"event": "Purchase", "time": 1772445600 + i, "distinct_id": f"u{i}",
        key: f"ins{i}" if key != "uuid" else f"018e7a8a-3d6f-7000-8000-{i:012x}",
             "price": 9.99, "currency": "USD", "product_id": "monthly"} for i in PAYERS]
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", rows + rows[:5])
    return Init(*USERS, *LOG, answer=Either(ALL, Sums(ALL.groups, failing=["duplicate"])), asks=())


@case("init", "a table of line items: https://help.shopify.com/manual/orders/export-orders", each={"every_fourth": 4, "all": 1})
def an_order_number_on_several_rows(folder, every):
    """Rows of one order with another product are its items: all are money, or it is asked, or a check fails."""
    rows = orders(sku="p0") + [row | {"sku": "p1", "price": "4.99"} for row in orders() if nth(row["order_id"] - 1000) % every == 0]
    answer = spread(lambda i: 999 + (499 if nth(i) % every == 0 else 0))
    return table(folder, rows, Either(answer, CheckTold("order_items")), (("item", "order_id"),))


RETAIL = "https://archive.ics.uci.edu/dataset/352/online+retail (Quantity, UnitPrice)"


@case("init", RETAIL)
def a_quantity_beside_a_unit_price(folder):
    """`Quantity` stands beside `UnitPrice`: multiplied, or asked about."""
    folder.as_of = "2026-06-01T00:00:00Z"
    rows = [{"InvoiceNo": 536365 + i, "StockCode": "85120A", "Description": "WHITE HOLDER", "Quantity": 1 + nth(i) % 5,
        "InvoiceDate": f"2026-03-05 8:{nth(i) % 60:02}:00",
             "UnitPrice": "2.55", "CustomerID": f"u{i}", "Country": "United Kingdom"} for i in PAYERS]
    return table(folder, rows, spread(lambda i: 255 * (1 + nth(i) % 5)), ("quantity",))


@case("init", "a household panel: https://www.dunnhumby.com/source-files (QUANTITY, SALES_VALUE of the whole line)", each={
    "sales_value": "SALES_VALUE", "line_total": "line_total", "total": "total"})
def a_quantity_beside_a_total(folder, name):
    """The amount is the whole line's, and the quantity says how many it was: not multiplied."""
    rows = [{"order_id": 1000 + i, "customer": f"u{i}", "paid_at": "2026-03-05T10:00:00Z", "sku": "p", "quantity": 1 + nth(i) % 3,
        name: f"{2.5 * (1 + nth(i) % 3):.2f}"}
            for i in PAYERS]
    return table(folder, rows, spread(lambda i: 250 * (1 + nth(i) % 3)), ("quantity",))


DELETED = "Fivetran's _fivetran_deleted; Stitch's _sdc_deleted_at; Debezium's __deleted; Rails' soft deletes"


@case("init", DELETED, each={
    "fivetran": ("_fivetran_deleted", "true", "false"), "letters": ("is_deleted", "t", "f"), "numbers": ("deleted", "1", "0"),
    "debezium": ("__deleted", "true", "false"),
    "time": ("deleted_at", "2026-03-06T00:00:00Z", ""), "stitch": ("_sdc_deleted_at", "2026-03-06T00:00:00Z", "")})
def rows_that_were_deleted(folder, told):
    """Every sixth row is marked as deleted: left out, or asked about."""
    name, yes, no = told
    rows = orders(**{name: lambda i: yes if nth(i) % 6 == 0 else no})
    return table(folder, rows, spread(lambda i: 0 if nth(i) % 6 == 0 else 999), ("delete",))


@case("init", "AWS DMS: the first column `Op` is I, U or D", each={"deletes": "D", "updates": "U"})
def rows_of_a_change_log(folder, op):
    """The table is a log of changes: an order that was deleted, or corrected to 4.99, comes again: asked about, or right."""
    rows = [{"Op": "I"} | row for row in orders()] + [
        {"Op": op} | row | ({"price": "4.99"} if op == "U" else {}) for row in orders() if row["order_id"] < 1030]
    return table(folder, rows, spread(lambda i: (0 if op == "D" else 499) if i < 30 else 999), (("Op", '"D"'),))


@case("init", "Stripe's and Shopify's status columns", each={"failed": ("status", "succeeded", "failed"),
    "financial": ("financial_status", "paid", "voided"),
                                                              "refunded": ("status", "paid", "refunded"),
                                                              "state": ("payment_state", "completed", "canceled")})
def rows_that_were_never_paid(folder, told):
    """A status says that every sixth row was never paid, or was paid back: asked about, or left out."""
    name, yes, no = told
    rows = orders(**{name: lambda i: no if nth(i) % 6 == 0 else yes})
    return table(folder, rows, spread(lambda i: 0 if nth(i) % 6 == 0 else 999), (name,))


@case("init", "exports whose refunds are negative rows")
def negative_rows_are_brought_up(folder):
    """Ten refunds are negative rows of their orders: taken off, or asked about."""
    rows = orders() + [row | {"price": "-9.99", "paid_at": "2026-03-09T00:00:00Z"} for row in orders() if row["order_id"] < 1030]
    return table(folder, rows, spread(lambda i: 0 if i < 30 else 999), (("negative", "refund"),))


# Warehouse exports

@case("init", "GA4/Firebase BigQuery export schema: event_timestamp in microseconds UTC; event_date a day of the app's time zone")
def a_day_is_not_taken_for_the_instant(folder):
    """Everybody was assigned at 08:00 and bought after that, most on that very day: the time is event_timestamp's."""
    names = ("variant", "control")
    folder.csv("assignments.csv", [{"user_id": f"user_{i:03}", "offering_id": "spring", "test_group_id": names[i % 2],
        "assigned_at": "2026-03-02T08:00:00Z"} for i in range(40)])
    rows = [{"event_date": ("20260302", "20260303")[i % 2], "event_timestamp": (1772445600000123, 1772532000000123)[i % 2],
        "event_name": "in_app_purchase",
             "event_params": [{"key": "product_id", "value": {"string_value": "monthly"}}], "event_value_in_usd": 9.99,
             "user_id": f"user_{i:03}",
             "user_pseudo_id": f"ps{i}", "platform": "IOS"} for i in range(40)]
    folder.jsonl("events.jsonl", rows)
    folder.as_of = "2026-04-21T00:00:00Z"
    return Init("--assignments", "assignments.csv", "--purchases", "events.jsonl",
        answer=Sums({name: {"revenue_net_none": "199.8"} for name in names}), asks=())


@case("init", "event tables with JSON in a column: Amplitude's and Segment's warehouse schemas", each={"nested": True, "text": False})
def money_inside_json(folder, is_nested):
    """Price and currency lie in an object, or in a column of JSON text: read by their dotted names, or asked for."""
    folder.csv("users.csv", users())
    rows = [{"event_id": f"e{i}", "user_id": f"u{i}", "event_time": "2026-03-05 10:00:00",
        "properties": {"price": 9.99, "currency": "USD", "product": "p"}} for i in PAYERS]
    if is_nested:
        folder.jsonl("orders.jsonl", rows)
        return Init(*USERS, *LOG, answer=ALL, asks=("properties",))
    folder.csv("orders.csv", [row | {"properties": json.dumps(row["properties"])} for row in rows])
    return Init(*USERS, *ORDERS, answer=ALL, asks=("properties",))


@case("init", "a store's price test with float prices, written by pandas with its index")
def a_table_that_pandas_wrote(folder):
    """The first column is the index without a name, prices are doubles, users numbers with `.0`-free ids."""
    folder.csv("users.csv", [{"": place, "user_id": 5000 + place, "test": group(place),
        "timestamp": "2026-03-01 10:00:00"} for place in range(200)])
    folder.csv("orders.csv", [{"": nth(i), "user_id": 5000 + i, "timestamp": "2026-03-05 10:00:00",
        "price": turns("9.99", "9.990000000000002")(i)} for i in PAYERS])
    return Init(*USERS, *ORDERS, answer=ALL, asks=())


@case("init", "German spreadsheets: semicolons, decimal commas, days first")
def a_german_spreadsheet(folder):
    """`Bestellnummer;Kunde;Datum;Betrag`, 9,99 and 05.03.2026 10:00."""
    folder.csv("users.csv", users())
    folder.text("orders.csv", csv_text(folder.mixed([{"order_id": 1000 + i, "customer": f"u{i}", "paid_at": "15.03.2026 10:00",
        "total": "9,99"} for i in PAYERS]), delimiter=";"))
    return Init(*USERS, *ORDERS, answer=ALL, asks=())


@case("init", "https://www.kaggle.com/datasets/olistbr/brazilian-ecommerce (order_item_id: two pieces of one product are two rows)",
      each={"order_item_id": "order_item_id", "line_number": "line_number", "line_item_id": "line_item_id"})
def two_pieces_of_one_product_in_an_order(folder, name):
    """An order has two rows of one product, numbered 1 and 2: both are money, or it is asked; none is dropped as a copy."""
    rows = [row | {name: piece} for row in orders() for piece in (1, 2)]
    answer = spread(lambda i: 1998)
    return table(folder, rows, Either(answer, CheckTold("order_items")), (("item", "order_id", name),))


@case("init", "payment services' balance tables: a row a movement, of kind sale or refund",
      each={"kind": ("kind", "sale", "refund"), "type": ("type", "Sale", "Refund"), "transaction_type": ("transaction_type", "charge", "refund"),
            "entry": ("entry", "payment", "chargeback")})
def a_kind_of_row(folder, told):
    """A column says of ten rows that they are refunds, with positive amounts: taken off, or asked about; not dropped as copies."""
    name, sale, refund = told
    rows = orders(**{name: sale}) + [row | {name: refund} for row in orders() if row["order_id"] < 1030]
    return table(folder, rows, spread(lambda i: 0 if i < 30 else 999), (name,))
