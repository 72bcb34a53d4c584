"""What fails, by area, a line a case: `python3 look.py [WORD…]`, with words of cases' names, files or areas."""

from concurrent.futures import ThreadPoolExecutor
import os
import shutil
import sys
import tempfile
import time

import every
from paths import faults, walk


def main(words):
    chosen = [case for case in every.CASES if not words or any(word in f"{case.area} {case.family} {case.name}" for word in words)]
    scratch = os.environ.get("KEEP") or tempfile.mkdtemp(prefix="offerlift-cases-")
    began = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if os.environ.get("LEAN"):
            walks = pool.map(lambda cases: walk(cases, scratch), [chosen[place:place + 10] for place in range(0, len(chosen), 10)])
            found = {case.name: faults for walked in walks for case, faults in walked.items()}
        else:
            found = dict(zip([case.name for case in chosen], pool.map(lambda case: attempt(case, scratch), chosen)))
    for area in sorted({case.area for case in chosen}):
        mine = [case for case in chosen if case.area == area]
        failed = [case for case in mine if found[case.name]]
        print(f"## {area}: {len(mine) - len(failed)} of {len(mine)} hold\n")
        for case in failed:
            ways = list(dict.fromkeys(way for way, _ in found[case.name]))
            print(f"- {case.name} ({', '.join(ways)}): {found[case.name][0][1]}"[:420].replace("\n", " "))
        print()
    if not os.environ.get("KEEP"):
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{sum(not value for value in found.values())} of {len(chosen)} cases hold, {time.monotonic() - began:.0f} s")


def attempt(case, scratch):
    try:
        return faults(case, scratch)
    except Exception as error:  # noqa: BLE001
        return [("harness", f"{type(error).__name__}: {error}")]


if __name__ == "__main__":
    main(sys.argv[1:])
