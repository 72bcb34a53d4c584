"""Where a user's access begins and ends: charges, what is told of their ends, grace, retry, expiry.

One rule for states, retention, `active_subscription` and `mrr`: the latest subscription charge decides. A
charge's *stretch* lasts until the next subscription charge, or the cut-off. `math.inf` is an end that nobody knows.
"""

from dataclasses import dataclass
import math

from facts import CONTINUED
from periods import CATALOG_PERIODS, plus
from values import DAY

DEFAULT_GRACE = "P16D"
STORE_PERIODS = ["P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P1Y"]
LONGEST_RETRY = 60 * DAY


def history_order(event):
    """Time, then the order in which the earliest of copies is chosen, and the currency; of two alike in that, the one that
    tells a later end is the later."""
    return (event.at, event.amount or 0, (event.product or "").encode(), event.type, event.currency or "",
            event.expires or 0,
            (event.transaction or "").encode(), (event.event_id or "").encode())


def concerns(event, sale):
    """What names another product or another chain is another's matter; what names none is that of whatever is in force."""
    return event.product in (None, sale.product) and (None in (event.chain, sale.chain) or event.chain == sale.chain)


@dataclass
class Stretch:
    """One subscription charge with what happened until the next."""

    charge: object
    period_end: float
    access_end: float
    off: bool
    retry: object  # the latest failed renewal that nothing answered


class Family:
    """What happened to one user's subscriptions of one group: its latest charge decides."""

    def __init__(self, name, history):
        self.history, self.tables, self.cutoff = history, history.tables, history.cutoff
        of_it = lambda events: [e for e in events if history.tables.family(e) == name]
        self.renewing = of_it(history.renewing)
        self.trials = [e for e in of_it(history.of_type("trial_start", CONTINUED)) if not is_the_apps_own(e)]
        self.stretches = [self.stretch(place) for place in range(len(self.renewing))]

    def stretch(self, place):
        charge = self.renewing[place]
        end = self.renewing[place + 1].at if place + 1 < len(self.renewing) else self.cutoff
        within = [e for e in self.history.events if charge.at <= e.at < end and concerns(e, charge)]
        off = renewal_is_off(within)
        period_end, is_told = self.period_end(charge, within)
        retries = after_last_extension(within)
        access_end = period_end
        if not off and (retries or not is_told):
            access_end = self.graced(period_end, charge.product)
            if retries and retries[-1].expires is not None:
                access_end = retries[-1].expires
            elif retries and retries[-1].graceless:
                access_end = period_end
        for expiry in [e for e in within if e.type == "expire"][:1]:
            access_end = min(access_end, expiry.at)
        if taken_back(charge):
            access_end = min(access_end, charge.full_at)
        return Stretch(charge, period_end, access_end, off, unanswered([e for e in within if e.at > charge.at or e.type != "billing_retry"]))

    def graced(self, period_end, product):
        return graced(self.tables, period_end, product)

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
        retry = self.latest.retry if self.latest else unanswered(self.of_trials())
        return retry is not None and self.cutoff < retry.at + LONGEST_RETRY

    def of_trials(self):
        """What may be said of trials that no charge has followed; of all there is where nobody ever sold a subscription."""
        if not self.history.renewing:
            return self.history.events
        return [e for e in self.history.events if self.trials and e.at >= self.trials[-1].at and concerns(e, self.trials[-1])]

    def trial_end(self, trial):
        extensions = [e for e in self.history.of_type("extend") if e.at >= trial.at and concerns(e, trial)]
        return extensions[-1].expires if extensions else self.tables.trial_end(trial)

    def in_trial(self):
        """A trial whose end has not come, and neither an expiry nor a subscription charge after it, nor more of its chain."""
        over = self.history.of_type("expire")
        return any(
            self.trial_end(trial) > self.cutoff
            and not any(e.at >= trial.at and concerns(e, trial) for e in over)
            and not any(charge.at >= trial.at for charge in self.renewing)
            and not any(later.chain is not None and later.chain == trial.chain for later in self.trials[place + 1 :])
            for place, trial in enumerate(self.trials)
        )

    def standing(self):
        if self.open_retry() or self.in_grace_alone():
            return "billing_retry"
        if self.has_access():
            return "set_to_expire" if self.is_off() else "subscribed"
        return "in_trial" if self.in_trial() else "nothing"


