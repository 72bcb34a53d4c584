"""Every figure of every table of a page, and of its sentences on top, is a figure of the CSV tables, rounded."""

import collections
import decimal
import functools
import json
import math
import os
import datetime
import re
import unittest

import browser
import figures
import nights
from each import each, none
from nights import HARD, SAMPLES

READ = """() => [...document.querySelectorAll("table")].map((table) => {
  let part = table; while (!part.querySelector(":scope > h2, :scope > h3")) part = part.parentElement;
  const cells = (row) => [...row.cells].map((cell) => cell.innerText.trim().replace(/\\s+/g, " "));
  return {title: part.querySelector("h2, h3").innerText.trim(), heads: cells(table.tHead.rows[0]), rows: [...table.tBodies[0].rows].map(cells)};
})"""
SHOWN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


@functools.cache
def shown(name):
    """What a page shows: its tables, and its sentences on top."""
    with browser.report(name) as page:
        return page.evaluate(READ), page.locator(".calls li").all_inner_texts()


class Page:
    """The tables of a page beside the CSV tables of its night."""

    def __init__(self, name):
        self.folder = nights.folder(name)
        self.tables, self.calls = shown(name)
        self.csv = {}
        self.faults = []
        # A label means one metric all over the page: those that every row with it can be.
        self.meanings = collections.defaultdict(lambda: None)

    def rows(self, table):
        if table not in self.csv:
            self.csv[table] = figures.rows_of(self.folder, table)
        return self.csv[table]

    def numbers(self, table, *columns):
        return [float(row[column]) for row in self.rows(table) for column in columns if row[column]]

    def compare(self):
        for table in self.tables:
            kind = figures.kind_of(table["heads"])
            if kind is None:
                self.faults.append(f"{table['title']}: nobody says where its figures come from: {table['heads']}")
                continue
            for cells in table["rows"]:
                self.row(table, kind, cells)
        self.faults += [f"“{label}” is no one metric" for label, metrics in self.meanings.items() if not metrics]
        return self.faults

    def row(self, table, kind, cells):
        _, csv, keys, columns = kind
        heads = table["heads"][:len(cells)]
        if "difference" in heads and heads[-1] != "interval":
            heads[-1] = "interval"  # the picture's scale stands for a head
        if csv == "comparisons":
            cells = [self.uncounted(cell, table) for cell in cells]
        by_head = dict(zip(heads, cells))
        if csv == "states":
            return self.states(table, cells)
        wanted = {head: column for head, column in columns.items() if head in by_head}
        if "cannot take it" in cells:
            wanted = {}  # the table has the 0 that a step nobody of the group can take comes to
        fitting = [row for row in self.rows(csv) if self.named(row, table, keys, by_head)]
        fitting = [row for row in fitting if all(figures.tells(row, wanted[head], by_head[head]) for head in wanted)]
        if "group and decision" in heads and "segment" not in heads:
            fitting = [row for row in fitting if row["segment"] == "all" and figures.tells(row, ["baseline_value"], cells[2])]
        if not fitting:
            self.faults.append(f"{table['title']}: {' | '.join(cells)} is no row of {csv}.csv")
        label = by_head.get("metric") or (table["title"] if csv in ("daily", "retention", "retention_renewals") else None)
        if label and fitting:
            label = re.sub(r",? by (renewals due|day)$", "", label)
            metrics = {row["metric"] for row in fitting}
            known = self.meanings[label]
            self.meanings[label] = metrics if known is None else known & metrics

    def uncounted(self, cell, table):
        """A share without what it is of, which has to be a numerator and a denominator of group_metrics.csv that come to it."""
        found = figures.COUNTS.search(cell)
        if not found:
            return cell
        share, counts = cell[:found.start()], [part.replace(",", "") for part in found.groups()]
        if not any([row["numerator"], row["denominator"]] == counts and figures.tells(row, ["value"], share) for row in self.rows("group_metrics")):
            self.faults.append(f"{table['title']}: {cell} is not of group_metrics.csv")
        return share

    def named(self, row, table, keys, by_head):
        """Whether a CSV row is of the group and of what else names a row of the page."""
        group = by_head.get("group and decision") or by_head.get("group") or by_head.get("a user of")
        if "test_group_id" in row and not (group == row["test_group_id"] or group.startswith(row["test_group_id"] + " ")):
            return False
        if "funnel" in row and row["funnel"] not in table["title"]:
            return False
        if "attribute" in row and not (row["attribute"] in table["heads"] and by_head[row["attribute"]] == row["value"]):
            return False
        return all(self.same(row[column], by_head[head]) for head, column in keys.items())

    @staticmethod
    def same(value, cell):
        """Whether a cell names what a column does; a failure without a code says `none`."""
        return cell in (value or "none", value.replace("_", " ")) or re.match(re.escape(value) + r"(\. | \()", cell) is not None

    def states(self, table, cells):
        """A line a state with a column a group; of many groups a line for each."""
        by_group = [(cells[1], cells[2])] if table["heads"][1:] == ["group", "users"] else zip(table["heads"][1:], cells[1:])
        for group, cell in by_group:
            rows = [row for row in self.rows("states") if row["test_group_id"] == group and row["state"].replace("_", " ") == cells[0]]
            users, _, share = cell.partition(" (")
            if not any(figures.tells(row, ["users"], users) and figures.tells(row, ["share"], share) for row in rows):
                self.faults.append(f"{table['title']}: {cells[0]} of {group}: {cell} is not in states.csv")


