"""What an amount is: decimals, units, signs, quantities, items; refunds and the charges they are of."""

from decimal import Decimal

from answers import Either, Refusal, Sums
from case import case
from folders import csv_text
from people import COLUMNS, RIGHT, cents, event_job, events, nth, orders, sums, table_job, turns, users

FLOATS = "https://docs.python.org/3/tutorial/floatingpoint.html; pandas' to_csv writes shortest doubles, Spark decimals of nine digits"
STRIPE = "https://docs.stripe.com/currencies (zero-decimal and three-decimal currencies); amounts in the smallest unit"
RETAIL = "https://archive.ics.uci.edu/dataset/352/online+retail (Quantity, UnitPrice, cancellations of negative quantity)"


@case("mapping", FLOATS, each={
    "noise": ("9.989999999999998", "9.99"), "noise_above": ("9.990000000000002", "9.99"), "nine_decimals": ("9.990000000",),
    "many_zeros": ("9.99000000000000000000",),
    "no_leading_digit": ("9.99", "9.990"), "leading_zeros": ("09.99", "0009.99")})
def decimals_that_mean_9_99(folder, prices):
    """Prices went through doubles or wide decimals: 9.99 all the same."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price=turns(*prices)))
    table_job(folder)
    return Either(RIGHT, Refusal("price")) if prices[0].startswith("0") else RIGHT


@case("mapping", FLOATS, each={"number": 9.989999999999998, "integer_part": 9.99, "text": "9.989999999999998", "nine": "9.990000000"})
def decimals_in_json(folder, price):
    """The same as JSON numbers and texts."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events(price=price))
    event_job(folder)
    return RIGHT


@case("mapping", "spec: more than six decimals are rounded half to even", each={
    "down": ("0.0000004", "0.000000"), "up": ("0.0000006", "0.000001"), "even_below": ("0.0000005", "0.000000"),
    "even_above": ("0.0000015", "0.000002"),
    "half_and_more": ("0.00000050000001", "0.000001"), "carries": ("0.9999999", "1.000000")})
def more_than_six_decimals(folder, told):
    """Prices have more than six decimals: rounded half to even, and the check says how many."""
    price, rounded = told
    micros = int(rounded.replace(".", ""))
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price=price))
    table_job(folder)
    return sums(34, 33, net={name: f"{micros * number / 10**6:.6f}" for name, number in (("control", 34), ("b", 33))},
                checks={"rounded_prices": (("pass", "warn", "fail"), "67")})


@case("mapping", "spec: plain decimal notation", each={
    "exponent": "9.99e0", "sign": "+9.99", "dollar": "$9.99", "comma": "9,99", "thousands": "1,009.99", "blank": " 9.99",
    "letters": "9.99 USD", "minus": "-9.99"})
def prices_in_another_notation_are_refused(folder, price):
    """A price is written otherwise: rejected, so that nothing is published; never read in part."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price=price))
    table_job(folder)
    return Either(Refusal("orders.csv", "price", code=65), RIGHT) if price == " 9.99" else Refusal("orders.csv", "price", code=65)


@case("mapping", "tables of German spreadsheets")
def a_told_decimal_comma(folder):
    """The file writes 9,99 between semicolons, and the job says so."""
    folder.csv("users.csv", users())
    folder.text("orders.csv", csv_text(folder.mixed(orders(price="9,99")), delimiter=";"))
    table_job(folder, {"decimal": ","})
    return RIGHT


@case("mapping", STRIPE, each={"lower": "usd", "mixed": "Usd"})
def currencies_in_lower_case(folder, currency):
    """The log writes `usd`: three letters are a currency."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(currency=currency))
    table_job(folder, {"columns": COLUMNS})
    return RIGHT


@case("mapping", STRIPE, each={name: (name, *told) for name, told in {
    "USD": ("999", "9.99"), "usd": ("999", "9.99"), "JPY": ("999", "999"), "KWD": ("9990", "9.990"), "jpy": ("999", "999"),
    "KRW": ("9900", "9900"),
    "BHD": ("9990", "9.99"), "EUR": ("1", "0.01"), "CLP": ("990", "990"), "TND": ("1", "0.001")}.items()})
def amounts_in_minor_units(folder, told):
    """Amounts are in the currency's smallest unit: cents, yen as they are, thousandths of a dinar."""
    currency, amount, value = told
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price=amount, currency=currency))
    table_job(folder, {"columns": COLUMNS, "price_unit": "minor"}, currency=currency.upper())
    return sums(34, 33, net={"control": str(Decimal(value) * 34), "b": str(Decimal(value) * 33)})


@case("mapping", STRIPE)
def minor_units_of_three_currencies(folder):
    """Dollars, yen and dinars in one log, each by its own unit, at rates of 0.01 and 3."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price=turns("999", "500", "9990"), currency=turns("usd", "jpy", "kwd")))
    folder.write("rates.csv", "date,currency,rate\n2026-03-05,JPY,0.01\n2026-03-05,KWD,3\n")
    table_job(folder, {"columns": COLUMNS, "price_unit": "minor"}, exchange_rates="rates.csv")
    each = [999, 500, 2997]
    return sums(34, 33, net={name: cents(1, sum(each[nth(i) % 3] for i in range(0, 200, 3) if i % 2 == odd)) for name,
        odd in (("control", 0), ("b", 1))})


@case("mapping", STRIPE)
def minor_units_in_events_and_refunds(folder):
    """Charges and partial refunds of the log are in cents alike."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events(price=999, eventType="purchase") + [
        row | {"eventType": "refund", "price": 500,
        "occurredAt": "2026-03-07T00:00:00Z"} for row in events() if int(row["userId"][1:]) < 30])
    event_job(folder, {"price_unit": "minor"})
    return sums(34, 33, net={"control": "314.66", "b": "304.67"})


