"""Records laid across the places where readers cut a file into pieces.

Readers take files in blocks of some power of two; a bug at a block's edge shows only when a quote, a
CRLF, a letter of several bytes or an escape lies right on it. The same rows are written with every
shift of the edge through a tricky record; the answer may not move.
"""

import gzip

from bench import JOB, T, Bench, clean
from product import table

EDGES = [1 << power for power in range(14, 24)]
SHIFTS = range(0, 150, 1)
CSV_HEADER = b"userId,eventType,occurredAt,productId,price,currency,note"


def tricky_json(user):
    return ('{"userId":"u%d","eventType":"purchase","occurredAt":"2026-03-12","productId":"p",'
            '"price":"1.25","currency":"USD","x":"\u00e9\u20ac\U0001f600\\"\\\\\\u00e9"}' % user).encode()


def tricky_csv(user):
    return ('u%d,purchase,2026-03-12,"p",1.25,USD,"a""b\r\n\n""\u00e9\u20ac\U0001f600,"' % user).encode()


def filler(size, style):
    """One row of exactly `size` bytes, its line end included, that counts for nobody."""
    if style == "events":
        head, tail = b'{"userId":"nobody","eventType":"expire","occurredAt":"2026-03-12","x":"', b'"}\r\n'
    else:
        head, tail = b"nobody,expire,2026-03-12,,,,", b"\r\n"
    assert size >= len(head) + len(tail), size
    return head + b"y" * (size - len(head) - len(tail)) + tail


def file_with(style, shift):
    """Tricky rows that begin `shift` bytes before each edge; filler rows between them."""
    out = bytearray(b"" if style == "events" else CSV_HEADER + b"\r\n")
    for user, edge in enumerate(EDGES):
        gap = edge - shift - len(out)
        while gap > 600_000:
            out += filler(300_000, style)
            gap -= 300_000
        out += filler(gap, style) + (tricky_json(user) if style == "events" else tricky_csv(user)) + b"\r\n"
    return bytes(out)


def answer(bench):
    rows = table(bench.path("out/rubbish/latest"), "sufficient_statistics.csv")
    paid = sum(int(row["sum_y"]) for row in rows if row["metric"] == "revenue_net_7d")
    return paid, bench.reasons()


def edges_of(binary, style, packed):
    job = JOB.replace("format: events", f"format: {style}")
    with Bench(binary, job) as bench:
        for shift in SHIFTS:
            content = file_with(style, shift)
            bench.write("purchases-1.jsonl.gz", gzip.compress(content, 1) if packed else content)
            ran = bench.run(as_of=T)
            clean(ran)
            assert ran.code == 0, f"shift {shift}: {ran.err}"
            paid, reasons = answer(bench)
            others = content.count(b"nobody")
            assert paid == 1_250_000 * len(EDGES), f"shift {shift}: revenue {paid}"
            assert reasons == {"unassigned": others}, f"shift {shift}: {reasons}, {others} others"


def edges_of_plain_json(binary):
    edges_of(binary, "events", False)


def edges_of_packed_json(binary):
    edges_of(binary, "events", True)


def edges_of_plain_csv(binary):
    edges_of(binary, "events-csv", False)


def edges_of_packed_csv(binary):
    edges_of(binary, "events-csv", True)


CASES = [edges_of_plain_json, edges_of_packed_json, edges_of_plain_csv, edges_of_packed_csv]
