"""Parquet files of random schemas, and what each of their cells says: the text that a CSV of the same rows would have."""

import datetime as dt
import decimal
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

EPOCH = dt.datetime(1970, 1, 1)
PER_SECOND = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
LETTERS = ["a", "Z", "0", " ", ",", '"', "\\", "\n", "é", "€", "😀", "\t"]


def fraction(rest, per):
    """What stands behind the seconds: digits in steps of three."""
    if rest == 0:
        return ""
    text = f"{rest:0{len(str(per)) - 1}}"
    while text.endswith("000"):
        text = text[:-3]
    return "." + text


def of_float(value):
    if value is None or np.isnan(value):
        return None
    if isinstance(value, np.float16) and value == np.rint(value) and not np.isinf(value):
        return f"{float(value):.0f}"  # A whole number of few digits is told to the last.
    return ("-inf" if value < 0 else "inf") if np.isinf(value) else np.format_float_positional(value, trim="-")


def of_decimal(value):
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def clock(value, unit):
    seconds, rest = divmod(value, PER_SECOND[unit])
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction(rest, PER_SECOND[unit])}"


def instant(value, unit, is_utc):
    seconds, rest = divmod(value, PER_SECOND[unit])
    day, second = divmod(seconds, 86_400)
    date = (EPOCH + dt.timedelta(days=day)).date()
    return f"{date.isoformat()}T{clock(second * PER_SECOND[unit] + rest, unit)}{'Z' if is_utc else ''}"


class Kind:
    """A type of arrow's, how values of it are made, and what each says as a cell."""

    def __init__(self, name, kind, make, text, arrow=None, is_number=False):
        self.name, self.type, self.make, self.text, self.is_number = name, kind, make, text, is_number
        self.arrow = arrow or (lambda values: pa.array(values, kind))

    def json(self, value):
        """The cell within JSON, numbers as their text."""
        if value is None:
            return None
        return value if self.type == pa.bool_() else self.text(value)


def words(dice):
    return "".join(dice.choice(LETTERS) for _ in range(dice.choice([0, 1, 3, 3, 12, 200])))


