"""What `init` makes of strangers' tables of which more than one reading is possible: the right sums, or a question; and of files
that are no table, the line to type."""

import json
import zipfile

from answers import Either, Init, Looked, Refusal
from case import case
from cases_init import ALL, ORDERS, USERS, net, order, orders, spread, table
from folders import csv_text
from people import PAYERS, RIGHT, nth, table_job, turns, users
from people import orders as plain_orders

ONLY_ASKED = ("init", "again")


def half(i):
    """Every other payer of the control group."""
    return i % 2 == 0 and nth(i) % 4 == 0


# Rows that are no sales, or no longer

MARKS = "Shopify's cancelled_at and test, Recurly's voided_at, Superstore's Returned, points of sale's void receipts"


@case("init", MARKS, each={
    "cancelled_at": ("cancelled_at", "2026-03-20 10:00:00", ""), "voided_at": ("voided_at", "2026-03-06T00:00:00Z", ""),
    "cancellation_date": ("cancellation_date", "2026-03-20", ""), "is_void": ("is_void", "Y", "N"), "void": ("Void", "1", "0"),
    "is_canceled": ("is_canceled", "1", "0"), "isCancelled": ("isCancelled", "true", "false"), "test": ("test", "TRUE", "FALSE"),
    "returned": ("Returned", "Yes", ""), "returned_no": ("returned", "Yes", "No"), "sandbox": ("is_sandbox", "true", "false"),
    "chargeback": ("is_chargeback", "t", "f"), "fraud": ("fraud_flag", "1", "0"), "test_mode": ("test_mode", "yes", "no")})
def rows_that_are_marked(folder, told):
    """A mark says that some rows of the control group are no sales, or no longer: left out, or asked about."""
    name, yes, no = told
    rows = orders(**{name: lambda i: yes if half(i) else no})
    return table(folder, rows, spread(lambda i: 0 if half(i) else 999), (f"rows.{name}=",))


@case("init", "a table of subscriptions: a row was paid when it began, whatever its status is now",
      each={"canceled": "canceled", "expired": "expired", "ended": "ended", "churned": "Churned", "paused": "paused"})
def a_subscription_that_ended_was_paid(folder, word):
    """Every third subscription has ended since: all were paid, or it is asked; they are never left out without a word."""
    rows = [{"subscription_id": 1000 + i, "customer_id": f"u{i}", "start_date": "2026-03-05", "monthly_price": "9.99",
             "status": word if nth(i) % 3 == 0 else "active"} for i in PAYERS]
    return table(folder, rows, ALL, (f"types.{word}=",))


@case("init", "payment services' statuses: partially_refunded without a column of how much")
def a_part_was_given_back(folder):
    """A status says that a part was given back and no column how much: asked about."""
    rows = orders(status=lambda i: "partially_refunded" if half(i) else "paid")
    return table(folder, rows, None, ("partially_refunded",))


@case("init", "wallets and double-entry ledgers: https://docs.moderntreasury.com/docs/ledgers",
      each={"direction": ("direction", "credit", "debit"), "drcr": ("dr_cr", "CR", "DR"), "impact": ("Balance Impact", "Credit", "Debit")})
def two_sides_of_an_account(folder, told):
    """Every other row is on the other side of the account, with a positive amount: asked about by name."""
    name, one, other = told
    rows = orders(**{name: one}) + [row | {"order_id": row["order_id"] + 5000, name: other} for row in orders()]
    return table(folder, rows, None, (name,))


@case("init", "Stripe's balance transactions: https://docs.stripe.com/reports/balance-transaction-types", each={
    "type": ("type", "charge", "payout", "stripe_fee"), "category": ("reporting_category", "charge", "payout", "fee"),
    "txn_type": ("txn_type", "sale", "payout", "transfer")})
def payouts_and_fees_are_no_sales(folder, told):
    """Rows of payouts and fees stand beside those of charges: no sales of anybody."""
    name, sale, payout, fee = told
    rows = orders(**{name: sale}) + [
        row | {"order_id": row["order_id"] + 5000 * n, name: kind} for n, kind in ((1, payout), (2, fee)) for row in orders() if nth(row["order_id"] - 1000) % 5 == 0]
    return table(folder, rows, ALL, (name,))


@case("init", "exports whose refunds have ids of their own and name their charge", each={
    "parent": ("type", "parent_transaction_id"), "original": ("txn_type", "original_transaction_id"), "refund_of": ("kind", "refund_of")})
