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



def phases(parts):
    """χ² and degrees of freedom add up over phases, and so do the logarithms of the always-valid p-values."""
    chi2, degrees, p = mp.mpf(0), 0, mp.mpf(1)
    for counts, weights in parts:
        meant = [(n, mp.mpf(w)) for n, w in zip(counts, weights) if w > 0]
        total, whole = sum(n for n, _ in meant), mp.fsum(w for _, w in meant)
        if len(meant) < 2 or total == 0:
            continue
        chi2 += mp.fsum((n - total * w / whole) ** 2 / (total * w / whole) for n, w in meant)
        degrees += len(meant) - 1
        alpha = [1000 * w / whole for _, w in meant]
        log_p = mp.fsum(n * mp.log(w / whole) for n, w in meant) + mp.loggamma(1000 + total) - mp.loggamma(1000)
        log_p += mp.fsum(mp.loggamma(a) - mp.loggamma(a + n) for a, (n, _) in zip(alpha, meant))
        p *= mp.exp(log_p)
    tail = mp.gammainc(mp.mpf(degrees) / 2, chi2 / 2, regularized=True)
    return {"chiSquare": chi2, "pValue": tail, "sequentialPValue": min(mp.mpf(1), p)}


for parts in [
    [([990, 10], [99, 1]), ([510, 490], [1, 1])], [([990, 10], [1, 1]), ([510, 490], [1, 1])],
    [([400, 410, 0], [1, 1, 0]), ([300, 280, 330], [1, 1, 1])], [([50, 0], [1, 0]), ([60, 70], [1, 1])],
    [([0, 0], [1, 2]), ([60, 70], [1, 1])], [([10**8, 10**8 + 10**5], [1, 1]), ([10**8, 3 * 10**8], [1, 3])],
]:
    cases.add("sampleRatioPhases", {"counts": [c for c, _ in parts], "weights": [w for _, w in parts]}, phases(parts))


def dirichlet_multinomial(counts):
    """ln B(½ + n)/B(½)."""
    half, groups, users = mp.mpf(1) / 2, len(counts), sum(counts)
    whole = mp.loggamma(groups * half) - mp.loggamma(groups * half + users)
    return whole + mp.fsum(mp.loggamma(half + n) - mp.loggamma(half) for n in counts)


def over_time(days):
    """Half shares that change once, half shares of each day's own, over the likeliest shares that never change."""
    total = [sum(column) for column in zip(*days)]
    constant = mp.fsum(n * mp.log(mp.mpf(n) / sum(total)) for n in total if n)
    terms = []
    for day in range(1, len(days)):
        before = [sum(column) for column in zip(*days[:day])]
        after = [t - b for t, b in zip(total, before)]
        terms.append(mp.exp(dirichlet_multinomial(before) + dirichlet_multinomial(after) - constant) / (day * (day + 1)))
    changed = mp.fsum(terms) + mp.exp(dirichlet_multinomial(total) - constant) / len(days)
    daily = mp.exp(mp.fsum(dirichlet_multinomial(day) for day in days) - constant)
    best = max(range(len(terms)), key=terms.__getitem__) + 1 if terms else None
    return min(mp.mpf(1), 2 / (changed + daily)), best


for days in [
    [[99, 1]] * 7 + [[52, 48]] * 7, [[20, 21, 0]] * 10 + [[19, 20, 22]] * 3, [[5, 4]], [[3, 0], [0, 3]], [[60, 40], [40, 60]] * 6,
    [[50, 50]] * 28, [[0, 0], [10, 1], [0, 0], [1, 12]], [[10**8, 10**8 + 20000], [10**8 + 20000, 10**8]], [[40, 41, 38]] * 9 + [[60, 59, 0]] * 2,
]:
    p, day = over_time(days)
    cases.add("sharesOverTime", {"days": days}, [float(p), -1.0 if day is None else float(day)])

cases.write(__file__)
