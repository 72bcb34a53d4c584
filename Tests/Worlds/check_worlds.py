"""Random worlds: the binary's integers against the model's, and the same bytes for every layout and by every way of a run.

    python3 check_worlds.py --binary PATH [--seed N] [--count N] [--keep DIR] [--users N]

Every failure prints its seed; `--seed N --count 1 --keep DIR` leaves that world's files.
"""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import model
from analysis import analyze_differences
from compare import accounting_differences, identity_differences, row_check_differences, statistics_differences
from compare_tables import table_differences
from daily import daily_differences
from differing import how_bytes
from explained import explained_differences
from layout import write_world
from life_worlds import LIFE_NAMES, NOT_OF_EXPORTS, life_worlds
from product import results_folder, run_product
from published import published_differences
from rows_in import paths_of
from stored import later_differences, limited_differences, stored_differences
from worlds import make_world

try:
    from comparisons import estimate_differences
except ImportError:  # without SciPy the integers are checked alone
    estimate_differences = None

SAME_BYTES = ["sufficient_statistics.csv", "group_metrics.csv", "comparisons.csv", "checks.csv",
              "products.csv", "charges_by.csv", "states.csv", "funnels.csv", "retention.csv",
              "offers.csv", "copy.csv", "arrivals.csv", "money.csv", "plans.csv"]
SHOWN = 6
# Which of a source's files a row lies in is the layout's choice: `data/log0-3.zip/log0-1.gz` in a check's message.
FILE_OF_A_LAYOUT = re.compile(rb"(data/[a-z]+\d*)-[\w./-]*[\w]")


def published(binary, world, folder, threads):
    """Run the binary on a written world; its results folder."""
    done = run_product(binary, os.path.join(folder, "job.yml"), world.as_of, os.path.join(folder, "out"), threads)
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace").strip()
        raise AssertionError(f"exit {done.returncode}: {message[-600:]}")
    return results_folder(os.path.join(folder, "out"), world.job["job"], world.as_of)


def differences(binary, world, folder):
    """All differences of one world, in two layouts: first with one thread, then two."""
    one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
    first, outcome, found = answered(binary, world, one, 1)
    found += analyze_differences(binary, first, os.path.join(one, "job.yml"))
    write_world(world, two, random.Random(world.seed + 1_000_003))
    second = published(binary, world, two, 2)
    for name in SAME_BYTES:
        texts = [open(os.path.join(place, name), "rb").read() for place in (first, second)]
        if name == "checks.csv":  # short shards may be alike by chance in one layout
            texts = [b"".join(line for line in text.splitlines(True) if b",same_file," not in line) for text in texts]
            texts = [FILE_OF_A_LAYOUT.sub(rb"\1", text) for text in texts]
        if name == "checks.csv" and is_told_twice(folder):  # how many rows there are is another number then
            continue
        if texts[0] != texts[1]:
            found.append(f"{name} differs between layouts: {how_bytes(*texts)}")
    return found + other_ways(binary, world, two, second, outcome)


def other_ways(binary, world, folder, results, outcome):
    """What differs where events are kept by an earlier run, or by an earlier night, or wait on the disk, and where one user is
    explained."""
    found = stored_differences(binary, world, folder, results) or later_differences(binary, world, folder, results)
    found += limited_differences(binary, world, folder, results)
    if not outcome.attributed.is_open:
        found += explained_differences(binary, world, folder, outcome)
    return found


def is_told_twice(folder):
    """Whether one of the layouts has a shard twice."""
    return any("-again" in path for place in ("one", "two") for path in paths_of("*", os.path.join(folder, place, "data")))


def answered(binary, world, folder, threads):
    """A world written and run: the results' folder, the model's outcome, and how they differ."""
    write_world(world, folder, random.Random(world.seed))
    job = world.full_job()
    outcome = model.run(job, folder, world.as_of)
    results = published(binary, world, folder, threads)
    if outcome.attributed.is_open:  # then the ways agree with each other, and no model says on what
        return results, outcome, list(published_differences(results, folder))
    found = list(statistics_differences(results, outcome.statistics))
    found += accounting_differences(results, outcome.accounts, job, outcome.notices, outcome.attributed.orphans)
    found += identity_differences(results, outcome.identities)
    found += row_check_differences(results, outcome)
    found += table_differences(results, job, outcome)
    if estimate_differences:
        found += estimate_differences(results, job, outcome)
    found += published_differences(results, folder)
    return results, outcome, found


