"""Per-user quantities of the first metrics, their windows, caps and exact sums."""

from dataclasses import dataclass
from fractions import Fraction
import math

from facts import kind_of
from values import MICROS, round_half_even, span_millis

MONEY = {"revenue_gross", "revenue_net", "proceeds"}
PER_PAYER = {f"{name}_per_payer": name for name in MONEY}
PROPORTIONS = {
    "exposure", "initial_conversion", "paying_conversion", "subscription_conversion",
    "one_time_conversion", "trial_start_rate", "event_rate",
}
INITIAL = {"trial_start", "purchase", "one_time_purchase"}


@dataclass
class Tables:
    """The side tables a quantity may look into."""

    products: dict
    types: dict

    def kind(self, event):
        return kind_of(event, self.products, self.types)

    def percent(self, event, column, default):
        text = self.products.get(event.product, {}).get(column)
        return Fraction(text if text else default)

    def proceeds(self, event):
        tax = self.percent(event, "tax_percent", 0) / 100
        commission = self.percent(event, "commission_percent", 30) / 100
        return round_half_even(event.net * (1 - tax) * (1 - commission))

    def money(self, name, event):
        if name == "revenue_gross":
            return event.gross
        return event.net if name == "revenue_net" else self.proceeds(event)


def metric_id(metric):
    return metric.get("id") or f"{metric['name']}_{metric['window']}"


def kind_of_metric(name):
    if name in PROPORTIONS:
        return "proportion"
    return "ratio" if name in PER_PAYER or name in ("refund_rate", "count_ratio") else "mean"


def scale_of(name):
    return MICROS if name in MONEY or name in PER_PAYER else 1


def matches(where, event, tables):
    """Every key of `where` must hold; an event without a product holds none."""
    if not where:
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
    events = [e for e in events if matches(metric.get("where"), e, tables)]
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
    ordered = sorted(value for value in values if value > 0)
    if not ordered:
        return None
    rank = math.ceil(Fraction(str(percent)) / 100 * len(ordered))
    return ordered[max(rank, 1) - 1]


def cap_level(metric, values):
    cap = metric.get("cap")
    if not cap:
        return None
    if "value" in cap:
        return int(Fraction(str(cap["value"])) * scale_of(metric["name"]))
    return percentile_level(cap["percentile"], values)


def user_values(metric, offering, attributed, tables, cutoff):
    """`[(member, y, x)]` for the mature members of an offering, caps applied; and who is immature."""
    span, found, immature = span_millis(metric["window"]), [], []
    for member in attributed.members:
        if member.offering != offering:
            continue
        end = cutoff if span is None else min(member.at + span, cutoff)
        if span is not None and member.at + span > cutoff and metric.get("immature") != "include":
            immature.append(member)
            continue
        inside = [e for e in attributed.events.get(member.user, ()) if member.at <= e.at < end]
        found.append((member, *quantity(metric, inside, tables)))
    level = cap_level(metric, [y for _, y, _ in found])
    if level is not None:
        found = [(member, min(y, level), x) for member, y, x in found]
    return found, immature


def sums(pairs):
    """n and the exact sums of one cell."""
    row = {"n": len(pairs), "sum_y": 0, "sum_yy": 0, "sum_x": 0, "sum_xx": 0, "sum_xy": 0}
    for y, x in pairs:
        row["sum_y"] += y
        row["sum_yy"] += y * y
        row["sum_x"] += x
        row["sum_xx"] += x * x
        row["sum_xy"] += x * y
    return row


LARGEST_SEGMENTS = 20


def segment_names(attributes, members):
    """`attribute → {value → segment}`: the twenty largest by users, the rest `(other)`."""
    names = {}
    for attribute in attributes:
        sizes = {}
        for member in members:
            value = member.attributes.get(attribute)
            if value is not None:
                sizes[value] = sizes.get(value, 0) + 1
        order = sorted(sizes, key=lambda value: (-sizes[value], value.encode()))
        names[attribute] = {
            value: f"{attribute}={value if place < LARGEST_SEGMENTS else '(other)'}"
            for place, value in enumerate(order)
        }
    return names
