"""Makes a case's data with `offerlift simulate`, and keeps it for the next time."""

import csv
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from case import Case
from job import job
from scenario import scenario

LAST_NIGHT = "2026-05-31"
"""The scenarios' logs end with this day."""
CUTOFF = "2026-06-01T00:00:00Z"


@dataclass(frozen=True)
class Data:
    """What a case's contenders read."""

    folder: Path
    job: Path
    rows: int
    """Of the purchase log."""
    packed: int
    """Bytes of all gzip files."""

    @property
    def files(self) -> list[Path]:
        """Every gzip file, in order of name."""
        return gzip_files(self.folder)


def prepare(case: Case, binary: str, store: Path) -> Data:
    """The case's data below `store`: made, unless it is there and of the same scenario; and its job beside it."""
    text = scenario(case)
    folder = store / folder_name(case)
    if not is_made(folder, text):
        make(folder, text, binary, case.one_file)
    path = folder / f"{case.format}-{case.metrics or 'seven'}.job.yml"
    path.write_text(job(case))
    return Data(folder, path, rows(folder), sum(file.stat().st_size for file in gzip_files(folder)))


def folder_name(case: Case) -> str:
    """One folder for all cases that read the same bytes."""
    parts = [case.format.replace("-verified", "-signed"), f"x{case.scale:g}"]
    parts += [f"{case.users}-users"] if case.users else []
    return "-".join(parts + (["one-file"] if case.one_file else []))


def is_made(folder: Path, text: str) -> bool:
    """The folder holds whole data of this scenario; `made.yml` is written last of all."""
    made = folder / "made.yml"
    return made.exists() and made.read_text() == text


def make(folder: Path, text: str, binary: str, one_file: bool) -> None:
    """Makes the data anew."""
    print(f"making {folder}", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    for old in [folder / "made.yml", *folder.glob("purchases-*"), *folder.glob("user_offering_assignments-*")]:
        old.unlink(missing_ok=True)
    (folder / "scenario.yml").write_text(text)
    command = [binary, "simulate", str(folder / "scenario.yml"), "--output", str(folder), "--progress", "never"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if one_file:
        join(sorted(folder.glob("purchases-*.gz")))
    (folder / "made.yml").write_text(text)


def join(shards: list[Path]) -> None:
    """Packs the shards' lines into one gzip file of one member, in the place of the first."""
    whole = shards[0].with_suffix(".whole")
    script = 'to=$1; shift; gzip -dc "$@" | gzip -6 >"$to"'
    subprocess.run(["bash", "-o", "pipefail", "-c", script, "join", whole, *shards], check=True)
    for shard in shards:
        shard.unlink()
    whole.rename(shards[0])


def gzip_files(folder: Path) -> list[Path]:
    """The purchase log, the assignments and the catalog."""
    return sorted(folder.glob("*.gz"))


def rows(folder: Path) -> int:
    """Rows of the purchase log, as the simulation counted them."""
    with open(folder / "truth.csv", newline="") as file:
        return sum(int(row["value"]) for row in csv.DictReader(file) if is_count(row))


def is_count(row: dict[str, str]) -> bool:
    """A line of truth.csv that counts the purchase log's rows."""
    return row["what"] == "rows" and row["name"].startswith("purchases")
