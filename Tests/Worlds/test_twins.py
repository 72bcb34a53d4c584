"""Twins worked out by hand, and a wrong one told.

    python3 test_twins.py
"""

from dataclasses import replace
from fractions import Fraction
import math
import os
import tempfile
import unittest

from comparisons import by_cell, decision_of, expected_rows, group_differences, role_differences
from estimates import cell_of, compare
from metrics import metric_id
from test_lifecycle import TABLE, event, sale
from test_model import charge, ran
from twins import published, speaking, with_twins

SETTINGS = {"confidence": 0.95, "tuning": 5000, "lift_interval": "fieller", "prior": None, "decide_by": "fixed", "adjust": "holm"}
PAYER = {"name": "revenue_net_per_payer", "window": "7d", "primary": True}
FIVE = [(user, "o", "control", "2026-03-01") for user in "uvwxy"]
HEADER = "offering_id,test_group_id,segment,metric,kind,window_days,users,immature,numerator,denominator,value,std_error,ci_low,ci_high"


def shares(kind, users, y, x=0):
    """The sums of a share: x began, y of them did it."""
    return {"kind": kind, "scale": 1, "n": users, "sum_y": y, "sum_yy": y, "sum_x": x, "sum_xx": x, "sum_xy": y}


def told(job, outcome, *lines):
    """What is told of a group_metrics.csv of these lines."""
    metrics = published(job["metrics"])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "group_metrics.csv"), "w", newline="") as file:
            file.write("\n".join([HEADER, *lines]) + "\n")
        return list(group_differences(folder, job, with_twins(metrics, outcome), by_cell(metrics)))


class Roles(unittest.TestCase):
    def roles(self, *metrics):
        return {metric_id(metric): (metric["kind"], bool(metric.get("primary")), metric["descriptive"]) for metric in published(metrics)}

    def test_the_primary_metrics_speak_or_else_the_first_that_is_no_guardrail(self):
        guard, one, two = {"name": "refund_rate", "guardrail": True}, {"name": "charges"}, {"name": "mrr"}
        self.assertEqual(speaking([guard, one, two | {"primary": True}]), [two | {"primary": True}])
        self.assertEqual(speaking([guard, one, two]), [one])
        self.assertEqual(speaking([guard]), [guard])

    def test_a_primary_ratio_hands_its_part_to_its_twin(self):
        self.assertEqual(self.roles(PAYER, {"name": "renewal_rate", "primary": True, "id": "=r"}, {"name": "charges"}), {
            "revenue_net_per_payer_7d": ("ratio", False, {True}), "revenue_net_per_payer_7d_per_user": ("mean", True, {False}),
            "=r": ("ratio", False, {True}), "=r_per_user": ("proportion", True, {False}), "charges": ("mean", False, {True})})

    def test_a_ratio_that_is_only_the_first_has_a_twin_that_is_not_primary(self):
        self.assertEqual(self.roles({"name": "count_ratio", "goal": "decrease"}, {"name": "refund_rate", "goal": "decrease"}), {
            "count_ratio": ("ratio", False, {True}), "count_ratio_per_user": ("mean", False, {False}),
            "refund_rate": ("ratio", False, {True})})

    def test_a_guardrail_stays_as_it_is(self):
        self.assertEqual(self.roles({"name": "refund_rate", "guardrail": True, "primary": True}, {"name": "charges"}),
                         {"refund_rate": ("ratio", True, {False}), "charges": ("mean", False, {True})})

    def test_retention_has_a_twin_where_it_speaks(self):
        self.assertEqual(self.roles({"name": "retention", "primary": True}, {"name": "mrr", "primary": True}), {
            "retention": ("survival", False, {True}), "retention_per_user": ("survival", True, {False}), "mrr": ("mean", True, {False})})
        self.assertEqual(set(self.roles({"name": "mrr"}, {"name": "retention"})), {"mrr", "retention"})

    def test_a_row_that_says_otherwise_is_told(self):
        twin, ratio = published([PAYER | {"goal": "increase"}])
        row = {"kind": "mean", "goal": "increase", "primary": "true", "guardrail": "false", "descriptive": "false"}
        self.assertEqual(list(role_differences("k", row, twin)), [])
        self.assertEqual(len(list(role_differences("k", row, ratio))), 3)  # its kind, that it is primary, and not described


