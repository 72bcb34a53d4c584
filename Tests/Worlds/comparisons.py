"""group_metrics.csv and comparisons.csv recomputed from the model's integers, to a relative 1e-9."""

from collections import defaultdict
from datetime import datetime
from fractions import Fraction
import json
import math
import os
import sys

from checks_table import check_differences
from estimates import (
    adjusted, cell_of, compare, decided_interval, events_needed, group_interval, shown_if_even, smallest_expected)
from metrics import metric_id, span_millis
from model import safe_cell
from product import table
from twins import published, with_twins
from values import DAY

ESTIMATES = [
    "baseline_value", "value", "abs_diff", "abs_ci_low", "abs_ci_high", "rel_lift", "rel_ci_low",
    "rel_ci_high", "p_value", "p_value_adjusted", "seq_p_value", "seq_abs_ci_low", "seq_abs_ci_high",
    "seq_rel_ci_low", "seq_rel_ci_high", "chance_to_win", "expected_loss", "exact_p_value",
]


def settings_of(job):
    return {
        "confidence": job.get("confidence", 0.95),
        "tuning": job.get("tuning", 5000),
        "lift_interval": job.get("lift_interval", "fieller"),
        "prior": job.get("prior"),
        "decide_by": job.get("decide_by", "sequential"),
        "adjust": job.get("adjust", "holm"),
    }


def is_plain(metric):
    """Whether its comparisons are recomputed here: quantiles, survival and covariates are the oracles' work."""
    return metric["name"] not in ("quantile", "retention") and "covariate" not in metric


def close(text, number, size=1.0):
    """Equal to a relative 1e-9, or beside zero to 1e-12 of the numbers it came from; below the smallest number that
    has all its digits nothing is compared."""
    if number is None or text == "":
        return number is None and text == ""
    got = float(text)
    return math.isclose(got, number, rel_tol=1e-9, abs_tol=max(1e-12 * size, sys.float_info.min))


def baseline_of(job, groups, offering):
    wanted = job.get("baseline")
    if isinstance(wanted, dict):
        wanted = wanted.get(offering)
    if wanted in groups:
        return wanted
    return "control" if wanted is None and len(groups) > 1 else min(groups, key=str.encode)


def by_cell(metrics):
    """The tables' metrics by what their column `metric` says."""
    return {safe_cell(metric_id(metric)): metric for metric in metrics}


def group_differences(folder, job, outcome, metrics):
    """group_metrics.csv: value, error and interval of every group."""
    alpha, seen = 1 - settings_of(job)["confidence"], set()
    for row in table(folder, "group_metrics.csv"):
        key = tuple(row[k] for k in ("offering_id", "test_group_id", "segment", "metric"))
        stats = outcome.statistics.get(key)
        seen.add(key)
        metric = metrics.get(row["metric"])
        if metric is None or row["kind"] != metric["kind"]:
            yield f"group_metrics {key}: kind = {row['kind']}, model {metric and metric['kind']}"
            continue
        if stats is None:
            yield from rank_differences(key, row, outcome)
            continue
        cell = cell_of(stats)
        span = span_millis(metric.get("window", "none"))
        exact = {
            "users": stats["n"],
            "numerator": Fraction(stats["sum_y"], stats["scale"]),
            "denominator": stats["sum_x"] if stats["kind"] == "ratio" else stats["n"],
            "window_days": None if span is None else Fraction(span, DAY),
        }
        if metric.get("immature") != "include":
            exact["immature"] = outcome.immature.get(key, 0)
        for name, number in exact.items():
            if (Fraction(row[name]) if row[name] else None) != number:
                yield f"group_metrics {key}: {name} = {row[name]!r}, model {number}"
        if stats["scale"] != 1 and len(row["numerator"].partition(".")[2]) != 6:
            yield f"group_metrics {key}: numerator {row['numerator']!r} has not six decimals"
        low, high = group_interval(cell, alpha)
        size = abs(float(cell.m)) if cell.m is not None and cell.kind != "proportion" else 1.0
        error = None if cell.v is None else math.sqrt(cell.v)
        for name, number in (("value", cell.m), ("std_error", error), ("ci_low", low), ("ci_high", high)):
            if not close(row[name], None if number is None else float(number), max(size, error or 0)):
                yield f"group_metrics {key}: {name} = {row[name]!r}, model {number and float(number)}"
    counts = {key: row["n"] for key, row in outcome.statistics.items()}
    counts |= {key: users for key, (users, *_) in (outcome.quantiles | outcome.survival).items()}
    for key in set(counts) - seen:
        if counts[key]:
            yield f"group_metrics has no row {key}"


def rank_differences(key, row, outcome):
    """A quantile's or a survival curve's users and value: of those who began so many ended; of a twin, of all users so
    many began."""
    if key in outcome.survival:
        users, above, below, value = outcome.survival[key]
        if (row["numerator"], row["denominator"]) != (str(above), str(below)):
            yield f"group_metrics {key}: {row['numerator']} of {row['denominator']}, model {above} of {below}"
    else:
        users, value = outcome.quantiles.get(key, (0, None))
    if row["users"] != str(users):
        yield f"group_metrics {key}: users = {row['users']}, model {users}"
    if users and not close(row["value"], None if value is None else float(value)):
        yield f"group_metrics {key}: value = {row['value']!r}, model {value and float(value)}"


