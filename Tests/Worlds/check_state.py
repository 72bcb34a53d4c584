"""Nights with `state:` are the nights without.

    python3 check_state.py --binary PATH [--seed N] [--count N] [--keep DIR]

A world's files arrive on eight nights, from the first of its days or later, in any timezone: some come late, some go, and an
assignments file is corrected, so that users change their groups. One copy of it keeps its state between nights, the other
forgets it before each; both must publish the same bytes, night after night.
"""

import datetime
import os
import random
import shutil
import sqlite3
import sys
from zoneinfo import ZoneInfo

import seeds
from differing import how, how_texts
from layout import write_source, yaml_text
from product import run_product
from values import DAY, EPOCH, rfc3339, time_millis
from worlds import make_world

NIGHTS = 8
ZONES = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/New_York"]
RATES = {"EUR": "1.0843", "JPY": "0.0065", "GBP": "1.25", "SEK": "0.094", "KWD": "3.25", "BRL": "0.18", "CHF": "1.1"}

# What tells when, where and how long a run took, and the database, which is compared as text.
APART = {"run.json", "results.sqlite", ".job", "metrics.prom", ".history"}


def files_below(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = path
    return found


def dump(path):
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return [line for line in base.iterdump() if "run_id" not in line]
    finally:
        base.close()


def differences(kept, fresh):
    """What two folders of results do not have in common, in a few words each."""
    one, other = files_below(kept), files_below(fresh)
    for name in sorted(set(one) ^ set(other)):
        yield f"{name} is only {'with' if name in one else 'without'} state"
    for name in sorted(set(one) & set(other)):
        base = os.path.basename(name)
        if base == "results.sqlite":
            dumps = ["\n".join(dump(found[name])).encode() for found in (one, other)]
            if dumps[0] != dumps[1]:
                yield f"{name} differs: {how_texts(*dumps)}"
        elif base not in APART:
            if said := how(one[name], other[name]):
                yield f"{name} differs: {said}"


class Correction:
    """Moves some users of two groups from one to the other."""

    def __init__(self, seed):
        self.dice = random.Random(f"moved {seed}")
        self.first = None
        """When the first user was assigned."""

    def __call__(self, rows):
        times = [row["#at"] for row in rows if "#at" in row]
        self.first = min(times, default=None)
        groups = sorted({row["group"] for row in rows if row.get("group")})
        pair = self.dice.sample(groups, min(2, len(groups)))
        others = dict(zip(pair, reversed(pair)))
        moved = {row["user"] for row in rows if self.dice.random() < 0.1}
        return [row | {"group": others.get(row["group"], row["group"])} if row["user"] in moved else row for row in rows]


class Files:
    """A world's files, as they arrive and as they are once its assignments have been corrected."""

    def __init__(self, rng, seed, world, folder):
        self.side = world.side
        self.folder, self.corrected_folder = os.path.join(folder, "inputs"), os.path.join(folder, "corrected")
        correction = Correction(seed)
        other = make_world(seed, corrected=correction)
        self.first = correction.first
        self.names = written(rng, world.sources, self.folder)
        rng.shuffle(self.names)
        assigning = [source.name for source in world.sources if source.role == "assignments"]
        self.assigning = [name for name in self.names if name.startswith(tuple(f"{source}-" for source in assigning))]
        # A job reads corrected rows as it does the others, or has no corrected ones.
        entries = [[source.entry for source in sources if source.role == "assignments"] for sources in (world.sources, other.sources)]
        sources = [source for source in other.sources if source.role == "assignments"]
        self.corrected = written(rng, sources if entries[0] == entries[1] else [], self.corrected_folder)

    def put(self, place, there, is_corrected):
        """Brings the files of a night to where the job looks for them."""
        wanted = {name: self.folder for name in there}
        if is_corrected and self.corrected:
            wanted = {name: self.folder for name in there if name not in self.assigning}
            wanted |= {name: self.corrected_folder for name in self.corrected}
        for name in {*self.names, *self.corrected}:
            path = os.path.join(place, name)
            if name not in wanted and os.path.exists(path):
                os.remove(path)
            elif name in wanted and not (os.path.exists(path) and same_bytes(path, os.path.join(wanted[name], name))):
                shutil.copy2(os.path.join(wanted[name], name), path)
        for name, content in self.side.items():
            with open(os.path.join(place, name), "wb") as file:
                file.write(content)


def same_bytes(one, other):
    return open(one, "rb").read() == open(other, "rb").read()


def written(rng, sources, folder):
    """Writes sources into a folder of their own; the files' names."""
    os.makedirs(folder)
    for source in sources:
        write_source(rng, source, folder)
    return sorted(os.listdir(folder))


class Rates:
    """Exchange rates as they are known night by night: those of the last days come later, and some are corrected."""

    def __init__(self, rng, world):
        self.rng = rng
        self.first = time_millis(world.as_of) // DAY - 500
        self.known = {}

    def table(self, as_of):
        last = time_millis(as_of) // DAY - self.rng.choice([0, 1, 2])
        begun = max((day for day, _ in self.known), default=self.first) + 1
        for day in range(begun, last):
            if day % 3:
                self.known.update({(day, currency): rate for currency, rate in RATES.items()})
        if self.known and self.rng.random() < 0.4:
            self.known[last - self.rng.randrange(1, 40), self.rng.choice(sorted(RATES))] = "1.5"
        rows = [f"{rfc3339(day * DAY)[:10]},{currency},{rate}" for (day, currency), rate in sorted(self.known.items())]
        return "\n".join(["date,currency,rate", *rows, ""]).encode()


def end_of_day(moment, zone):
    """The first midnight of the zone at `moment` or later, in milliseconds since 1970."""
    before = EPOCH + datetime.timedelta(milliseconds=moment - 1)
    day = before.astimezone(ZoneInfo(zone)).date() + datetime.timedelta(days=1)
    return time_millis(f"{day}T00:00:00", zone)


def plan(rng, files, world, zone):
    """By night: the cut-off, the files that are there, and whether the assignments have been corrected."""
    moment = time_millis(world.as_of) - rng.choice([0, 0, 1, 2, 3, 8, 20]) * DAY
    if files.first is not None and rng.random() < 0.4:
        moment = files.first + 1  # the test's first day
    ends = [end_of_day(moment, zone)]
    for _ in range(NIGHTS - 1):
        ends.append(end_of_day(ends[-1] + rng.choice([0, 1, 1, 1, 2, 9]) * DAY, zone))
    if rng.random() < 0.2:  # whenever somebody runs it
        ends = [end + rng.randrange(DAY) for end in ends]
    there = {name for name in files.names if rng.random() < 0.8} or set(files.names)
    corrected = rng.randrange(1, len(ends)) if rng.random() < 0.5 else len(ends)
    nights = []
    for number, end in enumerate(ends):
        nights.append((rfc3339(end), set(there), number >= corrected))
        missing = [name for name in files.names if name not in there]
        if missing and rng.random() < 0.7:
            there.add(rng.choice(missing))
        if len(there) > 1 and rng.random() < 0.06:
            there.discard(rng.choice(sorted(there)))
    return nights


def check(binary, seed, folder):
    """What goes wrong with a world, and how many of its nights found what an earlier one had kept."""
    rng = random.Random(f"state {seed}")
    world = make_world(seed)
    files = Files(rng, seed, world, folder)
    zone = rng.choice(ZONES)
    job = world.full_job() | {"state": {"path": "state"}, "timezone": zone}
    if rng.random() < 0.6:
        job.pop("identities", None)
    rates = Rates(rng, world) if rng.random() < 0.7 else None
    if rates:
        job["exchange_rates"] = {"path": "data/growing-rates.csv"}
    copies = [os.path.join(folder, copy) for copy in ("kept", "fresh")]
    for copy in copies:
        os.makedirs(os.path.join(copy, "data"))
        with open(os.path.join(copy, "job.yml"), "w", encoding="utf-8") as file:
            file.write(yaml_text(job))
    followed = 0
    for as_of, there, is_corrected in plan(rng, files, world, zone):
        followed += any(name.endswith(".blocks") for name in files_below(os.path.join(copies[0], "state")))
        ended = []
        table = rates and rates.table(as_of)
        for copy in copies:
            files.put(os.path.join(copy, "data"), there, is_corrected)
            if rates:
                with open(os.path.join(copy, "data", "growing-rates.csv"), "wb") as file:
                    file.write(table)
            if copy.endswith("fresh"):
                shutil.rmtree(os.path.join(copy, "state"), ignore_errors=True)
            threads = rng.choice([1, 2, 3]) if copy.endswith("kept") else 2
            run = run_product(binary, os.path.join(copy, "job.yml"), as_of, os.path.join(copy, "out"), threads)
            ended.append((run.returncode, run.stderr.decode().replace(copy, "").strip()))
        if ended[0][0] != ended[1][0]:
            return [f"{as_of}: exit {ended[0][0]} with state, {ended[1][0]} without: {ended[0][1][-300:]}"], 0
        found = list(differences(*(os.path.join(copy, "out") for copy in copies)))
        if found:
            return [f"{as_of}: {line}" for line in found], 0
    return [], followed


def main():
    chosen = seeds.chosen_by(__doc__, 60)
    failed, nights = 0, 0
    for seed, (found, followed) in seeds.checked(chosen, check, "state"):
        nights += followed
        if found:
            failed += 1
            seeds.tell(f"seed {seed}", found)
    print(f"{nights} nights found what an earlier one had kept")
    if not nights:
        print("FAILED: none did")
    print(f"{chosen.count - failed} passed, {failed + (nights == 0)} failed")
    sys.exit(1 if failed or not nights else 0)


if __name__ == "__main__":
    main()
