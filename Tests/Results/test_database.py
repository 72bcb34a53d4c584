"""results.sqlite: every column typed, the night in every table, views that run, the same figures as the CSV tables."""

import importlib.resources
import os
import sqlite3
import unittest

import duckdb

import nights
import tables
from each import each

FITS = {"number": (int, float), "text": str, "yes or no": int, "time": (str, int), "date": (str, int)}


def database(name):
    return os.path.join(os.path.dirname(nights.folder(name)), "results.sqlite")


def scanner():
    """DuckDB's reader of SQLite files, from PyPI: nothing is fetched when the tests run."""
    package = importlib.resources.files("duckdb_extension_sqlite_scanner")
    return package.joinpath("extensions", "v" + duckdb.__version__, "sqlite_scanner.duckdb_extension")


def query(path, statement):
    """The columns and rows of a statement."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
        done = base.execute(statement)
        return [column[0] for column in done.description], done.fetchall()


def named(path, kind):
    return [name for name, in query(path, f"SELECT name FROM sqlite_master WHERE type = '{kind}' AND name NOT LIKE 'sqlite_%'")[1]]


KEYED = {"comparisons", "group_metrics", "metrics", "money", "plans", "price_response", "states", "sufficient_statistics", "verdicts"}


@each(["offering-price-test", "tiers-and-credits", "odd-ids"])
class Database(unittest.TestCase):
    def check_every_column_has_a_type(self, name):
        path = database(name)
        for table in named(path, "table"):
            for _, column, declared, *_ in query(path, f"PRAGMA table_info({table})")[1]:
                self.assertTrue(declared, f"{table}.{column}")

    def check_rows_have_a_key(self, name):
        path = database(name)
        for table in tables.paths(nights.folder(name)):
            stored = f"{table}_history" if f"{table}_history" in named(path, "table") else table
            self.assertTrue(query(path, f"PRAGMA foreign_key_list({stored})")[1], table)
            keys = [column for _, column, _, _, _, place in query(path, f"PRAGMA table_info({stored})")[1] if place]
            # What comes of files and their names may have rows alike.
            self.assertEqual(bool(keys), table in KEYED, table)
            if not keys:
                continue
            self.assertEqual(keys[:2], ["job", "as_of"], table)
            doubled = query(path, f"SELECT count(*) FROM {stored} GROUP BY {', '.join(keys)} HAVING count(*) > 1")[1]
            self.assertEqual(doubled, [], table)

    def check_the_columns_are_listed(self, name):
        path = database(name)
        listed = query(path, "SELECT table_name, column_name, meaning FROM columns")[1]
        for table in tables.paths(nights.folder(name)):
            self.assertEqual([column for _, column, *_ in query(path, f"PRAGMA table_info({table})")[1]],
                             [column for place, column, _ in listed if place == table], table)
        self.assertTrue(all(meaning for *_, meaning in listed))
        metrics = {row[0] for row in query(path, "SELECT DISTINCT metric FROM comparisons")[1]}
        self.assertLessEqual(metrics, {row[0] for row in query(path, "SELECT id FROM metrics WHERE label <> '' AND goal <> ''")[1]})

    def check_every_table_tells_its_night(self, name):
        path, night = database(name), os.path.basename(nights.folder(name))
        for table in tables.paths(nights.folder(name)):
            head, rows = query(path, f"SELECT * FROM {table}")
            self.assertIn("night", head, table)
            self.assertLessEqual({row[head.index("night")] for row in rows}, {night})

    def check_views_run(self, name):
        path = database(name)
        views = named(path, "view")
        self.assertTrue(views)
        for view in views:
            query(path, f"SELECT * FROM {view}")

    def check_the_rows_are_those_of_the_csv_tables(self, name):
        for table, path in tables.paths(nights.folder(name)).items():
            head, rows = tables.rows(path)
            _, kept = query(database(name), f"SELECT {', '.join(map(quoted, head))} FROM {table}")
            self.assertEqual(len(kept), len(rows), table)
            for place, column in enumerate(head):
                sort = tables.kind(table, column)
                for value in (row[place] for row in kept):
                    # Exact sums may be wider than any number of SQLite: they are digits.
                    wide = column.startswith("sum_") and isinstance(value, str) and value.lstrip("-").isdigit()
                    self.assertTrue(value is None or wide or isinstance(value, FITS[sort]), f"{table}.{column}: {value!r}")
                if sort == "number":
                    self.assertEqual(sorted(float(row[place]) for row in kept if row[place] is not None),
                                     sorted(float(row[place]) for row in rows if row[place]), f"{table}.{column}")
                elif sort == "text":
                    self.assertEqual(sorted(row[place] or "" for row in kept), sorted(tables.bare(row[place]) for row in rows), f"{table}.{column}")

    def check_duckdb_reads_every_table_and_view(self, name):
        path = database(name)
        base = duckdb.connect()
        base.execute(f"LOAD '{scanner()}'")
        base.execute(f"ATTACH '{path}' AS results (TYPE sqlite)")
        for table in tables.paths(nights.folder(name)):
            self.assertEqual(base.execute(f"SELECT count(*) FROM results.{table}").fetchone(), query(path, f"SELECT count(*) FROM {table}")[1][0])
            base.execute(f"SELECT * FROM results.{table}").fetchall()
        for view in named(path, "view"):
            base.execute(f"SELECT * FROM results.{view}").fetchall()


def quoted(column):
    return '"' + tables.IN_SQL.get(column, column) + '"'
