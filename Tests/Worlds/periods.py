"""ISO 8601 periods (P3D, P1W, P6M, P1Y6M): adding them, and what part of a month they are."""

import calendar
import datetime
import re
from fractions import Fraction

from values import DAY, EPOCH, utc_millis

PERIOD = re.compile(r"P(?=[0-9])(?:([0-9]+)Y)?(?:([0-9]+)M)?(?:([0-9]+)W)?(?:([0-9]+)D)?\Z")
CATALOG_PERIODS = {"weekly": "P1W", "monthly": "P1M", "yearly": "P1Y"}


def parts_of(period):
    """Its calendar months and its days."""
    years, months, weeks, days = (int(number or 0) for number in PERIOD.match(period).groups())
    return years * 12 + months, weeks * 7 + days


def plus(millis, period):
    """An instant one period later; months and years are the calendar's, in UTC.

    The day is cut to the month's last: 31 January and P1M make 28 February.
    """
    months, days = parts_of(period)
    moment = EPOCH + datetime.timedelta(milliseconds=millis)
    months += moment.year * 12 + moment.month - 1
    year, month = months // 12, months % 12 + 1
    day = min(moment.day, calendar.monthrange(year, month)[1])
    return utc_millis(moment.replace(year=year, month=month, day=day, tzinfo=None)) + days * DAY


def months_factor(period):
    """What a charge for this period makes a month: of 30 days, of 4 weeks where it is whole weeks, a twelfth of a year."""
    months, days = parts_of(period)
    if months:
        return 1 / (months + Fraction(days, 30))
    return Fraction(28 if days % 7 == 0 else 30, days)
