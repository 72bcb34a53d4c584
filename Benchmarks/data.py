"""Makes a case's data with `offerlift simulate`, and keeps it for the next time."""

import csv
import gzip
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from case import Case
from containers import CONTAINERS, contained
from job import PLACES, job
from scenario import scenario

LAST_NIGHT = "2026-05-31"
"""The scenarios' logs end with this day."""
CUTOFF = "2026-06-01T00:00:00Z"
DAY = re.compile(rb'"occurredAt":"(\d{4}-\d\d-\d\d)')


@dataclass(frozen=True)
class Data:
    """What a case's contenders read."""

    folder: Path
    job: Path
    job_before: Path | None
    """Of the night before, where the case has one."""
    files: list[Path]
    """Every gzip file that the job reads."""
    rows: int
    """Of the purchase log."""
    packed: int
    """Bytes of all gzip files."""


def prepare(case: Case, binary: str, store: Path) -> Data:
    """The case's data below `store`: made, unless it is there and of the same scenario; and its job beside it."""
    text = scenario(case)
    folder = store / folder_name(case)
    if not is_made(folder, text):
        make(folder, text, binary, case)
    path = written(folder, case, case.day)
    before = written(folder, case, "before") if case.day == "next" else path if case.day == "again" else None
    logs = [file for place in PLACES[case.day] for file in (folder / place).glob("purchases-*.gz")]
    files = sorted({*folder.glob("*.gz"), *logs})
    count = rows(folder) if case.day != "alone" else sum(map(lines, logs))
    return Data(folder, path, before, files, count, sum(file.stat().st_size for file in files))


def written(folder: Path, case: Case, day: str) -> Path:
    """The job file of that day's run."""
    kept = ["stored"] if case.stored else []
    place = contained(folder, case.container)
    parts = [case.format, case.container, str(case.metrics or "seven"), day or "whole", *kept, "job.yml"]
    path = folder / "-".join(parts)
    path.write_text(job(case, day, place))
    return path


def folder_name(case: Case) -> str:
    """One folder for all cases that read the same bytes."""
    parts = [case.format.replace("-verified", "-signed"), f"x{case.scale:g}"]
    parts += [f"{case.users}-users"] if case.users else []
    parts += ["one-file"] if case.one_file else []
    return "-".join(parts + (["days"] if case.in_days else []))


def is_made(folder: Path, text: str) -> bool:
    """The folder holds whole data of this scenario; `made.yml` is written last of all."""
    made = folder / "made.yml"
    return made.exists() and made.read_text() == text


def make(folder: Path, text: str, binary: str, case: Case) -> None:
    """Makes the data anew."""
    print(f"making {folder}", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    for old in [folder / "made.yml", *folder.glob("purchases-*"), *folder.glob("user_offering_assignments-*")]:
        old.unlink(missing_ok=True)
    for place in [*PLACES["next"], *CONTAINERS]:
        shutil.rmtree(folder / place, ignore_errors=True)
    (folder / "scenario.yml").write_text(text)
    command = [binary, "simulate", str(folder / "scenario.yml"), "--output", str(folder), "--progress", "never"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if case.one_file:
        join(sorted(folder.glob("purchases-*.gz")))
    if case.in_days:
        split(folder)
    (folder / "made.yml").write_text(text)


def join(shards: list[Path]) -> None:
    """Packs the shards' lines into one gzip file of one member, in the place of the first."""
    whole = shards[0].with_suffix(".whole")
    script = 'to=$1; shift; gzip -dc "$@" | gzip -6 >"$to"'
    subprocess.run(["bash", "-o", "pipefail", "-c", script, "join", whole, *shards], check=True)
    for shard in shards:
        shard.unlink()
    whole.rename(shards[0])


def split(folder: Path) -> None:
    """Packs the shards' lines into a file a day, by the day each line names; the last into a folder of its own."""
    with ExitStack() as open_files:
        days: dict[str, gzip.GzipFile] = {}
        for shard in sorted(folder.glob("purchases-*.gz")):
            with gzip.open(shard) as packed:
                for line in packed:
                    found = DAY.search(line)
                    day = min(found[1].decode(), LAST_NIGHT) if found else LAST_NIGHT
                    if day not in days:
                        place = folder / PLACES["alone" if day == LAST_NIGHT else "before"][0]
                        place.mkdir(exist_ok=True)
                        file = gzip.open(place / f"purchases-{day}.jsonl.gz", "wb", compresslevel=6)
                        days[day] = open_files.enter_context(file)
                    days[day].write(line)
            shard.unlink()


def rows(folder: Path) -> int:
    """Rows of the purchase log, as the simulation counted them."""
    with open(folder / "truth.csv", newline="") as file:
        return sum(int(row["value"]) for row in csv.DictReader(file) if is_count(row))


def lines(file: Path) -> int:
    """Lines of a gzip file."""
    with gzip.open(file) as packed:
        return sum(1 for _ in packed)


def is_count(row: dict[str, str]) -> bool:
    """A line of truth.csv that counts the purchase log's rows."""
    return row["what"] == "rows" and row["name"].startswith("purchases")
