"""A night published upon what earlier versions have left: their nights stand in `results.sqlite`, row by row, and their folders tell.

`earlier/` has the folders of two nights each, as programs of those days wrote them:

    layout-1.tar.xz    version 0.1.0 of 22 November 2026, noon: columns without types, tables without the night
    layout-2.tar.xz    of that evening: every column typed
    layout-3.tar.xz    as it was released: `daily` is a view
"""

import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import unittest

import nights
from each import each
from tables import IN_SQL

EARLIER = os.path.join(nights.HERE, "earlier")
HISTORIES = {"daily", "arrivals", "inputs"}
LAYOUTS = ["layout-1", "layout-2", "layout-3"]
OLD_NIGHTS, NEW_NIGHT = ["2026-04-20", "2026-04-21"], "2026-04-22"
TABLES = "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY name"


def rows(path, query, *values):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
        base.row_factory = sqlite3.Row
        return [dict(row) for row in base.execute(query, values)]


def plain(value):
    """A value whatever type the column had: the same number, the same text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None if value in (None, "") else str(value)


def of_old_nights(path):
    """By table the rows of the earlier versions' nights, in no order; of those that are views now what they tell, however that is stored."""
    night = {row["as_of"]: str(row["night"]) for row in rows(path, "SELECT as_of, night FROM nights")}
    tables, views = ({row["name"] for row in rows(path, TABLES, kind)} for kind in ("table", "view"))
    tables |= HISTORIES & views
    tables -= {f"{name}_history" for name in HISTORIES} | {"night_checksums", "columns"}
    def named(row):
        return {IN_SQL.get(column, column): value for column, value in row.items()}
    return {table: [named(row) for row in rows(path, f'SELECT * FROM "{table}"') if night[row["as_of"]] in OLD_NIGHTS] for table in tables}


class Upgraded:
    """A folder of an earlier version, and the night after it by the program under test."""

    def __init__(self, layout, folder):
        self.output = os.path.join(folder, "reports")
        with tarfile.open(os.path.join(EARLIER, layout + ".tar.xz")) as archive:
            archive.extractall(self.output, filter="data")
        for name in ("jobs", "logs"):
            shutil.copytree(os.path.join(EARLIER, name), os.path.join(folder, name))
        self.job = os.path.join(folder, "jobs", "spring.yml")
        self.place = os.path.join(self.output, "spring")
        self.database = os.path.join(self.place, "results.sqlite")
        self.before = of_old_nights(self.database)

    def run(self, command, *arguments):
        return subprocess.run([nights.BINARY, command, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)

    def night(self, date=NEW_NIGHT):
        return self.run("run", self.job, "--date", date, "--output", self.output, "--progress", "never")


@each(LAYOUTS)
class Upgrade(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="offerlift-upgrade-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def published(self, layout):
        upgraded = Upgraded(layout, self.folder)
        done = upgraded.night()
        self.assertEqual(done.returncode, 0, done.stderr)
        return upgraded

    def check_every_row_of_the_earlier_nights_stands(self, layout):
        upgraded = self.published(layout)
        after = of_old_nights(upgraded.database)
        self.assertIn("daily", upgraded.before)
        for table, were in upgraded.before.items():
            are = after[table]
            columns = sorted(set(were[0]) & set(are[0])) if were and are else []
            sort = lambda told: sorted(repr([plain(row[column]) for column in columns]) for row in told)
            self.assertEqual(len(were), len(are), table)
            self.assertEqual(sort(were), sort(are), table)

    def check_the_new_night_is_there_and_every_view_answers(self, layout):
        upgraded = self.published(layout)
        path = upgraded.database
        self.assertEqual([row["night"] for row in rows(path, "SELECT night FROM nights ORDER BY night")], [*OLD_NIGHTS, NEW_NIGHT])
        self.assertEqual(rows(path, "PRAGMA integrity_check"), [{"integrity_check": "ok"}])
        self.assertEqual(os.readlink(os.path.join(upgraded.place, "latest")), NEW_NIGHT)
        for view in (row["name"] for row in rows(path, TABLES, "view")):
            rows(path, f'SELECT * FROM "{view}"')
        users = rows(path, "SELECT DISTINCT night, users FROM group_metrics WHERE metric = 'paying_conversion_7d' AND segment = 'all'")
        self.assertEqual({row["users"] for row in users}, {50}, users)

    def check_a_second_night_follows_and_the_first_can_be_published_again(self, layout):
        upgraded = self.published(layout)
        for date in ("2026-04-23", OLD_NIGHTS[-1]):
            done = upgraded.night(date)
            self.assertEqual(done.returncode, 0, done.stderr)
        found = [row["night"] for row in rows(upgraded.database, "SELECT night FROM nights ORDER BY night")]
        self.assertEqual(found, [*OLD_NIGHTS, NEW_NIGHT, "2026-04-23"])

    def check_a_page_is_made_of_an_earlier_versions_folder(self, layout):
        upgraded = Upgraded(layout, self.folder)
        done = upgraded.run("report", os.path.join(upgraded.place, OLD_NIGHTS[0]))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(upgraded.place, OLD_NIGHTS[0], "report.html"), encoding="utf-8") as page:
            self.assertIn("</html>", page.read())

    def check_a_lost_history_is_no_beginning_and_comes_back_from_the_folders(self, layout):
        upgraded = Upgraded(layout, self.folder)
        os.remove(upgraded.database)
        done = upgraded.night()
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("offerlift rebuild", done.stderr)
        done = upgraded.run("rebuild", upgraded.place)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [row["night"] for row in rows(upgraded.database, "SELECT night FROM nights ORDER BY night")]
        self.assertEqual(found, OLD_NIGHTS)
        self.assertEqual(upgraded.night().returncode, 0)


if __name__ == "__main__":
    unittest.main()
