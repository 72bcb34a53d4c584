"""Writes rows as Parquet, each column of a random type that can say the same, by a random program."""

import datetime as dt
import decimal
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

UTC = dt.timezone.utc


def is_uuid(text):
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def is_number(text):
    return text.isascii() and text.isdigit() and str(int(text)) == text and len(text) < 18


def instants(texts):
    return [None if text is None else dt.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in texts]


def choices(kind, texts):
    """The arrow arrays that say what `texts` do: of a kind `text`, `time`, `day`, `money`, `flag` or `real`."""
    found = [lambda: pa.array(texts, pa.string())]
    there = [text for text in texts if text is not None]
    if kind == "text":
        found.append(lambda: pa.array(texts, pa.large_string()))
        found.append(lambda: pa.array(texts, pa.string()).dictionary_encode())
        found.append(lambda: pa.array([None if t is None else t.encode() for t in texts], pa.binary()))
        if there and all(map(is_number, there)):
            numbers = [None if text is None else int(text) for text in texts]
            found = [lambda: pa.array(numbers, pa.int64()), lambda: pa.array(numbers, pa.uint64()),
                     lambda: pa.array([None if n is None else decimal.Decimal(n) for n in numbers], pa.decimal128(38, 0)),
                     lambda: pa.array([None if n is None else float(n) for n in numbers], pa.float64())]
        if there and all(map(is_uuid, there)):
            found.append(lambda: pa.array([None if t is None else uuid.UUID(t).bytes for t in texts], pa.uuid()))
    elif kind == "time":
        for unit in ("ms", "us", "ns"):
            for zone in ("UTC", None):
                found.append(lambda unit=unit, zone=zone: pa.array(instants(texts), pa.timestamp("us", "UTC")).cast(
                    pa.timestamp(unit, "UTC")).cast(pa.timestamp(unit, zone) if zone else pa.int64()).cast(
                    pa.timestamp(unit, zone)))
    elif kind == "day":
        found.append(lambda: pa.array([None if t is None else dt.date.fromisoformat(t) for t in texts], pa.date32()))
    elif kind == "money":
        values = [None if text is None else decimal.Decimal(text) for text in texts]
        for precision, scale in ((9, 2), (18, 2), (18, 4), (38, 9), (38, 2)):
            found.append(lambda p=precision, s=scale: pa.array(values, pa.decimal128(p, s)))
        found.append(lambda: pa.array([None if v is None else float(v) for v in values], pa.float64()))
    elif kind == "flag":
        found = [lambda: pa.array([None if t is None else t == "true" for t in texts], pa.bool_())]
    elif kind == "real":
        values = [None if text is None else float(text) for text in texts]
        found = [lambda: pa.array(values, pa.float64()), lambda: pa.array(values, pa.float32())]
    return found


def table(dice, columns):
    """An arrow table of columns: name → (kind, texts)."""
    return pa.table({name: dice.choice(choices(kind, texts))() for name, (kind, texts) in columns.items()})


def by_pyarrow(dice, columns, path):
    rows = table(dice, columns)
    with_dictionary = dice.random() < 0.5
    options = {}
    if not with_dictionary:
        options["column_encoding"] = {
            field.name: encoding for field in rows.schema if (encoding := dice.choice(encodings(field.type)))}
    int96 = dice.random() < 0.2 and all(
        field.type.unit == "ns" or field.type.tz is None for field in rows.schema if pa.types.is_timestamp(field.type))
    written = pq.ParquetWriter(
        path, rows.schema, compression=dice.choice(["none", "snappy", "gzip", "zstd", "lz4"]),
        version=dice.choice(["1.0", "2.4", "2.6"]), data_page_version=dice.choice(["1.0", "2.0"]),
        use_dictionary=with_dictionary, data_page_size=dice.choice([64, 1000, 1 << 20]),
        write_page_checksum=dice.random() < 0.5, store_schema=dice.random() < 0.5,
        write_statistics=dice.random() < 0.5, use_deprecated_int96_timestamps=int96,
        store_decimal_as_integer=dice.random() < 0.5, write_page_index=dice.random() < 0.3, **options)
    with written:
        written.write_table(rows, row_group_size=dice.choice([1, 7, 100, 10_000]))


def encodings(kind):
    """None lets the program choose."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind):
        return [None, "PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]
    if pa.types.is_integer(kind) or pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return [None, "PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"] if not pa.types.is_timestamp(kind) else [None]
    if pa.types.is_floating(kind):
        return [None, "PLAIN", "BYTE_STREAM_SPLIT"]
    if pa.types.is_boolean(kind):
        return [None, "PLAIN", "RLE"]
    return [None]


def by_duckdb(dice, columns, path):
    import duckdb

    rows = table(dice, columns)
    options = f"COMPRESSION {dice.choice(['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw'])}"
    options += f", ROW_GROUP_SIZE {dice.choice([2048, 100_000])}, PARQUET_VERSION {dice.choice(['V1', 'V2'])}"
    with duckdb.connect() as base:
        base.execute("SET TimeZone = 'UTC'")
        base.register("rows", rows)
        base.execute(f"COPY rows TO '{path}' (FORMAT parquet, {options})")


def by_polars(dice, columns, path):
    import polars

    rows = table(dice, columns)
    frame = polars.from_arrow(rows.cast(pa.schema(
        [field.with_type(pa.string() if field.type == pa.uuid() else field.type) for field in rows.schema]))
        if not any(field.type == pa.uuid() for field in rows.schema) else table(
            dice, {name: ("as it is", texts) for name, (_, texts) in columns.items()}))
    frame.write_parquet(
        path, compression=dice.choice(["uncompressed", "snappy", "gzip", "zstd", "lz4"]),
        row_group_size=dice.choice([7, 100, 10_000]), data_page_size=dice.choice([100, 1 << 20]))


def by_fastparquet(dice, columns, path):
    import fastparquet
    import pandas

    # Its INT96 is wrong of times that count microseconds.
    times = dice.choice(["int64", "int96"])
    units = ["ns"] if times == "int96" else ["ns", "us"]
    frame = pandas.DataFrame({
        name: frame_column(dice, kind, texts, units) for name, (kind, texts) in columns.items()})
    fastparquet.write(
        str(path), frame, compression=dice.choice([None, "SNAPPY", "GZIP", "ZSTD"]),
        times=times, row_group_offsets=dice.choice([50, 10_000]))


def frame_column(dice, kind, texts, units):
    import pandas

    if kind == "time" and dice.random() < 0.7:
        return pandas.Series(pandas.to_datetime(texts, utc=True, format="ISO8601")).dt.tz_convert(None).astype(
            f"datetime64[{dice.choice(units)}]")
    if kind == "money" and dice.random() < 0.5 or kind == "real":
        return pandas.Series([None if text is None else float(text) for text in texts], dtype="float64")
    return pandas.Series(texts, dtype=object)


WRITERS = {"pyarrow": by_pyarrow, "DuckDB": by_duckdb, "Polars": by_polars, "fastparquet": by_fastparquet}


def write(dice, columns, path):
    """Writes the columns, and returns who did."""
    name = dice.choice(["pyarrow", "pyarrow", *WRITERS])
    WRITERS[name](dice, columns, path)
    return name
