"""The formulas held to SciPy's own tests on raw values, and to what they must agree about.

    python3 test_estimates.py
"""

import math
import random
import unittest

import numpy
from scipy import stats

from checks_table import chi_square_p, sequential_p
from estimates import adjusted, cell_of, compare, group_interval
from metrics import Value, sums

SETTINGS = {"confidence": 0.95, "tuning": 5000, "lift_interval": "fieller", "prior": None}


def cell(values, kind="mean", scale=1):
    pairs = values if kind == "ratio" else [(value, 0) for value in values]
    return cell_of({"kind": kind, "scale": scale} | sums([Value(None, y, x) for y, x in pairs]))


def draws(seed, size, mean):
    rng = random.Random(seed)
    return [int(rng.expovariate(1 / mean)) for _ in range(size)]


class Estimates(unittest.TestCase):
    def test_welch_is_scipys(self):
        a, b = draws(1, 300, 900), draws(2, 200, 1100)
        out = compare(cell(a), cell(b), SETTINGS, "increase")
        test = stats.ttest_ind(b, a, equal_var=False)
        low, high = test.confidence_interval(0.95)
        self.assertTrue(math.isclose(out["p_value"], test.pvalue, rel_tol=1e-10))
        self.assertTrue(math.isclose(out["abs_ci_low"], low, rel_tol=1e-10))
        self.assertTrue(math.isclose(out["abs_ci_high"], high, rel_tol=1e-10))

    def test_group_intervals_are_scipys(self):
        wilson = stats.binomtest(7, 50).proportion_ci(0.95, "wilson")
        got = group_interval(cell([1] * 7 + [0] * 43, "proportion"), 0.05)
        numpy.testing.assert_allclose(got, [wilson.low, wilson.high], rtol=1e-12)
        values = draws(3, 40, 100)
        want = stats.t.interval(0.95, 39, numpy.mean(values), stats.sem(values))
        numpy.testing.assert_allclose(group_interval(cell(values), 0.05), want, rtol=1e-12)

    def test_fieller_excludes_zero_exactly_when_p_is_small(self):
        for seed in range(40):
            a, b = draws(seed, 60, 900), draws(seed + 100, 80, 1300)
            out = compare(cell(a), cell(b), SETTINGS, "increase")
            inside = out["rel_ci_low"] <= 0 <= out["rel_ci_high"]
            self.assertEqual(inside, out["p_value"] >= 0.05)
            inside = out["seq_abs_ci_low"] <= 0 <= out["seq_abs_ci_high"]
            self.assertEqual(inside, out["seq_p_value"] >= 0.05)

    def test_a_ratio_of_ones_is_a_mean(self):
        values = draws(4, 50, 100)
        ratio, mean = cell([(value, 1) for value in values], "ratio"), cell(values)
        self.assertEqual((ratio.m, ratio.v), (mean.m, mean.v))

    def test_a_ratios_variance_is_that_of_its_linearised_values(self):
        rng = random.Random(5)
        pairs = [(rng.randrange(9), rng.randrange(1, 4)) for _ in range(70)]
        y, x = (numpy.array(part, float) for part in zip(*pairs))
        linear = (y - y.sum() / x.sum() * x) / x.mean()
        self.assertTrue(math.isclose(cell(pairs, "ratio").v, linear.var(ddof=1) / 70, rel_tol=1e-12))

    def test_adjustments_are_scipys(self):
        p = [0.01, 0.04, 0.03, 0.2, 0.001]
        numpy.testing.assert_allclose(adjusted(p, "bh"), stats.false_discovery_control(p))
        numpy.testing.assert_allclose(adjusted(p, "holm"), [0.04, 0.09, 0.09, 0.2, 0.005])

    def test_sample_ratio_is_scipys(self):
        counts = {"a": 480, "b": 520, "c": 500}
        weights = dict.fromkeys(counts, 1 / 3)
        self.assertAlmostEqual(chi_square_p(counts, weights)[0], stats.chisquare([480, 520, 500]).pvalue, 12)
        self.assertEqual(sequential_p(counts, weights), 1.0)
        self.assertLess(sequential_p({"a": 1000, "b": 500}, {"a": 0.5, "b": 0.5}), 0.001)


if __name__ == "__main__":
    unittest.main()
