"""`verdict.json`: it says what the tables and the page say, and every number of its sentences stands beside them."""

import datetime
import decimal
import json
import math
import os
import re
import unittest

import nights
import tables
from each import each, none
from nights import SAMPLES

NIGHTS = SAMPLES + ["three-offerings", "ratio", "ended", "six-groups", "one-group", "empty", "off-scale"]
MONTHS = "January February March April May June July August September October November December".split()
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
DAY = re.compile(rf"(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})(?:, (\d\d:\d\d))?")


def read(name):
    with open(os.path.join(nights.folder(name), "verdict.json"), encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)


def rows(name, table):
    head, body = tables.rows(os.path.join(nights.folder(name), table + ".csv"))
    return [dict(zip(head, (tables.bare(cell) for cell in row))) for row in body]


def numbers(value):
    """Every number that stands as a field, and how long every list is; what it takes is told as a whole number."""
    if isinstance(value, bool) or value is None:
        return
    elif isinstance(value, (int, decimal.Decimal)):
        yield decimal.Decimal(value)
    elif isinstance(value, list):
        yield decimal.Decimal(len(value))
        for item in value:
            yield from numbers(item)
    elif isinstance(value, dict):
        if value.get("lack_needed") is not None:
            yield decimal.Decimal(math.ceil(value["lack_needed"]))
        for inner in value.values():
            yield from numbers(inner)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def near(value, number):
    """Whether a number in words is a value, or its percent, or its thousand's: to its last digit, or to its third figure."""
    digits = decimal.Decimal(number.replace(",", ""))
    step = decimal.Decimal(1).scaleb(digits.as_tuple().exponent)
    third = decimal.Decimal(1).scaleb(digits.adjusted() - 2) if digits else step
    return any(abs(abs(value) * scale - digits) <= max(step, third) / 2 * decimal.Decimal("1.0001") for scale in (1, 100))


def unproved(sentence, known, names, days):
    """The numbers of a sentence that no field has."""
    for name in sorted(names, key=len, reverse=True):
        sentence = sentence.replace(name, " ")
    for day, month, year, time in DAY.findall(sentence):
        told = f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}" + (f"T{time}" if time else "")
        if any(known_day.startswith(told) for known_day in days):
            sentence = sentence.replace(f"{day} {month} {year}" + (f", {time}" if time else ""), " ")
    return [number for number in NUMBER.findall(sentence) if not any(near(value, number) for value in known)]


@each(NIGHTS)
class Sentences(unittest.TestCase):
    maxDiff = None

    def check_every_number_of_a_sentence_is_a_field(self, name):
        told, found = read(name), []
        names = {name_of for row in told["metrics"] for name_of in (row["metric"], row["label"] or "")}
        for offering in told["offerings"]:
            own = names | {offering["offering_id"], offering["baseline_group_id"] or ""}
            own |= {group["test_group_id"] for group in offering["groups"]} | {row["test_group_id"] for row in offering["values"]}
            known = list(numbers(offering)) + [told["confidence"], 1 - told["confidence"]]
            days = {text for text in texts(offering) if re.match(r"\d{4}-\d\d-\d\d", text)} | first_figures(offering)
            for group in offering["groups"]:
                known += [1 - group["chance_to_win"], decimal.Decimal("0.99")] if group["chance_to_win"] is not None else []
            for member in ("headline", "sentence", "obstacle", "note", "expectation"):
                found += [(member, number, offering[member]) for number in unproved(offering[member] or "", known, own, days)]
            for group in offering["groups"]:
                chance = group["chance_to_win"]  # of the other goal, and above what is said
                sides = [] if chance is None else [1 - chance] + [decimal.Decimal("0.99")] * (max(chance, 1 - chance) >= decimal.Decimal("0.995"))
                own_numbers = sides + list(numbers({key: offering[key] for key in ("values", "plans", "joining", "prior", "checks")})) + list(numbers(group))
                for member in ("headline", "reason", "worth_sentence"):
                    words = (group[member] or "").replace("per 1,000 users", "")
                    found += [(member, number, words) for number in unproved(words, own_numbers, own, days)]
        for part in ("health", "data"):
            days = {told["overall"]["data"]["last_event"] or ""}
            words = told["overall"][part]["sentence"] or ""
            found += [(part, number, words) for number in unproved(words, list(numbers(told["overall"][part])), names, days)]
        words = told["counted"]["sentence"] or ""
        days = {told["counted"]["from"] or "", told["counted"]["to"] or ""}
        found += [("counted", number, words) for number in unproved(words, [], names, days)]
        none(self, found)

    def check_every_number_of_a_check_is_a_field(self, name):
        told, found = read(name), []
        for check in told["checks"] + [check for offering in told["offerings"] for check in offering["checks"]]:
            words = re.sub(r'"[^"]*"|`[^`]*`|\b\d{4}-\d\d-\d\d\S*|\w+\.csv\S*|\b\w*[a-z_]\d+\w*\b|\{[^}]*\}', " ", check["message"])
            for text in (check["subject"], *check["subject"].split()):
                words = words.replace(text, " ") if text else words
            # Where it applies is a name; events are told in whole numbers.
            words = re.sub(r"=[^:]*?(?=,| and |:)", " ", words)
            known = list(numbers(check)) + [decimal.Decimal(math.floor(check["observed"] or 0))]
            missing = unproved(words, known, [], set())
            found += [(check["check"], number, check["message"]) for number in missing]
        none(self, found, limit=40)


