"""results.xlsx, read by openpyxl and opened by LibreOffice, also where a comma is the decimal mark: the CSV tables, typed.

Ids stay texts, whatever they look like; dates are dates; what looks like a formula is shown and not computed.
"""

import datetime
import os
import unittest

import openpyxl

import nights
import office
import tables
from each import each

NIGHTS = ["offering-price-test", "tiers-and-credits", "names", "odd-ids"]
COUNTRIES = {"en-US": (".", "TRUE", "FALSE"), "de-DE": (",", "WAHR", "FALSCH")}
DIGITS = 15  # of a number, as spreadsheets show them


def workbook(name):
    return os.path.join(nights.folder(name), "results.xlsx")


def filled(name):
    """The tables that have rows: name, columns, rows."""
    for table, path in tables.paths(nights.folder(name)).items():
        head, rows = tables.rows(path)
        if rows:
            yield table, head, rows


@each(NIGHTS)
class Workbook(unittest.TestCase):
    def check_every_cell_has_its_type_and_its_figure(self, name):
        book = openpyxl.load_workbook(workbook(name), data_only=False)
        for table, head, rows in filled(name):
            first, *body = book[table].iter_rows(values_only=True)
            self.assertEqual(list(first), head)
            self.assertEqual(len(body), len(rows), table)
            for row, cells in zip(rows, body):
                for column, text, cell in zip(head, row, cells):
                    self.cell(f"{table}.{column}", tables.kind(table, column), text, cell)

    def cell(self, where, sort, text, cell):
        wanted = tables.meant(tables.bare(text), sort)
        if where.split(".")[1].startswith("sum_") and isinstance(cell, str):
            self.assertEqual(cell, text, where)  # an exact sum of more digits than a spreadsheet's number holds
        elif sort == "number" and wanted is not None:
            self.assertIsInstance(cell, (int, float), where)
            self.assertEqual(float(cell), wanted, where)
        elif sort in ("time", "date") and wanted is not None:
            self.assertIsInstance(cell, datetime.datetime, where)
            self.assertLess(abs(cell - wanted), datetime.timedelta(seconds=1), where)
        else:
            self.assertEqual(cell, wanted, where)
            self.assertIs(type(cell), type(wanted), where)

    def check_no_cell_is_a_formula(self, name):
        book = openpyxl.load_workbook(workbook(name), data_only=False)
        formulas = [cell.coordinate for sheet in book for row in sheet for cell in row if cell.data_type == "f"]
        self.assertEqual(formulas, [])


@each(COUNTRIES)
class Spreadsheet(unittest.TestCase):
    """What a person sees in LibreOffice."""

    def shown(self, country, sort, text):
        _, yes, no = COUNTRIES[country]
        value = tables.meant(tables.bare(text), sort)
        if value is None:
            return ""
        if sort == "yes or no":
            return yes if value else no
        if sort in ("time", "date"):
            return value.strftime("%Y-%m-%d %H:%M" if sort == "time" else "%Y-%m-%d")
        return value

    def check_the_workbook_shows_what_the_tables_say(self, country):
        mark = COUNTRIES[country][0]
        thousands = {".": ",", ",": "."}[mark]
        for name in ("odd-ids", "offering-price-test"):
            shown = office.sheets(workbook(name), country)
            for table, head, rows in filled(name):
                self.assertEqual(shown[table][0], head)
                self.assertEqual(len(shown[table]), len(rows) + 1, table)
                for row, cells in zip(rows, shown[table][1:]):
                    for column, text, cell in zip(head, row, cells):
                        sort = tables.kind(table, column)
                        if sort != "number" or text == "":
                            self.assertEqual(cell, self.shown(country, sort, text), f"{table}.{column}")
                            continue
                        # Money is shown with two decimals, other numbers with the digits that a spreadsheet holds.
                        value, decimals = float(cell.replace(thousands, "").replace(mark, ".")), len(cell.partition(mark)[2])
                        near = 0.0051 if decimals == 2 else abs(float(text)) * 10.0 ** (1 - DIGITS)
                        self.assertLessEqual(abs(value - float(text)), near, f"{table}.{column}: {cell} for {text}")

    def check_a_csv_table_opens_with_its_numbers(self, country):
        """With the import's language set to English (USA), which the dialog asks for."""
        mark = COUNTRIES[country][0]
        path = tables.paths(nights.folder("offering-price-test"))["comparisons"]
        head, rows = tables.rows(path)
        shown = office.sheets(path, country, "Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true")["comparisons"]
        lift = head.index("rel_lift")
        self.assertEqual(shown[0], head)
        for row, cells in zip(rows, shown[1:], strict=True):
            if row[lift]:
                self.assertAlmostEqual(float(cells[lift].replace(mark, ".")), float(row[lift]), 12)

    def check_a_csv_table_runs_no_formula(self, country):
        path = tables.paths(nights.folder("odd-ids"))["products"]
        shown = office.sheets(path, country, "Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true")["products"]
        product = shown[0].index("product_id")
        self.assertIn("=1+1", {tables.bare(row[product]) for row in shown[1:]})
