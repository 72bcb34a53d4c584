"""The worked example of jobs/reconcile.md: one log as the charts of vendors count it, and the steps from there to our sums.

It reads the sample files by itself, in plain Python; only the last line of the steps is taken from a published night. Run by itself it
writes the tables.
"""

import csv
import datetime
import decimal
import glob
import gzip
import io
import json
import os
import zoneinfo

import nights
from marked import Section

SECTION = Section("reconcile.md", "<!-- worked example -->\n", "<!-- end of worked example -->\n")
DATA = os.path.join(nights.ROOT, "sample-data", "offering")
NIGHT = "offering-price-test"
CUTOFF = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)
CHARGES = {"purchase", "renewal", "one_time_purchase"}
D = decimal.Decimal


def instant(text):
    """A time with its zone; None for what is none."""
    try:
        time = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except (ValueError, AttributeError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)


def lines():
    """The log's rows that are JSON, of a production store, no family's share, in time and of a known type."""
    for path in sorted(glob.glob(os.path.join(DATA, "purchases-*.jsonl.gz"))):
        with gzip.open(path) as file:
            for line in file.read().split(b"\n"):
                try:
                    row = json.loads(line.decode("utf-8"))
                except ValueError:
                    continue
                if not isinstance(row, dict) or (row.get("environment") or "Production").lower() != "production":
                    continue
                time = instant(row.get("occurredAt"))
                if time and time < CUTOFF and row.get("ownershipType") != "FAMILY_SHARED" and row.get("userId"):
                    yield row | {"time": time}


def amount(row):
    """A charge's price; None where it tells none that can be read."""
    try:
        price = D(str(row["price"]))
    except (KeyError, decimal.InvalidOperation):
        return None
    return price if row.get("currency") == "USD" and price >= 0 else None


class Charge:
    def __init__(self, row):
        self.user, self.time, self.price = row["userId"], row["time"], amount(row)
        self.taken = []  # when what was refunded, 0 for a reversal of all

    @property
    def net(self):
        return self.refunded_by(CUTOFF)[1]

    def refunded_by(self, end):
        """What was taken back before an instant, and what is left."""
        left = self.price
        for time, part in sorted(self.taken):
            if time < end:
                left = self.price if part is None else max(D(0), left - part)
        return self.price - left, left


def charges():
    """Each charge once, by user and transaction, with what became of it."""
    found, refunds = {}, {}
    for row in lines():
        key = row["userId"], row.get("transactionId")
        if row.get("eventType") in CHARGES and amount(row) is not None:
            charge = Charge(row)
            if key not in found or (charge.time, charge.price) < (found[key].time, found[key].price):
                found[key] = charge
        elif row.get("eventType") in ("refund", "refund_reversal"):
            refunds[row["eventId"]] = key, row
    for key, row in refunds.values():
        if key in found:
            charge = found[key]
            part = None if row["eventType"] == "refund_reversal" else D(str(row["price"])) if "price" in row else charge.price
            charge.taken.append((row["time"], part))
    return list(found.values())


def assignments():
    """When each user was first put into the test; users of two groups are in none."""
    first, groups = {}, {}
    with gzip.open(os.path.join(DATA, "subscription_offerings.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        test = next(row["id"] for row in csv.DictReader(file) if row["offering_id"] == "spring_2026_price_test")
    for path in sorted(glob.glob(os.path.join(DATA, "user_offering_assignments-*.csv.gz"))):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                time = instant(row["created_at"])
                if time and time < CUTOFF and row["user_id"] and row["offering_group_id"] and row["subscription_offering_id"] == test:
                    groups.setdefault(row["user_id"], set()).add(row["offering_group_id"])
                    first[row["user_id"]] = min(time, first.get(row["user_id"], time))
    return {user: time for user, time in first.items() if len(groups[user]) == 1}


def month(zone):
    """March in a time zone."""
    zone = zoneinfo.ZoneInfo(zone)
    return datetime.datetime(2026, 3, 1, tzinfo=zone), datetime.datetime(2026, 4, 1, tzinfo=zone)


def taken_in(charge, start, end):
    """What a month's refunds and reversals changed, whenever the charge was."""
    return charge.refunded_by(end)[0] - charge.refunded_by(start)[0]


def charts(sold):
    """March, as each chart counts it: what, whose, how much."""
    start, end = month("UTC")
    march = [charge for charge in sold if start <= charge.time < end]
    gross = sum(charge.price for charge in march)
    pacific = [charge for charge in sold if month("America/Los_Angeles")[0] <= charge.time < month("America/Los_Angeles")[1]]
    refunds = sum(taken_in(charge, start, end) for charge in sold)
    return [
        ("Stripe's gross volume; Google's estimated sales, `CHARGED` rows", "charges of March, UTC, refunded or not", gross),
        ("App Store Connect's sales, by Pacific days", "the same from midnight to midnight in Los Angeles", sum(charge.price for charge in pacific)),
        ("Adapty's revenue", "charges of March less refunds made in March", gross - refunds),
        ("RevenueCat's revenue", "charges of March less what of them was refunded since", sum(charge.net for charge in march)),
        ("proceeds at 15 % commission, no tax", "85 % of the line above", sum(charge.net for charge in march) * D("0.85")),
    ]


def steps(sold):
    """From RevenueCat's revenue of both months to our sum: what is taken off, and how much."""
    test = assignments()
    day = datetime.timedelta(days=1)
    total = sum(charge.net for charge in sold)
    parts = {"outside": D(0), "before": D(0), "immature": D(0), "late": D(0), "counted": D(0)}
    for charge in sold:
        since = test.get(charge.user)
        part = ("outside" if since is None else "before" if charge.time < since else "immature" if since + 30 * day > CUTOFF
                else "late" if charge.time >= since + 30 * day else "counted")
        parts[part] += charge.net
    return [
        ("RevenueCat's revenue, 1 March to 30 April, all customers", total),
        ("− customers outside the test: old clients, users of two groups", -parts["outside"]),
        ("− charges before their user's assignment", -parts["before"]),
        ("= net in `money.csv`, all groups", total - parts["outside"] - parts["before"]),
        ("− users whose 30 days are not over on 30 April", -parts["immature"]),
        ("− charges after their user's 30 days", -parts["late"]),
        ("= what the windows hold", parts["counted"]),
        ("− store's commission, 15 %", -parts["counted"] * D("0.15")),
        ("= `proceeds_30d`, the sum of the groups' numerators", parts["counted"] * D("0.85")),
    ]


def published(table, column, **where):
    """The sum of a column of a published table."""
    with open(os.path.join(nights.folder(NIGHT), table + ".csv"), encoding="utf-8", newline="") as file:
        return sum(D(row[column]) for row in csv.DictReader(file) if all(row[name] == value for name, value in where.items()))


def words(money):
    return f"{money:,.2f}".replace("-", "−")


def tables():
    sold = charges()
    text = "| chart, March 2026, USD | what it adds up | |\n| --- | --- | --: |\n"
    text += "".join(f"| {chart} | {what} | {words(money)} |\n" for chart, what, money in charts(sold))
    text += "\n| from their figure to ours | USD |\n| --- | --: |\n"
    return text + "".join(f"| {what} | {words(money)} |\n" for what, money in steps(sold))


if __name__ == "__main__":
    SECTION.write(tables())
