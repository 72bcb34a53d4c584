"""Per-user quantities of the first metrics, their windows, caps and exact sums."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
import math

from access import History, Periods
from facts import REFUNDS, kind_of
from feeds import settle
from lifecycle import AT_CUTOFF, LIFECYCLE, RATIOS, lifecycle_quantity, standing, survival_time
from periods import CATALOG_PERIODS
from values import MICROS, round_half_even, span_millis

MONEY = {"revenue_gross", "revenue_net", "proceeds"}
PER_PAYER = {f"{name}_per_payer": name for name in MONEY}
PROPORTIONS = {
    "exposure", "initial_conversion", "paying_conversion", "subscription_conversion",
    "one_time_conversion", "trial_start_rate", "event_rate", "active_subscription", "set_to_renew",
}
RATIO_NAMES = RATIOS | set(PER_PAYER) | {"refund_rate", "count_ratio"}
INITIAL = {"trial_start", "purchase", "one_time_purchase"}


@dataclass
class Tables(Periods):
    """The side tables a quantity may look into."""

    products: dict
    types: dict
    defaults: dict = field(default_factory=dict)
    trial: str | None = None  # the job's, where neither log nor table tells

    def kind(self, event):
        return kind_of(event, self.products, self.types)

    def is_unknown(self, product):
        """Whether only events tell of what kind it is."""
        return not self.products.get(product, {}).get("kind") and self.types.get(product) not in CATALOG_PERIODS

    def percent(self, event, column, default):
        text = self.products.get(event.product, {}).get(column)
        return Fraction(text if text else default)

    def credits(self, event):
        return int(self.products.get(event.product, {}).get("credits") or 0)

    def tax(self, event):
        return self.percent(event, "tax_percent", 0) / 100 if event.tax is None else event.tax

    def proceeds(self, event):
        if event.tax is not None and event.commission is not None:  # as the vendor defines them, both are shares of the price
            return round_half_even(event.net * (1 - event.tax - event.commission))
        commission = self.percent(event, "commission_percent", 0 if event.is_of_web else 30) / 100 if event.commission is None else event.commission
        return round_half_even(event.net * (1 - self.tax(event)) * (1 - commission))

    def money(self, name, event):
        if name == "revenue_gross":
            return event.gross
        return event.net if name == "revenue_net" else self.proceeds(event)


def metric_id(metric):
    if metric.get("id"):
        return metric["id"]
    return f"{metric['name']}_{metric['window']}" if "window" in metric else metric["name"]


def kind_of_metric(name):
    if name in PROPORTIONS:
        return "proportion"
    if name in ("quantile", "retention"):
        return {"quantile": "quantile", "retention": "survival"}[name]
    return "ratio" if name in RATIO_NAMES else "mean"


def scale_of(name):
    return MICROS if name in MONEY or name in PER_PAYER or name in ("mrr", "committed") else 1


def matches(where, event, tables):
    """Every key of `where` must hold of an event that names a product; the others stay."""
    if not where or event.product is None:
        return True
    if "products" in where and event.product not in where["products"]:
        return False
    if "kinds" in where and tables.kind(event) not in where["kinds"]:
        return False
    if "tiers" in where:
        tier = tables.products.get(event.product, {}).get("tier")
        return tier is not None and tier in [str(wanted) for wanted in where["tiers"]]
    return True


def quantity(metric, events, tables):
    """`(y, x)` of one user from the events inside the window; x only for ratios."""
    name = metric["name"]
    charges = [e for e in events if e.is_charge]
    paid = [e for e in charges if e.gross > 0]
    count = lambda kind: sum(e.type == kind for e in events)
    if name == "exposure":
        return int(count("paywall_view") > 0), 0
    if name == "initial_conversion":
        return int(any(e.type in INITIAL for e in events)), 0
    if name == "paying_conversion":
        if metric.get("kept"):
            paid = [e for e in paid if e.net > 0]
        return int(bool(paid)), 0
    if name == "subscription_conversion":
        return int(any(tables.kind(e) == "auto_renewable" for e in paid)), 0
    if name == "one_time_conversion":
        return int(any(tables.kind(e) != "auto_renewable" for e in paid)), 0
    if name == "trial_start_rate":
        return int(count("trial_start") > 0), 0
    if name in MONEY:
        return sum(tables.money(name, e) for e in charges), 0
    if name == "charges":
        return len(charges), 0
    if name in PER_PAYER:
        return sum(tables.money(PER_PAYER[name], e) for e in charges), int(bool(paid))
    if name == "refund_rate":
        return sum(e.refunded > 0 for e in charges), len(charges)
    if name == "event_rate":
        return int(count(metric["event"]) > 0), 0
    if name == "event_count":
        return count(metric["event"]), 0
    if name == "count_ratio":
        return count(metric["numerator"]), count(metric["denominator"])
    raise ValueError(f"metric {name} is not in this model")


def percentile_level(percent, values):
    """Nearest rank among the values above zero; None when there are none."""
    return nearest_rank(Fraction(str(percent)) / 100, [value for value in values if value > 0])


def cap_level(metric, values):
    cap = metric.get("cap")
    if not cap:
        return None
    if "value" in cap:
        return int(Fraction(str(cap["value"])) * scale_of(metric["name"]))
    return percentile_level(cap["percentile"], values)


def window_of(metric, member, cutoff):
    """`[start, end)`, or None while it is not over."""
    span = span_millis(metric.get("window", "none"))
    if span is not None and member.at + span > cutoff and metric.get("immature") != "include":
        return None
    return member.at, cutoff if span is None else min(member.at + span, cutoff)


def value_between(metric, member, start, end, history):
    """`(y, x)` of one member from the events in `[start, end)`."""
    tables = history.tables
    fits = lambda event: matches(metric.get("where"), event, tables)
    if metric["name"] in AT_CUTOFF:
        return standing(metric, history, fits), 0
    inside = [e for e in history.events if start <= e.at < end and fits(e)]
    if metric["name"] in LIFECYCLE:
        defaults = tables.defaults.get((member.offering, member.group), ())
        return lifecycle_quantity(metric, inside, history, fits, defaults)
    return quantity(metric, inside, tables)


@dataclass
class Value:
    """One member's quantity, a ratio's denominator, and what it was before the assignment."""

    member: object
    y: int
    x: int = 0
    c: int = 0


def user_values(metric, offering, histories, members, cutoff):
    """The mature members' values in an offering, caps applied; and who is immature."""
    found, immature = [], []
    for member in members:
        window = window_of(metric, member, cutoff)
        if window is None:
            immature.append(member)
            continue
        history = histories[member.user]
        value = Value(member, *value_between(metric, member, *window, history))
        if "covariate" in metric:
            before = member.at - span_millis(metric["covariate"]["lookback"])
            value.c = value_between(metric, member, before, member.at, as_known_at(member.at, history))[0]
        found.append(value)
    level = cap_level(metric, [value.y for value in found])
    if level is not None:
        for value in found:
            value.y, value.c = min(value.y, level), min(value.c, level)
    return found, immature


