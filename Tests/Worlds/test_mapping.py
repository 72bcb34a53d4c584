"""A stranger's log, by hand: what a job says of columns, types, money and times, and what is in a file.

    python3 test_mapping.py
"""

import gzip
import json
import unittest

from rows_in import csv_rows, json_rows, mysql_rows
from test_model import REVENUE, charge, ran
from values import Fault, time_millis

METRICS = [{"name": name, "window": "none", "id": name} for name in ("revenue_net", "revenue_gross", "charges")]


def told(text, assigned=(("u", "o", "control", "2026-03-01"),), **entry):
    """`(net, gross, charges)` and the reasons of one log."""
    outcome = ran([], METRICS, assigned, logs={"log": (entry, text)})
    sums = tuple(outcome.statistics["o", "control", "all", metric["id"]]["sum_y"] for metric in METRICS)
    account = next(account for path, account in outcome.accounts.items() if path.endswith("log"))
    return sums, dict(account.aside)


def lines(*rows):
    return "\n".join(map(json.dumps, rows))


def sold(price, **more):
    return charge("2026-03-02T10:00:00Z", price, **more)


class Names(unittest.TestCase):
    def test_dotted_names_reach_into_members_and_a_name_with_dots_comes_first(self):
        row = {key: value for key, value in sold("1").items() if key != "price"}
        columns = {"price": "data.price"}
        for rest, net in [({"data": {"price": "2"}}, 2), ({"data": {"price": "2"}, "data.price": "3"}, 3), ({"data": '{"price": 4}'}, 4)]:
            self.assertEqual(told(lines(row | rest), format="events", columns=columns)[0][0], net * 1_000_000)
        self.assertEqual(told(lines(row | {"data": "{"}), format="events", columns=columns)[1], {"missing_price": 1})

    def test_a_tables_column_may_hold_the_row_as_text(self):
        text = json.dumps(sold("7.5")).replace('"', '""')
        fields = {name: f"_airbyte_data.{name}" for name in ("userId", "eventType", "occurredAt", "productId", "price", "currency")}
        self.assertEqual(told(f'id,_airbyte_data\nr,"{text}"\n', format="events-csv", columns=fields)[0][0], 7_500_000)

    def test_types_are_renamed_and_others_stay(self):
        rows = [sold("1", eventType="paid", eventId="1"), sold("2", eventId="2"), sold("4", eventType="heartbeat"), sold("8", eventType="odd")]
        self.assertEqual(told(lines(*rows), format="events", types={"paid": "purchase", "heartbeat": "ignore"}),
                         ((3_000_000, 3_000_000, 2), {"not_measured": 1, "unknown_event_type": 1}))

    def test_another_column_may_tell_the_type(self):
        text = "id,status,price\n1,paid,8\n1,refunded,3\n2,failed,5\n3,purchase,7\n"
        entry = {"columns": {"transactionId": "id"}, "types_of": {"column": "status", "paid": "purchase", "refunded": "refund"},
                 "defaults": {"userId": "u", "occurredAt": "2026-03-02T00:00:00Z", "productId": "p", "currency": "USD"}}
        self.assertEqual(told(text, format="events-csv", **entry), ((5_000_000, 8_000_000, 1), {"unknown_event_type": 2}))

    def test_rows_are_left_out_by_what_stands_in_them(self):
        rows = [sold("1", gone=True), sold("2", gone=False, eventId="1"), sold("4", gone=None, eventId="2"), sold("8", eventId="3"), sold("x", gone=True)]
        self.assertEqual(told(lines(*rows), format="events", skip_where={"gone": True}), ((14_000_000, 14_000_000, 3), {"skipped": 2}))


class Money(unittest.TestCase):
    def test_minor_units_are_each_currencys_own(self):
        for currency, net in [("USD", 12_340_000), ("JPY", 1_234_000_000), ("KWD", 1_234_000)]:
            rates = {"exchange_rates": "r.csv", "r.csv": f"date,currency,rate\n2026-03-02,{currency},1\n"}
            outcome = ran([], METRICS, logs={"log": ({"format": "events", "price_unit": "minor"}, lines(sold("1234", currency=currency)))}, **rates)
            self.assertEqual(outcome.statistics["o", "control", "all", "revenue_net"]["sum_y"], net)

    def test_quantities_multiply_before_anything_is_rounded(self):
        rows = [sold("0.3333333", n="3", eventId="1"), sold("5", n="2", eventId="2")]
        self.assertEqual(told(lines(*rows), format="events", quantity="n")[0][0], 11_000_000)  # 0.9999999 + 10

    def test_less_than_nothing_is_a_refund(self):
        rows = [sold("8", transactionId="1"), sold("-3", transactionId="1", occurredAt="2026-03-04T00:00:00Z")]
        self.assertEqual(told(lines(*rows), format="events", negative="refund")[0], (5_000_000, 8_000_000, 1))
        self.assertEqual(told(lines(*rows), format="events"), ((8_000_000, 8_000_000, 1), {"bad_price": 1}))

    def test_items_of_an_order_are_charges_of_their_own(self):
        rows = [sold("8", transactionId="1"), sold("3", transactionId="1", productId="q"), sold("3", transactionId="1", productId="q"),
                {"userId": "u", "eventType": "refund", "occurredAt": "2026-03-04T00:00:00Z", "transactionId": "1", "productId": "q"}]
        self.assertEqual(told(lines(*rows), format="events", items=True), ((8_000_000, 11_000_000, 2), {"duplicate": 1}))
        self.assertEqual(told(lines(*rows), format="events"), ((0, 3_000_000, 1), {"duplicate": 2}))  # the cheapest is kept


