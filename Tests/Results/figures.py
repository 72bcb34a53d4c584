"""Reads the figures of a page's tables back, and says from which CSV table and columns each must come."""

import decimal
import re

import tables

NUMBER = re.compile(r"[+\u2212-]?\d[\d,]*(?:\.\d+)?")

# Tables by a word in their columns' heads: the CSV table, what names a row, and where each figure stands.
LIFTS = {"difference": ["rel_lift"], "interval": ["decided_ci_low", "decided_ci_high"]}
MONEY = {column: [column] for column in ("gross", "net", "proceeds")}
SALES = MONEY | {"buyers": ["buyers"], "charges": ["charges"], "refunded": ["refunded_charges"]}
LEFT = {"left": ["survival"], "interval": ["ci_low", "ci_high"], "at risk": ["at_risk"], "ended": ["ended"], "censored": ["censored"]}
STEP = {"users": ["users"], "of the first": ["of_first"]}
FAILED = {"times": ["events"], "receipts": ["transactions"], "of all sent": ["rate", "receipts"], "users": ["users"]}
KINDS = [  # head that tells the kind, CSV table, {head: column that names the row}, {head: columns of its figures}
    ("segment", "comparisons", {"segment": "segment"}, LIFTS),
    ("night", "daily", {"night": "day"}, LIFTS),
    ("group and decision", "comparisons", {}, LIFTS | {"group": ["value"]}),
    ("as precise as asked", "plans", {},
     {"as precise as asked": ["lift/detectable_lift"], "sees today": ["detectable_lift"], "asked for": ["lift"], "users now": ["users_now"],
      "users it takes": ["users_needed"]}),
    ("break-even", "price_response", {},
     {"price": ["price"], "payers": ["payers", "users", "conversion"], "break-even": ["break_even"],
      "difference": ["payers_lift"], "interval": ["payers_ci_low", "payers_ci_high"]}),
    ("elasticity", "price_response", {},
     {"break-even may be": ["break_even_ci_low", "break_even_ci_high"],
      "elasticity": ["elasticity"], "elasticity may be": ["elasticity_ci_low", "elasticity_ci_high"]}),
    ("on the curve", "price_response", {}, {"price": ["price"], "share of payers": ["conversion"], "on the curve": ["demand"]}),
    ("came of", "revenue_parts", {"came of": "part"}, {"may be": ["ci_low", "ci_high"]}),
    ("mix", "revenue_products", {"product": "product_id"},
     {part: [part] for part in ("conversion", "mix", "price", "charges", "refunds")} | {"all together": ["difference"]}),
    ("first choice of", "products", {"product": "product_id"}, SALES | {"first choice of": ["first_buyers"]}),
    ("displayed", "display_prices", {"product": "product_id"},
     {"displayed": ["display_price"], "charges": ["charges"], "compared": ["compared"], "differing": ["differing"]}),
    ("renewals due", "retention_renewals", {"renewals due": "renewals_due"}, LEFT),
    ("left", "retention", {"day": "day"}, LEFT),
    ("of the step before", "funnels", {"step": "step"}, STEP | {"of the step before": ["of_previous"]}),
    ("p against the baseline", "funnels", {"step": "step"}, {"p against the baseline": ["p_value_vs_baseline"]}),
    ("moved the value by", "changes", {"what changed": "part"}, {"moved the value by": ["value_change"]}),
    ("exactly", "changes", {"what changed": "part"}, {"users": ["users_change"], "exactly": ["value_change"]}),
    ("step", "funnel_splits", {"step": "step"}, STEP),
    ("message", "failures", {"code": "code", "message": "message", "event": "event"}, FAILED),
    ("receipts", "failures", {"code": "code", "event": "event"}, FAILED),
    ("trials", "trial_days", {"day": "day"}, {"paid": ["paid"], "trials": ["trials"], "share": ["share"]}),
    ("net a user", "outside", {"logged as": "group_id", "place": "place"},
     MONEY | {"users": ["users"], "payers": ["payers"], "share": ["conversion"], "charges": ["charges"], "net a user": ["net_per_user"]}),
    ("window not over", "group_metrics", {},
     {"value": ["value"], "interval": ["ci_low", "ci_high"], "users": ["users"], "window not over": ["immature"], "users at 0": ["zero_users", "zero_users/users"]}),
    ("set aside", "inputs", {"file": "file"}, {"read": ["rows"], "used": ["used"]}),
    ("state", "states", {"state": "state"}, {}),
    ("proceeds in all", "money", {"a user of": "test_group_id"},
     {"charged": ["gross/users"], "\u2212 refunds": ["refunds/users"], "\u2212 tax": ["tax/users"], "\u2212 store's share": ["store_share/users"],
      "= proceeds": ["proceeds/users"], "users": ["users"], "proceeds in all": ["proceeds"]}),
    ("net in all", "money", {"a user of": "test_group_id"},
     {"charged": ["gross/users"], "\u2212 refunds": ["refunds/users"], "= net": ["net/users"], "users": ["users"], "net in all": ["net"]}),
    ("most on a day", "arrivals", {}, {"users": ["users"], "most on a day": ["most"]}),
    ("refunded", "charges_by", {}, SALES),
]


