"""Hand-computed cases for the model itself: a model nobody checked proves nothing.

    python3 test_model.py
"""

from fractions import Fraction
import gzip
import json
import os
import tempfile
import unittest

import model
from metrics import percentile_level
from rows_in import csv_rows, json_object, mysql_rows
from values import Fault, price_micros, round_half_even, time_millis

T = "2026-04-01T00:00:00Z"


def ran(events, metrics, assigned=(("u", "o", "control", "2026-03-01"),), as_of=T, logs=None, **job):
    """Run the model on a few rows; small tables are given by their text, further `logs` as `{name: (entry, text)}`."""
    with tempfile.TemporaryDirectory() as folder:
        def write(name, data):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())

        lines = [event if isinstance(event, str) else json.dumps(at_midnight(event)) for event in events]
        write("p.jsonl.gz", gzip.compress("\n".join(lines).encode()))
        write("a.csv", "user,offering,group,at\n" + "\n".join(",".join(row) for row in assigned))
        columns = {"user": "user", "offering": "offering", "group": "group", "assigned_at": "at"}
        purchases = [{"path": "p.jsonl.gz", "format": "events"}]
        for name, (entry, text) in (logs or {}).items():
            write(name, text)
            purchases.append({"path": name} | entry)
        for name in [name for name in job if name.endswith(".csv")]:
            write(name, job.pop(name))
        job = {
            "purchases": purchases, "metrics": metrics,
            "assignments": [{"path": "a.csv", "format": "csv", "columns": columns}],
        } | job
        return model.run(job, folder, as_of)


def at_midnight(event):
    """The days of these tests are their midnights; what a day without a time is has tests of its own."""
    days = {name: event[name] + "T00:00:00Z" for name in ("occurredAt", "expiresDate") if len(event.get(name) or "") == 10}
    return event | days


def measure(events, metrics, *rest, **job):
    """`(group, metric) → row` of segment all, and the purchases' account."""
    outcome = ran(events, metrics, *rest, **job)
    account = next(a for path, a in outcome.accounts.items() if "p.jsonl" in path)
    cells = {(k[1], k[3]): row for k, row in outcome.statistics.items() if k[2] == "all"}
    return cells, account


def charge(at, price="10", **more):
    return {"userId": "u", "eventType": "purchase", "occurredAt": at, "productId": "p",
            "price": price, "currency": "USD"} | more


REVENUE = {"name": "revenue_net", "window": "7d"}


class Values(unittest.TestCase):
    def test_prices_are_exact_and_picky(self):
        self.assertEqual(price_micros("0.000001"), 1)
        self.assertEqual(price_micros("007.50"), 7_500_000)
        self.assertEqual([price_micros(text) for text in ("1.2345678", "0.0000005", "0.0000015", "0.00000050000001")], [1_234_568, 0, 2, 1])
        for text in ("", " ", "-1", "+1", "1e2", "1,0", ".5", "\u0661"):
            with self.assertRaises(Fault):
                price_micros(text)

    def test_times_keep_milliseconds_and_cut_the_rest(self):
        self.assertEqual(time_millis("1970-01-01T00:00:00.1239Z"), 123)
        self.assertEqual(time_millis("1970-01-01T01:00:00+01:00"), 0)
        self.assertEqual(time_millis("1970-01-02"), 86_400_000)
        self.assertEqual(time_millis("12.9", unit="milliseconds"), 12)

    def test_a_clock_change_makes_local_times_ambiguous(self):
        for text in ("2026-03-29 02:00:00", "2026-03-29 02:59:59.999", "2026-10-25 02:30:00"):
            with self.assertRaises(Fault) as caught:
                time_millis(text, "Europe/Berlin")
            self.assertEqual(caught.exception.reason, "ambiguous_time")
        self.assertEqual(time_millis("2026-03-29 03:00:00", "Europe/Berlin"), time_millis("2026-03-29T01:00:00Z"))
        self.assertEqual(time_millis("2026-10-25 03:00:00", "Europe/Berlin"), time_millis("2026-10-25T02:00:00Z"))

    def test_halves_round_to_even(self):
        self.assertEqual([round_half_even(Fraction(n, 2)) for n in (1, 3, 5)], [0, 2, 2])


