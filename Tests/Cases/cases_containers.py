"""What files come in: gzip of every sort, containers that are refused by name, dumps of databases, SQLite, pipes."""

import bz2
import gzip
import io
import lzma
import os
import sqlite3
import zipfile
import zlib

from answers import Either, Refusal
from case import case
from folders import csv_text, jsonl_text, tab_text
from people import RIGHT, event_job, events, orders, right, table_job, users

GZIP = "RFC 1952, 2.2 (members one after the other); gzip(1) on trailing zeros; https://bugs.python.org/issue24301"
NAMES = ["user", "offering", "group", "at"]
MYSQL = {"path": "users.txt", "format": "mysql", "columns": ["user", "offering", "group", "assigned_at"]}


def packed(text, level=6):
    return gzip.compress(text.encode(), level, mtime=0)


@case("files", GZIP, each={
    "between_members": lambda one, two: packed(one) + bytes(512) + packed(two), "behind": lambda one, two: packed(one + two) + bytes(4096),
    "members": lambda one, two: packed(one) + packed(two), "empty_member": lambda one, two: packed(one) + packed("") + packed(two),
    "stored": lambda one, two: packed(one + two, 0), "row_across_members": lambda one, two: packed(one[:-9]) + packed(one[-9:] + two)})
def packed_texts_are_read_whole(folder, pack):
    """A packed log has several members, an empty one, or zeros between or behind them: all rows are read, or the place is named."""
    folder.csv("users.csv", users())
    lines = csv_text(folder.mixed(orders())).splitlines(True)
    folder.write("orders.csv.gz", pack("".join(lines[:30]), "".join(lines[30:])))
    table_job(folder, {"path": "orders.csv.gz"})
    return Either(RIGHT, Refusal("orders.csv.gz", ("zero", "padding", "byte"), ("zcat", "gzip", "gunzip")))


@case("files", GZIP, each={"plain_named_gz": False, "packed_named_csv": True})
def a_name_does_not_say_what_is_packed(folder, is_packed):
    """A plain text is called `.gz`, a packed one `.csv`: the bytes say what they are."""
    folder.csv("users.csv", users())
    text = csv_text(folder.mixed(orders()))
    folder.write("orders.csv", text if not is_packed else packed(text))
    os.rename(os.path.join(folder.path, "orders.csv"), os.path.join(folder.path, "orders.csv.gz" if not is_packed else "orders.csv"))
    table_job(folder, {"path": "orders.csv*"})
    return RIGHT


@case("files", GZIP, each={"cut": lambda data: data[:len(data) // 2], "checksum": lambda data: data[:-8] + b"\0\0\0\0" + data[-4:],
                           "length": lambda data: data[:-4] + b"\1\0\0\0", "cut_in_trailer": lambda data: data[:-3]})
def a_damaged_packed_log_is_refused(folder, damage):
    """A download broke off, or the checksum or the length is wrong: exit 65 names the file, and nothing is published."""
    folder.csv("users.csv", users())
    folder.write("orders.csv.gz", damage(packed(csv_text(orders()))))
    table_job(folder, {"path": "orders.csv.gz"})
    return Refusal("orders.csv.gz", code=65)


def zipped(text):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("orders.csv", text)
    return data.getvalue()


def raw_deflate(text):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(text.encode()) + packer.flush()


@case("files", "first bytes of containers: https://en.wikipedia.org/wiki/List_of_file_signatures; zlib in HTTP's `deflate`: RFC 9110, 8.4.1.2", each={
    "zlib": (lambda text: zlib.compress(text.encode()), "zlib"), "zlib_quick": (lambda text: zlib.compress(text.encode(), 1), "zlib"),
    "zlib_best": (lambda text: zlib.compress(text.encode(), 9), "zlib"), "deflate": (raw_deflate, "deflate"),
    "zip": (zipped, "zip"), "zstd": (lambda text: b"\x28\xb5\x2f\xfd" + bytes(60), "zst"),
    "parquet": (lambda text: b"PAR1" + bytes(90) + b"PAR1", "parquet"),
    "utf_16_le": (lambda text: b"\xff\xfe" + text.encode("utf-16-le"), "utf-16"),
    "utf_16_be": (lambda text: b"\xfe\xff" + text.encode("utf-16-be"), "utf-16"),
    "xls": (lambda text: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), "excel"),
    "bzip2": (lambda text: bz2.compress(text.encode()), ""), "xz": (lambda text: lzma.compress(text.encode()), "")})
def another_container_is_refused_by_name(folder, told):
    """The log comes in a container that is not read: it is called by its name, with what to do (or is read)."""
    wrap, name = told
    folder.csv("users.csv", users())
    folder.write("orders.csv", wrap(csv_text(folder.mixed(orders()))))
    table_job(folder)
    return Either(RIGHT, Refusal("orders.csv", name))


