"""daily.csv: a day's row is what a run at the end of that day publishes, not an approximation of it."""

import datetime
import os

from product import results_folder, run_product, table

KEYS = ("offering_id", "baseline_group_id", "test_group_id", "segment", "metric")


def end_of(day):
    return f"{datetime.date.fromisoformat(day) + datetime.timedelta(days=1)}T00:00:00Z"


def daily_differences(binary, world, folder, results):
    """One of the days, by seed, against a run at that instant."""
    rows = table(results, "daily.csv")
    days = sorted({row["day"] for row in rows if row["day"] < world.as_of[:10]})
    if not days:
        return
    day = days[world.seed * 7919 % len(days)]
    output = os.path.join(folder, "then")
    done = run_product(binary, os.path.join(folder, "job.yml"), end_of(day), output)
    if done.returncode != 0:
        yield f"daily: the run at {end_of(day)} left with {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-300:]}"
        return
    then = {tuple(row[key] for key in KEYS): row
            for row in table(results_folder(output, world.job["job"], end_of(day)), "comparisons.csv") if row["segment"] == "all"}
    said = {tuple(row[key] for key in KEYS): row for row in rows if row["day"] == day and row["segment"] == "all"}
    for key in sorted(set(then) ^ set(said)):
        yield f"daily: {key} on {day} is only in {'comparisons.csv' if key in then else 'daily.csv'}"
    for key in sorted(set(then) & set(said)):
        for name, value in said[key].items():
            if name not in ("job", "as_of", "day") and value != then[key][name]:
                yield f"daily {key} on {day}: {name} = {value}, a run at that time says {then[key][name]}"
