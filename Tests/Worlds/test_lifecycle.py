"""Hand-computed lives of subscriptions: every edge on its own side of the line.

    python3 test_lifecycle.py
"""

from fractions import Fraction
import unittest

from access import STATES
from lifecycle import survival_at, survival_curve
from periods import months_factor, plus
from test_model import T, charge, measure, ran
from values import rfc3339, time_millis

PRODUCTS = """product_id,kind,period,trial,grace,tier,credits
w,auto_renewable,P1W,P3D,P3D,basic,30
m,auto_renewable,P1M,P14D,,gold,100
y,auto_renewable,P1Y,,,gold,
d,non_renewing,P3D,,,,
f,non_consumable,,,,,
k,consumable,,,,,5
"""
TABLE = {"products": "products.csv", "products.csv": PRODUCTS}
WINDOW = {"window": "none", "id": "x"}


def event(kind, at, **more):
    return {"userId": "u", "eventType": kind, "occurredAt": at} | more


def sale(product, at, kind="purchase", **more):
    return charge(at, productId=product, eventType=kind, eventId=f"{product}{at}") | more


def sums(name, events, as_of=T, **options):
    """`(Σy, Σx)` of the only user."""
    cells, _ = measure(events, [{"name": name} | (WINDOW | options)], as_of=as_of, **TABLE)
    row = cells["control", "x"]
    return row["sum_y"], row["sum_x"]


def at_cutoff(name, events, as_of=T, **options):
    cells, _ = measure(events, [{"name": name, "id": "x"} | options], as_of=as_of, **TABLE)
    return cells["control", "x"]["sum_y"]


def state(events, as_of=T):
    states = ran(events, [], as_of=as_of, **TABLE).states
    assert [key[2] for key in states] == STATES
    return next(key[2] for key, users in states.items() if users)


class Periods(unittest.TestCase):
    def test_months_are_the_calendars(self):
        for start, period, end in [("2026-01-31", "P1M", "2026-02-28"), ("2024-01-31", "P1M", "2024-02-29"),
                                   ("2026-12-31T23:59:59.999Z", "P2M", "2027-02-28T23:59:59.999Z"),
                                   ("2024-02-29", "P1Y", "2025-02-28"), ("2026-03-28", "P1W", "2026-04-04")]:
            self.assertEqual(plus(time_millis(start), period), time_millis(end), (start, period))

    def test_months_factors(self):
        factors = {"P1D": 30, "P3D": 10, "P1W": 4, "P2W": 2, "P4W": 1, "P1M": 1, "P2M": Fraction(1, 2),
                   "P3M": Fraction(1, 3), "P6M": Fraction(1, 6), "P1Y": Fraction(1, 12),
                   "P7D": 4, "P14D": 2, "P1Y6M": Fraction(1, 18)}
        self.assertEqual({period: months_factor(period) for period in factors}, factors)


