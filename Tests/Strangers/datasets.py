"""Five strangers' tests: two files each, and what everybody paid when, in exact decimals."""

import csv
import json
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

START = datetime(2026, 3, 1, tzinfo=timezone.utc)


@dataclass
class Charge:
    user: str
    at: datetime
    amount: Decimal


@dataclass
class Dataset:
    """What a stranger has, and what is true of it."""

    assignments: str
    purchases: str
    # Of each user the group and the time of the assignment.
    users: dict = field(default_factory=dict)
    charges: list = field(default_factory=list)
    # What is typed behind the two files, and what answers a question where init asks one.
    options: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    # Taken off charges: when, and how much.
    refunds: list = field(default_factory=list)

    def figures(self, group, days, cutoff):
        """Users of a group whose window is over, what they paid within it, and how many of them paid."""
        window = timedelta(days=days)
        mature = {user: at for user, (own, at) in self.users.items() if own == group and at + window <= cutoff}
        paid = [c for c in self.charges if c.user in mature and mature[c.user] <= c.at < mature[c.user] + window]
        total = sum((c.amount for c in paid), Decimal(0))
        total -= sum(
            (amount for charge, at, amount in self.refunds
             if charge.user in mature and at < cutoff and mature[charge.user] <= charge.at < mature[charge.user] + window),
            Decimal(0))
        return len(mature), total, len({c.user for c in paid if c.amount > 0})


def cents(number):
    return Decimal(number).scaleb(-2)


def write_csv(path, header, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def write_lines(path, objects):
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))


