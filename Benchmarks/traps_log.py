"""A small log with one fault that real logs have, and what is true of it.

Every world has the same users and charges, drawn from one seed; each trap changes how they are told, and knows what a right reading
comes to: users, payers and net revenue of the groups within 30 days of the assignment.
"""

import csv
import datetime
import json
import os
import random
from dataclasses import dataclass, field
from decimal import Decimal

START = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
CUTOFF = datetime.datetime(2026, 6, 1, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
GROUPS = ("control", "new_price")
PRICES = {"control": "9.99", "new_price": "14.99"}
USERS = 6000
TRAPS = {
    "none": "a clean log",
    "ids": "user ids with leading zeros",
    "offsets": "times with offsets (+09:00, −08:00)",
    "truncated": "lines that were cut off",
    "retries": "charges told again, a minute later",
    "conflicts": "charges told again at another price",
    "keys": "one key twice in an object: the last counts",
    "prices": "prices that are text here, numbers there",
    "partial": "refunds of a part",
    "reversed": "refunds that were taken back",
    "after": "rows after the cut-off",
    "family": "family's shares and sandbox",
    "tokens": "purchases under another id of the user",
    "two groups": "users in two groups",
}
ALL = "all of them together"


@dataclass
class Charge:
    """A charge as it was, and how its row tells it."""

    user: str
    group: str
    time: datetime.datetime
    price: Decimal
    row: dict
    refunds: list = field(default_factory=list)  # rows
    taken: Decimal = Decimal(0)

    @property
    def net(self):
        return self.price - self.taken


def told(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


class World:
    """Users and charges, told with the faults of a trap."""

    def __init__(self, trap):
        self.traps = sorted((name for name in TRAPS if name != "none"), key="truncated".__eq__) if trap == ALL else [trap]
        self.dice = random.Random(20260301)
        self.assigned, self.charges, self.extra, self.aliases, self.cut = [], [], [], [], []
        self.left_out = set()
        for number in range(USERS):
            self.user(number)
        for name in self.traps:
            self.fault = random.Random(name)
            getattr(self, name.replace(" ", "_"), lambda: None)()

    def user(self, number):
        dice, group = self.dice, GROUPS[number % 2]
        name = f"{1000 + 7 * number:09d}" if "ids" in self.traps else f"u{number:06d}"
        since = START + datetime.timedelta(seconds=dice.randrange(45 * 86400))
        self.assigned.append((name, group, since))
        if dice.random() < 0.2:
            for order in range(dice.choice((1, 1, 2, 3))):
                time = since + datetime.timedelta(seconds=dice.randrange(3600, 29 * 86400))
                identity = f"{number:06d}{order}"
                row = {"eventId": f"e{identity}", "userId": name, "eventType": "purchase", "occurredAt": told(time), "productId": "monthly",
                       "price": PRICES[group], "currency": "USD", "transactionId": f"t{identity}", "environment": "Production",
                       "ownershipType": "PURCHASED"}
                charge = Charge(name, group, time, Decimal(PRICES[group]), row)
                if dice.random() < 0.08:
                    self.refund(charge, charge.price, time + 2 * DAY)
                self.charges.append(charge)

    def refund(self, charge, price, time, kind="refund"):
        identity = charge.row["transactionId"]
        charge.refunds.append({"eventId": f"{kind}-{identity}-{len(charge.refunds)}", "userId": charge.row["userId"], "eventType": kind,
                               "occurredAt": told(time), "productId": "monthly", "price": str(price), "currency": "USD",
                               "transactionId": identity, "environment": "Production", "ownershipType": "PURCHASED"})
        charge.taken = Decimal(0) if kind == "refund_reversal" else min(charge.price, charge.taken + price)

    def some(self, share):
        return [charge for charge in self.charges if self.fault.random() < share]

    # The faults. Each leaves what is true as it is, or says how it changes it.

    def offsets(self):
        """Of rows near the window's ends, where a lost offset moves them out, or in."""
        for charge in self.some(0.05):
            hours = self.fault.choice((9, -8))
            since = dict((user, since) for user, _, since in self.assigned)[charge.user]
            charge.time = since + datetime.timedelta(minutes=self.fault.randrange(5, 300))
            if hours > 0:  # told nine hours later: a day that is over in Tokyo
                charge.time = since + 30 * DAY - datetime.timedelta(minutes=self.fault.randrange(5, 300))
            zone = datetime.timezone(datetime.timedelta(hours=hours))
            charge.row["occurredAt"] = charge.time.astimezone(zone).isoformat(timespec="seconds")

    def truncated(self):
        """The rows cut off are lost to everybody; those beside them are not. Nor those that are told again."""
        again = {row["transactionId"] for row in self.extra}
        once = [place for place, charge in enumerate(self.charges) if charge.row["transactionId"] not in again]
        self.cut = [(place, self.fault.choice((0.4, 0.7, ":"))) for place in self.fault.sample(once, 12)]

    def retries(self):
        for charge in self.some(0.06):
            self.extra.append(charge.row | {"eventId": charge.row["eventId"] + "r", "occurredAt": told(charge.time + DAY / 1440)})

    def conflicts(self):
        """The earliest counts: what was told again later is a catalog's price, or 0."""
        for charge in self.some(0.05):
            price = self.fault.choice(("0.00", "19.99"))
            self.extra.append(charge.row | {"eventId": charge.row["eventId"] + "c", "occurredAt": told(charge.time + DAY / 720), "price": price})

    def keys(self):
        """The last of equal keys counts, as JSON readers have it (RFC 8259 leaves it open)."""
        for charge in self.some(0.05):
            charge.row["\u0000price"] = "999.99"  # written as a first "price"

    def prices(self):
        for charge in self.some(0.5):
            charge.row["price"] = float(charge.price)

    def partial(self):
        for charge in [charge for charge in self.some(0.12) if not charge.refunds]:
            self.refund(charge, charge.price / 2 // Decimal("0.01") * Decimal("0.01"), charge.time + 3 * DAY)

    def reversed(self):
        for charge in [charge for charge in self.charges if charge.refunds]:
            if self.fault.random() < 0.4:
                last = datetime.datetime.fromisoformat(charge.refunds[-1]["occurredAt"])
                self.refund(charge, charge.price, last + 3 * DAY, "refund_reversal")

    def after(self):
        """Refunds, and users, that come after the report's cut-off: the file of the next month was there already."""
        for charge in [charge for charge in self.some(0.1) if not charge.refunds]:
            self.refund(charge, charge.price, CUTOFF + DAY)
            charge.taken = Decimal(0)
        for number in range(200):
            self.assigned.append((f"{9000000 + number:09d}" if "ids" in self.traps else f"late{number}", GROUPS[number % 2], CUTOFF + DAY))

    def family(self):
        for charge in self.some(0.06):
            user = self.fault.choice(self.assigned)[0]
            shared = self.fault.random() < 0.5
            self.extra.append(charge.row | {
                "eventId": charge.row["eventId"] + "f", "transactionId": charge.row["transactionId"] + "f", "userId": user,
                **({"ownershipType": "FAMILY_SHARED"} if shared else {"environment": "Sandbox"})})

    def tokens(self):
        for charge in self.some(0.1):
            alias = "anon-" + charge.row["transactionId"]
            self.aliases.append((alias, charge.user))
            charge.row["userId"] = alias
            for row in charge.refunds:
                row["userId"] = alias

    def two_groups(self):
        """They are left out: nobody can say which price they paid for."""
        for user, group, since in self.fault.sample(self.assigned, 150):
            self.assigned.append((user, GROUPS[group == GROUPS[0]], since + DAY))
            self.left_out.add(user)

    # What is true, and the files.

    def truth(self):
        """Of each group users, payers and net."""
        cut = {place for place, _ in self.cut}
        counted = [charge for place, charge in enumerate(self.charges) if place not in cut and charge.user not in self.left_out]
        users = {user: group for user, group, since in self.assigned if user not in self.left_out and since < CUTOFF}
        return {group: (sum(value == group for value in users.values()), len({charge.user for charge in counted if charge.group == group}),
                        sum((charge.net for charge in counted if charge.group == group), Decimal(0))) for group in GROUPS}

    @staticmethod
    def beginning(line, cut):
        """What is left of a line: a part of it, or all up to a colon."""
        return line[: line.index('"price"') + 8] if cut == ":" else line[: int(len(line) * cut)]

    def line(self, row):
        if "\u0000price" not in row:
            return json.dumps(row)
        row = dict(row)
        first = row.pop("\u0000price")
        return json.dumps(row).replace('"price"', f'"price": "{first}", "price"', 1)

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "assignments.csv"), "w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["user_id", "offering_id", "test_group_id", "assigned_at"])
            rows.writerows((user, "test", group, told(since)) for user, group, since in self.assigned)
        with open(os.path.join(folder, "identities.csv"), "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("alias", "user"), *self.aliases])
        lines = []
        cut = dict(self.cut)
        for place, charge in enumerate(self.charges):
            line = self.line(charge.row)
            lines.append(self.beginning(line, cut[place]) if place in cut else line)
            lines += [self.line(row) for row in charge.refunds]
        lines += [self.line(row) for row in self.extra]
        self.dice.shuffle(lines)
        for number in range(2):
            with open(os.path.join(folder, f"purchases-{number}.jsonl"), "w") as file:
                file.write("".join(line + "\n" for line in lines[number::2]))