class Following(unittest.TestCase):
    def test_trial_to_paid_counts_trials_whose_time_is_over(self):
        trial = event("trial_start", "2026-03-16T00:00:00Z")  # 16 days end exactly at T
        late = event("trial_start", "2026-03-16T00:00:00.001Z")
        paid = sale("m", "2026-03-20", "renewal", price="0")
        self.assertEqual(sums("trial_to_paid", [trial]), (0, 1))
        self.assertEqual(sums("trial_to_paid", [late]), (0, 0))
        self.assertEqual(sums("trial_to_paid", [late, paid]), (0, 0))
        self.assertEqual(sums("trial_to_paid", [trial, paid]), (0, 1))  # a charge of nothing converts nobody
        self.assertEqual(sums("trial_to_paid", [trial, paid | {"price": "0.01"}]), (1, 1))
        self.assertEqual(sums("trial_to_paid", [trial, late, sale("d", "2026-03-20", "one_time_purchase")]), (0, 1))

    def test_a_payment_at_the_trials_own_instant_does_not_follow_it(self):
        trial = event("trial_start", "2026-03-02")
        for at, y in [("2026-03-02", 0), ("2026-03-02T00:00:00.001Z", 1), ("2026-03-18", 1), ("2026-03-18T00:00:00.001Z", 0)]:
            self.assertEqual(sums("trial_to_paid", [trial, sale("w", at)]), (y, 1), at)

    def test_what_follows_may_lie_beyond_the_window(self):
        events = [event("trial_start", "2026-03-02"), sale("w", "2026-03-12")]
        self.assertEqual(sums("trial_to_paid", events, window="7d"), (1, 1))
        self.assertEqual(sums("trial_to_paid", events, window="24h"), (0, 0))

    def test_one_time_to_subscription_starts_at_the_first_other_charge(self):
        first = sale("d", "2026-03-01T10:00:00Z", "one_time_purchase")
        again = sale("k", "2026-03-05", "one_time_purchase")
        paid = sale("w", "2026-03-06")
        self.assertEqual(sums("one_time_to_subscription", [first, paid], within="30d"), (1, 1))
        self.assertEqual(sums("one_time_to_subscription", [first, again, paid], within="3d"), (0, 1))
        self.assertEqual(sums("one_time_to_subscription", [paid], within="3d"), (0, 0))
        self.assertEqual(sums("one_time_to_subscription", [again, paid], within="27d"), (1, 1))  # over exactly at T
        self.assertEqual(sums("one_time_to_subscription", [again, paid], within="28d"), (0, 0))

    def test_renewal_is_due_after_period_and_grace(self):
        first, due = sale("w", "2026-03-02"), "2026-03-12"  # a week and three days
        self.assertEqual(sums("renewal_rate", [first], as_of=f"{due}T00:00:00Z"), (0, 1))
        self.assertEqual(sums("renewal_rate", [first], as_of="2026-03-11T23:59:59.999Z"), (0, 0))
        for at, y in [(f"{due}T00:00:00Z", 1), (f"{due}T00:00:00.001Z", 0)]:
            self.assertEqual(sums("renewal_rate", [first, sale("w", at, "renewal")]), (y, 1), at)
        self.assertEqual(sums("renewal_rate", [first, sale("y", "2026-03-05")]), (1, 1))  # an upgrade renews
        self.assertEqual(sums("renewal_rate", [first], grace="0d", as_of="2026-03-09T00:00:00Z"), (0, 1))
        self.assertEqual(sums("renewal_rate", [sale("w", "2026-03-02", price="0")]), (0, 0))

    def test_renewal_without_a_known_period_is_due_when_the_log_says(self):
        first = sale("unknown", "2026-03-02")
        self.assertEqual(sums("renewal_rate", [first]), (0, 0))
        told = first | {"expiresDate": "2026-03-09"}  # 16 days of grace after it: the 25th
        self.assertEqual(sums("renewal_rate", [told, sale("unknown", "2026-03-25", "renewal")]), (1, 1))
        self.assertEqual(sums("renewal_rate", [told], as_of="2026-03-24T23:59:59Z"), (0, 0))

    def test_involuntary_churn_is_expiry_after_a_failure_that_nothing_mended(self):
        paid, failed, gone = sale("w", "2026-03-02"), event("billing_retry", "2026-03-09"), event("expire", "2026-03-12")
        self.assertEqual(sums("involuntary_churn", [paid, failed, gone]), (1, 1))
        self.assertEqual(sums("involuntary_churn", [failed, gone]), (0, 0))
        self.assertEqual(sums("involuntary_churn", [paid, gone]), (0, 1))
        for at, y in [("2026-03-09", 1), ("2026-03-09T00:00:00.001Z", 0), ("2026-03-12", 0), ("2026-03-12T00:00:00.001Z", 1)]:
            for mended in (event("billing_recovery", at), sale("w", at, "renewal")):
                self.assertEqual(sums("involuntary_churn", [paid, failed, gone, mended]), (y, 1), at)
        self.assertEqual(sums("involuntary_churn", [paid, failed, gone], window="9d"), (1, 1))  # the expiry lies beyond it
        self.assertEqual(sums("involuntary_churn", [paid, failed, gone], window="7d"), (0, 1))
        self.assertEqual(sums("involuntary_churn", [paid, event("billing_retry", "2026-03-12"), gone]), (1, 1))
        self.assertEqual(sums("involuntary_churn", [paid, event("billing_retry", "2026-03-13"), gone]), (0, 1))

    def test_recovery_asks_for_retries_whose_end_is_known(self):
        failed = event("billing_retry", "2026-03-09")
        self.assertEqual(sums("recovery_rate", [failed]), (0, 0))  # still pending
        for mended in (event("billing_recovery", "2026-03-12"), sale("w", "2026-03-12", "renewal")):
            self.assertEqual(sums("recovery_rate", [failed, mended]), (1, 1))
        self.assertEqual(sums("recovery_rate", [failed, event("expire", "2026-03-10")]), (0, 1))
        self.assertEqual(sums("recovery_rate", [failed], as_of="2026-05-08T00:00:00Z"), (0, 1))  # sixty days
        self.assertEqual(sums("recovery_rate", [failed], as_of="2026-05-07T23:59:59.999Z"), (0, 0))

    def test_credits_left_are_those_not_spent(self):
        events = [event("scan", f"2026-03-0{day}") for day in range(2, 6)] + [sale("w", "2026-03-02", transactionId="1")]
        balance = lambda *more, **options: sums("credits_balance", [*events, *more], spent_by="scan", **options)
        self.assertEqual(balance(starting=6), (32, 0))
        self.assertEqual(balance(event("refund", "2026-03-03", transactionId="1"), starting=3), (0, 0))
        self.assertEqual(balance(event("scan", "2026-02-03"), starting=0), (26, 0))  # before the assignment

    def test_credits_are_of_charges_nobody_took_anything_back_from(self):
        events = [sale("w", "2026-03-02", transactionId="1"), sale("m", "2026-03-03", transactionId="2"), sale("y", "2026-03-04"),
                  event("refund", "2026-03-05", transactionId="2", price="0.01")]
        self.assertEqual(sums("credits_granted", events), (30, 0))
        self.assertEqual(sums("credits_granted", [*events, event("refund_reversal", "2026-03-06", transactionId="2")]), (130, 0))

    def test_default_uptake_asks_for_the_groups_own_default(self):
        catalog = {"offerings": "co.csv", "groups": "cg.csv", "products": "cp.csv"}
        tables = {"co.csv": "id,offering_id,name,is_active\n1,o,t,1\n",
                  "cg.csv": "id,subscription_offering_id,group_name,weight\n10,1,control,1\n11,1,b,1\n",
                  "cp.csv": "offering_group_id,product_id,type,is_default\n10,w,weekly,1\n10,m,monthly,0\n11,m,monthly,1\n"}
        events = [sale("w", "2026-03-02"), sale("m", "2026-03-03"), sale("w", "2026-03-02", userId="v")]
        people = [("u", "o", "control", "2026-03-01"), ("v", "o", "b", "2026-03-01")]
        cells, _ = measure(events, [{"name": "default_uptake"} | WINDOW], people, catalog=catalog, **tables)
        self.assertEqual([(cells[group, "x"]["sum_y"], cells[group, "x"]["sum_x"]) for group in ("control", "b")], [(1, 1), (0, 1)])