@case("files", "as above; the assignments' table", each={"zlib": (lambda text: zlib.compress(text.encode()), "zlib"),
    "zip": (zipped, "zip"),
                                                         "deflate": (raw_deflate, "deflate")})
def assignments_in_another_container(folder, told):
    """The users' table comes in a container that is not read: it is called by its name (or is read)."""
    wrap, name = told
    folder.write("users.csv", wrap(csv_text(folder.mixed(users()))))
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Either(RIGHT, Refusal("users.csv", name))


PG_HEAD = "--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\n\nCOPY public.{} ({}) FROM stdin;\n"
PG_TAIL = "\\.\n\n\n--\n-- PostgreSQL database dump complete\n--\n"
SQL_HEAD = "-- MySQL dump 10.13\nDROP TABLE IF EXISTS `a`;\nCREATE TABLE `a` (`user` varchar(20));\n"


def inserted(rows, names, each=False):
    values = ["(" + ",".join(f"'{row[name]}'" for name in names) + ")" for row in rows]
    return "".join(f"INSERT INTO `a` VALUES {value};\n" for value in values) if each else f"INSERT INTO `a` VALUES {','.join(values)};\n"


@case("files", "https://www.postgresql.org/docs/current/app-pgdump.html (plain format); https://dev.mysql.com/doc/refman/8.4/en/mysqldump.html", each={
    "pg_dump": (lambda rows: PG_HEAD.format("assignments", "user_id, offering, grp, created_at") + tab_text(rows, NAMES) + PG_TAIL,
    ("COPY", "pg_dump")),
    "pg_dump_inserts": (lambda rows: "--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\n" + inserted(rows, NAMES, True),
    ("COPY", "pg_dump")),
    "mysqldump": (lambda rows: SQL_HEAD + inserted(rows, NAMES), ("--tab", "OUTFILE", "mysqldump")),
    "mysqldump_rows": (lambda rows: SQL_HEAD + inserted(rows, NAMES, True), ("--tab", "OUTFILE", "mysqldump")),
    "sqlite_dump": (lambda rows: "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n" + inserted(rows, NAMES, True) + "COMMIT;\n",
    ("sql", "sqlite"))})
def a_dump_in_sql_is_refused_by_name(folder, told):
    """The users' table is a dump of a database as SQL: it is called so, with the command that writes a table (or is read)."""
    text, words = told
    folder.write("users.txt", text(folder.mixed(users())))
    folder.csv("orders.csv", orders())
    table_job(folder, assignments=MYSQL)
    return Either(RIGHT, Refusal("users.txt", words))


@case("files", "as above; the log of orders", each={
    "pg_dump": lambda rows: PG_HEAD.format("orders", "order_id, user, paid_at, sku, price") + tab_text(rows, list(rows[0])) + PG_TAIL,
    "mysqldump": lambda rows: SQL_HEAD + inserted(rows, list(rows[0]))})
def orders_dumped_as_sql(folder, text):
    """The orders are a dump as SQL where a CSV is declared: it is called so, not missed columns."""
    folder.csv("users.csv", users())
    folder.write("orders.csv", text(folder.mixed(orders())))
    table_job(folder)
    return Either(RIGHT, Refusal("orders.csv", ("SQL", "dump")))


@case("files", "https://dev.mysql.com/doc/refman/8.4/en/mysqldump-delimited-text.html")
def a_table_that_mysqldump_wrote_with_tabs(folder):
    """`mysqldump --tab` and `COPY … TO` write tabs and `\\N`: read by the columns' order."""
    folder.text("users.txt", tab_text(folder.mixed(users()), NAMES))
    folder.csv("orders.csv", orders())
    table_job(folder, assignments=MYSQL)
    return RIGHT


@case("files", "https://www.postgresql.org/docs/current/sql-copy.html (text format ends with `\\.` in files of old versions)")
def a_table_that_copy_wrote_with_an_end(folder):
    """COPY's old end-of-data line stands behind the rows: it is no row, or it is named."""
    folder.text("users.txt", tab_text(folder.mixed(users()), NAMES) + "\\.\n")
    folder.csv("orders.csv", orders())
    table_job(folder, assignments=MYSQL)
    return Either(RIGHT, Refusal("users.txt"))


# SQLite

SQLITE = "https://www.sqlite.org/datatype3.html (BLOB ids; a column of any type holds any value)"


def database(folder, rows, user="TEXT", name="users.db"):
    path = os.path.join(folder.path, name)
    with sqlite3.connect(path) as base:
        base.execute(f'CREATE TABLE t("user" {user}, offering TEXT, "group" TEXT, at TEXT)')
        base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [[row[column] for column in NAMES] for row in rows])
    base.close()
    return {"path": name, "format": "sqlite", "table": "t"}


