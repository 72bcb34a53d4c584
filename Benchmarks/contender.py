"""Who takes part: the command each is started with, and how it is called in the table."""

import shutil
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from case import Case
from data import CUTOFF, LAST_NIGHT, Data
from measure import measure

PEERS = Path(__file__).parent / "peers"
UNPACKERS = {"gzip": "gzip -P2", "igzip": "igzip -P2"}
SCRIPTS = {
    "duckdb-tuned": ("DuckDB, tuned", "duckdb_tuned.py"),
    "duckdb-plain": ("DuckDB, plain", "duckdb_plain.py"),
    "polars": ("Polars", "polars_lazy.py"),
    "pandas": ("pandas", "pandas_frames.py"),
}
FORMATS_OF_PEERS = ("events", "events-csv")


@dataclass(frozen=True)
class Contender:
    """A program and its arguments, started as a whole process."""

    name: str
    title: str
    command: tuple[str, ...]
    output: Path | None = None
    """Where it publishes, made anew each time; what jobs keep lies beside it."""
    before: tuple[str, ...] = ()
    """What runs before it and is not measured: the night before."""

    def prepare(self) -> None:
        """Takes nothing over from the turn before but what the night before left.

        Raises Failed where that night ended badly.
        """
        if self.output:
            for place in (self.output, self.output.parent / "state"):
                shutil.rmtree(place, ignore_errors=True)
        if self.before:
            measure(self.before)

    @property
    def answers(self) -> bool:
        """It prints sums to be compared."""
        return self.name in SCRIPTS


def unpacker(name: str, data: Data) -> Contender:
    """Unpacks every gzip file to nowhere, two at a time."""
    files = (str(file) for file in data.files)
    script = f'printf "%s\\0" "$@" | xargs -0 -n1 -P2 {name} -dc >/dev/null'
    return Contender(name, UNPACKERS[name], ("bash", "-c", script, "unpack", *files))


def offerlift(binary: str, case: Case, data: Data, output: Path) -> Contender:
    """`offerlift run`, from nothing to published results."""
    last = date.fromisoformat(LAST_NIGHT)
    first = last - timedelta(days=case.nights - 1)
    nights = ("--date", LAST_NIGHT) if case.nights == 1 else ("--from", str(first), "--to", LAST_NIGHT)
    how = ("--output", str(output), "--threads", str(case.threads), *case.options)
    before = last if case.day == "again" else last - timedelta(days=1)
    night_before = (binary, "run", str(data.job_before), "--date", str(before), *how)
    # The night before is another job file's, of the same name.
    over = ("--take-over",) if case.day == "next" else ()
    return Contender(
        "offerlift", "**offerlift**", (binary, "run", str(data.job), *nights, *how, *over), output,
        night_before if data.job_before else (),
    )  # fmt: skip


def peer(name: str, case: Case, data: Data) -> Contender:
    """A peer's script, by this Python."""
    title, script = SCRIPTS[name]
    command = (sys.executable, str(PEERS / script), str(data.folder), "--format", case.format, "--cutoff", CUTOFF)
    return Contender(name, title, (*command, "--threads", str(case.threads)))


def chosen(names: str, case: Case) -> list[str]:
    """The peers that a list such as `igzip,duckdb` means, `all` or `none` of them, as far as they read the format.

    Raises ValueError for a name that is no peer's.
    """
    known = ["igzip", *SCRIPTS]
    if names in ("all", "none"):
        picked = known if names == "all" else []
    else:
        wanted = names.split(",")
        picked = [peer for peer in known if any(peer == name or peer.startswith(f"{name}-") for name in wanted)]
        for name in wanted:
            if not any(peer == name or peer.startswith(f"{name}-") for peer in known):
                raise ValueError(f"--peers {name}: none of all, none, duckdb, {', '.join(known)}")
    return [name for name in picked if name == "igzip" or case.format in FORMATS_OF_PEERS]