class AtTheCutoff(unittest.TestCase):
    def test_access_ends_with_period_and_grace(self):
        for events, end in [
            ([sale("w", "2026-03-02")], "2026-03-12"),  # no end told: grace counts
            ([sale("m", "2026-02-28T12:00:00Z")], "2026-04-13T12:00:00Z"),  # 28 March and 16 days
            ([sale("w", "2026-03-02", expiresDate="2026-03-10")], "2026-03-10"),  # told: no grace
            ([sale("w", "2026-03-02", expiresDate="2026-03-10"), event("billing_retry", "2026-03-08")], "2026-03-13"),
            ([sale("w", "2026-03-02", expiresDate="2026-03-10"), event("billing_retry", "2026-03-08", expiresDate="2026-03-11")],
             "2026-03-11"),
            ([sale("w", "2026-03-02"), event("cancel", "2026-03-03")], "2026-03-09"),  # off: no grace
            ([sale("w", "2026-03-02"), event("cancel", "2026-03-03"), event("uncancel", "2026-03-04")], "2026-03-12"),
            ([sale("w", "2026-03-02"), event("uncancel", "2026-03-03"), event("cancel", "2026-03-03")], "2026-03-09"),
            ([sale("w", "2026-03-02"), event("billing_retry", "2026-03-09", expiresDate="2026-03-20")], "2026-03-20"),
            ([sale("w", "2026-03-02"), event("extend", "2026-03-04", expiresDate="2026-03-20")], "2026-03-20"),
            ([sale("w", "2026-03-02"), event("extend", "2026-03-04", expiresDate="2026-03-20"), event("billing_retry", "2026-03-20")],
             "2026-03-23"),
            ([sale("w", "2026-03-02"), event("extend", "2026-03-04", productId="m", expiresDate="2026-03-20")], "2026-03-12"),
            ([sale("w", "2026-03-02", transactionId="t"), event("refund", "2026-03-05", transactionId="t", price="9")], "2026-03-12"),
        ]:
            last = rfc3339(time_millis(end) - 1)
            self.assertEqual(at_cutoff("active_subscription", events, as_of=last), 1, events)
            self.assertEqual(at_cutoff("active_subscription", events, as_of=rfc3339(time_millis(end))), 0, events)

    def test_expiry_and_refund_in_full_end_access_at_once(self):
        paid = sale("w", "2026-03-02", transactionId="t")
        for ending in (event("expire", "2026-03-04"), event("expire", "2026-03-04", productId="w"), event("refund", "2026-03-04", transactionId="t")):
            self.assertEqual(at_cutoff("active_subscription", [paid, ending], as_of="2026-03-04T00:00:00Z"), 1)
            self.assertEqual(at_cutoff("active_subscription", [paid, ending], as_of="2026-03-04T00:00:00.001Z"), 0)

    def test_only_the_first_refund_in_full_ends_access(self):
        back = [event("refund", f"2026-03-0{day}", transactionId="t", eventId=str(day)) for day in (4, 6)]
        for as_of in ("2026-03-05T00:00:00Z", "2026-03-06T12:00:00Z"):
            self.assertEqual(at_cutoff("active_subscription", [sale("w", "2026-03-02", transactionId="t"), *back], as_of=as_of), 0)

    def test_the_latest_subscription_charge_decides(self):
        yearly, monthly = sale("y", "2026-01-01"), sale("m", "2026-01-06")
        gone = [event("cancel", "2026-01-20", productId="m"), event("expire", "2026-02-06", productId="m")]
        for events, state_then in [([yearly, monthly, *gone], "expired"), ([sale("m", "2026-01-01"), sale("y", "2026-01-06"), *gone], "subscribed")]:
            alive = int(state_then == "subscribed")
            self.assertEqual(state(events), state_then)
            self.assertEqual(at_cutoff("active_subscription", events), alive)
            self.assertEqual(at_cutoff("mrr", events), alive * 833_333)
            curve = ran(events, [{"name": "retention"}], [("u", "o", "control", "2026-01-01")], **TABLE).curves["o", "control", "retention"]
            self.assertEqual(curve[0][:3], (90, 1, 0) if alive else (36, 1, 1))

    def test_a_cancel_belongs_to_the_charge_before_it(self):
        events = [sale("w", "2026-03-02"), event("cancel", "2026-03-03"), sale("w", "2026-03-09", "renewal")]
        self.assertEqual(at_cutoff("set_to_renew", events, as_of="2026-03-10T00:00:00Z"), 1)
        events.append(event("cancel", "2026-03-09"))
        self.assertEqual(at_cutoff("set_to_renew", events, as_of="2026-03-10T00:00:00Z"), 0)

    def test_what_was_bought_before_the_assignment_counts(self):
        self.assertEqual(at_cutoff("active_subscription", [sale("y", "2026-01-01")]), 1)

    def test_mrr_is_the_last_giving_charge_by_month(self):
        self.assertEqual(at_cutoff("mrr", [sale("w", "2026-03-30", price="7.99")]), 31_960_000)
        self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-30", price="0.000006"), sale("d", "2026-03-31")]), 0)  # a half: to even
        self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-30", price="0.000018")]), 2)
        self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-01", price="120"), sale("w", "2026-03-02")]), 0)
        self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-01", price="120"), sale("k", "2026-03-02", "one_time_purchase")]), 10_000_000)
        self.assertEqual(at_cutoff("mrr", [sale("unknown", "2026-03-30")]), 0)

    def test_where_chooses_charges(self):
        events = [sale("y", "2026-03-01"), sale("w", "2026-03-30")]
        self.assertEqual(at_cutoff("mrr", events, where={"products": ["w"]}), 40_000_000)
        self.assertEqual(at_cutoff("mrr", events, where={"products": ["y"]}), 0)  # the latest decides
        self.assertEqual(at_cutoff("active_subscription", events, where={"tiers": ["silver"]}), 0)


