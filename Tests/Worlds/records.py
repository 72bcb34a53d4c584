"""Events and assignments as text in every dialect, clean or odd but valid."""

import datetime
import json
import re
from zoneinfo import ZoneInfo

from facts import EVENT_FIELDS
from values import EPOCH


def stamp(rng, millis, zone="UTC", unit=None):
    """An instant in one of the accepted spellings that read back to the same millisecond."""
    if unit == "seconds":
        return str(millis // 1000)
    if unit == "milliseconds":
        return str(millis) + rng.choice(["", "", "", ".0", ".999"])
    utc = EPOCH + datetime.timedelta(milliseconds=millis)
    digits = f"{millis % 1000:03d}" + "".join(rng.choice("0123456789") for _ in range(6))
    places = rng.choice([3, 3, 6, 9]) if millis % 1000 else rng.choice([0, 0, 0, 1, 2, 3])
    fraction = "." + digits[:places] if places else ""
    style, wall = rng.random(), utc.astimezone(ZoneInfo(zone))
    comes_twice = wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()
    if style < 0.55 or style >= 0.75 and comes_twice:
        return utc.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"
    if style < 0.75:
        minutes = rng.choice([0, 60, -300, 330, 345, -210, 840, -720])
        there = utc + datetime.timedelta(minutes=minutes)
        sign, rest = "-" if minutes < 0 else "+", abs(minutes)
        return there.strftime("%Y-%m-%dT%H:%M:%S") + fraction + f"{sign}{rest // 60:02d}:{rest % 60:02d}"
    if wall.strftime("%H%M%S") == "000000" and millis % 1000 == 0 and rng.random() < 0.5:
        return wall.strftime("%Y-%m-%d")
    return wall.strftime("%Y-%m-%d %H:%M:%S") + fraction


def json_text(rng, text):
    """A JSON string, sometimes with escapes nobody needs."""
    quoted = json.dumps(text, ensure_ascii=rng.random() < 0.3)
    if rng.random() < 0.02 and text and text[0].isascii() and text[0].isalnum():
        quoted = f'"\\u{ord(text[0]):04x}' + quoted[2:]
    return quoted


EXTRAS = [
    '"appVersion": "3.2.1"', '"nested": {"price": "9.99", "deep": [1, {"a": null}]}', '"n": 1e5',
    '"big": 123456789012345678901234567890', '"tiny": -0.1e-300', '"s": "a\\"b\\\\c\\/\\n"',
    '"emoji": "\\ud83d\\ude00"', '"flag": true', '"": ""', '"list": []', '"userid": "other"',
]


def event_json(rng, event):
    """One line of `events`; absent keys are left out or null."""
    parts = []
    for name in EVENT_FIELDS:
        value = event.get(name)
        if value is None:
            if name in event and rng.random() < 0.5:
                parts.append((name, "null"))
            continue
        plain = re.match(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][0-9]+)?\Z", value)
        if name == "price" and plain and event.get("#bare"):
            parts.append((name, value))
        elif name == "occurredAt" and event.get("#bare_time"):
            parts.append((name, value))
        else:
            parts.append((name, json_text(rng, value)))
    if rng.random() < 0.3:
        rng.shuffle(parts)
    if parts and rng.random() < 0.03:
        name = rng.choice(parts)[0]
        parts.insert(0, (name, rng.choice(['"x"', "null", "12", '{"a": 1}'])))
    texts = [f"{json_text(rng, name)}: {value}" for name, value in parts]
    if rng.random() < 0.15:
        texts.insert(rng.randrange(len(texts) + 1), rng.choice(EXTRAS))
    space = rng.choice(["", "", "", " ", "\t"])
    return (space + "{" + rng.choice([",", ", "]).join(texts) + "}" + space).encode()


def csv_field(rng, value, delimiter):
    value = "" if value is None else value
    if any(mark in value for mark in (delimiter, '"', "\n", "\r")) or value and rng.random() < 0.1:
        return '"' + value.replace('"', '""') + '"'
    return value


def csv_record(rng, values, delimiter):
    return delimiter.join(csv_field(rng, value, delimiter) for value in values).encode()


def more_fields(told, delimiter):
    """The fields that stand behind all others of a row, whatever dice the others were made with."""
    return "".join(delimiter + '"' + (value or "").replace('"', '""') + '"' for value in told.values()).encode()


DIALECTS = [
    {}, {}, {"terminated_by": ","}, {"terminated_by": ";"}, {"enclosed_by": '"'},
    {"terminated_by": ",", "enclosed_by": '"'}, {"terminated_by": ",", "enclosed_by": '"', "optionally": True},
]


def mysql_field(rng, value, dialect):
    """As the server writes it: the escape before itself, the separator, the quote and line breaks."""
    if value is None:
        return "\\N"
    between, quote = dialect.get("terminated_by", "\t"), dialect.get("enclosed_by", "")
    number = value.isdecimal() and value.isascii()
    enclosed = quote and not (dialect.get("optionally") and number)
    value = value.replace("\\", "\\\\").replace("\n", "\\\n").replace("\0", "\\0")
    if quote:
        value = value.replace(quote, "\\" + quote)
    if between == "\t":
        value = value.replace("\t", rng.choice(["\\t", "\\\t"]))
    elif not enclosed:
        value = value.replace(between, "\\" + between)
    return quote + value + quote if enclosed else value


def mysql_record(rng, values, dialect):
    between = dialect.get("terminated_by", "\t")
    return between.join(mysql_field(rng, value, dialect) for value in values).encode()


NOTES = ["", "", "", "plain", 'says "hi"', "a,b;c\td", "two\nlines", "crlf\r\ninside", "é", "'"]
