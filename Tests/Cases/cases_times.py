"""How people's tables write times, and what a day without a time is."""

from answers import CheckTold, Either, Refusal
from case import case
from people import COLUMNS, RIGHT, event_job, events, nth, orders, right, sums, table_job, turns, users

BIGQUERY = "https://cloud.google.com/bigquery/docs/exporting-data (TIMESTAMP as `2026-03-05 10:00:00 UTC`, fraction only where there is one)"
POSTGRES = "https://www.postgresql.org/docs/current/datatype-datetime.html (output `+00`, `+05:30`)"
ISO = "ISO 8601 without a colon in the offset: Adapty's and Java's `2020-07-10T15:00:00.000000+0000`"
FORMS = {
    "utc": (BIGQUERY, "2026-03-05 10:00:00 UTC"), "utc_fraction": (BIGQUERY, "2026-03-05 10:00:00.123456 UTC"),
    "utc_close": (BIGQUERY, "2026-03-05T10:00:00UTC"),
    "gmt": (BIGQUERY, "2026-03-05 10:00:00 GMT"), "plus_00": (POSTGRES, "2026-03-05 10:00:00+00"),
    "plus_00_fraction": (POSTGRES, "2026-03-05 10:00:00.123456+00"),
    "blank_plus_00": (POSTGRES, "2026-03-05 10:00:00 +00"), "minus_08": (POSTGRES, "2026-03-05 02:00:00-08"),
    "plus_0530_colon": (POSTGRES, "2026-03-05 15:30:00+05:30"),
    "plus_0000": (ISO, "2026-03-05T10:00:00+0000"), "plus_0530": (ISO, "2026-03-05T15:30:00.25+0530"),
    "blank_plus_0000": (ISO, "2026-03-05T10:00:00 +0000"),
    "minus_0330": (ISO, "2026-03-05T06:30:00-0330"), "blank_colon": (ISO, "2026-03-05 10:00:00 +00:00"), "z": (ISO, "2026-03-05 10:00:00Z"),
    "blank_z": (ISO, "2026-03-05 10:00:00.000 Z"), "nine_digits": (ISO, "2026-03-05T10:00:00.123456789Z"),
    "one_digit": (ISO, "2026-03-05T10:00:00.1Z"),
    "nine_digits_offset": (ISO, "2026-03-05T15:30:00.123456789+0530"), "no_offset": (ISO, "2026-03-05 10:00:00"),
    "no_offset_t": (ISO, "2026-03-05T10:00:00.5"),
    "lower": (ISO, "2026-03-05t10:00:00z")}
# A user is assigned a moment before, and another a moment after: whoever reads an offset wrongly loses one or wins the other.
JUST_BEFORE, JUST_AFTER = "2026-03-05T09:59:59.000Z", "2026-03-05T10:00:01.000Z"
HALF = sums(17, 17, failing=["before_assignment"])


@case("mapping", "; ".join([BIGQUERY, POSTGRES, ISO]), each={name: form for name, (_, form) in FORMS.items()})
def one_form_of_time(folder, form):
    """All orders are of 10:00 UTC in one form; every second payer was assigned a second too late for theirs."""
    folder.csv("users.csv", users(at=lambda i: JUST_AFTER if nth(i) % 4 > 1 else JUST_BEFORE))
    folder.csv("orders.csv", orders(paid_at=form))
    table_job(folder)
    return HALF


@case("mapping", "as above; the assignments' table", each={name: FORMS[name][1] for name in ("utc_fraction", "plus_00", "plus_0530",
    "nine_digits", "gmt")})
def one_form_of_time_in_assignments(folder, form):
    """All were assigned at 10:00 UTC in one form, and half of the orders are a second earlier."""
    folder.csv("users.csv", users(at=form))
    folder.csv("orders.csv", orders(paid_at=lambda i: JUST_BEFORE if nth(i) % 4 > 1 else JUST_AFTER))
    table_job(folder)
    return HALF


