"""Whose money it is, by hand: many ids of one customer, charges found over all users, enrolments.

    python3 test_customers.py
"""

import json
import unittest

from identities import Identities
from test_formats import COLUMNS, hook, notification, transaction
from test_model import charge, ran
from values import folded

METRICS = [{"name": name, "window": "none", "id": name} for name in ("revenue_net", "charges", "refund_rate")]
UPPER, LOWER = "7A1C0DE0-0000-4000-8000-0000000000A1", "7a1c0de0-0000-4000-8000-0000000000a1"
TWO = [("u", "o", "control", "2026-03-01"), ("v", "o", "b", "2026-03-01")]


def told(*rows, format="revenuecat-webhooks", header=None, events=(), **job):
    """`group → (charges, net)` and the reasons of the log."""
    lines = [header] * bool(header) + [row if isinstance(row, str) else json.dumps(row) for row in rows]
    outcome = ran(list(events), METRICS, logs={"log": ({"format": format}, "\n".join(lines))}, **job)
    rows = {key[1]: row for key, row in outcome.statistics.items() if key[2:] == ("all", "charges")}
    sums = {group: (row["sum_y"], outcome.statistics["o", group, "all", "revenue_net"]["sum_y"]) for group, row in rows.items() if row["sum_y"]}
    return sums, dict(next(account for path, account in outcome.accounts.items() if path.endswith("log")).aside)


class Aliases(unittest.TestCase):
    def test_ids_told_together_are_one_customer_whatever_their_order(self):
        names = Identities([], [], [{"a", "b"}, {"d", "c"}, {"c", "b"}, {"x"}, set()])
        self.assertEqual([names.of(name) for name in "abcdx"], ["a"] * 4 + ["x"])

    def test_a_table_and_transfers_lead_on_from_there(self):
        names = Identities([("anon", "u")], [(1, "old", "new")], [{"anon", "b"}, {"old", "c"}])
        self.assertEqual([names.of(name) for name in ("b", "anon")], [names.of("u")] * 2)
        self.assertEqual([names.of(name) for name in ("c", "old")], [names.of("new")] * 2)
        self.assertNotEqual(names.of("u"), names.of("new"))

    def test_who_bought_before_they_signed_up_is_who_they_are_since(self):
        before = hook("INITIAL_PURCHASE", app_user_id="$RCAnonymousID:1", original_app_user_id="$RCAnonymousID:1")
        signed_up = hook("RENEWAL", "2026-03-09", transaction_id="2", aliases=["$RCAnonymousID:1", "u"])
        self.assertEqual(told(before), ({}, {"unassigned": 1}))
        self.assertEqual(told(before, signed_up), ({"control": (2, 15_980_000)}, {}))

    def test_other_rows_say_whose_ids_are_whose_too(self):
        before = hook("INITIAL_PURCHASE", app_user_id="anon")
        alias = hook("SUBSCRIBER_ALIAS", app_user_id="u", aliases=["anon"])
        self.assertEqual(told(before, alias), ({"control": (1, 7_990_000)}, {}))
        changed = hook("PRODUCT_CHANGE", app_user_id="u", aliases=["anon"])
        self.assertEqual(told(before, changed), ({"control": (1, 7_990_000)}, {"not_measured": 1}))
        late = hook("SUBSCRIBER_ALIAS", "2026-04-01", app_user_id="u", aliases=["anon"])  # not known yet
        self.assertEqual(told(before, late)[0], {})

    def test_an_exports_two_columns_are_one_customer(self):
        header = COLUMNS + ",rc_last_seen_app_user_id_alias"
        rows = [transaction(header, rc_original_app_user_id="anon", rc_last_seen_app_user_id_alias="u"),
                transaction(header, rc_original_app_user_id="anon", rc_last_seen_app_user_id_alias="anon", store_transaction_id="2", renewal_number="2")]
        self.assertEqual(told(*rows, format="revenuecat-export", header=header), ({"control": (2, 15_980_000)}, {}))

    def test_what_nobody_paid_for_tells_whose_ids_are_whose_all_the_same(self):
        before = hook("INITIAL_PURCHASE", app_user_id="anon")
        for more, reason in (({"is_family_share": True}, "family_shared"), ({"price_in_purchased_currency": None}, "missing_price")):
            later = hook("RENEWAL", "2026-03-09", transaction_id="2", aliases=["anon", "u"], **more)
            self.assertEqual(told(before, later), ({"control": (1, 7_990_000)}, {reason: 1}))
        test = hook("RENEWAL", "2026-03-09", transaction_id="2", aliases=["anon", "u"], environment="SANDBOX")
        self.assertEqual(told(before, test), ({}, {"unassigned": 1, "sandbox": 1}))

    def test_so_does_an_exports_row(self):
        header = COLUMNS + ",rc_last_seen_app_user_id_alias,store,end_time"
        ids = {"rc_original_app_user_id": "anon", "rc_last_seen_app_user_id_alias": "u", "store_transaction_id": "2"}
        before = transaction(header, rc_original_app_user_id="anon", rc_last_seen_app_user_id_alias="anon")
        for more, reason in (({"ownership_type": "FAMILY_SHARED"}, "family_shared"), ({"store": "promotional"}, "not_measured"),
                             ({"end_time": "2026-03-01 00:00:00"}, "not_measured")):
            self.assertEqual(told(before, transaction(header, **ids, **more), format="revenuecat-export", header=header),
                             ({"control": (1, 7_990_000)}, {reason: 1}), more)

    def test_two_assigned_ids_of_one_customer_are_in_two_groups(self):
        sums, aside = told(hook("INITIAL_PURCHASE", aliases=["v"]), assigned=TWO)
        self.assertEqual((sums, aside), ({}, {"excluded_user": 1}))


