"""Estimates and comparisons: moments by exact fractions, tests by SciPy, formulas by mpmath, and tea-tasting and
statsmodels asked the same question wherever they can answer it."""

import functools
import math
import random
from fractions import Fraction

import mpmath as mp
import numpy as np
import scipy.optimize
import scipy.special
import scipy.stats
import statsmodels.stats.proportion
import statsmodels.stats.weightstats
import tea_tasting.aggr
import tea_tasting.metrics

from common import Cases

cases = Cases()
FIELDS = ["n", "sumY", "sumYY", "sumX", "sumXX", "sumXY"]


def group(values, denominators=None):
    """Sums of {value: users}, or of {(value, denominator): users}."""
    sums = dict.fromkeys(FIELDS, 0)
    for key, users in values.items():
        y, x = key if isinstance(key, tuple) else (key, 0)
        for field, term in zip(FIELDS, [1, y, y * y, x, x * x, x * y]):
            sums[field] += users * term
    return sums


def shares(successes, users):
    return group({1: successes, 0: users - successes})


def moments(sums, kind, scale):
    """Mean and variance (n − 1) of the quantity compared, as fractions."""
    n, y, yy, x, xx, xy = (Fraction(sums[field]) for field in FIELDS)
    if n == 0:
        return None, None
    if kind != "ratio":
        mean = y / n / scale
        return mean, (yy - y * y / n) / (n - 1) / scale**2 if n > 1 else None
    if x == 0:
        return None, None
    ratio = y / x
    cov = lambda uv, u, v: (uv - u * v / n) / (n - 1)
    variance = None
    if n > 1:
        variance = cov(yy, y, y) - 2 * ratio * cov(xy, x, y) + ratio**2 * cov(xx, x, x)
        variance = variance / (x / n) ** 2 / scale**2
    return ratio / scale, variance


def m(fraction):
    return mp.mpf(fraction.numerator) / mp.mpf(fraction.denominator)


def estimate(sums, kind, scale, alpha):
    mean, variance = moments(sums, kind, scale)
    n = sums["n"]
    result = {"value": mean and m(mean) if mean else mean, "standardError": None, "low": None, "high": None}
    if mean is not None:
        result["value"] = m(mean)
    if variance is not None:
        result["standardError"] = mp.sqrt(m(variance / n))
    if kind == "proportion":
        z = mp.mpf(scipy.stats.norm.isf(alpha / 2))
        p, w = m(mean), z * z / n
        half = mp.sqrt(w * p * (1 - p) + w * w / 4)
        result["low"], result["high"] = (p + w / 2 - half) / (1 + w), (p + w / 2 + half) / (1 + w)
        peer = statsmodels.stats.proportion.proportion_confint(int(mean * n), n, alpha, method="wilson")
        assert abs(peer[0] - result["low"]) < 1e-9 and abs(peer[1] - result["high"]) < 1e-9
    elif variance is not None:
        half = mp.mpf(scipy.stats.t.isf(alpha / 2, n - 1)) * result["standardError"]
        result["low"], result["high"] = m(mean) - half, m(mean) + half
    return result


def fieller(ma, mb, va, vb, c):
    """Both roots of the set's edge in ρ, less 1, with digits to lose."""
    with mp.workdps(150):
        return fieller_roots(ma, mb, va, vb, c)


def fieller_roots(ma, mb, va, vb, c):
    lead = ma**2 - c**2 * va
    if lead <= 0:
        return None, None
    root = mp.sqrt((ma * mb) ** 2 - lead * (mb**2 - c**2 * vb))
    return (ma * mb - root) / lead - 1, (ma * mb + root) / lead - 1


def edge(z, target, low, high):
    """Where a falling z passes a target, between two ends, by halving."""
    for _ in range(130):
        middle = (low + high) / 2
        low, high = (middle, high) if z(middle) > target else (low, middle)
    return (low + high) / 2


@functools.cache
def score_of(*counts):
    return Score(*counts)


