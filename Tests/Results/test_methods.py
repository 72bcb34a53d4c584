"""jobs/methods.md names files and tests that there are, and no file with a formula is missing on it."""

import glob
import os
import re
import unittest

from each import none

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A file of tests in backticks, then the names of its tests.
HELD = re.compile(r'`(\w+)`: ((?:"(?:[^"]+)"(?:, )?)+)')
# What a comment cites: a name, then a year that is none of an example's dates.
CITED = re.compile(r"^\s*///.*\b[A-Z][\w’-]+ (?:et al\. )?\(?(?:18|19|20)\d\d\b(?!-)", re.MULTILINE)
MONTHS = re.compile(r"\d+ (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def sources(folder):
    """The Swift files of a folder of Sources, from there."""
    found = glob.glob(os.path.join(ROOT, "Sources", folder, "**", "*.swift"), recursive=True)
    return sorted(os.path.relpath(path, os.path.join(ROOT, "Sources")) for path in found)


def rows(text):
    """The page's rows of five cells: what, formula, source, code, held by; a bar in a cell stands behind a backslash."""
    cells = [re.split(r"(?<!\\)\|", line.strip())[1:-1] for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in cells if len(row) == 5 and not set(row[0].strip()) <= {"-"} and row[0].strip() != "what"]


class Methods(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = read("jobs/methods.md")
        cls.rows = rows(cls.text)

    def test_every_row_has_its_five_cells(self):
        self.assertGreater(len(self.rows), 60)
        none(self, [row for row in self.rows if not all(row)])

    def test_every_file_of_code_is_there(self):
        named = [path for row in self.rows for path in re.findall(r"`([^`]+)`", row[3])]
        self.assertGreater(len(named), 60)
        none(self, [path for path in named if not os.path.exists(os.path.join(ROOT, "Sources", path))])
        none(self, [row[0] for row in self.rows if not re.search(r"`[^`]+\.swift`", row[3])])

    def test_every_test_that_holds_a_formula_is_there(self):
        faults = []
        for row in self.rows:
            held = HELD.findall(row[4])
            faults += [] if held else [f"{row[0]}: nothing holds it"]
            for name, titles in held:
                files = glob.glob(os.path.join(ROOT, "Tests", "**", name + ".*"), recursive=True)
                if not files:
                    faults.append(f"{row[0]}: no file {name}")
                    continue
                tests = read(files[0])
                faults += [f"{row[0]}: {name} has no “{title}”" for title in re.findall(r'"([^"]+)"', titles) if f'"{title}"' not in tests]
        none(self, faults)

    def test_every_file_of_statistics_is_on_the_page(self):
        none(self, [path for path in sources("Statistics") if f"`{path}`" not in self.text])

    def test_every_file_whose_comment_cites_a_source_is_on_the_page(self):
        citing = [path for room in ("Statistics", "Analysis", "Engine/Aggregation", "Engine/Attribution")
                  for path in sources(room) if CITED.search(MONTHS.sub("", read("Sources/" + path)))]
        self.assertGreater(len(citing), 25)
        none(self, [path for path in citing if f"`{path}`" not in self.text])

    def test_links_lead_somewhere(self):
        links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", self.text)
        none(self, [link for link in links if "://" not in link and not os.path.exists(os.path.join(ROOT, "jobs", link))])
