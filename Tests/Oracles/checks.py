"""Adjusted p-values by statsmodels; sample ratios by SciPy, their always-valid form by mpmath's log-gammas."""

import random

import mpmath as mp
import numpy as np
import scipy.stats
import statsmodels.stats.multitest

from common import Cases

cases = Cases()
rng = random.Random(11)

METHODS = {"holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
for name, method in METHODS.items():
    lists = [[0.01], [0.5, 0.5], [0.04, 0.01, 0.03], [1e-300, 1.0, 0.2, 0.0], [0.01, 0.02, 0.03, 0.04, 0.05]]
    lists += [[rng.random() ** 3 for _ in range(n)] for n in (7, 30)]
    for values in lists:
        adjusted = statsmodels.stats.multitest.multipletests(values, 0.05, method)[1]
        if 0.0 not in values:
            shares = [float(v / min(1, a)) for v, a in zip(values, adjusted)]
            cases.add("shares", {"method": name, "values": values}, shares)
        cases.add("adjustment", {"method": name, "values": values}, [float(min(1, v)) for v in adjusted])


def sequential(counts, weights):
    w = [mp.mpf(x) / mp.fsum(map(mp.mpf, weights)) for x in weights]
    alpha = [1000 * x for x in w]
    log_p = mp.fsum(n * mp.log(x) for n, x in zip(counts, w))
    log_p += mp.fsum(mp.loggamma(a) - mp.loggamma(a + n) for a, n in zip(alpha, counts))
    log_p += mp.loggamma(mp.fsum(alpha) + sum(counts)) - mp.loggamma(mp.fsum(alpha))
    return min(mp.mpf(1), mp.exp(log_p))


mp.mp.dps = 60
for counts, weights in [
    ([600, 400], [1, 1]), ([5000, 5200], [1, 1]), ([0, 3], [1, 1]), ([1, 0, 0], [1, 2, 3]), ([500, 500], [0.5, 0.5]), ([10**9, 10**9 + 300000], [1, 1]),
    ([333333, 333900, 332767], [1, 1, 1]), ([700000, 301000], [0.7, 0.3]), ([90210, 9500, 400], [90, 9.5, 0.5]),
    ([10**9, 10**9 - 10**6], [1, 1]), ([123456, 7890], [0.9, 0.1]), ([5, 5], [1e-3, 1]), ([999999999, 1], [1, 1e-9]),
]:
    total, whole = sum(counts), mp.fsum(map(mp.mpf, weights))
    expected = [total * mp.mpf(w) / whole for w in weights]
    chi2 = mp.fsum((n - e) ** 2 / e for n, e in zip(counts, expected))
    p = mp.gammainc(mp.mpf(len(counts) - 1) / 2, chi2 / 2, regularized=True)
    peer = scipy.stats.chisquare(counts, [float(e) for e in expected]).pvalue if total < 1e6 and p > 1e-200 else float(p)
    assert p < 1e-200 or abs(peer - p) <= 1e-7 * p, (peer, p)
    value = {"chiSquare": chi2, "pValue": p, "sequentialPValue": sequential(counts, weights)}
    if value["sequentialPValue"] < 1e-307 or p < 1e-307:
        continue
    cases.add("sampleRatio", {"counts": counts, "weights": weights}, value)

cases.write(__file__)
