"""A case and who takes part in it, measured in turns."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import answers
import table
from case import Case
from contender import Contender, chosen, offerlift, peer, unpacker
from data import LAST_NIGHT, Data, prepare
from measure import Sample, measure

STORE = Path(__file__).parent.parent / ".build-bench"
"""Where data is kept for the next time."""


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
