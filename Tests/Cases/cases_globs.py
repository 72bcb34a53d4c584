"""Which files a path means, and bytes that are reached twice."""

import gzip
import os

from answers import Refusal
from case import case
from folders import csv_text, jsonl_text
from people import ASSIGNMENTS, METRICS, ORDERS, RIGHT, events, orders, right, table_job, users

GLOBS = "https://docs.python.org/3/library/glob.html (** matches zero or more folders)"
LINKS = "reports of `latest` links and unpacked copies beside logs: https://github.com/apache/airflow/discussions, log rotation's delaycompress"


def keyless(rows):
    """Without an order's number nothing tells a row read twice from two sales."""
    return [{name: value for name, value in row.items() if name != "order_id"} for row in rows]


KEYLESS = ORDERS | {"columns": {name: column for name, column in ORDERS["columns"].items() if name != "transactionId"}}


def logs(folder, paths, path):
    """The orders dealt to files, and the job that reads them by a pattern."""
    folder.csv("users.csv", users())
    rows = folder.mixed(orders())
    for number, name in enumerate(paths):
        folder.text(name, csv_text(rows[number::len(paths)]))
    table_job(folder, {"path": path})
    return RIGHT


@case("files", GLOBS, each={
    "three_depths": (["logs/part-2.csv", "logs/2026/part-1.csv", "logs/2026/03/05/part-0.csv"], "logs/**/*.csv"),
    "no_depth": (["logs/a.csv", "logs/b.csv"], "logs/**/*.csv"),
    "first": (["a.csv.x", "logs/b.csv.x"], "**/*.csv.x"),
    "in_the_middle": (["logs/day=05/part.csv", "logs/2026/03/day=06/part.csv", "logs/2026/day=07/part.csv"], "logs/**/day=*/part.csv"),
    "twice": (["logs/x/a.csv", "logs/1/x/2/b.csv", "logs/1/x/c.csv"], "logs/**/x/**/*.csv"),
    "set": (["logs/a1.csv", "logs/a2.csv"], "logs/a[12].csv"),
    "mark": (["logs/a1.csv", "logs/a2.csv"], "logs/a?.csv"),
})
def a_pattern_finds_every_depth(folder, told):
    """Logs lie in folders by month and day and right in `logs`: two stars are any depth, none included."""
    return logs(folder, *told)


@case("files", "https://docs.python.org/3/library/glob.html#glob.escape (folders with brackets)", each={
    "brackets": "job[prod]folder", "star": "all*", "mark": "what?", "braces": "{a,b}", "dollar": "$HOME", "tilde": "~jane",
    "bang": "[!a]"})
def a_jobs_own_folder_is_no_pattern(folder, name):
    """The job lies in a folder whose name has signs of patterns: only the path that the job writes is one."""
    folder.csv(f"{name}/users.csv", users())
    folder.csv(f"{name}/orders-1.csv", orders())
    folder.job(f"{name}/job.yml", assignments=[ASSIGNMENTS], purchases=[ORDERS | {"path": "orders-*.csv"}], metrics=METRICS)
    return RIGHT


@case("files", "as above", each={"brackets": ("exp[12]", "exp1"), "star": ("exp*", "exp1"), "mark": ("exp?", "exp1")})
def a_neighbours_orders_are_not_read(folder, names):
    """The folder's name, taken for a pattern, would name a neighbour with orders of 100.00: each job reads its own."""
    own, neighbour = names
    folder.csv(f"{own}/users.csv", users())
    folder.csv(f"{own}/orders-1.csv", orders())
    folder.write(f"{neighbour}/orders-1.csv", csv_text(orders(price="100.00")))
    folder.job(f"{own}/job.yml", assignments=[ASSIGNMENTS], purchases=[ORDERS | {"path": "orders-*.csv"}], metrics=METRICS)
    return RIGHT


@case("files", "shells' expansions, which no program sees: https://www.gnu.org/software/bash/manual/html_node/Brace-Expansion.html",
      each={"tilde": ("~/orders.csv", "~"), "name": ("$HOME/orders.csv", "$"), "braces": ("orders-{1,2}.csv", "{")})
def what_only_a_shell_expands_is_refused(folder, told):
    """A path is written as for a shell: it is refused with what to write, not looked for by that name."""
    path, sign = told
    folder.csv("users.csv", users())
    folder.csv("orders-1.csv", orders())
    table_job(folder, {"path": path})
    return Refusal(sign, ("write", "instead", "type"))


@case("files", "spec of globs: a pattern that matches nothing")
def a_pattern_without_files_is_refused(folder):
    """The folder of the logs is empty: the run does not say that nobody bought."""
    folder.csv("users.csv", users())
    table_job(folder, {"path": "logs/*.csv"})
    return Refusal("logs/*.csv", code=66)


