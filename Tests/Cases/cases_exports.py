"""The exports of `jobs/other-exports.md` in whatever a vendor or a program on the way makes of them."""

import csv
import gzip
import io
import json
import os
import re
import zipfile

from answers import Init, Sums
from case import case

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "jobs", "other-exports.md")
VENDORS = "jobs/other-exports.md, which names each vendor's own page"
ASSIGNMENTS, RATES, CUSTOMERS = "users.csv", "rates.csv", "customers.csv"

with open(PAGE, encoding="utf-8") as page:
    BLOCKS = re.findall(r"(?:^\*\*`([^`\n]+)`\*\*[^\n]*\n)?^```(\w+)\n(.*?)^```$", page.read(), re.S | re.M)
FILES = {name: text for name, _, text in BLOCKS if name}
JOBS = {text.split("\n")[0].removeprefix("job: "): text for _, language, text in BLOCKS if language == "yaml" and text.startswith("job: ")}
LOGS = {"mixpanel": "mixpanel.jsonl", "amplitude": "amplitude/187520_2026-03-02_10#0.json", "posthog": "posthog.jsonl",
    "qonversion": "qonversion.jsonl", "purchasely": "purchasely.jsonl", "shopify": "orders_export_1.csv", "bigquery": "events-000000000000.json",
    "postgres": "payments.csv"}


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def rewritten(text, change, dialect=csv.excel):
    """A CSV whose rows, as mappings, are changed."""
    rows = [change(row) for row in csv.DictReader(io.StringIO(text))]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], dialect=dialect)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def turned(row):
    return dict(reversed(row.items()))


def turned_objects(text):
    """Members of every object the other way round."""
    def turn(value):
        return {name: turn(value[name]) for name in reversed(value)} if isinstance(value, dict) else value
    return "".join(json.dumps(turn(json.loads(line)), separators=(",", ":")) + "\n" for line in text.splitlines())


def without_nulls(text):
    """Optional members left out where they say nothing."""
    def strip(value):
        return {name: strip(inner) for name, inner in value.items() if inner is not None and inner != ""} if isinstance(value, dict) else value
    return "".join(json.dumps(strip(json.loads(line))) + "\n" for line in text.splitlines())


def is_csv(text):
    return not text.startswith("{")


FORMS = {
    "plain": lambda text: text,
    "gzip": lambda text: gzip.compress(text.encode(), mtime=0),
    "zip_of_gzip": lambda text: zipped(**{"187520/187520_2026-03-02_10#0.json.gz": gzip.compress(text.encode(), mtime=0)}),
    "utf16": lambda text: text.encode("utf-16"),
    "utf16_big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "mark_and_crlf": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "no_last_line_end": lambda text: text.rstrip("\n"),
    "blank_lines": lambda text: text + "\n\n",
    "turned": lambda text: rewritten(text, turned) if is_csv(text) else turned_objects(text),
    "all_quoted_or_spaced": lambda text: rewritten(text, dict, csv.unix_dialect) if is_csv(text)
        else "".join(json.dumps(json.loads(line), indent=None, separators=(" , ", " : ")) + "\n" for line in text.splitlines()),
    "semicolons_or_no_nulls": lambda text: without_nulls(text) if not is_csv(text)
        else rewritten(text, dict, type("semicolons", (csv.excel,), {"delimiter": ";"})),
}


def figures(job):
    """What every export tells of the one story, as far as it can: Shopify tells of no trial."""
    return Sums({
        "control": {"revenue_gross": "19.98", "revenue_net": "9.99", "trial_start_rate": 0 if job == "shopify" else 1},
        "new_price": {"revenue_gross": "25.09", "revenue_net": "25.09", "trial_start_rate": 0}})


def write(folder, job, form):
    for name, text in FILES.items():
        if name in (ASSIGNMENTS, RATES, CUSTOMERS):
            folder.write(name, text)
    text = FILES[LOGS[job]]
    folder.write(LOGS[job], FORMS[form](text if is_csv(text) else "".join(folder.mixed(text.splitlines(True)))))


