"""pandas, polars and DuckDB read every CSV table with the types it has, and the same figures to the last digit."""

import fractions
import math
import re
import unittest

import duckdb
import pandas
import polars

import nights
import tables
from each import each

READ = ["offering-price-test", "tiers-and-credits", "names", "large-money"]
TYPED_DIFFERENTLY = "{} of {} is {} in {}"


def same(value, text, sort):
    """Whether a reader's value is what the file says; a whole number may be read as the nearest double."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return text == ""
    if isinstance(value, int) and sort == "number":
        return value == fractions.Fraction(text)
    return value == tables.meant(text, sort)


@each(READ)
class Frames(unittest.TestCase):
    def each_table(self, name):
        for table, path in tables.paths(nights.folder(name)).items():
            head, rows = tables.rows(path)
            if rows:
                yield table, path, head, rows

    def hold(self, table, head, rows, columns, fits):
        """Every column has a fitting type unless it is empty, and every number is the one in the file."""
        for place, column in enumerate(head):
            sort, texts = tables.kind(table, column), [row[place] for row in rows]
            if sort == "text" and any(texts) and all(re.fullmatch(r"\d+\.\d+", text) for text in texts if text):
                sort = "number"  # a display price without a sign, to readers that are not told otherwise
            values, read_as = columns(column)
            if any(texts):
                self.assertTrue(fits(sort, read_as, texts), TYPED_DIFFERENTLY.format(column, table, read_as, sort))
            if sort in ("number", "yes or no"):
                for text, value in zip(texts, values, strict=True):
                    self.assertTrue(same(value, text, sort), f"{column} of {table}: {value!r} for {text!r}")

    def check_pandas_reads_every_table(self, name):
        def fits(sort, read_as, texts):
            if sort == "number":
                return read_as.kind in "ifO"  # sums wider than 64 bits are Python's own integers
            if sort == "yes or no":
                return read_as.kind == "b" or not all(texts)
            return not pandas.api.types.is_numeric_dtype(read_as)

        for table, path, head, rows in self.each_table(name):
            frame = pandas.read_csv(path)
            self.hold(table, head, rows, lambda column: (frame[column].tolist(), frame[column].dtype), fits)
            for column in {"as_of", "day"} & set(head) if table == "daily" else {"as_of"} & set(head):
                self.assertEqual(pandas.to_datetime(frame[column], format="ISO8601", utc=True).isna().sum(), 0)

    def check_duckdb_reads_every_table(self, name):
        wanted = {"number": ("BIGINT", "DOUBLE", "HUGEINT"), "yes or no": ("BOOLEAN",), "text": ("VARCHAR",), "date": ("DATE",),
                  "time": ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE")}
        base = duckdb.connect()
        for table, path, head, rows in self.each_table(name):
            read = base.read_csv(path, sample_size=-1)
            types = dict(zip(read.columns, map(str, read.types)))
            values = dict(zip(read.columns, zip(*read.fetchall())))
            self.hold(table, head, rows, lambda column: (values[column], types[column]), lambda sort, read_as, _: read_as in wanted[sort])

    def check_polars_reads_every_table(self, name):
        def fits(sort, read_as, _):
            return {"number": read_as.is_numeric(), "yes or no": read_as == polars.Boolean}.get(sort, read_as == polars.String)

        for table, path, head, rows in self.each_table(name):
            frame = polars.read_csv(path, infer_schema_length=None)
            self.hold(table, head, rows, lambda column: (frame[column].to_list(), frame[column].dtype), fits)


class OddIds(unittest.TestCase):
    """Ids that look like numbers, dates or formulas: kept by every reader that is told which columns are text."""

    def test_no_reader_changes_an_id(self):
        for table, path in tables.paths(nights.folder("odd-ids")).items():
            head, rows = tables.rows(path)
            texts = [place for place, column in enumerate(head) if tables.kind(table, column) == "text"]
            wanted = [[row[place] for place in texts] for row in rows]
            names = [head[place] for place in texts]
            typed = {column: str for column in names}
            self.assertEqual(pandas.read_csv(path, dtype=typed, keep_default_na=False)[names].values.tolist(), wanted)
            read = duckdb.read_csv(path, all_varchar=True).select(*(duckdb.ColumnExpression(column) for column in names))
            self.assertEqual([[cell or "" for cell in row] for row in read.fetchall()], wanted)
            frame = polars.read_csv(path, schema_overrides={column: polars.String for column in names}, infer_schema_length=None)
            self.assertEqual([[cell or "" for cell in row] for row in frame.select(names).rows()], wanted)

    def test_the_groups_are_the_ones_that_were_assigned(self):
        path = tables.paths(nights.folder("odd-ids"))["group_metrics"]
        head, rows = tables.rows(path)
        groups = {tables.bare(row[head.index("test_group_id")]) for row in rows}
        world = next(world for world in nights.hard_worlds.WORLDS if world.name == "odd-ids")
        self.assertEqual(groups, {group.name for group in world.groups})
