"""Twenty-eight nightly looks through the binary, default settings, no true difference: is anything called better or worse?

    python3 check_looks.py --binary PATH [--worlds 100] [--seed 1] [--only PART-OF-A-NAME]

Every world is an offering of its own, many of them in one job, back-filled night by night; what counts is whether any
of its comparisons over everybody is ever `better` or `worse`. At most five in a hundred worlds may be: a kind fails
where it is more than that by three standard errors.
"""

import argparse
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

NIGHTS, FIRST = 28, "2026-03-01"
# What a month of a paywall brings: three days' access, weekly and monthly with renewals, yearly, for life.
PRICES = {2.99: 15, 7.99: 20, 15.98: 12, 23.97: 8, 31.96: 10, 12.99: 8, 25.98: 4, 49.99: 20, 149.99: 3}

# Users who join each group a night, and the share of them who pay.
KINDS = {
    "90/10, one payer a night in the smaller": ((180, 20), 0.05),
    "90/10, three payers a night in the smaller": ((540, 60), 0.05),
    "10/90, one payer a night in the baseline": ((20, 180), 0.05),
    "50/50, one payer a night and group": ((20, 20), 0.05),
    "50/50, three payers a night and group": ((60, 60), 0.05),
    "150 users a group, two purchases each": ((150, 150), None),
}

JOB = """job: looks
weights: {{{weights}}}
assignments: [{{path: assignments.csv}}]
purchases: [{{path: purchases.csv, format: events-csv, defaults: {{currency: USD, eventType: purchase}}}}]
metrics:
  - {{name: revenue_net}}
  - {{name: revenue_net_per_payer}}
  - {{name: paying_conversion}}
"""


def moment(dice, night):
    second = dice.randrange(86_000)
    return f"2026-03-{night + 1:02d}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z"


def arrivals(kind, dice):
    """(night, group, whether they pay) of every user of a world."""
    users, share = KINDS[kind]
    for group, number in zip(("control", "b"), users):
        if share is None:
            buyers = set(dice.sample(range(number), 2))
            yield from ((dice.randrange(NIGHTS) if user in buyers else 0, group, user in buyers) for user in range(number))
        else:
            yield from ((night, group, dice.random() < share) for night in range(NIGHTS) for _ in range(number))


def write(folder, kind, worlds, seed):
    """The job of so many worlds."""
    users, _ = KINDS[kind]
    with open(os.path.join(folder, "assignments.csv"), "w") as people, open(os.path.join(folder, "purchases.csv"), "w") as sales:
        people.write("user,offering,group,assigned_at\n")
        sales.write("userId,occurredAt,productId,price,transactionId\n")
        for world in range(worlds):
            dice, count = random.Random(f"{kind} {seed} {world}"), 0
            for night, group, pays in arrivals(kind, dice):
                user, time = f"u{world}-{count}", moment(dice, night)
                count += 1
                people.write(f"{user},w{world},{group},{time}\n")
                if pays:
                    price = dice.choices(list(PRICES), PRICES.values())[0]
                    sales.write(f"{user},{time[:17]}59Z,sku,{price},{user}\n")
    weights = ", ".join(f"w{world}: {{control: {users[0]}, b: {users[1]}}}" for world in range(worlds))
    with open(os.path.join(folder, "job.yml"), "w") as job:
        job.write(JOB.format(weights=weights))


def called(folder):
    """The worlds in which something was ever called, and those that were looked at, by offering."""
    with sqlite3.connect(os.path.join(folder, "out", "looks", "results.sqlite")) as results:
        rows = results.execute("SELECT offering_id, MAX(decision IN ('better', 'worse')), COUNT(DISTINCT as_of), "
                               "MAX(decision = 'do_not_trust') FROM comparisons WHERE segment = 'all' GROUP BY 1")
        return {offering: (bool(any_called), nights, bool(broken)) for offering, any_called, nights, broken in rows}


def check(binary, kind, worlds, seed):
    """How many worlds were called; the program itself must not fail."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, kind, worlds, seed)
        last = f"2026-03-{NIGHTS:02d}"
        command = [binary, "run", "job.yml", "--from", FIRST, "--to", last, "--output", "out"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if run.returncode:
            raise AssertionError(f"{kind}: exit {run.returncode}: {run.stderr[-500:]}")
        found = called(folder)
    if len(found) != worlds or any(nights != NIGHTS for _, nights, _ in found.values()):
        raise AssertionError(f"{kind}: {len(found)} worlds of {worlds} were looked at on every night")
    distrusted = sum(broken for _, _, broken in found.values())
    return sum(hit for hit, _, _ in found.values()), distrusted


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--binary", required=True)
    options.add_argument("--worlds", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    binary, failed = os.path.abspath(chosen.binary), 0
    kinds = [kind for kind in KINDS if chosen.only in kind]
    for kind in kinds:
        hits, distrusted = check(binary, kind, chosen.worlds, chosen.seed)
        share, error = hits / chosen.worlds, math.sqrt(0.05 * 0.95 / chosen.worlds)
        failed += share > 0.05 + 3 * error
        print(f"{kind}: called in {hits} of {chosen.worlds} worlds ({100 * share:.1f} %), not trusted in {distrusted}, seed {chosen.seed}")
        sys.stdout.flush()
    print(f"{len(kinds) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
