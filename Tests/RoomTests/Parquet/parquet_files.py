"""Makes ParquetFiles.json: small Parquet files that pyarrow writes, and what each of their cells says.

    python parquet_files.py     (pyarrow 26)

The texts are made here of the values that are handed to pyarrow, with nothing of the product's.
"""

import base64
import datetime as dt
import decimal
import io
import json
import pathlib
import uuid

import pyarrow as pa
import pyarrow.parquet as pq

UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)
files = []


def add(name, columns, **options):
    """A file of columns: name → (type, values, texts)."""
    table = pa.table(
        {key: pa.array(values, type_) for key, (type_, values, _) in columns.items()})
    sink = io.BytesIO()
    pq.write_table(table, sink, **{"compression": "none", "store_schema": False, "write_statistics": False, **options})
    files.append({
        "name": name,
        "bytes": base64.b64encode(sink.getvalue()).decode(),
        "columns": {key: texts for key, (_, _, texts) in columns.items()},
    })


def number(value):
    """Plain decimal notation of the shortest text of a number."""
    if value is None:
        return None
    text = format(decimal.Decimal(repr(value)), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def texts(values):
    return [None if value is None else str(value) for value in values]


words = [None, "", "a", "ä€😀", "a,b\n\"c\"", "same", "same", None] * 12
numbers = [None, 0, 1, -1, 7, 2**31 - 1, -(2**31), 7] * 12
longs = [0, 1, -1, 2**63 - 1, -(2**63), 1_700_000_000_000, None, 5] * 12
prices = [7.99, 0.1, 1e-7, 1e22, -2.5, 100.0, None, 123456789.125] * 12
flags = [True, False, None, True, True, True, False, False] * 12
plain = {
    "word": (pa.string(), words, words),
    "number": (pa.int32(), numbers, texts(numbers)),
    "long": (pa.int64(), longs, texts(longs)),
    "price": (pa.float64(), prices, [number(p) for p in prices]),
    "flag": (pa.bool_(), flags, [None if f is None else str(f).lower() for f in flags]),
}
for codec in ["none", "snappy", "gzip", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        add(f"{codec}, pages {version}", plain, compression=codec, data_page_version=version,
            write_page_checksum=True, data_page_size=128)
add("without dictionaries", plain, use_dictionary=False, row_group_size=40)
add("deltas", {k: v for k, v in plain.items() if k in ("word", "number", "long")}, use_dictionary=False,
    column_encoding={"word": "DELTA_LENGTH_BYTE_ARRAY", "number": "DELTA_BINARY_PACKED", "long": "DELTA_BINARY_PACKED"})
add("delta strings", {"word": plain["word"]}, use_dictionary=False, column_encoding={"word": "DELTA_BYTE_ARRAY"})
add("delta strings, pages 2.0", {"word": plain["word"]}, use_dictionary=False, data_page_version="2.0",
    column_encoding={"word": "DELTA_BYTE_ARRAY"})
add("streams split", {k: plain[k] for k in ("number", "long", "price")}, use_dictionary=False,
    column_encoding={k: "BYTE_STREAM_SPLIT" for k in ("number", "long", "price")})
add("booleans in runs", {"flag": plain["flag"]}, use_dictionary=False, data_page_version="2.0",
    column_encoding={"flag": "RLE"})

days = [dt.date(2024, 2, 29), dt.date(1969, 12, 31), dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2000, 3, 1), None]
micros = [0, 1, -1, 1_709_164_799_123_456, 1_709_164_799_123_000, 1_709_164_799_000_000, None]


def instant(value, zone, digits):
    if value is None:
        return None
    time = EPOCH + dt.timedelta(microseconds=value)
    text = time.strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f"{value % 1_000_000:06}"[:digits]
    if digits == 6 and fraction.endswith("000"):
        fraction = fraction[:3]
    return text + ("" if int(fraction or 0) == 0 else "." + fraction) + zone


millis = [None if m is None else m // 1000 for m in micros]
times = {
    "day": (pa.date32(), days, [None if d is None else d.isoformat() for d in days]),
    "ms": (pa.timestamp("ms", "UTC"), millis[:6], [instant(m * 1000, "Z", 3) for m in millis[:6]]),
    "us": (pa.timestamp("us", "UTC"), micros[:6], [instant(m, "Z", 6) for m in micros[:6]]),
    "local": (pa.timestamp("us"), micros[:6], [instant(m, "", 6) for m in micros[:6]]),
    "clock": (pa.time32("ms"), [0, 1, 86_399_999, None, 45_296_000, 1000],
              ["00:00:00", "00:00:00.001", "23:59:59.999", None, "12:34:56", "00:00:01"]),
    "clockus": (pa.time64("us"), [0, 1, 86_399_999_999, None, 45_296_000_000, 1000],
                ["00:00:00", "00:00:00.000001", "23:59:59.999999", None, "12:34:56", "00:00:00.001"]),
}
add("times", times)
nanos = [0, 1, 1_709_164_799_123_456_789, -1, 1_709_164_799_000_000_000]
nano_texts = ["1970-01-01T00:00:00{}", "1970-01-01T00:00:00.000000001{}", "2024-02-28T23:59:59.123456789{}",
              "1969-12-31T23:59:59.999999999{}", "2024-02-28T23:59:59{}"]
add("nanoseconds", {"ns": (pa.timestamp("ns", "UTC"), nanos, [t.format("Z") for t in nano_texts])})
add("INT96", {"ns": (pa.timestamp("ns"), nanos, [t.format("Z") for t in nano_texts])},
    use_deprecated_int96_timestamps=True)


def decimals(precision, scale, texts_):
    return (pa.decimal128(precision, scale), [None if t is None else decimal.Decimal(t) for t in texts_],
            [None if t is None else number_text(t) for t in texts_])


def number_text(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


money = ["7.99", "-0.01", "0.00", "12345.60", None, "-99999.99"]
wide = ["12345678901234567890123456789.123456789", "-12345678901234567890123456789.123456789", "0.000000001", None,
        "7.990000000", "-1.000000000"]
amounts = {
    "small": decimals(7, 2, money),
    "large": decimals(18, 2, money),
    "wide": decimals(38, 9, wide),
    "whole": decimals(38, 0, ["99999999999999999999999999999999999999", "0", "10", "-10", None, "1"]),
}
add("decimals", amounts)
add("decimals in integers", {k: amounts[k] for k in ("small", "large")}, store_decimal_as_integer=True)
add("decimals in delta strings", {"wide": amounts["wide"]}, use_dictionary=False,
    column_encoding={"wide": "DELTA_BYTE_ARRAY"})

ids = [uuid.UUID(int=n * 0x0123456789ABCDEF0123456789 % 2**128) for n in range(5)] + [None]
add("others", {
    "id": (pa.uuid(), [None if i is None else i.bytes for i in ids], texts(ids)),
    "u8": (pa.uint8(), [0, 255, None, 1, 2, 3], ["0", "255", None, "1", "2", "3"]),
    "u32": (pa.uint32(), [0, 2**32 - 1, None, 1, 2, 3], ["0", str(2**32 - 1), None, "1", "2", "3"]),
    "u64": (pa.uint64(), [0, 2**64 - 1, None, 1, 2, 3], ["0", str(2**64 - 1), None, "1", "2", "3"]),
    "i8": (pa.int8(), [0, -128, None, 127, 2, 3], ["0", "-128", None, "127", "2", "3"]),
    "real": (pa.float32(), [0.1, float("nan"), None, float("inf"), 16777216.0, -2.5],
             ["0.1", None, None, "inf", "16777216", "-2.5"]),
    "half": (pa.float16(), [0.5, -2.0, None, 65504.0, 2.0**-24, 0.0], ["0.5", "-2", None, "65504",
                                                                           number(6e-08), "0"]),
    "bytes": (pa.binary(), [b"abc", b"", None, b"x", b"y", b"z"], ["abc", "", None, "x", "y", "z"]),
    "fixed": (pa.binary(3), [b"abc", b"def", None, b"ghi", b"jkl", b"mno"], ["abc", "def", None, "ghi", "jkl", "mno"]),
    "none": (pa.null(), [None] * 6, [None] * 6),
})
add("no rows", {"word": (pa.string(), [], [])})


def nested(values):
    return [None if v is None else json.dumps(v, ensure_ascii=False, separators=(",", ":")) for v in values]


structs = [{"price": 7.5, "name": "a\"b\\\n"}, None, {"price": None, "name": None}, {"price": 1.0, "name": "ä"}]
plain_structs = [{"price": 7.5, "name": "a\"b\\\u000a"}, None, {"price": None, "name": None}, {"price": 1, "name": "ä"}]
lists = [[1, None, 3], [], None, [4]]
deep = [[[1, 2], [], None], [], None, [[3]]]
rows = [[{"k": "a", "v": [1, 2]}, {"k": None, "v": []}], [], None, [None, {"k": "b", "v": None}]]
maps = [[("a", 1), ("b", None)], [], None, [("c", 3)]]
for version in ["1.0", "2.0"]:
    add(f"nested, pages {version}", {
        "data": (pa.struct([("price", pa.float64()), ("name", pa.string())]), structs,
                 [None if t is None else t.replace("\\n", "\\u000a") for t in nested(plain_structs)]),
        "list": (pa.list_(pa.int32()), lists, nested(lists)),
        "deep": (pa.list_(pa.list_(pa.int64())), deep, nested(deep)),
        "rows": (pa.list_(pa.struct([("k", pa.string()), ("v", pa.list_(pa.int16()))])), rows, nested(rows)),
        "map": (pa.map_(pa.string(), pa.int32()), maps, nested([None if m is None else dict(m) for m in maps])),
    }, data_page_version=version, row_group_size=3)
    files[-1]["columns"]["data.price"] = ["7.5", None, None, "1"]
    files[-1]["columns"]["data.name"] = ["a\"b\\\n", None, None, "ä"]

path = pathlib.Path(__file__).with_name("ParquetFiles.json")
lines = ",\n".join(json.dumps(file, ensure_ascii=False) for file in files)
path.write_text(f"[\n{lines}\n]\n")
print(len(files), "files,", path.stat().st_size, "bytes")
