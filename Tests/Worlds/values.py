"""Times, prices and rates read exactly from text.

The slow, obvious counterpart of the product's field parsers: every value is an
int or a Fraction, nothing passes through binary floating point.
"""

import datetime
import re
from fractions import Fraction
from zoneinfo import ZoneInfo

MICROS = 1_000_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Fault(Exception):
    """A row that cannot be used, with the reason the spec names."""

    def __init__(self, reason, detail=""):
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


def round_half_even(number):
    """Round a Fraction to the nearest int, ties to even; exact (Python's own rule).

    >>> round_half_even(Fraction(5, 2)), round_half_even(Fraction(7, 2))
    (2, 4)
    """
    return round(Fraction(number))


PRICE = re.compile(r"[0-9]+(\.[0-9]+)?\Z", re.ASCII)


def price_micros(text):
    """Millionths in a plain decimal text, finer digits rounded half to even; `bad_price` for all else."""
    return round_half_even(price_number(text) * MICROS)


def price_number(text):
    if not PRICE.match(text):
        raise Fault("bad_price", text)
    return Fraction(text)


# Numbers of ISO 4217, and signs that no other currency has, as far as worlds have them.
TOLD_CURRENCIES = {"\u20ac": "EUR", "\u00a3": "GBP", "US$": "USD", "978": "EUR", "840": "USD", "392": "JPY"}


def currency_code(text):
    text = TOLD_CURRENCIES.get(text, text)
    if not re.match(r"[A-Za-z]{3}\Z", text):
        raise Fault("bad_currency", text)
    return text.upper()


STAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?\Z",
    re.ASCII,
)
UNITS = {"seconds": Fraction(1000), "milliseconds": Fraction(1), "microseconds": Fraction(1, 1000), "nanoseconds": Fraction(1, 10**6)}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)


def folded(text):
    """An id as it is compared: a UUID in lower case, any other as it stands."""
    return text.lower() if text and UUID.match(text) else text


def local_millis(wall, zone):
    """The instant of a wall-clock time; a clock change's gap or overlap is ambiguous.

    A wall time is good only if exactly one offset of the zone leads to it.
    """
    offsets = set()
    for shift in (-1, 0, 1):
        near = (wall + datetime.timedelta(days=shift)).replace(tzinfo=zone)
        for fold in (0, 1):
            offsets.add(near.replace(fold=fold).utcoffset())
    instants = []
    for offset in offsets:
        utc = wall - offset
        back = utc.replace(tzinfo=datetime.timezone.utc).astimezone(zone)
        if back.replace(tzinfo=None, fold=0) == wall:
            instants.append(utc)
    if len(instants) != 1:
        raise Fault("ambiguous_time", str(wall))
    return utc_millis(instants[0])


def utc_millis(naive):
    delta = naive.replace(tzinfo=datetime.timezone.utc) - EPOCH
    return delta.days * 86_400_000 + delta.seconds * 1000 + delta.microseconds // 1000


def time_millis(text, timezone="UTC", unit=None, is_log=False):
    """Milliseconds since 1970 of a time's text, finer digits cut off. A day without a time is its first, in a log its last."""
    if unit:
        if not re.match(r"[0-9]+(\.[0-9]+)?\Z", text, re.ASCII):
            raise Fault("bad_time", text)
        return int(Fraction(text) * UNITS[unit])
    match = STAMP.match(text)
    if not match:
        raise Fault("bad_time", text)
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    millis = int((fraction or "").ljust(3, "0")[:3])
    if hour is None and is_log:
        hour, minute, second, millis = 23, 59, 59, 999
    if second == "60":  # a leap second is the last millisecond before the next minute
        second, millis = 59, 999
    try:
        wall = datetime.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0)
        )
    except ValueError as error:
        raise Fault("bad_time", str(error)) from None
    if offset is None:
        return local_millis(wall, ZoneInfo(timezone)) + millis
    if offset in ("Z", "UTC", "GMT"):
        return utc_millis(wall) + millis
    sign = -1 if offset[0] == "-" else 1
    hours, minutes = int(offset[1:3]), int(offset[3:].removeprefix(":") or 0)
    if hours > 23 or minutes > 59:
        raise Fault("bad_time", text)
    return utc_millis(wall) - sign * (hours * 60 + minutes) * 60_000 + millis


DAY = 86_400_000


def span_millis(text):
    """`7d`, `36h` in milliseconds; None for `none`."""
    if text == "none":
        return None
    number, unit = int(text[:-1]), text[-1]
    return number * {"d": DAY, "h": 3_600_000, "m": 60_000, "s": 1000}[unit]


def day_number(millis):
    """The UTC day an instant lies in, counted from 1970."""
    return millis // DAY


def rfc3339(millis):
    moment = EPOCH + datetime.timedelta(milliseconds=millis)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{millis % 1000:03d}" if millis % 1000 else "") + "Z"
