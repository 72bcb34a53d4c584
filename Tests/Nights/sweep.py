"""Each writing call of one night fails in turn, four ways: an error of the disk, no room, half a write, the end of the run.

Of two nights: one that comes after six others, and one that is published again where somebody has left a note in its
folder. There is a state that has most of the files.
"""

from collections import Counter
import errno
import os
import shutil

from spoiling import WRITES
from world import DAY, Test
from year import Year

NIGHTS_BEFORE = 6
STORES_BYTES = ("write", "pwrite", "pwrite64")
WAYS = {
    "EIO": (errno.EIO, {}),
    "ENOSPC": (errno.ENOSPC, {}),
    "short write": (0, {"FAULT_SHORT": 1}),
    "kill": (0, {"FAULT_KILL": 1}),
}


class Sweep:
    """A night ready to be spoiled, and put back as often."""

    def __init__(self, seed, folder, binary, libraries, again):
        os.makedirs(folder)
        self.year = year = Year(seed, folder, binary, None, libraries, NIGHTS_BEFORE + 1)
        year.threads = 1
        year.test = Test(seed, 1, year.date, NIGHTS_BEFORE + 20, year.zone, folder)
        for night in range(NIGHTS_BEFORE + 1):
            year.test.evening(night)
            year.undisturbed(year.date)
            if night < NIGHTS_BEFORE or again:
                year.settle(year.run())
            if night < NIGHTS_BEFORE:
                year.date += DAY
        if again:
            year.leave_a_note()
        self.sound = os.path.join(folder, "sound")
        shutil.copytree(year.place, self.sound, symlinks=True)
        self.calls = year.calls_of_night()

    def trials(self):
        """(number of the call, way)."""
        for number, (name, _) in enumerate(self.calls, 1):
            for way in WAYS if name in WRITES else ():
                if way != "short write" or name in STORES_BYTES:
                    yield number, way

    def attempt(self, number, way):
        """None, or what was broken."""
        year, (code, more) = self.year, WAYS[way]
        shutil.rmtree(year.place)
        shutil.copytree(self.sound, year.place, symlinks=True)
        year.log = [f"call {number}, {' '.join(self.calls[number - 1])}: {way}"]
        try:
            year.spoil(number, code, **more)
            year.settle(year.run())
            year.compare(year.date, whole=False)
        except AssertionError as error:
            return "\n    ".join(year.log) + f"\n  {error}"
        finally:
            year.heal()
        return None


def sweep(binary, libraries, seed, again, part, parts, folder):
    """(trials by way, how many were broken) of each `parts`-th trial from `part` on; tells each that is."""
    swept = Sweep(seed, folder, binary, libraries, again)
    counts, broken = Counter(), 0
    for number, way in list(swept.trials())[part::parts]:
        counts[way] += 1
        problem = swept.attempt(number, way)
        if problem:
            broken += 1
            print(problem, flush=True)
    night = "a night published again" if again else "a next night"
    print(f"{night}: " + ", ".join(f"{way} {count}" for way, count in counts.items()) + f"; {broken} broken", flush=True)
    return counts, broken