def life_differences(binary, seed, folder):
    """One story of whole subscription lives in several tellings: each against the model, and against each other."""
    worlds, alike = life_worlds(seed)
    found, outcomes = [], []
    for number, (formats, world) in enumerate(worlds):
        place = os.path.join(folder, f"{number}-{'+'.join(formats)}")
        try:
            if number == 0 and len(worlds) > 1:  # the native form is there to be agreed with
                write_world(world, place, random.Random(seed))
                outcomes.append((formats, model.run(world.full_job(), place, world.as_of)))
                continue
            results, outcome, said = answered(binary, world, place, 1 + number % 2)
            outcomes.append((formats, outcome))
            # One telling of each story by every way; all of them would prove the formats' reading again.
            if number == (1 + seed % (len(worlds) - 1) if len(worlds) > 1 else 0):
                said += other_ways(binary, world, place, results, outcome)
            if seed % 4 == 0 and number < 2:
                said += daily_differences(binary, world, place, results)
        except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
            said = [str(error)]
        found += [f"{' and '.join(formats)}: {line}" for line in said]
    for formats, outcome in outcomes[1:] if alike else ():
        found += [f"{' and '.join(formats)} beside {outcomes[0][0][0]}: {line}" for line in unlike(formats, outcomes[0][1], outcome)]
    return found


def unlike(formats, one, other):
    """What two tellings of one story answer differently, in the model itself."""
    names = LIFE_NAMES - (NOT_OF_EXPORTS if "revenuecat-export" in formats else set())
    for table in ("statistics", "states", "curves", "survival"):
        left, right = getattr(one, table), getattr(other, table)
        for key in sorted(set(left) | set(right)):
            if left.get(key) != right.get(key) and (table != "statistics" or key[3] in names):
                yield f"{key} is {right.get(key)}, not {left.get(key)}"


def attempt(binary, world, keep=None, check=differences):
    folder = keep or tempfile.mkdtemp(prefix="world-")
    try:
        return check(binary, world, folder)
    except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
        return [str(error)]
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def minimise(binary, world, seconds=20):
    """Drop metrics and records while the world still differs, as far as the time goes."""
    end, kind = time.monotonic() + seconds, lambda found: bool(found)
    for source in world.sources:
        size = max(len(source.records) // 2, 1)
        while time.monotonic() < end:
            start = 0
            while start < len(source.records) and time.monotonic() < end:
                kept = source.records
                source.records = kept[:start] + kept[start + size :]
                if not kind(attempt(binary, world)):
                    source.records = kept
                    start += size
            if size == 1:
                break
            size = max(size // 2, 1)
    for metric in list(world.job["metrics"]):
        if len(world.job["metrics"]) > 1 and time.monotonic() < end:
            world.job["metrics"].remove(metric)
            if not attempt(binary, world):
                world.job["metrics"].append(metric)
    return world


def check_seed(binary, seed, keep, users):
    world = make_world(seed, users)
    folder = os.path.join(keep, f"world-{seed}") if keep else None
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    return seed, attempt(binary, world, folder)


def check_life(binary, seed, keep):
    folder = os.path.join(keep, f"life-{seed}") if keep else None
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    return f"life {seed}", attempt(binary, seed, folder, life_differences)


def explain(binary, seed, keep, small):
    """The smallest world that still differs, on the terminal or in the kept folder."""
    world = minimise(binary, make_world(seed)) if small else make_world(seed)
    folder = os.path.join(keep, f"small-{seed}") if keep else None
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    for line in attempt(binary, world, folder)[:SHOWN]:
        print(f"    small: {line}")
    if sum(len(source.records) for source in world.sources) <= 40:
        print(f"    as of {world.as_of}, job {world.full_job()}")
        for source in world.sources:
            for record in [source.header, *source.records]:
                print(f"    {source.name}: {record!r}")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--lives", type=int, default=60, help="worlds of whole subscription lives, from the same seed on")
    options.add_argument("--keep")
    options.add_argument("--users", type=int, help="worlds of this many users instead of small ones")
    options.add_argument("--small", action="store_true", help="minimise failing worlds")
    chosen = options.parse_args()
    binary, failed = os.path.abspath(chosen.binary), []
    seeds, lives = (range(chosen.seed, chosen.seed + number) for number in (chosen.count, chosen.lives))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check_seed, binary, seed, chosen.keep, chosen.users) for seed in seeds]
        jobs += [pool.submit(check_life, binary, seed, chosen.keep) for seed in lives]
        for job in concurrent.futures.as_completed(jobs):
            seed, found = job.result()
            if found:
                failed.append(seed)
                print(f"seed {seed}: {len(found)} differences")
                for line in found[:SHOWN]:
                    print(f"    {line}")
                sys.stdout.flush()
    if chosen.small:
        for seed in sorted(seed for seed in failed if isinstance(seed, int))[:3]:
            print(f"seed {seed}, minimised:")
            explain(binary, seed, chosen.keep, True)
    if not estimate_differences:
        print("SciPy is not installed: comparisons.csv was not recomputed")
    print(f"{len(seeds) + len(lives) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
