"""Runs the `test_*.py` of a folder and prints `N passed, N failed`: files side by side, a process a core, each of which
keeps what its tests have made from one file to the next.

A test that was skipped counts as failed: nothing may be left out silently.
"""

import concurrent.futures
import glob
import io
import json
import os
import queue
import subprocess
import sys
import unittest

# Begun first, so that none of them is left to one core at the end while others have nothing to do.
LONGEST = ("test_axe", "test_keyboard", "test_selftest")


def answer(folder):
    """Runs the files that stdin names, a line each, and says of each in a line of JSON what came of it."""
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What tests print themselves is no answer.
    sys.path.insert(0, folder)
    for name in sys.stdin:
        said = io.StringIO()
        result = unittest.TextTestRunner(stream=said).run(unittest.defaultTestLoader.loadTestsFromName(name.strip()))
        for test, reason in result.skipped:
            said.write(f"skipped: {test}: {reason}\n")
        failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses) + len(result.skipped)
        # A file that cannot be set up fails before any of its tests has run.
        passed = max(0, result.testsRun - failed)
        told.write(json.dumps([passed, failed, said.getvalue()]) + "\n")
        told.flush()


def ask(folder, names):
    """Has one process run files until none is left; returns how many tests passed and failed."""
    command = [sys.executable, os.path.abspath(__file__), folder, "--answer"]
    passed, failed, name = 0, 0, None
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            while True:
                name = names.get_nowait()
                process.stdin.write(name + "\n")
                process.stdin.flush()
                ok, bad, said = json.loads(process.stdout.readline())
                print(f"{name}\n{said}", flush=True)
                passed, failed = passed + ok, failed + bad
        except queue.Empty:
            process.stdin.close()
        except (ValueError, OSError):
            print(f"FAILED: {name} ended the process that ran it", flush=True)
            failed += 1
    return passed, failed


def main(folder):
    names = queue.SimpleQueue()
    found = [os.path.basename(path)[:-3] for path in glob.glob(os.path.join(folder, "test_*.py"))]
    for name in sorted(found, key=lambda name: (name not in LONGEST, name)):
        names.put(name)
    cores = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        counts = list(pool.map(lambda _: ask(folder, names), range(cores)))
    failed = sum(bad for _, bad in counts) + names.qsize()
    print(f"{sum(ok for ok, _ in counts)} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if sys.argv[2:] == ["--answer"]:
    answer(sys.argv[1])
else:
    main(sys.argv[1])