def expected_rows(settings, outcome, metrics, rows):
    """Every comparison's estimates by key, adjusted in its family."""
    nobody = {"n": 0, "sum_y": 0, "sum_yy": 0, "sum_x": 0, "sum_xx": 0, "sum_xy": 0, "scale": 1}
    found, families = {}, defaultdict(list)
    for row in rows:
        offering, segment, name = row["offering_id"], row["segment"], row["metric"]
        cells, metric = [], metrics[name]
        for group in (row["baseline_group_id"], row["test_group_id"]):
            stats = outcome.statistics.get((offering, group, segment, name), nobody | {"kind": metric["kind"]})
            cells.append(cell_of(stats) if is_plain(metric) else None)
        values = compare(*cells, settings, metric.get("goal", "increase")) if is_plain(metric) else said_ps(row)
        key = (offering, row["test_group_id"], segment, name)
        found[key] = (values, cells)
        deciding = values.get("p_value" if settings["decide_by"] == "fixed" else "seq_p_value")
        if deciding is not None:
            family = "segments" if segment != "all" else "primary" if metric.get("primary") else "rest"
            families[offering, family].append((key, deciding))
    for (_, family), members in families.items():
        method = settings["adjust"] if family == "primary" else "bh"
        for (key, _), p in zip(members, adjusted([p for _, p in members], method)):
            found[key][0]["p_value_adjusted"] = p
    return found


def said_ps(row):
    """The p-values a row says itself: enough to see that its family was adjusted right."""
    return {name: float(row[name]) for name in ("p_value", "seq_p_value") if row[name]}


def share_of_alpha(values, settings):
    """The part of alpha that its family leaves a row's test."""
    p, wide = values.get("p_value" if settings["decide_by"] == "fixed" else "seq_p_value"), values.get("p_value_adjusted")
    return p / wide if p is not None and wide else 1


def decision_of(row, values, cells, metric, failed, settings):
    """The verdicts that are right for this row; more than one where the spec is silent."""
    if failed:
        return {"do_not_trust"}
    alpha = 1 - settings["confidence"]
    needed = events_needed(share_of_alpha(values, settings), alpha)
    few = min(cell.n for cell in cells) < 100
    if few or (cells[0].kind == "proportion" and smallest_expected(*cells) < 5):
        return {"too_early"}
    called = (values.get("p_value_adjusted") or 0) < alpha
    if any(cell.few_effective() or called and cell.few_effective(needed) for cell in cells):
        return {"too_early"}
    if cells[0].kind == "ratio" and min(cell.x for cell in cells) < 100:
        return {"too_early"}
    if called and not shown_if_even(*cells, values, settings):
        return {"too_early"}
    p = values.get("p_value_adjusted")
    if p is None:
        return {"inconclusive", "too_early"}
    if p >= alpha:
        return {"inconclusive"}
    grew = values["abs_diff"] > 0
    if metric["descriptive"] == {True}:
        return {"higher" if grew else "lower"}
    return {"better" if grew == (metric.get("goal", "increase") == "increase") else "worse"}


def role_differences(key, row, metric):
    """What a row says of its metric's part in the verdict."""
    true_or_false = lambda name: {str(bool(metric.get(name))).lower()}
    wanted = {"kind": {metric["kind"]}, "goal": {metric.get("goal", "increase")}, "primary": true_or_false("primary"),
              "guardrail": true_or_false("guardrail"), "descriptive": {str(is_so).lower() for is_so in metric["descriptive"]}}
    for name, words in wanted.items():
        if row[name] not in words:
            yield f"comparisons {key}: {name} = {row[name]}, model {' or '.join(sorted(words))}"


def whole_days(folder):
    """Since each offering's first assignment, by the cut-off."""
    with open(os.path.join(folder, "verdict.json"), encoding="utf-8") as file:
        night = json.load(file)
    at = datetime.fromisoformat(night["as_of"])
    return {offering["offering_id"]: (at - datetime.fromisoformat(offering["measured_from"])).days
            for offering in night["offerings"] if offering["measured_from"]}


def directions(descriptive, goal, difference):
    """The words for a difference that is shown."""
    grew = float(difference) > 0
    return {"higher" if grew else "lower"} if descriptive == "true" else {"better" if grew == (goal == "increase") else "worse"}


def standing(folder, row, alpha):
    """The decision that stands since an earlier day, where that day's row shows it; None where nothing does."""
    for day in table(folder, "daily.csv"):
        if day["day"] == row["shown_on"] and all(day[k] == row[k] for k in ("offering_id", "test_group_id", "metric")):
            if day["p_value_adjusted"] and float(day["p_value_adjusted"]) < alpha:
                return directions(row["descriptive"], row["goal"], day["abs_diff"])
    return None


