"""Rows of each format by hand: what they say, and one story told in all of them.

    python3 test_formats.py
"""

import base64
import json
import unittest

from identities import Identities
from test_model import charge, ran
from values import rfc3339, time_millis

METRICS = [
    {"name": name, "window": "none", "id": name} for name in ("revenue_gross", "revenue_net", "charges", "trial_start_rate")
] + [{"name": "event_count", "event": kind, "id": kind, "window": "none"} for kind in (
    "renewal", "billing_recovery", "billing_retry", "cancel", "expire", "extend", "activation", "validation_failed", "no_offering",
    "auth_invalid", "server_error", "already_subscribed", "offering_served", "plan_view")]


def told(format, *rows, header=None, events=(), **job):
    """What one log of this format makes of the user `u`: sums by metric, reasons, and the outcome."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    entry = {"format": format} | job.pop("entry", {})
    logs = {"log": (entry, "\n".join([header] * bool(header) + lines))} | job.pop("logs", {})
    outcome = ran(list(events), METRICS, logs=logs, **job)
    account = next(account for path, account in outcome.accounts.items() if path.endswith("log"))
    sums = {key[3]: row["sum_y"] for key, row in outcome.statistics.items() if row["sum_y"]}
    return sums, dict(account.aside), outcome


def millis(day):
    return time_millis(day)


def notification(name, subtype=None, at="2026-03-02", uuid="n", sold=(), renewal=(), **data):
    transaction = {"appAccountToken": "u", "productId": "p", "transactionId": "1", "purchaseDate": millis(at),
                   "price": 7990, "currency": "USD"} | dict(sold)
    return {"notificationType": name, "subtype": subtype, "notificationUUID": uuid, "signedDate": millis(at),
            "data": {"environment": "Production", "signedTransactionInfo": transaction, "signedRenewalInfo": dict(renewal)} | data}


def jws(fields):
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in ("{}", json.dumps(fields), "x"))


class AppStore(unittest.TestCase):
    def told(self, *rows, **job):
        return told("app-store-notifications", *rows, **job)

    def test_prices_are_thousandths_and_a_recovery_goes_with_its_renewal(self):
        sums, aside, _ = self.told(notification("SUBSCRIBED", "INITIAL_BUY"),
                                   notification("DID_RENEW", "BILLING_RECOVERY", "2026-03-09", "m", {"transactionId": "2"}))
        self.assertEqual((sums["revenue_gross"], sums["renewal"], sums["billing_recovery"], aside), (15_980_000, 1, 1, {}))

    def test_wrapped_nested_and_paged_payloads_say_the_same(self):
        plain = notification("DID_RENEW", uuid="a")
        nested = notification("DID_RENEW", uuid="b", sold={"transactionId": "2"})
        nested["data"]["signedTransactionInfo"] = jws(nested["data"]["signedTransactionInfo"])
        page = {"notificationHistory": [{"signedPayload": jws(notification("DID_RENEW", uuid="c", sold={"transactionId": "3"}))},
                                        {"signedPayload": jws({"notificationType": "TEST"})}, {"signedPayload": "x"}]}
        sums, aside, outcome = self.told(plain, {"signedPayload": jws(nested)}, page, {"notificationHistory": []})
        self.assertEqual((sums["charges"], aside), (3, {"not_measured": 2, "malformed": 1}))
        self.assertEqual(outcome.notices.not_measured, {"TEST": 1, "empty page": 1})
        self.assertEqual(next(a.rows for path, a in outcome.accounts.items() if path.endswith("log")), 6)

    def test_a_restore_is_the_same_charge_and_its_refund_finds_it(self):
        first = notification("SUBSCRIBED", uuid="a", sold={"webOrderLineItemId": "w"})
        again = notification("SUBSCRIBED", "RESUBSCRIBE", "2026-03-05", "b", {"webOrderLineItemId": "w", "transactionId": "2"})
        back = notification("REFUND", at="2026-03-06", uuid="c", sold={
            "webOrderLineItemId": "w", "transactionId": "2", "revocationPercentage": 40000, "revocationDate": millis("2026-03-05")})
        sums, aside, _ = self.told(first, again, back)
        self.assertEqual((sums["revenue_net"], aside), (4_794_000, {"duplicate": 1}))
        sums, _, _ = self.told(first, back, notification("REFUND_REVERSED", at="2026-03-07", uuid="d", sold={"webOrderLineItemId": "w"}))
        self.assertEqual(sums["revenue_net"], 7_990_000)

    def test_types_subtypes_and_faults(self):
        rows = [notification("SUBSCRIBED", uuid="a", sold={"offerDiscountType": "FREE_TRIAL", "price": None}),
                notification("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", uuid="b"),
                notification("GRACE_PERIOD_EXPIRED", uuid="c"), notification("DID_FAIL_TO_RENEW", "GRACE_PERIOD", uuid="d"),
                notification("DID_RENEW", "SOMEHOW", uuid="e"),
                notification("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", uuid="f"), notification("OFFER_REDEEMED", "DOWNGRADE", uuid="m"),
                notification("RENEWAL_EXTENDED", uuid="n", sold={"expiresDate": millis("2026-03-20")}),
                notification("DID_RENEW", uuid="o", sold={"inAppOwnershipType": "FAMILY_SHARED", "price": None}), notification("DID_CHANGE_RENEWAL_STATUS", uuid="g"),
                notification("DID_RENEW", uuid="h", sold={"price": None}), notification("DID_RENEW", uuid="i", sold={"currency": None}),
                notification("DID_RENEW", uuid="j", sold={"appAccountToken": None}), notification("DID_RENEW", uuid="k", environment="Sandbox"),
                notification("DID_RENEW", uuid="l", sold={"inAppOwnershipType": "FAMILY_SHARED"})]
        sums, aside, outcome = self.told(*rows)
        self.assertEqual(sums, {"revenue_gross": 7_990_000, "revenue_net": 7_990_000, "charges": 1, "trial_start_rate": 1,
                                "renewal": 1, "billing_retry": 1, "cancel": 1, "expire": 1, "extend": 1})
        self.assertEqual(aside, {"not_measured": 3, "missing_price": 1, "missing_field": 2, "sandbox": 1, "family_shared": 2})
        self.assertEqual(outcome.notices.not_measured, {"DID_CHANGE_RENEWAL_PREF/DOWNGRADE": 1, "OFFER_REDEEMED/DOWNGRADE": 1, "DID_CHANGE_RENEWAL_STATUS": 1})
        self.assertEqual(outcome.notices.unknown_values, {"subtype=SOMEHOW": 1})

    def test_the_user_may_be_the_original_transaction(self):
        row = notification("DID_RENEW", sold={"appAccountToken": None, "originalTransactionId": "o1"})
        job = {"entry": {"user": "originalTransactionId"}, "identities": "i.csv", "i.csv": "alias,user\no1,u\n"}
        self.assertEqual(self.told(row, **job)[0]["charges"], 1)


LIFE_COLUMNS = ",end_time,effective_end_time,unsubscribe_detected_at,billing_issues_detected_at"
COLUMNS = ("rc_original_app_user_id,product_identifier,start_time,is_trial_period,is_auto_renewable,renewal_number,"
           "store_transaction_id,purchase_price_in_purchased_currency,price_in_purchased_currency,purchased_currency,"
           "refunded_at,updated_at,store,is_sandbox,ownership_type")


def transaction(columns=None, **fields):
    names = (columns or COLUMNS).split(",")
    row = {"rc_original_app_user_id": "u", "product_identifier": "p", "start_time": "2026-03-02 10:00:00", "is_trial_period": "f",
           "is_auto_renewable": "t", "renewal_number": "1", "store_transaction_id": "1", "purchased_currency": "USD",
           "purchase_price_in_purchased_currency": "7.99", "price_in_purchased_currency": "7.99",
           "updated_at": "2026-03-02 11:00:00", "store": "app_store", "is_sandbox": "f"} | fields
    return ",".join(row.get(name) or "" for name in names)


class Export(unittest.TestCase):
    def told(self, *rows, **job):
        return told("revenuecat-export", *rows, header=COLUMNS, **job)

    def test_the_latest_snapshot_is_the_row(self):
        old = transaction(price_in_purchased_currency="3", refunded_at="2026-03-03 00:00:00")
        new = transaction(updated_at="2026-03-09 00:00:00", start_time="2026-03-02 10:00:01")
        for rows in ([old, new], [new, old]):
            sums, aside, _ = self.told(*rows)
            self.assertEqual((sums["revenue_net"], aside), (7_990_000, {"duplicate": 1}))

    def test_net_below_gross_is_a_refund_at_its_time(self):
        back = transaction(price_in_purchased_currency="3.9900004", refunded_at="2026-03-31 23:59:59")
        late = transaction(price_in_purchased_currency="0", refunded_at="2026-04-01 00:00:00")
        self.assertEqual(self.told(back)[0]["revenue_net"], 3_990_000)
        self.assertEqual(self.told(late)[0]["revenue_net"], 7_990_000)

    def test_kinds_of_rows(self):
        rows = [transaction(is_trial_period="true", store_transaction_id="2", purchase_price_in_purchased_currency=None),
                transaction(renewal_number="2", store_transaction_id="3"), transaction(is_auto_renewable="false", store_transaction_id="4"),
                transaction(store_transaction_id="5", purchase_price_in_purchased_currency=None),
                transaction(store_transaction_id="6", store="promotional"), transaction(store_transaction_id="7", is_sandbox="true"),
                transaction(store_transaction_id="8", ownership_type="FAMILY_SHARED")]
        sums, aside, _ = self.told(*rows)
        self.assertEqual((sums["charges"], sums["renewal"], sums["trial_start_rate"]), (2, 1, 1))
        self.assertEqual(aside, {"missing_price": 1, "not_measured": 1, "sandbox": 1, "family_shared": 1})

    def lived(self, *rows, **job):
        rows = [transaction(COLUMNS + LIFE_COLUMNS, **{"end_time": "2026-03-09 10:00:00"} | row) for row in rows]
        return told("revenuecat-export", *rows, header=COLUMNS + LIFE_COLUMNS, **job)

    def test_a_grace_that_ended_unpaid_is_an_expiry(self):
        failed = {"billing_issues_detected_at": "2026-03-09 10:00:00", "effective_end_time": "2026-03-15 10:00:00"}
        renewed = {"start_time": "2026-03-12 10:00:00", "end_time": "2026-03-19 10:00:00", "renewal_number": "2", "store_transaction_id": "2"}
        sums, _, outcome = self.lived(failed)
        self.assertEqual((sums["billing_retry"], sums["expire"]), (1, 1))
        self.assertEqual({state for (_, _, state), users in outcome.states.items() if users}, {"expired"})
        sums, _, _ = self.lived(failed, renewed)
        self.assertEqual((sums["billing_retry"], sums["billing_recovery"], "expire" in sums), (1, 1, False))
        sums, _, outcome = self.lived(failed | {"effective_end_time": "2026-04-15 10:00:00"})
        self.assertEqual(("expire" in sums, {state for (_, _, state), users in outcome.states.items() if users}), (False, {"billing_retry"}))

    def test_renewal_turned_off(self):
        sums, _, outcome = self.lived({"unsubscribe_detected_at": "2026-03-30 10:00:00", "end_time": "2026-04-09 10:00:00"})
        self.assertEqual((sums["cancel"], {state for (_, _, state), users in outcome.states.items() if users}), (1, {"set_to_expire"}))

    def test_version_three_knows_what_was_taken_back_from_older_snapshots(self):
        columns = COLUMNS.replace("purchase_price_in_purchased_currency,", "")
        before = transaction(columns)
        after = transaction(columns, price_in_purchased_currency="2.99", refunded_at="2026-03-05 00:00:00", updated_at="2026-03-06 00:00:00")
        for rows, gross, net in [([before, after], 7_990_000, 2_990_000), ([after], 2_990_000, 2_990_000)]:
            sums, _, _ = told("revenuecat-export", *rows, header=columns)
            self.assertEqual((sums["revenue_gross"], sums["revenue_net"]), (gross, net))

    def test_prices_are_rounded_half_to_even(self):
        for text, micros in [("0.0000005", 0), ("0.0000015", 2), ("1.00000050000001", 1_000_001)]:
            row = transaction(purchase_price_in_purchased_currency=text, price_in_purchased_currency=text)
            self.assertEqual(self.told(row)[0].get("revenue_gross", 0), micros)


def hook(kind, at="2026-03-02", **fields):
    return {"event": {"type": kind, "id": kind + at, "app_user_id": "u", "product_id": "p", "transaction_id": "1",
                      "event_timestamp_ms": millis(at), "purchased_at_ms": millis(at), "environment": "PRODUCTION",
                      "price_in_purchased_currency": 7.99, "currency": "USD"} | fields}


class Webhooks(unittest.TestCase):
    def told(self, *rows, **job):
        return told("revenuecat-webhooks", *rows, **job)

    def test_a_cancellation_of_a_negative_price_is_a_refund(self):
        paid = hook("INITIAL_PURCHASE")
        for reason in ("CUSTOMER_SUPPORT", "UNSUBSCRIBE", None):
            back = hook("CANCELLATION", "2026-03-05", cancel_reason=reason, price_in_purchased_currency=-3)
            self.assertEqual(self.told(paid, back)[0]["revenue_net"], 4_990_000)
        trial = hook("CANCELLATION", "2026-03-05", cancel_reason="CUSTOMER_SUPPORT", price_in_purchased_currency=0)
        sums, aside, _ = self.told(paid, trial)
        self.assertEqual((sums["revenue_net"], sums["cancel"], aside), (7_990_000, 1, {}))
        sums, _, outcome = self.told(paid, hook("CANCELLATION", "2026-03-05", cancel_reason="A_WHIM"))
        self.assertEqual((sums["revenue_net"], sums["cancel"], outcome.notices.unknown_values), (7_990_000, 1, {"cancel_reason=A_WHIM": 1}))

    def test_a_billing_error_is_the_billing_issue_told_again(self):
        failed = [hook("BILLING_ISSUE", "2026-03-09"), hook("CANCELLATION", "2026-03-09", cancel_reason="BILLING_ERROR", price_in_purchased_currency=0)]
        sums, aside, _ = self.told(hook("INITIAL_PURCHASE"), *failed)
        self.assertEqual((sums["billing_retry"], "cancel" in sums, aside), (1, False, {"duplicate": 1}))
        sums, _, _ = self.told(hook("INITIAL_PURCHASE"), *failed, hook("RENEWAL", "2026-03-12", transaction_id="2"))
        self.assertEqual(sums["billing_recovery"], 1)

    def test_a_transactions_renewals_are_told_apart_by_number(self):
        charges = [hook("RENEWAL", f"2026-03-0{number}", renewal_number=number) for number in (2, 3, 4)]
        sums, _, _ = self.told(*charges)
        self.assertEqual((sums["charges"], sums["revenue_gross"]), (3, 23_970_000))
        back = hook("CANCELLATION", "2026-03-09", renewal_number=3, price_in_purchased_currency=-7.99)
        sums, _, outcome = self.told(*charges, back)
        self.assertEqual(sums["revenue_net"], 15_980_000)
        rows = [transaction(start_time=f"2026-03-0{number}", renewal_number=str(number)) for number in (2, 3, 4)]
        export = {"export": ({"format": "revenuecat-export"}, "\n".join([COLUMNS, *rows]))}
        outcome = ran([], METRICS, logs=export | {"log": ({"format": "revenuecat-webhooks"}, "\n".join(map(json.dumps, charges)))})
        self.assertEqual(outcome.statistics["o", "control", "all", "revenue_gross"]["sum_y"], 23_970_000)

    def test_a_charges_own_tax_and_commission(self):
        metric = [{"name": "proceeds", "window": "none", "id": "x"}]
        for shares, net in [({}, 5_593_000), ({"commission_percentage": 0.15}, 6_791_500), ({"tax_percentage": 0.1, "commission_percentage": 0.15}, 5_992_500)]:
            rows = {"log": ({"format": "revenuecat-webhooks"}, json.dumps(hook("INITIAL_PURCHASE", **shares)))}
            self.assertEqual(ran([], metric, logs=rows).statistics["o", "control", "all", "x"]["sum_y"], net)

    def test_kinds_retries_and_the_rest(self):
        sums, aside, outcome = self.told(
            hook("INITIAL_PURCHASE", period_type="TRIAL"), hook("RENEWAL", transaction_id="2"), hook("RENEWAL", transaction_id="2"),
            hook("NON_RENEWING_PURCHASE", transaction_id="3"), hook("EXPIRATION"), hook("BILLING_ISSUE"), hook("PRODUCT_CHANGE"),
            hook("RENEWAL", "2026-03-03", transaction_id="4", price_in_purchased_currency=None), hook("RENEWAL", "2026-03-04", is_family_share=True),
            hook("RENEWAL", "2026-03-05", environment="SANDBOX"))
        self.assertEqual((sums["charges"], sums["trial_start_rate"], sums["expire"], sums["billing_retry"]), (2, 1, 1, 1))
        self.assertEqual(aside, {"duplicate": 1, "not_measured": 1, "missing_price": 1, "family_shared": 1, "sandbox": 1})
        self.assertEqual(outcome.notices.not_measured, {"PRODUCT_CHANGE": 1})

    def test_a_transfer_moves_what_the_old_user_did(self):
        moved = hook("TRANSFER", app_user_id=None, transferred_from=["old"], transferred_to=["z", "u"])
        sums, aside, _ = self.told(hook("INITIAL_PURCHASE", app_user_id="old"), moved)
        self.assertEqual((sums["charges"], aside), (1, {}))

    def test_the_owner_of_a_transfer_is_named_by_the_app_and_all_its_ids_are_one(self):
        moved = hook("TRANSFER", app_user_id=None, transferred_from=["old"], transferred_to=["$RCAnonymousID:1", "z", "u"])
        sums, aside, _ = self.told(hook("INITIAL_PURCHASE", app_user_id="$RCAnonymousID:1"), hook("RENEWAL", transaction_id="2", app_user_id="z"), moved)
        self.assertEqual((sums["charges"], aside), (2, {}))


class ApiLog(unittest.TestCase):
    def test_answers_are_events_without_money(self):
        def line(endpoint, response, **more):
            return {"userId": "u", "occurredAt": "2026-03-02", "endpoint": endpoint, "response": response} | more

        offering, upgrade = "/v1/getSubscriptionOffering", "/api/subscription/upgrade"
        sums, aside, outcome = told(
            "api-log", line(offering, {"Success": 1, "Body": {"offeringId": "o", "testGroupId": "b"}}), line(offering, {"Success": 1, "Body": None}),
            line(offering, {"Success": 5, "Body": {}}), line(offering, {"Success": 0}), line("/own", {}), line("/health", {}),
            line(upgrade, {"success": True, "transaction_id": "9"}), line(upgrade, {"success": False, "error_code": 21003}),
            line(upgrade, {"success": False, "error_code": 21007}, occurredAt="2026-03-03"),
            line(upgrade, {"success": False, "message": "Subscription is already active"}),
            line("/subscription/purchase", {"success": False}, occurredAt="2026-03-04"), line(offering, None), line(None, {}),
            line("/subscription/purchase", {"success": True}), entry={"endpoints": {"/own": "/api/subscription/plan-info"}})
        self.assertEqual(sums, {"offering_served": 1, "no_offering": 1, "auth_invalid": 1, "server_error": 1, "plan_view": 1, "activation": 1,
                                "validation_failed": 2, "already_subscribed": 1})
        self.assertEqual(aside, {"not_measured": 1, "malformed": 1, "missing_field": 1, "sandbox": 1, "duplicate": 1})


class Feeds(unittest.TestCase):
    def test_one_charge_and_one_refund_in_two_feeds_count_once(self):
        native = [charge("2026-03-02T01:00:00Z", "7.99", transactionId="1"),
                  {"userId": "u", "eventType": "refund", "occurredAt": "2026-03-05", "transactionId": "1", "price": "2"},
                  {"userId": "u", "eventType": "refund", "occurredAt": "2026-03-06", "transactionId": "1", "price": "2"}]
        hooks = [hook("INITIAL_PURCHASE"), hook("CANCELLATION", "2026-03-07", cancel_reason="CUSTOMER_SUPPORT", price_in_purchased_currency=-2)]
        sums, aside, _ = told("revenuecat-webhooks", *hooks, events=native)
        self.assertEqual((sums["charges"], sums["revenue_net"]), (1, 3_990_000))
        other = hook("CANCELLATION", "2026-03-07", cancel_reason="CUSTOMER_SUPPORT", price_in_purchased_currency=-5)
        self.assertEqual(told("revenuecat-webhooks", other, events=native)[0]["revenue_net"], 2_990_000)

    def test_the_largest_sum_that_one_feed_tells_is_taken_back(self):
        bought = notification("SUBSCRIBED", sold={"price": 9990})
        apple = {"apple": ({"format": "app-store-notifications"}, "\n".join(map(json.dumps, [bought, notification(
            "REFUND", at="2026-03-05", uuid="r", sold={"price": 9990, "revocationPercentage": 33333, "revocationDate": millis("2026-03-05")})])))}
        hooks = [hook("INITIAL_PURCHASE", price_in_purchased_currency=9.99),
                 hook("CANCELLATION", "2026-03-05", price_in_purchased_currency=-3.33)]
        self.assertEqual(told("revenuecat-webhooks", *hooks, logs=apple)[0]["revenue_net"], 6_660_000)

    def test_a_refund_after_all_was_restored_is_no_copy_however_little_it_takes(self):
        bought = notification("SUBSCRIBED", sold={"price": 1})
        rows = [bought, notification("REFUND", at="2026-03-05", uuid="r", sold={"price": 1, "revocationDate": millis("2026-03-05")}),
                notification("REFUND_REVERSED", at="2026-03-06", uuid="v", sold={"price": 1})]
        native = [{"userId": "u", "eventType": kind, "occurredAt": at, "transactionId": "1"}
                  for kind, at in (("refund_reversal", "2026-03-06"), ("refund", "2026-03-07"))]
        sums, aside, outcome = told("app-store-notifications", *rows, events=native)
        of_native = next(dict(account.aside) for path, account in outcome.accounts.items() if "p.jsonl" in path)
        self.assertEqual((sums.get("revenue_net", 0), aside, of_native), (0, {"duplicate": 1}, {}))

    def test_a_share_told_again_replaces_the_one_before(self):
        rows = [notification("SUBSCRIBED")] + [notification("REFUND", at=f"2026-03-0{day}", uuid=str(day), sold={
            "revocationPercentage": share, "revocationDate": millis(f"2026-03-0{day}")}) for day, share in ((4, 20000), (6, 50000))]
        self.assertEqual(told("app-store-notifications", *rows)[0]["revenue_net"], 3_995_000)

    def test_turns_of_a_subscription_are_told_once_over_feeds(self):
        native = [{"userId": "u", "eventType": kind, "occurredAt": at, "productId": "p"} for kind, at in (
            ("cancel", "2026-03-03"), ("uncancel", "2026-03-04"), ("cancel", "2026-03-05"), ("expire", "2026-03-09"))]
        hooks = [hook("CANCELLATION", "2026-03-03T00:00:01Z", price_in_purchased_currency=0), hook("EXPIRATION", "2026-03-09T00:00:05Z")]
        sums, aside, _ = told("revenuecat-webhooks", *hooks, events=native)
        self.assertEqual((sums["cancel"], sums["expire"], aside), (2, 1, {"duplicate": 2}))

    def test_one_story_in_every_format(self):
        stories = {
            "app-store-notifications": [
                notification("SUBSCRIBED", uuid="1"), notification("DID_RENEW", at="2026-03-09", uuid="2", sold={"transactionId": "2"}),
                notification("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", "2026-03-10", "3"), notification("EXPIRED", at="2026-03-16", uuid="4"),
                notification("REFUND", at="2026-03-17", uuid="5", sold={"transactionId": "2"})],
            "revenuecat-webhooks": [
                hook("INITIAL_PURCHASE"), hook("RENEWAL", "2026-03-09", transaction_id="2"), hook("CANCELLATION", "2026-03-10"),
                hook("EXPIRATION", "2026-03-16"), hook("CANCELLATION", "2026-03-17", cancel_reason="CUSTOMER_SUPPORT", transaction_id="2",
                                                       price_in_purchased_currency=-7.99)],
            "events": [
                charge("2026-03-02", "7.99", transactionId="1"), charge("2026-03-09", "7.99", transactionId="2", eventType="renewal"),
                *({"userId": "u", "eventType": kind, "occurredAt": at, "transactionId": "2"}
                  for kind, at in [("cancel", "2026-03-10"), ("expire", "2026-03-16"), ("refund", "2026-03-17")])],
        }
        expected = {"revenue_gross": 15_980_000, "revenue_net": 7_990_000, "charges": 2, "renewal": 1, "cancel": 1, "expire": 1}
        for format, rows in stories.items():
            self.assertEqual(told(format, *rows)[0], expected, format)
        rows = [transaction(start_time="2026-03-02"), transaction(
            start_time="2026-03-09", store_transaction_id="2", renewal_number="2", price_in_purchased_currency="0", refunded_at="2026-03-17")]
        sums, _, _ = told("revenuecat-export", *rows, header=COLUMNS)
        self.assertEqual(sums, {name: expected[name] for name in ("revenue_gross", "revenue_net", "charges", "renewal")})


class Aliases(unittest.TestCase):
    def test_chains_are_followed_and_circles_are_not(self):
        names = Identities([("a", "b"), ("b", "c"), ("x", "y"), ("y", "x"), ("v", "x"), ("t", "1"), ("t", "2"), ("s", "s")])
        self.assertEqual([names.of(name) for name in "abcxyvts"], ["c", "c", "c", "x", "y", "x", "t", "s"])
        self.assertEqual((names.circling, names.conflicts), ({"x", "y"}, {"t"}))

    def test_the_latest_transfer_counts_and_the_table_before_it(self):
        names = Identities([("b", "u")], [(2, "a", "late"), (1, "a", "early"), (3, "b", "other")])
        self.assertEqual([names.of("a"), names.of("b")], ["late", "u"])


def post(name, at="2026-03-02", **data):
    """A webhook of Superwall's."""
    told = {"id": f"{at}:{name}", "ts": millis(at), "purchasedAt": millis(at), "originalAppUserId": "u", "productId": "p", "transactionId": "1",
            "originalTransactionId": "o", "priceInPurchasedCurrency": 7.99, "currencyCode": "USD", "store": "APP_STORE"} | data
    return {"object": "event", "type": name, "projectId": 1, "timestamp": millis(at), "data": told}


