"""A case's folder: job and inputs, written row by row, as the case tells them or in another order."""

import csv
import gzip
import io
import json
import os
import random


class Folder:
    """Where a case lies. With a `seed` rows, shards and inputs come in another order, and stores' texts are signed ones."""

    def __init__(self, path, seed=None, name="case"):
        self.path, self.random = path, random.Random(seed) if seed is not None else None
        self.name = name
        self.job_path = "job.yml"
        self.texts = []
        """Inputs that are text, whose bytes may be packed."""
        self.is_read_once = False
        """Whether the case goes one way only."""
        self.held, self.pipes = [], {}
        self.as_of = "2026-05-01T00:00:00Z"
        os.makedirs(path)

    @property
    def is_told(self):
        return self.random is None

    def mixed(self, rows):
        """The rows in the order of this telling."""
        rows = list(rows)
        if self.random:
            self.random.shuffle(rows)
        return rows

    def write(self, name, data):
        """Text or bytes as they are; packed where the name says so and the bytes are not."""
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = data.encode() if isinstance(data, str) else data
        if name.endswith(".gz") and data[:2] != b"\x1f\x8b":
            data = gzip.compress(data, mtime=0)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def text(self, name, data):
        """An input that is text."""
        self.texts.append(name)
        return self.write(name, data)

    def pipe(self, name, data):
        """A named pipe, which the next run reads."""
        os.mkfifo(os.path.join(self.path, name))
        self.pipes[name], self.is_read_once = data, True

    def csv(self, name, rows, **writing):
        self.text(name, csv_text(self.mixed(rows), **writing))

    def jsonl(self, name, rows):
        self.text(name, jsonl_text(self.mixed(rows)))

    def shards(self, pattern, rows, parts=3, text=None):
        """Rows dealt to files whose names have a number in place of `{}`."""
        rows, text = self.mixed(rows), text or csv_text
        for number in range(parts):
            self.text(pattern.format(number), text(rows[number::parts]))

    def job(self, path="job.yml", **keys):
        """The job's file: every key a line."""
        for name in ("assignments", "purchases"):
            if name in keys and isinstance(keys[name], list):
                keys[name] = self.mixed(keys[name])
        told = {"job": self.name, "baseline": "control"} | keys
        self.job_path = path
        self.write(path, "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items()))


def csv_text(rows, header=None, delimiter=",", ending="\n", quoting=csv.QUOTE_MINIMAL):
    """Rows that are mappings; the first one's keys are the header."""
    rows = list(rows)
    names = header or list(rows[0])
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=ending, quoting=quoting)
    writer.writerow(names)
    writer.writerows([row.get(name, "") for name in names] for row in rows)
    return out.getvalue()


def tab_text(rows, names):
    """As `SELECT … INTO OUTFILE` writes rows: tabs, no header; None is `\\N`."""
    return "".join("\t".join("\\N" if row[name] is None else str(row[name]) for name in names) + "\n" for row in rows)


def jsonl_text(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