class Times(unittest.TestCase):
    def test_spellings_of_one_instant(self):
        for text in ("2026-03-05 10:00:00 UTC", "2026-03-05T10:00:00UTC", "2026-03-05 10:00:00 GMT", "2026-03-05 12:00:00+02", "2026-03-05 12:00:00 +02",
                     "2026-03-05T15:30:00+0530", "2026-03-05T15:30:00.000000000 +05:30", "2026-03-05 10:00:00Z", "2026-03-05 10:00:00 Z"):
            self.assertEqual(time_millis(text), 1772704800000, text)
        self.assertEqual(time_millis("2026-03-05T10:59:60.5Z"), time_millis("2026-03-05T11:00:00Z") - 1)
        self.assertEqual([time_millis("1772704800000999", unit="microseconds"), time_millis("1772704800000999999.9", unit="nanoseconds")], [1772704800000] * 2)
        for text in ("2026-03-05 10:00:00 CET", "2026-03-05T10:00:61Z", "2026-03-05T10:00:00+5", "2026-03-05T10:00:00  Z"):
            with self.assertRaises(Fault):
                time_millis(text)

    def test_a_day_is_its_first_moment_and_in_a_log_its_last(self):
        self.assertEqual(time_millis("2026-03-29", "Europe/Berlin", is_log=True), time_millis("2026-03-29T21:59:59.999Z"))
        bought = lambda day: json.dumps(charge("x") | {"occurredAt": day})
        assigned = [("u", "o", "control", "2026-03-01T09:00:00Z")]
        outcome = ran([bought("2026-03-01"), bought("2026-02-28"), bought("2026-03-08"), bought("2026-03-31")], [REVENUE], assigned)
        self.assertEqual(outcome.statistics["o", "control", "all", "revenue_net_7d"]["sum_y"], 10_000_000)
        self.assertEqual(sum(account.aside["after_cutoff"] for account in outcome.accounts.values()), 0)


class Nothing(unittest.TestCase):
    def test_null_is_nobody(self):
        for name in ("NULL", "null"):
            self.assertEqual(told(lines(sold("1", userId=name), sold("2", transactionId=name), sold("2", transactionId=name)), format="events",
                                  assigned=[("u", "o", "control", "2026-03-01"), (name, "o", "b", "2026-03-01")]),
                             ((4_000_000, 4_000_000, 2), {"missing_field": 1}))

    def test_in_a_table_only_what_is_not_quoted(self):
        rows = list(csv_rows(b'a,b,c\n\\N,"\\N",\n'))
        self.assertEqual(rows, [(2, {"a": None, "b": "\\N", "c": None})])


class Files(unittest.TestCase):
    MARK = b"\xef\xbb\xbf"

    def test_joined_shards_have_marks_and_headers_inside(self):
        rows = list(csv_rows(b"a,b\n1,2\n" + self.MARK + b"a,b\r\n3,4\na,b\n" + self.MARK + b"5,6"))
        self.assertEqual([row for _, row in rows], [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}, {"a": "5", "b": "6"}])
        self.assertEqual([row for _, row in json_rows(b'{"a":1}\n' + self.MARK + b'{"a":2}')], [{"a": "1"}, {"a": "2"}])
        self.assertEqual([row for _, row in mysql_rows(b"1\n" + self.MARK + b"2\n", ["a"])], [{"a": "1"}, {"a": "2"}])

    def test_a_line_may_hold_several_objects(self):
        self.assertEqual([row for _, row in json_rows(b'{"a":1}{"a":2} \t{"a":3}\n{"a":4}\n')], [{"a": str(n)} for n in (1, 2, 3, 4)])
        for line in (b'{"a":1}x', b'{"a":1},{"a":2}', b'{"a":1}[]'):
            self.assertEqual([row.reason for _, row in json_rows(line)], ["malformed"])
        first, fault = (row for _, row in json_rows(b'{"a":1}{"b":x'))
        self.assertEqual((first, fault.reason), ({"a": "1"}, "malformed"))
        self.assertEqual([row.reason for _, row in json_rows(b'{"a":1,"b":x}')], ["malformed"])

    def test_the_same_bytes_count_once(self):
        text = lines(sold("1", eventId="1"), sold("2"))
        outcome = ran([], METRICS, logs={"log": ({"format": "events"}, text), "more": ({"format": "events"}, gzip.compress(text.encode()))})
        self.assertEqual(outcome.statistics["o", "control", "all", "charges"]["sum_y"], 2)
        self.assertEqual({path.split("/")[-1]: dict(account.aside) for path, account in outcome.accounts.items()}["more"], {"same_file": 2})


if __name__ == "__main__":
    unittest.main()
