"""The sums that everybody must find, and what is said of whoever does not."""

import csv
import io
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Sums:
    """What the users of one group, whose 30 days were over, did in them."""

    users: int
    payers: int
    charges: int
    net_micros: int
    """Net revenue in millionths."""


Answer = dict[str, Sums]
"""By group."""
WORDS = {"users": "users", "payers": "payers", "charges": "charges", "net_micros": "net revenue"}
TRUTH = (
    ("mature_users_30d", "paying_users_30d", "charges_30d", "revenue_net_30d"),
    ("payers_30d_users", "payers_30d_did", "charges_30d_sum", "revenue_net_30d_sum"),
)
"""How truth.csv calls the sums, in the order of `Sums`, by the kind of scenario."""


class WrongAnswer(Exception):
    """A contender found other sums; its text says whose, which, and by how much."""


def of_peer(printed: str) -> Answer:
    """What a peer's script printed."""
    rows = csv.DictReader(io.StringIO(printed))
    return {row.pop("group"): Sums(**{name: int(value) for name, value in row.items()}) for row in rows}


def of_truth(path: Path) -> Answer:
    """What the simulation wrote from its own books."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["what"] == "happened"]
    happened = {(row["group"], row["name"]): row["value"] for row in rows}
    groups = {group for group, _ in happened}
    names = next(names for names in TRUTH if all((group, names[0]) in happened for group in groups))
    return {group: Sums(*(number(happened[group, name]) for name in names)) for group in groups}


def number(text: str) -> int:
    """A count, or money as millionths: `71862.230000` is 71,862,230,000."""
    return int(text.replace(".", ""))


def of_run(path: Path) -> Answer:
    """What a run's sufficient_statistics.csv says."""
    with open(path, newline="") as file:
        rows = {(row["test_group_id"], row["metric"]): row for row in csv.DictReader(file) if row["segment"] == "all"}
    answer = {}
    for group in {group for group, _ in rows}:
        money, charges = rows[group, "revenue_net_per_payer_30d"], rows[group, "charges_30d"]
        answer[group] = Sums(int(money["n"]), int(money["sum_x"]), int(charges["sum_y"]), int(money["sum_y"]))
    return answer


def check(who: str, found: Answer, true: Answer) -> None:
    """Raises WrongAnswer unless every sum of every group is the same, to the last cent and beyond."""
    if found.keys() != true.keys():
        raise WrongAnswer(f"{who} answers for the groups {words(found)}; there are {words(true)}.")
    for group in sorted(true):
        for field in fields(Sums):
            one, other = getattr(found[group], field.name), getattr(true[group], field.name)
            if one != other:
                amounts = [shown(value, field.name) for value in (one, other, abs(one - other))]
                more, less = ("much", "little") if field.name == "net_micros" else ("many", "few")
                raise WrongAnswer(
                    f"{who} finds {WORDS[field.name]} of {group} to be {amounts[0]}, not {amounts[1]}: "
                    f"{amounts[2]} too {more if one > other else less}."
                )


def words(answer: Answer) -> str:
    """The groups' names, or that there are none."""
    return ", ".join(sorted(answer)) or "none"


def shown(value: int, name: str) -> str:
    """A sum as people write it."""
    if name != "net_micros":
        return f"{value:,}"
    return f"{value // 1_000_000:,}.{value % 1_000_000:06}"
