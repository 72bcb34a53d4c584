"""Kaplan–Meier and its intervals by lifelines, the log-rank test by statsmodels."""

import random

import lifelines
import numpy as np
import scipy.stats
import statsmodels.duration.survfunc

from common import Cases

cases = Cases()
rng = random.Random(19)


def table(size, pace, censoring, horizon):
    rows = {}
    for _ in range(size):
        end, seen = int(rng.expovariate(pace)) + 1, int(rng.expovariate(censoring)) + 1
        time = min(end, seen, horizon)
        row = rows.setdefault(time, [0, 0])
        row[0 if end <= seen and end <= horizon else 1] += 1
    return [[time, *row] for time, row in sorted(rows.items())]


def expand(rows):
    times = np.concatenate([np.repeat(t, d + c) for t, d, c in rows])
    events = np.concatenate([[1] * d + [0] * c for _, d, c in rows])
    return times, events


tables = [table(n, p, c, h) for n, p, c, h in [(6, 0.2, 0.1, 20), (50, 0.1, 0.05, 30), (60, 0.13, 0.05, 30), (2000, 0.05, 0.02, 40), (2100, 0.04, 0.02, 40)]]
tables += [[[1, 0, 5], [2, 3, 0]], [[5, 1, 0]], [[3, 10, 0], [4, 0, 10]]]
for rows in tables:
    times, events = expand(rows)
    fit = lifelines.KaplanMeierFitter().fit(times, events)
    points = []
    for t, _, _ in rows:
        s = float(fit.survival_function_at_times(t).iloc[0])
        low, high = map(float, fit.confidence_interval_.loc[t])
        upto = [(d, sum(dd + cc for tt, dd, cc in rows if tt >= time)) for time, d, _ in rows if time <= t]
        greenwood = s**2 * sum(d / (n * (n - d)) for d, n in upto if n > d) if s > 0 else None
        points.append([s, greenwood, low if 0 < s < 1 else None, high if 0 < s < 1 else None])
    cases.add("kaplanMeier", rows, points)

for a, b in [(1, 2), (3, 4), (0, 1), (5, 7), (2, 4)]:
    (ta, ea), (tb, eb) = expand(tables[a]), expand(tables[b])
    chi2, p = statsmodels.duration.survfunc.survdiff(np.concatenate([ta, tb]), np.concatenate([ea, eb]), np.repeat([0, 1], [len(ta), len(tb)]))
    # statsmodels takes 1 − cdf, so its own p is only good for the χ².
    assert abs(p - scipy.stats.chi2.sf(chi2, 1)) < 1e-12
    cases.add("logRank", {"a": tables[a], "b": tables[b]}, {"chiSquare": chi2, "pValue": scipy.stats.chi2.sf(chi2, 1)})

# What is left of two curves at one time, with the pooled curve's Greenwood variance at each group's own numbers at risk.
for a, b, time in [(1, 2, 12), (3, 4, 20), (0, 1, 4), (5, 7, 3)]:
    one, other = tables[a], tables[b]
    at_risk = lambda rows, t: sum(d + c for time, d, c in rows if time >= t)
    ended = lambda rows, t: sum(d for time, d, c in rows if time == t)
    left, hazards, ends = [1.0, 1.0, 1.0], [0.0, 0.0], [0.0, 0.0]
    for t in sorted({row[0] for row in one + other}):
        if t > time or not ended(one, t) + ended(other, t):
            continue
        pace = (ended(one, t) + ended(other, t)) / (at_risk(one, t) + at_risk(other, t))
        left[2] *= 1 - pace
        for place, rows in enumerate((one, other)):
            if at_risk(rows, t):
                left[place] *= 1 - ended(rows, t) / at_risk(rows, t)
                hazards[place] += pace / (at_risk(rows, t) * (1 - pace))
                ends[place] += pace * at_risk(rows, t)
    error = left[2] * np.sqrt(sum(hazards))
    value = {"shareA": left[0], "shareB": left[1], "standardError": error, "endsA": ends[0], "endsB": ends[1],
             "pValue": 2 * scipy.stats.norm.sf(abs(left[1] - left[0]) / error)}
    cases.add("survivalDifference", {"a": one, "b": other, "time": time}, value)

cases.write(__file__)