class Rows(unittest.TestCase):
    def test_exactly_one_json_object_and_the_last_key_wins(self):
        self.assertEqual(json_object(b' {"a":1,"a":"2"} ')["a"], "2")
        for line in (b'{"a":1} x', b"[]", b"null", b'{"a":01}', b'{"a":NaN}', b'{"a":"\t"}', b""):
            with self.assertRaises(Fault):
                json_object(line)

    def test_csv_quotes_hold_delimiters_and_line_breaks(self):
        rows = list(csv_rows(b'\xef\xbb\xbfa;b\r\n"x;""y""\r\nz";\r\n\r\nshort\r\n'[3:]))
        self.assertEqual(rows[0], (2, {"a": 'x;"y"\r\nz', "b": None}))
        self.assertEqual(rows[1][1].reason, "malformed")

    def test_mysql_escapes_and_null(self):
        rows = list(mysql_rows(b"a\\tb\t\\N\tx\\\ny\\\\\n1\t2\t3", ["p", "q", "r"]))
        self.assertEqual(rows[0], (1, {"p": "a\tb", "q": None, "r": "x\ny\\"}))
        self.assertEqual(rows[1][0], 3)


class Counting(unittest.TestCase):
    def test_windows_are_half_open(self):
        events = [charge("2026-03-01", eventId="1"), charge("2026-03-07T23:59:59.999Z", eventId="2"),
                  charge("2026-03-08", eventId="3"), charge("2026-02-28T23:59:59.999Z", eventId="4")]
        cells, account = measure(events, [REVENUE, {"name": "charges", "window": "7d"}])
        self.assertEqual(cells["control", "revenue_net_7d"]["sum_y"], 20_000_000)
        self.assertEqual(cells["control", "revenue_net_7d"]["sum_yy"], 400_000_000_000_000)
        self.assertEqual(cells["control", "charges_7d"]["sum_y"], 2)
        self.assertEqual(account.used, 4)

    def test_maturity_is_inclusive_of_the_cut_off(self):
        for start, n in (("2026-03-25", 1), ("2026-03-25T00:00:00.001Z", 0)):
            cells, _ = measure([], [REVENUE], [("u", "o", "control", start)])
            self.assertEqual(cells["control", "revenue_net_7d"]["n"], n)

    def test_of_copies_the_earliest_then_the_cheapest_is_kept(self):
        events = [charge("2026-03-02", "5", transactionId="t", eventId="1"),
                  charge("2026-03-02", "4", transactionId="t", eventId="2", eventType="renewal"),
                  charge("2026-03-03", "1", transactionId="t"), charge("2026-03-02", "2"), charge("2026-03-02", "2")]
        cells, account = measure(events, [REVENUE])
        self.assertEqual(cells["control", "revenue_net_7d"]["sum_y"], 8_000_000)
        self.assertEqual(account.aside["duplicate"], 2)

    def test_refunds_add_up_within_the_charge_and_a_reversal_restores_all(self):
        def refund(at, kind="refund", **more):
            return {"userId": "u", "eventType": kind, "occurredAt": at, "transactionId": "t"} | more

        paid = charge("2026-03-02", transactionId="t")
        cases = [([refund("2026-03-01", price="4")], 6), ([refund("2026-03-20")], 0),
                 ([refund("2026-03-03", price="7"), refund("2026-03-04", price="7")], 0),
                 ([refund("2026-03-03", "refund_reversal"), refund("2026-03-03")], 10),
                 ([refund("2026-03-03"), refund("2026-03-04", "refund_reversal"), refund("2026-03-05", price="1")], 9),
                 ([refund("2026-04-01")], 10), ([refund("2026-03-03", transactionId="x")], 10)]
        for steps, net in cases:
            cells, _ = measure([paid, *steps], [REVENUE, {"name": "refund_rate", "window": "7d"}])
            self.assertEqual(cells["control", "revenue_net_7d"]["sum_y"], net * 1_000_000, steps)
            self.assertEqual(cells["control", "refund_rate_7d"]["sum_y"], int(net < 10))

    def test_a_group_outside_the_test_is_no_second_group(self):
        rows = [("u", "o", "out", "2026-02-20"), ("u", "o", "a", "2026-03-01"), ("v", "o", "out", "2026-03-01"), ("w", "o", "b", "2026-03-01")]
        cells, account = measure([charge("2026-03-02"), charge("2026-03-02", userId="v")], [REVENUE], rows, exclude_groups=["out"])
        self.assertEqual({group: (row["n"], row["sum_y"]) for (group, _), row in cells.items()}, {"a": (1, 10_000_000), "b": (1, 0)})
        self.assertEqual(account.aside, {"excluded_user": 1})

    def test_a_refund_in_another_currency_takes_that_currencys_rate(self):
        rates = "date,currency,rate\n2026-03-02,GBP,1.25\n2026-03-02,JPY,0.0065\n2026-03-05,JPY,0.9\n"
        paid = charge("2026-03-02", currency="GBP", transactionId="t")
        for named, net in [({"currency": "JPY"}, 11_850_000), ({}, 0), ({"currency": "USD"}, 0)]:
            back = {"userId": "u", "eventType": "refund", "occurredAt": "2026-03-05", "transactionId": "t", "price": "100"} | named
            cells, _ = measure([paid, back], [REVENUE], exchange_rates="rates.csv", **{"rates.csv": rates})
            self.assertEqual(cells["control", "revenue_net_7d"]["sum_y"], net, named)

    def test_enrolment_asks_for_the_first_assignment(self):
        rows = [("u", "o", "a", "2026-01-10"), ("u", "o", "b", "2026-03-10"), ("v", "o", "b", "2026-03-10")]
        for policy in ("exclude", "first"):
            cells, _ = measure([], [REVENUE], rows, multiple_groups=policy, enrolment={"from": "2026-03-01"})
            self.assertEqual({key: row["n"] for key, row in cells.items()}, {("b", "revenue_net_7d"): 1})

    def test_null_and_empty_are_two_segments(self):
        people = '{"u":"u","o":"o","g":"control","t":"2026-03-01","c":""}\n{"u":"v","o":"o","g":"control","t":"2026-03-01","c":null}'
        entry = {"path": "people.csv", "format": "jsonl", "columns": {"user": "u", "offering": "o", "group": "g", "assigned_at": "t"}, "attributes": ["c"]}
        outcome = ran([], [REVENUE], assignments=[entry], segments=["c"], **{"people.csv": people})
        self.assertEqual(sorted(key[2] for key in outcome.statistics), ["all", "c=", "c=(none)"])

    def test_two_groups_leave_a_user_out_or_keep_the_first(self):
        rows = [("u", "o", "control", "2026-03-02"), ("u", "o", "b", "2026-03-01"), ("v", "o", "b", "2026-03-01")]
        cells, account = measure([charge("2026-03-02")], [REVENUE], rows)
        self.assertEqual((account.aside["excluded_user"], cells["b", "revenue_net_7d"]["n"]), (1, 1))
        cells, _ = measure([charge("2026-03-02")], [REVENUE], rows, multiple_groups="first")
        self.assertEqual(cells["b", "revenue_net_7d"]["sum_y"], 10_000_000)
        cells, _ = measure([], [REVENUE], [*rows[:2], ("u", "o", "a", "2026-03-01")], multiple_groups="first")
        self.assertEqual(list(cells), [("a", "revenue_net_7d")])

    def test_composed_and_decomposed_letters_are_two_users(self):
        rows = [("caf\u00e9", "o", "control", "2026-03-01"), ("cafe\u0301", "o", "control", "2026-03-01")]
        events = [charge("2026-03-02", userId="caf\u00e9"), charge("2026-03-02", userId="cafe\u0301")]
        cells, _ = measure(events, [REVENUE], rows)
        row = cells["control", "revenue_net_7d"]
        self.assertEqual((row["n"], row["sum_yy"]), (2, 200_000_000_000_000))

    def test_rates_are_at_most_seven_days_old(self):
        rates = "date,currency,rate\n2026-03-01,EUR,1.0843\n2026-02-20,EUR,9\n"
        events = [charge("2026-03-08", "0.000015", currency="EUR", eventId="1"),
                  charge("2026-03-09", currency="EUR", eventId="2")]
        cells, account = measure(events, [REVENUE | {"window": "30d"}], exchange_rates="rates.csv", **{"rates.csv": rates})
        self.assertEqual(cells["control", "revenue_net_30d"]["sum_y"], 16)  # 15 × 1.0843 = 16.2645
        self.assertEqual(account.aside["no_exchange_rate"], 1)

    def test_proceeds_take_tax_and_commission_off_once(self):
        table = "product_id,kind,commission_percent,tax_percent\np,consumable,15,19\n"
        metrics = [{"name": "proceeds", "window": "7d"}, {"name": "subscription_conversion", "window": "7d"}]
        cells, _ = measure([charge("2026-03-02", "9.99")], metrics, products="products.csv", **{"products.csv": table})
        self.assertEqual(cells["control", "proceeds_7d"]["sum_y"], 6_878_115)  # 9.99 × 0.81 × 0.85
        self.assertEqual(cells["control", "subscription_conversion_7d"]["sum_y"], 0)
        cells, _ = measure([charge("2026-03-02", "10")], metrics)
        self.assertEqual(cells["control", "proceeds_7d"]["sum_y"], 7_000_000)

    def test_rows_are_set_aside_under_the_first_reason(self):
        events = [charge("2026-03-02", "x", environment="Sandbox"), charge("2026-05-02", environment="Sandbox"),
                  charge("2026-05-02", ownershipType="FAMILY_SHARED"), charge("2026-04-01", userId="nobody"),
                  charge("2026-03-02", userId="nobody"), "{", charge("2026-03-02", environment="PRODUCTION")]
        _, account = measure(events, [REVENUE])
        reasons = ["bad_price", "sandbox", "family_shared", "after_cutoff", "unassigned", "malformed"]
        self.assertEqual([account.aside[reason] for reason in reasons], [1] * 6)
        self.assertEqual((account.rows, account.used), (7, 1))

    def test_exposed_starts_at_the_first_view(self):
        view = {"userId": "u", "eventType": "paywall_view", "occurredAt": "2026-03-05"}
        metrics, who = [REVENUE], {"population": "exposed"}
        cells, _ = measure([view, charge("2026-03-11"), charge("2026-03-04")], metrics, **who)
        self.assertEqual(cells["control", "revenue_net_7d"]["sum_y"], 10_000_000)
        cells, account = measure([charge("2026-03-11")], metrics, **who)
        self.assertEqual((cells, account.aside["excluded_user"]), ({}, 1))

    def test_percentiles_are_nearest_rank_above_zero(self):
        self.assertEqual([percentile_level(p, [0, 1, 2, 3, 4]) for p in (50, 50.1, 99.9, 25)], [2, 3, 4, 1])
        self.assertIsNone(percentile_level(50, [0]))

    def test_of_several_tellings_of_a_charge_the_earliest_value_counts(self):
        said = [charge("2026-03-03", transactionId="1", paywall="later"), charge("2026-03-02", transactionId="1"),
                charge("2026-03-04", paywall=""), charge("2026-03-05", paywall=None), charge("2026-02-01", paywall="before")]
        logs = {"more.jsonl": ({"format": "events", "attributes": ["paywall"]}, "\n".join(map(json.dumps, said)))}
        rows = ran([], [REVENUE], logs=logs).charges_by
        self.assertEqual({key[2:]: (row["buyers"], row["charges"], row["gross"]) for key, row in rows.items()},
                         {("paywall", name): (1, 1, 10_000_000) for name in ("later", "", "(none)")})

    def test_whoever_bought_with_several_small_values_is_one_buyer_of_the_others(self):
        said = [charge(f"2026-03-{2 + number:02}", paywall=f"p{number:02}") for number in range(22)]
        logs = {"more.jsonl": ({"format": "events", "attributes": ["paywall"]}, "\n".join(map(json.dumps, said)))}
        rows = ran([], [REVENUE], logs=logs).charges_by
        self.assertEqual(len(rows), 21)
        self.assertEqual((rows["o", "control", "paywall", "(other)"]["buyers"], rows["o", "control", "paywall", "(other)"]["charges"]), (1, 2))


if __name__ == "__main__":
    unittest.main()
