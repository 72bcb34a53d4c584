"""What a screen reader tells of the samples' pages, folded as they open, against `snapshots/`; `RECORD_SNAPSHOTS=1` records anew and fails the run."""

import difflib
import os
import unittest

import browser
from each import each
from nights import SAMPLES

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "snapshots")


@each(SAMPLES)
class Snapshots(unittest.TestCase):
    maxDiff = None

    def check_the_page_says_what_it_said(self, name):
        with browser.report(name, unfolded=False) as page:
            told = page.locator("body").aria_snapshot() + "\n"
        path = os.path.join(FOLDER, name + ".txt")
        if os.environ.get("RECORD_SNAPSHOTS"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(told)
            self.fail(f"recorded {path}")
        with open(path, encoding="utf-8") as file:
            changed = list(difflib.unified_diff(file.read().splitlines(), told.splitlines(), "snapshot", "page", lineterm="", n=1))
        self.assertFalse(changed, "\n".join(changed[:60]) + "\nRECORD_SNAPSHOTS=1 Tests/run.sh records what is shown now.")
