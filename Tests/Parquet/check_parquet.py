"""Nights out of Parquet files against the same rows as text, and files that are damaged.

    python check_parquet.py --binary OFFERLIFT [--seed N] [--count N] [--cells PARQUET-CELLS --files N --damaged N]

Ends with `N passed, N failed`.
"""

import argparse
import concurrent.futures
import csv
import datetime as dt
import decimal
import functools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import check_cells
import writers

START = dt.datetime(2026, 3, 1, tzinfo=dt.timezone.utc)
JOB = """job: night
max_reject_ratio: 1
assignments: {{path: assignments.data, attributes: [country, score, since, beta, ratio]}}
purchases: {{path: purchases.data, format: {format}}}
exchange_rates: {{path: rates.data}}
segments: [country, score, since, beta, ratio]
metrics:
  - {{name: revenue_gross, window: 14d, id: gross}}
  - {{name: charges, window: none, id: charges}}
"""
DAMAGED_EACH = 5


def stamp(dice, days, digits):
    """A time as RFC 3339 has it, with so many digits of a second."""
    time = START + dt.timedelta(seconds=dice.randrange(days * 86_400))
    text = time.strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{dice.randrange(1000):03}Z" if digits and dice.random() < 0.5 else f"{text}Z"


def some(dice, share, value):
    return value if dice.random() < share else None


def night(dice):
    """The tables of a night: name → column → (kind, texts)."""
    users = dice.choice([
        lambda n: f"user-{n}", lambda n: str(10_000_000 + n * 7), lambda n: str(uuid.UUID(int=n << 70 | n)),
        lambda n: f"ü{n}€",
    ])
    count = dice.choice([3, 50, 400])
    ids = [users(n) for n in range(count)]
    assignments = {
        "user": ("text", ids),
        "offering": ("text", ["test"] * count),
        "group": ("text", ["control" if n == ids[0] else dice.choice(["control", "one", "two"]) for n in ids]),
        "assigned_at": ("time", [stamp(dice, 20, True) for _ in ids]),
        "country": ("text", [some(dice, 0.9, dice.choice(["DE", "US", "ÖÄ"])) for _ in ids]),
        "score": ("text", [some(dice, 0.9, str(dice.randrange(4))) for _ in ids]),
        "since": ("day", [some(dice, 0.8, dice.choice(["2024-02-29", "1999-12-31", "2026-01-01"])) for _ in ids]),
        "beta": ("flag", [some(dice, 0.8, dice.choice(["true", "false"])) for _ in ids]),
        "ratio": ("real", [some(dice, 0.8, dice.choice(["0.5", "-2.25", "1024"])) for _ in ids]),
    }
    charges = dice.choice([5, 300, 2_500])
    purchases = {
        "eventId": ("text", [f"e{n}" for n in range(charges)]),
        "userId": ("text", [dice.choice(ids) for _ in range(charges)]),
        "eventType": ("text", [dice.choice(["purchase", "renewal", "one_time_purchase"]) for _ in range(charges)]),
        "occurredAt": ("time", [stamp(dice, 40, True) for _ in range(charges)]),
        "productId": ("text", [dice.choice(["monthly", "yearly", "credits"]) for _ in range(charges)]),
        "price": ("money", [f"{dice.randrange(20_000) / 100:.2f}".rstrip("0").rstrip(".") for _ in range(charges)]),
        "currency": ("text", [dice.choice(["USD", "EUR"]) for _ in range(charges)]),
        "note": ("text", [some(dice, 0.5, "x" * dice.randrange(300)) for _ in range(charges)]),
    }
    days = [START.date() + dt.timedelta(days=n) for n in range(60)]
    rates = {
        "date": ("day", [day.isoformat() for day in days]),
        "currency": ("text", ["EUR"] * len(days)),
        "rate": ("real", [dice.choice(["1.125", "1.25"]) for _ in days]),
    }
    return {"assignments": assignments, "purchases": purchases, "rates": rates}


def write_csv(columns, path):
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(zip(*(texts for _, texts in columns.values())))


def write_lines(columns, path):
    with path.open("w", encoding="utf-8") as file:
        for values in zip(*(texts for _, texts in columns.values())):
            file.write(json.dumps(dict(zip(columns, values)), ensure_ascii=False) + "\n")


def run(binary, folder, *options, threads=2):
    """The exit code of a night, and what it said."""
    ran = subprocess.run(
        [binary, "run", "job.yml", "--as-of", "2026-05-01", "--output", "out", "--threads", str(threads), *options],
        cwd=folder, capture_output=True, text=True, errors="replace", timeout=60)
    return ran.returncode, ran.stderr


def published(folder):
    """What a night has published, without what tells how it was read."""
    nights = sorted((folder / "out").rglob("*"))
    found = {}
    for path in nights:
        if path.is_file() and path.suffix == ".csv":
            text = path.read_text(encoding="utf-8")
            if path.name == "inputs.csv":
                rows = list(csv.DictReader(text.splitlines()))
                text = [{k: v for k, v in row.items() if k not in ("bytes", "crc32", "sha256")} for row in rows]
            found[str(path.relative_to(folder / "out"))] = text
    return found


