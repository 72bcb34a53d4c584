"""Small tests that are hard to show: strange names, one group, nothing at all, lifts off the scale.

Each `World` writes a job file and its inputs; the page made of them has to hold whatever stands in them.
"""

import csv
import datetime
import json
import os
import random

FIRST_DAY = datetime.date(2026, 1, 1)
ARABIC = "\u0627\u0634\u062a\u0631\u0627\u0643 \u0634\u0647\u0631\u064a"
HEBREW = "\u05de\u05d7\u05d9\u05e8 \u05d6\u05d5\u05dc"
SCRIPT = "<script>alert(1)</script>"
LONG = "a_name_of_exactly_sixty_four_characters_without_any_blank_in_it_"
assert len(LONG) == 64
LONGER = "spring_2026_paywall_with_yearly_plan_first_and_badge_"
assert len(LONGER + "1") == 54


class Group:
    """A group: how many users, which share of them buys, at which price."""

    def __init__(self, name, users, rate, price, product="monthly"):
        self.name, self.users, self.rate, self.price, self.product = name, users, rate, price, product


class World:
    """Assignments, purchases and the job that measures them."""

    def __init__(self, name, groups, metrics, days=60, extra="", offering="price_test", currency="USD", attributes=None,
                 nights=1, still_joining=False, silent_days=None, refunds=0.05, refunded=1, is_early=False):
        self.name, self.groups, self.metrics, self.days = name, groups, metrics, days
        self.extra, self.currency = extra, currency
        self.attributes = attributes or {}
        self.nights = nights
        # The night is that before the test's first day.
        self.is_early = is_early
        # Nobody joins in the last 32 days, so that all windows have ended; or they do until 28 days before the end, so that
        # some end on every night.
        self.joining_days = max(1, days - (silent_days or (28 if still_joining else 32)))
        # One offering's name or several's; which share of charges is refunded, and how many times over.
        self.offerings = offering if isinstance(offering, list) else [offering]
        self.refunds, self.refunded = refunds, refunded

    @property
    def dates(self):
        """The nights to run, the last one last."""
        if self.is_early:
            return [(FIRST_DAY - datetime.timedelta(days=1)).isoformat()]
        return [(FIRST_DAY + datetime.timedelta(days=self.days - before)).isoformat() for before in range(self.nights, 0, -1)]

    def write(self, folder):
        """Writes the inputs and `job.yml`; returns the path of the latter."""
        dice = random.Random(self.name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "assignments.csv"), "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["user", "offering", "group", "assigned_at", *self.attributes])
            events = []
            for offering in self.offerings:
                prefix = "u" if offering == self.offerings[0] else offering
                for number, group in enumerate(self.groups):
                    for user in range(group.users):
                        self._user(f"{prefix}{number}-{user}", offering, group, dice, rows, events)
        with open(os.path.join(folder, "purchases.jsonl"), "w", encoding="utf-8") as file:
            # On the night before the first day nothing has been logged.
            file.writelines(json.dumps(event, ensure_ascii=False) + "\n" for event in events if not self.is_early)
        job = os.path.join(folder, "job.yml")
        with open(job, "w", encoding="utf-8") as file:
            file.write(self._job())
        return job

    def _user(self, name, offering, group, dice, rows, events):
        assigned = datetime.datetime.combine(FIRST_DAY, datetime.time()) + datetime.timedelta(
            seconds=dice.randrange(self.joining_days * 86400))
        rows.writerow([name, offering, group.name, assigned.isoformat() + "Z",
                       *(dice.choice(values) for values in self.attributes.values())])
        seen = {"userId": name, "offeringId": offering, "testGroupId": group.name, "currency": self.currency}
        events.append({**seen, "eventType": "paywall_view", "occurredAt": later(assigned, 60)})
        if dice.random() < group.rate:
            price = f"{group.price * dice.choice([1, 1, 2]):.2f}"
            charge = {**seen, "productId": group.product, "price": price, "transactionId": "t" + name}
            events.append({**charge, "eventType": "purchase", "occurredAt": later(assigned, 3600)})
            if dice.random() < self.refunds:
                back = charge if self.refunded == 1 else {**charge, "price": f"{float(price) * self.refunded:.2f}"}
                events.append({**back, "eventType": "refund", "occurredAt": later(assigned, 90000)})

    def _job(self):
        segments = f"segments: [{', '.join(self.attributes)}]\n" if self.attributes else ""
        attributes = f"\n    attributes: [{', '.join(self.attributes)}]" if self.attributes else ""
        return (f"job: {self.name}\ncurrency: {self.currency}\n{self.extra}{segments}"
                f"assignments:\n  - path: assignments.csv{attributes}\n"
                "purchases:\n  - {path: purchases.jsonl, format: events}\n"
                "metrics:\n" + "".join(f"  - {metric}\n" for metric in self.metrics))


def later(moment, seconds):
    return (moment + datetime.timedelta(seconds=seconds)).isoformat() + "Z"


def quoted(text):
    """A text as YAML takes it, whatever stands in it."""
    return json.dumps(text, ensure_ascii=False)


