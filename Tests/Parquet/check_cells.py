"""Cells of Parquet files at random against what they were written from, and files that are damaged.

    python check_cells.py --cells PARQUET-CELLS [--seed N] [--count N] [--damaged N]

Ends with `N passed, N failed`: a check a file, and a check a damaged one.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import select
import subprocess
import sys
import tempfile
import time

import damage
import random_files

# So much may a process come to, whatever a file says.
MOST_MEMORY = 1 << 30
MOST_SECONDS = 20


class Reader:
    """The program that reads: started anew where it ends, by a signal say."""

    def __init__(self, program, *options):
        self.command, self.process, self.slowest = [program, *options], None, 0

    def read(self, path):
        """Its line about a file; `ended …` or `hung` where there is none."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                errors="replace", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)))
        began = time.monotonic()
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        is_there, _, _ = select.select([self.process.stdout], [], [], MOST_SECONDS)
        line = self.process.stdout.readline().rstrip("\n") if is_there else ""
        self.slowest = max(self.slowest, time.monotonic() - began)
        if line:
            return line
        answer = f"ended with {self.process.wait()}" if is_there else "hung"
        self.close()
        return answer

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process = None


def says(cell, text):
    """Whether a cell that was read is the one that was written."""
    if cell is None or text is None or isinstance(cell, str):
        return cell == text
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str) == cell


def differences(reader, path, cells):
    """Where a file's cells are others than was written."""
    line = reader.read(path)
    if not line.startswith("sound "):
        return [line]
    found = json.loads(pathlib.Path(f"{path}.json").read_text(encoding="utf-8"))
    if found.keys() != cells.keys():
        return [f"columns {sorted(found)}, not {sorted(cells)}"]
    faults = []
    for name, written in cells.items():
        read = found[name]
        wrong = [row for row, cell in enumerate(written) if row >= len(read) or not says(cell, read[row])]
        if len(read) != len(written):
            faults.append(f"{name}: {len(read)} rows, not {len(written)}")
        elif wrong:
            faults.append(f"{name}: row {wrong[0]}: {read[wrong[0]]!r}, not {written[wrong[0]]!r}")
    return faults


class Check:
    """Checks file after file, and counts."""

    def __init__(self, program, keep=None):
        self.texts, self.hashes = Reader(program, "--cells"), Reader(program)
        self.keep = keep
        self.passed = self.failed = 0
        self.faults = []
        self.outcomes, self.programs = collections.Counter(), collections.Counter()

    def note(self, faults, file):
        self.passed, self.failed = self.passed + (not faults), self.failed + bool(faults)
        self.faults += faults
        if faults and self.keep:
            (self.keep / file.name).write_bytes(file.read_bytes())

    def run(self, first, count, damaged):
        """Files of so many seeds from the first on, and so many damaged ones made of them."""
        with tempfile.TemporaryDirectory() as folder:
            other = b""
            for number in range(count):
                share = damaged * (number + 1) // count - damaged * number // count
                other = self.check(pathlib.Path(folder, f"{first + number}.parquet"), first + number, share, other)
        self.texts.close()
        self.hashes.close()

    def check(self, path, seed, damaged, other):
        """A file, and damaged ones made of it and of another; returns its bytes."""
        dice = random.Random(seed)
        program, cells = random_files.write(dice, path)
        self.programs[program] += 1
        self.note([f"seed {seed}, {program}: {fault}" for fault in differences(self.texts, path, cells)], path)
        sound, data = self.hashes.read(path), path.read_bytes()
        pages = damage.pages(data)
        for turn in range(damaged):
            way, spoiled, is_checked = damage.damaged(dice, data, pages, other)
            self.check_damaged(path.with_name(f"{seed}-{turn}.parquet"), f"{program}, {way}", spoiled, sound, is_checked)
        path.unlink()
        pathlib.Path(f"{path}.json").unlink(missing_ok=True)
        return data

    def check_damaged(self, path, way, data, sound, is_checked):
        path.write_bytes(data)
        line = self.hashes.read(path)
        outcome = "a sentence" if line.startswith("fault ") else "the same rows" if line == sound else (
            "other rows" if line.startswith("sound ") else line)
        self.outcomes[way.split(", ")[1], outcome] += 1
        # What no checksum covers says something else when it is changed.
        allowed = ["a sentence", "the same rows", *([] if is_checked else ["other rows"])]
        self.note([] if outcome in allowed else [f"{path.stem}, {way}: {line}"], path)
        path.unlink()

    def told(self):
        """What there was, and what came of it."""
        lines = [f"FAILED: {fault}" for fault in self.faults]
        lines += [f"{program}: {count} files" for program, count in sorted(self.programs.items())]
        lines += [f"{way}: {count} {outcome}" for (way, outcome), count in sorted(self.outcomes.items())]
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        slowest = max(self.texts.slowest, self.hashes.slowest)
        return [*lines, f"the slowest file took {slowest:.2f} s; no process more than {memory} MB"]


def checked(program, first, count, damaged, keep=None):
    """Checks files as `Check.run` does: what is told of them, with each fault, and how many passed and failed."""
    check = Check(program, keep)
    check.run(first, count, damaged)
    return check.told(), check.passed, check.failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--damaged", type=int, default=10_000)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files that fail")
    arguments = parser.parse_args()
    told, passed, failed = checked(arguments.cells, arguments.seed, arguments.count, arguments.damaged, arguments.keep)
    print("\n".join(told))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