class History:
    """All of one user's events that count, in order, read with the product tables."""

    def __init__(self, events, tables, cutoff):
        self.told = events
        self.events = sorted((e for e in events if not e.is_retold), key=history_order)
        self.tables, self.cutoff = tables, cutoff
        self.charges = [e for e in self.events if e.is_charge]
        self.renewing = [e for e in self.charges if tables.kind(e) == "auto_renewable"]
        self.name_families()
        sales = [e for e in [*self.renewing, *self.of_type("trial_start", CONTINUED)] if not is_the_apps_own(e)]
        names = {tables.family(e) for e in sales} or {None}
        self.families = [Family(name, self) for name in sorted(names, key=lambda name: name or "")]

    def name_families(self):
        """A subscription of which no group is told is of the one that is told of its chain, else of its product."""
        sales = [*self.renewing, *self.of_type("trial_start"), *self.of_type(CONTINUED)]
        for sale in sales:
            if self.tables.family(sale) is None:
                known = [other for other in sales if self.tables.family(other) is not None]
                of_chain = [other for other in known if sale.chain is not None and other.chain == sale.chain]
                of_product = [other for other in known if other.product == sale.product]
                sale.family = next((self.tables.family(other) for other in of_chain + of_product), None)

    def of_type(self, *types):
        return [e for e in self.events if e.type in types]

    def trial_end(self, trial):
        """What a trial's chain went on to without a charge is what is left of it."""
        trial = ([e for e in self.of_type(CONTINUED) if trial.chain is not None and e.chain == trial.chain] or [trial])[-1]
        is_of_any = len(self.families) < 2 or is_the_apps_own(trial)
        paid = min([e.at for e in self.renewing
                    if e.at >= trial.at and (is_of_any or self.tables.family(e) == self.tables.family(trial))], default=math.inf)
        told = [e for e in self.of_type("extend", "expire") if trial.at <= e.at < paid and concerns(e, trial)]
        extensions = [e.expires for e in told if e.type == "extend"]
        return min([extensions[-1] if extensions else self.tables.trial_end(trial), *(e.at for e in told if e.type == "expire")])

    def in_own_trial(self):
        """In a trial of the app's own, which a charge of any subscription ends."""
        own = [e for e in self.of_type("trial_start") if is_the_apps_own(e)]
        return any(self.trial_end(e) > self.cutoff and not any(charge.at >= e.at for charge in self.renewing) for e in own)

    def one_time_end(self, charge):
        end = self.tables.one_time_end(charge)
        for event in self.events:
            if event.type == "extend" and event.product == charge.product and concerns(event, charge) and event.at >= charge.at and end > -math.inf:
                end = event.expires
        for event in self.events:
            if event.type == "expire" and event.product == charge.product and concerns(event, charge) and event.at >= charge.at:
                end = min(end, event.at)
        return min(end, charge.full_at) if taken_back(charge) else end

    def one_time_access(self):
        return any(self.one_time_end(e) > self.cutoff for e in self.charges if self.tables.kind(e) != "auto_renewable")

    def state(self):
        """The one state the user stands in at the cut-off: the best of the subscription groups', then the first that fits."""
        access, once = any(family.has_access() for family in self.families), self.one_time_access()
        if self.charges and taken_back(self.charges[-1]) and not access and not once:
            return "refunded"
        standings = [family.standing() for family in self.families]
        for state in ("subscribed", "set_to_expire", "billing_retry"):
            if state in standings:
                return state
        if once:
            return "one_time_access"
        if "in_trial" in standings or self.in_own_trial():
            return "in_trial"
        if self.renewing:
            return "expired"
        if self.of_type("trial_start"):
            return "trial_expired"
        return "one_time_expired" if self.charges else "never"

    def course_from(self, start):
        """The stretches that continue the charge `start`: a purchase after the end of access begins anew."""
        course = []
        stretches = [stretch for family in self.families for stretch in family.stretches]
        for stretch in sorted(stretches, key=lambda stretch: history_order(stretch.charge)):
            if history_order(stretch.charge) < history_order(start):
                continue
            if course and stretch.charge.type != "renewal" and stretch.charge.at > self.end_of(course):
                break
            course.append(stretch)
        return course

    def end_of(self, course):
        """Where paid access ends: the latest charge of each subscription group decides, and any of them gives access."""
        return max({self.tables.family(stretch.charge): stretch.access_end for stretch in course}.values())

    def renewals_of(self, course):
        """`(renewals due, ended)`: how many periods and their graces are over that were paid for, or not."""
        end = self.end_of(course)
        family = self.tables.family(course[0].charge)
        course = [stretch for stretch in course if self.tables.family(stretch.charge) == family]
        for count, stretch in enumerate(course):
            following = course[count + 1] if count + 1 < len(course) else None
            due = graced(self.tables, stretch.period_end, stretch.charge.product)
            if due == math.inf:
                due = following.charge.at if following else stretch.access_end
            if due > self.cutoff:
                return count, False
            if not following:
                return (count + 1, True) if end <= self.cutoff else (count, False)


STATES = ["refunded", "billing_retry", "set_to_expire", "subscribed", "one_time_access",
          "in_trial", "expired", "trial_expired", "one_time_expired", "never"]


def is_the_apps_own(sale):
    """A trial that names no product, no chain and no group: it may lead to any subscription."""
    return sale.product is None and sale.chain is None and sale.family is None


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


def graced(tables, period_end, product):
    return period_end if period_end == math.inf else plus(period_end, tables.grace(product))


def taken_back(charge):
    return charge.gross > 0 and charge.refunded == charge.gross


class Periods:
    """Periods, trials and graces of products: the table first, the catalog's type after it."""

    def period(self, product):
        text = self.products.get(product, {}).get("period")
        return text or CATALOG_PERIODS.get(self.types.get(product))

    def grace(self, product):
        return self.products.get(product, {}).get("grace") or DEFAULT_GRACE

    def family(self, sale):
        """The subscription group: the table's, else the log's; without one all subscriptions are one."""
        return self.products.get(sale.product, {}).get("subscription_group") or sale.family

    def own_period(self, charge):
        """The period of this very charge: as it is told, or the one that its told end is within three days of."""
        if charge.period or charge.expires is None:
            return charge.period
        return next((period for period in STORE_PERIODS if abs(plus(charge.at, period) - charge.expires) <= 3 * DAY), None)

    def period_of(self, charge):
        return self.own_period(charge) or self.period(charge.product)

    def period_end(self, charge):
        if charge.expires is not None:
            return charge.expires
        period = self.period_of(charge)
        return plus(charge.at, period) if period else math.inf

    def trial_end(self, trial):
        if trial.expires is not None:
            return trial.expires
        period = self.products.get(trial.product, {}).get("trial")
        period = period or self.trial
        return plus(trial.at, period) if period else math.inf

    def one_time_end(self, charge):
        kind = self.kind(charge)
        if kind == "non_consumable":
            return math.inf
        return self.period_end(charge) if kind == "non_renewing" else -math.inf
