"""What people wait for: a file that comes late, the next night, a thousand tests in one job, and `init`."""

import gzip
import random
import re
import shutil
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import table
from case import Case
from data import LAST_NIGHT, is_made, make, prepare, split
from job import TEMPLATE
from measure import Sample, measure
from scenario import HERE, with_users

YEARS = {"enrolment: .*": "enrolment: {from: 2024-06-01, to: 2026-05-25}", "(?<=return_rate: ).*": "0.94"}
"""What makes of nightly-5m.yml two years of 730 days, and of a million users some twenty million rows."""
RENEWALS = {"(?<=renewal_rate: ).*": "0.95"}
LATE = "2024-10-08"
"""The day whose file comes late, 600 days before the last."""
TESTS_USERS = 400_000
TESTS = """\
job: tests
currency: USD
baseline: a
assignments: {path: assignments.csv.gz, format: csv, keys: names}
purchases: {path: purchases.jsonl.gz, format: events}
metrics:
  - {name: revenue_net, window: 14d, primary: true}
  - {name: paying_conversion, window: 14d, primary: true}
"""


@dataclass(frozen=True)
class Wait:
    """Something that somebody waits for."""

    label: str
    command: tuple[str, ...]
    output: Path
    """Made anew each time, with the state beside it."""
    before: tuple[str, ...] = ()
    """What runs before it and is not measured."""
    late: tuple[Path, Path] | None = None
    """A file, and where it is put once `before` has run."""

    def take(self) -> Sample:
        """Runs it once, from what was there before it."""
        for place in (self.output, self.output.parent / "state"):
            shutil.rmtree(place, ignore_errors=True)
        self.output.mkdir(parents=True)
        if self.late:
            self.late[1].unlink(missing_ok=True)
        if self.before:
            measure(self.before)
        if not self.late:
            return measure(self.command)
        shutil.copy(*self.late)
        sample = measure(self.command)
        self.late[1].unlink()
        return sample


def waits_table(binary: str, scale: float, threads: int, turns: int, store: Path, folder: Path) -> str:
    """Each of them in turns, against the night that reads one day's file alone."""
    waits = [
        *two_years(binary, scale, threads, store, folder), *thousand_tests(binary, scale, threads, store, folder),
        look(binary, scale, store, folder),
    ]  # fmt: skip
    samples = {wait.label: [] for wait in waits}
    for turn in range(turns):
        for wait in waits:
            print(f"turn {turn + 1} of {turns}: {wait.label}", file=sys.stderr)
            samples[wait.label].append(wait.take())
    yardstick = samples[waits[0].label]
    return table.table(
        "offerlift", waits[0].label, [table.Line(wait.label, samples[wait.label], yardstick) for wait in waits]
    )


def two_years(binary: str, scale: float, threads: int, store: Path, folder: Path) -> list[Wait]:
    """A test of two years, a file a day: nights with `state:`."""
    place = store / f"two-years-x{scale:g}"
    text = with_users((HERE / "nightly-5m.yml").read_text(), scale)
    for pattern, words in (YEARS | RENEWALS).items():
        text = re.sub(pattern, words, text)
    if not is_made(place, text):
        make(place, text, binary, Case())
        split(place)
        shutil.move(place / "days" / f"purchases-{LATE}.jsonl.gz", place / f"late-{LATE}.jsonl.gz")
        (place / "made.yml").write_text(text)
    late = (place / f"late-{LATE}.jsonl.gz", place / "days" / f"purchases-{LATE}.jsonl.gz")
    new = f"purchases-{LAST_NIGHT}.jsonl.gz"
    next_day = (place / "last-day" / new, place / "days" / new)
    jobs = {name: written(place, name, logs) for name, logs in LOGS.items()}
    last = date.fromisoformat(LAST_NIGHT)
    before = last - timedelta(days=1)

    def run(name: str, night: date, *options: str) -> tuple[str, ...]:
        how = ("--date", str(night), "--output", str(folder / "out"), "--threads", str(threads), *options)
        return (binary, "run", str(jobs[name]), *how)

    return [
        Wait("that day alone", run("alone", last), folder / "out"),
        Wait("the first night of two years, `state:`", run("days", before), folder / "out"),
        Wait("the next night, one new day", run("days", last), folder / "out", run("days", before), next_day),
        Wait("a file 600 days late", run("days", before), folder / "out", run("days", before), late),
    ]  # fmt: skip


LOGS = {
    "alone": ["last-day/purchases-*.jsonl.gz"],
    "days": ["days/purchases-*.jsonl.gz"],
}


def written(place: Path, name: str, logs: list[str]) -> Path:
    """The job file that reads these logs."""
    inputs = "".join(f"  - path: {log}\n    format: events\n" for log in logs)
    text = TEMPLATE.read_text().replace("  - path: purchases-*.jsonl.gz\n    format: events\n", inputs)
    path = place / f"{name}.job.yml"
    path.write_text(text + ("" if name == "alone" else "state:\n"))
    return path


def thousand_tests(binary: str, scale: float, threads: int, store: Path, folder: Path) -> list[Wait]:
    """A thousand offerings in one job, and half as many."""
    waits = []
    for tests in (round(500 * scale), round(1000 * scale)):
        place = store / f"{tests}-tests"
        users = round(TESTS_USERS * scale)
        if not is_made(place, f"{tests} of {users}"):
            make_tests(place, tests, users)
        how = ("--date", "2026-04-30", "--output", str(folder / "tests"), "--threads", str(threads))
        run = (binary, "run", str(place / "job.yml"), *how)
        waits.append(Wait(f"{tests:,} tests, {users:,} users", run, folder / "tests"))
    return waits


def look(binary: str, scale: float, store: Path, folder: Path) -> Wait:
    """`init` on a log in one file, of a million rows at full scale, and its users."""
    data = prepare(Case(scale=scale / 5, one_file=True), binary, store)
    job = folder / "init" / "job.yml"
    users = [str(file) for file in data.files if file.name.startswith("user_")]
    logs = [str(file) for file in data.files if file.name.startswith("purchases-")]
    command = (binary, "init", "--assignments", *users, "--purchases", *logs, "--output", str(job))
    return Wait(f"`init` on {data.rows:,} rows", command, job.parent)


def make_tests(place: Path, tests: int, users: int) -> None:
    """Users by chance in one of the tests, a third of whom buys once, always the same."""
    dice = random.Random(tests)
    place.mkdir(parents=True, exist_ok=True)
    with gzip.open(place / "assignments.csv.gz", "wt") as assigned, gzip.open(place / "purchases.jsonl.gz", "wt") as log:
        assigned.write("user,offering,group,assigned_at\n")
        for user in range(users):
            day = date(2026, 3, 1) + timedelta(days=dice.randrange(28))
            test, group = dice.randrange(tests), "ab"[dice.randrange(2)]
            assigned.write(f"u{user:07},offer_{test:04},{group},{day}T{dice.randrange(24):02}:00:00Z\n")
            if dice.random() < 0.3:
                bought = day + timedelta(days=dice.randrange(1, 20))
                product, price = dice.choice([("monthly", "9.99"), ("weekly", "4.99")])
                log.write(
                    f'{{"eventId":"e{user}","userId":"u{user:07}","eventType":"purchase","occurredAt":"{bought}T12:00:00Z",'
                    f'"productId":"{product}","price":{price},"currency":"USD","transactionId":"t{user}"}}\n'
                )
    (place / "job.yml").write_text(TESTS)
    (place / "made.yml").write_text(f"{tests} of {users}")
