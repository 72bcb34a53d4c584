"""Twins: what is decided in the place of a ratio or a retention.

How many users such a metric is taken of is moved by the test itself, so it is only described. Where it would speak,
the same numerator over all users speaks for it.
"""

from dataclasses import replace
from fractions import Fraction

from lifecycle import RATIOS
from metrics import RATIO_NAMES, kind_of_metric, metric_id
from model import safe_cell

OF_RATIOS_ALONE = ("sum_x", "sum_xx", "sum_xy", "sum_xc")


def is_never_decided(metric):
    """A cost among those who did something, and a quantile of those who paid: whom it is of the test moves, and nothing over
    all users stands for it."""
    if metric.get("guardrail"):
        return False
    of_some = metric["name"] in RATIO_NAMES or metric["name"] == "retention"
    cost = metric["name"] in ("refund_rate", "involuntary_churn") or of_some and metric.get("goal") == "decrease"
    return cost or metric["name"] == "quantile" and not metric.get("zeros")


def speaking(metrics):
    """What makes the verdict: the primary metrics that may decide, else the first that may and is no guardrail, else the first."""
    primary = [metric for metric in metrics if metric.get("primary") and not is_never_decided(metric)]
    rest = [metric for metric in metrics if not metric.get("guardrail")]
    return primary or [metric for metric in rest if not is_never_decided(metric)][:1] or rest[:1] or metrics[:1]


def kind_of_twin(name):
    """A user followed something or did not; money and counts are means."""
    return "survival" if name == "retention" else "proportion" if name in RATIOS else "mean"


def published(metrics):
    """The job's metrics as the tables have them, each with its kind and what its rows may say of being described;
    twins know whose they are."""
    spoken, found = speaking(metrics), []
    for metric in metrics:
        is_moved = metric["name"] in RATIO_NAMES and not metric.get("guardrail")
        has_twin = metric in spoken and not metric.get("guardrail") and (is_moved or metric["name"] == "retention")
        plain = not (metric.get("primary") or metric.get("guardrail") or "goal" in metric or metric in spoken)
        descriptive = {is_moved or has_twin or plain or is_never_decided(metric)}
        if metric["name"] == "retention" and "goal" in metric and not has_twin and not metric.get("guardrail"):
            descriptive = {True, False}  # nobody says whether a goal is enough where it does not speak
        one = metric | {"kind": kind_of_metric(metric["name"]), "descriptive": descriptive}
        if has_twin:
            own = metric_id(metric)
            twin = {"id": f"{own}_per_user", "twin_of": own, "kind": kind_of_twin(metric["name"]), "descriptive": {False}}
            found.append(metric | twin)
        if has_twin or is_never_decided(metric):
            one["primary"] = False
        found.append(one)
    return found


def with_twins(metrics, outcome):
    """The outcome with the twins' rows among the others: a ratio's sums without what it is divided by, and of a
    survival curve `(users, begun, users, begun / users · S)`."""
    names = {safe_cell(twin["twin_of"]): twin for twin in metrics if "twin_of" in twin}
    rows = {}
    for table in ("statistics", "immature", "survival"):
        rows[table] = dict(getattr(outcome, table))
        for key, row in getattr(outcome, table).items():
            if twin := names.get(key[3]):
                rows[table][(*key[:3], safe_cell(metric_id(twin)))] = twin_row(table, row, twin)
    return replace(outcome, **rows)


def twin_row(table, row, twin):
    if table == "statistics":
        return row | dict.fromkeys(OF_RATIOS_ALONE, 0) | {"kind": twin["kind"]}
    if table == "immature":
        return row
    users, _, begun, stayed = row
    return users, begun, users, None if stayed is None else stayed * Fraction(begun, users)
