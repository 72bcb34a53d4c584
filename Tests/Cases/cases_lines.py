"""Line ends, marks, headers and objects: where one row ends and the next begins."""

import gzip
import json

from answers import Either, Refusal
from case import case
from folders import csv_text, jsonl_text
from people import COLUMNS, RIGHT, event_job, events, orders, right, sums, table_job, users

BOM = "\ufeff"
CR = ("carriage", "\\r", " CR", "CR ", "0D", "Macintosh")
TYPED = ("sed", "jq", "tr ", "awk", "perl", "dos2unix", "format:", "grep", "cat ")
WINDOWS = "text written twice through Windows' text mode: https://stackoverflow.com/questions/3191528 (csv in python adding an extra carriage return)"
OLD_MAC = "Excel for Mac's \"CSV (Macintosh)\": https://stackoverflow.com/questions/17315635 (new-line character seen in unquoted field)"
JOINED = "`cat *.csv` over shards with a byte order mark and a header each: https://stackoverflow.com/questions/16890582"
FIREHOSE = "Amazon Data Firehose puts no line feed between records: https://stackoverflow.com/questions/34468319"


def by_shards(folder, first, second, path="orders-*.csv"):
    folder.csv("users.csv", users())
    folder.write("orders-1.csv", first)
    folder.write("orders-2.csv", second)
    table_job(folder, {"path": path})


@case("files", WINDOWS, each={"assignments": 1, "purchases": 2, "json": 3})
def lines_that_end_with_cr_cr_lf(folder, sort):
    """Half of a table went through Windows' text mode twice: it is read, or refused by name, never empty."""
    if sort == 1:
        rows = folder.mixed([{"user": row["user"], "offering": "o", "at": row["at"], "group": row["group"]} for row in users()])
        folder.write("u-1.csv", csv_text(rows[::2]))
        folder.write("u-2.csv", csv_text(rows[1::2], ending="\r\r\n"))
        folder.csv("orders.csv", orders())
        table_job(folder, assignments={"path": "u-*.csv"})
        return Either(RIGHT, Refusal("u-2.csv", CR))
    rows = folder.mixed(orders())
    if sort == 3:
        folder.csv("users.csv", users())
        folder.write("orders.jsonl", jsonl_text(folder.mixed(events())).replace("\n", "\r\r\n"))
        event_job(folder)
        return Either(RIGHT, Refusal("orders.jsonl", CR))
    by_shards(folder, csv_text(rows[::2]), csv_text(rows[1::2], ending="\r\r\n"))
    return Either(RIGHT, Refusal("orders-2.csv", CR))


@case("files", OLD_MAC, each={"shard": 1, "packed_shard": 2, "alone": 3, "json": 4, "assignments": 5})
def lines_that_end_with_cr_alone(folder, sort):
    """A shard was saved as an old Macintosh's text: it is refused by name with what mends it, or read; never "no rows"."""
    rows = folder.mixed(orders())
    if sort in (1, 2):
        text = csv_text(rows[1::2], ending="\r")
        by_shards(folder, csv_text(rows[::2]), gzip.compress(text.encode(), mtime=0) if sort == 2 else text)
        return Either(RIGHT, Refusal("orders-2.csv", CR))
    folder.csv("users.csv", users())
    if sort == 3:
        folder.write("orders.csv", csv_text(rows, ending="\r"))
        table_job(folder)
        return Either(RIGHT, Refusal("orders.csv", CR))
    if sort == 4:
        folder.write("orders.jsonl", jsonl_text(folder.mixed(events())).replace("\n", "\r"))
        event_job(folder)
        return Either(RIGHT, Refusal("orders.jsonl", CR))
    folder.write("users.csv", csv_text(folder.mixed(users()), ending="\r"))
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Either(RIGHT, Refusal("users.csv", CR))


@case("files", OLD_MAC)
def a_table_of_products_with_cr_alone(folder):
    """The small tables are files, too: products saved as an old Macintosh's text are refused by name, or read."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    folder.write("products.csv", "product_id,kind,period\rp,auto_renewable,P1M\r")
    table_job(folder, products="products.csv")
    return Either(RIGHT, Refusal("products.csv", CR))


@case("files", "RFC 4180: a line break inside quotes is the field's", each={"cr": "a\rb", "lf": "a\nb", "crlf": "a\r\nb"})
def a_break_inside_quotes_is_the_fields(folder, note):
    """A note has a line break of any sort inside its quotes: rows stay whole."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(note=note))
    table_job(folder)
    return RIGHT


@case("files", "files edited on two systems", each={"crlf": 1, "mixed": 2, "no_last_end": 3, "blank_lines": 4, "blanks": 5})
def usual_line_ends_are_all_read(folder, sort):
    """CRLF, both ends in one file, a last line without its end, blank lines between: read."""
    folder.csv("users.csv", users())
    text = csv_text(folder.mixed(orders()))
    lines = text.splitlines()
    folder.text("orders.csv", {
        1: text.replace("\n", "\r\n"), 2: "".join(line + ("\n" if place % 2 else "\r\n") for place, line in enumerate(lines)),
        3: text.rstrip("\n"), 4: text.replace("\n", "\n\n"), 5: text + "\r\n\n\r\n"}[sort])
    table_job(folder)
    return RIGHT


@case("files", JOINED, each={"json": 1, "csv_with_headers": 2, "csv": 3, "gzip_members": 4, "assignments": 5, "crlf": 6, "headers_alone": 7,
                             "two_marks": 8, "quoted_header": 9})
