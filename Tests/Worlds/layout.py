"""How rows lie in files: shards, order, containers, line ends.

A source keeps its records apart from their layout, so that the same world can
be written twice in different shapes; the product's answer may not differ.
"""

from dataclasses import dataclass, field
import json
import os
import sqlite3

import containers
from rows_in import json_object
from values import Fault


@dataclass
class Source:
    """One entry of `purchases:` or `assignments:`. `records` are bytes without their line end,
    or tuples of values for SQLite."""

    role: str
    name: str
    entry: dict
    records: list
    header: bytes | None = None
    columns: list | None = None


@dataclass
class World:
    seed: int
    job: dict
    as_of: str
    sources: list
    side: dict = field(default_factory=dict)

    def full_job(self):
        """The job with its inputs' paths, as the model and the YAML file want it."""
        job = dict(self.job)
        for source in self.sources:
            pattern = f"data/{source.name}-*"
            job.setdefault(source.role, [])
            job[source.role] = job[source.role] + [{"path": pattern} | source.entry]
        return job


def yaml_text(job):
    """JSON is YAML: one top-level key a line, its value in flow style."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in job.items()]
    return "\n".join(lines) + "\n"


# how often files are joined, lines have several objects, a shard is there twice, files lie in an archive
JOINED, SEVERAL, AGAIN, ARCHIVED = 0.02, 0.3, 0.03, 0.12
MARK = b"\xef\xbb\xbf"
JSON = ("events", "jsonl", "app-store-notifications", "google-play-orders", "google-play-subscriptions", "google-play-notifications",
        "revenuecat-webhooks", "stripe-events", "ga4-export", "superwall-webhooks", "api-log")


def several_a_line(rng, lines, kind):
    """The same lines; of JSON now and then two or three objects in one."""
    if kind not in JSON or rng.random() > SEVERAL:
        return lines
    out, may_go_on = [], False
    for line in lines:
        if may_go_on and is_object(line) and rng.random() < 0.1:
            out[-1] += rng.choice([b"", b" ", b"\t"]) + line
        else:
            out.append(line)
            may_go_on = is_object(line)
    return out


def is_object(line):
    try:
        return bool(json_object(line))
    except Fault:
        return False


def shard_bytes(rng, source, records):
    """One text file: header, line ends, blank lines, BOM, last line end, its container."""
    if not records and rng.random() < 0.4:
        data = b""
    else:
        lines = ([source.header] if source.header is not None else []) + records
        crlf = rng.random() < 0.3 and source.entry.get("format") != "mysql"
        end = b"\r\n" if crlf else b"\n"
        out = []
        for line in several_a_line(rng, lines, source.entry.get("format")):
            if rng.random() < JOINED:  # shards put one behind the other
                out += [MARK * rng.choice([0, 1]) + source.header] if source.header is not None else []
                line = MARK + line if out and rng.random() < 0.5 else line
            out.append(line)
            if rng.random() < 0.02:
                out.append(b"")
        data = end.join(out)
        if rng.random() < 0.8:
            data += end
        if rng.random() < 0.2:
            data = MARK + data
    data, is_packed = containers.packed(rng, data)
    if is_packed:
        return data, rng.choice([".gz", ".gz", ".log"])
    return data, rng.choice([".txt", ".gz"] if rng.random() < 0.1 else [".txt"])


def write_sqlite(path, source, records):
    base = sqlite3.connect(path)
    columns = ", ".join(f'"{name}"' for name in source.columns)
    base.execute(f'CREATE TABLE "sticky" ({columns})')
    marks = ", ".join("?" * len(source.columns))
    base.executemany(f'INSERT INTO "sticky" VALUES ({marks})', records)
    base.commit()
    base.close()


def write_source(rng, source, folder):
    records = list(source.records)
    rng.shuffle(records)
    if source.entry.get("format") == "sqlite":
        write_sqlite(os.path.join(folder, f"{source.name}-0.db"), source, records)
        return
    shards = rng.choice([1, 1, 2, 3, 4])
    cuts = sorted(rng.randrange(len(records) + 1) for _ in range(shards - 1))
    edges, files = [0, *cuts, len(records)], []
    for number, (start, end) in enumerate(zip(edges, edges[1:])):
        data, ending = shard_bytes(rng, source, records[start:end])
        files.append((f"{source.name}-{number}{ending}", data))
        if start < end and rng.random() < AGAIN:  # the same shard again, in another container or not
            files.append((f"{source.name}-{number}-again{ending}", containers.packed(rng, containers.unpacked(data))[0]))
    if rng.random() < ARCHIVED:
        count = rng.randrange(1, len(files) + 1)
        files = [(f"{source.name}-0.zip", containers.archive(rng, files[:count])), *files[count:]]
    for name, data in files:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def write_world(world, folder, rng):
    """The job file and its inputs; returns the job file's path."""
    data = os.path.join(folder, "data")
    os.makedirs(data, exist_ok=True)
    for source in world.sources:
        write_source(rng, source, data)
    for name, content in world.side.items():
        with open(os.path.join(data, name), "wb") as file:
            file.write(content)
    path = os.path.join(folder, "job.yml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(yaml_text(world.full_job()))
    return path