class Score:
    """Two shares: z of a difference and of a ratio with the likeliest shares that have it, the roots of a cubic and a
    quadratic equation. statsmodels is asked for the ratio's interval, too."""

    def __init__(self, xa, na, xb, nb):
        self.counts = xa, na, xb, nb
        self.xa, self.na, self.xb, self.nb = (mp.mpf(count) for count in self.counts)
        self.pa, self.pb = self.xa / self.na, self.xb / self.nb

    @mp.workdps(90)
    def z_difference(self, delta):
        xa, na, xb, nb = self.xa, self.na, self.xb, self.nb
        if delta == 0:
            a = (xa + xb) / (na + nb)
        else:
            # Miettinen & Nurminen 1985, appendix 1.
            n, x = na + nb, xa + xb
            l2, l1, l0 = (nb + 2 * na) * delta - n - x, (na * delta - n - 2 * xa) * delta + x, xa * delta * (1 - delta)
            q = l2**3 / (27 * n**3) - l1 * l2 / (6 * n**2) + l0 / (2 * n)
            p = mp.sqrt(max(l2**2 / (9 * n**2) - l1 / (3 * n), mp.mpf(0))) * (1 if q >= 0 else -1)
            angle = (mp.pi + mp.acos(max(-1, min(1, q / p**3)))) / 3 if p else mp.pi / 2
            a = max(0, -delta, min(1, 1 - delta, 2 * p * mp.cos(angle) - l2 / (3 * n)))
        distance, b = self.pb - self.pa - delta, a + delta
        variance = a * (1 - a) / na + b * (1 - b) / nb
        return distance / mp.sqrt(variance) if variance > 0 else mp.sign(distance) * mp.inf if distance else distance

    def z_ratio(self, rho):
        xa, na, xb, nb = self.xa, self.na, self.xb, self.nb
        linear = nb * rho + xb + na + xa * rho
        a = (linear - mp.sqrt(linear**2 - 4 * (na + nb) * rho * (xa + xb))) / (2 * (na + nb) * rho)
        b = rho * a
        return (self.pb - rho * self.pa) / mp.sqrt(b * (1 - b) / nb + rho**2 * a * (1 - a) / na)

    def standard_error(self):
        pooled = (self.xa + self.xb) / (self.na + self.nb)
        return mp.sqrt(pooled * (1 - pooled) * (1 / self.na + 1 / self.nb))

    @functools.cache
    def difference(self, c):
        tiny = mp.mpf(10) ** -50
        d = self.pb - self.pa
        return edge(self.z_difference, c, -1 + tiny, d), edge(self.z_difference, -c, d, 1 - tiny)

    @functools.cache
    def lift(self, c):
        if self.xa == 0:
            return None, None
        z = lambda logarithm: self.z_ratio(mp.exp(logarithm))
        seen = mp.log(self.pb / self.pa) if self.xb else mp.mpf(-60)
        reach = mp.mpf(1)
        while self.xb and z(seen - reach) < c:
            reach *= 2
        low = mp.exp(edge(z, c, seen - reach, seen)) - 1 if self.xb else mp.mpf(-1)
        reach = mp.mpf(1)
        while z(seen + reach) > -c:
            reach *= 2
        return low, mp.exp(edge(z, -c, seen, seen + reach)) - 1

    def ask_statsmodels(self, alpha, lift):
        """Of the ratio alone: its likeliest shares of a difference are not (statsmodels issue 10269)."""
        xa, na, xb, nb = self.counts
        if max(na, nb) > 10**6 or alpha < 0.001 or not 0 < xa < na or not 0 < xb < nb:
            return
        peer = statsmodels.stats.proportion.confint_proportions_2indep(
            xb, nb, xa, na, "score", "ratio", alpha, correction=False)
        assert all(abs(x + 1 - float(y)) < 1e-6 * abs(y) for x, y in zip(lift, peer)), (self.counts, lift, peer)


# Newcombe 1998 (Statistics in Medicine 17, 873-890), table II, method 5: Mee's interval of 56/70 - 48/80.
assert [round(float(end), 4) for end in Score(48, 80, 56, 70).difference(mp.mpf("1.959963984540054"))] == [0.0533, 0.3377]


def fisher(table):
    """All tables no likelier than the one seen, by exact binomials; SciPy is asked too, where it can count."""
    (a, b), (c, d) = table
    k, drawn, marked, total = a, a + b, a + c, a + b + c + d
    support = range(max(0, drawn - (total - marked)), min(marked, drawn) + 1)
    if len(support) > 2000:
        support = range(support[0], 200) if k < 100 else range(support[-1] - 200, support[-1] + 1)
    mass = [mp.binomial(marked, j) * mp.binomial(total - marked, drawn - j) for j in support]
    seen = mass[k - support[0]]
    p = mp.fsum(m for m in mass if m <= seen * (1 + mp.mpf(10) ** -12)) / mp.binomial(total, drawn)
    peer = scipy.stats.fisher_exact(table).pvalue
    assert total > 10**8 or abs(peer - p) <= 1e-9 * p, (table, peer, p)
    return p


NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)


