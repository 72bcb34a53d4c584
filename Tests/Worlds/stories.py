"""One user's subscription as a store would tell it: trial, payments, failures, upgrades, refunds, expiry."""

from fractions import Fraction

from lives import HOUR, Life
from periods import plus
from values import DAY


def commitment(product, number):
    """Which of a year's twelve payments this is; money in thousandths."""
    return {"billingPeriodNumber": number, "totalBillingPeriods": 12, "commitmentPrice": int(Fraction(product["price"]) * 12_000)}


class Story(Life):
    """Events in order along one clock; then perhaps the whole is moved so that an edge lies at the cut-off."""

    def live(self):
        self.now, self.edges, self.last = self.start + self.rng.choice([0, HOUR, DAY, DAY, -40 * DAY]), [], None
        self.original = self.world.next_id("o")
        if self.times(0.5):
            self.add("paywall_view", at=self.now)
        if self.times(0.25):
            self.one_time()
        plans = [p for p in self.world.products if p["kind"] == "auto_renewable"]
        if plans and self.times(0.9):
            self.subscribe(self.rng.choice(plans), plans)
        if self.times(0.4):
            self.app_side()
        self.move()
        return self.events

    def told(self, kind, at, **fields):
        """An event of the store: it has an id, and may say more than one way of telling it can."""
        event = self.add(kind, at=int(at), **fields)
        event["eventId"] = self.world.next_id("s")
        event["#story"], event["#original"] = True, self.original
        dice = self.world.dice
        if self.world.tells_chains and dice.random() < 0.8:
            event["originalTransactionId"] = self.original
        if self.last and kind not in ("trial_start", "purchase", "renewal", "one_time_purchase") and dice.random() < 0.5:
            event.setdefault("transactionId", self.last["transactionId"])
        return event

    def sold(self, kind, at, product, end=None):
        own = self.own_period(product) if end is not None and kind != "one_time_purchase" else {}
        if own:
            end = plus(at, own["#period"])
        event = self.told(kind, at, productId=product["id"], price=product["price"], currency=self.currency)
        event["transactionId"], event["#web"] = self.world.next_id("t"), self.world.next_id("w")
        event["originalTransactionId"] = self.original
        event["#auto"] = product["kind"] == "auto_renewable"
        event |= own
        if end is not None and self.world.tells_ends and self.times(0.8):
            event["#expires"] = int(end)
        self.edges.append(event["#at"])
        self.last = event
        return event

    def moved_to(self, plan, before):
        """Another plan; of another subscription group it is another subscription."""
        if self.world.families.get(plan["id"]) != self.world.families.get(before["id"]):
            self.original = self.world.next_id("o")
        return plan

    def own_period(self, product):
        """A year paid in instalments, or some months paid up front: what only the charge itself tells."""
        dice = self.world.dice
        if dice.random() > (0.4 if product["period"] == "P1Y" else 0.12):
            return {}
        if product["period"] == "P1Y":
            return {"#period": "P1M", "#own": {"billingPlanType": "MONTHLY", "commitmentInfo": commitment(product, dice.randrange(1, 13))}}
        months = dice.choice(["P2M", "P3M", "P6M", "P1Y"])
        return {"#period": months, "#own": {"offerType": 1, "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": months}}

    @property
    def currency(self):
        return self.world.home_currency

    def one_time(self):
        products = [p for p in self.world.products if p["kind"] != "auto_renewable"]
        if products:
            product = self.rng.choice(products)
            end = plus(self.now, product["period"]) if product["period"] else None
            event = self.sold("one_time_purchase", self.now, product, end if product["kind"] == "non_renewing" else None)
            self.edges += [event["#at"] + days * DAY for days in (3, 30)] + ([end] if end else [])
            if self.times(0.15):
                self.take_back(event)
        self.now += self.rng.choice([HOUR, DAY, 3 * DAY, 30 * DAY])

    def subscribe(self, product, plans):
        kind = "purchase"
        if self.times(0.45):
            ended = self.trial(product)
            if ended:
                return
            kind = "renewal" if self.times(0.85) else "purchase"
        for _ in range(self.rng.choice([1, 2, 3, 5])):
            end = plus(self.now, product["period"])
            event = self.sold(kind, self.now, product, end)
            grace = plus(end, product["grace"] or "P16D")
            self.edges += [end, grace]
            if self.times(0.15):
                self.take_back(event)
            if self.times(0.1):
                self.restored(event)
            if self.times(0.15) and len(plans) > 1:
                product, kind = self.moved_to(self.rng.choice(plans), product), "purchase"
                self.now += (end - self.now) // 2
                continue
            if self.times(0.1):
                end += self.rng.choice([HOUR, 3 * DAY, 20 * DAY])
                extension = self.told("extend", event["#at"] + HOUR, productId=product["id"])
                extension["#expires"] = end
                self.edges.append(end)
            if self.turn_off(end) or not self.renew(product, end, grace):
                break
            kind = "renewal"
        if self.times(0.15):
            self.now += self.rng.choice([DAY, 20 * DAY])
            old, before = self.last, self.original
            anew, product = self.world.dice.random() < 0.5, self.rng.choice(plans)
            if anew or self.world.families.get(product["id"]) != self.world.families.get(old["productId"]):
                self.original = self.world.next_id("o")
            self.sold("purchase", self.now, product)
            if anew and self.world.dice.random() < 0.7:  # weeks later the store gives the old chain up
                gone = self.told("expire", self.now + self.world.dice.choice([HOUR, 9 * DAY, 40 * DAY]), productId=old["productId"])
                gone |= {"#original": before, "transactionId": old["transactionId"]}
                if "originalTransactionId" in gone:
                    gone["originalTransactionId"] = before

    def trial(self, product):
        """A free trial; True when nothing follows it."""
        end = plus(self.now, product["trial"] or "P14D")
        event = self.told("trial_start", self.now, productId=product["id"])
        event |= {"transactionId": self.world.next_id("t"), "#auto": True, "#trial": True}
        if self.world.tells_ends and self.times(0.8):
            event["#expires"] = end
        self.edges += [event["#at"], end, event["#at"] + 16 * DAY, end + 16 * DAY]
        if self.times(0.3):
            self.told("cancel", (self.now + end) // 2, productId=product["id"])
        if self.world.dice.random() < 0.2:  # the plan is changed within the trial, or a free month comes after it
            at = self.world.dice.choice([(self.now + end) // 2, end])
            end += self.world.dice.choice([DAY, 30 * DAY])
            family = self.world.families.get(product["id"])
            others = [plan for plan in self.world.products if plan["kind"] == "auto_renewable" and self.world.families.get(plan["id"]) == family]
            more = self.told("trial_start", at, productId=self.world.dice.choice([product, *others])["id"])
            more |= {"transactionId": self.world.next_id("t"), "#auto": True, "#trial": True, "#more": True}
            if "#expires" in event:
                more["#expires"] = end
        if self.times(0.35):
            if self.times(0.5):
                self.told("expire", end, productId=product["id"])
            return True
        self.now = end + self.rng.choice([0, 0, 1, HOUR, 5 * DAY])
        return False

    def turn_off(self, end):
        """Auto-renew off, perhaps on again; True when the subscription ends with its period."""
        if not self.times(0.3):
            return False
        middle = self.now + (end - self.now) // 3
        product = self.last["productId"]
        self.told("cancel", middle, productId=product)
        if self.times(0.3):
            self.told("uncancel", middle + self.rng.choice([0, HOUR]), productId=product)
            return False
        if self.times(0.7):
            self.told("expire", end + self.rng.choice([0, 0, 1, HOUR, -HOUR]), productId=product)
        self.now = end
        return True

    def renew(self, product, end, grace):
        """On time, late, after a failed charge, or never."""
        if self.times(0.5):
            self.now = end + self.rng.choice([0, 0, 0, 1, -1, HOUR, DAY])
            return True
        failed = end + self.rng.choice([0, 0, HOUR, -1])
        event = self.told("billing_retry", failed, productId=product["id"])
        if self.world.tells_ends and self.times(0.7):
            event["#expires"] = end + self.rng.choice([3, 6, 16]) * DAY
            self.edges.append(event["#expires"])
        if self.times(0.5):
            self.now = failed + self.rng.choice([HOUR, DAY, grace - failed, grace - failed + 1, 20 * DAY])
            if self.times(0.8):
                self.told("billing_recovery", self.now + self.rng.choice([0, 0, 1, -1]), productId=product["id"])
                self.events[-1]["#recovery"] = True
            return True
        if self.times(0.7):
            self.told("expire", failed + self.rng.choice([0, grace - failed, 60 * DAY]), productId=product["id"])
        self.now = max(failed, end)
        return False

    def take_back(self, charge):
        """One refund, in full or in part, perhaps reversed, perhaps twice in parts."""
        at, rng = charge["#at"] + self.rng.choice([0, HOUR, 3 * DAY, 40 * DAY]), self.rng
        charge["#refunded"] = True
        parts = rng.choice([[None], [None], [0.5], [0.25, 0.25], [0.4, 0.4]])
        if float(charge["price"]) < 0.1:
            parts = [None]
        for share in parts:
            event = self.told("refund", at, transactionId=charge["transactionId"], productId=charge["productId"])
            event["#web"], event["#charge"], event["#auto"] = charge["#web"], charge, charge["#auto"]
            if share is not None:
                thousandths = round(float(charge["price"]) * share * 1000)
                event["price"] = f"{thousandths / 1000:.3f}"
            self.edges.append(at)
            at += rng.choice([0, HOUR])
        if self.times(0.25):
            event = self.told("refund_reversal", at + rng.choice([0, DAY]), transactionId=charge["transactionId"])
            event["#web"], event["productId"] = charge["#web"], charge["productId"]

    def restored(self, charge):
        """The same charge again under a new transaction: only a format with a key of its own can tell."""
        copy = dict(charge) | {"eventId": self.world.next_id("s"), "#restored": True}
        copy["transactionId"] = self.world.next_id("t")
        copy["#at"] = charge["#at"] + self.rng.choice([HOUR, DAY])
        self.events.append(copy)

    def app_side(self):
        """What the app's own server answered."""
        at = self.start + self.rng.choice([0, HOUR, DAY])
        for kind in ("offering_served", "plan_view", "no_offering", "auth_invalid", "server_error", "status_check",
                     "activation", "validation_failed", "already_subscribed"):
            for _ in range(self.rng.choice([0, 0, 1, 2])):
                event = self.add(kind, at=at)
                event["#api"] = True
                if kind == "activation" and self.last:
                    event["transactionId"] = self.last["transactionId"]
                if kind == "validation_failed":
                    event["errorCode"] = self.rng.choice(["21003", "21007", "21002"])
                at += self.rng.choice([0, 1, HOUR, 23 * HOUR, 24 * HOUR])

    def move(self):
        """Lay one of the story's edges at the cut-off, or a millisecond beside it."""
        if self.edges and self.times(0.35):
            shift = self.world.cutoff - self.rng.choice(self.edges) + self.rng.choice([-1, 0, 0, 1])
            for event in self.events:
                event["#at"] += shift
                if "#expires" in event:
                    event["#expires"] += shift
