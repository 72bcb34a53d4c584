"""What stands between fields, and signs that quote and escape."""

import csv

from answers import Either, Refusal
from case import case
from folders import csv_text
from people import RIGHT, orders, table_job, users

HIVE = "https://cwiki.apache.org/confluence/display/Hive/LanguageManual+DDL (fields terminated by \\001 unless said)"
BACKSLASH = "Spark's CSV writer escapes quotes with a backslash: https://stackoverflow.com/questions/40413526"
NAMES = ["order_id", "user", "paid_at", "sku", "price"]


def file_of(folder, text, purchases=None, name="orders.csv"):
    folder.csv("users.csv", users())
    folder.text(name, text)
    table_job(folder, purchases)


@case("files", "pipes between fields: https://stackoverflow.com/questions/10793334", each={"pipe": "|", "caret": "^", "tilde": "~"})
def fields_between_other_signs(folder, sign):
    """The log has pipes (carets, tildes) between its fields: the line to type is said, `delimiter: "|"` (or it is read)."""
    file_of(folder, csv_text(folder.mixed(orders()), delimiter=sign))
    return Either(RIGHT, Refusal("orders.csv", f'delimiter: "{sign}"'))


@case("files", "as above", each={"pipe": ("|", "|"), "caret": ("^", "^"), "semicolon": (";", None), "tab": ("\t", None),
    "tab_told": ("\t", "\t"), "colon": (":", None)})
def fields_between_signs_that_are_told(folder, told):
    """The job says which sign it is, or the header shows it."""
    sign, said = told
    file_of(folder, csv_text(folder.mixed(orders()), delimiter=sign), {"delimiter": said} if said else None)
    return RIGHT if sign != ":" else Refusal("orders.csv", "user:paid_at")


@case("files", "as above; the users' table")
def users_between_pipes(folder):
    """The users' table has pipes between its fields: the line to type is said (or it is read)."""
    folder.text("users.csv", csv_text(folder.mixed(users()), delimiter="|"))
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Either(RIGHT, Refusal("users.csv", 'delimiter: "|"'))


@case("files", HIVE, each={"without_header": False, "with_header": True})
def fields_between_control_signs(folder, has_header):
    """Hive's own text files have the sign 1 between fields: the line to type is said (or it is read)."""
    text = csv_text(folder.mixed(orders()), delimiter="\x01")
    file_of(folder, text if has_header else "".join(text.splitlines(True)[1:]))
    return Either(RIGHT, Refusal("orders.csv", ("terminated_by", "delimiter:"), ("\\u0001", "\\x01", "\\001", "u{1}")))


@case("files", BACKSLASH, each={"quotes": '"{\\"a\\":\\"b,c\\"}"', "quote_at_end": '"a \\"b\\""', "backslash_at_end": '"C:\\\\"'})
def quotes_behind_backslashes(folder, note):
    """Quotes inside a quoted field stand behind a backslash: the line to type is said (`dialect:`), or rows are right."""
    lines = csv_text(folder.mixed(orders())).splitlines()
    file_of(folder, lines[0] + ",meta\n" + "".join(f"{line},{note}\n" for line in lines[1:]))
    return Either(RIGHT, Refusal("orders.csv", ("dialect:", "escaped_by", "sed "), "\\"))


@case("files", BACKSLASH)
def quotes_behind_backslashes_in_a_first_column(folder):
    """The odd field comes before the money: no row's price may come from the middle of another field."""
    text = "meta,order_id,user,paid_at,sku,price\n" + "".join(
        '"{\\"price\\":\\"1,2\\"}",' + ",".join(row.values()) + "\n" for row in folder.mixed(orders()))
    file_of(folder, text)
    return Either(RIGHT, Refusal("orders.csv", ("dialect:", "escaped_by", "sed "), "\\"))


@case("files", "delimiters behind every row: https://stackoverflow.com/questions/13719143", each={"rows": False, "header_too": True})
def a_delimiter_behind_rows(folder, has_header):
    """Every row ends with one delimiter too many, the header too or not: read, or named; never fields one off."""
    lines = csv_text(folder.mixed(orders())).splitlines()
    file_of(folder, "".join(line + ("," if place or has_header else "") + "\n" for place, line in enumerate(lines)))
    return RIGHT if has_header else Either(RIGHT, Refusal("orders.csv", (",", "field", "column", "delimiter")))