def noncentral_power(delta, df, c):
    """P(|T| > c) by composite Gauss-Legendre over s = ln √(χ²/ν): SciPy's nct gives up beyond moderate δ."""
    low, high = -40 / df - 10 / math.sqrt(df), min(4.0, 10 / math.sqrt(df))
    edges = np.linspace(low, high, 400)
    half = (edges[1] - edges[0]) / 2
    s = (edges[:-1, None] + half + half * NODES).ravel()
    log_f = math.log(2) + df * s + df / 2 * math.log(df / 2) - df / 2 * np.exp(2 * s) - scipy.special.gammaln(df / 2)
    if df > 1000:
        log_f = 0.5 * math.log(df / math.pi) - 1 / (6 * df) + 1 / (45 * df**3) + df * (s - np.expm1(2 * s) / 2)
    u = np.exp(s)
    reject = scipy.special.ndtr(delta - c * u) + scipy.special.ndtr(-delta - c * u)
    return float(np.sum(np.tile(WEIGHTS, len(edges) - 1) * half * np.exp(log_f) * reject))


@functools.cache
def detectable(df, alpha, power):
    c = scipy.stats.t.isf(alpha / 2, df)
    f = lambda delta: noncentral_power(delta, df, c) - power
    return scipy.optimize.brentq(f, 0, 5 + 3 * c, xtol=1e-14, rtol=1e-14)


def comparison(a, b, kind, scale, alpha, tuning, prior, goal, method):
    (mean_a, variance_a), (mean_b, variance_b) = moments(a, kind, scale), moments(b, kind, scale)
    na, nb = a["n"], b["n"]
    result = {}
    if mean_a is None or mean_b is None:
        return result
    ma, mb = m(mean_a), m(mean_b)
    result["absDiff"] = m(mean_b - mean_a)
    result["relLift"] = m((mean_b - mean_a) / mean_a) if mean_a else None
    if kind == "proportion":
        table = [[int(mean_a * na), na - int(mean_a * na)], [int(mean_b * nb), nb - int(mean_b * nb)]]
        rows, columns = [na, nb], [table[0][j] + table[1][j] for j in range(2)]
        if min(Fraction(r * c, na + nb) for r in rows for c in columns) < 5:
            result["exactPValue"] = fisher(table)
            result["pValue"] = result["exactPValue"]
    if variance_a is None or variance_b is None:
        return result
    va, vb, d = m(variance_a / na), m(variance_b / nb), result["absDiff"]
    t_quantile = None
    if va + vb > 0:
        welch_df = float((va + vb) ** 2 / (va**2 / (na - 1) + vb**2 / (nb - 1)))
        t_quantile = mp.mpf(scipy.stats.t.isf(alpha / 2, welch_df))
    if kind == "proportion":
        score = score_of(table[0][0], na, table[1][0], nb)
        se, df, c = score.standard_error(), math.inf, mp.mpf(scipy.stats.norm.isf(alpha / 2))
        difference, lift_at = score.difference, score.lift
    else:
        se, df, c = mp.sqrt(va + vb), welch_df if t_quantile else None, t_quantile
        difference = lambda c: (d - c * se, d + c * se)
        lift_at = lambda c: fieller(ma, mb, va, vb, c)
    if se == 0:
        return result
    if df < math.inf:
        result["degreesOfFreedom"] = df
    result["standardError"] = se
    p = 2 * (scipy.stats.t.sf(abs(float(d / se)), df) if df < math.inf else scipy.stats.norm.sf(abs(float(d / se))))
    result["approximatePValue"] = p
    result.setdefault("pValue", p)
    result["absLow"], result["absHigh"] = difference(c)

    # Always valid: the page's formula, letter by letter.
    n = mp.mpf(na + nb)
    budget = -2 * mp.log(alpha)
    rho = mp.sqrt((budget + mp.log(budget + 1)) / tuning)
    k = n * rho**2 + 1
    half = se * mp.sqrt(n) * mp.sqrt(2 * k / (n**2 * rho**2) * mp.log(mp.sqrt(k) / alpha))
    result["sequentialPValue"] = min(mp.mpf(1), mp.sqrt(k) * mp.exp(-(rho**2) * d**2 * n / (2 * se**2 * k)))
    result["sequentialAbsLow"], result["sequentialAbsHigh"] = difference(half / se)
    if ma == 0:
        return result
    result["sequentialRelLow"], result["sequentialRelHigh"] = lift_at(half / se)
    if kind == "proportion":
        score.ask_statsmodels(alpha, lift_at(c))

    lift = d / ma
    v = vb / ma**2 + va * mb**2 / ma**4
    if method == "fieller":
        result["relLow"], result["relHigh"] = lift_at(c)
    elif method == "delta" and t_quantile:
        result["relLow"], result["relHigh"] = lift - t_quantile * mp.sqrt(v), lift + t_quantile * mp.sqrt(v)
    elif method == "log" and ma > 0 and mb > 0 and t_quantile:
        ra, rb = va / ma**2, vb / mb**2
        log_df = float((ra + rb) ** 2 / (ra**2 / (na - 1) + rb**2 / (nb - 1)))
        t = mp.mpf(scipy.stats.t.isf(alpha / 2, log_df))
        result["relLow"] = mp.exp(mp.log(mb / ma) - t * mp.sqrt(ra + rb)) - 1
        result["relHigh"] = mp.exp(mp.log(mb / ma) + t * mp.sqrt(ra + rb)) - 1
        if kind != "ratio":
            ask_tea_tasting(a, b, variance_a, variance_b, scale, alpha, result)
    # The lift that the always-valid test finds in four of five looks at so many users, and the intervals of the test
    # that decides where an adjustment leaves a third of alpha: rho stays that of alpha.
    multiplier = half / se
    finds = lambda delta: scipy.special.ndtr(delta - float(multiplier)) + scipy.special.ndtr(-delta - float(multiplier))
    delta = scipy.optimize.brentq(lambda x: finds(x) - 0.8, 0, 5 + float(multiplier), xtol=1e-14, rtol=1e-14)
    result["sequentialMdeRel"] = delta * se / abs(ma)
    third = mp.mpf(scipy.stats.t.isf(alpha / 6, df) if df < math.inf else scipy.stats.norm.isf(alpha / 6))
    result["thirdLow"], result["thirdHigh"] = lift_at(third)
    c = mp.sqrt(2 * k / (n * rho**2) * mp.log(3 * mp.sqrt(k) / alpha))
    result["sequentialThirdLow"], result["sequentialThirdHigh"] = lift_at(c)
    if df == math.inf:
        finds = lambda delta: scipy.special.ndtr(delta - once) + scipy.special.ndtr(-delta - once) - 0.8
        once = scipy.stats.norm.isf(alpha / 2)
        result["mdeRel"] = scipy.optimize.brentq(finds, 0, 5 + once, xtol=1e-14, rtol=1e-14) * se / abs(ma)
    elif df < 1e6:
        result["mdeRel"] = detectable(df, alpha, 0.8) * se / abs(ma)
    if ma > 0 and v > 0:
        mu, variance = lift, v
        if prior:
            variance = 1 / (1 / v + 1 / mp.mpf(prior[1]) ** 2)
            mu = variance * (lift / v + mp.mpf(prior[0]) / mp.mpf(prior[1]) ** 2)
        sigma = mp.sqrt(variance)
        z = (mu if goal == "increase" else -mu) / sigma
        result["chanceToWin"] = mp.ncdf(z)
        result["expectedLoss"] = sigma * (mp.npdf(z) - z * mp.erfc(z / mp.sqrt(2)) / 2)
    return result


