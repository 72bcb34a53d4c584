"""Power by statsmodels where its frame is the same (equal groups), else by quadrature over the chi."""

import math

import numpy as np
import scipy.special
import scipy.stats
import statsmodels.stats.power

from common import Cases

cases = Cases()
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)


def noncentral_power(delta, df, c):
    low, high = -40 / df - 10 / math.sqrt(df), min(4.0, 10 / math.sqrt(df))
    edges = np.linspace(low, high, 400)
    half = (edges[1] - edges[0]) / 2
    s = (edges[:-1, None] + half + half * NODES).ravel()
    z = df / 2
    stirling = scipy.special.gammaln(z) - ((z - 0.5) * math.log(z) - z + 0.5 * math.log(2 * math.pi))
    if z > 100:
        stirling = 1 / (12 * z) - 1 / (360 * z**3)
    log_f = math.log(2) + 0.5 * math.log(z) - 0.5 * math.log(2 * math.pi) - stirling + df * (s - np.expm1(2 * s) / 2)
    reject = scipy.special.ndtr(delta - c * np.exp(s)) + scipy.special.ndtr(-delta - c * np.exp(s))
    return float(np.sum(np.tile(WEIGHTS, len(edges) - 1) * half * np.exp(log_f) * reject))


def power(difference, va, vb, na, nb, alpha):
    ea, eb = va / na, vb / nb
    df = (ea + eb) ** 2 / (ea**2 / (na - 1) + eb**2 / (nb - 1))
    return noncentral_power(abs(difference) / math.sqrt(ea + eb), df, scipy.stats.t.isf(alpha / 2, df))


for mean, sd, lift, users, ratio, alpha in [
    (10, 5, 0.2, 2, 1, 0.05), (10, 5, 0.2, 5, 1, 0.05), (10, 5, 0.2, 30, 1, 0.05), (10, 5, -0.2, 30, 2, 0.05), (10, 5, 0.1, 500, 0.5, 0.01),
    (3, 40, 0.05, 10**6, 1, 0.05), (3, 40, 0.05, 10**6, 3, 0.001), (-4, 2, 0.3, 12, 1, 0.1),
]:
    value = power(mean * lift, sd**2, sd**2, users, users * ratio, alpha)
    if ratio == 1 and users > 2:
        peer = statsmodels.stats.power.TTestIndPower().power(abs(mean * lift) / sd, users, alpha)
        assert abs(peer - value) < 1e-8, (peer, value)
    cases.add("power.mean", [mean, sd, lift, users, ratio, alpha], value)

for p, lift, users, ratio, alpha in [(0.03, 0.1, 50000, 1, 0.05), (0.03, -0.1, 50000, 1, 0.05), (0.5, 0.2, 40, 1, 0.05), (0.2, 0.5, 100, 3, 0.01), (0.9, 0.05, 300, 1, 0.05)]:
    q = p * (1 + lift)
    cases.add("power.proportion", [p, lift, users, ratio, alpha], power(q - p, p * (1 - p), q * (1 - q), users, users * ratio, alpha))

for p, lift, goal in [(0.03, 0.1, 0.8), (0.5, 0.3, 0.9), (0.002, 0.5, 0.8), (0.3, -0.2, 0.8)]:
    q = p * (1 + lift)
    enough = lambda n: power(q - p, p * (1 - p), q * (1 - q), n, n, 0.05) >= goal
    low, high = 2, 4
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    cases.add("users.proportion", [p, lift, goal], high)
for sd, lift in [(1.0, 0.5), (2.0, 0.1), (0.05, 0.5)]:
    n = statsmodels.stats.power.TTestIndPower().solve_power(lift / sd, None, 0.05, 0.8) if lift / sd < 5 else 2
    cases.add("users.mean", [1.0, sd, lift, 0.8], max(2, math.ceil(n)))

cases.write(__file__)
