"""No user's id leaves a run: not on the terminal, not in a log, not in what is published, whatever is wrong with inputs and job."""

import gzip
import json
import os
import sqlite3
import zipfile

from bench import JOB, Bench, purchase

# Of every user's id, of every transaction's, and of every e-mail address.
MARKS = (b"qzxuser", b"qzxturn", b"qzxmail")
CSV_JOB = JOB.replace("format: events", "format: events-csv")
API_JOB = JOB.replace("format: events", "format: api-log")


def user(number):
    return f"qzxuser-{number:05}@qzxmail.example" if number % 5 == 0 else f"qzxuser{number:05}"


def rows(write=user, count=200):
    return [json.loads(purchase(number, userId=write(number % 300), transactionId=f"qzxturn{number:06}")) for number in range(count)]


def lines(table):
    return "".join(json.dumps(row) + "\n" for row in table)


def csv_lines(table, header=True):
    names = list(table[0])
    return "".join(",".join(row) + "\n" for row in ([names] if header else []) + [[row[name] for name in names] for row in table])


def misread(field, column="userId"):
    """The job takes one column for another: each row is rejected with what stands there."""
    return JOB.replace("format: events", f"format: events\n    columns: {{{field}: {column}}}"), {"purchases-1.jsonl": lines(rows())}


def users(write=user, header="user_id,offering,group,assigned_at\n", columns="{user},spring,{group},2026-03-09\n"):
    return header + "".join(columns.format(user=write(i), group="control" if i % 2 else "group_a") for i in range(300))


def mixed(name, value):
    """Every row has in one field what may be an id."""
    return JOB, {"purchases-1.jsonl": lines(row | {name: value(number)} for number, row in enumerate(rows()))}


def endpoint(number):
    return {"timestamp": "2026-03-11T10:00:00Z", "endpoint": f"/v1/users/{user(number)}/receipts",
            "request": {"userId": user(number)}, "response": {"success": True}}


SITUATIONS = {
    "sound": (JOB, {"purchases-1.jsonl": lines(rows())}),
    "malformed": (JOB, {"purchases-1.jsonl": lines(rows()).replace("}\n", "\n")}),
    "trailing text": (JOB, {"purchases-1.jsonl": lines(rows()).replace("}\n", "} " + user(7) + "\n")}),
    "times that are ids": misread("occurredAt"),
    "prices that are ids": misread("price"),
    "currencies that are ids": misread("currency"),
    "types that are ids": misread("eventType"),
    "types that are turns": misread("eventType", "transactionId"),
    "no such column": misread("userId", "user_id"),
    "types of their own": mixed("eventType", lambda number: f"seen/{user(number)}"),
    "times that are none": mixed("occurredAt", lambda number: f"2026-03-11 {user(number)}"),
    "prices that are none": mixed("price", user),
    "in capitals": (JOB, {"purchases-1.jsonl": lines(rows()), "assignments.csv": users(lambda i: user(i).upper().replace("QZX", "qzX"))}),
    "strangers": (JOB, {"purchases-1.jsonl": lines(rows(lambda i: user(i + 5000)))}),
    "some strangers": (JOB, {"purchases-1.jsonl": lines(rows(lambda i: user(i if i % 9 else i + 5000)))}),
    "a turn of two users": (JOB, {"purchases-1.jsonl": lines(rows() + rows(lambda i: user(i + 1)))}),
    "no header": (JOB, {"purchases-1.jsonl": lines(rows()), "assignments.csv": users(header="")}),
    "no header of a log": (CSV_JOB, {"purchases-1.csv": csv_lines(rows(), header=False)}),
    "ids as names": (JOB, {"purchases-1.jsonl": "".join(json.dumps({user(i): {"price": "7.99"}}) + "\n" for i in range(200))}),
    "assigned at an id": (JOB, {"purchases-1.jsonl": lines(rows()), "assignments.csv": users(columns="{user},spring,{group},{user}\n")}),
    "in two groups": (JOB, {"purchases-1.jsonl": lines(rows()), "assignments.csv": users(
        columns="{user},spring,{group},2026-03-09\n{user},spring,other,2026-03-09\n")}),
    "a table said to be lines": (JOB, {"purchases-1.csv": csv_lines(rows())}),
    "lines said to be a table": (CSV_JOB, {"purchases-1.jsonl": lines(rows())}),
    "one array": (JOB, {"purchases-1.json": json.dumps(rows())}),
    "a quote without end": (CSV_JOB, {"purchases-1.csv": csv_lines(rows()).replace(user(7), '"' + user(7), 1)}),
    "paths with ids": (API_JOB, {"purchases-1.jsonl": lines(endpoint(i) for i in range(200))}),
    "aliases": (JOB + "identities: ids.csv\n", {"purchases-1.jsonl": lines(rows()), "ids.csv": "alias,user\n" + "".join(
        f"{user(i)},{user(i + 1)}\n" for i in range(300)) + f"{user(300)},{user(0)}\n"}),
}
COMMANDS = {
    "check": ["check", "job.yml"],
    "run": ["run", "job.yml", "--as-of", "2026-03-31T00:00:00Z", "--output", "out", "--log", "json"],
    "again": ["run", "job.yml", "--as-of", "2026-04-01T00:00:00Z", "--output", "out", "--memory", "96M"],
    "init": ["init", "--assignments", "assignments.csv", "--purchases", "purchases-1", "--output", "found.yml"],
    "report": ["report", "out/rubbish/latest"],
}


def no_id_leaves(binary):
    for name, (job, files) in SITUATIONS.items():
        for more in ("", "max_reject_ratio: 1\nstate:\nrejects: {excerpts: false}\n", "max_reject_ratio: 1\n"):
            with Bench(binary, job + more) as bench:
                os.remove(bench.path("purchases-1.jsonl.gz"))
                for path, content in ({"assignments.csv": users()} | files).items():
                    bench.write(path, content)
                log = next(path for path in files if path.startswith("purchases"))
                for command, words in COMMANDS.items():
                    ran = bench.run_alone([binary, *[log if word == "purchases-1" else word for word in words]], 120)
                    said = (ran.out + ran.err).encode()
                    assert not any(mark in said for mark in MARKS), f"{name}: {command} says {around(said)}"
                for path, content in written(bench, "excerpts: false" in more):
                    assert not any(mark in content for mark in MARKS), f"{name}: {path} has {around(content)}"


def around(content):
    place = min(content.find(mark) for mark in MARKS if mark in content)
    return content[max(0, place - 80):place + 60]


def written(bench, with_rejects):
    """All that lies in the folder of the results, unpacked."""
    for root, _, names in os.walk(bench.path("out")):
        for name in names:
            path = os.path.join(root, name)
            content = bench.read(path)
            if name == "rejects.csv.gz":
                content = gzip.decompress(content) if with_rejects else b""
            elif name.endswith(".xlsx"):
                with zipfile.ZipFile(path) as book:
                    content = b"\n".join(book.read(part) for part in book.namelist())
            elif name.endswith(".sqlite"):
                base = sqlite3.connect(path)
                content = "\n".join(base.iterdump()).encode()
                base.close()
            yield path, content
    if os.path.exists(bench.path("found.yml")):
        yield "found.yml", bench.read("found.yml")


CASES = [no_id_leaves]