# Refunds by sign

@case("mapping", "tables of orders whose refunds are negative rows: Shopify's and Paddle's exports",
    each={"full": ("-9.99", 999), "part": ("-4.00", 400)})
def refunds_that_are_negative_amounts(folder, told):
    """A refund is a row of the order with a negative amount, and the job says so."""
    amount, taken = told
    folder.csv("users.csv", users())
    folder.csv("orders.csv",
        orders() + [row | {"price": amount, "paid_at": "2026-03-09T00:00:00Z"} for row in orders() if int(row["user"][1:]) < 30])
    table_job(folder, {"negative": "refund"})
    return sums(34, 33, net={"control": cents(1, 34 * 999 - 5 * taken), "b": cents(1, 33 * 999 - 5 * taken)})


@case("mapping", "as above")
def negative_amounts_in_events(folder):
    """The same in JSON Lines, with negative JSON numbers."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl",
        events(price=9.99) + [row | {"price": -9.99,
        "occurredAt": "2026-03-09T00:00:00Z"} for row in events() if int(row["userId"][1:]) < 30])
    event_job(folder, {"negative": "refund"})
    return sums(34, 33, net={"control": cents(29), "b": cents(28)})


@case("mapping", "as above")
def negative_amounts_that_are_not_told_are_refused(folder):
    """The log has negative amounts and the job says nothing: refused with what to type, never added up."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv",
        orders() + [row | {"price": "-9.99", "paid_at": "2026-03-09T00:00:00Z"} for row in orders() if int(row["user"][1:]) < 30])
    table_job(folder)
    return Refusal("orders.csv", "negative", code=65)


@case("mapping", "as above")
def negative_minor_units(folder):
    """Both at once: -999 cents are a refund of 9.99."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv",
        orders(price="999") + [row | {"price": "-999", "paid_at": "2026-03-09T00:00:00Z"} for row in orders() if int(row["user"][1:]) < 30])
    table_job(folder, {"negative": "refund", "price_unit": "minor"})
    return sums(34, 33, net={"control": cents(29), "b": cents(28)})


# Quantities

@case("mapping", RETAIL, each={"csv": 1, "point_zero": 2, "json": 3})
def amounts_times_quantities(folder, sort):
    """The price is a unit's, and one to three were bought."""
    quantities = turns(*(("1", "2", "3") if sort != 2 else ("1.0", "2.0", "3.0")))
    if sort == 3:
        folder.csv("users.csv", users())
        folder.jsonl("orders.jsonl", events(n=turns(1, 2, 3)))
        event_job(folder, {"quantity": "n"})
    else:
        folder.csv("users.csv", users())
        folder.csv("orders.csv", orders(n=quantities))
        table_job(folder, {"quantity": "n"})
    units = {name: sum(1 + nth(i) % 3 for i in range(0, 200, 3) if i % 2 == odd) for name, odd in (("control", 0), ("b", 1))}
    return sums(34, 33, net={name: cents(number) for name, number in units.items()})


@case("mapping", RETAIL)
def a_quantity_of_nothing(folder):
    """Ten rows have quantity 0: no money, and whoever has them alone has not paid."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(n=lambda i: "0" if i < 30 else "1"))
    table_job(folder, {"quantity": "n"}, metrics=[{"name": "revenue_net", "primary": True}, {"name": "paying_conversion"}],
        max_reject_ratio=1.0)
    return Sums({"control": {"revenue_net": cents(29), "paying_conversion": 29}, "b": {"revenue_net": cents(28), "paying_conversion": 28}})


@case("mapping", RETAIL)
def a_negative_quantity_is_a_refund(folder):
    """A cancellation is the order's row again with a negative quantity, and the job says what is negative."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv",
        orders(n="2") + [row | {"paid_at": "2026-03-09T00:00:00Z"} for row in orders(n="-2") if int(row["user"][1:]) < 30])
    table_job(folder, {"quantity": "n", "negative": "refund"})
    return sums(34, 33, net={"control": cents(58), "b": cents(56)})


@case("mapping", RETAIL)
def a_quantity_that_is_missing(folder):
    """Ten rows of known users tell no quantity: rejected, or one; never as many as the row before."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(n="1") + [row | {"order_id": "x" + row["order_id"]} for row in orders(n="")[:10]])
    table_job(folder, {"quantity": "n"}, max_reject_ratio=1.0)
    return Either(RIGHT, sums(39, 38))


@case("mapping", RETAIL)
def minor_units_times_quantities(folder):
    """Cents a unit, two of them: 19.98."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(price="999", n="2"))
    table_job(folder, {"quantity": "n", "price_unit": "minor"})
    return sums(34, 33, net={"control": cents(68), "b": cents(66)})
