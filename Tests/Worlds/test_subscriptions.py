"""Hand-computed subscriptions of stores: groups, chains, a charge's own period, trials of nothing, failures without grace.

    python3 test_subscriptions.py
"""

import json
import unittest

from test_formats import COLUMNS, LIFE_COLUMNS, hook, notification, transaction
from test_lifecycle import TABLE, at_cutoff, event, sale, state, sums
from test_model import T, ran
from values import time_millis

GROUPS = {"products": "products.csv", "products.csv": """product_id,kind,period,trial,grace,subscription_group
a,auto_renewable,P1M,P14D,P3D,one
b,auto_renewable,P1M,P14D,P3D,two
y,auto_renewable,P1Y,,P3D,one
"""}
AT = [{"name": name} for name in ("active_subscription", "set_to_renew", "mrr", "retention")]


def stands(events, as_of=T, tables=GROUPS, logs=None):
    """`(state, active, set to renew, mrr)` of the only user."""
    outcome = ran(events, AT, as_of=as_of, logs=logs, **tables)
    at = [outcome.statistics["o", "control", "all", metric["name"]]["sum_y"] for metric in AT[:3]]
    return next(key[2] for key, users in outcome.states.items() if users), *at


def bought(product, at, **more):
    return sale(product, at, **{"originalTransactionId": f"chain of {product}", "transactionId": f"{product} {at}"} | more)


class Groups(unittest.TestCase):
    def test_each_groups_latest_charge_decides(self):
        one, two = bought("a", "2026-03-10", price="10"), bought("b", "2026-03-12", price="20")
        self.assertEqual(stands([one, two]), ("subscribed", 1, 1, 30_000_000))
        gone = event("expire", "2026-03-20", productId="b")
        self.assertEqual(stands([one, two, gone]), ("subscribed", 1, 1, 10_000_000))
        self.assertEqual(stands([one, two, event("expire", "2026-03-20")]), ("expired", 0, 0, 0))  # names none: it is either's
        off = event("cancel", "2026-03-20", productId="b")
        self.assertEqual(stands([one, two, off]), ("subscribed", 1, 1, 30_000_000))
        self.assertEqual(stands([one, gone, two, event("cancel", "2026-03-20", productId="a")]), ("set_to_expire", 1, 0, 10_000_000))
        self.assertEqual(stands([one, two], tables=TABLE), ("subscribed", 1, 1, 0))  # no table, no groups, no periods: the latest alone

    def test_within_a_group_the_later_plan_replaces_the_earlier(self):
        self.assertEqual(stands([bought("y", "2026-03-10", price="120"), bought("a", "2026-03-12")]), ("subscribed", 1, 1, 10_000_000))

    def test_the_log_may_tell_the_group(self):
        rows = [notification("SUBSCRIBED", at="2026-03-10", uuid=product, sold={
            "productId": product, "transactionId": product, "subscriptionGroupIdentifier": group, "expiresDate": time_millis("2026-04-10")})
            for product, group in (("p", "G1"), ("q", "G2"))]
        logs = {"log": ({"format": "app-store-notifications"}, "\n".join(map(json.dumps, rows)))}
        self.assertEqual(stands([], logs=logs, tables={}), ("subscribed", 1, 1, 15_980_000))

    def test_what_names_no_group_is_of_that_of_its_chain_then_of_its_product(self):
        def row(place, product, chain, group=None, kind="SUBSCRIBED"):
            return notification(kind, at=f"2026-03-1{place}", uuid=str(place), sold={
                "productId": product, "transactionId": str(place), "originalTransactionId": chain, "price": 10_000 * (place + 1)} | (
                    {"subscriptionGroupIdentifier": group} if group else {}) | (
                    {"expiresDate": time_millis(f"2026-04-1{place}")} if kind == "SUBSCRIBED" else {}))

        def mrr(*rows):
            logs = {"log": ({"format": "app-store-notifications"}, "\n".join(map(json.dumps, rows)))}
            return stands([], logs=logs, tables={})[3] // 1_000_000

        self.assertEqual(mrr(row(0, "p", "c", "G1"), row(1, "q", "d", "G2"), row(2, "r", "c")), 20 + 30)
        self.assertEqual(mrr(row(0, "p", "c", "G1"), row(1, "q", "d", "G2"), row(2, "p", "e")), 20 + 30)
        self.assertEqual(mrr(row(0, "p", "c", "G1"), row(1, "q", "d", "G2"), row(2, "q", "c")), 20 + 30)
        self.assertEqual(mrr(row(0, "p", "c"), row(1, "q", "d"), row(2, "r", "e", "G1")), 20 + 30)
        self.assertEqual(mrr(row(0, "p", "c"), row(1, "q", "d", "G1", "ONE_TIME_CHARGE"), row(2, "q", "d")), 30)  # no subscription's

    def test_a_trial_is_over_when_its_own_group_is_paid_for(self):
        trial = event("trial_start", "2026-03-25", productId="b")
        self.assertEqual(stands([trial, bought("a", "2026-03-26", expiresDate="2026-03-28")])[0], "in_trial")
        self.assertEqual(stands([trial, bought("b", "2026-03-26", expiresDate="2026-03-28")])[0], "expired")

    def test_paid_access_of_any_group_retains(self):
        outcome = ran([bought("a", "2026-03-02", expiresDate="2026-03-12"), bought("b", "2026-03-05", expiresDate="2026-03-22")], AT, **GROUPS)
        self.assertEqual(outcome.curves["o", "control", "retention"][0][:3], (20, 1, 1))