def first_figures(offering):
    """The days on which the first windows end."""
    begun = offering["measured_from"]
    if not begun:
        return set()
    start = datetime.datetime.fromisoformat(begun.replace("Z", "+00:00"))
    return {(start + datetime.timedelta(days=float(row["window_days"]))).isoformat() for row in offering["values"] if row["window_days"] is not None}


def cell_of(value):
    """What a member says, as a cell of a table says it."""
    return value if isinstance(value, (bool, str, decimal.Decimal)) or value is None else decimal.Decimal(value)


def meant(cell):
    """What a cell says."""
    if cell in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[cell]
    try:
        return decimal.Decimal(cell)
    except decimal.InvalidOperation:
        return cell


@each(NIGHTS)
class Agreement(unittest.TestCase):
    def check_it_says_what_verdicts_csv_says(self, name):
        told = read(name)
        said = {(offering["offering_id"], group["test_group_id"]): (offering, group) for offering in told["offerings"] for group in offering["groups"]}
        written = [row for row in rows(name, "verdicts") if row["test_group_id"]]
        self.assertEqual(len(said), len(written))
        for row in written:
            offering, group = said[row["offering_id"], row["test_group_id"]]
            self.assertEqual(offering["decision"], row["offering_decision"])
            for column, cell in row.items():
                if column in group:
                    self.assertEqual(cell_of(group[column]), meant(cell), column)

    def check_its_checks_are_those_of_checks_csv(self, name):
        told = read(name)
        said = [(offering["offering_id"], check) for offering in told["offerings"] for check in offering["checks"]]
        said += [("", check) for check in told["checks"]]
        key = lambda row: (row["offering_id"], row["check"], row["subject"], row["status"], row["message"])  # noqa: E731
        self.assertEqual(sorted(key({**check, "offering_id": offering}) for offering, check in said), sorted(map(key, rows(name, "checks"))))

    def check_its_comparisons_are_those_of_comparisons_csv(self, name):
        written = {(row["offering_id"], row["test_group_id"], row["metric"]): row for row in rows(name, "comparisons") if row["segment"] == "all"}
        seen = 0
        for offering in read(name)["offerings"]:
            for group in offering["groups"]:
                for said in group["comparisons"]:
                    row, seen = written[offering["offering_id"], group["test_group_id"], said["metric"]], seen + 1
                    for column in set(said) & set(row):
                        self.assertEqual(cell_of(said[column]), meant(row[column]), column)
        self.assertEqual(seen, len(written))

    def check_nothing_of_how_the_run_went_stands_in_it(self, name):
        self.assertFalse({"threads", "duration_seconds", "engine", "version_of_program"} & set(json.dumps(read(name), default=str).split('"')))