def differences(path):
    """Where a table's Parquet differs from its CSV, as three programs read it."""
    import duckdb
    import polars
    import pyarrow.parquet

    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    name = str(path.with_suffix(".parquet"))
    table = pyarrow.parquet.read_table(name, page_checksum_verification=True)
    if table.column_names != header:
        return [f"{name}: columns {table.column_names}"]
    cells = [[None if value is None else value for value in column.to_pylist()] for column in table.columns]
    for place, column in enumerate(header):
        for row, value in zip(rows, cells[place], strict=True):
            if not same(row[place], value):
                return [f"{name}, {column}: {row[place]!r} is {value!r}"]
    with duckdb.connect() as base:
        counted = base.execute(f"SELECT count(*) FROM '{name}'").fetchone()[0]
    if counted != len(rows) or polars.read_parquet(name).height != len(rows):
        return [f"{name}: {len(rows)} rows are others to DuckDB or Polars"]
    return []


def same(text, value):
    """A cell of a CSV and what stands in its place, typed."""
    if text == "" or value is None:
        return text == "" and value in (None, "")
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, dt.datetime):
        return dt.datetime.fromisoformat(text.replace("Z", "+00:00")) == value
    if isinstance(value, dt.date):
        return text == value.isoformat()
    if isinstance(value, float):
        return float(text) == value
    if isinstance(value, (int, decimal.Decimal)):
        return decimal.Decimal(text) == value
    return text == value


def damaged(dice, data):
    """The bytes, some of them others."""
    data = bytearray(data)
    way = dice.randrange(4)
    if way == 0:
        for _ in range(dice.choice([1, 1, 2, 8])):
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif way == 1:
        del data[dice.randrange(len(data)):]
    elif way == 2:
        # Four bytes become another length, near the end mostly, where the footer lies.
        place = dice.choice([dice.randrange(len(data)), max(len(data) - 8 - dice.randrange(400), 0)])
        data[place:place + 4] = dice.choice([b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\0\0\0\x80"])
    else:
        start = dice.randrange(len(data))
        data[start:start + dice.randrange(64)] = dice.randbytes(dice.randrange(64))
    return bytes(data)


def check(binary, seed):
    """What is wrong with one seed's night, line by line."""
    dice = random.Random(seed)
    tables = night(dice)
    purchases_format = dice.choice(["events", "events-csv"])
    faults = []
    with tempfile.TemporaryDirectory() as name:
        text, parquet = pathlib.Path(name, "text"), pathlib.Path(name, "parquet")
        by = {}
        for folder in (text, parquet):
            folder.mkdir()
            (folder / "job.yml").write_text(JOB.format(format=purchases_format))
        for table, columns in tables.items():
            lines = table == "purchases" and purchases_format == "events"
            (write_lines if lines else write_csv)(columns, text / f"{table}.data")
            by[table] = writers.write(dice, columns, parquet / f"{table}.data")
        codes = [run(binary, folder) for folder in (text, parquet)]
        if codes[0][0] not in (0, 3) or codes[1][0] != codes[0][0]:
            return [f"seed {seed}, {by}: exit {codes[0][0]} of text, {codes[1][0]} of Parquet: {codes[1][1][:600]}"]
        one, other = published(text), published(parquet)
        for path in sorted(one.keys() | other.keys()):
            if one.get(path) != other.get(path):
                faults.append(f"seed {seed}, {by}: {path} differs")
        shutil.rmtree(parquet / "out")
        # Row groups are shared out between threads.
        for threads in (1, 5):
            code, said = run(binary, parquet, threads=threads)
            if code != codes[0][0] or published(parquet) != one:
                faults.append(f"seed {seed}, {by}: {threads} threads differ: {said[:300]}")
            shutil.rmtree(parquet / "out", ignore_errors=True)
        code, said = run(binary, parquet, "--memory", "96MB", "--tables", "parquet")
        if code != codes[0][0] or published(parquet) != one:
            faults.append(f"seed {seed}, {by}: --memory differs: {said[:300]}")
        for path in sorted((parquet / "out").glob("night/2*/*.csv")):
            faults += [f"seed {seed}: {difference}" for difference in differences(path)]
        for _ in range(DAMAGED_EACH):
            table = dice.choice(list(tables))
            path = parquet / f"{table}.data"
            sound = path.read_bytes()
            path.write_bytes(damaged(dice, sound))
            shutil.rmtree(parquet / "out", ignore_errors=True)
            began = time.monotonic()
            try:
                code, said = run(binary, parquet)
            except subprocess.TimeoutExpired:
                code, said = "timeout", ""
            if code not in (0, 3, 65, 78) or code in (65, 78) and f"{table}.data" not in said:
                kept = pathlib.Path(tempfile.gettempdir(), f"damaged-{seed}-{table}.parquet")
                shutil.copy(path, kept)
                faults.append(f"seed {seed}, {by[table]}: damaged {kept}: exit {code}: {said[:400]}")
            elif time.monotonic() - began > 20:
                faults.append(f"seed {seed}: a damaged file took {time.monotonic() - began:.0f} s")
            path.write_bytes(sound)
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--cells", help="the program that tells cells: then files by themselves are checked, too")
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--damaged", type=int, default=600)
    arguments = parser.parse_args()
    passed = failed = 0
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        cells = pool.submit(check_cells.checked, arguments.cells, arguments.seed, arguments.files, arguments.damaged) if arguments.cells else None
        for faults in pool.map(functools.partial(check, arguments.binary), seeds):
            for fault in faults:
                print("FAILED:", fault, flush=True)
            failed += bool(faults)
            passed += not faults
        if cells:
            told, sound, broken = cells.result()
            print("\n".join(told))
            passed, failed = passed + sound, failed + broken
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
