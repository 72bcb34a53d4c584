"""Nights that count anew only those of whom there is news are the nights that count everybody.

    python3 check_news.py --binary PATH [--seed N] [--count N] [--keep DIR]

A world's files arrive night by night, some late, a few are rewritten or go. One copy of it keeps its state between nights, the
other forgets it before each; both must publish the same bytes, night after night.
"""

import json
import os
import random
import shutil
import sqlite3
import sys

import seeds
from differing import how, how_texts
from layout import write_source, yaml_text
from product import night_of, run_product
from values import DAY, rfc3339, time_millis
from worlds import make_world

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


def counted_news(folder):
    """How many nights counted only those of whom there was news."""
    nights = [path for name, path in files_below(folder).items() if os.path.basename(name) == "run.json" and "latest" not in name]
    stages = []
    for path in nights:
        with open(path, encoding="utf-8") as file:
            stages.append(json.dumps(json.load(file)))
    return sum('"news"' in text for text in stages)


def make_inputs(rng, world, folder):
    """All files of the world, in the order in which they arrive."""
    os.makedirs(folder)
    for source in world.sources:
        write_source(rng, source, folder)
    names = sorted(os.listdir(folder))
    rng.shuffle(names)
    write_side(world, folder)
    return names


def write_side(world, folder):
    for name, content in world.side.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


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


def plan(rng, names, world):
    """By night: the cut-off, and the files that are there."""
    last = time_millis(world.as_of)
    moments = [last - rng.choice([0, 0, 1, 2, 3, 8, 20]) * DAY]
    for _ in range(rng.choice([1, 2, 3, 4])):
        moments.append(moments[-1] + rng.choice([0, 1, 1, 1, 2, 9]) * DAY)
    there = {name for name in names if rng.random() < 0.8} or set(names)
    nights = []
    for moment in moments:
        nights.append((rfc3339(moment), set(there)))
        missing = [name for name in names if name not in there]
        if missing and rng.random() < 0.7:
            there.add(rng.choice(missing))
        if len(there) > 1 and rng.random() < 0.06:
            there.discard(rng.choice(sorted(there)))
    return nights


def put(files, inputs, there, side, names):
    """Brings the files of a night to where the job looks for them."""
    for name in names:
        path = os.path.join(files, name)
        if name in there and not os.path.exists(path):
            shutil.copy2(os.path.join(inputs, name), path)
        elif name not in there and os.path.exists(path):
            os.remove(path)
    for name in side:
        if not os.path.exists(os.path.join(files, name)):
            shutil.copy2(os.path.join(inputs, name), os.path.join(files, name))


def check(binary, seed, folder):
    """What goes wrong with a world, and how many of its nights counted only news."""
    rng = random.Random(f"news {seed}")
    world = make_world(seed)
    inputs = os.path.join(folder, "inputs")
    names = make_inputs(rng, world, inputs)
    job = world.full_job() | {"state": {"path": "state"}}
    if rng.random() < 0.9:  # else who is who leads to a count of everybody
        job.pop("identities", None)
    rates = Rates(rng, world) if rng.random() < 0.7 else None
    if rates:
        job["exchange_rates"] = {"path": "data/growing-rates.csv"}
    copies = [os.path.join(folder, copy) for copy in ("kept", "fresh")]
    for copy in copies:
        os.makedirs(os.path.join(copy, "data"))
        with open(os.path.join(copy, "job.yml"), "w", encoding="utf-8") as file:
            file.write(yaml_text(job))
    for as_of, there in plan(rng, names, world):
        ended = []
        table = rates and rates.table(as_of)
        for copy in copies:
            put(os.path.join(copy, "data"), inputs, there, world.side, names)
            if rates:
                with open(os.path.join(copy, "data", "growing-rates.csv"), "wb") as file:
                    file.write(table)
            if copy.endswith("fresh"):
                shutil.rmtree(os.path.join(copy, "state"), ignore_errors=True)
            threads = rng.choice([1, 2, 3]) if copy.endswith("kept") else 2
            run = run_product(binary, os.path.join(copy, "job.yml"), as_of, os.path.join(copy, "out"), threads)
            ended.append((run.returncode, run.stderr.decode().replace(copy, "").strip()))
        if ended[0][0] != ended[1][0]:
            return [f"{night_of(as_of)}: exit {ended[0][0]} with state, {ended[1][0]} without: {ended[0][1][-300:]}"], 0
        found = list(differences(*(os.path.join(copy, "out") for copy in copies)))
        if found:
            return [f"{night_of(as_of)}: {line}" for line in found], 0
    return [], counted_news(os.path.join(copies[0], "out"))


def main():
    chosen = seeds.chosen_by(__doc__, 60)
    failed, nights = 0, 0
    for seed, (found, counted) in seeds.checked(chosen, check, "news"):
        nights += counted
        if found:
            failed += 1
            seeds.tell(f"seed {seed}", found)
    print(f"{nights} nights counted only those of whom there was news")
    if not nights:
        print("FAILED: none did")
    print(f"{chosen.count - failed} passed, {failed + (nights == 0)} failed")
    sys.exit(1 if failed or not nights else 0)


if __name__ == "__main__":
    main()