class States(unittest.TestCase):
    def test_each_state_and_its_edges(self):
        day = "2026-03-10T00:00:00Z"
        paid = sale("w", "2026-03-02", transactionId="t")
        told = paid | {"expiresDate": "2026-03-11"}
        retry = event("billing_retry", "2026-03-09")
        for expected, events in [
            ("never", [event("paywall_view", "2026-03-02")]),
            ("subscribed", [told]),
            ("set_to_expire", [told, event("cancel", "2026-03-03")]),
            ("billing_retry", [paid]),  # the week ended on the 9th: grace alone
            ("billing_retry", [paid, sale("m", "2026-02-20", transactionId="b"), event("refund", "2026-02-21", transactionId="b")]),
            ("billing_retry", [paid, retry]),
            ("billing_retry", [sale("w", "2026-01-02"), event("billing_retry", "2026-01-09T00:00:00.001Z")]),
            ("expired", [sale("w", "2026-01-02"), event("billing_retry", "2026-01-09")]),  # sixty days ago
            ("subscribed", [told, sale("k", "2026-03-03", "one_time_purchase", transactionId="k"), event("refund", "2026-03-04", transactionId="k")]),
            ("one_time_expired", [sale("d", "2026-03-08", "one_time_purchase"), event("expire", "2026-03-09", productId="d")]),
            ("one_time_access", [sale("d", "2026-03-08", "one_time_purchase"), event("expire", "2026-03-09", productId="w")]),
            ("subscribed", [sale("unknown", "2025-03-08")]),
            ("expired", [sale("w", "2026-01-01"), event("billing_retry", "2026-01-08"), event("expire", "2026-01-08")]),
            ("subscribed", [told, retry, event("billing_recovery", "2026-03-09")]),
            ("subscribed", [sale("w", "2026-03-02"), retry, sale("w", "2026-03-09", "renewal")]),
            ("refunded", [told, event("refund", "2026-03-04", transactionId="t")]),
            ("subscribed", [told, event("refund", "2026-03-04", transactionId="t", price="9.99")]),
            ("subscribed", [told, event("refund", "2026-03-04", transactionId="t"), event("refund_reversal", "2026-03-05", transactionId="t")]),
            ("one_time_access", [sale("d", "2026-03-07T00:00:00.001Z", "one_time_purchase")]),
            ("one_time_expired", [sale("d", "2026-03-07", "one_time_purchase")]),
            ("one_time_access", [sale("f", "2026-01-07", "one_time_purchase")]),
            ("one_time_expired", [sale("k", "2026-03-07", "one_time_purchase")]),
            ("one_time_access", [sale("unknown", "2026-01-07", "one_time_purchase")]),
            ("in_trial", [event("trial_start", "2026-03-07T00:00:00.001Z", productId="w")]),
            ("trial_expired", [event("trial_start", "2026-03-07", productId="w")]),
            ("in_trial", [event("trial_start", "2026-01-07")]),
            ("trial_expired", [event("trial_start", "2026-01-07"), event("expire", "2026-01-07")]),
            ("in_trial", [event("trial_start", "2026-01-07", productId="w", expiresDate="2026-03-10T00:00:00.001Z")]),
            ("in_trial", [sale("d", "2026-01-07", "one_time_purchase"), event("trial_start", "2026-03-09", productId="w")]),
            ("expired", [event("trial_start", "2026-02-01", productId="w"), sale("w", "2026-02-04", "renewal")]),
        ]:
            self.assertEqual(state(events, as_of=day), expected, events)


