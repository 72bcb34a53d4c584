"""Tables in Markdown: medians, ranges, ratios turn by turn."""

from dataclasses import dataclass
from statistics import median

from measure import Sample

NOISE = 1.25
"""Times that differ by more than this factor say that something else was running."""


@dataclass(frozen=True)
class Line:
    """A contender's runs, one a turn, and those of what it is held against."""

    title: str
    samples: list[Sample]
    yardstick: list[Sample]

    @property
    def seconds(self) -> list[float]:
        """On the clock, turn by turn."""
        return [sample.seconds for sample in self.samples]

    @property
    def processor_seconds(self) -> list[float]:
        """Of all processors together, turn by turn."""
        return [sample.processor_seconds for sample in self.samples]

    @property
    def ratios(self) -> list[float]:
        """Times the yardstick of the same turn: a slow minute of the machine hits both."""
        return [one.seconds / other.seconds for one, other in zip(self.samples, self.yardstick, strict=True)]

    @property
    def is_noisy(self) -> bool:
        """The same work took much longer at one time than at another."""
        return max(self.seconds) > NOISE * min(self.seconds)


def spread(values: list[float], digits: int) -> str:
    """The median, and the range where there is one: `1.31 (1.28–1.44)`."""
    middle = f"{median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def row(line: Line, *more: str) -> str:
    """A line of the table."""
    cells = [
        line.title,
        spread(line.ratios, 2),
        spread(line.seconds, 2),
        f"{median(line.processor_seconds):.1f}",
        f"{max(sample.peak_mb for sample in line.samples):,.0f}",
        *more,
    ]
    return "| " + " | ".join(cells) + " |"


def table(what: str, yardstick: str, lines: list[Line], more: dict[str, list[str]] | None = None) -> str:
    """A Markdown table with a line each, and under it what to know of its noise.

    `more` has further columns by their heads, a cell a line.
    """
    more = more or {}
    heads = [what, f"× {yardstick}", "seconds", "processor s", "peak MB", *more]
    rows = [row(line, *(cells[index] for cells in more.values())) for index, line in enumerate(lines)]
    parts = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1), *rows]
    noisy = [line.title.strip("*") for line in lines if line.is_noisy]
    if noisy:
        parts += ["", f"Something else was running: the times of {', '.join(noisy)} differ by more than a quarter."]
    return "\n".join(parts)
