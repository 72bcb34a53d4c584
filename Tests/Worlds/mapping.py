"""How a job maps a stranger's rows: dotted names, renamed types, minor units, quantities, rows that are left out."""

import json

from rows_in import Number
from values import MICROS, Fault, price_number, round_half_even

MINOR_DIGITS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "ISK": 0, "KWD": 3, "BHD": 3, "TND": 3, "JOD": 3, "OMN": 3}


def looked_up(row, name):
    """`(is there, value)`: a name that has dots itself comes before members, which may lie in JSON text."""
    if name in row:
        return True, row[name]
    if "." not in name:
        return False, None
    first, _, rest = name.partition(".")
    inside = row.get(first)
    if isinstance(inside, str) and not isinstance(inside, Number):
        inside = parsed(inside)
    return looked_up(inside, rest) if isinstance(inside, dict) else (False, None)


def parsed(text):
    try:
        return json.loads(text, parse_float=Number, parse_int=Number)
    except ValueError:
        return None


def is_skipped(row, source):
    """Whether the job leaves this row out by what stands in a column."""
    return any(plain(looked_up(row, name)[1]) == plain(value) for name, value in source.get("skip_where", {}).items())


def plain(value):
    return {True: "true", False: "false"}.get(value) if isinstance(value, bool) else None if value is None else str(value)


def type_told(row, told, source, notices):
    """The event's type in our words: what is not renamed is as it was; of another column only what is named counts."""
    renamed = source.get("types", {})
    if "types_of" in source:
        renamed, told = source["types_of"], looked_up(row, source["types_of"]["column"])[1]
        if isinstance(told, str) and told not in renamed:
            raise Fault("unknown_event_type", told)
    name = renamed.get(told, told) if isinstance(told, str) else told
    if name == "ignore":
        notices.leave_out(told)
    return name


def price_told(price, currency, fields, source):
    """`(millionths, whether money goes back)` of a price in the job's units, times its quantity."""
    if not isinstance(price, str):
        raise Fault("bad_price", repr(price))
    text = str(price)
    is_back = source.get("negative") == "refund" and text.startswith("-")
    number = price_number(text[1:] if is_back else text)
    if source.get("price_unit") == "minor":
        number /= 10 ** MINOR_DIGITS.get((currency or "").upper(), 2)
    if "#quantity" in fields:
        number *= price_number(str(fields["#quantity"]))
    return round_half_even(number * MICROS), is_back
