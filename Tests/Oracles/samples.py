"""Value counts: Mann–Whitney and BCa by SciPy on the rows, quantiles by NumPy."""

import math
import random

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

cases.write(__file__)
