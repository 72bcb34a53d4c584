"""What else lies in a run's folder must fit together: rejects, inputs, results.sqlite, run.json."""

from collections import Counter
import csv
import gzip
import json
import os
import sqlite3
import sys
import zlib

from containers import bytes_at, content_of
from product import table

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Results"))

from plain_words import call_faults  # noqa: E402

REJECTS = {
    "malformed", "missing_field", "bad_time", "ambiguous_time", "bad_price", "missing_price", "bad_currency",
    "no_exchange_rate", "unknown_event_type", "unverified", "line_too_long", "invalid_utf8", "spoilt_id",
}
TABLES = {
    "group_metrics": "job,as_of,offering_id,test_group_id,is_baseline,segment,metric,kind,window_days,users,immature,"
    "numerator,denominator,value,std_error,ci_low,ci_high",
    "comparisons": "job,as_of,offering_id,baseline_group_id,test_group_id,segment,metric,kind,primary,goal,"
    "baseline_value,value,abs_diff,abs_ci_low,abs_ci_high,rel_lift,rel_ci_low,rel_ci_high,p_value,p_value_adjusted,"
    "test,seq_p_value,seq_abs_ci_low,seq_abs_ci_high,seq_rel_ci_low,seq_rel_ci_high,chance_to_win,expected_loss,"
    "exact_p_value,mde_rel,cuped_theta,decision",
    "changes": "job,as_of,previous_night,previous_as_of,offering_id,test_group_id,metric,kind,step,part,users_change,"
    "numerator_change,denominator_change,value_change,previous_value,value",
    "sufficient_statistics": "offering_id,test_group_id,segment,metric,kind,scale,n,sum_y,sum_yy,sum_x,sum_xx,sum_xy,"
    "sum_c,sum_cc,sum_yc,sum_xc",
    "checks": "offering_id,check,status,observed,expected,p_value,message",
    "inputs": "input,file,bytes,crc32,rows,used,reason,rows_set_aside",
}


def reject_differences(folder, job_folder):
    """As many rows as inputs.csv counts, each at the start of the line it names."""
    with gzip.open(os.path.join(folder, "rejects.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    listed = Counter((row["file"], row["reason"]) for row in rows)
    counted = Counter()
    for row in table(folder, "inputs.csv"):
        if row["reason"] in REJECTS:
            counted[row["file"], row["reason"]] += int(row["rows_set_aside"])
    for key in sorted(set(listed) | set(counted)):
        if listed[key] != counted[key]:
            yield f"rejects.csv.gz lists {listed[key]} rows {key}, inputs.csv counts {counted[key]}"
    contents = {}
    for row in rows:
        if row["reason"] not in REJECTS:
            yield f"rejects.csv.gz has a reason {row['reason']}"
        path = os.path.join(job_folder, row["file"])
        if path.endswith(".db"):
            continue
        if path not in contents:
            contents[path] = content_of(path)  # the BOM is still there: offsets count it
        yield from place_differences(row, contents[path])


def starts_a_row(data, offset):
    """At a line's start, behind its mark, or behind another object of the line."""
    before = data[data.rfind(b"\n", 0, offset) + 1 : offset]
    return before in (b"", b"\xef\xbb\xbf") or before.rstrip(b" \t").endswith(b"}")


def place_differences(row, data):
    line, offset = int(row["line"]), int(row["byte_offset"])
    bom = 3 if data[:3] == b"\xef\xbb\xbf" else 0
    if offset in (0, bom):
        wanted = 1
    elif starts_a_row(data, offset):
        wanted = data[:offset].count(b"\n") + 1
    else:
        yield f"rejects.csv.gz: {row['file']} offset {offset} is not the start of a line"
        return
    if line != wanted:
        yield f"rejects.csv.gz: {row['file']} offset {offset} is on line {wanted}, not {line}"


def header_differences(folder):
    """Columns may be added, never renamed or moved apart."""
    for name, columns in TABLES.items():
        with open(os.path.join(folder, f"{name}.csv"), encoding="utf-8", newline="") as file:
            header = file.readline().rstrip("\n").split(",")
        there = [column for column in header if column in columns.split(",")]
        if there != columns.split(","):
            yield f"{name}.csv has the columns {header}"


def history_differences(folder):
    """results.sqlite beside the date folders says what the CSV files say."""
    path = os.path.join(os.path.dirname(folder.rstrip("/")), "results.sqlite")
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    base.row_factory = sqlite3.Row
    try:
        for name in TABLES:
            rows = table(folder, f"{name}.csv")
            stored = base.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()
            if len(rows) != len(stored):
                yield f"results.sqlite: {name} has {len(stored)} rows, the CSV {len(rows)}"
                continue
            left, right = ([canonical(row) for row in part] for part in (rows, map(dict, stored)))
            for one, two in zip(sorted(left, key=str), sorted(right, key=str)):
                wrong = [key for key in one if one[key] != two.get(IN_SQL.get(key, key))]
                if wrong:
                    yield f"results.sqlite: {name}: {[(key, one[key], two.get(key)) for key in wrong[:2]]}"
                    break
    finally:
        base.close()


IN_SQL = {"primary": "is_primary", "check": "check_name", "rows": "rows_read", "plan": "test_plan"}
TEXTS = {"offering_id", "test_group_id", "baseline_group_id", "segment", "metric", "message", "subject", "file", "crc32"}


def canonical(row):
    """One spelling for a CSV cell and a stored value: numbers as numbers, no formula guard."""
    out = {}
    for key, value in row.items():
        if value is None or value == "":
            out[key] = None
        elif key in TEXTS:
            out[key] = str(value).removeprefix("'")
        elif value in ("true", "false"):
            out[key] = float(value == "true")
        elif key.startswith("sum_"):
            out[key] = str(value)
        else:
            try:
                out[key] = float(value)
            except ValueError:
                out[key] = value
    return out


def input_differences(folder, job_folder):
    """`bytes` and `crc32` are those of the file as it lies there, of a member of an archive its own."""
    for row in table(folder, "inputs.csv"):
        data = bytes_at(os.path.join(job_folder, row["file"]))
        if (int(row["bytes"]), int(row["crc32"], 16)) != (len(data), zlib.crc32(data)):
            yield f"inputs.csv: {row['file']} has {row['bytes']} bytes, crc {row['crc32']}"


def published_differences(folder, job_folder):
    yield from header_differences(folder)
    yield from reject_differences(folder, job_folder)
    yield from input_differences(folder, job_folder)
    yield from history_differences(folder)
    yield from (f"verdict.json: {fault}" for fault in call_faults(folder))
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        json.load(file)
