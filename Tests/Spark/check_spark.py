"""The engine spark against the engine native, and what it does when things fail.

    python3 check_spark.py --binary PATH [--seed N] [--worlds N] [--cases N] [--keep DIR] [--only systems|worlds|cases|failures] [--case WORD]

Needs Java 17 and pyspark (requirements.txt). Every failure prints its seed; `--only worlds --seed N --worlds 1
--keep DIR` leaves that world's files.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor
import os
import queue
import sys
import tempfile
import time

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Worlds"))

from cases import planned_cases  # noqa: E402
from failures import CASES, check_failure  # noqa: E402
from random_worlds import check_planned, check_worlds, linkable  # noqa: E402
from session import Spark  # noqa: E402
from systems import NIGHTS, check_addresses, check_standalone, check_system  # noqa: E402

SHOWN = 6


class Count:
    def __init__(self):
        self.passed, self.failed, self.since = 0, 0, time.monotonic()

    def take(self, name, found, note=""):
        seconds, self.since = time.monotonic() - self.since, time.monotonic()
        self.passed, self.failed = self.passed + (not found), self.failed + bool(found)
        print(f"{'FAILED' if found else 'ok'}: {name}{note} ({seconds:.0f} s)")
        for line in found[:SHOWN]:
            print(f"    {line}")
        sys.stdout.flush()


def attempt(body, *arguments):
    try:
        return body(*arguments)
    except (AssertionError, OSError) as error:
        return [str(error) or repr(error)]


def check_systems(count, spark, binary, folder):
    folder = os.path.join(folder, "systems")
    for nights in NIGHTS:
        count.take(nights[0], attempt(check_system, spark, binary, folder, nights))
    count.take("a standalone master with two workers", attempt(check_standalone, spark, binary, folder))
    count.take("inputs at addresses", attempt(check_addresses, spark, binary, folder))


def check_random_worlds(count, spark, binary, folder, seeds):
    if not seeds:
        return
    for world in check_worlds(spark, binary, folder, seeds):
        note = ", refused: Spark would pass over a file of it" if world.is_refused else ""
        count.take(f"world {world.seed}", world.found, note)


def check_cases(count, spark, binary, folder, number):
    folder = os.path.join(folder, "cases")
    os.makedirs(folder)
    for planned in check_planned(spark, folder, planned_cases(spark, linkable(binary, folder), folder)[:number]):
        count.take(f"case {planned.case.name}", planned.found or ["refused by plan"] * planned.is_refused)


def check_failures(count, spark, binary, word):
    """Two at a time, each in a Spark of its own: most of their time Java starts."""
    cases = [case for case in CASES if word in case.__name__] or sys.exit(f"No failure has {word} in its name.")
    idle = queue.SimpleQueue()

    def check(case):
        mine = idle.get()
        try:
            return attempt(check_failure, mine, binary, case)
        finally:
            idle.put(mine)

    with Spark() as beside, ThreadPoolExecutor(2) as pool:
        beside.prepare()
        for each in (spark, beside):
            idle.put(each)
        for case, found in zip(cases, pool.map(check, cases)):
            count.take(case.__name__.replace("_", " "), found)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--worlds", type=int, default=50)
    options.add_argument("--cases", type=int, help="only the first so many of cases.py")
    options.add_argument("--keep")
    options.add_argument("--only", choices=["systems", "worlds", "cases", "failures"])
    options.add_argument("--case", default="", help="only failures with this word in their name")
    chosen = options.parse_args()
    binary, count = os.path.abspath(chosen.binary), Count()
    with Spark() as spark, tempfile.TemporaryDirectory(prefix="spark-tests-") as place:
        folder = os.path.abspath(chosen.keep) if chosen.keep else place
        os.makedirs(folder, exist_ok=True)
        spark.prepare()
        if chosen.only in (None, "systems"):
            check_systems(count, spark, binary, folder)
        if chosen.only in (None, "worlds"):
            check_random_worlds(count, spark, binary, folder, range(chosen.seed, chosen.seed + chosen.worlds))
        if chosen.only in (None, "cases"):
            check_cases(count, spark, binary, folder, chosen.cases)
        if chosen.only in (None, "failures"):
            check_failures(count, spark, binary, chosen.case)
    print(f"{count.passed} passed, {count.failed} failed")
    sys.exit(1 if count.failed or not count.passed else 0)


if __name__ == "__main__":
    main()
