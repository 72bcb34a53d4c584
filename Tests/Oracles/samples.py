"""Value counts: Mann–Whitney and BCa by SciPy on the rows, quantiles by NumPy."""

import math
import random

import mpmath as mp
import numpy as np
import scipy.stats

from common import Cases

cases = Cases()
rng = random.Random(17)


def sample(size, spread):
    counts = {}
    for _ in range(size):
        value = 0 if rng.random() < 0.4 else int(rng.lognormvariate(2, spread))
        counts[value] = counts.get(value, 0) + 1
    return sorted(counts.items())


def expand(counts):
    return np.repeat([float(v) for v, _ in counts], [n for _, n in counts])


pairs = [(sample(n, s), sample(m, t)) for n, m, s, t in [(3, 4, 1, 1), (30, 25, 0.5, 1), (200, 220, 1, 1.2), (3000, 2500, 1.5, 1.4), (1, 1, 1, 1)]]
pairs += [([(0, 50), (7, 50)], [(0, 10), (7, 90)]), ([(5, 10)], [(5, 12)]), ([(1, 10**5), (2, 10**5)], [(1, 10**5), (3, 10**4)])]
for a, b in pairs:
    x, y = expand(a), expand(b)
    result = scipy.stats.mannwhitneyu(y, x, alternative="two-sided", method="asymptotic")
    u = float(result.statistic)
    cases.add("rankSum", {"a": a, "b": b}, {"statistic": u, "pValue": result.pvalue})

for counts in [sample(40, 1), sample(1000, 1.5), [(0, 900), (10, 100)], [(3, 1)], [(k, 1) for k in range(1, 31)]]:
    rows, n = expand(counts), sum(k for _, k in counts)
    z = scipy.stats.norm.isf(0.025)
    for q in [0.01, 0.1, 0.5, 0.9, 0.999]:
        value = np.quantile(rows, q, method="inverted_cdf")
        low, high = (math.ceil(n * q + s * z * math.sqrt(n * q * (1 - q)) - 1e-9) for s in (-1, 1))
        inside = 1 <= low and high <= n
        low, high = (rows[low - 1], rows[high - 1]) if inside else (None, None)
        cases.add("quantile", {"counts": counts, "q": q}, {"value": value, "low": low, "high": high})

# BCa: SciPy's own draws are kept out; its acceleration and percentiles are computed on draws that are handed over.
for a, b in pairs[1:4]:
    x, y = expand(a), expand(b)
    generator = np.random.default_rng(23)
    for name, statistic in [("difference", lambda u, v: v.mean(-1) - u.mean(-1)), ("lift", lambda u, v: v.mean(-1) / u.mean(-1) - 1)]:
        draws = statistic(generator.choice(x, (999, len(x))), generator.choice(y, (999, len(y))))
        observed = statistic(x, y)
        top = bottom = 0.0
        for own, other, flip in [(x, y, False), (y, x, True)]:
            left = np.array([np.delete(own, i) for i in range(len(own))]) if len(own) < 400 else None
            if left is None:
                theta = (own.sum() - own) / (len(own) - 1)
                theta = theta - other.mean() if flip else other.mean() - theta
                if name == "lift":
                    theta = (own.sum() - own) / (len(own) - 1)
                    theta = theta / other.mean() - 1 if flip else other.mean() / theta - 1
            else:
                rest = np.broadcast_to(other, (len(own), len(other)))
                theta = statistic(rest, left) if flip else statistic(left, rest)
            u = (len(own) - 1) * (theta.mean() - theta)
            top += (u**3).sum() / len(own) ** 3
            bottom += (u**2).sum() / len(own) ** 2
        acceleration = top / bottom**1.5 / 6
        z0 = scipy.stats.norm.ppf(((draws < observed).sum() + (draws <= observed).sum()) / (2 * len(draws)))
        ends = []
        for z in scipy.stats.norm.ppf([0.025, 0.975]):
            ends.append(np.quantile(draws, scipy.stats.norm.cdf(z0 + (z0 + z) / (1 - acceleration * (z0 + z)))))
        arguments = {"a": a, "b": b, "statistic": name, "draws": list(map(float, draws)), "observed": float(observed)}
        cases.add("bca", arguments, {"acceleration": acceleration, "low": ends[0], "high": ends[1]})

    # The whole of it, to the accuracy that ten thousand draws have.
    if len(x) < 400:
        peer = scipy.stats.bootstrap((x, y), lambda u, v, axis=-1: v.mean(axis=axis) - u.mean(axis=axis), n_resamples=40000, method="BCa", random_state=1, batch=2000)
        interval = peer.confidence_interval
        cases.add("bootstrap", {"a": a, "b": b}, {"low": interval.low, "high": interval.high, "error": peer.standard_error})

