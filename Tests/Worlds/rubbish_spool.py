"""What waits on a disk beyond `--memory` finds no room there, is not given back, or the run dies with it."""

import errno
import os
import random

from bench import NEXT_T, Bench, clean, purchase
from rubbish_faults import shim

LIMIT = "96M"
ROWS = 300_000
SAMPLE = 12
FAILURES = [errno.ENOSPC, errno.EIO, errno.EDQUOT]


class Spool:
    """A job larger than its memory; all that waits lies in one folder."""

    def __init__(self, bench):
        self.bench, self.shim = bench, shim(bench.folder)
        self.folder, self.log = bench.path("spool"), bench.path("calls")
        bench.publish()
        bench.add_to_job("max_reject_ratio: 1\n")
        # Every eighth row is a reject, told in full: both what is counted and what is not has to wait.
        rows = (purchase(number, price="?" * 150 if number % 8 == 0 else "7.99") for number in range(ROWS))
        bench.write("purchases-2.jsonl", bench.text(rows))
        os.makedirs(self.folder)
        self.before = bench.snapshot()

    def run(self, output="out", **faults):
        """One run whose rows wait in the folder, threads by turns, so that calls keep their numbers."""
        settings = [f"{name}={value}" for name, value in faults.items()]
        command = ["env", f"TMPDIR={self.folder}", f"LD_PRELOAD={self.shim}", f"FAULT_UNDER={self.folder}", *settings]
        run = self.bench.command(as_of=NEXT_T, output=self.bench.path(output), threads=1)
        return self.bench.run([*command, *run, "--memory", LIMIT])

    def calls(self):
        """The calls of a run that goes well, which is not the one whose results have to stand."""
        ran = self.run(output="well", FAULT_LOG=self.log)
        assert ran.code == 0, ran.err
        with open(self.log) as file:
            return [line.split(" ", 2)[1] for line in file]

    def still_stands(self, place):
        assert self.bench.snapshot() == self.before, f"{place}: the old results were touched"
        assert not os.listdir(self.folder), f"{place}: left lying about: {os.listdir(self.folder)}"

    def comes_to_the_same(self):
        """The next run, over whatever the last one left."""
        ran = self.run()
        assert ran.code == 0, ran.err
        self.stands_whole("out")

    def stands_whole(self, output):
        for name in ("sufficient_statistics.csv", "inputs.csv", "rejects.csv.gz"):
            told, well = (self.bench.read(f"{folder}/rubbish/latest/{name}") for folder in (output, "well"))
            assert told == well, f"{output}: {name}"


def chosen(calls, seed, kinds):
    """Numbers of calls: the first of each kind, and a sample of all of those kinds."""
    wanted = [number for number, name in enumerate(calls, 1) if name in kinds]
    return sorted({*(1 + calls.index(name) for name in kinds), *random.Random(seed).sample(wanted, SAMPLE)})


def waiting_rows_find_no_room(binary):
    """One sentence with what to do; the old results stand, nothing is left, and the next run finds nothing amiss."""
    with Bench(binary) as bench:
        spool = Spool(bench)
        calls = spool.calls()
        for number, at in enumerate(chosen(calls, 1, kinds=("open", "pread", "pwrite"))):
            code = FAILURES[number % len(FAILURES)]
            ran = spool.run(FAULT_AT=at, FAULT_ERRNO=code, FAULT_EVER=1)
            place = f"{errno.errorcode[code]} at {at} of {len(calls)}, {calls[at - 1]}"
            clean(ran)
            assert ran.code == 74, f"{place}: {ran.code}: {ran.err[-300:]}"
            assert os.strerror(code) in ran.err and spool.folder in ran.err, f"{place}: {ran.err[-300:]}"
            spool.still_stands(place)
        spool.comes_to_the_same()


def no_files_without_names(binary):
    """Where a file system has none, the name is taken away at once."""
    with Bench(binary) as bench:
        spool = Spool(bench)
        assert spool.calls()[0] == "open"
        ran = spool.run(output="named", FAULT_AT=1, FAULT_ERRNO=errno.EOPNOTSUPP)
        clean(ran)
        assert ran.code == 0, ran.err
        spool.still_stands("named")
        spool.stands_whole("named")


def dies_with_rows_waiting(binary):
    """Killed while its rows wait, a run leaves none of them behind."""
    with Bench(binary) as bench:
        spool = Spool(bench)
        calls = spool.calls()
        for at in chosen(calls, 2, kinds=("pread", "pwrite")):
            ran = spool.run(FAULT_AT=at, FAULT_KILL=1)
            assert ran.code == -9, f"{at}: {ran.code}: {ran.err[-300:]}"
            spool.still_stands(f"killed at {at} of {len(calls)}, {calls[at - 1]}")
        spool.comes_to_the_same()


CASES = [waiting_rows_find_no_room, no_files_without_names, dies_with_rows_waiting]
