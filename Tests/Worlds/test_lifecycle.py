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
                   "P3M": Fraction(1, 3), "P6M": Fraction(1, 6), "P1Y": Fraction(1, 12)}
        self.assertEqual({period: months_factor(period) for period in factors}, factors)


class Following(unittest.TestCase):
    def test_trial_to_paid_counts_trials_whose_time_is_over(self):
        trial = event("trial_start", "2026-03-16T00:00:00Z")  # 16 days end exactly at T
        late = event("trial_start", "2026-03-16T00:00:00.001Z")
        paid = sale("m", "2026-03-20", "renewal", price="0")
        self.assertEqual(sums("trial_to_paid", [trial]), (0, 1))
        self.assertEqual(sums("trial_to_paid", [late]), (0, 0))
        self.assertEqual(sums("trial_to_paid", [late, paid]), (0, 0))
        self.assertEqual(sums("trial_to_paid", [trial, paid]), (1, 1))
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
        self.assertEqual(sums("renewal_rate", [first, sale("w", "2026-03-05")]), (0, 1))  # an upgrade is no renewal
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
            events = [paid, failed, gone, event("billing_recovery", at)]
            self.assertEqual(sums("involuntary_churn", events), (y, 1), at)
        self.assertEqual(sums("involuntary_churn", [paid, event("billing_retry", "2026-03-12"), gone]), (1, 1))
        self.assertEqual(sums("involuntary_churn", [paid, event("billing_retry", "2026-03-13"), gone]), (0, 1))

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
            ([sale("w", "2026-03-02", transactionId="t"), event("refund", "2026-03-05", transactionId="t", price="9")], "2026-03-12"),
        ]:
            last = rfc3339(time_millis(end) - 1)
            self.assertEqual(at_cutoff("active_subscription", events, as_of=last), 1, events)
            self.assertEqual(at_cutoff("active_subscription", events, as_of=rfc3339(time_millis(end))), 0, events)

    def test_expiry_and_refund_in_full_end_access_at_once(self):
        paid = sale("w", "2026-03-02", transactionId="t")
        for ending in (event("expire", "2026-03-04", productId="other"), event("refund", "2026-03-04", transactionId="t")):
            self.assertEqual(at_cutoff("active_subscription", [paid, ending], as_of="2026-03-04T00:00:00Z"), 1)
            self.assertEqual(at_cutoff("active_subscription", [paid, ending], as_of="2026-03-04T00:00:00.001Z"), 0)

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
        self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-01", price="120"), sale("w", "2026-03-02")]), 10_000_000)
        self.assertEqual(at_cutoff("mrr", [sale("unknown", "2026-03-30")]), 0)

    def test_where_chooses_charges(self):
        events = [sale("y", "2026-03-01"), sale("w", "2026-03-30")]
        self.assertEqual(at_cutoff("mrr", events, where={"products": ["y"]}), 833_333)
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
            ("billing_retry", [sale("w", "2026-01-01"), event("billing_retry", "2026-01-08")]),
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
        self.assertEqual(self.times([first, sale("w", "2026-03-12T00:00:00.001Z", "renewal")]), [(10, 1, 1, 0)])

    def test_the_start_is_paid_and_since_the_assignment(self):
        self.assertEqual(self.times([sale("w", "2026-02-27")]), [])
        self.assertEqual(self.times([sale("w", "2026-03-01", price="0"), sale("w", "2026-03-08", "renewal")]), [(10, 1, 1, 0)])
        self.assertEqual(self.times([sale("unknown", "2026-03-01")]), [(31, 1, 0, 1)])
        self.assertEqual(self.times([sale("w", "2026-03-01", transactionId="t"), event("refund", "2026-02-20", transactionId="t")]), [(0, 1, 1, 0)])

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


if __name__ == "__main__":
    unittest.main()
