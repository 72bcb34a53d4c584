"""A stranger's log: the same events under other names, in other units and spellings, and the job that maps them back.

All dice are of their own, so that a log that is not strange is what it was before.
"""

from fractions import Fraction
import json
import random
import re

from dirt import CHARGES
from mapping import MINOR_DIGITS

TYPES = {"purchase": "subscription_started", "renewal": "trial converted", "refund": "Charge refund", "one_time_purchase": "sold once",
         "expire": "expiration.done", "paywall_view": "view"}
OFFSETS = [("Z", " UTC"), ("Z", "UTC"), ("Z", " GMT"), ("Z", "+00"), ("Z", "+0000"), ("Z", " +00:00"), ("Z", " Z")]
PRICE = re.compile(r"[0-9]+(\.[0-9]+)?\Z", re.ASCII)


class Stranger:
    """One log's own ways; `entry` is told of them."""

    def __init__(self, world, entry, name):
        self.rng, self.entry, self.cutoff = random.Random(f"stranger {world.seed} {name}"), entry, world.cutoff
        self.is_strange = self.times(0.35)
        chosen = lambda chance: self.is_strange and self.times(chance)
        self.types = {ours: theirs for ours, theirs in TYPES.items() if self.times(0.7)} if chosen(0.4) else {}
        self.is_minor, self.has_quantity, self.turns_negative = chosen(0.3), chosen(0.25), chosen(0.3)
        self.deletes, self.is_fine, self.says_null, self.by_day = chosen(0.3), chosen(0.3), chosen(0.4), chosen(0.2)
        self.is_faithful = world.is_faithful  # nothing that is told is lost in the telling
        self.by_day = self.by_day and not self.is_faithful
        self.shape = self.rng.choice(["wrapped", "deep", "text"]) if chosen(0.35) else "flat"
        self.other_times = chosen(0.5)
        if self.types:
            entry["types"] = {theirs: ours for ours, theirs in self.types.items()} | {"heartbeat": "ignore"}
        if self.is_minor:
            entry["price_unit"] = "minor"
        if self.turns_negative:
            entry["negative"] = "refund"
        if self.deletes:
            entry["skip_where"] = {"_deleted": self.rng.choice([True, "yes"])}
        if self.has_quantity:
            entry["quantity"] = "how many"

    def times(self, chance):
        return self.rng.random() < chance

    def unit(self, unit):
        """Milliseconds may be told in finer units."""
        if unit == "milliseconds" and self.other_times:
            self.entry["time_unit"] = unit = self.rng.choice(["microseconds", "nanoseconds"])
        return unit

    def time(self, text):
        """Other spellings of one instant, and days without a time."""
        if not text:
            return text
        finer = {"microseconds": "000", "nanoseconds": "000999"}.get(self.entry.get("time_unit"))
        if finer and text.replace(".", "").isdecimal():
            whole, dot, rest = text.partition(".")
            return whole + finer + dot + rest
        if self.by_day and self.times(0.15) and re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]", text):
            return text[:10]
        if not self.other_times:
            return text
        for end, other in self.rng.sample(OFFSETS, 3):
            if text.endswith(end) and len(text) > 19:
                return text.removesuffix(end) + other
        shifted = re.search(r"[+-][0-9]{2}:[0-9]{2}$", text)
        return text[:-3] + text[-2:] if shifted and self.times(0.5) else text

    def price(self, event):
        """The price in the log's units: `(text, quantity or None)`."""
        text, quantity = event.get("price"), None
        if text is None or not PRICE.match(text):
            return text, "1" if text is not None else None
        number = Fraction(text)
        if self.is_fine and self.times(0.3) and "." in text:
            text += self.rng.choice(["0" * 7, "000000499", "0000005", "00000050001"])
            number = Fraction(text)
        if self.has_quantity:
            quantity = self.rng.choice([1, 1, 2, 4, 5])
            number /= quantity
            if (number * 10**6).denominator > 1:
                number, quantity = Fraction(text), 1
        if self.is_minor:
            number *= 10 ** MINOR_DIGITS.get((event.get("currency") or "").upper(), 2)
        return decimal(number) if (self.is_minor or quantity not in (None, 1)) else text, quantity and str(quantity)

    def row(self, event):
        """The event as the log tells it."""
        event, kind = dict(event), event["eventType"]
        if self.is_minor and kind == "refund" and event.get("price") is not None:
            event.setdefault("currency", (event.get("#charge") or {}).get("currency") or "USD")
        event["price"], quantity = self.price(event)
        if self.has_quantity and quantity is not None:
            event["#extra"] = {"how many": quantity}
        if self.turns_negative and kind == "refund" and event.get("#charge") and PRICE.match(event["price"] or "") and self.times(0.7):
            charge = event["#charge"]
            if Fraction(event["price"]) > 0:
                event |= {"eventType": charge["eventType"], "price": "-" + event["price"], "productId": charge["productId"]}
                event.setdefault("currency", charge["currency"])
        event["eventType"] = self.types.get(event["eventType"], event["eventType"])
        for name in ("occurredAt", "expiresDate"):
            if name in event:
                event[name] = self.time(event[name])
        if self.says_null:
            for name in ("userId", "transactionId", "originalTransactionId", "offeringId", "testGroupId", "expiresDate", "price"):
                is_lost = name in ("userId", "testGroupId") and self.times(0.01) and not self.is_faithful
                if name in event and event[name] is None and self.times(0.5) or is_lost:
                    event[name] = self.rng.choice(["NULL", "null"])
        if self.deletes:
            is_gone = self.times(0.08) and not self.is_faithful
            event.setdefault("#extra", {})["_deleted"] = self.entry["skip_where"]["_deleted"] if is_gone else self.rng.choice([False, None, "no"])
        return event

    def beside(self):
        """Rows that the job leaves out by their type."""
        if not self.types:
            return []
        return [{"eventType": "heartbeat", "userId": "u1", "occurredAt": "2026-01-01T00:00:00Z"}] * self.rng.choice([0, 1, 3])

    def wrap(self, record):
        """A line of JSON with the event inside another member, or as text in one."""
        text = record.decode()
        if self.shape == "flat":
            return record
        if self.shape == "text":
            return json.dumps({"_airbyte_raw_id": "r", "_airbyte_data": text.strip()}, ensure_ascii=self.times(0.5)).encode()
        return ('{"id": 1, "data": ' + ('{"of it": ' + text + "}" if self.shape == "deep" else text) + ', "price": "1"}').encode()

    def columns(self):
        """Columns of a table beside the event's own."""
        return ["how many"] * self.has_quantity + ["_deleted"] * self.deletes

    def csv(self, record, values, names, order, told, delimiter):
        """A table's record, or the whole of it as JSON text in a column; what is nothing may be written `\\N`."""
        if self.shape != "flat":
            self.shape = "text"
            named = {names.get(field, "note"): value for field, value in zip(order, values)} | told
            text = json.dumps({name: value for name, value in named.items() if value is not None}, ensure_ascii=False)
            return ("r" + delimiter + '"' + text.replace('"', '""') + '"').encode()
        if self.says_null and None in values and record.startswith(delimiter.encode()):
            return b"\\N" + record
        return record

    def finish(self, fields):
        """Where each field lies, told to the job: `columns`, and every other key that names a column."""
        prefix = {"flat": "", "wrapped": "data.", "deep": "data.of it.", "text": "_airbyte_data."}[self.shape]
        if not prefix:
            return
        columns = self.entry.get("columns", {})
        names = [*fields, *self.entry.get("attributes", [])]
        self.entry["columns"] = {name: prefix + columns.get(name, name) for name in names}
        if self.has_quantity:
            self.entry["quantity"] = prefix + self.entry["quantity"]
        if self.deletes:
            self.entry["skip_where"] = {prefix + name: value for name, value in self.entry["skip_where"].items()}