class Superwall(unittest.TestCase):
    def told(self, *rows, **job):
        return told("superwall-webhooks", *rows, **job)

    def test_a_price_below_0_is_money_back_and_a_period_for_nothing_a_trial(self):
        sums, aside, _ = self.told(post("initial_purchase"), post("cancellation", "2026-03-05", priceInPurchasedCurrency=-3))
        self.assertEqual((sums["revenue_net"], "cancel" in sums, aside), (4_990_000, False, {}))
        for row in (post("initial_purchase", priceInPurchasedCurrency=0), post("initial_purchase", priceInPurchasedCurrency=None, periodType="TRIAL")):
            sums, _, _ = self.told(row, post("renewal", "2026-03-09", transactionId="2", periodType="TRIAL"))
            self.assertEqual((sums["trial_start_rate"], sums["charges"], sums["renewal"]), (1, 1, 1))

    def test_the_organizer_of_a_family_pays_and_its_members_do_not(self):
        self.assertEqual(self.told(post("renewal", isFamilyShare=True))[0]["revenue_net"], 7_990_000)
        _, aside, _ = self.told(post("renewal", isFamilyShare=True, priceInPurchasedCurrency=0))
        self.assertEqual(aside, {"family_shared": 1})

    def test_a_plan_that_changes_for_nothing_is_not_measured(self):
        _, aside, outcome = self.told(post("product_change", priceInPurchasedCurrency=0, newProductId="q"), post("subscription_paused"))
        self.assertEqual((aside, outcome.notices.not_measured), ({"not_measured": 2}, {"product_change": 1, "subscription_paused": 1}))

    def test_without_an_id_of_the_app_it_is_of_whoever_has_the_subscription(self):
        sums, aside, _ = self.told(post("initial_purchase"), post("renewal", "2026-03-09", originalAppUserId=None, transactionId="2"))
        self.assertEqual((sums["charges"], aside), (2, {}))
        self.assertEqual(self.told(post("renewal", originalAppUserId=None))[1], {"unassigned": 1})


