"""Measures `offerlift run` and its peers on the same files, in turns, and prints tables of ratios."""

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import table
from answers import WrongAnswer
from case import FORMATS, in_containers, scalings
from measure import Failed
from options import base_case, read_options
from turns import STORE, Match, match, take_turns
from waits import waits_table


def main() -> None:
    """Measures what was asked for and prints it."""
    options = read_options()
    base = base_case(options)
    turns = 1 if options.quick else options.repeat
    with tempfile.TemporaryDirectory() as folder:
        everybody = match(base, options.peers, options.binary, Path(folder))
        take_turns([everybody], turns)
        print(peers_table(everybody), flush=True)
        for is_wanted, cases in ((options.scalings, scalings(base)), (options.containers, in_containers(base))):
            if is_wanted or options.quick:
                alone = [match(case, "none", options.binary, Path(folder)) for case in cases]
                take_turns(alone, turns)
                print("\n" + scalings_table(alone), flush=True)
        if options.waits or options.quick:
            waits = waits_table(options.binary, base.scale, base.threads, turns, STORE, Path(folder))
            print("\n" + waits, flush=True)


def peers_table(one: Match) -> str:
    """Everybody who read the same files."""
    return f"{described(one)}\n\n" + table.table("program", "gzip -P2", one.lines())


def scalings_table(matches: list[Match]) -> str:
    """Our own runs, case by case, also against the first."""
    first = matches[0].samples["offerlift"]
    lines = [replace(one.lines()[-1], title=one.case.label) for one in matches]
    more = {
        "× the first": [table.spread(replace(line, yardstick=first).ratios, 2) for line in lines],
        "rows": [f"{one.data.rows:,}" for one in matches],
        "rows/s": [
            f"{one.data.rows * one.case.nights / table.median(line.seconds):,.0f}" for one, line in zip(matches, lines)
        ],
        "rows/s a core": [
            f"{one.data.rows * one.case.nights / table.median(line.processor_seconds):,.0f}"
            for one, line in zip(matches, lines)
        ],
    }
    return table.table("offerlift run", "gzip -P2", lines, more)


def described(one: Match) -> str:
    """What was read, on what, and how often."""
    turns = len(one.samples["offerlift"])
    return (
        f"{one.data.rows:,} purchase rows, {FORMATS[one.case.format]}; {len(one.data.files)} files, "
        f"{one.data.packed / 1e6:.0f} MB packed; {os.cpu_count()} processors, threads: {one.case.threads}; "
        f"medians (and ranges) of {turns}."
    )


if __name__ == "__main__":
    try:
        main()
    except (WrongAnswer, Failed, ValueError) as error:
        sys.exit(f"Nothing was measured. {error}")