@case("files", "as above; pandas shifts columns where rows have one field more: https://pandas.pydata.org/docs/user_guide/io.html#index-columns-and-trailing-delimiters")
def two_delimiters_behind_rows(folder):
    """Every row ends with two delimiters too many."""
    lines = csv_text(folder.mixed(orders())).splitlines()
    file_of(folder, "".join(line + (",," if place else "") + "\n" for place, line in enumerate(lines)))
    return Either(RIGHT, Refusal("orders.csv"))


@case("files", "comments above tables: https://stackoverflow.com/questions/14158868", each={"one": 1, "three": 3})
def comments_above_the_header(folder, number):
    """Lines that begin with `#` stand above the header: the line to type is said (or they are passed over)."""
    file_of(folder, "".join(f"# exported by report {line}\n" for line in range(number)) + csv_text(folder.mixed(orders())))
    return Either(RIGHT, Refusal("orders.csv", "#"))


@case("files", "https://support.microsoft.com (sep=; as a first line)")
def a_line_for_a_spreadsheet_above_the_header(folder):
    """The first line tells a spreadsheet the delimiter, `sep=;`: passed over, or the line to type."""
    file_of(folder, "sep=;\n" + csv_text(folder.mixed(orders()), delimiter=";"))
    return Either(RIGHT, Refusal("orders.csv", "sep="))


@case("files", "the statement that wrote it, told by `dialect`", each={"control": 1, "backslash": 2, "pipe": 3})
def users_written_by_a_statement_that_is_told(folder, sort):
    """`INTO OUTFILE` with other terminators and enclosures, as the job tells: read."""
    rows = folder.mixed(users(name="u{}"))
    names = ["user", "offering", "group", "at"]
    table = {"path": "users.txt", "format": "mysql", "columns": ["user", "offering", "group", "assigned_at"]}
    if sort == 1:
        folder.text("users.txt", "".join("\x01".join(row[name] for name in names) + "\n" for row in rows))
        table["dialect"] = {"terminated_by": "\x01"}
    elif sort == 2:
        folder.text("users.txt", "".join(",".join(f'"{row[name]}"' for name in names) + ',"a \\"b\\", c"\n' for row in rows))
        table |= {"columns": ["user", "offering", "group", "assigned_at", "note"],
                  "dialect": {"terminated_by": ",", "enclosed_by": '"', "escaped_by": "\\"}}
    else:
        folder.text("users.txt", "".join("|".join(row[name] for name in names) + "\n" for row in rows))
        table["dialect"] = {"terminated_by": "|"}
    folder.csv("orders.csv", orders())
    table_job(folder, assignments=table)
    return RIGHT


@case("files", "RFC 4180", each={"quoted": 1, "commas": 2, "doubled": 3, "order": 4, "more_columns": 5})
def columns_in_any_order_and_quotes(folder, sort):
    """Every field quoted, delimiters and doubled quotes inside, columns in another order, others between: by name."""
    rows = folder.mixed(orders())
    if sort == 1:
        file_of(folder, csv_text(rows, quoting=csv.QUOTE_ALL))
    elif sort in (2, 3):
        note = "a, b" if sort == 2 else 'say "a", "b"'
        file_of(folder, csv_text([{"note": note} | row for row in rows]))
    elif sort == 4:
        file_of(folder, csv_text(rows, header=NAMES[::-1]))
    else:
        file_of(folder, csv_text([{name: value for pair in zip([f"x{place}" for place in range(5)], row) for name, value in
                                   ((pair[0], "1"), (pair[1], row[pair[1]]))} for row in rows]))
    return RIGHT


@case("files", "a table with two columns of one name: https://github.com/pandas-dev/pandas/issues/3468")
def two_columns_of_one_name(folder):
    """The header names `price` twice, with other amounts: refused by name, not one of them taken."""
    lines = csv_text(folder.mixed(orders())).splitlines()
    file_of(folder, lines[0] + ",price\n" + "".join(line + ",19.99\n" for line in lines[1:]))
    return Refusal("orders.csv", "price", ("twice", "two", "2 times", "both"))


@case("files", "blanks behind commas in headers: https://stackoverflow.com/questions/14885895")
def blanks_behind_commas(folder):
    """The header reads `order_id, user`: columns are found, or the names are told as they stand."""
    file_of(folder, csv_text(folder.mixed(orders())).replace("order_id,user,paid_at", "order_id, user, paid_at", 1))
    return Either(RIGHT, Refusal("orders.csv", " user"))
