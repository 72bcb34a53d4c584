"""Where a user's access begins and ends: charges, what is told of their ends, grace, retry, expiry.

One rule for states, retention, `active_subscription` and `mrr`: the latest subscription charge decides. A
charge's *stretch* lasts until the next subscription charge, or the cut-off. `math.inf` is an end that nobody knows.
"""

from dataclasses import dataclass
import math

from periods import CATALOG_PERIODS, plus
from values import DAY

DEFAULT_GRACE = "P16D"
LONGEST_RETRY = 60 * DAY


def history_order(event):
    """Time, then the order in which the earliest of copies is chosen, and the currency; of two alike in that, the one that
    tells a later end is the later."""
    return (event.at, event.amount or 0, (event.product or "").encode(), event.type, event.currency or "",
            event.expires or 0,
            (event.transaction or "").encode(), (event.event_id or "").encode())


def concerns(event, product):
    """What names another product is another product's matter; what names none is the one's in force."""
    return event.product is None or event.product == product


@dataclass
class Stretch:
    """One subscription charge with what happened until the next."""

    charge: object
    period_end: float
    access_end: float
    off: bool
    retry: object  # the latest failed renewal that nothing answered


class History:
    """All of one user's events that count, in order, read with the product tables."""

    def __init__(self, events, tables, cutoff):
        self.told = events
        self.events = sorted((e for e in events if not e.is_retold), key=history_order)
        self.tables, self.cutoff = tables, cutoff
        self.charges = [e for e in self.events if e.is_charge]
        self.renewing = [e for e in self.charges if tables.kind(e) == "auto_renewable"]
        self.stretches = [self.stretch(place) for place in range(len(self.renewing))]

    def of_type(self, *types):
        return [e for e in self.events if e.type in types]

    def stretch(self, place):
        charge = self.renewing[place]
        end = self.renewing[place + 1].at if place + 1 < len(self.renewing) else self.cutoff
        within = [e for e in self.events if charge.at <= e.at < end and concerns(e, charge.product)]
        off = renewal_is_off(within)
        period_end, is_told = self.period_end(charge, within)
        retries = after_last_extension(within)
        access_end = period_end
        if not off and (retries or not is_told):
            access_end = self.graced(period_end, charge.product)
            if retries and retries[-1].expires is not None:
                access_end = retries[-1].expires
        for expiry in [e for e in within if e.type == "expire"][:1]:
            access_end = min(access_end, expiry.at)
        if taken_back(charge):
            access_end = min(access_end, charge.full_at)
        return Stretch(charge, period_end, access_end, off, unanswered([e for e in within if e.at > charge.at or e.type != "billing_retry"]))

    def graced(self, period_end, product):
        return period_end if period_end == math.inf else plus(period_end, self.tables.grace(product))

    def period_end(self, charge, within):
        """The end of what was paid for, and whether the log told it."""
        extensions = [e for e in within if e.type == "extend" and e.expires is not None]
        if extensions:
            return extensions[-1].expires, True
        return self.tables.period_end(charge), charge.expires is not None

    @property
    def latest(self):
        return self.stretches[-1] if self.stretches else None

    def has_access(self):
        return self.latest is not None and self.latest.access_end > self.cutoff

    def is_off(self):
        """Auto-renew turned off since the latest subscription charge."""
        return self.latest is not None and self.latest.off

    def in_grace_alone(self):
        return self.has_access() and self.latest.period_end <= self.cutoff

    def open_retry(self):
        """A failed renewal, or a trial's failed first payment, of the last sixty days that nothing answered."""
        retry = self.latest.retry if self.latest else unanswered(self.events)
        return retry is not None and self.cutoff < retry.at + LONGEST_RETRY

    def one_time_end(self, charge):
        end = self.tables.one_time_end(charge)
        for event in self.events:
            if event.type == "extend" and event.product == charge.product and event.at >= charge.at and end > -math.inf:
                end = event.expires
        for event in self.events:
            if event.type == "expire" and event.product == charge.product and event.at >= charge.at:
                end = min(end, event.at)
        return min(end, charge.full_at) if taken_back(charge) else end

    def one_time_access(self):
        return any(self.one_time_end(e) > self.cutoff for e in self.charges if self.tables.kind(e) != "auto_renewable")

    def trial_end(self, trial):
        extensions = [e for e in self.of_type("extend") if e.at >= trial.at and concerns(e, trial.product)]
        return extensions[-1].expires if extensions else self.tables.trial_end(trial)

    def in_trial(self):
        """A trial whose end has not come, and neither an expiry nor a subscription charge after it."""
        over = [e for e in self.of_type("expire")]
        return any(
            self.trial_end(trial) > self.cutoff
            and not any(e.at >= trial.at and concerns(e, trial.product) for e in over)
            and not any(charge.at >= trial.at for charge in self.renewing)
            for trial in self.of_type("trial_start")
        )

    def state(self):
        """The one state the user stands in at the cut-off: the first that fits."""
        access, once = self.has_access(), self.one_time_access()
        if self.charges and taken_back(self.charges[-1]) and not access and not once:
            return "refunded"
        if self.open_retry() or self.in_grace_alone():
            return "billing_retry"
        if access:
            return "set_to_expire" if self.is_off() else "subscribed"
        if once:
            return "one_time_access"
        if self.in_trial():
            return "in_trial"
        if self.renewing:
            return "expired"
        if self.of_type("trial_start"):
            return "trial_expired"
        return "one_time_expired" if self.charges else "never"

    def course_from(self, start):
        """The stretches that continue the charge `start`: a purchase after the end of access begins anew."""
        course = []
        for stretch in self.stretches:
            if history_order(stretch.charge) < history_order(start):
                continue
            if course and stretch.charge.type != "renewal" and stretch.charge.at > course[-1].access_end:
                break
            course.append(stretch)
        return course

    def renewals_of(self, course):
        """`(renewals due, ended)`: how many periods and their graces are over that were paid for, or not."""
        for count, stretch in enumerate(course):
            following = course[count + 1] if count + 1 < len(course) else None
            due = self.graced(stretch.period_end, stretch.charge.product)
            if due == math.inf:
                due = following.charge.at if following else stretch.access_end
            if due > self.cutoff:
                return count, False
            if not following:
                return (count + 1, True) if stretch.access_end <= self.cutoff else (count, False)


STATES = ["refunded", "billing_retry", "set_to_expire", "subscribed", "one_time_access",
          "in_trial", "expired", "trial_expired", "one_time_expired", "never"]


def renewal_is_off(events):
    """The latest of cancels and uncancels decides; at one instant the cancel is the later."""
    turns = [(e.at, e.type == "cancel") for e in events if e.type in ("cancel", "uncancel")]
    return bool(turns) and max(turns)[1]


def after_last_extension(events):
    """Failed renewals since access was last extended."""
    last = max((e.at for e in events if e.type == "extend" and e.expires is not None), default=-math.inf)
    return [e for e in events if e.type == "billing_retry" and e.at >= last]


def unanswered(events):
    """The latest failed renewal, if neither a recovery nor an expiry nor a charge came with or after it."""
    retries = [e for e in events if e.type == "billing_retry"]
    answers = [e for e in events if e.type in ("billing_recovery", "expire")]
    if not retries or any(e.at >= retries[-1].at for e in answers):
        return None
    return retries[-1]


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