def assign(data, random_, count, name, groups):
    """Users that come evenly over forty days, each in a group by lot."""
    for number in range(count):
        at = START + timedelta(seconds=number * 40 * 86_400 // count)
        data.users[name(number)] = (random_.choice(groups), at)


def price_test(folder: Path) -> Dataset:
    """A store's price test: a row a visitor, prices as binary floating point prints them."""
    dice = random.Random(1)
    data = Dataset("visitors.csv", "sales.csv")
    assign(data, dice, 6_000, lambda number: f"v{900_000 + number * 7}", ["control", "test"])
    rows = [
        [user, group, at.strftime("%Y-%m-%d %H:%M:%S"), dice.choice(["US", "DE", "FR", "GB"]), dice.choice(["ios", "android"])]
        for user, (group, at) in data.users.items()
    ]
    write_csv(folder / data.assignments, ["visitor_id", "variant", "first_seen", "country", "device"], rows)
    sales = []
    for number, (user, (group, at)) in enumerate(data.users.items()):
        if not dice.random() < 0.07:
            continue
        price = Decimal("39") if group == "control" else Decimal("59")
        # 13 × 2.999999… is written as 38.99999999999999 by programs that add up floats.
        text = dice.choice([f"{price}", f"{price}.0", f"{float(price) + 1e-14!r}"])
        when = at + timedelta(seconds=dice.randrange(20 * 86_400))
        data.charges.append(Charge(user, when, price))
        sales.append([5_000 + number, user, when.strftime("%Y-%m-%d %H:%M:%S"), text, dice.choice(["US", "DE"])])
    write_csv(folder / data.purchases, ["sale_id", "visitor_id", "sold_at", "price", "country"], sales)
    return data


def app_export(folder: Path) -> Dataset:
    """An app's export: country and device stand in both tables, and so do the dollars beside each currency's amount."""
    dice = random.Random(2)
    data = Dataset("cohorts.csv", "export.csv")
    assign(data, dice, 9_000, lambda number: f"{number:08x}-aaaa-bbbb-cccc-0123456789ab", ["baseline", "annual_first"])
    countries = {"US": ("USD", Decimal(1)), "DE": ("EUR", Decimal("1.25")), "JP": ("JPY", Decimal("0.008"))}
    homes = {user: dice.choice(list(countries)) for user in data.users}
    write_csv(
        folder / data.assignments, ["app_account", "cohort", "enrolled_at", "country", "device"],
        [[user, group, at.isoformat(), homes[user], "phone"] for user, (group, at) in data.users.items()])
    rows = []
    for number, (user, (_, at)) in enumerate(data.users.items()):
        if not dice.random() < 0.05:
            continue
        currency, rate = countries[homes[user]]
        local = {"USD": Decimal("9.99"), "EUR": Decimal("8.00"), "JPY": Decimal("1250")}[currency]
        dollars = local * rate
        when = at + timedelta(seconds=dice.randrange(10 * 86_400))
        data.charges.append(Charge(user, when, dollars))
        row = [
            f"e{number}", user, "subscription_started", when.strftime("%Y-%m-%dT%H:%M:%S.000000+0000"), f"{dollars:.2f}",
            str(local), currency, "monthly", f"19000{number}", homes[user], "phone",
        ]
        rows.append(row)
        if dice.random() < 0.1:
            rows.append(row)  # exported twice
        if dice.random() < 0.2:
            rows.append([f"c{number}", user, "subscription_renewal_cancelled", row[3], "", "", "", "monthly", row[8], *row[9:]])
    write_csv(
        folder / data.purchases,
        ["event_id", "account", "event_type", "event_datetime", "revenue_usd", "revenue_local", "currency", "product",
         "transaction_id", "country", "device"], rows)
    return data


def household_panel(folder: Path) -> Dataset:
    """A household panel: few households, many baskets, a total made of a price, a tax and a discount."""
    dice = random.Random(3)
    data = Dataset("panel.csv", "baskets.csv")
    assign(data, dice, 800, lambda number: str(1_000 + number), ["no coupon", "coupon"])
    data.options = ["--baseline", "no coupon"]
    write_csv(
        folder / data.assignments, ["household_key", "campaign_arm", "start", "income"],
        [[user, group, at.strftime("%m/%d/%Y %H:%M"), dice.choice(["low", "mid", "high"])]
         for user, (group, at) in data.users.items()])
    rows = []
    for user, (group, at) in data.users.items():
        at = at.replace(second=0)
        data.users[user] = (group, at)
        for _ in range(dice.randrange(12)):
            net, off = dice.randrange(200, 9_000), dice.choice([0, 0, 100, 150])
            tax = net * 7 // 100
            when = at + timedelta(minutes=dice.randrange(40 * 1_440))
            total = cents(net + tax - off)
            data.charges.append(Charge(user, when, total))
            rows.append([user, 70_000 + len(rows), when.strftime("%m/%d/%Y %H:%M"), cents(net), cents(tax), cents(off), total])
    write_csv(
        folder / data.purchases,
        ["household_key", "basket_id", "bought_at", "price", "tax", "discount", "total"], rows)
    return data


def line_items(folder: Path) -> Dataset:
    """A shop with line items: an order number on several rows, a quantity beside the price of one, and returns."""
    dice = random.Random(4)
    data = Dataset("shoppers.csv", "order_lines.csv")
    assign(data, dice, 5_000, lambda number: f"C{10_000 + number}", ["old", "new"])
    data.options = ["--baseline", "old", "--currency", "GBP"]
    write_csv(
        folder / data.assignments, ["customer_id", "test_group", "assigned_at"],
        [[user, group, at.strftime("%Y-%m-%dT%H:%M:%SZ")] for user, (group, at) in data.users.items()])
    rows = []
    for number, (user, (_, at)) in enumerate(data.users.items()):
        if not dice.random() < 0.15:
            continue
        when = at + timedelta(seconds=dice.randrange(12 * 86_400))
        order, text = 536_000 + number, when.strftime("%Y-%m-%dT%H:%M:%SZ")
        for product in dice.sample(range(9), dice.randrange(1, 5)):
            count, price = dice.randrange(1, 7), cents(295 + 100 * product)
            charge = Charge(user, when, price * count)
            data.charges.append(charge)
            rows.append([order, f"8512{product}", f"HOLDER {product}", count, text, price, user, "United Kingdom"])
            if dice.random() < 0.05:
                back = when + timedelta(days=1)
                data.refunds.append((charge, back, charge.amount))
                rows.append(
                    [order, f"8512{product}", f"HOLDER {product}", -count, back.strftime("%Y-%m-%dT%H:%M:%SZ"), price, user,
                     "United Kingdom"])
    write_csv(
        folder / data.purchases,
        ["InvoiceNo", "StockCode", "Description", "Quantity", "InvoiceDate", "UnitPrice", "CustomerID", "Country"], rows)
    return data


def warehouse(folder: Path) -> Dataset:
    """A warehouse's export: nested objects, JSON text in a column, microseconds, soft deletes and failed payments."""
    dice = random.Random(5)
    data = Dataset("exposures.csv", "payments.jsonl")
    assign(data, dice, 4_000, lambda number: f"acct_{number:05d}", ["control", "treatment"])
    write_csv(
        folder / data.assignments, ["_sync_id", "payload"],
        [[number, json.dumps({"user_id": user, "experiment": "price", "variant": group, "exposed_at": int(at.timestamp())})]
         for number, (user, (group, at)) in enumerate(data.users.items())])
    lines = []
    for number, (user, (_, at)) in enumerate(data.users.items()):
        if not dice.random() < 0.1:
            continue
        when, amount = at + timedelta(seconds=dice.randrange(9 * 86_400)), dice.choice([999, 1_499, 4_900])
        status = dice.choice(["succeeded"] * 8 + ["failed"])
        deleted = dice.random() < 0.05
        if status == "succeeded" and not deleted:
            data.charges.append(Charge(user, when, cents(amount)))
        lines.append({
            "_id": {"$oid": f"{number:024x}"}, "_fivetran_deleted": deleted, "status": status,
            "account": {"id": user, "plan": "pro"}, "created": int(when.timestamp()) * 1_000_000,
            "updated_at": (when + timedelta(days=3)).isoformat(),
            "money": {"amount_cents": amount, "currency": "usd"},
        })
    write_lines(folder / data.purchases, lines)
    return data


ALL = [price_test, app_export, household_panel, line_items, warehouse]
