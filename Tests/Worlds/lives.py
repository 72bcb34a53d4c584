"""One user's logical events without sense or order: everything may meet anything."""

from values import DAY

HOUR = 3_600_000


class Life:
    """One user's logical events around the start of a window."""

    def __init__(self, rng, world, user, start, offering, group):
        self.rng, self.world, self.user, self.start = rng, world, user, start
        self.offering, self.group = offering, group
        self.events = []

    def moment(self, earliest=-2):
        """Often exactly on a window's edge, or a millisecond beside it."""
        rng = self.rng
        if rng.random() < 0.3:
            edge = self.start + rng.choice([0, 1, 1.5, 3, 7, 14, 30]) * DAY
            return int(edge + rng.choice([-1, 0, 0, 1]))
        if rng.random() < 0.05:
            return self.world.cutoff + rng.choice([-1, 0, 1])
        at = self.start + int(rng.uniform(earliest, 20) * DAY)
        return at // 1000 * 1000 if rng.random() < 0.5 else at

    def add(self, kind, at=None, **fields):
        rng, event = self.rng, {"userId": self.user, "eventType": kind, "#at": at or self.moment()}
        if rng.random() < 0.7:
            event["eventId"] = self.world.next_id("e")
        if self.offering and rng.random() < 0.6:
            event["offeringId"] = self.offering
            event["testGroupId"] = self.group
            if rng.random() < self.world.mismatch:
                event["testGroupId"] = rng.choice(self.world.groups)
        if rng.random() < 0.5:
            event["environment"] = rng.choice(["Production", "production", "PRODUCTION", None])
        if rng.random() < 0.03 * self.world.dirt:
            event["environment"] = rng.choice(["Sandbox", "Xcode", "LocalTesting", "TestFlight", "sandbox"])
        if rng.random() < 0.3:
            event["ownershipType"] = "PURCHASED"
        if rng.random() < 0.03 * self.world.dirt:
            event["ownershipType"] = "FAMILY_SHARED"
        event.update(fields)
        self.events.append(event)
        return event

    def times(self, chance):
        return self.rng.random() < chance

    def charge(self):
        rng, world = self.rng, self.world
        product = rng.choice(world.products)
        kind = "one_time_purchase" if product["kind"] != "auto_renewable" else rng.choice(["purchase", "renewal"])
        if rng.random() < 0.05:
            kind = rng.choice(["purchase", "one_time_purchase"])
        price = product["price"] if rng.random() < 0.8 else rng.choice(["0", "0.00", "007.50", "3", "1.5"])
        event = self.add(kind, productId=product["id"], price=price, currency=world.currency(rng))
        if rng.random() < 0.3:
            event["#bare"] = True
        if rng.random() < 0.85:
            event["transactionId"] = world.next_id("t")
            if rng.random() < 0.03 and not world.stores:
                event["transactionId"] = f"t{rng.randrange(1, 30)}u"  # another user's may be the same
            if float(price) > 0.01 and rng.random() < 0.35:
                self.refund(event)
        else:
            event["eventId"] = world.next_id("e") if rng.random() < 0.7 else None
        if rng.random() < 0.3:
            event["originalTransactionId"] = event.get("transactionId")

    def refund(self, charge):
        """In full, in part, reversed, at one instant, before its charge, of nothing."""
        rng, steps = self.rng, self.rng.choice([1, 1, 1, 2, 3, 4])
        charge["#refunded"] = True
        at = charge["#at"] + rng.choice([-HOUR, 0, 1, DAY, 5 * DAY])
        for _ in range(steps):
            kind = rng.choice(["refund", "refund", "refund", "refund_reversal"])
            event = self.add(kind, at=at, transactionId=charge["transactionId"], **{"#charge": charge})
            if steps > 1:
                event["eventId"] = self.world.next_id("r")
            if kind == "refund" and rng.random() < 0.6:
                event["price"] = rng.choice(["0.5", "1", "0.333333", charge["price"]])
                if not self.world.stores and rng.random() < 0.5:
                    event["currency"] = self.world.currency(rng)
            if rng.random() < 0.05:
                event["transactionId"] = "unknown-charge"
                event.pop("#charge")
            at += rng.choice([0, 0, HOUR, DAY])

    def live(self):
        rng, world = self.rng, self.world
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            self.add("paywall_view")
        if rng.random() < 0.25:
            event = self.add("trial_start", productId=rng.choice(world.products)["id"])
            if world.stores:  # who tells the same trial knows it by its transaction
                event["transactionId"] = world.next_id("t")
            if rng.random() < 0.3:
                event |= {"price": "0.00", "currency": "USD"}
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            if not world.large or rng.random() < world.appeal.get(self.group, 1):
                self.charge()
        for kind in ("plan_view", "purchase_tap", "cancel", "scan \u00e9", "expire", "uncancel", "extend", "billing_retry"):
            if rng.random() < 0.25:
                for _ in range(rng.choice([1, 1, 3])):
                    event = self.add(kind)
                    if kind == "extend" or kind == "billing_retry" and rng.random() < 0.5:
                        event["#expires"] = event["#at"] + rng.choice([0, HOUR, 9 * DAY])
                    if kind not in ("plan_view", "purchase_tap") and (world.stores or rng.random() < 0.5):  # stores always say of what
                        event["productId"] = rng.choice(world.products)["id"]
        return self.events