@case("mapping", "as above; our own log", each={name: FORMS[name][1] for name in ("utc", "plus_00", "plus_0530", "blank_z", "nine_digits")})
def one_form_of_time_in_events(folder, form):
    """The same in JSON Lines."""
    folder.csv("users.csv", users(at=lambda i: JUST_AFTER if nth(i) % 4 > 1 else JUST_BEFORE))
    folder.jsonl("orders.jsonl", events(occurredAt=form))
    event_job(folder)
    return HALF


@case("mapping", BIGQUERY, each={"told": "%Y-%m-%d %H:%M:%S.%f %Z", "by_itself": None})
def times_with_and_without_fraction(folder, form):
    """One export has times with and without a fraction, as BigQuery writes them: both are read, by a told form too."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=turns("2026-03-05 10:00:00 UTC", "2026-03-05 10:00:00.123456 UTC")))
    table_job(folder, {"time_format": form} if form else None)
    return RIGHT


@case("mapping", POSTGRES, each={"told": "%Y-%m-%d %H:%M:%S %z", "by_itself": None})
def times_of_postgres(folder, form):
    """`+00`, a fraction before it, `+05:30`: PostgreSQL writes all three into one column."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=turns("2026-03-05 10:00:00+00", "2026-03-05 10:00:00.123456+00", "2026-03-05 15:30:00+05:30")))
    table_job(folder, {"time_format": form} if form else None)
    return RIGHT


@case("mapping", ISO)
def offsets_in_every_form(folder):
    """Offsets with and without colon and blank, `Z`, `+0`, in one column."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=turns(
        "2026-03-05T10:00:00+0000", "2026-03-05T15:30:00.25+0530", "2026-03-05T10:00:00 +0000", "2026-03-05 10:00:00 +00:00",
        "2026-03-05 10:00:00Z",
        "2026-03-05 10:00:00.000 Z", "2026-03-05 10:00:00 +0")))
    table_job(folder)
    return Either(RIGHT, Refusal("+0"))


@case("mapping", "strptime's letters on fractions: https://docs.python.org/3/library/datetime.html#strftime-and-strptime-behavior", each={
    "seconds": "%d.%m.%Y %H:%M:%S", "fraction": "%d.%m.%Y %H:%M:%S.%f"})
def told_forms_take_a_fraction_where_there_is_one(folder, form):
    """A told form meets times with a fraction and without."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=turns("05.03.2026 10:00:00", "05.03.2026 10:00:00.25")))
    table_job(folder, {"time_format": form})
    return RIGHT


@case("mapping", "https://www.ietf.org/timezones/data/leap-seconds.list; RFC 3339, 5.7",
    each={"utc": "2016-12-31T23:59:60Z", "fraction": "2016-12-31T23:59:60.5Z", "offset": "2017-01-01T01:59:60+02:00"})
def a_leap_second(folder, form):
    """A charge of 23:59:60 is of the last millisecond before midnight: it counts for who was assigned that moment, not for who was at
    midnight."""
    folder.csv("users.csv", users(at=lambda i: "2016-12-31T23:59:59.999Z" if nth(i) % 4 < 2 else "2017-01-01T00:00:00Z"))
    folder.csv("orders.csv", orders(paid_at=form))
    table_job(folder)
    return HALF


@case("mapping", "as above")
def leap_seconds_among_others(folder):
    """Every second order is of a leap second."""
    folder.csv("users.csv", users(at="2016-01-01T00:00:00Z"))
    folder.csv("orders.csv", orders(paid_at=turns("2016-12-31T23:59:60Z", "2026-03-05T10:00:00Z")))
    table_job(folder)
    return RIGHT


EPOCH = "1772704800"  # 2026-03-05T10:00:00Z


@case("mapping", "epoch numbers of GA4 (microseconds), JavaScript (milliseconds), Go (nanoseconds)", each={
    "seconds": (EPOCH, "seconds"), "fraction": (EPOCH + ".123456", "seconds"), "milliseconds": (EPOCH + "123", "milliseconds"),
    "milliseconds_fraction": (EPOCH + "123.75", "milliseconds"), "microseconds": (EPOCH + "123456", "microseconds"),
    "nanoseconds": (EPOCH + "123456789", "nanoseconds")})
