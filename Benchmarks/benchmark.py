"""Measures `offerlift run` and its peers on the same files, in turns, and prints tables of ratios."""

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import answers
import table
from case import FORMATS, Case, scalings
from contender import Contender, chosen, offerlift, peer, unpacker
from data import LAST_NIGHT, Data, prepare
from measure import Failed, Sample, measure

STORE = Path(__file__).parent.parent / ".build-bench"


@dataclass
class Match:
    """A case, who takes part in it, and what each took, turn by turn; the first is the yardstick."""

    case: Case
    data: Data
    contenders: list[Contender]
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def play(self, is_counted: bool) -> None:
        """One turn: everybody once, one after the other, every answer held against the truth."""
        truth = answers.of_truth(self.data.folder / "truth.csv")
        for contender in self.contenders:
            contender.prepare()
            sample = measure(contender.command)
            if contender.output and self.case.day != "alone":
                statistics = contender.output / "benchmark" / LAST_NIGHT / "sufficient_statistics.csv"
                answers.check("offerlift", answers.of_run(statistics), truth)
            if contender.answers:
                answers.check(contender.title, answers.of_peer(sample.printed), truth)
            if is_counted:
                self.samples.setdefault(contender.name, []).append(sample)

    def lines(self) -> list[table.Line]:
        """The table's lines: everybody against the yardstick."""
        yardstick = self.samples[self.contenders[0].name]
        return [table.Line(one.title, self.samples[one.name], yardstick) for one in self.contenders]


def match(case: Case, peers: str, binary: str, folder: Path) -> Match:
    """Makes the case's data and says who takes part."""
    data = prepare(case, binary, STORE)
    names = chosen(peers, case)
    ours = offerlift(binary, case, data, folder / "out")
    unpackers = [unpacker(name, data) for name in ["gzip", *names] if name in ("gzip", "igzip")]
    return Match(case, data, [*unpackers, ours, *(peer(name, case, data) for name in names if name != "igzip")])


def take_turns(matches: list[Match], turns: int) -> None:
    """A warm-up that puts the files into the page cache, then turn after turn of all."""
    for turn in range(turns + 1):
        for one in matches:
            print(f"{'warm-up' if turn == 0 else f'turn {turn} of {turns}'}: {one.case.label}", file=sys.stderr)
            one.play(is_counted=turn > 0)


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


def read_options() -> argparse.Namespace:
    """What run.sh was asked for; `run` is passed on."""
    parser = argparse.ArgumentParser(prog="Benchmarks/run.sh", description=__doc__)
    parser.add_argument("--binary", required=True, help="the offerlift to measure (default: this checkout, built)")
    parser.add_argument("--repeat", type=int, default=5, help="turns after the warm-up (default: 5)")
    parser.add_argument("--peers", default="all", help="all, none, or of: igzip,duckdb,polars,pandas (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="times the rows and users: 0.1, 1, 4 (default: 1)")
    parser.add_argument("--users", type=int, help="share the rows among so many users")
    parser.add_argument("--metrics", type=int, help="of the job: 5, 50 (default: the seven of nightly.job.yml)")
    parser.add_argument("--threads", type=int, default=2, help="of offerlift and its peers (default: 2)")
    parser.add_argument("--format", choices=FORMATS, default="events", help="of the purchase log (default: events)")
    parser.add_argument("--one-file", action="store_true", help="the purchase log in one gzip file, not in 16")
    parser.add_argument("--nights", type=int, default=1, help="back-fill so many nights, the log's end the last")
    parser.add_argument("--scalings", action="store_true", help="then each of these, one at a time")
    parser.add_argument("--quick", action="store_true", help="everything once, at a fiftieth: do the scripts work?")
    parser.add_argument("run", nargs="*", help="after --: passed on to offerlift run")
    return parser.parse_args()


def main() -> None:
    """Measures what was asked for and prints it."""
    options = read_options()
    base = Case(
        format=options.format, scale=options.scale, users=options.users, metrics=options.metrics,
        threads=options.threads, one_file=options.one_file, nights=options.nights, options=tuple(options.run),
    )  # fmt: skip
    if options.quick:
        base, options.repeat, options.scalings = replace(base, scale=0.02), 1, True
    with tempfile.TemporaryDirectory() as folder:
        everybody = match(base, options.peers, options.binary, Path(folder))
        take_turns([everybody], options.repeat)
        print(peers_table(everybody), flush=True)
        if options.scalings:
            alone = [match(case, "none", options.binary, Path(folder)) for case in scalings(base)]
            take_turns(alone, options.repeat)
            print("\n" + scalings_table(alone))


if __name__ == "__main__":
    try:
        main()
    except (answers.WrongAnswer, Failed, ValueError) as error:
        sys.exit(f"Nothing was measured. {error}")