# Two quantiles: every rank tried, tails by SciPy's binomial and by an integral of mpmath's over the mixture.


def mixture_tail(k, n, p, r):
    """1/E for k or more of n at or below the quantile: E is the likelihood of shares above p, weighed by
    Beta(r/(1 - p), r/p), over that of p (Howard & Ramdas 2022)."""
    a, b = mp.mpf(r) / (1 - p), mp.mpf(r) / p
    p = mp.mpf(p)
    upper = lambda a, b: mp.betainc(b, a, 0, 1 - p)  # from the other end, where it is small
    evidence = upper(k + a, n - k + b) / upper(a, b) / p**k / (1 - p) ** (n - k)
    return min(mp.mpf(1), 1 / evidence)


class Ranked:
    def __init__(self, counts, q, tail):
        self.rows = sorted(value for value, users in counts for _ in range(users))
        self.n = n = len(self.rows)
        self.at_least = [tail(k, n, q) if k else mp.mpf(1) for k in range(n + 1)]
        self.at_most = [tail(n - k, n, 1 - q) if n - k else mp.mpf(1) for k in range(n + 1)]

    def below(self, value):
        return sum(1 for row in self.rows if row <= value)

    def interval(self, level):
        low = [r for r in range(1, self.n + 1) if self.at_most[r - 1] < level / 2]
        high = [s for s in range(1, self.n + 1) if self.at_least[s] < level / 2]
        return (self.rows[max(low) - 1] if low else None), (self.rows[min(high) - 1] if high else None)

    def apart(self, other):
        return min(max(self.at_least[self.below(w)], other.at_most[other.below(w)]) for w in set(self.rows))


def quantile_comparison(a, b, q, alpha, tuning):
    budget = -2 * math.log(alpha / 4)
    r = tuning / 10 * q * (1 - q) / (budget + math.log(1 + budget))
    exact = lambda k, n, p: mp.mpf(scipy.stats.binom.sf(k - 1, n, p))
    value = {}
    for name, tail in [("fixed", exact), ("sequential", lambda k, n, p: mixture_tail(k, n, p, r))]:
        one, other = Ranked(a, q, tail), Ranked(b, q, tail)
        value[name] = min(mp.mpf(1), 4 * min(one.apart(other), other.apart(one)))
        (low_a, high_a), (low_b, high_b) = one.interval(alpha / 2), other.interval(alpha / 2)
        if None not in (low_a, high_a, low_b, high_b):
            value[name + "Low"], value[name + "High"] = low_b - high_a, high_b - low_a
    return value


for size_a, size_b, shift, q in [(40, 45, 0, 0.5), (120, 100, 2, 0.5), (150, 60, 5, 0.5), (90, 90, 9, 0.9), (200, 30, 4, 0.25)]:
    prices = [3, 8, 10, 13, 16, 24, 50]
    a = [[price, 0] for price in prices]
    b = [[price + shift, 0] for price in prices]
    for counts, size in ((a, size_a), (b, size_b)):
        for _ in range(size):
            counts[rng.randrange(len(prices))][1] += 1
    arguments = {"a": a, "b": b, "q": q, "alpha": 0.05, "tuning": 5000}
    cases.add("quantileDifference", arguments, quantile_comparison(a, b, q, 0.05, 5000))

cases.write(__file__)