@case("files", LINKS, each={"link": 1, "link_to_a_link": 2, "link_in_another_folder": 3, "hard_link": 4})
def a_link_to_a_log_counts_once(folder, sort):
    """`latest.csv` is a link to the newest log: its rows are counted once, and both names are told."""
    folder.csv("users.csv", users())
    folder.csv("logs/2026-03-05.csv", keyless(orders()))
    at = os.path.join(folder.path, "logs")
    if sort == 3:
        os.mkdir(os.path.join(at, "newest"))
    name = "newest/latest.csv" if sort == 3 else "latest.csv"
    (os.link if sort == 4 else os.symlink)(
        os.path.join(at, "2026-03-05.csv") if sort == 4 else ("../" if sort == 3 else "") + "2026-03-05.csv", os.path.join(at, name))
    if sort == 2:
        os.symlink("latest.csv", os.path.join(at, "now.csv"))
    table_job(folder, KEYLESS | {"path": "logs/**/*.csv" if sort == 3 else "logs/*.csv"})
    return right(checks={"same_file": (("warn", "fail"), "2026-03-05.csv", "latest.csv")})


@case("files", LINKS)
def a_folder_that_is_a_link_counts_once(folder):
    """`logs/current` is a link to `logs/2026-03`: its files are counted once, whether links are followed or not."""
    folder.csv("users.csv", users())
    folder.shards("logs/2026-03/part-{}.csv", keyless(orders()))
    os.symlink("2026-03", os.path.join(folder.path, "logs/current"))
    table_job(folder, KEYLESS | {"path": "logs/*/*.csv"})
    return RIGHT


@case("files", LINKS, each={"packed": 6, "packed_otherwise": 1, "copied": None})
def a_copy_beside_counts_once(folder, level):
    """A log lies beside its packed copy, or beside a copy of another name: the same content counts once."""
    folder.csv("users.csv", users())
    text = csv_text(folder.mixed(keyless(orders())))
    folder.write("logs/part-0.csv", text)
    folder.write("logs/part-0.csv.copy" if level is None else "logs/part-0.csv.gz", text if level is None
                 else gzip.compress(text.encode(), level, mtime=0))
    table_job(folder, KEYLESS | {"path": "logs/part-0*"})
    return right(checks={"same_file": (("warn", "fail"), "part-0.csv")})


@case("files", LINKS)
def one_file_of_two_inputs_counts_once(folder):
    """Two inputs reach one log, one by a pattern and one by its name: it counts once."""
    folder.csv("users.csv", users())
    folder.csv("logs/a.csv", keyless(orders()))
    table_job(folder, [KEYLESS | {"path": "logs/*.csv"}, KEYLESS | {"path": "logs/a.csv"}])
    return right(checks={"same_file": (("warn", "fail"), "a.csv")})


@case("files", LINKS)
def a_log_of_events_beside_its_packed_copy(folder):
    """JSON Lines without any key, plain and packed: once."""
    folder.csv("users.csv", users())
    rows = [{name: value for name, value in row.items() if name != "transactionId"} for row in folder.mixed(events())]
    folder.write("log.jsonl", jsonl_text(rows))
    folder.write("log.jsonl.gz", jsonl_text(rows))
    table_job(folder, {"path": "log.jsonl*", "format": "events", "columns": {}})
    return right(checks={"same_file": (("warn", "fail"), "log.jsonl")})


@case("files", LINKS)
def assignments_beside_their_copy(folder):
    """The users' table lies beside its packed copy: sums stay, and the same content is told."""
    folder.csv("users.csv", users())
    with open(os.path.join(folder.path, "users.csv"), "rb") as file:
        folder.write("users.csv.gz", file.read())
    folder.csv("orders.csv", orders())
    table_job(folder, assignments={"path": "users.csv*"})
    return right(checks={"same_file": (("warn", "fail"), "users.csv")})


@case("files", LINKS)
def files_of_equal_size_are_two(folder):
    """Two shards have as many bytes and other rows: both count."""
    folder.csv("users.csv", users())
    rows = [row for row in orders() if int(row["user"][1:]) >= 102]
    more = [row for row in orders() if int(row["user"][1:]) < 102]
    folder.csv("logs/a.csv", keyless(rows))
    folder.csv("logs/b.csv", keyless(more))
    table_job(folder, KEYLESS | {"path": "logs/*.csv"})
    return right(silent=["same_file"])


@case("files", "spec: `optional: true`")
def an_optional_log_may_be_missing(folder):
    """The log of refunds has no files yet: the run goes on where the job says that it may."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    table_job(folder, [{}, {"path": "refunds/*.csv", "optional": True}])
    return RIGHT
