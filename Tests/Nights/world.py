"""What lies in a job's folder on each evening of a test: files as an app's servers and feeds leave them.

All of it follows from the seed, so that one night can be asked for again.
"""

import datetime
import gzip
import json
import os
import random
import shutil
from zoneinfo import ZoneInfo

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo"]
PRODUCTS = {"weekly_799": "7.99", "monthly_1499": "14.99", "yearly_4999": "49.99"}
DAY = datetime.timedelta(days=1)

JOB = """\
job: {name}
timezone: {zone}
assignments:
  - path: assignments-*.csv
    columns: {{user: user_id, offering: offering, group: group, assigned_at: assigned_at}}
purchases:
  - {{path: "purchases-*", format: events}}
  - {{path: "orders-*", format: events, optional: true, columns: {{userId: customer, price: amount}}}}
metrics:
  - {{name: revenue_net, window: 7d, primary: true}}
  - {{name: paying_conversion, window: 3d}}
  - {{name: refund_rate}}
max_reject_ratio: 0.2
state: {{max_size: {room}}}
"""


class Test:
    """One A/B test: its job file, and its input files evening by evening."""

    def __init__(self, seed, number, first, length, zone, folder):
        self.rng = random.Random(f"{seed}/{number}")
        self.name, self.first, self.length, self.zone = f"test-{number}", first, length, ZoneInfo(zone)
        self.folder = os.path.join(folder, self.name)
        os.makedirs(self.folder)
        self.users, self.charges, self.events = [], [], 0
        self.held_back = {}
        self.renamed_from = None
        self.write("job.yml", JOB.format(name=self.name, zone=zone, room=self.rng.choice(["1 GB", "1 GB", "20 kB"])))

    @property
    def job(self):
        return os.path.join(self.folder, "job.yml")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def move_job(self):
        """The job's folder moves: its job file has another path, and the same files."""
        moved = self.folder + "-moved"
        os.rename(self.folder, moved)
        self.folder = moved

    def instant(self, date, second):
        local = datetime.datetime.combine(date, datetime.time(), self.zone).astimezone(datetime.timezone.utc)
        return (local + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def evening(self, night):
        """Writes what came on the day of that number; returns what happened to the files, by name."""
        rng, date = self.rng, self.first + night * DAY
        happened = set()
        coming = [(f"u{len(self.users) + n}", rng.choice(["control", "group_a"])) for n in range(rng.randint(4, 12))]
        self.users += [(user, date) for user, _ in coming]
        rows = "".join(f"{user},spring,{group},{self.instant(date, rng.randrange(20000))}\n" for user, group in coming)
        self.write(f"assignments-{date}.csv", "user_id,offering,group,assigned_at\n" + rows)
        storm = night > 10 and rng.random() < 0.04
        events = self.day(date, storm)
        if storm:
            happened.add("refund storm")
        name = f"purchases-{date}.jsonl.gz"
        # Of a log of few days one day would be more than a fifth, and the run rightly refused.
        if self.renamed_from is None and night > 3 and rng.random() < 0.02 and night > 9:
            self.renamed_from = night
            happened.add("feed renames its fields")
        if self.renamed_from is not None:
            if self.renamed_from < night:
                self.mend_renamed()
                name = name.replace("purchases", "orders")
            events = [{{"userId": "customer", "price": "amount"}.get(k, k): v for k, v in event.items()} for event in events]
        elif night > 3 and rng.random() < 0.04:
            happened.add("feed has a new field")
            events = [event | {"campaign": rng.choice(["a", "b"])} for event in events]
        text = "".join(json.dumps(event) + "\n" for event in events).encode()
        content = gzip.compress(text, mtime=0)
        if 2 < night < self.length - 8 and rng.random() < 0.05:
            happened.add("file comes late")
            self.held_back[night + rng.randint(1, 7)] = (name, content)
        else:
            self.write(name, content)
        if night > 2 and rng.random() < 0.05:
            self.copy_one(rng, happened)
        if night > 4 and rng.random() < 0.03:
            self.append_to_one(rng, happened)
        for due in [due for due in self.held_back if due == night]:
            self.write(*self.held_back.pop(due))
            happened.add("late file is there")
        return happened

    def mend_renamed(self):
        """The first file with the new names was taken for one with the old: it goes to the input that knows them."""
        name = f"purchases-{self.first + self.renamed_from * DAY}.jsonl.gz"
        if os.path.exists(self.path(name)):
            os.rename(self.path(name), self.path(name.replace("purchases", "orders")))

    def shards(self):
        return sorted(name for name in os.listdir(self.folder) if name.startswith(("purchases-2", "orders-2")))

    def copy_one(self, rng, happened):
        name = rng.choice(self.shards() or [None])
        if name is None:
            return
        if rng.random() < 0.5:
            shutil.copyfile(self.path(name), self.path(name.replace("-2", "-copy-2", 1)))
            happened.add("file twice")
        else:
            with gzip.open(self.path(name)) as file:
                text = file.read()
            self.write(name.replace("-2", "-again-2", 1).removesuffix(".gz"), text)
            happened.add("rows twice, packed otherwise")

    def append_to_one(self, rng, happened):
        name = rng.choice(self.shards() or [None])
        if name is None or name.startswith("orders"):
            return
        date = datetime.date.fromisoformat(name.removeprefix("purchases-")[:10])
        text = "".join(json.dumps(event) + "\n" for event in self.day(date, False)[:3])
        with open(self.path(name), "ab") as file:
            file.write(gzip.compress(text.encode(), mtime=0))
        happened.add("file is appended to")

    def day(self, date, storm):
        rng, events = self.rng, []

        def event(**more):
            self.events += 1
            at = self.instant(date, rng.randrange(20000, 82000))
            events.append({"eventId": f"e{self.events}", "occurredAt": at, "currency": "USD"} | more)

        for _ in range(rng.randint(2, 8)):
            (user, _), product = rng.choice(self.users), rng.choice(list(PRODUCTS))
            transaction = f"t{self.events}"
            event(userId=user, eventType="purchase", productId=product, price=PRODUCTS[product], transactionId=transaction)
            self.charges.append((user, product, transaction))
        for user, product, transaction in self.charges[-60:]:
            if rng.random() < (0.7 if storm else 0.02):
                event(userId=user, eventType="refund", productId=product, transactionId=transaction)
        if self.events > 40 and rng.random() < 0.1:
            event(userId="", eventType="purchase", productId="weekly_799", price="7,99", transactionId="t0")
        return events
