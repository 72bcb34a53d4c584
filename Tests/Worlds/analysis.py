"""`analyze` on a run's own statistics must say what the run said: the same code, from sums alone."""

import csv
import io
import os
import subprocess

from product import table

KEYS = ("offering_id", "baseline_group_id", "test_group_id", "segment", "metric")
NOT_SUMS = ("quantile", "survival")  # not in the statistics; without them families are smaller
NOT_KNOWN = {"job", "as_of", "decision", "cuped_theta", "descriptive"}  # checks that need rows may change a verdict; so may the metrics' order


def analyze_differences(binary, folder, job_path):
    """Rows of comparisons.csv that `analyze --job` prints differently."""
    statistics = os.path.join(folder, "sufficient_statistics.csv")
    command = [binary, "analyze", statistics, "--job", job_path]
    done = subprocess.run(command, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        yield f"analyze: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-300:]}"
        return
    printed = {}
    for row in csv.DictReader(io.StringIO(done.stdout.decode(), newline="")):
        printed[tuple(row[key] for key in KEYS)] = row
    rows = table(folder, "comparisons.csv")
    published = {tuple(row[key] for key in KEYS): row for row in rows if row["kind"] not in NOT_SUMS}
    adjusted = {"p_value_adjusted", "decided_ci_low", "decided_ci_high"}
    unknown = NOT_KNOWN | (adjusted if len(published) < len(rows) else set())
    there = {key[0] for key in published}  # none where nobody of the baseline is measured
    printed = {key: row for key, row in printed.items() if key[0] in there}
    for key in sorted(set(printed) ^ set(published)):
        yield f"analyze: {key} is only in {'analyze' if key in printed else 'comparisons.csv'}"
    for key in sorted(set(printed) & set(published)):
        for name, value in published[key].items():
            if name not in unknown and printed[key].get(name) != value:
                yield f"analyze {key}: {name} = {printed[key].get(name)}, comparisons.csv has {value}"
