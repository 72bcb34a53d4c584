"""products.csv, money.csv, arrivals.csv, charges_by.csv, states.csv, funnels.csv and retention.csv against the model: integers exact, shares to 1e-9."""

from collections import Counter, defaultdict
from fractions import Fraction
import math

from access import STATES
from facts import step_types
from model import safe_cell
from product import table
from values import MICROS

MONEY = ("gross", "net", "proceeds")
COUNTS = ("buyers", "charges", "refunded_charges")


def rows_by(folder, name, columns):
    """Key → row, and complaints about keys that are there twice."""
    found = {}
    for row in table(folder, name):
        key = tuple(row[column] for column in columns)
        if key in found:
            raise AssertionError(f"{name}: {key} is there twice")
        found[key] = row
    return found


def same_share(text, number):
    """A share with nothing below the line has no value."""
    if number is None or text == "":
        return number is None and text == ""
    return math.isclose(float(text), float(number), rel_tol=1e-9)


def product_differences(folder, job, outcome):
    expected = {(*key[:2], safe_cell(key[2]), key[3]): row for key, row in outcome.products.items()}
    yield from sales_differences(folder, "products.csv", ("product_id", "kind"), job, expected, (*COUNTS, "first_buyers"))


def attribute_differences(folder, job, outcome):
    """What was sold by each attribute's values, and that they add up to the products."""
    yield from sales_differences(folder, "charges_by.csv", ("attribute", "value"), job, outcome.charges_by, COUNTS)
    products = sums_of(table(folder, "products.csv"), ())
    for key, sums in sums_of(table(folder, "charges_by.csv"), ("attribute",)).items():
        if sums != products[key[:2]]:
            yield f"charges_by.csv {key}: {sums}, the products' are {products[key[:2]]}"


def sums_of(rows, columns):
    """Group and columns → the sums of what adds up."""
    sums = defaultdict(Counter)
    for row in rows:
        for name in ("charges", "refunded_charges", *MONEY):
            sums[*(row[column] for column in ("offering_id", "test_group_id", *columns))][name] += Fraction(row[name])
    return sums


def sales_differences(folder, name, columns, job, expected, counts):
    found = rows_by(folder, name, ("offering_id", "test_group_id", *columns))
    for key in sorted(set(found) | set(expected)):
        mine, theirs = expected.get(key), found.get(key)
        if mine is None or theirs is None:
            yield f"{name} {key}: {theirs}, model {mine and dict(mine)}"
            continue
        if theirs["currency"] != job.get("currency", "USD"):
            yield f"{name} {key}: currency {theirs['currency']}"
        for count in counts:
            if theirs[count] != str(mine[count]):
                yield f"{name} {key}: {count} = {theirs[count]}, model {mine[count]}"
        for money in MONEY:
            if not same_money(theirs[money], mine[money]):
                yield f"{name} {key}: {money} = {theirs[money]}, model {mine[money]} millionths"


def same_money(text, micros):
    """Money has six decimals."""
    return len(text.partition(".")[2]) == 6 and Fraction(text) == Fraction(micros, MICROS)


def money_differences(folder, job, outcome):
    """The way of each group's money; a group whose members do not count may be there, with nothing."""
    found = rows_by(folder, "money.csv", ("offering_id", "test_group_id"))
    for key in sorted(set(found) | set(outcome.money)):
        mine, theirs = outcome.money.get(key, Counter()), found.get(key)
        if theirs is None:
            yield f"money.csv has no row {key}"
            continue
        if theirs["users"] != str(mine["users"]) or theirs["currency"] != job.get("currency", "USD"):
            yield f"money.csv {key}: {theirs['users']} users, {theirs['currency']}, model {mine['users']}"
        for name in ("gross", "refunds", "net", "tax", "store_share", "proceeds"):
            if not same_money(theirs[name], mine[name]):
                yield f"money.csv {key}: {name} = {theirs[name]}, model {mine[name]} millionths"