class Sums(unittest.TestCase):
    def test_a_mean_over_all_users(self):
        events = [charge("2026-03-02"), charge("2026-03-03", "20", userId="v")]
        users = FIVE[:4] + [("z", "o", "control", "2026-03-31")]
        job = {"metrics": [PAYER]}
        outcome = ran(events, job["metrics"], users)
        twins = with_twins(published(job["metrics"]), outcome)
        key = ("o", "control", "all", "revenue_net_per_payer_7d_per_user")
        row = twins.statistics[key]
        self.assertEqual((row["kind"], row["n"], row["sum_y"], row["sum_yy"], row["sum_x"]), ("mean", 4, 30_000_000, 5 * 10**14, 0))
        self.assertEqual(twins.immature[key], 1)
        self.assertNotIn(key, outcome.statistics)
        cell = cell_of(row)
        self.assertEqual((cell.m, cell.v), (Fraction(15, 2), Fraction(275, 12)))  # 10, 20, 0 and 0: squares of 275 about 7.5
        t = 3.182446305284263  # of three degrees of freedom
        error, ratios = math.sqrt(275 / 12), math.sqrt(50 / 3)  # of the ratio the squares are 50, a payer is every other user
        ratio = f"o,control,all,revenue_net_per_payer_7d,ratio,7,4,1,30.000000,2,15,{ratios},{15 - t * ratios},{15 + t * ratios}"
        twin = f"o,control,all,{key[3]},mean,7,4,1,30.000000,4,7.5,{error},{7.5 - t * error},{7.5 + t * error}"
        self.assertEqual(told(job, outcome, ratio, twin), [])
        for right, wrong in ((",4,7.5,", ",2,7.5,"), (",4,7.5,", ",4,15,"), ("mean", "ratio"), ("7,4,1", "7,4,0"), ("30.0", "31.0")):
            self.assertNotEqual(told(job, outcome, ratio, twin.replace(right, wrong)), [], wrong)
        self.assertEqual(told(job, outcome, ratio), [f"group_metrics has no row {key}"])
        self.assertNotEqual(told({"metrics": [PAYER, {"name": "mrr"}]}, outcome, ratio, twin, twin.replace("per_user", "per_use")), [])

    def test_a_share_of_all_users(self):
        """Of 200 users each 40 and 60 began, and 20 and 30 of them paid: half of either, but 10 and 15 % of all."""
        ratios = [cell_of(shares("ratio", 200, 20, 40)), cell_of(shares("ratio", 200, 30, 60))]
        twins = [cell_of(shares("proportion", 200, 20)), cell_of(shares("proportion", 200, 30))]
        self.assertEqual(compare(*ratios, SETTINGS, "increase")["abs_diff"], 0)
        out = compare(*twins, SETTINGS, "increase")
        self.assertAlmostEqual(out["rel_lift"], 0.5)
        # Both together 12.5 %: an error of √(0.125 · 0.875 · 2 / 200) = 0.033072, of which 0.05 is 1.511858.
        self.assertAlmostEqual(out["p_value"], math.erfc(1.511858 / math.sqrt(2)), 6)
        self.assertAlmostEqual(out["p_value"], 0.13057, 5)

    def test_one_that_converts_fewer_of_more_is_not_worse(self):
        """Of 1,000 users each 150 and 300 began, and 99 and 151 paid: 66 and 50 % of those, 9.9 and 15.1 % of all."""
        metric = {"name": "trial_to_paid", "primary": True}
        twin, ratio = published([metric, {"name": "charges", "primary": True}])[:2]
        rows = [{"offering_id": "o", "segment": "all", "metric": metric_id(one), "baseline_group_id": "control", "test_group_id": "b"}
                for one in (twin, ratio)]
        statistics = {("o", group, "all", "trial_to_paid"): shares("ratio", 1000, y, x) for group, y, x in (("control", 99, 150), ("b", 151, 300))}
        outcome = with_twins([twin, ratio], replace(ran([], [metric]), statistics=statistics))
        found = expected_rows(SETTINGS, outcome, by_cell([twin, ratio]), rows)
        values, cells = found["o", "b", "all", "trial_to_paid_per_user"]
        self.assertEqual((values["baseline_value"], values["value"]), (0.099, 0.151))
        self.assertEqual(values["p_value_adjusted"], values["p_value"])  # alone in its family: the ratio is in another
        self.assertEqual(decision_of(None, values, cells, twin, False, SETTINGS), {"better"})
        values, cells = found["o", "b", "all", "trial_to_paid"]
        self.assertEqual(decision_of(None, values, cells, ratio, False, SETTINGS), {"lower"})


class Curves(unittest.TestCase):
    def test_those_who_began_and_stayed_of_all(self):
        """Of five users three begin: one ends after ten days, another after twenty, one is there after thirty."""
        events = [sale("w", "2026-03-02"), sale("w", "2026-03-02", userId="v", eventId="1"), sale("w", "2026-03-12", "renewal", userId="v", eventId="2"),
                  sale("unknown", "2026-03-02", userId="w", eventId="3"), event("scan", "2026-03-02", userId="x")]
        job = {"metrics": [{"name": "retention", "day": 15, "primary": True}]}
        outcome = ran(events, job["metrics"], FIVE, **TABLE)
        twins = with_twins(published(job["metrics"]), outcome)
        self.assertEqual(outcome.survival["o", "control", "all", "retention"], (5, 2, 3, Fraction(2, 3)))
        self.assertEqual(twins.survival["o", "control", "all", "retention_per_user"], (5, 3, 5, Fraction(2, 5)))
        curve, twin = "o,control,all,retention,survival,,5,,2,3,0.6666666666666666,,,", "o,control,all,retention_per_user,survival,,5,,3,5,0.4,,,"
        self.assertEqual(told(job, outcome, curve, twin), [])
        for wrong in (twin.replace("0.4", "0.6666666666666666"), twin.replace("3,5", "2,3"), twin.replace(",,5", ",,3")):
            self.assertEqual(len(told(job, outcome, curve, wrong)), 1, wrong)

    def test_what_nobody_was_watched_for_has_no_value(self):
        job = {"metrics": [{"name": "retention", "day": 90, "primary": True}]}
        outcome = ran([sale("unknown", "2026-03-02")], job["metrics"], FIVE, **TABLE)
        twins = with_twins(published(job["metrics"]), outcome)
        self.assertEqual(twins.survival["o", "control", "all", "retention_per_user"], (5, 1, 5, None))


if __name__ == "__main__":
    unittest.main()