def refunds_that_name_their_charge(folder, names):
    """Ten refunds have their own id, and the charge's in another column: taken off, or the line to type."""
    kind, link = names
    rows = orders(**{kind: "sale", link: ""}) + [
        row | {"order_id": 9000 + row["order_id"], kind: "refund", link: row["order_id"]} for row in orders() if row["order_id"] < 1030]
    return table(folder, rows, spread(lambda i: 0 if i < 30 else 999), (link, "UPDATE t SET [order_id] = "))


@case("init", "Stripe's, Shopify's and WooCommerce's tables of refunds", each={"named": "refunds.csv", "unnamed": "given_back.csv"})
def a_table_of_refunds(folder, name):
    """A second table has a row a refund, with the order's number: taken off, never counted as sales or as copies."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    folder.csv(name, [{"refund_id": f"r{i}", "order_id": 1000 + i, "customer": f"u{i}", "refunded_at": "2026-03-09T00:00:00Z",
                       "amount": "9.99"} for i in PAYERS if i < 30])
    return Init(*USERS, "--purchases", "orders.csv", name, answer=spread(lambda i: 0 if i < 30 else 999), asks=("refund",))


@case("init", "WooCommerce's and PayPal's tables of refunds, which name the order and no customer", each={"part": ("4.99", 500), "in_full": ("9.99", 0)})
def a_table_of_refunds_without_a_user(folder, told):
    """A refund is of whoever has the order that it names: nobody need name a column of users that is not there."""
    amount, left = told
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    folder.csv("refunds.csv", [{"refund_id": f"r{i}", "order_id": 1000 + i, "refunded_at": "2026-03-09T00:00:00Z", "amount": amount}
        for i in PAYERS if i < 30])
    return Init(*USERS, "--purchases", "orders.csv", "refunds.csv", answer=spread(lambda i: left if i < 30 else 999),
        writes=("userId: null",))


# Units, amounts, currencies

@case("init", "pandas: a column of integers that lacks a value is written as 999.0", each={
    "amount_cents": "amount_cents", "unit_amount": "unit_amount", "amount": "amount"})
def cents_as_pandas_writes_them(folder, name):
    """Amounts are 999.0, which are cents: by their name, or asked about."""
    rows = [order(i) | {name: "999.0"} for i in PAYERS]
    for row in rows:
        row.pop("price")
    return table(folder, rows, ALL, ("price_unit=minor (b 329.67, control 339.66)",))


@case("init", "card checks of 0.01 in tables of payments")
def one_small_amount_among_cents(folder):
    """One amount is 1, the others are 999: whether they are cents is asked as it is without it."""
    rows = [{key: value for key, value in order(i).items() if key != "price"} | {"amount": "1" if i == 0 else "999"} for i in PAYERS]
    return table(folder, rows, spread(lambda i: 1 if i == 0 else 999), ("price_unit=minor",))


@case("init", "Amazon's discounted_price, Shopify's gross and net sales", each={
    "discounted": ("price", "discounted_price", None), "net": ("gross_sales", "net_sales", "returns")})
def two_amounts_of_which_one_was_paid(folder, names):
    """An amount before something was taken off stands beside the one after it: the second, or asked about with both sums."""
    first, second, third = names
    rows = []
    for i in PAYERS:
        row = {key: value for key, value in order(i).items() if key != "price"} | {first: "19.99", second: "9.99"}
        rows.append(row | ({third: "-10.00"} if third else {}))
    return table(folder, rows, ALL, (f"price={first}", f"price={second}", "control 339.66"))


@case("init", "licences sold by the seat", each={"seats": "seats", "items": "items"})
def a_price_times_seats(folder, name):
    """A price stands beside a number of seats: multiplied, or asked about with both sums."""
    rows = orders(**{name: lambda i: 1 + nth(i) % 4})
    return table(folder, rows, None, (f"quantity={name}", "quantity=none", "control 339.66"))


@case("init", "Superstore's Discount 0.2; Amazon's discount_percentage", each={"percent": ("discount_pct", "50"), "share": ("discount", "0.5")})
def a_discount_in_percent(folder, told):
    """A discount is half of the price, not 50 of the currency: the line to type multiplies."""
    name, value = told
    rows = orders(price="19.98", **{name: value})
    return table(folder, rows, None, (f"[price] * (1 - [{name}]", "control 339.66"))


@case("init", "processors of cards write ISO 4217 numbers (ISO 8583, field 49); spreadsheets write signs",
      each={"numbers": ("978", "840"), "signs": ("€", "£"), "dollar": ("€", "$")})
def currencies_that_are_no_letters(folder, told):
    """A column tells two currencies by numbers or signs: read, or asked about; never added up as if they were one."""
    folder.write("rates.csv", "date,currency,rate\n2026-03-01,EUR,1.0\n2026-03-01,GBP,1.0\n")
    rows = orders(currency=turns(*told))
    return table(folder, rows, ALL, (("letters", "codes"),), arguments=["--rates", "rates.csv", "--currency", "USD"])


# Ids, times

@case("init", "jaffle shop's payments joined with its orders: 14 of 113 payments share an order")
def an_order_paid_in_two_parts(folder):
    """Every twelfth order is paid in two parts, each with an id of its own: both are money."""
    rows = []
    for i in PAYERS:
        parts = ("4.99", "5.00") if nth(i) % 12 == 0 else ("9.99",)
        rows += [{"order_id": 1000 + i, "payment_id": f"p{i}-{n}", "customer": f"u{i}", "paid_at": "2026-03-05T10:00:00Z",
                  "payment_method": "card", "amount": part} for n, part in enumerate(parts)]
    return table(folder, rows, ALL, ("payment_id",))


@case("init", "Olist's order_payments: 4,446 of 103,886 rows", each={"sequential": "payment_sequential", "line": "line_no"})
def payments_that_are_numbered(folder, name):
    """The parts of a payment are numbered: both are money, or it is asked with both sums."""
    rows = []
    for i in PAYERS:
        parts = ("4.99", "5.00") if nth(i) % 12 == 0 else ("9.99",)
        rows += [{"order_id": 1000 + i, name: n + 1, "customer": f"u{i}", "paid_at": "2026-03-05T10:00:00Z", "amount": part}
                 for n, part in enumerate(parts)]
    return table(folder, rows, ALL, (name, "charge_key"))


@case("init", "Superstore: Row ID, an order of two rows of one product")
def two_rows_of_one_product(folder):
    """A row's own number is unique, and an order has two rows of one product with other amounts: both are money."""
    rows = [{"Row ID": 2 * i + n, "Order ID": f"CA-{1000 + i}", "Customer ID": f"u{i}", "Order Date": "2026-03-05", "Product ID": "p", "Sales": part}
            for i in PAYERS for n, part in enumerate(("4.99", "5.00"))]
    return table(folder, rows, ALL, ("Row ID",))


