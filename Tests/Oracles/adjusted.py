"""CUPED by tea-tasting, post-stratification and non-inferiority by their formulas in mpmath and SciPy."""

import random
from fractions import Fraction

import mpmath as mp
import numpy as np
import scipy.stats
import statsmodels.stats.contingency_tables
import tea_tasting.aggr
import tea_tasting.metrics

from common import Cases

cases = Cases()
rng = random.Random(13)
FIELDS = ["n", "sumY", "sumYY", "sumX", "sumXX", "sumXY", "sumC", "sumCC", "sumYC", "sumXC"]


def sums(rows):
    terms = [[1, y, y * y, x, x * x, x * y, c, c * c, y * c, x * c] for y, x, c in rows]
    return dict(zip(FIELDS, map(sum, zip(*terms))))


def texts(group):
    return {field: str(value) for field, value in group.items()}


def rows(kind, size, shift):
    result = []
    for _ in range(size):
        c = rng.choice([0, 0, 0, 1, 2, 5, 9]) * rng.randrange(1, 4)
        y = max(0, c + rng.randrange(-2, 4) + shift * (rng.random() < 0.3))
        x = rng.randrange(0, 3) if kind == "ratio" else 0
        if kind == "proportion":
            y = int(rng.random() < 0.2 + 0.05 * min(c, 5) + 0.02 * shift)
        result.append((y * x if kind == "ratio" else y, x, c))
    return result


for kind in ["mean", "ratio", "proportion"]:
    for size in [8, 60, 2000]:
        groups = [rows(kind, size + 3 * k, k) for k in range(2)]
        arrays = [np.array(group, dtype=float) for group in groups]

        def aggregates(a):
            names = ["y", "x", "c"]
            mean = {v: a[:, i].mean() for i, v in enumerate(names)}
            var = {v: a[:, i].var(ddof=1) for i, v in enumerate(names)}
            cov = {tuple(sorted((u, v))): np.cov(a[:, i], a[:, j])[0, 1] for i, u in enumerate(names) for j, v in enumerate(names) if i < j}
            return tea_tasting.aggr.Aggregates(count_=len(a), mean_=mean, var_=var, cov_=cov)

        if kind == "ratio":
            metric = tea_tasting.metrics.RatioOfMeans("y", "x", "c", equal_var=False, use_t=True)
        else:
            metric = tea_tasting.metrics.Mean("y", "c", equal_var=False, use_t=True)
        peer = metric.analyze_aggregates(aggregates(arrays[0]), aggregates(arrays[1]))
        both = np.concatenate(arrays)
        quantity = both[:, 0]
        if kind == "ratio":
            quantity = (both[:, 0] - both[:, 0].sum() / both[:, 1].sum() * both[:, 1]) / both[:, 1].mean()
        theta = np.cov(quantity, both[:, 2])[0, 1] / both[:, 2].var(ddof=1)
        value = {
            "theta": theta, "baselineValue": peer.control, "value": peer.treatment, "absDiff": peer.effect_size,
            "absLow": peer.effect_size_ci_lower, "absHigh": peer.effect_size_ci_upper, "pValue": peer.pvalue,
            "relLow": peer.rel_effect_size_ci_lower, "relHigh": peer.rel_effect_size_ci_upper,
        }
        cases.add("cuped", {"kind": kind, "groups": [texts(sums(g)) for g in groups]}, value)


def moments(rows_, ratio):
    y = [Fraction(row[0]) for row in rows_]
    x = [Fraction(row[1]) for row in rows_]
    n = len(rows_)
    values = [a - ratio * b for a, b in zip(y, x)]
    mean = sum(values) / n
    return sum(y) / n, sum(x) / n, sum((v - mean) ** 2 for v in values) / (n - 1)


for kind in ["mean", "ratio", "proportion"]:
    for sizes in [[(5, 9), (7, 4)], [(200, 220), (90, 70), (30, 41)]]:
        strata = [[rows(kind, a, k), rows(kind, b, k + 1)] for k, (a, b) in enumerate(sizes)]
        users = [sum(map(len, stratum)) for stratum in strata]
        weights = [Fraction(u, sum(users)) for u in users]
        frames = []
        for g in range(2):
            parts = [moments(stratum[g], 0) for stratum in strata]
            top = sum(w * p[0] for w, p in zip(weights, parts))
            bottom = sum(w * p[1] for w, p in zip(weights, parts)) if kind == "ratio" else Fraction(1)
            r = top / bottom
            spread = [moments(stratum[g], r if kind == "ratio" else 0)[2] for stratum in strata]
            terms = [w**2 * s / bottom**2 / len(stratum[g]) for w, s, stratum in zip(weights, spread, strata)]
            v = sum(terms)
            df = v**2 / sum(t**2 / (len(stratum[g]) - 1) for t, stratum in zip(terms, strata))
            frames.append([float(r), float(v), float(df)])
        arguments = {"kind": kind, "strata": [[texts(sums(g)) for g in stratum] for stratum in strata]}
        cases.add("stratified", arguments, [number for frame in frames for number in frame])

