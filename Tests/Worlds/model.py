"""The slow, obvious model: a job and its files in, the exact rows of the statistics out.

    python3 model.py job.yml 2026-04-01T00:00:00Z

prints what `sufficient_statistics.csv` must hold. Written from the
specification alone; it shares no code and no idea of speed with the product.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
import csv
import json
import os
import sys

from attribution import attribute
from facts import read_assignments, read_catalog, read_events, read_products, read_rates
from metrics import (
    Tables, kind_of_metric, metric_id, scale_of, segment_names, sums, user_values,
)
from values import time_millis

SUMS = ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy"]


@dataclass
class Outcome:
    """`statistics`: (offering, group, segment, metric) → row; `accounts`: path → Account."""

    statistics: dict
    accounts: dict
    immature: dict
    attributed: object
    weights: dict


def safe_cell(text):
    """A cell no spreadsheet runs as a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t") else text


def run(job, folder, as_of):
    cutoff = time_millis(as_of)
    accounts = {}
    names = read_catalog(job, folder)
    assignments = read_assignments(job, folder, accounts, names)
    events = read_events(job, folder, accounts)
    attributed = attribute(job, assignments, events, read_rates(job, folder), cutoff)
    for account in accounts.values():
        account.used = account.rows - sum(account.aside.values())
    tables = Tables(read_products(job, folder), names["type"])
    statistics, immature = {}, {}
    for offering in sorted(attributed.groups):
        for metric in job["metrics"]:
            statistics |= cells(job, metric, offering, attributed, tables, cutoff, immature)
    weights = {
        offering: {group: Fraction(str(weight)) for group, weight in groups.items()}
        for offering, groups in (names["weight"] or job.get("weights", {})).items()
    }
    return Outcome(statistics, accounts, immature, attributed, weights)


def cells(job, metric, offering, attributed, tables, cutoff, immature):
    """One metric's rows in one offering, for `all` and for each segment."""
    members = [m for m in attributed.members if m.offering == offering]
    segments = segment_names(metric.get("segments", job.get("segments", [])), members)
    by_cell, late = defaultdict(list), defaultdict(int)

    def places(member):
        yield "all"
        for attribute, named in segments.items():
            if member.attributes.get(attribute) is not None:
                yield named[member.attributes[attribute]]

    found, not_mature = user_values(metric, offering, attributed, tables, cutoff)
    for member, y, x in found:
        for segment in places(member):
            by_cell[member.group, segment].append((y, x))
    for member in not_mature:
        for segment in places(member):
            late[member.group, segment] += 1
            by_cell.setdefault((member.group, segment), [])
    key = lambda group, segment: tuple(map(safe_cell, (offering, group, segment, metric_id(metric))))
    for (group, segment), number in late.items():
        immature[key(group, segment)] = number
    head = {"kind": kind_of_metric(metric["name"]), "scale": scale_of(metric["name"])}
    return {key(*cell): head | sums(pairs) for cell, pairs in by_cell.items()}


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