def long_id(number):
    return f"ff{number:02x}0102030405060708090a0b0c0d0e"


@case("files", SQLITE, each={"table": None, "lower": 'SELECT lower(hex("user")) AS "user", offering, "group", at FROM t'})
def ids_that_are_blobs(folder, query):
    """Ids are kept as BLOB and logged as hexadecimal digits: `lower(hex(…))` is said, and where the job says it all is right."""
    table = database(folder, [row | {"user": bytes.fromhex(row["user"])} for row in folder.mixed(users(long_id))], "BLOB")
    folder.csv("orders.csv", orders(long_id))
    if query:
        table = {"path": "users.db", "format": "sqlite", "query": query}
    table_job(folder, assignments=table)
    return RIGHT if query else Refusal("users.db", "hex(")


@case("files", SQLITE)
def some_ids_are_blobs(folder):
    """A few ids were bound as bytes: their bytes are the same text, or they are told with `hex(…)`."""
    rows = [row | {"user": row["user"].encode() if place % 10 == 0 else row["user"]} for place, row in enumerate(users())]
    table = database(folder, folder.mixed(rows))
    folder.csv("orders.csv", orders())
    table_job(folder, assignments=table)
    return Either(RIGHT, Refusal("users.db", ("hex(", "cast(")))


@case("files", SQLITE)
def numbers_as_ids_in_sqlite(folder):
    """Ids are integers in the database and digits in the log: the same."""
    table = database(folder, [row | {"user": int(row["user"])} for row in folder.mixed(users("1000{}"))], "INTEGER")
    folder.csv("orders.csv", orders("1000{}"))
    table_job(folder, assignments=table)
    return RIGHT


@case("files", SQLITE)
def a_null_user_in_sqlite(folder):
    """Twenty rows have NULL for a user, and the log has `NULL`: nobody on either side."""
    rows = users() + [{"user": None, "offering": "o", "group": "b", "at": "2026-03-01T00:00:00Z"} for _ in range(20)]
    table = database(folder, folder.mixed(rows))
    folder.csv("orders.csv", orders() + [row | {"user": "NULL", "order_id": f"n{place}"} for place, row in enumerate(orders()[:20])])
    table_job(folder, assignments=table, max_reject_ratio=1.0)
    return right(aside={"missing_field": 20})


@case("files", "https://www.sqlite.org/wal.html")
def rows_that_are_in_the_write_ahead_log(folder):
    """The newest rows are in the write-ahead log beside the database: they count."""
    database(folder, [])
    writer = sqlite3.connect(os.path.join(folder.path, "users.db"))
    writer.execute("PRAGMA journal_mode = wal")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [[row[column] for column in NAMES] for row in folder.mixed(users())])
    writer.commit()
    folder.held.append(writer)
    folder.csv("orders.csv", orders())
    table_job(folder, assignments={"path": "users.db", "format": "sqlite", "table": "t"})
    return RIGHT


@case("files", "https://www.sqlite.org/rescode.html#busy")
def a_database_that_is_locked(folder):
    """Another program holds the database: the run waits, and then says to try again, exit 75."""
    table = database(folder, folder.mixed(users()))
    holder = sqlite3.connect(os.path.join(folder.path, "users.db"), isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    folder.held.append(holder)
    folder.csv("orders.csv", orders())
    folder.is_read_once = True
    table_job(folder, assignments=table)
    return Refusal("users.db", ("lock", "again"), code=75)


@case("files", "process substitution: https://www.gnu.org/software/bash/manual/html_node/Process-Substitution.html",
    each={"orders": "orders.csv", "users": "users.csv"})
def a_named_pipe(folder, name):
    """An input is a named pipe that `zcat` writes into: a run reads it."""
    texts = {"users.csv": csv_text(users()), "orders.csv": csv_text(orders())}
    for other in set(texts) - {name}:
        folder.write(other, texts[other])
    folder.pipe(name, texts[name].encode())
    table_job(folder)
    return RIGHT


# A file of another format than declared

@case("files", "spec: a file declared as one format that looks like another", each={"json_as_csv": 1, "csv_as_json": 2})
def another_format_than_declared(folder, sort):
    """JSON Lines are declared as CSV, or the reverse: refused with the line to type."""
    folder.csv("users.csv", users())
    if sort == 1:
        folder.write("orders.csv", jsonl_text(folder.mixed(events())))
        table_job(folder)
        return Refusal("orders.csv", "format: events")
    folder.write("orders.jsonl", csv_text(folder.mixed(orders())))
    event_job(folder)
    return Refusal("orders.jsonl", "format: events-csv")