ADAPTYS = ["event_type", "event_datetime", "customer_user_id", "profile_id", "transaction_id", "product_id", "revenue_local", "currency", "paywall_name"]


def exported(name, at="2026-03-02", **fields):
    """A row of Adapty's."""
    row = {"event_type": name, "event_datetime": f"{at}T00:00:00.000000+0000", "customer_user_id": "u", "profile_id": "profile",
           "transaction_id": "1", "product_id": "p", "revenue_local": "7.99", "currency": "USD"} | fields
    return ",".join(row.get(column) or "" for column in ADAPTYS)


class Adapty(unittest.TestCase):
    def told(self, *rows, **job):
        return told("adapty-export", *rows, header=",".join(ADAPTYS), **job)

    def test_refunds_are_below_0_and_a_start_at_0_is_no_charge(self):
        back = exported("subscription_refunded", "2026-03-05", revenue_local="-3")
        sums, aside, _ = self.told(exported("subscription_started"), back, back)
        self.assertEqual((sums["revenue_net"], aside), (4_990_000, {"duplicate": 1}))
        sums, aside, outcome = self.told(exported("subscription_started", revenue_local="0.0"), exported("subscription_renewed"))
        self.assertEqual((sums["charges"], aside, outcome.notices.not_measured), (1, {"not_measured": 1}, {"subscription_started of 0": 1}))

    def test_either_id_is_the_customers(self):
        sums, _, _ = self.told(exported("subscription_started"), exported("subscription_renewed", transaction_id="2", customer_user_id=None))
        self.assertEqual(sums["charges"], 2)

    def test_a_billing_issue_and_its_grace_are_one_failed_renewal(self):
        failed = [exported(name, "2026-03-09") for name in ("billing_issue_detected", "entered_grace_period")]
        sums, aside, _ = self.told(exported("subscription_started"), *failed, exported("subscription_renewed", "2026-03-12", transaction_id="2"))
        self.assertEqual((sums["billing_retry"], sums["billing_recovery"], aside), (1, 1, {"duplicate": 1}))


if __name__ == "__main__":
    unittest.main()