class StrangeTable:
    """The ways of an assignment table that another system wrote."""

    def __init__(self, world, entry, name):
        self.rng = random.Random(f"table {world.seed} {name}")
        is_strange = self.rng.random() < 0.35
        self.is_faithful, self.entry = world.is_faithful, entry
        self.says_null, self.other_times, self.is_deep, deletes = (is_strange and self.rng.random() < 0.5 for _ in range(4))
        self.deletes = deletes and entry["format"] in ("csv", "jsonl")
        if self.deletes:
            entry["skip_where"] = {"_deleted": True}

    def row(self, row):
        dice, row = self.rng, dict(row)
        if self.says_null and not self.is_faithful:
            for name in ("user", "group", "assigned_at"):
                if row[name] is None or dice.random() < 0.01:
                    row[name] = dice.choice(["NULL", "null"])
        if self.other_times and row["assigned_at"]:
            for end, other in dice.sample(OFFSETS, 3):
                if row["assigned_at"].endswith(end) and len(row["assigned_at"]) > 19:
                    row["assigned_at"] = row["assigned_at"].removesuffix(end) + other
                    break
        row["#deleted"] = dice.random() < 0.05 and not self.is_faithful
        return row

    def wrap(self, record, row):
        """A line of JSON; the roles may lie in a member of it, or in text in one."""
        if self.is_deep:
            record = (record if self.rng.random() < 0.5 else json.dumps(record.decode()).encode()).join([b'{"row": ', b"}"])
            told = {name: row[name] for name in self.entry["attributes"]}
            record = record.removesuffix(b"}") + b", " + json.dumps(told, ensure_ascii=False).encode()[1:]
        if self.deletes:
            record = record.removesuffix(b"}") + b', "_deleted": ' + (b"true}" if row["#deleted"] else b"false}")
        return record

    def columns(self, theirs):
        return {role: f"row.{name}" for role, name in theirs.items()} if self.is_deep else theirs


