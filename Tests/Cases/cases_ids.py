"""Ids that are one person's and written differently: told by `user_ids`, with samples; UUIDs are folded, nothing else is."""

import os
import sqlite3
import unicodedata

from answers import CheckTold, Either, Refusal, Sums
from case import case
from folders import tab_text
from people import RIGHT, event_job, events, nth, orders, right, table_job, users

FORMS = "https://unicode.org/reports/tr15 (normalization forms); macOS' file names decompose"
SPARK = "Spark and pandas write ids as doubles: https://stackoverflow.com/questions/50180820; https://stackoverflow.com/questions/17092671"
JAVASCRIPT = "https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Number/MAX_SAFE_INTEGER; Twitter's id and id_str"
NAMES = ["josé", "müller", "Ünal", "łukasz", "noël"]


def accented(number):
    return NAMES[number % 5] + str(number)


def long_number(number):
    return str(740245381351497730 + number)


def hundred_millions(number):
    return str(100000000 + number)


def big(number):
    return f"acc{number:03}x"


# What an assigned id is, what some purchases make of it, and of which payers.
WRITINGS = {
    "decomposed": (accented, lambda text: unicodedata.normalize("NFD", text)),
    "zero_width_space": ("u{}", lambda text: "\u200b" + text),
    "zero_width_joiner": ("u{}", lambda text: text + "\u200d"),
    "mark_in_front": ("u{}", lambda text: "\u2060" + text),
    "soft_hyphen": (big, lambda text: text[:3] + "\u00ad" + text[3:]),
    "trailing_nul": ("u{}", lambda text: text + "\0\0"),
    "control_sign": ("u{}", lambda text: text + "\x07"),
    "direction_mark": ("u{}", lambda text: "\u200e" + text),
    "e_notation": (hundred_millions, lambda text: f"{text[0]}.{text[1:]}E8"),
    "e_notation_plus": (hundred_millions, lambda text: f"{text[0]}.{text[1:]}e+08"),
    "point_zero": (hundred_millions, lambda text: text + ".0"),
    "point_zeros": (hundred_millions, lambda text: text + ".000000"),
    "rounded": (long_number, lambda text: str(int(float(text)) // 100 * 100)),
    "rounded_to_double": (lambda i: str(9007199254740993 + 2 * i), lambda text: str(int(float(text)))),
    "hexadecimal": (lambda i: f"{i + 4096:x}", lambda text: "0x" + text),
    "braces": (lambda i: f"acc-{i}", lambda text: "{" + text + "}"),
    "leading_zeros": (lambda i: str(1000 + i), lambda text: text.zfill(10)),
    "letter_case": (big, str.upper),
    "blank_behind": ("u{}", lambda text: text + " "),
    "blank_in_front": ("u{}", lambda text: " " + text),
    "no_break_space": ("u{}", lambda text: text + "\u00a0"),
    "tab": ("u{}", lambda text: text + "\t"),
    "single_quotes": ("u{}", lambda text: f"'{text}'"),
    "double_quotes": ("u{}", lambda text: f'"{text}"'),
}
# Samples are shown without anybody's own digits and letters.
SAID = ("otherwise", "written", "writing", "differ")
SOURCE = "; ".join([FORMS, SPARK, JAVASCRIPT])


def plain(name, number):
    return name(number) if callable(name) else name.format(number)


@case("identity", SOURCE, each=WRITINGS)
def some_purchases_write_ids_otherwise(folder, writing):
    """Every eighth purchase writes its user's id in another way: told with samples and failed, or understood."""
    name, written = writing
    odd = [number for number in range(0, 200, 3) if nth(number) % 8 == 0]
    folder.csv("users.csv", users(name))
    folder.csv("orders.csv", orders(lambda i: written(plain(name, i)) if i in odd else plain(name, i)))
    table_job(folder)
    return Either(RIGHT, CheckTold("user_ids", SAID), Refusal("digits"))


@case("identity", SOURCE, each={name: WRITINGS[name] for name in ("decomposed", "zero_width_space", "e_notation", "rounded", "letter_case",
    "point_zero", "leading_zeros")})
def assignments_write_ids_otherwise(folder, writing):
    """The users' table writes every eighth payer's id in another way, and the log is plain: told all the same."""
    name, written = writing
    odd = [number for number in range(0, 200, 3) if nth(number) % 8 == 0]
    folder.csv("users.csv", users(lambda i: written(plain(name, i)) if i in odd else plain(name, i)))
    folder.csv("orders.csv", orders(name))
    table_job(folder)
    return Either(RIGHT, CheckTold("user_ids", SAID))


@case("identity", SOURCE, each={name: WRITINGS[name] for name in ("decomposed", "zero_width_space", "trailing_nul", "letter_case")})
def events_write_ids_otherwise(folder, writing):
    """The same in JSON Lines."""
    name, written = writing
    odd = [number for number in range(0, 200, 3) if nth(number) % 8 == 0]
    folder.csv("users.csv", users(name))
    folder.jsonl("orders.jsonl", events(lambda i: written(plain(name, i)) if i in odd else plain(name, i)))
    event_job(folder)
    return Either(RIGHT, CheckTold("user_ids", SAID))


@case("identity", JAVASCRIPT, each={"float": lambda text: float(text), "rounded": lambda text: int(float(text))})
def ids_that_are_json_numbers(folder, number):
    """The log has ids as JSON numbers, `100000003.0`, or rounded beyond 2^53: told, or understood."""
    name = hundred_millions if number("1") == 1.0 and isinstance(number("1"), float) else lambda i: str(9007199254740993 + 2 * i)
    folder.csv("users.csv", users(name))
    folder.jsonl("orders.jsonl", events(lambda i: number(name(i))))
    event_job(folder)
    return Either(RIGHT, CheckTold("user_ids"))


@case("identity", SOURCE, each={"decomposed": WRITINGS["decomposed"], "e_notation": WRITINGS["e_notation"], "rounded": WRITINGS["rounded_to_double"],
                                "zero_width_space": WRITINGS["zero_width_space"]})
def one_purchase_in_sixty_seven(folder, writing):
    """A single purchase, 1.5 % of all, writes its user's id in another way: enough to fail."""
    name, written = writing
    folder.csv("users.csv", users(name))
    folder.csv("orders.csv", orders(lambda i: written(plain(name, i)) if i == 99 else plain(name, i)))
    table_job(folder)
    return Either(RIGHT, CheckTold("user_ids", SAID))


@case("identity", SOURCE, each={"decomposed": WRITINGS["decomposed"], "letter_case": WRITINGS["letter_case"],
    "e_notation": WRITINGS["e_notation"]})
def one_purchase_in_five_hundred(folder, writing):
    """Two purchases in a thousand write their user's id in another way: a warning."""
    name, written = writing
    folder.csv("users.csv", users(name))
    many = [row | {"order_id": f"{row['order_id']}-{turn}"} for turn in range(15) for row in orders(name)]
    folder.csv("orders.csv", [row | {"user": written(row["user"])} if place in (7, 700) else row for place, row in enumerate(many)])
    table_job(folder)
    return CheckTold("user_ids", status=("warn", "fail"))


@case("identity", "old clients that are in no test: the usual case of an unassigned purchase")
def strangers_are_not_taken_for_misspelled_users(folder):
    """A third of the purchases are of old clients with ids of the same sort: nothing is said of writing."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders() + [row | {"user": "u" + str(3000 + place), "order_id": f"x{place}"} for place,
        row in enumerate(orders()[:30])])
    table_job(folder)
    return right(aside={"unassigned": 30}, silent=["user_ids"])


@case("identity", "base64 ids, YouTube's among them, differ by letter case alone")
def ids_that_differ_by_case_alone_are_two(folder):
    """`aB` and `Ab` are two assigned people: nothing is folded."""
    def name(number):
        return f"id{number // 2}" + ("aB" if number % 2 else "Ab")
    folder.csv("users.csv", users(name))
    folder.csv("orders.csv", orders(name))
    table_job(folder)
    return right(silent=["user_ids"])


@case("identity", "ids of a fixed width")
def ids_that_differ_by_zeros_alone_are_two(folder):
    """`7` and `007` are two assigned people: nothing is folded."""
    def name(number):
        return f"{number // 2:05}" if number % 2 else str(number // 2)
    folder.csv("users.csv", users(name))
    folder.csv("orders.csv", orders(name))
    table_job(folder)
    return right(silent=["user_ids"])


# UUIDs

UUID = "Foundation's UUID().uuidString is upper case, stores' payloads are lower case: hyochan/react-native-iap#2752; RFC 9562, 4 (output lower case, input either)"


def uuid(number):
    return f"ab00abcd-ef00-4000-8000-00000000{number * 7919 % 65536:04x}"


def upper(number):
    return uuid(number).upper()


@case("identity", UUID, each={"csv": 1, "json": 2, "mysql": 3, "jsonl_users": 4, "sqlite": 5, "mixed": 6})
def uuids_in_upper_case(folder, sort):
    """The app logs a UUID in upper case, the other side in lower: one person, in every input."""
    if sort == 3:
        folder.text("users.txt", tab_text(folder.mixed(users(upper)), ["user", "offering", "group", "at"]))
        table = {"path": "users.txt", "format": "mysql", "columns": ["user", "offering", "group", "assigned_at"]}
    elif sort == 4:
        folder.jsonl("users.jsonl", users(upper))
        table = {"path": "users.jsonl", "format": "jsonl"}
    elif sort == 5:
        with sqlite3.connect(os.path.join(folder.path, "users.db")) as base:
            base.execute('CREATE TABLE t("user" TEXT, offering TEXT, "group" TEXT, at TEXT)')
            base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [list(row.values()) for row in folder.mixed(users(upper))])
        base.close()
        table = {"path": "users.db", "format": "sqlite", "table": "t"}
    else:
        folder.csv("users.csv", users(upper if sort == 1 else uuid if sort == 2 else lambda i: "".join(
            letter.upper() if place % 2 else letter for place, letter in enumerate(uuid(i)))))
        table = {}
    if sort == 2:
        folder.jsonl("orders.jsonl", events(upper))
        event_job(folder)
    else:
        folder.csv("orders.csv", orders(uuid))
        table_job(folder, assignments=table)
    return right(silent=["user_ids"], aside={})


@case("identity", UUID, each={"aliases": 1, "users": 2, "both": 3})
def uuids_in_upper_case_among_identities(folder, sort):
    """The identities name a token in upper case for a user of the app: it is the lower-case token of the log."""
    folder.csv("users.csv", users(uuid if sort > 1 else "u{}"))
    tokens = [f"0000abcd-ef00-4000-8000-{number:012x}" for number in range(200)]
    folder.csv("identities.csv", [{"alias": tokens[number].upper() if sort != 2 else tokens[number],
                                   "user": f"u{number}" if sort == 1 else upper(number)} for number in range(200)])
    folder.csv("orders.csv", orders(lambda i: tokens[i]))
    table_job(folder, identities="identities.csv")
    return right(aside={})


@case("identity", UUID)
def one_user_assigned_in_both_cases(folder):
    """A UUID stands in the users' table in both cases: it is one user, assigned once."""
    folder.csv("users.csv", users(uuid) + users(upper, at="2026-03-02T00:00:00Z"))
    folder.csv("orders.csv", orders(upper))
    table_job(folder)
    return RIGHT


@case("identity", UUID)
def one_charge_told_in_both_cases(folder):
    """A charge is logged twice, its user once in upper and once in lower case: one charge."""
    folder.csv("users.csv", users(uuid))
    folder.csv("orders.csv", orders(uuid) + orders(upper))
    table_job(folder)
    return right(aside={"duplicate": 67}, failing=["duplicate"])


# Identities

@case("identity", "spec: chains of aliases are followed")
def identities_over_three_ids(folder):
    """A device became an account, which became another: the last one is assigned, the first one buys."""
    folder.csv("users.csv", users("final{}"))
    folder.csv("identities.csv", [{"alias": f"device{number}", "user": f"account{number}"} for number in range(200)] + [
        {"alias": f"account{number}", "user": f"final{number}"} for number in range(200)])
    folder.csv("orders.csv", orders("device{}"))
    table_job(folder, identities="identities.csv")
    return RIGHT


@case("identity", "spec: aliases of assigned ids", each={"device": "device", "blank_row": "blank"})
def assigned_aliases(folder, sort):
    """The device is assigned and the account buys: identities join them."""
    folder.csv("users.csv", users("device{}"))
    rows = [{"alias": f"device{number}", "user": f"account{number}"} for number in range(200)]
    folder.csv("identities.csv", rows + ([{"alias": "\\N", "user": "account0"},
        {"alias": "device1", "user": "\\N"}] if sort == "blank" else []))
    folder.csv("orders.csv", orders("account{}"))
    table_job(folder, identities="identities.csv", max_reject_ratio=1.0)
    return RIGHT


@case("identity", "spec: many ids of one customer")
def two_assigned_ids_of_one_person(folder):
    """Two assigned ids of one group are one person: one user, one payer."""
    folder.csv("users.csv", users() + [row | {"user": "v" + row["user"][1:]} for row in users()])
    folder.csv("identities.csv", [{"alias": f"v{number}", "user": f"u{number}"} for number in range(200)])
    folder.csv("orders.csv", orders("v{}"))
    table_job(folder, identities="identities.csv")
    return Sums({"control": {"charges": 34, "revenue_net": "339.66", "users": 100},
        "b": {"charges": 33, "revenue_net": "329.67", "users": 100}})
