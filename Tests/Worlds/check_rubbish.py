"""Bad input, bad jobs, kills: exit codes and one clear message, old results untouched.

    python3 check_rubbish.py --binary PATH [--only PART-OF-A-NAME]
"""

import argparse
import concurrent.futures
import os
import sys
import traceback

import boundaries
import nights
import rubbish_faults
import rubbish_files
import rubbish_jobs
import rubbish_kills
import rubbish_private
import rubbish_spool

# Parts of long cases first, so that none of them is left to one core at the end while others have nothing to do.
PARTS = (rubbish_private, rubbish_spool, boundaries, rubbish_faults, rubbish_files, rubbish_kills, rubbish_jobs, nights)
CASES = {case.__name__: case for part in PARTS for case in part.CASES}


def attempt(name, binary):
    """None, or what went wrong."""
    try:
        CASES[name](binary)
    except AssertionError as error:
        place = traceback.extract_tb(error.__traceback__)[1]
        return f"{error} [{os.path.basename(place.filename)}:{place.lineno}]"
    except Exception:  # a case that breaks is a failed case, told in full
        return traceback.format_exc()
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    binary, failed = os.path.abspath(chosen.binary), 0
    names = [name for name in CASES if chosen.only in name]
    # One more than there are cores, as runs wait for the disk to have written what they publish.
    with concurrent.futures.ProcessPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        for name, problem in zip(names, pool.map(attempt, names, [binary] * len(names))):
            if problem:
                failed += 1
                print(f"{name}: {problem}")
                sys.stdout.flush()
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
