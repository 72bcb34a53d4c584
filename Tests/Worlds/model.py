"""The slow, obvious model: a job and its files in, the exact rows of the statistics out.

    python3 model.py job.yml 2026-04-01T00:00:00Z

prints what `sufficient_statistics.csv` must hold. Written from the
specification alone; it shares no code and no idea of speed with the product.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
import csv
import json
import os
import re
import sys

from attribution import attribute
from charge_attributes import asked, charges_by
from facts import REFUNDS, Notices, read_assignments, read_catalog, read_events, read_products, read_rates
from feeds import Charges
from identities import read_identities
from lifecycle import survival_at, survival_curve
from metrics import (
    Tables, histories_of, kind_of_metric, metric_id, nearest_rank, scale_of, segment_names, sums,
    survival_of, underlying, user_values,
)
from rollups import arrival_rows, funnel_rows, money_row, product_rows, state_rows
from values import time_millis
import sources  # noqa: F401: puts each format among the readers

SUMS = ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy", "sum_c", "sum_cc", "sum_yc", "sum_xc"]


@dataclass
class Outcome:
    """What a run must publish; keys are `(offering, group, segment, metric)`, as in the tables."""

    statistics: dict  # → row of exact sums
    accounts: dict  # path → Account
    immature: dict  # → users whose window is not over
    attributed: object
    weights: dict
    notices: object
    identities: object
    quantiles: dict  # → (users, value)
    survival: dict  # → (users, ended, who had begun, value at the metric's day), and curves of segment all
    curves: dict
    renewals: dict
    products: dict
    funnels: dict
    states: dict
    charges_by: dict
    money: dict
    arrivals: dict
    unknown_products: set = field(default_factory=set)  # of rows that count
    orphan_refunds: int = 0
    histories: dict = field(default_factory=dict)  # by user


SIGNS = "[=+@\uff1d\uff0b\uff0d\uff20-]"
FORMULA = re.compile(rf"^(?='*(?:{SIGNS}|[\t\r\n]))|(?<=[;|\t\r\n])(?=['\"]*{SIGNS})")


def safe_cell(text):
    """A cell that no spreadsheet runs as a formula, whatever it takes for the ends of cells."""
    return FORMULA.sub("'", text)


def run(job, folder, as_of):
    cutoff = time_millis(as_of)
    accounts, notices = {}, Notices()
    names = read_catalog(job, folder)
    assignments = read_assignments(job, folder, accounts, names, notices)
    events = read_events(job, folder, accounts, notices)
    identities = read_identities(job, folder, notices, cutoff)
    for row in [*assignments, *events]:
        row.user = identities.of(row.user)
    attributed = attribute(job, assignments, events, read_rates(job, folder), cutoff)
    for account in accounts.values():
        account.used = account.rows - sum(account.aside.values())
    tables = Tables(read_products(job, folder), names["type"], names["default"], job.get("trial"))
    histories = histories_of(attributed, tables, cutoff)
    weights = {
        offering: {group: Fraction(str(weight)) for group, weight in groups.items()}
        for offering, groups in (names["weight"] or job.get("weights", {})).items()
    }
    outcome = Outcome({}, accounts, {}, attributed, weights, notices, identities, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, histories=histories)
    for history in histories.values():
        steps = [*history.charges, *history.told]
        outcome.unknown_products |= {step.product for step in steps if step.product and tables.is_unknown(step.product)}
        charges = Charges(history.charges)
        outcome.orphan_refunds += sum(step.type in REFUNDS and step.parent is None and charges.of(step) is None for step in history.told)
    for offering in sorted(attributed.groups):
        members = [m for m in attributed.members if m.offering == offering]
        for metric in job["metrics"]:
            measure(job, metric, offering, members, histories, cutoff, outcome)
        for (group, *names), row in charges_by(asked(job), members, histories, cutoff).items():
            outcome.charges_by[tuple(map(safe_cell, (offering, group, *names)))] = row
        groups = defaultdict(list)
        for member in members:
            groups[member.group].append(member)
        for group, theirs in groups.items():
            head = (safe_cell(offering), safe_cell(group))
            outcome.products |= {(*head, *key): row for key, row in product_rows(theirs, histories, cutoff).items()}
            outcome.money[head] = money_row(theirs, histories, cutoff)
            outcome.arrivals |= {(*head, day): users for day, users in arrival_rows(theirs).items()}
            outcome.states |= {(*head, state): users for state, users in state_rows(theirs, histories).items()}
            for funnel in job.get("funnels", []):
                outcome.funnels[*head, safe_cell(funnel["name"])] = funnel_rows(funnel, theirs, histories, cutoff)
    return outcome


def measure(job, metric, offering, members, histories, cutoff, outcome):
    """One metric's rows in one offering, for `all` and for each segment."""
    segments = segment_names(metric.get("segments", job.get("segments", [])), members)
    kind, cells, late = kind_of_metric(metric["name"]), defaultdict(list), defaultdict(int)

    def keys(member):
        names = ["all"] + [
            named[member.attributes.get(attribute)] for attribute, named in segments.items()
        ]
        return [tuple(map(safe_cell, (offering, member.group, name, metric_id(metric)))) for name in names]

    if kind == "survival":
        for member in members:
            time = survival_of(metric, member, histories[member.user])
            for key in keys(member):
                cells[key].append(time)
        for key, times in cells.items():
            known = [time for time in times if time]
            by_day, by_renewal = survival_curve([days for days, _ in known]), survival_curve([due for _, due in known])
            value = survival_at(by_day, metric["day"]) if "day" in metric else survival_at(by_renewal, metric.get("renewals", 1))
            outcome.survival[key] = (len(times), sum(ended for (_, ended), _ in known), len(known), value)
            if key[2] == "all":
                outcome.curves[key[0], key[1], key[3]] = by_day
                outcome.renewals[key[0], key[1], key[3]] = by_renewal
        return
    plain = underlying(metric)
    found, not_mature = user_values(plain, offering, histories, members, cutoff)
    for value in found:
        for key in keys(value.member):
            cells[key].append(value)
    for member in not_mature:
        for key in keys(member):
            late[key] += 1
            cells.setdefault(key, [])
    outcome.immature |= late
    scale = scale_of(plain["name"])
    for key, values in cells.items():
        if kind == "quantile":
            counted = [value.y for value in values if value.y > 0 or metric.get("zeros")]
            level = nearest_rank(metric["q"], counted)
            outcome.quantiles[key] = (len(counted), None if level is None else Fraction(level, scale))
        else:
            outcome.statistics[key] = {"kind": kind, "scale": scale} | sums(values)


def load_job(path):
    """A job file: with PyYAML when it is there, dates kept as text; ours are JSON a line anyway."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        import yaml
    except ImportError:
        pairs = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
        return {name: json.loads(value) for name, _, value in pairs if value}
    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if not pair[0].endswith("timestamp")]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return yaml.load(text, Loader=loader)


def main():
    path, as_of = sys.argv[1:3]
    outcome = run(load_job(path), os.path.dirname(os.path.abspath(path)), as_of)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["offering_id", "test_group_id", "segment", "metric", "kind", "scale", *SUMS])
    for key, row in sorted(outcome.statistics.items()):
        out.writerow([*key, row["kind"], row["scale"], *(row[name] for name in SUMS)])
    for name, account in outcome.accounts.items():
        print(name, account.rows, account.used, dict(account.aside), file=sys.stderr)


if __name__ == "__main__":
    main()
