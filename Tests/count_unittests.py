"""Runs the `test_*.py` of a folder and prints `N passed, N failed`.

A test that was skipped counts as failed: nothing may be left out silently.
"""

import sys
import unittest


def main(folder):
    sys.path.insert(0, folder)
    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.TestLoader().discover(folder))
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses) + len(result.skipped)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main(sys.argv[1])