def shards_that_were_joined(folder, sort):
    """Shards were joined with their marks and headers still in them: neither is a row, nor part of an id."""
    folder.csv("users.csv", users())
    rows = folder.mixed(orders())
    parts = [rows[::3], rows[1::3], rows[2::3]]
    if sort == 1:
        log = folder.mixed(events())
        folder.text("orders.jsonl", "".join(BOM + jsonl_text(log[number::3]) for number in range(3)))
        event_job(folder)
        return RIGHT
    headed = [csv_text(part) for part in parts]
    bare = [headed[0], *("".join(text.splitlines(True)[1:]) for text in headed[1:])]
    if sort == 5:
        table = folder.mixed(users())
        folder.text("users.csv", "".join(BOM + csv_text(table[number::3]) for number in range(3)))
        folder.csv("orders.csv", orders())
    elif sort == 4:
        folder.text("orders.csv", b"".join(gzip.compress((BOM + text).encode(), mtime=0) for text in headed))
    else:
        folder.text("orders.csv", {
            2: "".join(BOM + text for text in headed), 3: "".join(BOM + text for text in bare),
            6: "".join(BOM + text for text in headed).replace("\n", "\r\n"), 7: "".join(headed),
            8: BOM + "".join(BOM + text for text in headed),
            9: "".join(text.replace("order_id,user", '"order_id","user"', 1) for text in headed)}.get(sort))
    table_job(folder)
    return RIGHT


@case("files", JOINED)
def a_mark_before_products_and_rates(folder):
    """The small tables were saved by a spreadsheet, with a mark at their head."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(currency="EUR"))
    folder.write("products.csv", BOM + "product_id,kind,period\r\np,auto_renewable,P1M\r\n")
    folder.write("rates.csv", BOM + "date,currency,rate\r\n2026-03-05,EUR,2\r\n")
    table_job(folder, {"columns": COLUMNS}, products="products.csv", exchange_rates="rates.csv")
    return sums(34, 33, net={"control": "679.32", "b": "659.34"}, silent=["unknown_product"])


def objects(folder, text, words=()):
    folder.csv("users.csv", users())
    folder.text("orders.jsonl", text)
    event_job(folder)
    return Either(RIGHT, Refusal("orders.jsonl", *words)) if words else RIGHT


@case("files", FIREHOSE, each={"all": 67, "pairs": 2, "triples": 3})
def several_objects_a_line(folder, number):
    """Records come one behind the other without a line feed: each is a row."""
    lines = jsonl_text(folder.mixed(events())).splitlines()
    return objects(folder, "".join("".join(lines[place:place + number]) + "\n" for place in range(0, len(lines), number)))


@case("files", FIREHOSE, each={"blank": " ", "tab": "\t", "mark": BOM, "cr": "\r", "no_end": ""})
def several_objects_with_something_between(folder, between):
    """Three objects a line with a blank, a tab, a mark or a lone CR between them: each is a row, or the file is refused."""
    lines = jsonl_text(folder.mixed(events())).splitlines()
    return Either(objects(folder, "\n".join(between.join(lines[place:place + 3]) for place in range(0, len(lines), 3))),
                  Refusal("orders.jsonl"))


@case("files", FIREHOSE)
def several_assignments_a_line(folder):
    """The assignments came through the same stream: every object is a row there, too."""
    folder.text("users.jsonl", "".join(jsonl_text(folder.mixed(users())).splitlines()))
    folder.csv("orders.csv", orders())
    table_job(folder, assignments={"path": "users.jsonl", "format": "jsonl"})
    return RIGHT


@case("files", FIREHOSE)
def several_objects_and_a_broken_one(folder):
    """A line ends in the middle of its third object: what is whole is read, and the rest is a rejected row, not lost without a word."""
    folder.csv("users.csv", users())
    lines = jsonl_text(events()).splitlines()
    folder.text("orders.jsonl", "".join(lines[:3]) + '{"userId":"u0","occ\n' + "\n".join(lines[3:]))
    event_job(folder, max_reject_ratio=1.0)
    return right(aside={"malformed": 1})


@case("files", "https://jsonlines.org; jq's own output of `jq .` on a list", each={
    "lines": "[\n{}\n]\n", "one_line": "[{}]\n", "trailing_commas": "{}\n"})
def objects_in_a_list(folder, frame):
    """The log is a JSON array, over lines or in one, or its lines end with commas: read, or the line to type."""
    lines = jsonl_text(folder.mixed(events())).splitlines()
    joined = (",\n" if "\n{}" in frame or frame == "{}\n" else ",").join(lines) + ("," if frame == "{}\n" else "")
    return objects(folder, frame.replace("{}", joined), [TYPED])


@case("files", "RFC 7464, JSON text sequences", each={"alone": "\x1e", "with_line_feeds": "\n\x1e"})
def records_after_a_separator(folder, sign):
    """Records begin with the sign RS: read, or the line to type."""
    lines = jsonl_text(folder.mixed(events())).splitlines()
    return objects(folder, "".join(sign + line for line in lines) + "\n", [TYPED])


@case("files", "`jq .` without -c prints an object over many lines: https://github.com/jqlang/jq/issues/1651")
def objects_over_many_lines(folder):
    """Every object is printed over several lines: read, or the line to type."""
    return objects(folder, "".join(json.dumps(row, indent=2) + "\n" for row in folder.mixed(events())), [TYPED])


@case("files", "Kafka Connect and object stores write empty part files")
def empty_files_among_others(folder):
    """One shard is empty, one holds its header alone, one a mark alone: none is an error."""
    folder.csv("users.csv", users())
    folder.shards("orders-{}.csv", orders())
    folder.write("orders-7.csv", "")
    folder.write("orders-8.csv", "order_id,user,paid_at,sku,price\n")
    folder.write("orders-9.csv", BOM)
    table_job(folder, {"path": "orders-*.csv"})
    return RIGHT