def spoken(name):
    """A group's name as sentences have it, which put it in quotes where they must."""
    return name.replace('"', "'")


@each(SAMPLES + HARD)
class Figures(unittest.TestCase):
    def check_every_table_is_the_csv_tables(self, name):
        page = Page(name)
        self.assertTrue(page.tables)
        none(self, page.compare())

    def without_days(self, text, verdicts):
        """The sentence without the days since which its calls stand, which the table has."""
        for said in re.findall(r"shown on (\d+ \w+ \d{4})", text):
            day = datetime.datetime.strptime(said, "%d %B %Y").date().isoformat()
            self.assertIn(day, [row["shown_on"] for row in verdicts])
            text = text.replace(f"shown on {said}", "")
        return text

    def check_the_sentences_on_top_are_the_comparisons(self, name):
        """Every number of a group's line is one of its rows of comparisons.csv, or money made of it."""
        page, found = Page(name), []
        for call in page.calls:
            everybody = [row for row in page.rows("comparisons") if row["segment"] == "all"]
            # Of one group alone the call need not name it.
            rows = [row for row in everybody if spoken(row["test_group_id"]) in call] or everybody
            known = sources(page, rows)
            ids = [row["test_group_id"] for row in rows] + [row["baseline_group_id"] for row in rows]
            # How many events are needed depends on how many differences are decided together.
            text = re.sub(r"\d+ are needed to decide", "", call)
            text = self.without_days(text, page.rows("verdicts"))
            for name_of_group in sorted(set(ids), key=len, reverse=True):
                text = text.replace(spoken(name_of_group), " ")
            for number in SHOWN.findall(text):
                if not any(near(value, number) for value in known):
                    found.append(f"{number} of “{call}”")
        none(self, found)


@each(SAMPLES)
class Words(unittest.TestCase):
    def check_the_page_the_summary_and_the_table_say_the_same(self, name):
        page = Page(name)
        told = " ".join(" ".join(page.calls).split())
        with open(os.path.join(page.folder, "summary.md"), encoding="utf-8") as file:
            summary = file.read()
        with open(os.path.join(page.folder, "verdict.json"), encoding="utf-8") as file:
            calls = [call for offering in json.load(file)["offerings"] for call in offering["calls"]]
        self.assertEqual(sorted(group for call in calls for group in call["test_group_ids"]),
                         sorted(row["test_group_id"] for row in page.rows("verdicts")))
        for call in calls:
            for sentence in (call["headline"], call["reason"]):
                self.assertIn(sentence, told)
                self.assertIn(plain(sentence), plain(summary))


def plain(text):
    """A text without Markdown's marks."""
    return re.sub(r"[*\\`]", "", text)


def near(value, number):
    """Whether a number in words is a value: to its last digit, or to its third figure."""
    digits = decimal.Decimal(number.replace(",", ""))
    step = decimal.Decimal(1).scaleb(digits.as_tuple().exponent)
    third = decimal.Decimal(1).scaleb(digits.adjusted() - 2) if digits else step
    return abs(abs(decimal.Decimal(value)) - digits) <= max(step, third) / 2 * decimal.Decimal("1.0001")


def effective_events(row):
    """(Σy)²/Σy² of a mean, rounded down to a tenth as the page tells it, from its users, value and standard error."""
    users, mean, error = (float(row[column]) for column in ("users", "value", "std_error"))
    squares = error ** 2 * users * (users - 1) + users * mean ** 2
    return math.floor((users * mean) ** 2 / squares * 10 + 1e-6) / 10 if squares else 0


def sources(page, rows):
    """The values that a sentence about a group may tell: percents, money for 1,000 users, users, nights, levels."""
    known = [0, 95, 1000]
    for row in rows:
        lifts = [float(row[column]) for column in ("rel_lift", "decided_ci_low", "decided_ci_high", "mde_rel", "margin") if row[column]]
        values = [float(row[column]) for column in ("value", "baseline_value") if row[column]]
        known += [lift * 100 for lift in lifts] + values + [value * 100 for value in values]
        known += [int(part) for part in re.findall(r"\d+", row["metric"])]
        if row["baseline_value"]:
            known += [lift * float(row["baseline_value"]) * 1000 for lift in lifts]
    # Where a call stands that tonight would not make, the figures of the day on which it was shown.
    shown = {(row["test_group_id"], row["shown_on"]) for row in page.rows("verdicts") if row["shown_on"]}
    for row in page.rows("daily"):
        if (row["test_group_id"], row["day"]) in shown and row["decided_ci_low"]:
            known += [float(row[column]) * 100 for column in ("rel_lift", "decided_ci_low", "decided_ci_high")]
    known += page.numbers("group_metrics", "users", "immature") + page.numbers("checks", "observed", "expected")
    known += page.numbers("plans", "nights_more", "users_needed", "users_per_day") + [lift * 100 for lift in page.numbers("plans", "lift", "detectable_lift")]
    known += [effective_events(row) for row in page.rows("group_metrics") if row["kind"] == "mean" and row["std_error"] and row["segment"] == "all"]
    known += [float(number) for row in page.rows("checks") for number in re.findall(r"\d+\.\d+", row["message"])]
    expected = page.numbers("verdicts", "expected_lift", "expected_ci_low", "expected_ci_high")
    known += [lift * 100 for lift in expected]
    known += [side * 100 for chance in page.numbers("verdicts", "chance_to_win") for side in (chance, 1 - chance)] + [99]
    return known + page.numbers("verdicts", "worth", "worth_ci_low", "worth_ci_high", "worth_per_month")