COUNTS = re.compile(r" ([\d,]+) of ([\d,]+)$")  # what a share is of, behind it


def kind_of(heads):
    """The kind of a table with these heads; None when nobody has told where its figures come from."""
    return next((kind for kind in KINDS if kind[0] in heads), None)


def shown(cell):
    """The numbers of a cell, each as its digits and what it is worth in the CSV tables' units; `1 to 2 %` are both percent."""
    for match in NUMBER.finditer(cell):
        percent = re.match(r"( to [+\u2212-]?[\d,.]+)? %", cell[match.end():])
        digits = decimal.Decimal(match[0].replace(",", "").replace("\u2212", "-"))
        yield digits, (digits.scaleb(-2) if percent else digits)


def rounds_to(value, digits, worth):
    """Whether a number of a CSV table is the one shown, to the digit shown."""
    step = decimal.Decimal(1).scaleb(digits.as_tuple().exponent) * (worth / digits if digits else 1)
    return abs(decimal.Decimal(value) - worth) <= step / 2 * decimal.Decimal("1.000001")


def tells(row, columns, cell):
    """Whether a cell shows just these columns of a CSV row; an empty one shows that there is nothing."""
    values, numbers = [value_of(row, column) for column in columns], list(shown(cell))
    if not numbers:
        return not all(values)
    if cell.startswith("<"):
        return decimal.Decimal(values[0]) < numbers[0][1]
    if columns[0] == "decided_ci_low" and values[0] and not is_money(row):
        values[0] = str(max(float(values[0]), -1))  # what is no money cannot fall by more than all of it
    return len(numbers) == len(values) and all(value and rounds_to(value, *number) for value, number in zip(values, numbers))


def is_money(row):
    """Whether a row is of a metric of money: only that can fall below 0, where refunds outweigh charges."""
    return re.match(r"(revenue|proceeds|mrr)", row["metric"]) is not None


def value_of(row, column):
    """A column's text; `a/b` is one column divided by another."""
    if "/" not in column:
        return row[column]
    above, below = (row[part] for part in column.split("/"))
    return str(float(above) / float(below)) if above and below and float(below) else ""


def rows_of(folder, table):
    """The rows of a CSV table as dicts."""
    if table == "revenue_products":
        return by_product(rows_of(folder, "revenue_parts"))
    head, rows = tables.rows(tables.paths(folder)[table])
    rows = [dict(zip(head, map(tables.bare, row))) for row in rows]
    return arrived(rows) if table == "arrivals" else rows


def by_product(rows):
    """The parts of each product's difference in one row."""
    products = {}
    for row in rows:
        names = {name: row[name] for name in ("offering_id", "test_group_id", "product_id")}
        products.setdefault(tuple(names.values()), names)[row["part"]] = row["amount_per_user"]
    return list(products.values())


def arrived(rows):
    """The groups of arrivals.csv: their users, and the most of them on one day."""
    groups = {}
    for row in rows:
        groups.setdefault((row["offering_id"], row["test_group_id"]), []).append(int(row["users"]))
    return [{"offering_id": offering, "test_group_id": group, "users": str(sum(users)), "most": str(max(users))}
            for (offering, group), users in groups.items()]
