"""What is wrong with rows: copies that are not quite copies, and rows that are no rows."""

from values import DAY

HOUR = 3_600_000
CHARGES = ("purchase", "renewal", "one_time_purchase")


def copy_of(rng, world, event):
    """The same event again: as it was, or with another time, price, product, type."""
    copy = dict(event)
    charge = event["eventType"] in CHARGES
    keyed = event.get("transactionId") or event.get("eventId") if charge else event.get("eventId")
    if keyed and rng.random() < 0.6 and event["eventType"] != "paywall_view":
        copy["#at"] = event["#at"] + rng.choice([-HOUR, 1, HOUR, DAY])
    if charge and keyed and rng.random() < 0.5:
        copy["price"] = rng.choice(["1", "5.00", "19.99", event["price"]])
    if charge and keyed and rng.random() < 0.3:
        copy["productId"] = rng.choice(world.products)["id"]
    if charge and keyed and rng.random() < 0.3:
        copy["eventType"] = rng.choice(CHARGES)
    if charge and event.get("transactionId") and rng.random() < 0.5:
        copy["eventId"] = world.next_id("e")
    return copy


def with_copies(rng, world, events):
    rate = 0.08 * world.dirt
    copies = [copy_of(rng, world, e) for e in events for _ in range(2) if rng.random() < rate]
    return events + copies


BAD_PRICES = ["-1.00", "+1.00", "1e2", "1,000.00", "9,99", "", " ", "1.2345678", "abc", ".5", "0x10", "\u0661", "NaN", "7.99 "]
BAD_TIMES = ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "yesterday", "2026-03-02T25:00:00Z",
             "2026-3-2", "2026-03-02T10:61:00Z", "02/03/2026 10:00:00", "20260302T101530Z"]
GAPS = {
    "Europe/Berlin": ["2026-03-29 02:00:00", "2026-03-29 02:59:59.999", "2026-03-29 03:00:00",
                      "2026-10-25 02:00:00", "2026-10-25 02:59:59", "2026-10-25 03:00:00", "2026-10-25 01:59:59"],
    "Europe/London": ["2026-03-29 01:30:00", "2026-10-25 01:30:00.5", "2026-10-25 02:00:00"],
    "America/New_York": ["2026-03-08 02:30:00", "2026-03-08 03:00:00", "2026-11-01 01:30:00", "2026-11-01 02:00:00"],
    "Australia/Lord_Howe": ["2026-04-05 01:30:00", "2026-04-05 01:59:59", "2026-04-05 02:00:00",
                            "2026-10-04 02:00:00", "2026-10-04 02:29:59", "2026-10-04 02:30:00"],
}
BAD_CURRENCIES = ["US", "USDT", "U$D", "12", "\u20ac"]  # the last one only looks so


def spoil_event(rng, event):
    """One fault of the row's own, never two."""
    event = dict(event)
    choice = rng.randrange(8)
    if "#expires" in event and rng.random() < 0.2:
        event["#end"] = rng.choice(["soon", "2026-13-01"])
    elif choice == 0:
        event["userId"] = None
    elif choice == 1:
        event["eventType"] = rng.choice([None, "mystery_event", "Purchase", "purchase "])
    elif choice == 2:
        event["#time"] = rng.choice(BAD_TIMES + [None])
    elif choice == 3:
        event["#gap"] = True
    elif event["eventType"] in CHARGES and choice == 4:
        event["productId"] = None
    elif event["eventType"] in CHARGES and choice == 5:
        event["price"] = None
    elif event["eventType"] in CHARGES and choice == 6:
        event["currency"] = rng.choice(BAD_CURRENCIES + [None])
    elif event["eventType"] in CHARGES or event["eventType"] == "refund":
        event["price"] = rng.choice(BAD_PRICES)
    return event


def damaged_events(rng, world, events):
    events = [spoil_event(rng, e) if rng.random() < 0.04 * world.dirt else e for e in events]
    rng.shuffle(events)
    return events


def damaged_assignments(rng, world, rows):
    """Rows without a user, a group, a time, or with no such time."""
    out = []
    for row in rows:
        out.append(row)
        if rng.random() < 0.02 * world.dirt:
            bad = dict(row)
            key = rng.choice(["user", "offering", "group", "#time", "#time"])
            bad[key] = rng.choice(BAD_TIMES + [None]) if key == "#time" else None
            out.append(bad)
    return out


def broken_lines(rng, good):
    """Lines that are not one JSON object in UTF-8."""
    line = rng.choice(good) if good else b'{"userId": "u"}'
    text = line.strip()
    return rng.choice([
        text + b" x", text + text, text[: len(text) // 2], b"null", b"12", b'"text"',
        b"{", b"}", b"\x00", text[:-1] + b",}", text.replace(b'"', b"'"), b"\xff\xff" + text,
        text[:-1] + b', "x": "\xc3\x28"}', text[:-1] + b', "x": "\xed\xa0\x80"}', text[:-1] + b', "x": "a\tb"}',
        text[:-1] + b', "x": NaN}', text[:-1] + b', "x": 01}', text[:-1] + b', "x": .5}', text[:-1] + b', x: 1}',
        text[:-1] + b', "x": "\\q"}', text[:-1] + b', "x": tru}', text[:-1] + b', "x": "\x00"}', b"// comment", text + b",",
        text[:-1] + b', "x": "\xf4\x90\x80\x80"}', text[:-1] + b', "x": "\xc0\xaf"}', text[:-1] + b', "x": 1.}',
    ])
