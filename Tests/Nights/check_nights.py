"""An operator's year and more, with what goes wrong in it: after every night the results are those of a night undisturbed.

    python3 check_nights.py --binary PATH [--old PATH] [--seed 1] [--nights 400]
    python3 check_nights.py --binary PATH --seed 17 --nights 133 --keep /tmp/year
    python3 check_nights.py --binary PATH --writes            every writing call of two nights, four ways
"""

import argparse
from collections import Counter
import concurrent.futures
import os
import shutil
import subprocess
import tempfile
import time
import traceback

from sweep import sweep
from year import Year

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {name: os.path.join(HERE, f"{name}.c") for name in ("clock", "power")}
SOURCES["faults"] = os.path.join(HERE, "..", "Worlds", "faults.c")
LONGEST = 400
# (seed, nights): years that found a fault of the program, up to the night that did.
FOUND = [(28, 1), (212, 1), (324, 1), (198, 1), (266, 1), (90212, 12)]


def build(folder):
    """The libraries that are loaded before the program; clang comes with the Swift toolchain."""
    compiler = next(name for name in ("clang", "cc", "gcc") if shutil.which(name))
    built = {}
    for name, source in SOURCES.items():
        built[name] = os.path.join(folder, f"{name}.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", built[name], source, "-ldl"], check=True)
    return built


def live(binary, old, seed, nights, folder):
    """One year: nights lived through, what went wrong, what was advised, and what was broken."""
    os.makedirs(folder)
    year, lived, broken = Year(seed, folder, binary, old, build(folder), nights), 0, None
    try:
        for lived in year.live():
            pass
    except Exception as error:  # a harness that breaks is a failed night, told in full
        told = str(error) if isinstance(error, AssertionError) and str(error) else traceback.format_exc()
        broken = f"--seed {seed} --nights {lived + 1}: " + "\n    ".join(year.log) + f"\n  {told}"
    return lived, year.happened, year.advised, broken


def summed(counters):
    total = Counter()
    for counter in counters:
        total.update(counter)
    return total


def years(pool, binary, chosen, place):
    """Years of so many nights, a seed each, and those that found something once."""
    old = chosen.old and os.path.abspath(chosen.old)
    lengths = [min(chosen.year, chosen.nights - start) for start in range(0, chosen.nights, chosen.year)]
    wanted = [(chosen.seed + number, nights) for number, nights in enumerate(lengths)] + (FOUND if chosen.found else [])
    return [pool.submit(live, binary, old, seed, nights, os.path.join(place, f"{seed}-{nights}")) for seed, nights in wanted]


def check_years(pool, binary, chosen, place):
    lived, failed, happened, advised = 0, 0, [], []
    for year in concurrent.futures.as_completed(years(pool, binary, chosen, place)):
        nights, what, words, broken = year.result()
        lived += nights
        happened.append(what)
        advised.append(words)
        if broken:
            failed += 1
            print(broken, flush=True)
    for title, counts in (("what happened", summed(happened)), ("what messages said", summed(advised))):
        print(f"{title}: " + "; ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.most_common()))
    return lived, failed


def check_writes(pool, binary, chosen, place):
    libraries, parts = build(place), 8 * chosen.each
    tasks = [pool.submit(sweep, binary, libraries, chosen.seed, again, part, parts, os.path.join(place, f"{again}-{part}"))
             for part in range(0, parts, chosen.each) for again in (False, True)]
    counts, broken = zip(*(task.result() for task in tasks))
    print("; ".join(f"{way} {count}" for way, count in summed(counts).items()))
    failed = sum(broken)
    return sum(summed(counts).values()) - failed, failed


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--old", help="a program of an earlier version, for nights half way through an upgrade")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--nights", type=int, default=LONGEST)
    options.add_argument("--year", type=int, default=LONGEST, help="how many nights a seed lives at most")
    options.add_argument("--keep", help="where the years are written and left")
    options.add_argument("--found", action="store_true", help="also the years that found something once")
    options.add_argument("--writes", action="store_true", help="every writing call of two nights, in place of years")
    options.add_argument("--each", type=int, default=1, help="with --writes: only every so many")
    chosen = options.parse_args()
    binary, began = os.path.abspath(chosen.binary), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nights-") as folder, concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        check = check_writes if chosen.writes else check_years
        passed, failed = check(pool, binary, chosen, chosen.keep or folder)
    print(f"from seed {chosen.seed} on, {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
