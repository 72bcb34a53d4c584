"""The sums by pandas: each file becomes a frame in a process of its own, as many at once as there are threads.

`read_json(lines=True)` ends at the first malformed line, so lines are parsed one by one, those that cannot be about
money not at all. Money is whole millionths.
"""

import csv
import glob
import gzip
import json
import re
from multiprocessing import get_context
from typing import Iterator

import pandas as pd
from task import CHARGES, REFUNDS, Task, answer, read_task

KEYS = ["eventId", "userId", "eventType", "occurredAt", "price", "transactionId", "environment", "ownershipType"]
SALE = ["userId", "transactionId"]
FULL = 10**12
"""Millionths above any price: a refund that names no part takes all."""
ABOUT_MONEY = re.compile("|".join(f'"{kind}"' for kind in CHARGES + REFUNDS))


def records(path: str) -> Iterator[dict]:
    """The rows of a file that can be read and may be about money."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        if path.endswith(".csv.gz"):
            yield from ({key: value or None for key, value in row.items()} for row in csv.DictReader(file))
            return
        for line in file:
            if not ABOUT_MONEY.search(line):
                continue
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row


def money(path: str) -> pd.DataFrame:
    """What counts in one file of the log: production, paid for."""
    rows = [[row.get(key) for key in KEYS] for row in records(path) if row.get("eventType") in CHARGES + REFUNDS]
    frame = pd.DataFrame(rows, columns=KEYS)
    frame = frame[frame.environment.fillna("production").str.lower() == "production"]
    frame = frame[frame.ownershipType.fillna("") != "FAMILY_SHARED"]
    frame["time"] = pd.to_datetime(frame.occurredAt, format="ISO8601", utc=True)
    frame["micros"] = (pd.to_numeric(frame.price) * 1_000_000).round().astype("Int64")
    return frame[["eventId", *SALE, "eventType", "time", "micros"]]


def assigned(task: Task, cutoff: pd.Timestamp) -> pd.DataFrame:
    """Users of one group whose window is over: their group, and when it began."""
    columns = ["user_id", "test_group_id", "assigned_at"]
    paths = sorted(glob.glob(task.assignments))
    table = pd.concat([pd.read_csv(path, usecols=columns, dtype=str) for path in paths])
    table["begins"] = pd.to_datetime(table.assigned_at, format="ISO8601", utc=True)
    table = table[table.begins < cutoff]
    users = table.groupby("user_id").agg(
        begins=("begins", "min"), group=("test_group_id", "min"), last=("test_group_id", "max")
    )
    ends = users.begins + pd.Timedelta(days=task.window_days)
    return users[(users.group == users["last"]) & (ends <= cutoff)].rename_axis("userId").reset_index()


def refunded(rows: pd.DataFrame) -> pd.Series:
    """What is taken back of each sale: the refunds after its last reversal, each once."""
    taken = rows[rows.eventType.isin(REFUNDS)].sort_values("time", kind="stable")
    taken = taken.drop_duplicates([*SALE, "eventId", "eventType"])
    restored = taken[taken.eventType == "refund_reversal"].groupby(SALE).time.max().rename("restored_at")
    refunds = taken[taken.eventType == "refund"].join(restored, on=SALE)
    refunds = refunds[refunds.restored_at.isna() | (refunds.time > refunds.restored_at)]
    return refunds.assign(refunded=refunds.micros.fillna(FULL)).groupby(SALE).refunded.sum()


def sums(task: Task, rows: pd.DataFrame) -> list[tuple]:
    """Users, payers, charges and what they paid, by group."""
    cutoff = pd.Timestamp(task.cutoff)
    people = assigned(task, cutoff)
    rows = rows[rows.time < cutoff]
    charges = rows[rows.eventType.isin(CHARGES)].sort_values("time", kind="stable").drop_duplicates(SALE)
    charges = charges.merge(people, on="userId")
    end = charges.begins + pd.Timedelta(days=task.window_days)
    charges = charges[(charges.time >= charges.begins) & (charges.time < end)].join(refunded(rows), on=SALE)
    charges["net"] = charges.micros - charges[["micros", "refunded"]].fillna(0).min(axis=1)
    users = people.groupby("group").size()
    payers = charges[charges.micros > 0].groupby("group").userId.nunique()
    paid = charges.groupby("group").agg(charges=("net", "size"), net=("net", "sum"))
    return [
        (group, users[group], payers.get(group, 0), *(paid.loc[group] if group in paid.index else (0, 0)))
        for group in users.index
    ]


if __name__ == "__main__":
    task = read_task()
    with get_context("spawn").Pool(task.threads) as pool:
        frames = pool.map(money, sorted(glob.glob(task.purchases)), chunksize=1)
    answer(sums(task, pd.concat(frames)))