class Chains(unittest.TestCase):
    def test_an_old_chain_ends_nothing_new(self):
        old = bought("a", "2026-02-01", originalTransactionId="1")
        new = bought("a", "2026-03-10", originalTransactionId="2")
        gone = event("expire", "2026-03-20", productId="a", originalTransactionId="1")
        self.assertEqual(stands([old, new, gone]), ("subscribed", 1, 1, 10_000_000))
        self.assertEqual(stands([old, new, gone | {"originalTransactionId": "2"}])[0], "expired")
        self.assertEqual(stands([old, new, gone | {"originalTransactionId": None}])[0], "expired")
        self.assertEqual(stands([old, new, gone | {"originalTransactionId": None, "transactionId": old["transactionId"]}])[0], "subscribed")

    def test_turns_are_told_once_by_chain(self):
        native = [bought("p", "2026-03-02", originalTransactionId="1"), bought("p", "2026-03-10", originalTransactionId="2"),
                  event("cancel", "2026-03-04", productId="p"), event("cancel", "2026-03-12", productId="p")]
        hooks = [hook("CANCELLATION", at, price_in_purchased_currency=0, original_transaction_id=chain) for at, chain in (("2026-03-12", "2"), ("2026-03-04", "1"))]
        logs = {"log": ({"format": "revenuecat-webhooks"}, "\n".join(map(json.dumps, hooks)))}
        metric = [{"name": "event_count", "event": "cancel", "id": "x"}]
        self.assertEqual(ran(native, metric, logs=logs).statistics["o", "control", "all", "x"]["sum_y"], 2)