class Retention(unittest.TestCase):
    def times(self, events, as_of=T, **options):
        outcome = ran(events, [{"name": "retention"} | options], as_of=as_of, **TABLE)
        return {key[2]: [row[:4] for row in curve] for key, curve in outcome.curves.items()}.get("retention")

    def test_access_ends_where_the_next_charge_comes_too_late(self):
        first, end = sale("w", "2026-03-02"), "2026-03-12T00:00:00Z"  # grace ends on day 10
        self.assertEqual(self.times([first]), [(10, 1, 1, 0)])
        self.assertEqual(self.times([first], as_of=end), [(10, 1, 1, 0)])
        self.assertEqual(self.times([first], as_of="2026-03-11T23:59:59.999Z"), [(9, 1, 0, 1)])
        self.assertEqual(self.times([first, sale("w", end, "renewal")]), [(20, 1, 1, 0)])
        self.assertEqual(self.times([first, sale("w", "2026-03-19", "renewal")]), [(27, 1, 1, 0)])  # however late
        self.assertEqual(self.times([first, sale("w", end, "purchase")]), [(20, 1, 1, 0)])
        self.assertEqual(self.times([first, sale("w", "2026-03-12T00:00:00.001Z", "purchase")]), [(10, 1, 1, 0)])

    def test_the_start_is_paid_and_since_the_assignment(self):
        self.assertEqual(self.times([sale("w", "2026-02-27")]), [])
        self.assertEqual(self.times([sale("w", "2026-02-27"), sale("w", "2026-03-06", "renewal")]), [])  # a customer already
        self.assertEqual(self.times([sale("w", "2026-03-01", price="0"), sale("w", "2026-03-08", "renewal")]), [(10, 1, 1, 0)])
        self.assertEqual(self.times([sale("unknown", "2026-03-01")]), [(31, 1, 0, 1)])
        self.assertEqual(self.times([sale("w", "2026-03-01", transactionId="t"), event("refund", "2026-02-20", transactionId="t")]), [(0, 1, 1, 0)])

    def test_months_are_read_when_their_renewal_is_due(self):
        def due(events, as_of):
            outcome = ran(events, [{"name": "retention"}], as_of=as_of, **TABLE)
            return [row[:4] for row in outcome.renewals["o", "control", "retention"]], outcome.survival["o", "control", "all", "retention"][3]

        first, second = sale("m", "2026-03-02"), sale("m", "2026-04-02", "renewal")  # due on 18 April, its grace over
        self.assertEqual(due([first], "2026-04-17T00:00:00Z"), ([(0, 1, 0, 1)], None))
        self.assertEqual(due([first], "2026-04-18T00:00:00Z"), ([(1, 1, 1, 0)], 0))
        self.assertEqual(due([first, second], "2026-04-18T00:00:00Z"), ([(1, 1, 0, 1)], 1))
        self.assertEqual(due([first, second], "2026-06-01T00:00:00Z"), ([(2, 1, 1, 0)], 1))

    def test_kaplan_and_meier_by_hand(self):
        curve = survival_curve([(10, True), (10, False), (20, True), (30, False)])
        self.assertEqual(curve, [(10, 4, 1, 1, Fraction(3, 4)), (20, 2, 1, 0, Fraction(3, 8)), (30, 1, 0, 1, Fraction(3, 8))])
        self.assertEqual([survival_at(curve, day) for day in (0, 9, 10, 19, 20, 99)],
                         [1, 1, Fraction(3, 4), Fraction(3, 4), Fraction(3, 8), None])
        self.assertEqual([survival_at(survival_curve([(5, True)]), day) for day in (4, 99)], [1, 0])