def numbers_of_a_told_unit(folder, told):
    """Times are numbers since 1970 in the unit that the job says."""
    number, unit = told
    folder.csv("users.csv", users(at=lambda i: JUST_AFTER if nth(i) % 4 > 1 else JUST_BEFORE))
    folder.csv("orders.csv", orders(paid_at=number))
    table_job(folder, {"time_unit": unit})
    return HALF


@case("mapping", "as above", each={"milliseconds": (EPOCH + "123", "milliseconds"), "microseconds": (EPOCH + "123456", "microseconds"),
    "nanoseconds": (EPOCH + "123456789", "nanoseconds")})
def numbers_of_an_untold_unit(folder, told):
    """The job does not say the unit: the numbers' size does, or the line to type is said; they are not of the year 58,000."""
    number, unit = told
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=number))
    table_job(folder)
    return Either(RIGHT, Refusal("orders.csv", "time_unit", unit))


@case("mapping", "as above; JSON numbers", each={"integer": int(EPOCH), "float": 1772704800.25, "text": EPOCH})
def numbers_in_json(folder, number):
    """Epoch seconds as a JSON number, with a fraction, and as a text."""
    folder.csv("users.csv", users())
    folder.jsonl("orders.jsonl", events(occurredAt=number))
    event_job(folder)
    return RIGHT


# Days without a time

DAYS = "orders exported by day (Shopify's, Stripe's and Apple's daily reports): https://developer.apple.com/help/app-store-connect (Sales and Trends)"


@case("mapping", DAYS, each={"csv": None, "told_form": "%d.%m.%Y", "digits": "%Y%m%d"})
def orders_of_a_day(folder, form):
    """Orders tell a day, assignments a second; half of the orders are of the very day: they count, and the check says how many."""
    days = ("2026-03-01", "2026-03-05") if form is None else ("01.03.2026", "05.03.2026") if "." in form else ("20260301", "20260305")
    folder.csv("users.csv", users(at="2026-03-01T10:15:00Z"))
    folder.csv("orders.csv", orders(paid_at=turns(*days)))
    table_job(folder, {"time_format": form} if form else None)
    return right(checks={"day_only": (("pass", "warn", "fail"), "34")})


@case("mapping", DAYS)
def events_of_a_day(folder):
    """The same in JSON Lines: all events are of the very day."""
    folder.csv("users.csv", users(at="2026-03-05T23:59:59Z"))
    folder.jsonl("orders.jsonl", events(occurredAt="2026-03-05"))
    event_job(folder)
    return right(checks={"day_only": (("pass", "warn", "fail"), "67")})


@case("mapping", DAYS)
def assignments_of_a_day(folder):
    """Assignments tell a day, orders the second: the day's first moment is the assignment's."""
    folder.csv("users.csv", users(at="2026-03-05"))
    folder.csv("orders.csv", orders(paid_at=turns("2026-03-05T00:00:00Z", "2026-03-05T23:00:00Z")))
    table_job(folder)
    return RIGHT


@case("mapping", DAYS)
def assignments_and_orders_of_a_day(folder):
    """Both tell days, and all bought on the day they were assigned."""
    folder.csv("users.csv", users(at="2026-03-05"))
    folder.csv("orders.csv", orders(paid_at="2026-03-05"))
    table_job(folder)
    return RIGHT


@case("mapping", DAYS)
def orders_of_a_day_in_a_zone(folder):
    """The shop's day is New York's: who was assigned at 22:00 there, at 3:00 UTC of the next day, bought on their day."""
    folder.csv("users.csv", users(at="2026-03-06T03:00:00Z"))
    folder.csv("orders.csv", orders(paid_at="2026-03-05"))
    table_job(folder, {"timezone": "America/New_York"})
    return RIGHT


