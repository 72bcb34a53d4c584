"""What `offerlift power` must come to: statsmodels' power classes for a test that is read once, and for one that is
read every night the same normal power with the confidence sequence's multiplier in place of z, at the last look and
at any look."""

import math

import numpy as np
import scipy.optimize
import scipy.stats
from statsmodels.stats.power import NormalIndPower, TTestIndPower

from common import Cases

cases = Cases()


def effect(kind, baseline, lift):
    """Cohen's d of equal groups; of shares with the mean of both variances."""
    if kind == "mean":
        mean, sd = baseline
        return mean * lift / sd
    p, q = baseline[0], baseline[0] * (1 + lift)
    return (q - p) / math.sqrt((p * (1 - p) + q * (1 - q)) / 2)


def multiplier(users, alpha, tuning):
    budget = -2 * math.log(alpha)
    information = users * (budget + math.log(budget + 1)) / tuning
    return math.sqrt(2 * (information + 1) / information * math.log(math.sqrt(information + 1) / alpha))


def sequential_power(d, n, alpha, tuning):
    c, delta = multiplier(2 * n, alpha, tuning), abs(d) * math.sqrt(n / 2)
    return scipy.stats.norm.sf(c - delta) + scipy.stats.norm.sf(c + delta)


def any_look(d, n, alpha, tuning, looks, points=3001):
    """P(|Z_k| > c_k at some k) of a random walk: its density on a fine grid inside the bounds, by Simpson's rule."""
    step, drift = 1 / looks, abs(d) * math.sqrt(n / 2)
    before, mass = np.array([0.0]), np.array([1.0])
    for look in range(1, looks + 1):
        edge = multiplier(2 * n * look / looks, alpha, tuning) * math.sqrt(look * step)
        low, high = max(-edge, drift * look * step - 9), min(edge, drift * look * step + 9)
        grid = np.linspace(low, high, points)
        rule = np.full(points, 2.0) * (high - low) / (points - 1) / 3
        rule[1:-1:2] *= 2
        rule[[0, -1]] /= 2
        density = scipy.stats.norm.pdf(grid[:, None], before[None, :] + drift * step, math.sqrt(step)) @ mass
        before, mass = grid, rule * density
    return 1 - mass.sum()


for kind, baseline, lift, alpha, power in [
    ("proportion", [0.03], 0.1, 0.05, 0.8),
    ("proportion", [0.03], -0.1, 0.05, 0.8),
    ("proportion", [0.5], 0.05, 0.01, 0.9),
    ("proportion", [0.002], 0.3, 0.05, 0.8),
    ("mean", [4.2, 25], 0.1, 0.05, 0.8),
    ("mean", [4.2, 25], 0.05, 0.025, 0.9),
    ("mean", [10, 4], 0.3, 0.05, 0.8),
    ("mean", [1, 0.6], 0.5, 0.05, 0.8),
]:
    d = abs(effect(kind, baseline, lift))
    peer = NormalIndPower() if kind == "proportion" else TTestIndPower()
    fixed = peer.solve_power(d, None, alpha, power)
    nightly = scipy.optimize.brentq(lambda n: sequential_power(d, n, alpha, 5000) - power, 2, 1e9, xtol=1e-9)
    arguments = {"kind": kind, "baseline": baseline, "lift": lift, "alpha": alpha, "power": power}
    cases.add("users", arguments, {"fixed": fixed, "sequential": nightly})

for kind, baseline, lift, users, looks in [
    ("proportion", [0.03], 0.1, 50000, 1), ("proportion", [0.03], 0.1, 125794, 2), ("proportion", [0.03], 0.1, 125794, 28),
    ("mean", [4.2, 25], 0.1, 60000, 7), ("mean", [4.2, 25], 0.0001, 60000, 40), ("mean", [1, 0.6], 0.5, 40, 14),
]:
    value = any_look(effect(kind, baseline, lift), users, 0.05, 5000, looks)
    if looks == 1:
        assert abs(value - sequential_power(effect(kind, baseline, lift), users, 0.05, 5000)) < 1e-9
    arguments = {"kind": kind, "baseline": baseline, "lift": lift, "users": users, "looks": looks}
    cases.add("any_look", arguments, value)

for kind, baseline, users, ratio in [
    ("mean", [4.2, 25], 20000, 1), ("mean", [4.2, 25], 20000, 2), ("mean", [10, 4], 12, 1), ("proportion", [0.03], 20000, 1)
]:
    def power(r):
        peer = TTestIndPower() if kind == "mean" else NormalIndPower()
        return peer.power(effect(kind, baseline, r), users, 0.05, ratio)

    # Its own solver stops at 1e-6.
    spread = baseline[1] / baseline[0] if kind == "mean" else math.sqrt((1 - baseline[0]) / baseline[0])
    guess = 2.8 * spread * math.sqrt((1 + 1 / ratio) / users)
    lift = scipy.optimize.brentq(lambda r: power(r) - 0.8, 0.8 * guess, 1.2 * guess, xtol=1e-14)
    cases.add("detectable", {"kind": kind, "baseline": baseline, "users": users, "ratio": ratio}, lift)

cases.write(__file__)
