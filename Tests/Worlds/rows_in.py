"""Bytes of a file to rows, with Python's own json, csv and sqlite3.

A row is `(line, fields)` where fields maps names to text or None, or
`(line, Fault)` when the row could not be read at all.
"""

import csv
import glob
import io
import json
import os
import re
import sqlite3

from containers import content_of, files_of
from values import Fault

LONGEST_LINE = 1 << 20
csv.field_size_limit(1 << 30)


def paths_of(pattern, folder):
    found = glob.glob(os.path.join(folder, pattern))
    return sorted((path for file in found for path in files_of(file)), key=os.fsencode)


MARK = b"\xef\xbb\xbf"


def bytes_of(path):
    return content_of(path).removeprefix(MARK)


def lines_of(data):
    """Physical lines with their 1-based numbers, line ends taken off, blank ones left out."""
    for number, line in enumerate(data.split(b"\n"), 1):
        line = line.removesuffix(b"\r").removeprefix(MARK)
        if line:
            yield number, line


class Number(str):
    """A JSON number's own text: never a float."""


def reject_constant(name):
    raise ValueError(f"{name} is not JSON")


DECODER = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=reject_constant)


def json_objects(line):
    """The objects that stand on a line one after the other; of duplicate keys the last wins.

    What is no object behind one spoils that one, as it does where a line has but one.
    """
    if len(line) > LONGEST_LINE:
        raise Fault("line_too_long")
    try:
        text = line.decode("utf-8").strip(" \t\r")
    except UnicodeDecodeError as error:
        raise Fault("invalid_utf8", str(error)) from None
    objects, place = [], 0
    while place < len(text) or not objects:
        try:
            value, place = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            return [*objects[: None if text.startswith("{", place) else -1], Fault("malformed", str(error))]
        if not isinstance(value, dict):
            return [*objects[:-1], Fault("malformed", "not an object")]
        objects.append(value)
        while text[place : place + 1] in (" ", "\t", "\r") and place < len(text):
            place += 1
    return objects


def json_object(line):
    """Exactly one JSON object."""
    objects = json_objects(line)
    fault = next((found for found in objects if isinstance(found, Fault)), None)
    if fault or len(objects) > 1:
        raise fault or Fault("malformed", f"{len(objects)} objects")
    return objects[0]


def json_rows(data):
    for number, line in lines_of(data):
        try:
            yield from ((number, value) for value in json_objects(line))
        except Fault as fault:
            yield number, fault


def csv_records(data):
    """Cut CSV bytes into records at line ends outside quotes: `(line, bytes)`."""
    quoted, start, line, first = False, 0, 1, 1
    for match in re.finditer(rb'["\n]', data):
        if match.group() == b'"':
            quoted = not quoted
            continue
        line += 1
        if not quoted:
            yield first, data[start : match.start()].removesuffix(b"\r")
            start, first = match.end(), line
    yield first, data[start:].removesuffix(b"\r")


def csv_fields(text, delimiter):
    """A record's fields: `None` for an unquoted `\\N`."""
    values = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    if "\\N" not in values:
        return values
    marked = next(csv.reader(io.StringIO(text.replace('"\\N"', '"\\N "'), newline=""), delimiter=delimiter))
    return [None if mark == "\\N" else value for value, mark in zip(values, marked)]


def csv_rows(data, delimiter=None):
    """Records bound by header name; an empty field is an absent one. A header that comes again is no row."""
    header, first = None, None
    for number, record in csv_records(data):
        record = record.removeprefix(MARK)
        if not record or record == first:
            continue
        try:
            text = record.decode("utf-8")
        except UnicodeDecodeError as error:
            yield number, Fault("invalid_utf8", str(error))
            continue
        if header is None:
            delimiter, first = delimiter or max(",;\t", key=text.count), record
            header = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
            continue
        fields = csv_fields(text, delimiter)
        if len(fields) != len(header):
            yield number, Fault("malformed", f"{len(fields)} fields, header has {len(header)}")
            continue
        yield number, {name: value or None for name, value in zip(header, fields)}


MYSQL_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}


def mysql_fields(text, dialect):
    """One record of `SELECT … INTO OUTFILE`: separators between, the escape before what is meant as it is."""
    between, quote = dialect.get("terminated_by", "\t"), dialect.get("enclosed_by") or None
    escape = dialect.get("escaped_by", "\\")
    fields, field, null, quoted, start, position = [], "", False, False, True, 0
    while position <= len(text):
        mark = text[position] if position < len(text) else between
        ended = position == len(text)
        if mark == between and (ended or not quoted):
            fields.append(None if null else field)
            field, null, quoted, start = "", False, False, True
        elif mark == escape:
            position += 1
            null = start and text[position] == "N"
            field += "" if null else MYSQL_ESCAPES.get(text[position], text[position])
            start = False
        elif quote and mark == quote:
            quoted, start = not quoted, False
        else:
            field, start = field + mark, False
        position += 1
    return fields


def mysql_rows(data, columns, dialect=None):
    """Lines end at a line break that no escape stands before."""
    dialect = dialect or {}
    line, first, record = 1, 1, b""
    for piece in data.split(b"\n"):
        record += piece if record else piece.removeprefix(MARK)
        escapes = len(record) - len(record.rstrip(b"\\"))
        line += 1
        if escapes % 2:
            record += b"\n"
            continue
        if record:
            try:
                fields = mysql_fields(record.decode("utf-8"), dialect)
                if len(fields) != len(columns):
                    raise Fault("malformed", f"{len(fields)} fields of {len(columns)}")
                yield first, dict(zip(columns, fields))
            except UnicodeDecodeError:
                yield first, Fault("invalid_utf8")
            except Fault as fault:
                yield first, fault
        record, first = b"", line


def sqlite_rows(path, source):
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        query = source.get("query") or f'SELECT * FROM "{source["table"]}"'
        cursor = base.execute(query)
        names = [column[0] for column in cursor.description]
        for number, values in enumerate(cursor, 1):
            yield number, {
                name: value if value is None else str(value) for name, value in zip(names, values)
            }
    finally:
        base.close()


def table_rows(path, source):
    """Rows of one file of a table input, in the format its job entry names."""
    kind = source.get("format", "csv")
    if kind == "sqlite":
        return sqlite_rows(path, source)
    data = bytes_of(path)
    if kind in ("jsonl", "events"):
        return json_rows(data)
    if kind == "mysql":
        return mysql_rows(data, source["columns"], source.get("dialect"))
    return csv_rows(data, source.get("delimiter"))
