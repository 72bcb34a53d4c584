"""The CSV tables of a night as this folder's tests know them: which columns are text, which numbers, times or yes and no."""

import csv
import datetime
import glob
import os
import re

TEXT = set("""job offering_id test_group_id baseline_group_id group_id segment metric kind goal test decision check subject
  status message product_id currency attribute funnel name split_by state event code meaning place input
  file crc32 reason example field text period badge subtitle type call headline offering_decision part source plan stop id label unit""".split())
YES_NO = set("is_baseline primary guardrail descriptive reachable happened is_default enrolment_ends_before".split())
# What results.sqlite calls columns whose names are SQL's own.
IN_SQL = {"primary": "is_primary", "check": "check_name", "rows": "rows_read", "plan": "test_plan"}
SIGNS = "[=+@\uff1d\uff0b\uff0d\uff20-]"
GUARD = re.compile(rf"^'(?='*(?:{SIGNS}|[\t\r\n]))|(?<=[;|\t\r\n])'(?=['\"]*{SIGNS})")
TIME = {"as_of", "previous_as_of"}
DATE = {("comparisons", "shown_on"), ("verdicts", "shown_on"), ("daily", "day"), ("arrivals", "day"), ("changes", "previous_night"), ("changed_files", "previous_night"), ("restated", "previous_night")}
TEXT_HERE = {("charges_by", "value"), ("offers", "display_price")}


def paths(folder):
    """Every CSV table of a night, by name."""
    return {os.path.basename(path)[:-4]: path for path in sorted(glob.glob(os.path.join(folder, "*.csv")))}


def kind(table, column):
    if (table, column) in DATE:
        return "date"
    if column in TIME:
        return "time"
    if column in YES_NO:
        return "yes or no"
    return "text" if column in TEXT or (table, column) in TEXT_HERE else "number"


def rows(path):
    """A table's columns and rows as texts."""
    with open(path, encoding="utf-8", newline="") as file:
        head, *body = csv.reader(file)
    return head, body


def meant(text, sort):
    """What a cell says, None when it is empty."""
    if text == "":
        return None
    if sort == "number":
        return float(text)
    if sort == "yes or no":
        return {"true": True, "false": False}[text]
    if sort == "time":
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=None)
    if sort == "date":
        return datetime.datetime.fromisoformat(text)
    return text


def bare(text):
    """A text without the marks that keep spreadsheets from running it."""
    return GUARD.sub("", text)
