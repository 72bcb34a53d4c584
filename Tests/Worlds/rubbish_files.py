"""Bad bytes in the inputs: gzip, JSON, CSV, SQLite, sizes."""

import gzip
import random
import zlib

from bench import JOB, Bench, clean, fails_untouched, purchase, refused

LOG = "purchases-1.jsonl.gz"
ANY = JOB + "max_reject_ratio: 1\n"
CSV_JOB = ANY.replace("format: events", "format: events-csv")


def cut_off_gzip(binary):
    with Bench(binary) as bench:
        bench.publish()
        whole = bench.read(LOG)
        for size in (2, 5, 11, len(whole) // 2, len(whole) - 8, len(whole) - 1):
            bench.write(LOG, whole[:size])
            fails_untouched(bench, 65, LOG)


def second_member_cut_off(binary):
    with Bench(binary) as bench:
        bench.publish()
        whole = bench.read(LOG)
        bench.write(LOG, whole + whole[:-3])
        fails_untouched(bench, 65, LOG)


def flipped_bits(binary):
    rng = random.Random(7)
    with Bench(binary) as bench:
        bench.publish()
        whole = bench.read(LOG)
        for _ in range(50):
            spoilt = bytearray(whole)
            spoilt[rng.randrange(10, len(whole))] ^= 1 << rng.randrange(8)
            bench.write(LOG, bytes(spoilt))
            fails_untouched(bench, 65, LOG)


def flipped_bits_in_assignments(binary):
    rng = random.Random(8)
    with Bench(binary) as bench:
        bench.publish()
        whole = gzip.compress(bench.read("assignments.csv"), mtime=0)
        for _ in range(10):
            spoilt = bytearray(whole)
            spoilt[rng.randrange(10, len(whole))] ^= 1 << rng.randrange(8)
            bench.write("assignments.csv", bytes(spoilt))
            fails_untouched(bench, 65, "assignments.csv")


def garbage_after_gzip(binary):
    with Bench(binary) as bench:
        bench.publish()
        bench.write(LOG, bench.read(LOG) + b"this is no gzip member")
        fails_untouched(bench, 65, LOG)


def corrupt_file_skipped(binary):
    with Bench(binary, JOB + "on_corrupt: skip\n") as bench:
        bench.write("purchases-2.gz", gzip.compress(bench.text(bench.lines))[:-5])
        ran = bench.run()
        clean(ran)
        assert ran.code == 0, ran.err
        assert "purchases-2.gz" in ran.err + ran.out, "the skipped file is not named"


def malformed_below_ratio(binary):
    with Bench(binary) as bench:
        bench.write("purchases-2.txt", "{broken\n")
        ran = bench.run()
        clean(ran)
        assert ran.code == 0, ran.err
        assert bench.reasons() == {"malformed": 1}, bench.reasons()
        rejects = gzip.decompress(bench.read("out/rubbish/latest/rejects.csv.gz")).decode()
        assert "purchases-2.txt,1,0,malformed," in rejects, rejects


def malformed_above_ratio(binary):
    with Bench(binary) as bench:
        bench.publish()
        bench.write("purchases-2.txt", bench.text(["", "{broken", bench.lines[0] + "x", '{"userId": "u1"}']))
        fails_untouched(bench, 65, "purchases-2.txt", "max_reject_ratio", ("line 2", ":2"))


def unknown_currency(binary):
    with Bench(binary) as bench:
        bench.publish()
        foreign = [purchase(1000 + i, currency="EUR") for i in range(20)]
        bench.write("purchases-2.txt", bench.text(foreign))
        fails_untouched(bench, 65, "purchases-2.txt", ("EUR", "no_exchange_rate"))
        bench.write("purchases-2.txt", bench.text(foreign[:1]))
        assert bench.run().code == 0
        assert bench.reasons() == {"no_exchange_rate": 1}, bench.reasons()


def empty_files(binary):
    for name in (LOG, "assignments.csv"):
        for content in (b"", b"\xef\xbb\xbf", b"\n\n", gzip.compress(b"")):
            with Bench(binary) as bench:
                bench.write(name, content)
                ran = bench.run()
                clean(ran)
                # Without assignments there is nobody to compare.
                assert ran.code == (0 if name == LOG else 65), f"{name} = {content!r}: exit {ran.code}: {ran.err}"


def rows_per_reason(binary, content, reasons, name="purchases-2.txt", job=ANY, seconds=600, megabytes=700):
    """The extra file must end in exactly these reasons (or any of several), in bounded memory."""
    with Bench(binary, job) as bench:
        if job is CSV_JOB:
            bench.write(LOG, "")
        bench.write(name, content)
        ran = bench.run(seconds=seconds)
        clean(ran)
        assert ran.megabytes < megabytes, f"{ran.megabytes:.0f} MB"
        assert ran.code == 0, f"exit {ran.code}: {ran.err[-300:]}"
        assert bench.reasons() in reasons, bench.reasons()


def forty_megabyte_line(binary):
    rows_per_reason(binary, b"a" * 40_000_000, [{"line_too_long": 1}])
    rows_per_reason(binary, b"a" * 40_000_000 + b"\n{\n", [{"line_too_long": 1, "malformed": 1}])
    rows_per_reason(binary, b'{"userId": "' + b"a" * 40_000_000 + b'"}', [{"line_too_long": 1}])


def forty_megabyte_csv_field(binary):
    header = b"userId,eventType,occurredAt,productId,price,currency\n"
    rows_per_reason(binary, header + b"a" * 40_000_000 + b"\n", [{"line_too_long": 1}], job=CSV_JOB)


def bomb(byte, megabytes=1000):
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(pack.compress(byte * 1_000_000) for _ in range(megabytes)) + pack.flush()


def gzip_bombs(binary):
    rows_per_reason(binary, bomb(b"\0"), [{"line_too_long": 1}], "purchases-2.gz")
    rows_per_reason(binary, bomb(b"\n"), [{}], "purchases-2.gz")


def gzip_bomb_in_csv(binary):
    for byte in (b"\0", b"\n", b'"', b","):
        with Bench(binary, CSV_JOB) as bench:
            bench.write(LOG, bomb(byte, 300))
            ran = bench.run(seconds=600)
            clean(ran)
            assert ran.megabytes < 700, f"{byte!r}: {ran.megabytes:.0f} MB"
            assert ran.code in (0, 65, 78), f"{byte!r}: exit {ran.code}"


def unclosed_quote(binary):
    """It swallows the rest of a file; that is a bad row, not gigabytes of memory."""
    header = b"userId,eventType,occurredAt,productId,price,currency\n"
    with Bench(binary, CSV_JOB) as bench:
        bench.write(LOG, header + b'"u1,purchase,2026-03-12,p,1,USD\n' * 1_500_001)
        ran = bench.run(seconds=600)
        clean(ran)
        assert ran.megabytes < 700, f"{ran.megabytes:.0f} MB"
        assert ran.code in (0, 65), ran.code


def deep_json(binary):
    deep = b'{"a":' + b"[" * 400_000 + b"]" * 400_000 + b"}"
    rows_per_reason(binary, deep, [{"malformed": 1}, {"missing_field": 1}])
    rows_per_reason(binary, b"[" * 900_000, [{"malformed": 1}])
    rows_per_reason(binary, b'{"a":' * 150_000, [{"malformed": 1}])


def many_keys(binary):
    keys = ",".join(f'"k{i}":{i}' for i in range(60_000))
    line = "{" + keys + "," + purchase(5, eventId="x", transactionId="x")[1:]
    rows_per_reason(binary, line.encode(), [{}])


def million_columns(binary):
    with Bench(binary, ANY) as bench:
        wide = ",".join(f"c{i}" for i in range(1_000_000))
        bench.write("assignments.csv", f"user_id,offering,group,assigned_at,{wide}\nu1,spring,control,2026-03-09\n")
        ran = bench.run(seconds=600)
        clean(ran)
        assert ran.megabytes < 700, f"{ran.megabytes:.0f} MB"
        assert ran.code in (0, 65, 78), ran.code


def nul_bytes(binary):
    line = purchase(7).replace("t7", "t\\u0000x")
    rows_per_reason(binary, line.encode(), [{}])
    rows_per_reason(binary, b"\0" * 5000 + b"\n", [{"malformed": 1}])
    rows_per_reason(binary, purchase(7).encode()[:-1] + b"\0}\n", [{"malformed": 1}])


def lone_surrogates(binary):
    for escape in ("\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x"):
        line = purchase(7).replace("t7", f"t{escape}")
        rows_per_reason(binary, line.encode(), [{"malformed": 1}, {"invalid_utf8": 1}, {}])
    rows_per_reason(binary, purchase(7).encode().replace(b"t7", b"t\xed\xa0\x80"), [{"invalid_utf8": 1}])


def numbers_no_parser_likes(binary):
    for number in ("1e999", "-0", "123456789012345678901234567890", "0.1e-400", "-1.5E+10"):
        line = purchase(7, eventId="n")[:-1] + f', "x": {number}}}'
        rows_per_reason(binary, line.encode(), [{"duplicate": 1}])
    for number in ("1e2", "-5", "123e0", "1E+2"):
        line = purchase(7).replace('"7.99"', number)
        rows_per_reason(binary, line.encode(), [{"bad_price": 1}])


def huge_prices(binary):
    """Sums beyond 128 bits are an error, never a wrap and never a trap."""
    for price, codes in (("9000000000000", (65, 70)), ("99999999999999999999999999999999999999999", (0, 65, 70)),
                         ("1" * 5000, (0, 65, 70))):
        with Bench(binary, ANY) as bench:
            bench.write(LOG, bench.text([purchase(i, price=price) for i in range(200)]))
            ran = bench.run()
            clean(ran)
            assert ran.code in codes, f"price {price[:50]}: exit {ran.code}"


def random_bytes(binary):
    rng = random.Random(11)
    for number in range(12):
        job = CSV_JOB if number % 2 else ANY
        content = rng.randbytes(50_000) if number % 3 else bytes(rng.choice(b'{}[]",:\\\n019.eE-+ntfu') for _ in range(50_000))
        with Bench(binary, job) as bench:
            bench.write(LOG, content.replace(b"\x1f\x8b", b"ab"))
            ran = bench.run()
            clean(ran)
            assert ran.code in (0, 65, 78), f"file {number}: exit {ran.code}: {ran.err[-300:]}"


def wrong_sqlite(binary):
    job = JOB.replace("path: assignments.csv\n    format: csv", "path: base.db\n    format: sqlite\n    table: sticky")
    for content in (b"this is no database at all" * 100, b"SQLite format 3\0" + bytes(200)):
        with Bench(binary, job) as bench:
            bench.write("base.db", content)
            refused(bench.run(), (65, 66, 78), "base.db")
    import sqlite3

    with Bench(binary, job) as bench:
        base = sqlite3.connect(bench.path("base.db"))
        base.execute("CREATE TABLE other (a)")
        base.commit()
        base.close()
        refused(bench.run(), (65, 66, 78), "base.db", "sticky")


CASES = [
    cut_off_gzip, second_member_cut_off, flipped_bits, flipped_bits_in_assignments, garbage_after_gzip,
    corrupt_file_skipped, malformed_below_ratio, malformed_above_ratio, unknown_currency, empty_files,
    forty_megabyte_line, forty_megabyte_csv_field, gzip_bombs, gzip_bomb_in_csv, unclosed_quote, deep_json,
    many_keys, million_columns, nul_bytes, lone_surrogates, numbers_no_parser_likes, huge_prices,
    random_bytes, wrong_sqlite,
]
