"""Whether two folders of a job hold the same nights: files by their bytes, the database by its rows."""

import os
import re
import sqlite3

OF_THE_RUN = {"run.json"}
CLOCK = re.compile(r"offerlift_(last_success|run_duration|peak_memory)")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def night_differences(one, two):
    """Files of a night's folder that differ, by name."""
    names = [set(os.listdir(folder)) if os.path.isdir(folder) else set() for folder in (one, two)]
    if names[0] != names[1] or not names[0]:
        yield f"{one} lacks {sorted(names[1] - names[0])} and has {sorted(names[0] - names[1])} of {len(names[1])}"
    for name in sorted(names[0] & names[1] - OF_THE_RUN):
        if content(os.path.join(one, name)) != content(os.path.join(two, name)):
            yield f"{os.path.join(one, name)} differs"


def beside_differences(one, two):
    """`latest` and `metrics.prom`."""
    paths = [os.path.join(folder, "latest") for folder in (one, two)]
    links = [os.readlink(path) if os.path.islink(path) else None for path in paths]
    if links[0] != links[1]:
        yield f"{one}/latest is {links[0]}, not {links[1]}"
    texts = []
    for folder in (one, two):
        with open(os.path.join(folder, "metrics.prom")) as file:
            texts.append([line for line in file if not CLOCK.match(line)])
    if texts[0] != texts[1]:
        yield f"{one}/metrics.prom differs"


def leftovers(folder):
    """What should not lie there."""
    hidden = [name for name in os.listdir(folder) if name.startswith(".") and name not in (".lock", ".job", ".history")]
    if hidden:
        yield f"{folder} has {hidden}"


def database_differences(one, two, night=None):
    """Tables and views whose rows differ: of one night, or of all."""
    base = sqlite3.connect(":memory:")
    try:
        for name, folder in (("one", one), ("two", two)):
            path = os.path.join(folder, "results.sqlite")
            if not os.path.exists(path):
                yield f"{path} is not there"
                return
            base.execute(f"ATTACH ? AS {name}", (path,))
        if night is None and base.execute("PRAGMA one.integrity_check").fetchone() != ("ok",):
            yield f"{one}/results.sqlite is damaged"
        tables = [row[0] for row in base.execute("SELECT name FROM two.sqlite_master WHERE type = 'table' ORDER BY 1")]
        histories = [table for table in tables if table.endswith("_history")]
        for table in [*tables, *(table.removesuffix("_history") for table in histories)]:
            columns = [row[1] for row in base.execute(f"PRAGMA two.table_info({table})") if row[1] not in ("until",)]
            if "night" not in columns or table in histories or table == "night_checksums":
                continue
            where = f" WHERE night = '{night}'" if night else ""
            names = ", ".join(f'"{column}"' for column in columns)
            sides = [f"SELECT {names} FROM {name}.{table}{where}" for name in ("one", "two")]
            counts = [base.execute(f"SELECT count(*) FROM ({side})").fetchone()[0] for side in sides]
            odd = base.execute(f"SELECT * FROM ({sides[0]} EXCEPT {sides[1]}) LIMIT 1").fetchone()
            if counts[0] != counts[1] or odd:
                yield f"{one}/results.sqlite: {table} has {counts[0]} rows, not {counts[1]}; {odd}"
    finally:
        base.close()