def as_known_at(moment, history):
    """The history as it would have been read then: what was taken back later had not been taken back."""
    events = [replace(e) for e in history.told if e.at < moment]
    settle([e for e in events if e.is_charge], [e for e in events if e.type in REFUNDS])
    return History(events, history.tables, moment)


def histories_of(attributed, tables, cutoff):
    users = {member.user for member in attributed.members}
    return {user: History(attributed.events.get(user, ()), tables, cutoff) for user in users}


def survival_of(metric, member, history):
    """`(days, ended)` of a member who paid for a subscription since the start, or None."""
    fits = lambda event: matches(metric.get("where"), event, history.tables)
    return survival_time(history, member.at, fits)


def underlying(metric):
    """The mean a quantile is taken of, with the quantile's own window and options; other metrics are their own."""
    return metric | {"name": metric["of"]} if metric["name"] == "quantile" else metric


def nearest_rank(q, values):
    """The smallest value that a share `q` of all reaches at most."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(math.ceil((q if isinstance(q, Fraction) else Fraction(str(q))) * len(ordered)), 1) - 1]


def sums(values):
    """n and the exact sums of one cell."""
    pairs = {"sum_y": "y", "sum_yy": "yy", "sum_x": "x", "sum_xx": "xx", "sum_xy": "xy",
             "sum_c": "c", "sum_cc": "cc", "sum_yc": "yc", "sum_xc": "xc"}
    row = {"n": len(values)}
    for name, letters in pairs.items():
        row[name] = sum(math.prod(getattr(value, letter) for letter in letters) for value in values)
    return row


LARGEST_SEGMENTS = 20


def shown(value):
    return "(none)" if value is None else value


def segment_names(attributes, members):
    """`attribute → {value → segment}`: the twenty largest by users, the rest `(other)`."""
    names = {}
    for attribute in attributes:
        sizes = {}
        for member in members:
            value = member.attributes.get(attribute)
            sizes[value] = sizes.get(value, 0) + 1
        order = sorted(sizes, key=lambda value: (-sizes[value], shown(value).encode()))
        names[attribute] = {
            value: f"{attribute}={shown(value) if place < LARGEST_SEGMENTS else '(other)'}"
            for place, value in enumerate(order)
        }
    return names