def ask_tea_tasting(a, b, variance_a, variance_b, scale, alpha, result):
    """The same comparison by tea-tasting, and Welch's test by statsmodels, must say what we say."""

    def aggregate(sums, variance):
        mean = float(Fraction(sums["sumY"], sums["n"]) / scale)
        return tea_tasting.aggr.Aggregates(count_=sums["n"], mean_={"y": mean}, var_={"y": float(variance)}, cov_={})

    metric = tea_tasting.metrics.Mean("y", confidence_level=1 - alpha, equal_var=False, use_t=True)
    peer = metric.analyze_aggregates(aggregate(a, variance_a), aggregate(b, variance_b))
    # Its means are doubles: a difference in their last digits is lost to it.
    slack = 1e-9 + 1e-14 / max(1e-13, abs(float(result["relLift"])))
    close = lambda x, y: abs(x - y) <= slack * max(abs(x), abs(y))
    if "degreesOfFreedom" in result:
        assert close(peer.pvalue, result["approximatePValue"]), peer
        assert close(peer.effect_size_ci_lower, result["absLow"])
        assert close(peer.effect_size_ci_upper, result["absHigh"])
    assert close(peer.rel_effect_size_ci_lower, result["relLow"]), (peer, result["relLow"])
    assert close(peer.rel_effect_size_ci_upper, result["relHigh"])


rng = random.Random(20260331)


def texts(sums):
    return {field: str(value) for field, value in sums.items()}