@case("mapping", DAYS)
def assignments_of_a_day_in_a_zone(folder):
    """The day of the assignment begins at Tokyo's midnight, 15:00 UTC of the day before."""
    folder.csv("users.csv", users(at="2026-03-05"))
    folder.csv("orders.csv", orders(paid_at=turns("2026-03-04T15:00:00Z", "2026-03-04T14:59:59.999Z")))
    table_job(folder, assignments={"timezone": "Asia/Tokyo"})
    return sums(34, 0, failing=["before_assignment"])


@case("mapping", DAYS)
def orders_of_the_last_day(folder):
    """The cut-off is the end of the day that the orders tell: they are before it."""
    folder.as_of = "2026-03-06T00:00:00Z"
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at="2026-03-05"))
    table_job(folder)
    return RIGHT


@case("mapping", DAYS)
def orders_of_a_day_and_of_a_second(folder):
    """Some rows tell a day, some a second: only those without a time are the day's last moment."""
    folder.csv("users.csv", users(at="2026-03-05T12:00:00Z"))
    folder.csv("orders.csv", orders(paid_at=turns("2026-03-05", "2026-03-05T11:00:00Z")))
    table_job(folder)
    return sums(34, 0, failing=["before_assignment"])


@case("mapping", DAYS)
def a_refund_of_a_charges_day(folder):
    """Charge and refund tell one day: the refund is of the charge, whichever comes first in the file."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at="2026-03-05", kind="purchase") + [
        row | {"kind": "refund"} for row in orders(paid_at="2026-03-05") if int(row["user"][1:]) < 30])
    table_job(folder, {"columns": COLUMNS | {"eventType": "kind"}, "defaults": {"currency": "USD"}})
    return sums(34, 33, net={"control": "289.71", "b": "279.72"})


# Charges before the assignment

ZONES = "logs in local time read as UTC: https://stackoverflow.com/questions/tagged/timezone+bigquery"


@case("identity", ZONES, each={"hours": "2026-03-05T02:00:00", "day": "2026-03-04"})
def everybody_bought_before_the_assignment(folder, paid):
    """All events of all buyers fall before their assignment, by a clock's eight hours or by a day: the check says so and fails."""
    folder.csv("users.csv", users(at="2026-03-05T09:00:00Z"))
    folder.csv("orders.csv", orders(paid_at=paid))
    table_job(folder)
    return CheckTold("before_assignment")


@case("identity", ZONES)
def one_buyer_in_eleven_bought_before(folder):
    """One buyer in eleven has nothing but earlier charges: the check says so."""
    folder.csv("users.csv", users(at="2026-03-05T09:00:00Z"))
    folder.csv("orders.csv", orders(paid_at=lambda i: "2026-03-05T02:00:00Z" if nth(i) % 11 == 0 else "2026-03-06T00:00:00Z"))
    table_job(folder)
    return CheckTold("before_assignment", status=("warn", "fail"))


@case("identity", ZONES)
def earlier_charges_of_who_bought_again(folder):
    """Old customers bought before the test and within it: nothing is lost, and nothing is said to fail."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders() + [row | {"order_id": "x" + row["order_id"]} for row in orders(paid_at="2026-02-05T00:00:00Z")])
    table_job(folder)
    return RIGHT


@case("mapping", "https://en.wikipedia.org/wiki/Daylight_saving_time_in_the_United_States (2026-03-08 2:30 does not exist)")
def a_time_that_a_clock_skipped(folder):
    """Ten orders are of 2:30 on the night the clocks went forward: rejected by name."""
    folder.csv("users.csv", users())
    more = [row | {"order_id": "x" + row["order_id"], "paid_at": "2026-03-08 02:30:00"} for row in orders()[:10]]
    folder.csv("orders.csv", orders() + more)
    table_job(folder, {"timezone": "America/New_York"}, max_reject_ratio=1.0)
    return right(aside={"ambiguous_time": 10})


@case("mapping", "spreadsheets: months first or days first", each={"slashes": "3/5/2026 8:10", "words": "5 Mar 2026 08:10"})
def times_in_no_accepted_form_are_refused(folder, form):
    """A form that reads two ways, or in words, is refused with `time_format:`."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders(paid_at=form))
    table_job(folder)
    return Refusal("orders.csv", "time_format")