def arrival_differences(folder, outcome):
    found = {key: row["users"] for key, row in rows_by(folder, "arrivals.csv", ("offering_id", "test_group_id", "day")).items()}
    expected = {key: str(users) for key, users in outcome.arrivals.items()}
    for key in sorted(set(found) | set(expected)):
        if found.get(key) != expected.get(key):
            yield f"arrivals.csv {key}: {found.get(key)} users, model {expected.get(key)}"


def state_differences(folder, outcome):
    """All ten states of every group that has members; an empty group may be listed too."""
    found = rows_by(folder, "states.csv", ("offering_id", "test_group_id", "state"))
    for key in sorted(set(found) | set(outcome.states)):
        mine, theirs = outcome.states.get(key), found.get(key)
        if mine is None:
            if theirs["users"] != "0" or key[2] not in STATES:
                yield f"states.csv {key}: {theirs}, not in the model"
            continue
        total = sum(users for other, users in outcome.states.items() if other[:2] == key[:2])
        if theirs is None or theirs["users"] != str(mine):
            yield f"states.csv {key}: {theirs and theirs['users']}, model {mine}"
        elif not same_share(theirs["share"], Fraction(mine, total)):
            yield f"states.csv {key}: share {theirs['share']}, model {mine} of {total}"


def funnel_differences(folder, job, outcome):
    found = rows_by(folder, "funnels.csv", ("offering_id", "test_group_id", "funnel", "step"))
    steps = {safe_cell(f["name"]): f["steps"] for f in job.get("funnels", [])}
    for head, users in outcome.funnels.items():
        everyone = sum(number for key, number in outcome.states.items() if key[:2] == head[:2])
        for place, number in enumerate(users):
            theirs = found.pop((*head, str(place + 1)), None)
            if theirs is None:
                yield f"funnels.csv has no row {head}, step {place + 1}"
                continue
            if theirs["name"] != safe_cell(" or ".join(step_types(steps[head[2]][place]))) or theirs["users"] != str(number):
                yield f"funnels.csv {head}, step {place + 1}: {theirs['name']} {theirs['users']}, model {number}"
            for name, base in (("of_previous", users[place - 1] if place else everyone), ("of_first", users[0])):
                share = Fraction(number, base) if base else None
                if not same_share(theirs[name], share):
                    yield f"funnels.csv {head}, step {place + 1}: {name} = {theirs[name]}, model {number} of {base}"
    for key, row in found.items():
        if row["users"] != "0":
            yield f"funnels.csv {key}: {row['users']} users, not in the model"


def retention_differences(folder, outcome):
    """The curves by day, and by the renewals that were due."""
    yield from curve_differences(folder, "retention.csv", "day", outcome.curves)
    yield from curve_differences(folder, "retention_renewals.csv", "renewals_due", outcome.renewals)


def curve_differences(folder, name, step, curves):
    found = rows_by(folder, name, ("offering_id", "test_group_id", "metric", step))
    for head, curve in curves.items():
        for place, at_risk, ended, censored, survival in curve:
            theirs = found.pop((*head, str(place)), None)
            if theirs is None:
                yield f"{name} has no row {head}, {step} {place}"
                continue
            numbers = [theirs["at_risk"], theirs["ended"], theirs["censored"]]
            if numbers != [str(at_risk), str(ended), str(censored)]:
                yield f"{name} {head}, {step} {place}: {numbers}, model {[at_risk, ended, censored]}"
            if not math.isclose(float(theirs["survival"]), float(survival), rel_tol=1e-9, abs_tol=1e-15):
                yield f"{name} {head}, {step} {place}: survival {theirs['survival']}, model {float(survival)}"
    for key in found:
        yield f"{name} {key} is not in the model"


def table_differences(folder, job, outcome):
    found = [*product_differences(folder, job, outcome), *state_differences(folder, outcome)]
    found += [*money_differences(folder, job, outcome), *arrival_differences(folder, outcome)]
    found += [*attribute_differences(folder, job, outcome), *funnel_differences(folder, job, outcome)]
    return found + list(retention_differences(folder, outcome))