class OwnPeriods(unittest.TestCase):
    def test_the_end_that_a_charge_tells_is_its_period(self):
        for end, price, mrr in [("2026-04-20", "6", 6_000_000), ("2026-06-20", "12", 4_000_000), ("2027-03-20", "12", 1_000_000), ("2026-06-22", "12", 4_000_000),
                                ("2026-04-30", "12", 1_000_000)]:  # forty days are no period: the product's year
            self.assertEqual(at_cutoff("mrr", [sale("y", "2026-03-20", price=price, expiresDate=end)]), mrr, end)

    def test_a_year_in_instalments_is_a_charge_a_month(self):
        sold = {"productId": "y", "billingPlanType": "MONTHLY", "commitmentInfo": {"billingPeriodNumber": 2, "totalBillingPeriods": 12}}
        logs = {"log": ({"format": "app-store-notifications"}, json.dumps(notification("DID_RENEW", at="2026-03-20", sold=sold)))}
        self.assertEqual(stands([], logs=logs)[3], 7_990_000)
        due = ran([], [{"name": "committed"}], logs=logs, **GROUPS).statistics["o", "control", "all", "committed"]["sum_y"]
        self.assertEqual(due, 79_900_000)  # ten of twelve payments
        self.assertEqual(stands([], logs=logs, as_of="2026-04-22T00:00:00Z")[0], "billing_retry")  # the month is over, its grace is not
        up_front = {"productId": "a", "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P2M", "price": 9000}
        logs = {"log": ({"format": "app-store-notifications"}, json.dumps(notification("SUBSCRIBED", at="2026-03-20", sold=up_front)))}
        self.assertEqual(stands([], logs=logs)[3], 4_500_000)

    def test_a_renewal_is_due_after_it(self):
        first = sale("y", "2026-01-20", expiresDate="2026-02-20")  # a month and sixteen days of grace
        self.assertEqual(sums("renewal_rate", [first], as_of="2026-03-08T00:00:00Z"), (0, 0))  # bought before the assignment
        first = sale("y", "2026-03-02", expiresDate="2026-03-09")
        self.assertEqual(sums("renewal_rate", [first], as_of="2026-03-25T00:00:00Z"), (0, 1))
        self.assertEqual(sums("renewal_rate", [first], as_of="2026-03-24T23:59:59Z"), (0, 0))
        self.assertEqual(sums("renewal_rate", [first, sale("y", "2026-03-10", price="0")]), (0, 1))  # nothing renews nothing
        self.assertEqual(sums("renewal_rate", [first, sale("y", "2026-03-10", price="0"), sale("w", "2026-03-11")]), (1, 1))


class Trials(unittest.TestCase):
    def told(self, *rows, as_of=T, format="app-store-notifications"):
        metrics = [{"name": "event_count", "event": "trial_start", "id": "n"}, {"name": "charges", "id": "charges"},
                   {"name": "trial_to_paid", "window": "none", "within": "10d", "id": "paid"}]
        outcome = ran([], metrics, as_of=as_of, logs={"log": ({"format": format}, "\n".join(map(json.dumps, rows)))}, **GROUPS)
        row = {key[3]: row for key, row in outcome.statistics.items()}
        state = next(key[2] for key, users in outcome.states.items() if users)
        return state, row["n"]["sum_y"], row["charges"]["sum_y"], (row["paid"]["sum_y"], row["paid"]["sum_x"])

    def row(self, name, at, end, subtype=None, **sold):
        return notification(name, subtype, at, uuid=at, sold={"productId": "a", "originalTransactionId": "1", "transactionId": at, "price": 0,
                                                             "expiresDate": time_millis(end)} | sold)

    def test_what_costs_nothing_is_a_trial_and_the_first_of_a_chain_begins_it(self):
        first = self.row("SUBSCRIBED", "2026-03-02", "2026-03-16")
        changed = self.row("DID_CHANGE_RENEWAL_PREF", "2026-03-10", "2026-04-10", "UPGRADE", productId="y")
        self.assertEqual(self.told(first, changed), ("in_trial", 1, 0, (0, 1)))
        paid = self.row("DID_RENEW", "2026-03-15", "2026-04-15", price=7990)
        self.assertEqual(self.told(first, changed, paid), ("subscribed", 1, 1, (0, 1)))  # 13 days after the first
        another = self.row("OFFER_REDEEMED", "2026-03-10", "2026-04-10", "INITIAL_BUY", originalTransactionId="2")
        self.assertEqual(self.told(first, another, paid), ("subscribed", 2, 1, (1, 1)))
        self.assertEqual(self.told(first, self.row("DID_RENEW", "2026-03-16", "2026-03-30"))[0], "trial_expired")

    def test_a_renewal_of_a_trials_period_type_is_the_trial(self):
        free = hook("RENEWAL", "2026-03-10", product_id="a", period_type="TRIAL", transaction_id="2", original_transaction_id="1", expiration_at_ms=time_millis("2026-04-10"))
        first = hook("INITIAL_PURCHASE", product_id="a", period_type="TRIAL", original_transaction_id="1", expiration_at_ms=time_millis("2026-03-10"))
        self.assertEqual(self.told(first, free, format="revenuecat-webhooks"), ("in_trial", 1, 0, (0, 1)))


