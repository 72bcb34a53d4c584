"""Prints `N passed, N failed` for the xUnit files that `swift test` wrote.

A test that was skipped counts as failed, by name: nothing may be left out silently.
"""

import sys
import xml.etree.ElementTree as ElementTree


def main(paths):
    passed = failed = 0
    for path in paths:
        for case in ElementTree.parse(path).iter("testcase"):
            fault = next((tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None), None)
            if fault is None:
                passed += 1
                continue
            failed += 1
            print(f"{fault}: {case.get('classname')}.{case.get('name')}")
    print(f"{passed} passed, {failed} failed")


main(sys.argv[1:])