def whole(name, kind, low, high):
    edges = [low, high, 0, 1, high // 2]
    return Kind(name, kind, lambda dice: dice.choice(edges) if dice.random() < 0.3 else dice.randint(low, high) >> dice.choice(
        [0, 0, max(high.bit_length() - 4, 0)]), str, is_number=True)


def of_decimals(precision, scale, maker=pa.decimal128):
    def make(dice):
        digits = dice.randint(1, precision)
        return decimal.Decimal(dice.randint(-10 ** digits + 1, 10 ** digits - 1)).scaleb(-scale, decimal.Context(prec=80))
    return Kind(f"decimal{precision}_{scale}", maker(precision, scale), make, of_decimal, is_number=True)


def of_times(unit, zone, is_int96):
    per = PER_SECOND[unit]
    low, high = (-62_135_596_800, 253_402_300_799) if unit != "ns" and not is_int96 else (-9_223_372_036, 9_223_372_035)

    def make(dice):
        second = dice.randint(low, high) if dice.random() < 0.3 else dice.randint(1_600_000_000, 1_900_000_000)
        return second * per + dice.choice([0, dice.randrange(per), dice.randrange(per) // 1000 * 1000 % per])
    return Kind(
        f"timestamp_{unit}_{zone}", pa.timestamp(unit, zone), make,
        lambda value: instant(value, unit, is_int96 or zone is not None),
        lambda values: pa.array(values, pa.int64()).cast(pa.timestamp(unit, zone)))


def of_clocks(unit):
    kind = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
    bits = pa.int32() if unit in ("s", "ms") else pa.int64()
    return Kind(f"time_{unit}", kind, lambda dice: dice.randrange(86_400 * PER_SECOND[unit]),
                lambda value: clock(value, unit), lambda values: pa.array(values, bits).cast(kind))


def of_floats(name, kind, number):
    def make(dice):
        special = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e22, 5e-324, 0.1, 7.99, 1 / 3]
        with np.errstate(over="ignore", under="ignore"):
            return number(dice.choice(special) if dice.random() < 0.2 else dice.uniform(-1, 1) * 10.0 ** dice.randint(-9, 12))
    return Kind(name, kind, make, of_float, lambda values: pa.array(
        [None if value is None else value for value in values], kind), is_number=True)


def day(value):
    return (EPOCH + dt.timedelta(days=value)).date().isoformat()


def kinds(dice, program, is_int96):
    """The kinds of columns that a program can write."""
    simple = [
        whole("int64", pa.int64(), -2 ** 63, 2 ** 63 - 1), of_floats("float64", pa.float64(), np.float64),
        Kind("bool", pa.bool_(), lambda dice: dice.random() < 0.5, lambda value: str(value).lower()),
        Kind("string", pa.string(), words, str),
        Kind("string_few", pa.string(), lambda dice: dice.choice(["USD", "EUR", "ÖÄ", ""]), str),
        of_times("ns", None, is_int96),
    ]
    if program == "fastparquet":
        return simple
    found = simple + [
        whole("int8", pa.int8(), -128, 127), whole("int16", pa.int16(), -2 ** 15, 2 ** 15 - 1),
        whole("int32", pa.int32(), -2 ** 31, 2 ** 31 - 1), whole("uint8", pa.uint8(), 0, 255),
        whole("uint16", pa.uint16(), 0, 2 ** 16 - 1), whole("uint32", pa.uint32(), 0, 2 ** 32 - 1),
        whole("uint64", pa.uint64(), 0, 2 ** 64 - 1), of_floats("float32", pa.float32(), np.float32),
        Kind("large_string", pa.large_string(), words, str),
        Kind("string_dictionary", pa.string(), lambda dice: dice.choice(["a", "b", "€"]), str,
             lambda values: pa.array(values, pa.string()).dictionary_encode()),
        Kind("binary", pa.binary(), lambda dice: words(dice).encode(), bytes.decode),
        Kind("date32", pa.date32(), lambda dice: dice.randint(-719_162, 2_932_896), day,
             lambda values: pa.array(values, pa.int32()).cast(pa.date32())),
        of_times("us", None, is_int96), of_times("us", "UTC", is_int96), of_times("ms", None, is_int96),
        of_clocks("us"),
        *(of_decimals(*dice.choice([(1, 0), (4, 2), (9, 2), (9, 9), (18, 4), (19, 0), (28, 6), (38, 9), (38, 38)]))
          for _ in range(3)),
    ]
    if program != "pyarrow":
        return found
    return found + [
        Kind("fixed", pa.binary(5), lambda dice: bytes(dice.choice(b"abcde -09") for _ in range(5)), bytes.decode),
        Kind("uuid", pa.uuid(), lambda dice: uuid.UUID(int=dice.getrandbits(128)), str,
             lambda values: pa.array([None if v is None else v.bytes for v in values], pa.uuid())),
        Kind("date64", pa.date64(), lambda dice: dice.randint(-719_162, 2_932_896), day,
             lambda values: pa.array(values, pa.int32()).cast(pa.date32()).cast(pa.date64())),
        Kind("null", pa.null(), lambda dice: None, str),
        of_floats("float16", pa.float16(), np.float16) if hasattr(pa, "float16") else simple[0],
        of_times("s", None, is_int96), of_times("s", "UTC", is_int96), of_times("ms", "Europe/Berlin", is_int96),
        of_times("ns", "UTC", is_int96), of_clocks("s"), of_clocks("ms"), of_clocks("ns"),
        of_decimals(38, 3, pa.decimal256),
    ]


class Column:
    """A tree of types, with values of it and what they say."""

    def __init__(self, dice, leaves, depth, has_maps):
        self.share = dice.choice([0, 0, 0.1, 0.5, 0.95])
        self.shape = "leaf" if depth == 0 or dice.random() < 0.5 else dice.choice(
            ["struct", "list", *(["map", "large_list"] if has_maps else [])])
        inner = lambda: Column(dice, leaves, depth - 1, has_maps)
        if self.shape == "leaf":
            self.kind = dice.choice(leaves)
            self.share = 1 if self.kind.type == pa.null() else self.share
            self.type = self.kind.arrow([]).type
        elif self.shape == "struct":
            self.members = {f"m{number}": inner() for number in range(dice.randint(1, 3))}
            self.type = pa.struct([pa.field(name, column.type) for name, column in self.members.items()])
        else:
            self.element = inner()
            self.type = {"list": pa.list_, "large_list": pa.large_list}.get(
                self.shape, lambda element: pa.map_(pa.string(), element))(self.element.type)

    def value(self, dice):
        if self.share and dice.random() < self.share:
            return None
        if self.shape == "leaf":
            return self.kind.make(dice)
        if self.shape == "struct":
            return {name: column.value(dice) for name, column in self.members.items()}
        elements = [self.element.value(dice) for _ in range(dice.choice([0, 1, 1, 2, 5]))]
        return [(f"k{n}", element) for n, element in enumerate(elements)] if self.shape == "map" else elements

    def array(self, values):
        """Values as arrow has them; leaves by their own ways, groups out of their parts."""
        missing = pa.array([value is None for value in values], pa.bool_())
        if self.shape == "leaf":
            return self.kind.arrow(values)
        if self.shape == "struct":
            parts = [column.array([None if value is None else value[name] for value in values])
                     for name, column in self.members.items()]
            return pa.StructArray.from_arrays(
                parts, fields=[pa.field(name, part.type) for name, part in zip(self.members, parts)], mask=missing)
        ends, flat = [0], []
        for value in values:
            flat += value or []
            ends.append(len(flat))
        places = [None if value is None else start for start, value in zip(ends, values)] + [ends[-1]]
        if self.shape == "map":
            return pa.MapArray.from_arrays(
                pa.array(places, pa.int32()), pa.array([key for key, _ in flat], pa.string()),
                self.element.array([element for _, element in flat]))
        kind, bits = (pa.LargeListArray, pa.int64()) if self.shape == "large_list" else (pa.ListArray, pa.int32())
        return kind.from_arrays(pa.array(places, bits), self.element.array(flat))

    def json(self, value):
        if value is None:
            return None
        if self.shape == "leaf":
            return self.kind.json(value)
        if self.shape == "struct":
            return {name: column.json(value[name]) for name, column in self.members.items()}
        if self.shape == "map":
            return {key: self.element.json(element) for key, element in value}
        return [self.element.json(element) for element in value]

    def cells(self, name, values):
        """By name what each row's cell is: a text, or what its JSON says."""
        if self.shape == "leaf":
            return {name: [None if value is None else self.kind.text(value) for value in values]}
        found = {name: [self.json(value) for value in values]}
        if self.shape == "struct":
            for member, column in self.members.items():
                found |= column.cells(f"{name}.{member}", [None if v is None else v[member] for v in values])
        return found


def write(dice, path):
    """Writes a file, and returns who did, and by column what its cells say."""
    program = dice.choice(["pyarrow"] * 5 + ["duckdb", "polars", "fastparquet"])
    is_int96 = program == "pyarrow" and dice.random() < 0.15 or program == "fastparquet" and dice.random() < 0.3
    leaves = kinds(dice, program, is_int96)
    depth = {"fastparquet": 0}.get(program, dice.choice([0, 0, 1, 2, 3]))
    names = dice.sample(["user", "price", "Ünï cödé", "a b", "x", "y", "z", "paid", "data", "event_params"], dice.randint(1, 8))
    count = dice.choice([0, 1, 7, 60, 300, 300, 2_500]) if program != "fastparquet" else dice.choice([1, 60, 300])
    columns = {name: Column(dice, leaves, depth, has_maps=program != "polars") for name in names}
    values = {name: [column.value(dice) for _ in range(count)] for name, column in columns.items()}
    arrays = {name: column.array(values[name]) for name, column in columns.items()}
    fields = [pa.field(name, array.type, nullable=array.null_count > 0 or array.type == pa.null() or dice.random() < 0.7)
              for name, array in arrays.items()]
    rows = pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))
    {"pyarrow": by_pyarrow, "duckdb": by_duckdb, "polars": by_polars, "fastparquet": by_fastparquet}[program](
        dice, rows, path, is_int96)
    cells = {}
    for name, column in columns.items():
        cells |= column.cells(name, values[name])
    return program, cells