class Failures(unittest.TestCase):
    def test_no_grace_told_is_no_grace(self):
        for format, rows in {
            "app-store-notifications": [notification("SUBSCRIBED", at="2026-03-02", sold={"productId": "a", "expiresDate": time_millis("2026-03-30")}),
                                        notification("DID_FAIL_TO_RENEW", at="2026-03-30", uuid="f", sold={"productId": "a"})],
            "revenuecat-webhooks": [hook("INITIAL_PURCHASE", product_id="a", expiration_at_ms=time_millis("2026-03-30")),
                                    hook("CANCELLATION", "2026-03-30", product_id="a", cancel_reason="BILLING_ERROR", price_in_purchased_currency=0),
                                    hook("BILLING_ISSUE", "2026-03-30", product_id="a", grace_period_expiration_at_ms=None)],
        }.items():
            logs = {"log": ({"format": format}, "\n".join(map(json.dumps, rows)))}
            self.assertEqual(stands([], logs=logs), ("billing_retry", 0, 0, 0), format)
        native = [bought("a", "2026-03-02", expiresDate="2026-03-30"), event("billing_retry", "2026-03-30", productId="a")]
        self.assertEqual(stands(native), ("billing_retry", 1, 1, 10_000_000))  # says nothing of it: the product's grace

    def exported(self, *rows, **tables):
        header = COLUMNS + LIFE_COLUMNS
        text = "\n".join([header, *(transaction(header, **{"product_identifier": "a"} | row) for row in rows)])
        metrics = [{"name": "involuntary_churn", "window": "none", "id": "churn"}, {"name": "charges", "id": "charges"}]
        outcome = ran([], metrics, logs={"log": ({"format": "revenuecat-export"}, text)}, **GROUPS)
        account = next(account for path, account in outcome.accounts.items() if path.endswith("log"))
        state = next((key[2] for key, users in outcome.states.items() if users))
        return state, outcome.statistics["o", "control", "all", "churn"]["sum_y"], outcome.statistics["o", "control", "all", "charges"]["sum_y"], dict(account.aside)

    def test_a_failure_noticed_after_its_end_is_an_involuntary_end(self):
        end = {"end_time": "2026-03-20 10:00:00", "effective_end_time": "2026-03-20 10:00:00"}
        for noticed in ("2026-03-20 09:59:00", "2026-03-20 10:00:00", "2026-03-20 10:07:00"):
            self.assertEqual(self.exported(end | {"billing_issues_detected_at": noticed}), ("expired", 1, 1, {}), noticed)

    def test_a_row_that_ends_before_it_starts_is_no_transaction(self):
        row = {"end_time": "2026-04-02 10:00:00"}
        void = {"store_transaction_id": "1..0", "renewal_number": "2", "start_time": "2026-03-20 10:00:00", "end_time": "2026-03-19 10:00:00", "updated_at": "2026-03-22 00:00:00"}
        self.assertEqual(self.exported(row, void), ("subscribed", 0, 1, {"not_measured": 1}))
        before = void | {"end_time": "2026-04-20 10:00:00", "updated_at": "2026-03-21 00:00:00"}
        self.assertEqual(self.exported(row, before), ("subscribed", 0, 2, {}))
        self.assertEqual(self.exported(row, before, void), ("subscribed", 0, 1, {"not_measured": 1, "duplicate": 1}))


