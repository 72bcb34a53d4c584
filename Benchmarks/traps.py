"""What a query written from the manual's first pages gets wrong in logs as they are, and by how much.

    python3 Benchmarks/traps.py --binary offerlift      # wants duckdb, polars, pandas, chdb, pyspark and Java; writes traps.json and the README's table

Every trap has a log of its own, of the same 6,000 users; the last line has all of them. A cell says by how much the answer is off: net
revenue of both groups together, and payers.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from decimal import Decimal
from pathlib import Path

from traps_log import ALL, CUTOFF, GROUPS, TRAPS, World

HERE = Path(__file__).parent
MARKS = ("<!-- traps -->\n", "<!-- end of traps -->\n")
JOB = """job: traps
baseline: control
currency: USD
assignments:
  - {path: assignments.csv, format: csv, keys: names, columns: {user: user_id, offering: offering_id, group: test_group_id, assigned_at: assigned_at}}
identities: {path: identities.csv, format: csv, columns: {alias: alias, user: user}}
purchases: [{path: "purchases-*.jsonl", format: events}]
metrics: [{name: revenue_net, window: 30d, primary: true}, {name: paying_conversion, window: 30d}]
max_reject_ratio: 0.05
"""


def ours(binary, folder):
    """Users, payers and net of each group, by a run."""
    (folder / "traps.yml").write_text(JOB)
    command = [binary, "run", folder / "traps.yml", "--as-of", CUTOFF.isoformat(), "--output", folder / "reports"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    with open(folder / "reports" / "traps" / "latest" / "group_metrics.csv", newline="") as file:
        rows = {(row["test_group_id"], row["metric"]): row for row in csv.DictReader(file) if row["segment"] == "all"}
    return {group: (int(rows[group, "revenue_net_30d"]["users"]), int(rows[group, "paying_conversion_30d"]["numerator"]),
                    Decimal(rows[group, "revenue_net_30d"]["numerator"])) for group in GROUPS}


def asked(peer, folder):
    """What a peer answers, and how its first attempt stopped, None where it did not."""
    try:
        return peer(str(folder)), None
    except Exception as fault:  # whatever a reader stops with is what its user sees
        said = str(fault).replace(f"{folder}/", "").strip().splitlines() or [""]
        stopped = f"{type(fault).__name__}: {said[0][:120]}"
    try:
        return peer(str(folder), again=True), stopped
    except Exception:
        return None, stopped


def totals(answer):
    return [sum((answer.get(group, (0, 0, Decimal(0)))[place] for group in GROUPS), Decimal(0)) for place in range(3)]


def off(answer, truth):
    """By how much net and payers are off, as parts of what is true."""
    if answer is None:
        return None
    (_, payers, net), (_, true_payers, true_net) = totals(answer), totals(truth)
    return {"net": float(net / true_net - 1), "payers": float(payers / true_payers - 1)}


def cell(result):
    """`right`, `−4.1 %`, `stops`; behind `stops, then` what the second attempt comes to."""
    found = result["off"]
    if found is None:
        return "stops"
    # Net is left as cents: half a cent of 20,000 dollars is right.
    parts = [part if abs(part) > 5e-7 else 0.0 for part in (found["net"], found["payers"])]
    words = "right" if not any(parts) else f"{100 * parts[0]:+.1f} %".replace("-", "−") + (f", payers {100 * parts[1]:+.1f} %".replace("-", "−") if parts[1] else "")
    return f"stops, then {words}" if result["stopped"] else words


def table(results):
    """The table of all traps, as Markdown."""
    names = list(next(iter(results["traps"].values())))
    text = "| trap | " + " | ".join(names) + " |\n|---|" + "--:|" * len(names) + "\n"
    for trap, cells in results["traps"].items():
        text += f"| {TRAPS.get(trap, trap)} | " + " | ".join(cell(cells[name]) for name in names) + " |\n"
    return text + "\n" + ", ".join(f"{name} {version}" for name, version in results["versions"].items()) + ".\n"


def measured(binary, peers, versions):
    """Every trap asked of everybody; ours first, which has to be right."""
    results = {}
    for trap in [*TRAPS, ALL]:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            world = World(trap)
            world.write(folder)
            truth, own = world.truth(), ours(binary, folder)
            if own != truth:
                raise SystemExit(f"{trap}: offerlift finds {own}, true is {truth}")
            results[trap] = {"offerlift": {"off": off(own, truth), "stopped": None}}
            for name, peer in peers.items():
                answer, stopped = asked(peer, folder)
                results[trap][name] = {"off": off(answer, truth), "stopped": stopped}
    return {"versions": versions, "traps": results}


def written(page):
    return page.split(MARKS[0])[1].split(MARKS[1])[0]


def main():
    from traps_peers import PEERS, versions

    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", required=True, help="the offerlift that is measured")
    results = measured(options.parse_args().binary, PEERS, versions())
    (HERE / "traps.json").write_text(json.dumps(results, indent=1) + "\n")
    readme = (HERE / "README.md").read_text()
    before, rest = readme.split(MARKS[0])
    (HERE / "README.md").write_text(before + MARKS[0] + table(results) + MARKS[1] + rest.split(MARKS[1])[1])


if __name__ == "__main__":
    main()
