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


def attempt(body, *arguments):
    try:
        return body(*arguments)
    except (AssertionError, OSError) as error:
        return [str(error) or repr(error)]


def one(name, check, *arguments):
    """A task of one check: handed a Spark, it returns its name and what was found, as a task of several does of each."""
    return lambda spark: [(name, attempt(check, spark, *arguments))]


def systems(binary, folder):
    tasks = [one(nights[0], check_system, binary, os.path.join(folder, nights[0]), nights) for nights in NIGHTS]
    tasks.append(one("a standalone master with two workers", check_standalone, binary, os.path.join(folder, "standalone")))
    return [*tasks, one("inputs at addresses", check_addresses, binary, os.path.join(folder, "addresses"))]


def worlds(binary, folder, seeds):
    def check(spark):
        note = ", refused: Spark would pass over a file of it"
        return [(f"world {world.seed}{note if world.is_refused else ''}", world.found)
                for world in check_worlds(spark, binary, folder, seeds)]

    return [check] if seeds else []


def cases(binary, folder, number):
    def check(spark):
        os.makedirs(folder)
        planned = planned_cases(spark, linkable(binary, folder), folder)[:number]
        return [(f"case {each.case.name}", each.found or ["refused by plan"] * each.is_refused)
                for each in check_planned(spark, folder, planned)]

    return [check]


def failures(binary, word):
    chosen = [case for case in CASES if word in case.__name__] or sys.exit(f"No failure has {word} in its name.")
    return [one(case.__name__.replace("_", " "), check_failure, binary, case) for case in chosen]


def done(sparks, tasks):
    """What each task returns and how many seconds it took, in order: one at a time in each Spark, as a single one leaves a
    core idle while Java starts and where it waits."""
    idle = queue.SimpleQueue()
    for spark in sparks:
        idle.put(spark)

    def do(task):
        spark, began = idle.get(), time.monotonic()
        try:
            return task(spark), time.monotonic() - began
        finally:
            idle.put(spark)

    with ThreadPoolExecutor(len(sparks)) as pool:
        yield from pool.map(do, tasks)


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
    binary, passed, failed = os.path.abspath(chosen.binary), 0, 0
    with Spark() as spark, Spark() as beside, tempfile.TemporaryDirectory(prefix="spark-tests-") as place:
        folder = os.path.abspath(chosen.keep) if chosen.keep else place
        os.makedirs(folder, exist_ok=True)
        # The longest first.
        parts = {
            "worlds": lambda: worlds(binary, folder, range(chosen.seed, chosen.seed + chosen.worlds)),
            "cases": lambda: cases(binary, os.path.join(folder, "cases"), chosen.cases),
            "systems": lambda: systems(binary, os.path.join(folder, "systems")),
            "failures": lambda: failures(binary, chosen.case),
        }
        tasks = [task for name, part in parts.items() if chosen.only in (None, name) for task in part()]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(Spark.prepare, (spark, beside)))
        for checked, seconds in done((spark, beside), tasks):
            for name, found in checked:
                passed, failed = passed + (not found), failed + bool(found)
                print(f"{'FAILED' if found else 'ok'}: {name}" + (f" ({seconds:.0f} s)" if len(checked) == 1 else ""))
                for line in found[:SHOWN]:
                    print(f"    {line}")
            if len(checked) > 1:
                print(f"    {len(checked)} together ({seconds:.0f} s)")
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