PAIR = ["{name: revenue_net, window: 30d, primary: true}", "{name: paying_conversion, window: 7d, primary: true}"]
MONEY = ["revenue_gross", "revenue_net", "proceeds", "charges", "revenue_net_per_payer", "paying_conversion", "initial_conversion"]
FIFTY = PAIR + [f"{{name: {name}, window: {days}d, id: {name}_{days}d_more}}"
                for days in (1, 2, 3, 7, 10, 14, 28) for name in MONEY][:48]

WORLDS = [
    World("long", [Group("control", 700, 0.1, 10), Group("cheap", 700, 0.2, 7), Group("dear", 700, 0.05, 15)], FIFTY, days=400),
    World("names", [Group("control", 300, 0.2, 10, LONG), Group(LONG, 300, 0.3, 8, ARABIC),
                    Group(HEBREW + " \U0001f680\U0001f468\u200d\U0001f469\u200d\U0001f467", 300, 0.25, 9, SCRIPT),
                    Group(SCRIPT + '"&amp;\'', 300, 0.2, 9, "caf\u00e9 \U0001f600")],
          PAIR, offering="\u0426\u0435\u043d\u0430 " + SCRIPT + " " + ARABIC,
          attributes={"country": [SCRIPT, LONG, "C\u00f4te d\u2019Ivoire", ARABIC]}),
    World("odd-ids", [Group("007", 200, 0.2, 10, "0042"), Group("90002422406555080561", 200, 0.3, 8, "=1+1"),
                      Group("=cheap", 200, 0.2, 9, "+5"), Group("-dear", 200, 0.2, 9, "@home"), Group("1e5", 200, 0.2, 9, "2026-03-01"),
                      Group("TRUE", 200, 0.2, 9, "3.05"), Group("\u0446\u0435\u043d\u0430 \u00e9 \U0001f600", 200, 0.2, 9, "one, \"two\"; three")],
          PAIR, offering="0012", extra='baseline: "007"\n'),
    World("one-group", [Group("control", 300, 0.2, 10)], PAIR),
    World("ratio", [Group("control", 2341, 0.1, 10), Group("group_a", 2019, 0.2, 10)], PAIR),
    World("no-primary", [Group("control", 400, 0.1, 10), Group("group_a", 400, 0.2, 10)],
          [metric.replace(", primary: true", "") for metric in PAIR]),
    World("empty", [Group("control", 5, 0, 10), Group("b", 5, 0, 10)], PAIR, extra="baseline: control\n", is_early=True),
    World("off-scale", [Group("control", 3000, 0.0022, 0.5), Group("group_a", 3000, 0.3, 90), Group("group_b", 3000, 0.0001, 9)],
          PAIR + ["{name: refund_rate, window: 30d}", "{name: charges, window: 30d}"]),
    World("six-groups", [Group("control", 500, 0.1, 10)] + [Group(f"price_{n}", 500, 0.1 + n / 15, 10 - n) for n in range(1, 6)], PAIR),
    World("first-days", [Group("control", 30, 0.1, 10), Group("group_a", 30, 0.1, 10)], PAIR, days=34),
    World("large-money", [Group("control", 500, 0.3, 1234567), Group("group_a", 500, 0.2, 2345678)], PAIR, currency="VND",
          attributes={"country": ["VN", "US", "KR"], "platform": ["ios", "android"]}, nights=3,
          still_joining=True),
    World("twelve-groups", [Group("control", 900, 0.1, 10)] + [Group(f"price_{n}", 900, 0.07 + n / 90, 11 - n / 4) for n in range(1, 12)],
          PAIR, extra="notes: |\n  Eleven prices, one week.\n\n  \u05de\u05d7\u05d9\u05e8: ask Ann, not Bob.\nenrolment: {to: 2026-01-20}\n"),
    World("sixty-groups", [Group("control", 300, 0.1, 10)] + [Group(f"arm_{n:02}", 300, 0.06 + n / 700, 10) for n in range(1, 60)], PAIR),
    World("long-names", [Group("control", 400, 0.2, 10, HEBREW), Group(LONGER + "1", 400, 0.3, 8), Group(LONGER + "2", 400, 0.2, 8),
                         Group(ARABIC + " 2", 400, 0.25, 9, ARABIC), Group("2 " + HEBREW + " (new)", 400, 0.2, 9)],
          PAIR, offering=HEBREW + " 2026", attributes={"country": ["DE", ARABIC]}),
    World("nobody-buys", [Group("control", 400, 0, 10), Group("group_a", 400, 0, 12)], PAIR + ["{name: revenue_net_per_payer, window: 30d}"]),
    World("three-offerings", [Group("control", 400, 0.1, 10), Group("new", 400, 0.25, 10), Group("old", 400, 0.02, 10)], PAIR,
          offering=["checkout", "onboarding", "upsell"]),
    World("ended", [Group("control", 150, 0.1, 10), Group("group_a", 150, 0.12, 10)], PAIR, days=200, silent_days=170),
]