@case("init", "supermarkets' tills: a day and a time of day in two columns")
def a_time_of_day_is_no_id(folder):
    """A time of day stands in a column of its own: it tells no sale apart."""
    rows = [{"Date": "2026-03-05", "order_time": f"{nth(i) % 24:02}:{i % 60:02}", "customer": f"u{i}", "total": "9.99"} for i in PAYERS]
    rows += [row | {"customer": f"u{i}"} for i, row in zip(PAYERS, rows[:0])]
    folder.csv("users.csv", users())
    folder.csv("orders.csv", rows)
    return Init(*USERS, *ORDERS, answer=ALL, asks=ONLY_ASKED, never=("transactionId: order_time",))


@case("init", "billing by the month: the charges of an American file all fall on the fifth", each={"day": "05/{:02}/2026", "month": "{:02}/05/2026"})
def one_day_of_each_month(folder, form):
    """All dates fall on one day of the month, or on the fifth month's first days: asked about."""
    rows = orders(paid_at=lambda i: form.format(1 + nth(i) % 4))
    return table(folder, rows, None, ("day_first", "month_first"))


@case("init", "GrowthBook's and Statsig's exposures joined with users", each={
    "assignment_date": "assignment_date", "enrollment": "enrollment_date", "date_assigned": "date_assigned",
    "variant": "variant_assigned_at", "randomized": "randomized_at", "exposure": "exposure_time"})
def an_account_is_older_than_its_test(folder, name):
    """The account's created_at stands before the time of the assignment: that one, or asked about."""
    people = [{"user_id": f"u{i}", "variant": "b" if i % 2 else "control", "created_at": "2025-01-01 00:00:00",
               name: "2026-03-01 00:00:00"} for i in range(200)]
    folder.csv("users.csv", people)
    folder.csv("orders.csv", orders())
    return Init(*USERS, *ORDERS, answer=ALL, asks=(name,), never=("assigned_at: created_at",))


@case("init", "tables of experiments with experiment_start and experiment_end")
def the_start_of_an_experiment_is_no_name(folder):
    """A day is not the name of an offering."""
    people = [row | {"experiment_start": "2026-02-27"} for row in users()]
    for row in people:
        row.pop("offering")
    return table(folder, orders(), ALL, ONLY_ASKED, people)


# Files

