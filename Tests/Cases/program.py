"""The program under test: what a command said, and what a night published."""

import csv
import dataclasses
import decimal
import functools
import glob
import gzip
import os
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.abspath(os.environ.get("OFFERLIFT", os.path.join(ROOT, ".build", "debug", "offerlift")))
PUBLISHED = (0, 3)


@dataclasses.dataclass
class Outcome:
    """The end of one command: its exit code, all it said, and the night's folder if there is one."""

    code: int
    said: str
    night: str | None = None

    @property
    def is_published(self):
        return self.code in PUBLISHED and self.night is not None

    def rows(self, name):
        path = os.path.join(self.night, name)
        if not os.path.exists(path):
            return []
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    @functools.cached_property
    def sums(self):
        """Of each group each metric's sum, of a ratio numerator and denominator, and `users`."""
        found = {}
        for row in self.rows("sufficient_statistics.csv"):
            if row["segment"] != "all":
                continue
            y = decimal.Decimal(row["sum_y"] or 0) / int(row["scale"])
            group = found.setdefault(row["test_group_id"], {"users": 0})
            group[row["metric"]] = [y, decimal.Decimal(row["sum_x"] or 0)] if row["kind"] == "ratio" else y
            group["users"] = max(group["users"], int(row["n"] or 0))
        return found

    @functools.cached_property
    def states(self):
        found = {}
        for row in self.rows("states.csv"):
            if int(row["users"]):
                found.setdefault(row["test_group_id"], {})[row["state"]] = int(row["users"])
        return found

    @functools.cached_property
    def aside(self):
        """Rows of the purchase logs that were set aside, by reason."""
        found = {}
        for row in self.rows("inputs.csv"):
            if row["reason"] and row["input"].startswith("purchase"):
                found[row["reason"]] = found.get(row["reason"], 0) + int(row["rows_set_aside"])
        return found

    def checks(self, name):
        return [row for row in self.rows("checks.csv") if row["check"] == name]


def command(folder, *arguments, timeout=120):
    for name, data in folder.pipes.items():
        threading.Thread(target=feed, args=(os.path.join(folder.path, name), data), daemon=True).start()
    done = subprocess.run([BINARY, *arguments], cwd=folder.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
    return Outcome(done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"))


def feed(path, data):
    with open(path, "wb") as file:
        file.write(data)


def run(folder, *options, output, job=None):
    """One night of the folder's job."""
    outcome = command(folder, "run", job or folder.job_path, "--as-of", folder.as_of, "--output", output, "--progress", "never",
                      *options)
    nights = glob.glob(os.path.join(glob.escape(os.path.join(folder.path, output)), "*", "latest"))
    outcome.night = nights[0] if nights else None
    return outcome


def run_together(folders, *options, output, jobs):
    """One night of many jobs in one process; whoever has none is run by himself, so that what is said is his."""
    for as_of in sorted({folder.as_of for folder in folders}):
        paths = [os.path.join(folder.path, job) for folder, job in zip(folders, jobs) if folder.as_of == as_of]
        subprocess.run([BINARY, "run", *paths, "--as-of", as_of, "--output", output, "--progress", "never", *options],
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    nights = [os.path.join(output, folder.name, "latest") for folder in folders]
    return [Outcome(0, "", night) if os.path.exists(night) else run(folder, *options, output="alone", job=job)
            for folder, job, night in zip(folders, jobs, nights)]


def tables(night):
    """The bytes of every table of a night, unpacked."""
    found = {}
    for name in sorted(os.listdir(night)):
        with open(os.path.join(night, name), "rb") as file:
            if name.endswith(".csv"):
                found[name] = file.read()
            elif name.endswith(".csv.gz"):
                found[name] = gzip.decompress(file.read())
    return found
