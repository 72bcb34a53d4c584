"""Whether two runs have published the same."""

import gzip
import os
import re
import sqlite3

# What a run says of itself: how long it took, with how many threads, on what.
OF_THE_RUN = {"run.json", "metrics.prom", ".history", ".job"}
NOT_PUBLISHED = {".exchange"}
TIMINGS = re.compile(r"second|thread|duration|timestamp|memory|bytes|wall|time", re.IGNORECASE)


def files(folder):
    """Every published file by its path below the folder; `latest` is a link, and told as one."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_PUBLISHED]
        for name in names + [name for name in folders if os.path.islink(os.path.join(place, name))]:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = path
    return found


def contents(path):
    if os.path.islink(path):
        return os.readlink(path).encode()
    with open(path, "rb") as file:
        return file.read()


def rows(path):
    """All of a database's tables, but what it says of the runs themselves."""
    base = sqlite3.connect(path)
    try:
        base.text_factory = bytes
        named = base.execute("SELECT name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
        tables = [name.decode() for name, sql in named if sql and sql.upper().startswith(b"CREATE TABLE")]
        return named, {name: sorted(map(repr, base.execute(f'SELECT * FROM "{name}"'))) for name in tables}
    finally:
        base.close()


def metrics(path):
    """The figures for Prometheus but those that differ from run to run."""
    with open(path, encoding="utf-8") as file:
        return [line for line in file if not TIMINGS.search(line)]


def differences(native, spark):
    """What one folder of results holds and the other does not."""
    left, right = files(native), files(spark)
    found = [f"only one has {name}" for name in sorted(set(left) ^ set(right))]
    for name in sorted(set(left) & set(right)):
        base = os.path.basename(name)
        if base == "metrics.prom":
            if metrics(left[name]) != metrics(right[name]):
                found.append(f"{name} differs in more than timings")
        elif base not in OF_THE_RUN and contents(left[name]) != contents(right[name]):
            if base == "results.sqlite":
                (schema, one), (other_schema, two) = rows(left[name]), rows(right[name])
                found += [f"{name}: its tables are others"] if schema != other_schema else []
                found += [f"{name}: {table} differs" for table in one if one[table] != two.get(table)]
            else:
                found.append(f"{name} differs: {first_difference(contents(left[name]), contents(right[name]))}")
    return found


def differences_but_names(native, spark, names):
    """The same where inputs are called otherwise: pairs of what either calls them.

    A workbook has its texts in one list, sorted, and is not looked at.
    """
    found = []
    for name, path in files(native).items():
        base, other = os.path.basename(name), os.path.join(spark, name)
        if base in OF_THE_RUN | {"results.xlsx", "results.sqlite"}:
            continue
        one, two = contents(path), contents(other)
        if name.endswith(".gz"):
            one, two = gzip.decompress(one), gzip.decompress(two)
        for old, new in names:
            one = one.replace(old.encode(), new.encode())
        if one != two:
            found.append(f"{name} differs: {first_difference(one, two)}")
    return found


def first_difference(one, two):
    for left, right in zip(one.split(b"\n"), two.split(b"\n")):
        if left != right:
            return f"{left[:200]!r} | {right[:200]!r}"
    return "one is longer"