def by_pyarrow(dice, rows, path, is_int96):
    flat = [field.name for field in rows.schema if not pa.types.is_nested(field.type)]
    dictionary = dice.choice([True, False, False, dice.sample(rows.column_names, dice.randint(0, len(rows.column_names)))])
    options = {}
    if dictionary is False:
        encodings = {field.name: dice.choice(encodings_of(field.type)) for field in rows.schema if field.name in flat}
        options["column_encoding"] = {name: encoding for name, encoding in encodings.items() if encoding} or None
    codecs = ["none", "snappy", "gzip", "zstd", "lz4"]
    with pq.ParquetWriter(
            path, rows.schema,
            compression=dice.choice([dice.choice(codecs), {name: dice.choice(codecs) for name in flat} or "none"]),
            version="2.6" if is_int96 or "[ns" in str(rows.schema) else dice.choice(["1.0", "2.4", "2.6"]),
            data_page_version=dice.choice(["1.0", "2.0"]), use_dictionary=dictionary,
            data_page_size=dice.choice([64, 1000, 1 << 20]), write_batch_size=dice.choice([1, 16, 1024]),
            dictionary_pagesize_limit=dice.choice([64, 500, 1 << 20]),
            write_page_checksum=dice.random() < 0.6, store_schema=dice.random() < 0.5,
            write_statistics=dice.random() < 0.5, use_deprecated_int96_timestamps=is_int96,
            store_decimal_as_integer=dice.random() < 0.5, write_page_index=dice.random() < 0.3,
            use_compliant_nested_type=dice.random() < 0.8, allow_truncated_timestamps=False,
            coerce_timestamps=None, **options) as writer:
        writer.write_table(rows, row_group_size=dice.choice([1, 7, 100, 1000, 10_000]) if len(rows) < 500 else 999)


