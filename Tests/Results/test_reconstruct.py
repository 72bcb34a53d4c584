"""jobs/reconstruct.ipynb finds every figure of the sample nights from their sums, and no other figure."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import tempfile
import unittest

import nights
from each import each

PATH = os.path.join(nights.ROOT, "jobs", "reconstruct.ipynb")
NIGHT = "offering-price-test"


def cells():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)["cells"]


def run(night):
    """What the notebook's code prints for a night; fails as it does."""
    said = io.StringIO()
    os.environ["NIGHT"] = night
    try:
        with contextlib.redirect_stdout(said):
            names = {}
            for cell in cells():
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), "reconstruct.ipynb", "exec"), names)
    finally:
        del os.environ["NIGHT"]
    return said.getvalue()


@each(nights.SAMPLES)
class Reconstruct(unittest.TestCase):
    def check_every_figure_comes_out_of_the_sums(self, name):
        said = run(nights.folder(name))
        figures, differing = map(int, re.search(r"(\d+) figures, (\d+) differ", said).groups())
        compared, left = map(int, re.search(r"(\d+) comparisons are of these sums, (\d+) of", said).groups())
        self.assertEqual(differing, 0)
        self.assertGreaterEqual(compared, 5 * left)
        self.assertGreater(figures, 20 * compared)

    def test_nothing_of_the_sample_night_is_left_out(self):
        with open(os.path.join(nights.folder(NIGHT), "comparisons.csv"), encoding="utf-8") as file:
            comparisons = len(list(csv.DictReader(file)))
        self.assertIn(f"{comparisons} comparisons are of these sums, 0 of", run(nights.folder(NIGHT)))

    def spoilt(self, table, column, change):
        """A copy of the night in which the last filled cell of a column is another."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name in ("sufficient_statistics", "group_metrics", "comparisons"):
            shutil.copy(os.path.join(nights.folder(NIGHT), name + ".csv"), folder)
        path = os.path.join(folder, table + ".csv")
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        row = next(row for row in reversed(rows) if row[column] not in ("", "0") and row["kind"] == "mean")
        row[column] = change(row[column])
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        return folder

    def test_a_sum_that_is_off_by_one_thousandth_is_seen(self):
        with self.assertRaises(AssertionError):
            run(self.spoilt("sufficient_statistics", "sum_yy", lambda text: str(int(text) * 1001 // 1000)))

    def test_a_published_digit_that_is_off_is_seen(self):
        for column in ("seq_rel_ci_high", "p_value_adjusted", "decided_ci_low", "mde_rel"):
            with self.subTest(column), self.assertRaises(AssertionError):
                run(self.spoilt("comparisons", column, lambda text: repr(float(text) * (1 + 1e-9))))

    def test_it_holds_no_output_and_no_path_of_a_machine(self):
        for cell in cells():
            self.assertFalse(cell.get("outputs"))
            self.assertNotRegex("".join(cell["source"]), r"/(home|work|tmp|Users)/")