@case("mapping", VENDORS, each={f"{job}__{form}": (job, form) for job in LOGS for form in FORMS})
def an_export_in_another_form(folder, told):
    """The vendor's export is packed, in UTF-16, with a mark and CRLF, with its columns in another order or its empty members left out."""
    job, form = told
    write(folder, job, form)
    folder.write("job.yml", JOBS[job].replace(f"job: {job}\n", f"job: {folder.name}\nbaseline: control\n", 1))
    return figures(job)


# What init makes of them

def init(folder, job, *arguments, answer=True, asks=()):
    write(folder, job, "plain")
    net = Sums({"control": {"revenue_net_none": "9.99"}, "new_price": {"revenue_net_none": "25.09"}}) if answer else None
    return Init("--assignments", ASSIGNMENTS, "--purchases", LOGS[job], "--rates", RATES, *arguments, answer=net, asks=asks)


SAID = {"mixpanel": (), "amplitude": ("--say", "types.revenue_amount=purchase"), "posthog": (), "bigquery": (),
    "qonversion": ("--column", "price=revenue.value"), "purchasely": ("--say", "types.TRANSACTION_PROCESSED=purchase", "--say", "types.SUBSCRIPTION_STARTED=ignore")}


@case("init", VENDORS, each={job: job for job in SAID})
def init_reads_an_export(folder, job):
    """`init` looks at a vendor's export, is told what it asks, and writes a job whose sums are right."""
    return init(folder, job, *SAID[job])


@case("init", VENDORS, each={"amplitude": ("revenue_amount", "--say"), "qonversion": ("revenue.value", "price.value"),
    "purchasely": ("TRANSACTION_PROCESSED", "--say"), "postgres": ("first", "--say")})
def init_asks_about_an_export(folder, words):
    """What money hangs on and no name tells is asked: what a type stands for, which of two amounts was paid."""
    job = {"revenue_amount": "amplitude", "revenue.value": "qonversion", "TRANSACTION_PROCESSED": "purchasely", "first": "postgres"}[words[0]]
    return init(folder, job, answer=False, asks=words)


@case("init", VENDORS)
def init_tells_refunds_that_stand_in_a_column_of_amounts(folder):
    """Shopify's `Refunded Amount`: `init` says that it is not read, and how to make rows of it."""
    return init(folder, "shopify", "--identities", CUSTOMERS, answer=False, asks=("refund", "Refunded Amount"))


@case("init", VENDORS)
def init_tells_refunds_that_stand_in_a_column_of_times(folder):
    """A table of charges alone says in `refunded_at` which were given back: `init` says that it is not read."""
    write(folder, "postgres", "plain")
    charges = [row for row in csv.DictReader(io.StringIO(FILES["payments.csv"])) if row["kind"] != "trial"]
    folder.csv("payments.csv", [{name: value for name, value in row.items() if name != "kind"} for row in charges])
    return Init("--assignments", ASSIGNMENTS, "--purchases", "payments.csv", "--rates", RATES, answer=None, asks=("refunded_at", "refund"))


@case("init", VENDORS)
def init_tells_refunds_beside_a_column_of_types(folder):
    """Where a column tells purchases from renewals and none of its rows is a refund, `init` says that `refunded_at` is not read."""
    write(folder, "postgres", "plain")
    rows = [row | {"event_type": "purchase" if row["kind"] == "first" else "renewal"}
            for row in csv.DictReader(io.StringIO(FILES["payments.csv"])) if row["kind"] != "trial"]
    folder.csv("payments.csv", [{name: value for name, value in row.items() if name != "kind"} for row in rows])
    return Init("--assignments", ASSIGNMENTS, "--purchases", "payments.csv", "--rates", RATES, answer=None, asks=("refunded_at", "refund"))