class Money(unittest.TestCase):
    def worth(self, *rows, **job):
        metrics = [{"name": name, "window": "none", "id": name} for name in ("revenue_gross", "revenue_net", "proceeds")]
        outcome = ran([], metrics, logs={"log": ({"format": "revenuecat-webhooks"}, "\n".join(map(json.dumps, rows)))}, **job)
        account = next(account for path, account in outcome.accounts.items() if path.endswith("log"))
        return [outcome.statistics["o", "control", "all", metric["id"]]["sum_y"] for metric in metrics], dict(account.aside)

    def test_told_dollars_are_the_worth_where_no_rate_is_given(self):
        sold = hook("INITIAL_PURCHASE", currency="EUR", price=8.14)
        self.assertEqual(self.worth(sold), ([8_140_000, 8_140_000, 5_698_000], {}))
        back = hook("CANCELLATION", "2026-03-05", currency="EUR", price_in_purchased_currency=-2)
        self.assertEqual(self.worth(sold, back)[0][1], 6_102_453)  # 8.14 − 2 × 8.14 / 7.99, a refund at its charge's rate
        back["event"]["price"] = -2.05  # or what it is said to be worth itself
        self.assertEqual(self.worth(sold, back)[0][1], 6_090_000)
        rates = {"exchange_rates": "r.csv", "r.csv": "date,currency,rate\n2026-02-27,EUR,2\n"}
        self.assertEqual(self.worth(sold, **rates)[0][0], 15_980_000)
        self.assertEqual(self.worth(sold, currency="EUR")[0][0], 7_990_000)
        self.assertEqual(self.worth(sold | {"event": sold["event"] | {"currency": "GBP"}}, currency="EUR")[1], {"no_exchange_rate": 1})

    def test_tax_and_commission_of_a_row_are_both_shares_of_the_price(self):
        self.assertEqual(self.worth(hook("INITIAL_PURCHASE", price_in_purchased_currency=10, tax_percentage=0.2, commission_percentage=0.24))[0][2], 5_600_000)



class OwnTrials(unittest.TestCase):
    def stands(self, *events, as_of=T, logs=None, **job):
        outcome = ran(events, [{"name": "event_count", "event": "trial_start", "window": "none", "id": "n"}], as_of=as_of, logs=logs, **GROUPS, **job)
        return next(key[2] for key, users in outcome.states.items() if users), outcome.statistics["o", "control", "all", "n"]["sum_y"]

    def test_the_job_says_how_long_they_are_and_a_charge_of_any_group_ends_them(self):
        own = event("trial_start", "2026-03-02")
        self.assertEqual(self.stands(own), ("in_trial", 1))
        self.assertEqual(self.stands(own, as_of="2026-03-15", trial="P14D"), ("in_trial", 1))
        self.assertEqual(self.stands(own, as_of="2026-03-16", trial="P14D"), ("trial_expired", 1))
        self.assertEqual(self.stands(event("trial_start", "2026-03-02", productId="a"), as_of="2026-03-09", trial="P3D"), ("in_trial", 1))
        over = [event("expire", "2026-03-09", productId=product) for product in "ab"]
        self.assertEqual(self.stands(own, bought("a", "2026-03-05"), bought("b", "2026-03-06"), *over), ("expired", 1))

    def test_the_stores_is_another_unless_it_begins_at_the_same_moment(self):
        def store(at):
            row = hook("INITIAL_PURCHASE", at, period_type="TRIAL", price_in_purchased_currency=0, product_id="a", expiration_at_ms=time_millis("2026-03-20"))
            return {"hooks.jsonl": ({"path": "hooks.jsonl", "format": "revenuecat-webhooks"}, json.dumps(row))}

        for product in ({}, {"productId": "a"}):
            own = event("trial_start", "2026-03-02", **product)
            self.assertEqual(self.stands(own, logs=store("2026-03-14"), trial="P14D", as_of="2026-03-18"), ("in_trial", 2))
            self.assertEqual(self.stands(own, logs=store("2026-03-02"), as_of="2026-03-18"), ("in_trial", 1))
            self.assertEqual(self.stands(own, logs=store("2026-03-02"), as_of="2026-03-21"), ("trial_expired", 1))
        self.assertEqual(self.stands(event("trial_start", "2026-03-02", productId="b"), logs=store("2026-03-02")), ("trial_expired", 2))

    def test_a_trial_may_be_paid_until_two_days_after_its_end(self):
        def paid(trial, **more):
            row = ran([trial, sale("a", "2026-03-25", "renewal")], [{"name": "trial_to_paid", "window": "none", "id": "x"} | more], **GROUPS)
            row = row.statistics["o", "control", "all", "x"]
            return row["sum_y"], row["sum_x"]

        own = event("trial_start", "2026-03-02")
        self.assertEqual(paid(own), (0, 1))
        self.assertEqual(paid(own | {"expiresDate": "2026-03-23"}), (1, 1))
        self.assertEqual(paid(own | {"expiresDate": "2026-03-22"}), (0, 1))
        self.assertEqual(paid(own | {"expiresDate": "2026-03-23"}, within="16d"), (0, 1))


if __name__ == "__main__":
    unittest.main()
