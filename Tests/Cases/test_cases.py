"""One test a case; all are run side by side before the first is asked for."""

from concurrent.futures import ThreadPoolExecutor
import functools
import os
import shutil
import tempfile
import unittest

from every import CASES
from paths import faults


def setUpModule():
    Every.scratch = tempfile.mkdtemp(prefix="offerlift-cases-")
    Every.pool = ThreadPoolExecutor(os.cpu_count())


def tearDownModule():
    Every.pool.shutdown(cancel_futures=True)
    shutil.rmtree(Every.scratch, ignore_errors=True)


class Every(unittest.TestCase):
    """What is common to the classes below, each of which is a family of cases."""

    @classmethod
    def setUpClass(cls):
        """Every fifth case goes all ways, the others the lean walk."""
        cls.outcomes = {case.name: Every.pool.submit(faults, case, Every.scratch, is_lean=place % 5 > 0) for place, case in enumerate(cls.cases)}

    def hold(self, case):
        found = self.outcomes[case.name].result()
        if found:
            self.fail("\n".join([case.story, f"source: {case.source}", *(f"{way}: {fault}" for way, fault in found[:6])]))


def family(name):
    cases = [case for case in CASES if case.family == name]
    tests = {f"test_{case.name}": functools.partialmethod(Every.hold, case) for case in cases}
    return type(name.title().replace("_", ""), (Every,), {"cases": cases} | tests)


globals().update({kind.__name__: kind for kind in map(family, sorted({case.family for case in CASES}))})
