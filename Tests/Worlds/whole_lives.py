"""One user's subscriptions from the first trial to the last refund, over months, as a store would know them.

Nothing here is noise: every event belongs to the charge or trial in force (`#of`), and whoever tells the story
may ask what stood at any moment.
"""

from lives import HOUR, Life
from periods import plus
from stories import commitment
from values import DAY


class WholeLife(Life):
    """One or two subscriptions beside each other, one-time purchases between them."""

    def live(self):
        self.unpaid = None
        first = self.start + self.rng.choice([0, 0, HOUR, DAY, 9 * DAY, -20 * DAY, -100 * DAY]) + self.rng.randrange(HOUR)
        if self.times(0.5):
            self.add("paywall_view", at=first // 1000 * 1000 - 1000)
        plans = [p for p in self.world.products if p["kind"] == "auto_renewable"]
        self.rng.shuffle(plans)
        beside = plans[len(plans) // 2 + 1:]
        self.is_single = not (beside and self.times(0.3))
        if not self.is_single:
            plans = plans[:len(plans) // 2 + 1]
            self.subscription(first + self.rng.randrange(1, 40) * DAY, beside)
        if self.times(0.85):
            self.subscription(first, plans)
        others = [p for p in self.world.products if p["kind"] != "auto_renewable"]
        for product in self.rng.sample(others, self.rng.choice([0, 0, 0, min(1, len(others)), min(2, len(others))])):
            self.one_time(first + self.rng.randrange(-5 * DAY, 60 * DAY), product)
        for _ in range(self.rng.choice([0, 0, 3, 9])):
            self.add("scan", at=(self.start + self.rng.randrange(60 * DAY)) // 1000 * 1000)
        self.events = [e for e in self.events if not (e.get("#left") and self.is_back(e))]
        return self.events

    def is_back(self, expiry):
        """Whether a product that was left is in force again when its old end is told."""
        return any(e["productId"] == expiry["productId"] and expiry["#of"]["#at"] < e["#at"] <= expiry["#at"]
                   for e in self.events if "#product" in e)

    def told(self, kind, at, row, **fields):
        """What the store knows: about which charge or trial, and so about which product."""
        event = self.add(kind, at=int(at) // 1000 * 1000, productId=row["productId"], **fields)
        event["eventId"], event["#of"] = self.world.next_id("s"), row
        event["#original"] = row.get("#original")
        return event

    def sold(self, kind, at, product, original, number, price=None):
        event = self.add(kind, at=int(at) // 1000 * 1000, productId=product["id"])
        event["eventId"], event["transactionId"] = self.world.next_id("s"), self.world.next_id("t")
        if kind == "trial_start" and self.world.is_of_the_web:
            event["transactionId"] = original  # nothing was paid yet: it goes by its subscription
        if self.world.is_of_play:  # an order, whose renewals are numbered behind the first one's name
            event["transactionId"] = original + (f"..{number - 2}" if number > 1 else "")
        event |= {"#web": self.world.next_id("w"), "#original": original, "#number": number, "#product": product,
                  "#auto": product["kind"] == "auto_renewable"}
        event.pop("environment", None)
        event.pop("ownershipType", None)
        if kind != "trial_start":
            event |= {"price": price or product["price"], "currency": self.world.home_currency}
        return event

    def chain(self):
        """What a store calls a subscription: the first transaction of it."""
        return ("GPA." if self.world.is_of_play else "") + self.world.next_id("o")

    def subscription(self, at, plans, again=False):
        """A chain of periods: the trial, charges, what happens between them, and how it ends."""
        rng, product, original = self.rng, self.rng.choice(plans), self.chain()
        kind, number, dice = "purchase", 1, self.world.dice
        if product["trial"] and not again and self.times(0.5):
            row = self.sold("trial_start", at, product, original, number)
            row["#until"] = row["#expires"] = plus(row["#at"], product["trial"])
            others = [plan for plan in plans if plan["id"] != product["id"]]
            is_plain = self.world.is_of_the_web or self.world.is_of_play
            if others and self.world.tells_chains and not is_plain and dice.random() < 0.2:  # another plan within the trial is still the trial
                at, product, number = row["#at"] + (row["#until"] - row["#at"]) * dice.randrange(1, 9) // 10, dice.choice(others), 2
                row = self.sold("trial_start", at, product, original, number)
                row |= {"#until": row["#at"] + 40 * DAY, "#more": True}
                row["#expires"] = row["#until"]
            at, number, kind = self.following(row, product), number + 1, "renewal"
        many = rng.choice([1, 2, 4, 8, 20])
        by_month = product["period"] == "P1Y" and dice.random() < 0.3 and not self.world.is_of_play  # a year in instalments
        months = dice.choice(["P2M", "P3M", "P6M"]) if product["period"] == "P1M" and dice.random() < 0.15 and not self.world.is_of_play else None  # the first ones paid up front
        while at is not None and (many > 0 or self.unpaid):
            many -= 1
            if at > self.world.cutoff + 40 * DAY:
                break
            if self.unpaid:
                self.told("billing_recovery", at, self.unpaid)
            row = self.sold(kind, at, product, original, number)
            row["#recovers"], self.unpaid = bool(self.unpaid), None
            row["#until"] = row["#expires"] = plus(row["#at"], "P1M" if by_month and product["period"] == "P1Y" else months or product["period"])
            if by_month and product["period"] == "P1Y":
                row["#own"] = {"billingPlanType": "MONTHLY", "commitmentInfo": commitment(product, number % 12 or 12)}
            if months and self.world.dice.random() < 0.5:
                row["#own"] = {"offerType": 1, "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": months}
            months = None
            number += 1
            if self.times(0.12):
                self.take_back(row)
            if len(plans) > 1 and self.times(0.08):  # moves up at once; the old product's end is told as well
                at = row["#at"] + (row["#until"] - row["#at"]) * rng.randrange(1, 9) // 10
                others = [p for p in plans if p["id"] != product["id"]]
                if others:
                    if self.times(0.5):
                        self.told("expire", row["#until"], row)["#left"] = True
                    product, kind, original, number = rng.choice(others), "purchase", self.chain(), 1
                    continue
            at, kind = self.following(row, product), "renewal"
            if at is not None and not self.unpaid and self.times(0.05):
                product = rng.choice(plans)  # moves down with the next period
        self.unpaid = None
        if at is not None and self.times(0.3):
            self.subscription(at + rng.randrange(1, 50) * DAY, plans, again=True)

    def following(self, row, product):
        """When the next period begins, or None where it does not."""
        rng, end = self.rng, row["#until"]
        # Beside another subscription a row that tells the end alone does not say since when: not all formats answer alike.
        is_plain = self.world.is_of_the_web or self.world.is_of_play
        if not is_plain and (self.is_single or not self.world.is_alike) and self.times(0.06):
            end = row["#until"] + rng.choice([1, 2] if self.world.is_alike else [3, 30]) * DAY  # an export tells the end alone
            self.told("extend", row["#at"] + (row["#until"] - row["#at"]) * rng.randrange(1, 9) // 10, row, **{"#expires": end})
            row["#until"] = end
        if self.times(0.2):
            middle = row["#at"] + (end - row["#at"]) * rng.randrange(1, 9) // 10
            self.told("cancel", middle, row)
            back = self.times(0.35)
            if back:
                self.told("uncancel", (middle + end) // 2, row)
            if not back or self.times(0.2):
                if back:
                    self.told("cancel", end - 1000, row)
                return self.ended(row, end)
        if self.times(0.8):
            return end
        return self.failing(row, product, end)

    def failing(self, row, product, end):
        """A renewal that fails: mended within its grace, or after its end, or never."""
        rng, grace = self.rng, plus(end, product["grace"] or "P16D")
        failed = end - rng.choice([0, 0, HOUR])
        if self.world.dice.random() < 0.2:  # no grace; perhaps noticed only after the end
            failed = end + (0 if self.world.is_of_play else self.world.dice.choice([-HOUR, 0, 5 * 60_000]))
            self.told("billing_retry", failed, row, **{"#expires": end})["#graceless"] = True
            self.told("expire", max(failed, end), row)
            return None
        self.told("billing_retry", failed, row, **{"#expires": grace})
        if self.times(0.45):
            self.unpaid = row
            return end + rng.randrange(1, 10) * (grace - end) // 10
        self.told("expire", grace, row)
        if self.world.late and self.times(0.3):
            self.unpaid = row
            return grace + rng.randrange(1, 30) * DAY
        return None

    def ended(self, row, end):
        """Access that is over, as a store tells it; perhaps begun anew much later."""
        self.told("expire", end, row)
        return None

    def one_time(self, at, product):
        row = self.sold("one_time_purchase", at, product, self.chain(), 1)
        if product["kind"] == "non_renewing":
            row["#until"] = row["#expires"] = plus(row["#at"], product["period"])
            if (self.world.shape == "cut short" or not self.world.is_alike) and self.times(0.4):
                self.told("expire", row["#at"] + (row["#until"] - row["#at"]) // 2, row)
        if self.times(0.15):
            self.take_back(row)

    def take_back(self, row):
        """In full or in parts, perhaps restored, perhaps taken back again."""
        rng, at = self.rng, row["#at"] + self.rng.choice([HOUR, 2 * DAY, 12 * DAY, 45 * DAY])
        price, total = round(float(row["price"]) * 100), 0
        for share in rng.choice([[None], [None], [25], [40], [25, 50], [20, 20], [50, 50], [40, None]]):
            part = price - total if share is None else price * share // 100
            event = self.told("refund", at, row, transactionId=row["transactionId"])
            total += part
            event |= {"#part": part, "#total": total, "#charge": row}
            if share is not None:
                event |= {"price": f"{part / 100:.2f}", "currency": row["currency"]}
            at += rng.choice([HOUR, 3 * DAY])
        if not self.world.is_of_play and not self.world.is_of_the_web and self.times(0.2):
            self.told("refund_reversal", at, row, transactionId=row["transactionId"])
            if self.times(0.3):
                event = self.told("refund", at + DAY, row, transactionId=row["transactionId"])
                event |= {"#part": price, "#total": price, "#charge": row}


def standing_refund(row, events, moment):
    """`(cents taken back, when)` as it stood at a moment, of the row's events in order."""
    cents, at = 0, None
    price = round(float(row["price"]) * 100)
    for event in events:
        if event["#at"] >= moment or event.get("#of") is not row:
            continue
        if event["eventType"] == "refund" and cents < price:
            cents, at = min(price, event["#total"]), event["#at"]
        elif event["eventType"] == "refund_reversal":
            cents, at = 0, None
    return cents, at
