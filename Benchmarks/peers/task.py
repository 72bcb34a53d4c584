"""What every peer is asked: the folder, the format, the cut-off, how many threads; and how it answers."""

import argparse
import csv
import sys
from dataclasses import dataclass
from typing import Iterable, Sequence

CHARGES = ("purchase", "renewal", "one_time_purchase")
REFUNDS = ("refund", "refund_reversal")
COLUMNS = ("group", "users", "payers", "charges", "net_micros")


@dataclass(frozen=True)
class Task:
    """One question: who paid how much within `window_days` of the assignment, by group, before `cutoff`."""

    folder: str
    format: str
    """`events` or `events-csv`."""
    cutoff: str
    """The end of the log in UTC, `2026-06-01T00:00:00Z`."""
    threads: int
    window_days: int = 30

    @property
    def purchases(self) -> str:
        """The glob of the purchase log."""
        ending = "jsonl" if self.format == "events" else "csv"
        return f"{self.folder}/purchases-*.{ending}.gz"

    @property
    def assignments(self) -> str:
        """The glob of the assignment table."""
        return f"{self.folder}/user_offering_assignments-*.csv.gz"


def read_task() -> Task:
    """The task that the command line states."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--format", choices=["events", "events-csv"], default="events")
    parser.add_argument("--cutoff", required=True)
    parser.add_argument("--threads", type=int, default=2)
    return Task(**vars(parser.parse_args()))


def answer(rows: Iterable[Sequence]) -> None:
    """Prints the sums as CSV, a line a group, money in millionths."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(sorted(map(list, rows)))
