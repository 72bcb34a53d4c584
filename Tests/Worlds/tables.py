"""Logical rows to job entries and records in every dialect; the side tables."""

from collections import defaultdict
import csv
import gzip
import io
import json

from dirt import CHARGES, GAPS, broken_lines
from layout import Source
from facts import EVENT_FIELDS
from records import DIALECTS, NOTES, csv_record, event_json, json_text, more_fields, mysql_record, stamp
from stranger import Orders, StrangeTable, Stranger, told_as_text
from values import DAY, EPOCH
import datetime

ZONES = ["UTC", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/London"]


def time_text(rng, row, zone, unit):
    """The row's time spelt for its source; a `#gap` row gets one on a clock change."""
    if row.get("#gap") and zone in GAPS and not unit:
        return rng.choice(GAPS[zone])
    if "#time" in row:
        return row["#time"]
    return stamp(rng, row["#at"], zone, unit)


def end_text(rng, event, zone, unit):
    """When access ends, if the event tells it; now and then in no time's spelling."""
    if "#expires" not in event:
        return {}
    return {"expiresDate": event.get("#end") or stamp(rng, event["#expires"], zone, unit)}


def time_keys(rng, entry):
    """Give the entry a timezone, or a unit of epoch times, or neither."""
    zone, unit = "UTC", None
    if rng.random() < 0.5:
        zone = entry["timezone"] = rng.choice(ZONES)
    elif rng.random() < 0.25:
        unit = entry["time_unit"] = rng.choice(["seconds", "milliseconds"])
    return zone, unit


SALES = (*CHARGES, "trial_start")


def native_sources(rng, world, events):
    """Deal the events out to one to three logs, one of them perhaps a plain table of orders."""
    sources, rest = [], []
    orders = rng.random() < 0.3
    taken, by_sale = [], defaultdict(list)
    for event in events:
        by_sale[event.get("transactionId") or id(event)].append(event)
    for told in by_sale.values():  # all that is told of one sale is in one log, which may tell its items
        plain = all(event["eventType"] == "purchase" and event.get("currency") == "USD" for event in told if event["eventType"] in SALES)
        theirs = orders and plain and rng.random() < 0.7
        for event in told:
            (taken if theirs and event["eventType"] in SALES else rest).append(event)
    if taken:
        sources.append(orders_source(rng, world, taken))
    number = rng.choice([1, 1, 2])
    for place in range(number):
        part = rest[place::number]
        make = events_csv if rng.random() < 0.35 else events_jsonl
        sources.append(make(rng, world, part, f"log{place}"))
    return sources


def events_jsonl(rng, world, events, name):
    entry = {"format": "events"}
    stranger = Stranger(world, entry, name)
    zone, unit = time_keys(rng, entry)
    columns, records = world.spelling.columns(entry), []
    stranger.unit(unit)
    if rng.random() < 0.2:  # the log lacks a currency where it is the usual one
        entry["defaults"] = {"currency": "USD"}
        events = [without(event, "currency") if event.get("currency") in ("USD", None) else event for event in events]
        stranger.turns_negative, _ = False, entry.pop("negative", None)
    for event in events:
        row = world.ids_of.row(event) | {"occurredAt": time_text(rng, event, zone, unit)} | end_text(rng, event, zone, unit)
        if unit and row["occurredAt"] and row["occurredAt"].replace(".", "").isdigit():
            row["#bare_time"] = rng.random() < 0.6
        row = stranger.row(row)
        record, extra = event_json(rng, row), row.get("#extra", {})
        if columns and event["eventType"] in CHARGES:
            extra = extra | world.spelling.told(event, columns)
        if extra:
            more = json.dumps(extra, ensure_ascii=False).encode()
            record = record.rstrip().removesuffix(b"}") + b", " + more[1:]
        records.append(stranger.wrap(record))
    records += [stranger.wrap(json.dumps(row).encode()) for row in stranger.beside()]
    stranger.finish(EVENT_FIELDS)
    good = list(records)
    for _ in range(round(len(records) * 0.03 * world.dirt)):
        records.append(broken_lines(rng, good))
    return Source("purchases", name, entry, records)


def without(event, name):
    return {key: value for key, value in event.items() if key != name}


def events_csv(rng, world, events, name):
    entry = {"format": "events-csv"}
    stranger = Stranger(world, entry, name)
    zone, unit = time_keys(rng, entry)
    stranger.unit(unit)
    delimiter = rng.choice([",", ",", ";", "\t"])
    if rng.random() < 0.3:
        entry["delimiter"] = delimiter
    names = {field: field for field in EVENT_FIELDS}
    for field in rng.sample(EVENT_FIELDS, rng.choice([0, 0, 3])):
        names[field] = f"their{' ' if not stranger.is_strange else '.'}{field}"  # a name may have dots itself
    if any(ours != theirs for ours, theirs in names.items()):
        entry["columns"] = {ours: theirs for ours, theirs in names.items() if ours != theirs}
    order = EVENT_FIELDS + ["#note"]
    rng.shuffle(order)
    columns, records = world.spelling.columns(entry), []
    more = stranger.columns()
    for event in events:
        row = world.ids_of.row(event) | {"occurredAt": time_text(rng, event, zone, unit), "#note": rng.choice(NOTES)}
        row = stranger.row(row | end_text(rng, event, zone, unit))
        told = world.spelling.told(event, columns) if columns else {}
        extra = {column: told_as_text(row.get("#extra", {}).get(column)) for column in more}
        values = [row.get(field) for field in order]
        records.append(stranger.csv(csv_record(rng, values, delimiter) + more_fields(told | extra, delimiter), values, names, order, told | extra, delimiter))
    for _ in range(round(len(records) * 0.02 * world.dirt)):
        bare = [record for record in records if b'"' not in record] or [b"x"]
        records.append(rng.choice([b"garbage", b"\xff" + rng.choice(bare), b'"quoted garbage"']))
    header = csv_record(rng, [names.get(field, "note") for field in order], delimiter)
    header += more_fields({c: c for c in [*columns.values(), *more]}, delimiter)
    if stranger.shape == "text":
        header = csv_record(rng, ["_airbyte_raw_id", "_airbyte_data"], delimiter)
    stranger.finish(EVENT_FIELDS)
    return Source("purchases", name, entry, records, header)


def orders_source(rng, world, events):
    """A shop's own table: no event types, no currencies; the job says so once."""
    entry = {"format": "events-csv", "columns": {
        "userId": "customer", "occurredAt": "paid_at", "productId": "sku", "price": "total",
        "transactionId": "order_id",
    }, "defaults": {"eventType": "purchase", "currency": "USD"}}
    zone, unit = time_keys(rng, entry)
    orders = Orders(world, entry)
    columns, records = world.spelling.columns(entry), []
    for event, status in (line for event in events for line in orders.lines(event)):
        event = world.ids_of.row(event)
        values = [event.get("transactionId") or event.get("eventId"), event["userId"],
                  time_text(rng, event, zone, unit), event["productId"], event["price"], rng.choice(NOTES)]
        values += [status] * orders.has_status
        told = world.spelling.told(event, columns) if columns else {}
        records.append(csv_record(rng, values, ",") + more_fields(told, ","))
    header = b"order_id,customer,paid_at,sku,total,remark" + b",status" * orders.has_status + more_fields({c: c for c in columns.values()}, ",")
    return Source("purchases", "orders", entry, records, header)


def assignment_sources(rng, world, rows, catalog):
    number = rng.choice([1, 1, 2])
    return [assignment_source(rng, world, rows[i::number], f"sticky{i}", catalog) for i in range(number)]


def assignment_source(rng, world, rows, name, catalog):
    """One entry of `assignments:` in one of the four table formats."""
    kind = rng.choice(["csv", "csv", "mysql", "jsonl", "sqlite"])
    entry = {"format": kind, "attributes": ["country", "platform"]}
    zone, unit = time_keys(rng, entry)
    stranger = StrangeTable(world, entry, name)
    rows = [row | {"user": world.ids_of.written(row["user"]), "assigned_at": time_text(rng, row, zone, unit)} for row in rows]
    if catalog and rng.random() < 0.6:
        entry["keys"] = "catalog"
        rows = [row | {
            "group": row["group"] and str(catalog["group"][row["offering"] or world.offerings[0], row["group"]]),
            "offering": row["offering"] and str(catalog["offering"][row["offering"]]),
        } for row in rows]
    roles = ["user", "offering", "group", "assigned_at"]
    theirs = {"user": "user_id", "offering": "offering_ref", "group": "group_ref", "assigned_at": "created at"}
    order = roles + ["country", "platform", "note"]
    rng.shuffle(order)
    rows = [stranger.row(row) for row in rows]
    values = [[row.get(column) for column in order] for row in rows]
    names = [theirs.get(column, column) for column in order]
    source = Source("assignments", name, entry, [])
    if kind == "mysql":
        entry["columns"] = order
        dialect = rng.choice(DIALECTS)
        if dialect:
            entry["dialect"] = dialect
        notes = ["", None, 'q"uote', "co,m;ma",  "a\tb", "line\nbreak", "back\\", "nul\0"]
        place = order.index("note")
        for row in values:
            row[place] = rng.choice(notes)
            source.records.append(mysql_record(rng, row, dialect))
        return source
    entry["columns"] = theirs
    if kind == "csv":
        delimiter = rng.choice([",", ";", "\t"])
        source.header = csv_record(rng, names, delimiter)
        source.records = [csv_record(rng, row, delimiter) for row in values]
        if stranger.deletes:
            source.header += more_fields({"_deleted": "_deleted"}, delimiter)
            source.records = [record + more_fields({"_deleted": told_as_text(row["#deleted"])}, delimiter) for record, row in zip(source.records, rows)]
    elif kind == "jsonl":
        for row in values:
            pairs = [f"{json_text(rng, key)}: {'null' if value is None else json_text(rng, value)}"
                     for key, value in zip(names, row) if value is not None or rng.random() < 0.5]
            source.records.append(("{" + ", ".join(pairs) + "}").encode())
        source.records = [stranger.wrap(record, row) for record, row in zip(source.records, rows)]
        entry["columns"] = stranger.columns(theirs)
        good = list(source.records)
        for _ in range(round(len(good) * 0.02 * world.dirt)):
            source.records.append(broken_lines(rng, good))
    else:
        whole = rng.random() < 0.5
        source.columns = names
        source.records = [tuple(as_integer(value) if whole else value for value in row) for row in values]
        if rng.random() < 0.5:
            entry["query"] = "SELECT * FROM sticky ORDER BY 1"
        else:
            entry["table"] = "sticky"
    return source


def as_integer(text):
    """What SQLite would store for an INTEGER column: `7`, but never `007` or twenty digits."""
    plain = text and text.isdecimal() and text.isascii() and (text == "0" or text[0] != "0")
    return int(text) if plain and int(text) < 1 << 63 else text


def side_table(rng, name, columns, rows, files):
    """Write a small table in one of the formats; returns the job's entry for it."""
    kind, entry = rng.choice(["csv", "csv", "csv", "jsonl", "mysql"]), {}
    theirs = {column: column for column in columns}
    if kind != "mysql" and rng.random() < 0.3:
        theirs[columns[0]] = "their " + columns[0]
        entry["columns"] = {columns[0]: theirs[columns[0]]}
    if kind == "csv":
        data = table_bytes(rng, [theirs[column] for column in columns], rows)
    elif kind == "jsonl":
        lines = [dict(zip((theirs[column] for column in columns), row)) for row in rows]
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    else:
        entry["columns"] = columns
        data = b"".join(mysql_record(rng, row, {}) + b"\n" for row in rows)
    files[f"{name}.tab"] = data
    return {"path": f"data/{name}.tab", "format": kind} | entry


def table_bytes(rng, columns, rows):
    text = io.StringIO()
    out = csv.writer(text, lineterminator=rng.choice(["\n", "\r\n"]))
    out.writerow(columns)
    out.writerows([["" if value is None else value for value in row] for row in rows])
    data = text.getvalue().encode()
    return gzip.compress(data, mtime=0) if rng.random() < 0.5 else data


def side_tables(rng, world):
    """Products, exchange rates, identities and the catalog: their files and the job's entries for them."""
    files, job, catalog = {}, {}, None
    if rng.random() < 0.7:
        columns = ["product_id", "kind", "period", "trial", "grace", "tier", "credits", "commission_percent", "tax_percent"]
        names = ["id", "kind", "period", "trial", "grace", "tier", "credits", "commission", "tax"]
        rows = [[p[name] for name in names] for p in world.products if p["known"]]
        if world.families and (world.always_tells_families or world.dice.random() < 0.6):
            columns.append("subscription_group")
            rows = [[*row, world.families.get(row[0])] for row in rows]
        job["products"] = side_table(rng, "products", columns, unique(rows), files)
    if world.foreign and rng.random() < 0.85:
        job["exchange_rates"] = side_table(rng, "rates", ["date", "currency", "rate"], rate_rows(rng, world), files)
    if world.aliases:
        columns = ["alias", "user"]
        job["identities"] = side_table(rng, "identities", columns, [[*map(world.ids_of.written, row)] for row in world.aliases], files)
    if world.has_catalog:
        catalog = catalog_tables(rng, world, files)
        job["catalog"] = {name: f"data/catalog_{name}.csv" for name in ("offerings", "groups", "products", "copy")}
    return files, job, catalog


def unique(rows):
    return list({row[0]: row for row in rows}.values())


def rate_rows(rng, world):
    """Daily rates with days missing, gaps around the seven-day limit, and a superfluous USD."""
    rows, today = [], world.cutoff // DAY
    for currency, rate in (("EUR", "1.0843"), ("JPY", "0.006512345"), ("GBP", "1.25"), ("USD", "3")):
        day = today - 60
        while day <= today + 2:
            date = (EPOCH + datetime.timedelta(days=day)).date().isoformat()
            digits = rng.choice([rate, rate + "1", rate[:-1] + "7"]) if currency != "JPY" else rate
            rows.append([date, currency, digits])
            day += rng.choice([1, 1, 1, 2, 7, 8, 9])
    rng.shuffle(rows)
    return rows


def catalog_tables(rng, world, files):
    """The server's four tables; returns the row ids of offerings and groups."""
    ids = {"offering": {}, "group": {}}
    offerings, groups, products, copy = [], [], [], []
    kinds = {p["id"]: p["catalog"] for p in world.products}
    weights = [1] if world.large or rng.random() < 0.5 else [1, 1, 2, 0.5]
    for number, offering in enumerate(world.offerings, 11):
        ids["offering"][offering] = number
        offerings.append([number, offering, f"Test {number}", 1])
        for place, group in enumerate(world.names):
            row_id = number * 100 + place
            ids["group"][offering, group] = row_id
            groups.append([row_id, number, group, rng.choice(weights)])
            copy.append([row_id, "Title", "Sub, title", "Buy", "Cancel any time"])
            renewing = unique([[p["id"]] for p in world.products if p["kind"] == "auto_renewable"])
            standard = rng.randrange(len(renewing)) if renewing else None
            for position, (product,) in enumerate(renewing):
                products.append([row_id, product, kinds[product], "$7.99", position, int(position == standard), None, None])
    files["catalog_offerings.csv"] = table_bytes(rng, ["id", "offering_id", "name", "is_active"], offerings)
    files["catalog_groups.csv"] = table_bytes(rng, ["id", "subscription_offering_id", "group_name", "weight"], groups)
    columns = ["offering_group_id", "product_id", "type", "fallback_display_price", "position", "is_default", "badge_text", "subtitle_text"]
    files["catalog_products.csv"] = table_bytes(rng, columns, products)
    columns = ["offering_group_id", "header_title", "header_subtitle", "cta_button_text", "supporting_text"]
    files["catalog_copy.csv"] = table_bytes(rng, columns, copy)
    return ids