# Strata of unequal groups, as days of a ramp are: shares by statsmodels' Cochran-Mantel-Haenszel test, means and ratios by
# the weighted sums themselves.
TABLES = [
    [(40, 990, 1, 10), (60, 500, 72, 500)], [(200, 4000, 2, 40), (20, 100, 25, 110), (1, 1, 0, 3)], [(3, 7, 0, 1), (2, 9, 4, 5), (0, 6, 0, 4)],
    [(30, 300, 0, 0), (25, 200, 40, 210)], [(12, 80, 30, 100)],
]
for tables in TABLES:
    both = [t for t in tables if t[1] and t[3]]
    peer = statsmodels.stats.contingency_tables.StratifiedTable([[[sb, nb - sb], [sa, na - sa]] for sa, na, sb, nb in both])
    weights = [Fraction(na * nb, na + nb) for _, na, _, nb in both]
    means = [sum(w * Fraction(t[i], t[i + 1]) for w, t in zip(weights, both)) / sum(weights) for i in (0, 2)]
    test = peer.test_null_odds(correction=False)
    groups = [[texts(sums([(1, 0, 0)] * s + [(0, 0, 0)] * (n - s))) if n else {"n": "0"} for s, n in ((t[0], t[1]), (t[2], t[3]))] for t in tables]
    cases.add("mantelHaenszel", {"kind": "proportion", "strata": groups}, [float(means[0]), float(means[1]), float(test.statistic), float(test.pvalue)])

for kind in ["mean", "ratio"]:
    for sizes in [[(90, 3), (40, 44)], [(200, 2), (90, 9), (30, 41), (12, 1)]]:
        strata = [[rows(kind, a, k), rows(kind, b, k + 1)] for k, (a, b) in enumerate(sizes)]
        both = [stratum for stratum in strata if min(map(len, stratum)) > 1]
        weights = [Fraction(len(a) * len(b), len(a) + len(b)) for a, b in both]
        frames = []
        for g in range(2):
            parts = [moments(stratum[g], 0) for stratum in both]
            top = sum(w * p[0] for w, p in zip(weights, parts))
            bottom = sum(w * p[1] for w, p in zip(weights, parts)) if kind == "ratio" else sum(weights)
            r = top / bottom
            spread = [moments(stratum[g], r if kind == "ratio" else 0)[2] for stratum in both]
            terms = [w**2 * s / bottom**2 / len(stratum[g]) for w, s, stratum in zip(weights, spread, both)]
            v = sum(terms)
            df = v**2 / sum(t**2 / (len(stratum[g]) - 1) for t, stratum in zip(terms, both))
            frames.append([float(r), float(v), float(df)])
        arguments = {"kind": kind, "strata": [[texts(sums(g)) for g in stratum] for stratum in strata]}
        cases.add("mantelHaenszel", arguments, [number for frame in frames for number in frame])

for ma, mb, va, vb, na, nb, margin, goal in [
    (10, 9.9, 0.02, 0.03, 500, 520, 0.02, "increase"), (10, 10.4, 0.02, 0.03, 500, 520, 0.02, "increase"),
    (0.1, 0.099, 1e-6, 2e-6, 10**5, 10**5, 0.05, "increase"), (0.1, 0.11, 1e-6, 2e-6, 10**5, 10**5, 0.05, "decrease"),
    (0.1, 0.1, 1e-6, 2e-6, 10**5, 10**5, 0.05, "decrease"), (3, 2, 0.5, 0.1, 4, 6, 0.3, "increase"), (3, 3, 0.5, 0.1, 4, 6, 0.0, "decrease"),
]:
    rho = 1 - margin if goal == "increase" else 1 + margin
    z = (mp.mpf(mb) - mp.mpf(rho) * ma) / mp.sqrt(vb + mp.mpf(rho) ** 2 * va) * (1 if goal == "increase" else -1)
    df = (va + vb) ** 2 / (va**2 / (na - 1) + vb**2 / (nb - 1))
    cases.add("nonInferiority", [ma, mb, va, vb, na, nb, margin, float(goal == "increase")], scipy.stats.t.sf(float(z), df))

cases.write(__file__)
