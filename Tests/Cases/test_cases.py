"""One test a case; all are run side by side before the first is asked for."""

from concurrent.futures import ThreadPoolExecutor
import functools
import os
import shutil
import tempfile
import unittest

from every import CASES
from paths import faults, walk

TOGETHER = 12


def setUpModule():
    Every.scratch = tempfile.mkdtemp(prefix="offerlift-cases-")
    # One more than there are cores, as runs wait for the disk to have written what they publish.
    Every.pool = ThreadPoolExecutor((os.cpu_count() or 1) + 1)


def tearDownModule():
    Every.pool.shutdown(cancel_futures=True)
    shutil.rmtree(Every.scratch, ignore_errors=True)


class Every(unittest.TestCase):
    """What is common to the classes below, each of which is a family of cases."""

    @classmethod
    def setUpClass(cls):
        """Every twelfth case goes each way by itself, the others go two ways, some together."""
        alone, others = cls.cases[::12], [case for place, case in enumerate(cls.cases) if place % 12]
        walks = [others[place:place + TOGETHER] for place in range(0, len(others), TOGETHER)]
        cls.outcomes = {case: Every.pool.submit(lambda case: {case: faults(case, Every.scratch)}, case) for case in alone}
        for cases in walks:
            cls.outcomes |= dict.fromkeys(cases, Every.pool.submit(walk, cases, Every.scratch))

    def hold(self, case):
        found = self.outcomes[case].result()[case]
        if found:
            self.fail("\n".join([case.story, f"source: {case.source}", *(f"{way}: {fault}" for way, fault in found[:6])]))


def family(name):
    cases = [case for case in CASES if case.family == name]
    tests = {f"test_{case.name}": functools.partialmethod(Every.hold, case) for case in cases}
    return type(name.title().replace("_", ""), (Every,), {"cases": cases} | tests)


globals().update({kind.__name__: kind for kind in map(family, sorted({case.family for case in CASES}))})
