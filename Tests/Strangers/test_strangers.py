"""Strangers' data sets, from two files to a first report whose sums are those of an independent count."""

import csv
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import datasets

BINARY = str(Path(os.environ["OFFERLIFT"]).resolve())


class Strangers(unittest.TestCase):
    """One test a data set."""

    def type(self, folder, words):
        """Types one command, and counts it."""
        self.commands += 1
        return subprocess.run([BINARY, *words], cwd=folder, capture_output=True, text=True, check=False)

    def first_report(self, data, folder):
        """Types what init says to type until there is a report, and returns its rows."""
        files = ["--assignments", data.assignments, "--purchases", data.purchases, "--name", "first"]
        outcome = self.type(folder, ["init", *files, *data.options])
        if outcome.returncode and data.answers:
            outcome = self.type(folder, ["init", *files, *data.options, *data.answers, "--force"])
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
        self.assertIn("\nThis job will run.\n", outcome.stdout, outcome.stderr)
        typed = re.findall(r"^  offerlift (.*)$", outcome.stdout, re.M)
        self.assertEqual([line.split()[0] for line in typed], ["check", "run"], outcome.stdout)
        for line in typed:
            done = self.type(folder, shlex.split(line))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertLessEqual(self.commands, 5)
        with (folder / "reports/first/latest/group_metrics.csv").open(newline="") as file:
            return [row for row in csv.DictReader(file) if row["segment"] == "all"]

    def hold(self, make):
        """Compares every group's users, money and payers in every window with the data set's own."""
        self.commands = 0
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            data = make(folder)
            rows = self.first_report(data, folder)
        cutoff = datetime.fromisoformat(rows[0]["as_of"])
        groups = sorted({group for group, _ in data.users.values()})
        self.assertEqual(sorted({row["test_group_id"] for row in rows}), groups)
        compared = 0
        for row in rows:
            found = re.fullmatch(r"(revenue_net|paying_conversion)_(\d+)d", row["metric"])
            if not found:
                continue
            users, money, payers = data.figures(row["test_group_id"], int(found[2]), cutoff)
            self.assertGreater(payers, 10)
            self.assertEqual(int(row["users"]), users, row)
            self.assertEqual(Decimal(row["numerator"]), money if found[1] == "revenue_net" else payers, row)
            compared += 1
        self.assertGreaterEqual(compared, 2 * len(groups))


def add(make):
    """Gives a data set its test."""
    def test(self):
        self.hold(make)

    test.__doc__ = make.__doc__
    setattr(Strangers, f"test_{make.__name__}", test)


for each in datasets.ALL:
    add(each)