@case("files", "zip -r on a Mac; a folder that Windows has shown", each={"mac": "export/.DS_Store", "windows": "export/Thumbs.db", "fork": "export/._orders.csv"})
def notes_of_systems_in_an_archive(folder, name):
    """An archive holds a file that the system has put beside the others: passed over."""
    folder.csv("users.csv", users())
    with zipfile.ZipFile(folder.path + "/orders.zip", "w") as archive:
        archive.writestr("export/orders.csv", csv_text(plain_orders()))
        archive.writestr(name, b"\0\0\0\1Bud1\0\0\x10\0\0\0\x08\0")
    table_job(folder, {"path": "orders.zip"})
    return RIGHT


HEADS = {"windows-1251": ("номер_заказа,пользователь,дата_оплаты,товар,сумма", "подписка"), "gbk": ("订单编号,用户编号,支付时间,商品名称,金额", "会员订阅"),
         "shift_jis": ("注文番号,ユーザー,支払日時,商品,金額", "サブスクリプション"), "koi8-r": ("номер_заказа,пользователь,дата_оплаты,товар,сумма", "подписка")}
NAMES = {"windows-1251": "WINDOWS-1251", "gbk": "GB18030", "shift_jis": "SHIFT_JIS", "koi8-r": "KOI8-R"}


@case("init", "pandas' UnicodeDecodeError: course tables in Windows-1251, exports in GBK and Shift JIS", each={name: name for name in HEADS})
def heads_in_older_encodings(folder, name):
    """The header is in an older encoding: named, with the line that converts it."""
    folder.csv("users.csv", users())
    head, product = HEADS[name]
    rows = [f"t{i},u{i},2026-03-05 10:00:00,{product},9.99" for i in PAYERS]
    folder.write("orders.csv", "\n".join([head, *rows, ""]).encode(name))
    return Init(*USERS, *ORDERS, answer=None, asks=(f"iconv -f {NAMES[name]} -t UTF-8",))


@case("init", "https://github.com/wireservice/csvkit/issues/563: cells that were used once are saved as ,,,")
def commas_behind_every_row(folder):
    """A spreadsheet has saved three empty columns behind the others: read."""
    folder.csv("users.csv", users())
    folder.write("orders.csv", "".join(line + ",,,\n" for line in csv_text(orders()).splitlines()))
    return Init(*USERS, *ORDERS, answer=ALL, asks=None)


SCRIPTS = {
    "comment": "\n/*****\n   Shop - Version 1.0\n*****/\nDROP DATABASE IF EXISTS `Shop`;\nINSERT INTO `Invoice` VALUES (1, 2, '2026-03-02', 1.98);\n",
    "sql_server": "USE [master]\nGO\n/****** Object: Table [dbo].[Invoice] ******/\nSET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[Invoice] ([InvoiceId] int)\nGO\n",
    "dashes": "-- Shop\n--\n\nCREATE SCHEMA shop;\nCREATE TABLE shop.invoice (id int);\n"}


@case("init", "https://github.com/lerocha/chinook-database, scripts for MySQL, PostgreSQL and SQL Server", each=SCRIPTS)
def a_script_below_comments(folder, text):
    """A file of statements in SQL begins with comments: named as what it is."""
    folder.csv("users.csv", users())
    folder.write("orders.csv", text)
    return Init(*USERS, *ORDERS, answer=None, asks=("a list of SQL statements",))


@case("init", "ChinookData.json; exports of Firebase", each={"spread": 2, "line": None})
def several_tables_in_an_object(folder, indent):
    """One object has a member a table: the line that writes one of them."""
    folder.csv("users.csv", users())
    folder.write("orders.jsonl", json.dumps({"Customer": [{"CustomerId": 1}], "Invoice": orders()}, indent=indent))
    return Init(*USERS, "--purchases", "orders.jsonl", answer=None, asks=("jq -c '.Invoice[]'",))


@case("files", "https://github.com/pola-rs/polars/issues/26685: a dash for no value")
def a_dash_is_no_refund(folder):
    """A price is a dash, which no refund is: told without advice about refunds."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", plain_orders(price=turns("-", "9.99")))
    table_job(folder)
    return Refusal('price "-" is not a plain decimal number.')


@case("files", "people write BST in London, EST in New York", each={"bst": ("BST", "Europe/London"), "est": ("EST", "America/New_York"), "pst": ("PST", "America/Los_Angeles"),
                                                                   "ist": ("IST", "Asia/Kolkata"), "cet": ("CET", "Europe/Paris")})
def zones_of_three_letters(folder, told):
    """A zone is called by an abbreviation that several have: refused with the region to type."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", plain_orders())
    table_job(folder, {"timezone": told[0]})
    return Refusal(*told, code=78)