class Chains(unittest.TestCase):
    def told(self, *rows, **job):
        return told(*rows, format="app-store-notifications", **job)

    def test_a_notification_without_a_token_is_its_chains(self):
        chain = {"originalTransactionId": "1"}
        bought = notification("SUBSCRIBED", sold=chain)
        renewed = notification("DID_RENEW", at="2026-03-09", uuid="b", sold=chain | {"transactionId": "2", "appAccountToken": None})
        other = notification("DID_RENEW", at="2026-03-16", uuid="c", sold=chain | {"transactionId": "3", "appAccountToken": "w"})
        self.assertEqual(self.told(bought, renewed, other), ({"control": (3, 23_970_000)}, {}))
        self.assertEqual(self.told(renewed), ({}, {"unassigned": 1}))
        self.assertEqual(self.told(renewed, identities="i.csv", **{"i.csv": "alias,user\n1,u\n"}), ({"control": (1, 7_990_000)}, {}))

    def test_nobody_at_all_is_a_missing_field(self):
        self.assertEqual(self.told(notification("SUBSCRIBED", sold={"appAccountToken": None})), ({}, {"missing_field": 1}))


class Letters(unittest.TestCase):
    def test_a_uuid_is_compared_in_lower_case_and_no_other_id(self):
        self.assertEqual([folded(text) for text in (UPPER, "U1", "{" + UPPER + "}", UPPER.replace("-", ""), UPPER + " ")],
                         [LOWER, "U1", "{" + UPPER + "}", UPPER.replace("-", ""), UPPER + " "])

    def test_in_every_input(self):
        assigned = [(UPPER, "o", "control", "2026-03-01")]
        bought = [charge("2026-03-02", userId=LOWER.replace("a1", "A1"), transactionId=UPPER),
                  {"userId": "w", "eventType": "refund", "occurredAt": "2026-03-03", "transactionId": LOWER}]
        self.assertEqual(told(hook("INITIAL_PURCHASE", app_user_id=LOWER), events=bought, assigned=assigned)[0], {"control": (2, 7_990_000)})


class ChargesOfOthers(unittest.TestCase):
    def back(self, user, kind="refund", **more):
        return {"userId": user, "eventType": kind, "occurredAt": "2026-03-05", "transactionId": "1"} | more

    def told(self, *events):
        outcome = ran(list(events), METRICS, TWO)
        return [outcome.statistics["o", group, "all", "revenue_net"]["sum_y"] for group in ("control", "b")], dict(next(
            account for path, account in outcome.accounts.items() if "p.jsonl" in path).aside)

    def test_a_refund_finds_its_charge_whoever_its_user_is_said_to_be(self):
        bought = charge("2026-03-02", transactionId="1")
        for user in ("u", "v", "nobody"):
            self.assertEqual(self.told(bought, self.back(user)), ([0, 0], {}), user)
        self.assertEqual(self.told(self.back("nobody")), ([0, 0], {"unassigned": 1}))

    def test_a_charge_of_ones_own_comes_first(self):
        events = [charge("2026-03-02", transactionId="1"), charge("2026-03-01", transactionId="1", userId="v"), self.back("u")]
        self.assertEqual(self.told(*events), ([0, 10_000_000], {}))

    def test_of_an_orders_items_that_of_the_product_is_taken_back(self):
        items = [charge("2026-03-02", str(price), transactionId="1", productId=product) for product, price in (("p", 4), ("q", 6))]
        logs = {"orders": ({"format": "events", "items": True}, "\n".join(map(json.dumps, items)))}
        for product, net in (("p", 6), ("q", 4), (None, 4)):
            outcome = ran([self.back("u", **({"productId": product} if product else {}))], METRICS, logs=logs)
            self.assertEqual(outcome.statistics["o", "control", "all", "revenue_net"]["sum_y"], net * 1_000_000, product)

    def test_the_refund_of_a_strangers_charge_is_the_strangers(self):
        self.assertEqual(self.told(charge("2026-03-02", transactionId="1", userId="nobody"), self.back("u")), ([0, 0], {"unassigned": 2}))

    def test_so_does_an_expiry(self):
        bought = charge("2026-03-02", transactionId="1")
        states = ran([bought, self.back("v", "expire")], [], TWO).states
        self.assertEqual({key[1:] for key, users in states.items() if users}, {("control", "expired"), ("b", "never")})


class Enrolments(unittest.TestCase):
    def test_the_enrolled_are_the_population_of_a_logged_test(self):
        enrolled = [hook("EXPERIMENT_ENROLLMENT", at, app_user_id=user, experiment_id="o", experiment_variant=group)
                    for user, group, at in (("u", "a", "2026-03-01"), ("v", "b", "2026-03-02"), ("w", "b", "2026-03-02"))]
        bought = hook("INITIAL_PURCHASE", "2026-03-03", app_user_id="v")
        text = "\n".join(map(json.dumps, [*enrolled, bought, hook("INITIAL_PURCHASE", "2026-03-03", app_user_id="x", transaction_id="2")]))
        outcome = ran([], METRICS, logs={"log": ({"format": "revenuecat-webhooks"}, text)}, assignments=[], population="logged")
        self.assertEqual({key[1]: (row["n"], row["sum_y"]) for key, row in outcome.statistics.items() if key[3] == "charges"}, {"a": (1, 0), "b": (2, 1)})
        self.assertEqual({member.user: member.at for member in outcome.attributed.members}["u"], 1772323200000)


if __name__ == "__main__":
    unittest.main()