def add(a, b, kind, scale=1, **options):
    full = {"alpha": 0.05, "tuning": 5000, "prior": None, "goal": "increase", "method": "fieller", **options}
    arguments = {"kind": kind, "scale": scale, "a": texts(a), "b": texts(b), **full}
    cases.add("comparison", arguments, comparison(a, b, kind, scale, **full))
    for sums in (a, b):
        arguments = {"kind": kind, "scale": scale, "alpha": full["alpha"], "a": texts(sums)}
        cases.add("estimate", arguments, estimate(sums, kind, scale, full["alpha"]))


def random_values(kind, size):
    """Value counts of a skewed sort: many zeros, a few prices, now and then a giant."""
    prices = [rng.randrange(1, 200) * 10**4 for _ in range(4)] + [10 ** rng.randrange(4, 12)]
    counts = {0: size}
    for price in prices:
        users = rng.randrange(0, max(2, size // 20))
        key = (price * rng.randrange(0, 3), rng.randrange(1, 4)) if kind == "ratio" else price
        counts[key] = counts.get(key, 0) + users
    if kind == "ratio":
        counts[(0, 0)] = counts.pop(0)
        counts[(0, 1)] = counts.get((0, 1), 0) + size // 10 + 1
    return counts


# Proportions: ordinary, rare, common, tiny groups, all zeros, all ones, huge groups.
for a, na, b, nb in [
    (100, 1000, 130, 1000), (3, 40, 9, 42), (0, 50, 0, 60), (50, 50, 60, 60), (0, 20, 20, 20), (1, 2, 1, 2), (0, 1, 1, 1),
    (0, 2, 2, 2), (1, 1000, 12, 1100), (999, 1000, 1100, 1100), (5, 10**6, 25, 10**6), (2 * 10**7, 10**9, 20010000, 10**9),
    (999999990, 10**9, 999999999, 10**9), (500000000, 10**9, 3, 5), (400, 4000, 401, 4000), (30, 10**4, 900, 3 * 10**5),
    (7, 1000, 0, 3), (0, 100000, 4, 100000), (123, 4567, 150, 4600), (10, 200, 30, 210),
    (0, 300, 9, 20000), (20, 1000, 600, 20000), (34, 1000, 400, 20000), (1000, 1000, 19990, 20000), (990, 1000, 20000, 20000),
]:
    for method in ["fieller", "delta", "log"]:
        add(shares(a, na), shares(b, nb), "proportion", method=method, goal=rng.choice(["increase", "decrease"]))
for alpha in [0.2, 0.1, 0.01, 0.001, 1e-8]:
    add(shares(100, 1000), shares(131, 1000), "proportion", alpha=alpha, tuning=rng.choice([100, 5000, 1e6]))

# Means and ratios of random value counts, in millionths.
for kind in ["mean", "ratio"]:
    for size in [2, 3, 5, 17, 120, 1000, 25000, 10**6, 10**9]:
        for repeat in range(3):
            a, b = group(random_values(kind, size)), group(random_values(kind, size))
            options = {"method": ["fieller", "delta", "log"][repeat], "goal": rng.choice(["increase", "decrease"])}
            if repeat == 1:
                options["prior"] = [rng.choice([0, 0.05, -0.2]), rng.choice([0.05, 0.3])]
            add(a, b, kind, 1000000, **options)

# Hard moments: sums near 2^127, hardly any spread on a high level, one giant order, a group of one.
level = 10**16
add(group({level: 10**5, level + 1: 10**5}), group({level: 10**5, level + 3: 10**5}), "mean")
root = math.isqrt(2**127 // 3)
add(group({root: 1, 0: 10**6}), group({root - 5: 1, 7: 10**6}), "mean", 1000000)
add(group({root // 1000: 10**6, 0: 1}), group({root // 1000 - 1: 10**6, root // 1001: 3}), "mean", 1000000)
add(group({9990000: 500, 0: 10**5, 10**15: 1}), group({9990000: 700, 0: 10**5}), "mean", 1000000)
add(group({5: 1}), group({5: 3, 6: 9}), "mean")
add(group({7: 40}), group({7: 50}), "mean")
add(group({7: 40}), group({7: 50, 9: 50}), "mean")
add(group({-3: 40, 5: 11}), group({-3: 30, 5: 25}), "mean")
add(group({-9: 40, 1: 11}), group({-9: 30, 1: 25}), "mean")
add(group({(0, 0): 40}), group({(1, 1): 10, (0, 1): 20}), "ratio")
add(group({(2, 1): 40, (4, 2): 10}), group({(2, 1): 10, (4, 2): 20}), "ratio")
add(group({(root // 9, root // 7): 2, (root // 11, root // 8): 3}), group({(root // 9, root // 8): 2, (5, 1): 3}), "ratio")

cases.write(__file__)
