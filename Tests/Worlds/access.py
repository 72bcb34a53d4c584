"""Where a user's access begins and ends: charges, what is told of their ends, grace, retry, expiry.

A charge's *stretch* lasts until the next auto-renewable charge, or the cut-off. `math.inf` is an end
that never comes by itself.
"""

from dataclasses import dataclass
import math

from periods import CATALOG_PERIODS, parts_of, plus

DEFAULT_GRACE = "P16D"


def history_order(event):
    """Time, then the order in which the earliest of copies is chosen."""
    return (event.at, event.amount or 0, (event.product or "").encode(), event.type,
            (event.transaction or "").encode(), (event.event_id or "").encode())


@dataclass
class Stretch:
    """One auto-renewable charge with what happened until the next."""

    charge: object
    end: float
    period_end: float
    access_end: float
    off: bool


class History:
    """All of one user's events that count, in order, read with the product tables."""

    def __init__(self, events, tables, cutoff):
        self.events = sorted(events, key=history_order)
        self.tables, self.cutoff = tables, cutoff
        self.charges = [e for e in self.events if e.is_charge]
        self.renewing = [e for e in self.charges if tables.kind(e) == "auto_renewable"]
        self.stretches = [self.stretch(place) for place in range(len(self.renewing))]

    def of_type(self, *types):
        return [e for e in self.events if e.type in types]

    def stretch(self, place):
        charge = self.renewing[place]
        last = place + 1 == len(self.renewing)
        end = self.cutoff if last else self.renewing[place + 1].at
        within = [e for e in self.events if charge.at <= e.at < end]
        off = renewal_is_off(within)
        period_end = self.tables.period_end(charge)
        access_end = self.natural_end(charge, period_end, off, within)
        if not last:
            # Grace waits for the next charge, and no longer.
            access_end = min(access_end, max(period_end, end))
        for expiry in [e for e in within if e.type == "expire"][:1]:
            access_end = min(access_end, expiry.at)
        if taken_back(charge):
            access_end = min(access_end, charge.full_at)
        return Stretch(charge, end, period_end, access_end, off)

    def natural_end(self, charge, period_end, off, within):
        if off or period_end == math.inf:
            return period_end
        graced = plus(period_end, self.tables.grace(charge.product))
        if charge.expires is None:
            return graced
        retries = [e for e in within if e.type == "billing_retry"]
        if not retries:
            return period_end
        latest = retries[-1]
        return latest.expires if latest.expires is not None else graced

    def has_access(self):
        return any(stretch.access_end > self.cutoff for stretch in self.stretches)

    def is_off(self):
        """Auto-renew turned off, as the last subscription charge left it."""
        return bool(self.stretches) and self.stretches[-1].off

    def in_grace_alone(self):
        """Charges give access, and the period of each of them is over."""
        giving = [s for s in self.stretches if s.access_end > self.cutoff]
        return bool(giving) and all(s.period_end <= self.cutoff for s in giving)

    def open_retry(self):
        retries = self.of_type("billing_retry")
        if not retries:
            return False
        answers = self.of_type("billing_recovery", "expire") + self.renewing
        return not any(e.at >= retries[-1].at for e in answers)

    def one_time_access(self):
        return any(self.tables.one_time_end(e) > self.cutoff for e in self.charges if not taken_back(e))

    def in_trial(self):
        expiries = self.of_type("expire")
        return any(
            self.tables.trial_end(trial) > self.cutoff and not any(e.at >= trial.at for e in expiries)
            for trial in self.of_type("trial_start")
        )

    def state(self):
        """The one state the user stands in at the cut-off: the first that fits."""
        access = self.has_access()
        if self.charges and taken_back(self.charges[-1]):
            return "refunded"
        if self.open_retry() or self.in_grace_alone():
            return "billing_retry"
        if access:
            return "set_to_expire" if self.is_off() else "subscribed"
        if self.one_time_access():
            return "one_time_access"
        if self.in_trial():
            return "in_trial"
        if self.renewing:
            return "expired"
        if self.of_type("trial_start"):
            return "trial_expired"
        return "one_time_expired" if self.charges else "never"

    def ended_from(self, start):
        """When the paid access that begins with the charge `start` ends, or inf."""
        walk = [s for s in self.stretches if history_order(s.charge) >= history_order(start)]
        for stretch, following in zip(walk, walk[1:]):
            if following.charge.at > stretch.access_end:
                return stretch.access_end
        return walk[-1].access_end


STATES = ["refunded", "billing_retry", "set_to_expire", "subscribed", "one_time_access",
          "in_trial", "expired", "trial_expired", "one_time_expired", "never"]


def renewal_is_off(events):
    """The latest of cancels and uncancels decides; at one instant the cancel is the later."""
    turns = [(e.at, e.type == "cancel") for e in events if e.type in ("cancel", "uncancel")]
    return bool(turns) and max(turns)[1]


def taken_back(charge):
    return charge.gross > 0 and charge.refunded == charge.gross


class Periods:
    """Periods, trials and graces of products: the table first, the catalog's type after it."""

    def period(self, product):
        text = self.products.get(product, {}).get("period")
        return text or CATALOG_PERIODS.get(self.types.get(product))

    def grace(self, product):
        return self.products.get(product, {}).get("grace") or DEFAULT_GRACE

    def period_end(self, charge):
        if charge.expires is not None:
            return charge.expires
        period = self.period(charge.product)
        return plus(charge.at, period) if period else math.inf

    def trial_end(self, trial):
        if trial.expires is not None:
            return trial.expires
        period = self.products.get(trial.product, {}).get("trial")
        return plus(trial.at, period) if period else math.inf

    def one_time_end(self, charge):
        kind = self.kind(charge)
        if kind == "non_consumable":
            return math.inf
        return self.period_end(charge) if kind == "non_renewing" else -math.inf

    def is_known_period(self, product):
        period = self.period(product)
        return bool(period) and parts_of(period)[0] > 0