def comparison_differences(folder, job, outcome, metrics):
    days = whole_days(folder)
    rows, settings = table(folder, "comparisons.csv"), settings_of(job)
    for name in sorted({row["metric"] for row in rows} - set(metrics)):
        yield f"comparisons: {name} is no metric of the model"
    rows = [row for row in rows if row["metric"] in metrics]
    expected = expected_rows(settings, outcome, metrics, rows)
    failed = {r["offering_id"] for r in table(folder, "checks.csv") if r["status"] == "fail"}
    for row in rows:
        key = tuple(row[k] for k in ("offering_id", "test_group_id", "segment", "metric"))
        values, cells = expected[key]
        yield from role_differences(key, row, metrics[row["metric"]])
        if not is_plain(metrics[row["metric"]]):
            if not close(row["p_value_adjusted"], values.get("p_value_adjusted"), 1e-300):
                yield f"comparisons {key}: p_value_adjusted = {row['p_value_adjusted']!r}, model {values}"
            continue
        size = max([abs(float(cell.m)) for cell in cells if cell.m is not None], default=1.0)
        for name in ESTIMATES:
            beside = max(size, 1.0) if name.startswith(("rel", "seq_rel")) else size
            number = values.get(name)
            if name == "expected_loss" and close(row[name], values.get("#loss")):
                continue
            if name.endswith("p_value") or name.startswith(("p_", "chance")):
                beside = 1e-300
            if not close(row[name], number, beside):
                yield f"comparisons {key}: {name} = {row[name]!r}, model {number}"
        decided = decided_interval(*cells, values, settings)
        for name, number in zip(("decided_ci_low", "decided_ci_high"), decided):
            cut = row[name] == "-1" and number is not None and number < -1  # a rate cannot fall by more than all of it
            lost = values.get("p_value_adjusted") == 0  # its ratio to the plain one is known to logarithms alone
            if "exact_p_value" not in values and not cut and not lost and not close(row[name], number, 1.0):
                yield f"comparisons {key}: {name} = {row[name]!r}, model {number}"
        if (row["test"] == "fisher") != ("exact_p_value" in values):
            yield f"comparisons {key}: test = {row['test']}, exact p is {values.get('exact_p_value')}"
        wanted = decision_of(row, values, cells, metrics[row["metric"]], failed & {row["offering_id"], ""}, settings)
        if "better" in wanted and days.get(row["offering_id"], 7) < 7:
            wanted = {"too_early"}
        shown = ("better", "worse", "higher", "lower")
        if row["segment"] == "all" and row["shown_on"] and not wanted & set(shown) and wanted != {"do_not_trust"}:
            wanted = standing(folder, row, 1 - settings["confidence"]) or {"a decision that a day shows"}
        if row["decision"] not in wanted:
            yield f"comparisons {key}: decision {row['decision']}, model {wanted}"
        if row["segment"] == "all" and row["decision"] in shown and not row["shown_on"]:
            yield f"comparisons {key}: {row['decision']} since no day"
        mde = values.get("#mde_rel")
        if row["mde_rel"] and mde and not math.isclose(float(row["mde_rel"]), mde, rel_tol=0.15) and min(c.n for c in cells) > 30:
            yield f"comparisons {key}: mde_rel = {row['mde_rel']}, about {mde} was expected"
    yield from missing_rows(job, outcome, rows, expected)
    yield from lonely_rows(rows, metrics)


def lonely_rows(rows, metrics):
    """A twin has a row wherever its metric has one, and nowhere else."""
    places = defaultdict(set)
    for row in rows:
        places[row["metric"]].add(tuple(row[name] for name in ("offering_id", "test_group_id", "segment")))
    for name, metric in metrics.items():
        if "twin_of" in metric:
            for place in sorted(places[name] ^ places[safe_cell(metric["twin_of"])]):
                yield f"comparisons {place}: only one of {name} and {metric['twin_of']} has a row"


def missing_rows(job, outcome, rows, expected):
    """Every group with users is compared with the baseline, in every segment that both have users in."""
    for offering, groups in outcome.attributed.groups.items():
        baseline = safe_cell(baseline_of(job, groups, offering))
        there = {row["baseline_group_id"] for row in rows if row["offering_id"] == safe_cell(offering)}
        wanted = job.get("baseline")
        if there and there != {baseline} and (wanted is None or wanted in groups):
            if not (wanted is None and "control" in there and "control" not in groups):
                yield f"{offering}: baseline is {there}, model {baseline}"
            continue
        for key, stats in outcome.statistics.items():
            against = outcome.statistics.get((key[0], baseline, *key[2:]), {"n": 0})
            one = key[0] == safe_cell(offering) and key[1] != baseline and stats["n"] and against["n"]
            if one and there == {baseline} and key not in expected:
                yield f"comparisons has no row {key}"


def estimate_differences(folder, job, outcome):
    metrics = published(job["metrics"])
    outcome, metrics = with_twins(metrics, outcome), by_cell(metrics)
    found = [*group_differences(folder, job, outcome, metrics), *comparison_differences(folder, job, outcome, metrics)]
    return found + list(check_differences(folder, job, outcome))
