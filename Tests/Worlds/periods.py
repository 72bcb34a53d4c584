"""ISO 8601 periods of one part (P3D, P1W, P6M, P1Y): adding them, and what part of a month they are."""

import calendar
import datetime
import re
from fractions import Fraction

from values import DAY, EPOCH, utc_millis

PERIOD = re.compile(r"P([0-9]+)([DWMY])\Z")
CATALOG_PERIODS = {"weekly": "P1W", "monthly": "P1M", "yearly": "P1Y"}


def parts_of(period):
    number, unit = PERIOD.match(period).groups()
    return int(number), unit


def plus(millis, period):
    """An instant one period later; months and years are the calendar's, in UTC.

    The day is cut to the month's last: 31 January and P1M make 28 February.
    """
    number, unit = parts_of(period)
    if unit in "DW":
        return millis + number * DAY * (7 if unit == "W" else 1)
    moment = EPOCH + datetime.timedelta(milliseconds=millis)
    months = moment.year * 12 + moment.month - 1 + number * (12 if unit == "Y" else 1)
    year, month = months // 12, months % 12 + 1
    day = min(moment.day, calendar.monthrange(year, month)[1])
    return utc_millis(moment.replace(year=year, month=month, day=day, tzinfo=None))


def months_factor(period):
    """What a charge for this period makes a month: 30 days, 4 weeks, a twelfth of a year."""
    number, unit = parts_of(period)
    return {"D": Fraction(30, number), "W": Fraction(4, number), "M": Fraction(1, number),
            "Y": Fraction(1, 12 * number)}[unit]
