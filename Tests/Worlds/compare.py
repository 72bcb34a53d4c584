"""Holds the product's integers to the model's: statistics and row accounting, to the last digit."""

from collections import Counter
import os

from model import SUMS
from product import table

KEYS = ("offering_id", "test_group_id", "segment", "metric")
RATIO_SUMS = ("sum_x", "sum_xx", "sum_xy", "sum_xc")


def statistics_differences(folder, expected):
    """Sentences about cells that differ; rows of nobody (n = 0) may be there or not."""
    found = {}
    for row in table(folder, "sufficient_statistics.csv"):
        key = tuple(row[name] for name in KEYS)
        if key in found:
            yield f"row {key} is there twice"
        found[key] = row
    for key in sorted(set(found) | set(expected)):
        mine, theirs = expected.get(key), found.get(key)
        if theirs is None:
            if mine["n"]:
                yield f"row {key} is missing, model has {mine}"
            continue
        if mine is None:
            if theirs["n"] not in ("", "0"):
                yield f"row {key} should not be there: {theirs}"
            continue
        yield from cell_differences(key, mine, theirs)


def cell_differences(key, mine, theirs):
    if theirs["kind"] != mine["kind"] or theirs["scale"] != str(mine["scale"]):
        yield f"{key}: kind and scale {theirs['kind']}, {theirs['scale']}, model {mine['kind']}, {mine['scale']}"
    for name in SUMS:
        if name in RATIO_SUMS and mine["kind"] != "ratio":
            if theirs[name] not in ("", "0"):
                yield f"{key}: {name} of a {mine['kind']} is {theirs[name]}"
        elif theirs[name] != str(mine[name]) and (theirs[name] or mine[name]):
            yield f"{key}: {name} = {theirs[name]}, model {mine[name]}"


def file_accounts(folder):
    """File name → (rows, used, reasons) from inputs.csv."""
    accounts = {}
    for row in table(folder, "inputs.csv"):
        name = os.path.basename(row["file"])
        rows, used, aside = accounts.setdefault(name, (int(row["rows"]), int(row["used"]), Counter()))
        if (rows, used) != (int(row["rows"]), int(row["used"])):
            yield f"inputs.csv contradicts itself about {name}"
        if row["reason"]:
            aside[row["reason"]] += int(row["rows_set_aside"])
    for name, (rows, used, aside) in accounts.items():
        if rows != used + sum(aside.values()):
            yield f"{name}: {rows} rows, {used} used, {dict(aside)} do not add up"
    yield accounts


OWN_FAULTS = {
    "malformed", "missing_field", "bad_time", "ambiguous_time", "bad_price", "missing_price",
    "bad_currency", "unknown_event_type", "line_too_long", "invalid_utf8", "not_measured", "after_cutoff",
    "sandbox", "family_shared",
}


def name_differences(folder, notices):
    """What is left out by name, and unknown values of known fields, in checks.csv."""
    found = {"not_measured": Counter(), "unknown_value": Counter()}
    for row in table(folder, "checks.csv"):
        if row["check"] in found:
            found[row["check"]][row["subject"]] += int(row["observed"])
    for check, expected in (("not_measured", notices.not_measured), ("unknown_value", notices.unknown_values)):
        for name in sorted(set(found[check]) | set(expected)):
            if found[check][name] != expected[name]:
                yield f"checks: {found[check][name]} {check} {name}, model {expected[name]}"


def identity_differences(folder, identities):
    """How many ids circle, and how many are told to be two users."""
    found = {row["check"]: int(row["observed"]) for row in table(folder, "checks.csv") if row["check"].startswith("identity")}
    for check, ids in (("identity_cycle", identities.circling), ("identity_conflict", identities.conflicts)):
        if found.get(check, 0) != len(ids):
            yield f"checks: {check} observed {found.get(check)}, model {sorted(ids)}"


def row_check_differences(folder, outcome):
    """What the checks of rows count: products nobody knows among charges that count, refunds of unknown charges, files told twice."""
    rows = {}
    for row in table(folder, "checks.csv"):
        rows.setdefault(row["check"], []).append(row)
    seen = int(rows["unknown_product"][0]["observed"] or 0) if "unknown_product" in rows else 0
    if seen != len(outcome.unknown_products):
        yield f"checks: {seen} unknown products, model {sorted(outcome.unknown_products)}: {rows.get('unknown_product')}"
    number = sum(account.rows for path, account in outcome.accounts.items() if not os.path.basename(path).startswith("sticky"))
    share = float(rows["orphan_refund"][0]["observed"] or 0) if "orphan_refund" in rows else 0
    if abs(share * number - outcome.orphan_refunds) > outcome.attributed.orphans + 0.01:
        yield f"checks: orphan_refund is {share}, model {outcome.orphan_refunds} of {number}"


def accounting_differences(folder, expected, job, notices, orphans=0):
    """Rows and reasons of the logs and tables; the model's accounts are by path.

    So many `orphans` may be used or duplicates.
    """
    *complaints, found = file_accounts(folder)
    yield from complaints
    totals = {"mine": Counter(), "theirs": Counter()}
    for path, account in expected.items():
        name = os.path.basename(path)
        rows, used, aside = found.get(name, (None, None, Counter()))
        if rows is None:
            if account.rows:
                yield f"inputs.csv has no {name}"
            continue
        if rows != account.rows:
            yield f"{name}: {rows} rows, model {account.rows}"
        for reason in sorted(OWN_FAULTS):
            if aside[reason] != account.aside[reason]:
                yield f"{name}: {aside[reason]} {reason}, model {account.aside[reason]}"
        if not name.startswith("sticky"):
            totals["mine"] += account.aside + Counter(used=account.used)
            totals["theirs"] += aside + Counter(used=used)
    yield from name_differences(folder, notices)
    # Not enrolled: in no offering, or left out by it? And whose is an event of a stranger that follows the charge of a user
    # who is left out? Either name will do.
    for counts in totals.values():
        counts["unassigned"] += counts.pop("excluded_user", 0)
    for reason in sorted(set(totals["mine"]) | set(totals["theirs"])):
        allowed = orphans if reason in ("used", "duplicate") else 0
        if abs(totals["mine"][reason] - totals["theirs"][reason]) > allowed:
            yield f"purchases: {totals['theirs'][reason]} {reason}, model {totals['mine'][reason]}"
