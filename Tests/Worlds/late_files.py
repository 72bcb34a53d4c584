"""changed_files.csv and restated.csv of a night, recomputed from the files: what those that came late add, and what the
night before would publish today."""

import os
from collections import defaultdict

from attribution import attribute
from facts import Notices, read_assignments, read_catalog, read_events, read_rates
from identities import read_identities
from product import table

COUNTS = ("users", "charges", "gross", "refunds", "refunded")


class Told:
    """What the files tell of a time: each user's events, and who is assigned, by file."""

    def __init__(self, job, folder, cutoff, without=()):
        accounts, notices = {}, Notices()
        assignments = read_assignments(job, folder, accounts, read_catalog(job, folder), notices)
        events = read_events(job, folder, accounts, notices)
        identities = read_identities(job, folder, notices, cutoff)
        self.files = [os.path.relpath(path, folder) for path in accounts]
        names = {id(account): name for account, name in zip(accounts.values(), self.files)}
        for row in [*assignments, *events]:
            row.user = identities.of(row.user)
        self.rows = defaultdict(set)
        for row in assignments:
            if row.at < cutoff:
                self.rows[row.user, row.offering].add(names[id(row.account)])
        # What goes with an event is in nobody's account, and of the same line.
        file = lambda event: os.path.relpath(event.place.rpartition(":")[0], folder)
        events = [event for event in events if file(event) not in without]
        attributed = attribute(job, assignments, events, read_rates(job, folder), cutoff)
        self.members, self.events = attributed.members, attributed.events

    def sums(self, users):
        """Charges, what they cost, how many were refunded and by how much; money in millionths."""
        charges = [event for user in users for event in self.events.get(user, ()) if event.is_charge]
        refunded = [charge.refunded for charge in charges if charge.refunded]
        return len(charges), sum(charge.gross for charge in charges), len(refunded), sum(refunded)


def new_files(first, second):
    """The files of the second night that the first had not read, under their name or another."""
    rows = table(first, "inputs.csv")
    names = {(row["input"], row["file"]) for row in rows}
    contents = {(row["input"], row["bytes"], row["crc32"]) for row in rows}
    return {
        row["file"] for row in table(second, "inputs.csv")
        if (row["input"], row["file"]) not in names and (row["input"], row["bytes"], row["crc32"]) not in contents
    }


def wanted_counts(job, folder, cutoff, late):
    """`file → counts` of every late file that adds something, each beside those before it."""
    whole = Told(job, folder, cutoff)
    users = {member.user for member in whole.members}
    order = [name for name in whole.files if name in late]
    counts = {name: dict.fromkeys(COUNTS, 0) for name in order}
    for member in whole.members:
        tellers = whole.rows[member.user, member.offering]
        if tellers and tellers <= late:
            counts[min(tellers, key=order.index)]["users"] += 1
    steps = [Told(job, folder, cutoff, without=set(order[place:])) for place in range(len(order) + 1)]
    sums = [step.sums(users) for step in steps]
    for name, before, after in zip(order, sums, sums[1:]):
        for what, old, new in zip(COUNTS[1:], before, after):
            counts[name][what] += new - old
    return {name: found for name, found in counts.items() if any(found.values())}


def late_differences(job, folder, cutoff, first, second):
    """Is every file that came late named with what it adds?

    Of jobs whose events decide who counts the users of fewer files are others: those are left out.
    """
    if job.get("population", "assigned") != "assigned" or job.get("new_customers_only"):
        return
    wanted = wanted_counts(job, folder, cutoff, new_files(first, second))
    told = {row["file"]: row for row in table(second, "changed_files.csv") if row["change"] == "late"}
    for file in sorted(set(wanted) | set(told)):
        row = told.get(file, {})
        found = {
            name: round(float(row.get(name) or 0) * 1_000_000) if name in ("gross", "refunded") else int(row.get(name) or 0)
            for name in COUNTS
        }
        expected = wanted.get(file, dict.fromkeys(COUNTS, 0))
        if found != expected:
            yield f"changed_files {file}: {found}, its rows say {expected}"


def restated_differences(second, counted, value_micros):
    """Does restated.csv say what the first night's cut-off comes to today, and what it published?"""
    changes = {(row["offering_id"], row["test_group_id"], row["metric"]): row for row in table(second, "changes.csv")}
    for row in table(second, "restated.csv"):
        key = row["offering_id"], row["test_group_id"], row["metric"]
        if row["published_value"] != changes[key]["previous_value"]:
            yield f"restated {key}: published {row['published_value']}, changes.csv says {changes[key]['previous_value']}"
        sums = counted.get((*key[:2], "all", key[2]))
        if sums is None:
            continue
        wanted = value_micros(row["kind"], sums["scale"], sums["n"], sums["sum_y"], sums["sum_x"] or 0)
        if row["restated_value"] != ("" if wanted is None else f"{wanted / 1_000_000:.6f}"):
            yield f"restated {key}: {row['restated_value']}, its users say {wanted}"