class Tables(unittest.TestCase):
    def test_funnels_take_the_best_start_and_the_earliest_next(self):
        funnel = {"name": "f", "steps": ["plan_view", "purchase_tap", "purchase"], "within": "24h"}

        def depth(*steps):
            events = [event(kind, at) if kind != "purchase" else sale("w", at) for kind, at in steps]
            return sum(ran(events, [], funnels=[funnel]).funnels["o", "control", "f"])

        self.assertEqual(depth(("plan_view", "2026-03-02"), ("purchase_tap", "2026-03-02T10:00:00Z"), ("purchase", "2026-03-03")), 3)
        self.assertEqual(depth(("plan_view", "2026-03-02"), ("purchase_tap", "2026-03-02T10:00:00Z"),
                               ("purchase", "2026-03-03T00:00:00.001Z")), 2)
        self.assertEqual(depth(("plan_view", "2026-03-02"), ("purchase_tap", "2026-03-02"), ("purchase", "2026-03-03")), 1)
        self.assertEqual(depth(("plan_view", "2026-03-02"), ("plan_view", "2026-03-05"), ("purchase_tap", "2026-03-05T01:00:00Z")), 2)
        self.assertEqual(depth(("purchase", "2026-03-02"), ("plan_view", "2026-02-28")), 0)
        self.assertEqual(depth(("plan_view", "2026-03-31")), 1)
        self.assertEqual(depth(("plan_view", "2026-03-31T00:00:00.001Z")), 0)  # its day is not over

    def test_a_funnels_step_may_be_one_of_several(self):
        events = [event("trial_start", "2026-03-02", productId="w"), sale("w", "2026-03-05", "renewal")]
        funnel = {"name": "f", "steps": [["trial_start", "purchase"], "charge"], "within": "7d"}
        self.assertEqual(ran(events, [], funnels=[funnel]).funnels["o", "control", "f"], [1, 1])

    def test_products_say_who_bought_them_and_who_bought_them_first(self):
        events = [sale("w", "2026-03-02", transactionId="1"), sale("w", "2026-03-09", "renewal"), sale("m", "2026-03-10"),
                  sale("m", "2026-02-01"), event("refund", "2026-03-03", transactionId="1", price="4")]
        rows = {key[2:]: dict(row) for key, row in ran(events, [], **TABLE).products.items()}
        self.assertEqual(rows["w", "auto_renewable"], {
            "buyers": 1, "first_buyers": 1, "charges": 2, "refunded_charges": 1, "gross": 20_000_000, "net": 16_000_000,
            "proceeds": 11_200_000})
        self.assertEqual((rows["m", "auto_renewable"]["buyers"], rows["m", "auto_renewable"]["first_buyers"]), (1, 0))

    def test_quantiles_and_covariates(self):
        people = [(user, "o", "control", "2026-03-10") for user in "uvw"]
        events = [sale("w", "2026-03-11", price="3"), sale("w", "2026-03-11", price="8", userId="v"), sale("w", "2026-02-11", price="5")]
        metrics = [{"name": "quantile", "of": "revenue_net", "q": 0.5, "window": "7d", "id": "payers"},
                   {"name": "quantile", "of": "revenue_net", "q": 0.5, "window": "7d", "id": "all", "zeros": True},
                   {"name": "revenue_net", "window": "7d", "covariate": {"lookback": "27d"}}]
        outcome = ran(events, metrics, people)
        self.assertEqual({key[3]: value for key, value in outcome.quantiles.items()}, {"payers": (2, 3), "all": (3, 3)})
        row = outcome.statistics["o", "control", "all", "revenue_net_7d"]
        self.assertEqual((row["sum_c"], row["sum_yc"]), (5_000_000, 15 * 10**12))

    def test_a_covariate_is_what_was_known_at_the_assignment(self):
        before = sale("w", "2026-02-20", transactionId="t")
        for at, known in [("2026-02-28T23:59:59.999Z", 0), ("2026-03-01", 10_000_000), ("2026-03-20", 10_000_000)]:
            cells, _ = measure([before, event("refund", at, transactionId="t")],
                               [{"name": "revenue_net", "window": "7d", "covariate": {"lookback": "30d"}, "id": "x"}], **TABLE)
            self.assertEqual(cells["control", "x"]["sum_c"], known, at)


if __name__ == "__main__":
    unittest.main()