STATUSES = {"column": "status", "paid": "purchase", "money back": "refund", "draft": "ignore"}


class Orders:
    """A shop's table of its own: several lines an order perhaps, a status instead of an event's type."""

    def __init__(self, world, entry):
        self.rng, self.world, self.entry = random.Random(f"orders {world.seed}"), world, entry
        self.has_items, self.has_status = (self.rng.random() < 0.6 for _ in range(2))
        if self.has_items:
            entry["items"] = True
        if self.has_status:
            entry["types_of"] = STATUSES
            entry["defaults"].pop("eventType")

    def lines(self, event):
        """`(event, status)` of what the table says of a sale: its items, and what became of it."""
        rng, told = self.rng, [(event, "paid")]
        if not event.get("transactionId"):
            return told
        if self.has_items and not event.get("#refunded") and rng.random() < 0.4:  # refunds elsewhere name no product
            others = [product for product in self.world.products if product["id"] != event["productId"]]
            for product in rng.sample(others, rng.randrange(0, min(3, len(others)) + 1)):
                told.append((event | {"productId": product["id"], "price": rng.choice(["1", "2.50", event["price"]])}, "paid"))
        if self.has_status and rng.random() < 0.3:
            sold, _ = rng.choice(told)
            part = rng.choice([sold["price"], "0.25"])
            told.append((sold | {"price": part, "#at": sold["#at"] + rng.choice([1, 3_600_000, 9 * 86_400_000])}, "money back"))
        if self.has_status and rng.random() < 0.1:
            told.append((event, rng.choice(["failed", "draft"])))
        return told


def decimal(number):
    """A fraction that ends, as a plain decimal."""
    places = next(places for places in range(30) if (number * 10**places).denominator == 1)
    digits = str(int(number * 10**places)).rjust(places + 1, "0")
    return digits[:-places] + "." + digits[-places:] if places else digits


def told_as_text(value):
    """A value of JSON as a field of a table."""
    return {True: "true", False: "false"}.get(value) if isinstance(value, bool) else value