def encodings_of(kind):
    """None lets the program choose."""
    types = pa.types
    if types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind):
        return [None, "PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]
    if types.is_integer(kind) or types.is_date(kind) or types.is_time(kind) or types.is_timestamp(kind):
        return [None, "PLAIN"] if types.is_timestamp(kind) else [None, "PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]
    if types.is_floating(kind) or types.is_fixed_size_binary(kind):
        return [None, "PLAIN", "BYTE_STREAM_SPLIT"]
    return [None, "PLAIN", "RLE"] if types.is_boolean(kind) else [None]


def by_duckdb(dice, rows, path, _):
    import duckdb

    options = f"COMPRESSION {dice.choice(['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw'])}"
    options += f", ROW_GROUP_SIZE {dice.choice([2048, 100_000])}, PARQUET_VERSION {dice.choice(['V1', 'V2'])}"
    with duckdb.connect() as base:
        base.execute("SET TimeZone = 'UTC'")
        base.register("given", rows)
        base.execute(f"COPY given TO '{path}' (FORMAT parquet, {options})")


def by_polars(dice, rows, path, _):
    import polars

    polars.from_arrow(rows).write_parquet(
        path, compression=dice.choice(["uncompressed", "snappy", "gzip", "zstd", "lz4"]),
        row_group_size=dice.choice([7, 100, 10_000]), data_page_size=dice.choice([100, 1 << 20]),
        statistics=dice.choice([True, False, "full"]))


def by_fastparquet(dice, rows, path, is_int96):
    import fastparquet
    import pandas

    frame = pandas.DataFrame({
        field.name: series(rows.column(field.name), field.type) for field in rows.schema})
    fastparquet.write(
        str(path), frame, compression=dice.choice([None, "SNAPPY", "GZIP", "ZSTD"]),
        times="int96" if is_int96 else "int64", row_group_offsets=dice.choice([50, 10_000]))


def series(column, kind):
    import pandas

    if pa.types.is_integer(kind):
        return pandas.array(column.to_pylist(), dtype="Int64")
    if pa.types.is_boolean(kind):
        return pandas.array(column.to_pylist(), dtype="boolean")
    if pa.types.is_timestamp(kind):
        return pandas.Series(column.cast(pa.int64()).to_pylist(), dtype="Int64").astype("datetime64[ns]")
    return pandas.Series(column.to_pylist(), dtype=object if pa.types.is_string(kind) else "float64")
