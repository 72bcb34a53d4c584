"""Distribution functions by mpmath at 40 digits: closed forms where it has them, else integrals of the
density, so that no algorithm is shared with the code under test."""

import mpmath as mp
import scipy.stats

from common import Cases, tail_integral

cases = Cases()


# Normal.
def phi_upper(z):
    return mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2


for z in [0.0, 1e-10, 0.1, 0.5, 1.0, 1.96, 2.5758293035489, 5.0, 8.3, 12.0, 20.5, 30.1, 37.0, -0.3, -1.5, -6.0, -37.0]:
    cases.add("normal.sf", [z], phi_upper(z))
    cases.add("normal.cdf", [z], phi_upper(-mp.mpf(z)))
    cases.add("normal.pdf", [z], mp.npdf(z))
for p in [1e-300, 1e-100, 1e-17, 1e-5, 0.001, 0.025, 0.2, 0.3, 0.49999, 0.5 - 2**-40, 0.7, 0.975, 1 - 2**-30]:
    start = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(p)) if p > 1e-17 else mp.sqrt(-2 * mp.log(p)) * mp.mpf("0.98")
    cases.add("normal.upperQuantile", [p], mp.findroot(lambda z: mp.log(phi_upper(z)) - mp.log(mp.mpf(p)), start))


# Student's t, on the scale of s = ln t.
def t_log_constant(nu):
    return mp.loggamma((nu + 1) / 2) - mp.loggamma(nu / 2) - mp.log(nu * mp.pi) / 2


def t_upper(t, nu):
    t, nu = mp.mpf(t), mp.mpf(nu)
    if t == 0:
        return mp.mpf(1) / 2
    if t < 0:
        return 1 - t_upper(-t, nu)
    constant = t_log_constant(nu)
    return tail_integral(lambda s: constant + s - (nu + 1) / 2 * mp.log1p(mp.exp(2 * s) / nu), mp.log(t), 1)


for nu in [0.5, 1.0, 1.7, 2.0, 3.3, 10.0, 47.25, 333.0, 1e4, 123456.7, 1e7, 1e9]:
    for t in [1e-8, 0.3, 1.0, 1.3, 1.96, 4.0, 11.0, 37.0, -0.7, -3.0]:
        value = t_upper(t, nu)
        if value > 1e-307:
            cases.add("t.sf", [nu, t], value)
    for t in [0.0, 2.0, 30.0]:
        value = mp.exp(t_log_constant(mp.mpf(nu)) - (mp.mpf(nu) + 1) / 2 * mp.log1p(mp.mpf(t) ** 2 / nu))
        if value > 1e-307:
            cases.add("t.pdf", [nu, t], value)
for nu, t in [(0.5, 1e100), (0.5, 1e150), (0.5, 1e300), (2.5, 1e100), (30.0, 1e10), (5.5, 1e54), (100.0, 1000.0), (1e4, 38.3)]:
    value = t_upper(t, nu)
    if value > 1e-307:
        cases.add("t.sf", [nu, t], value)


def t_quantile(p, nu):
    """Upper quantile by Newton's method on ln of the tail against ln t, from SciPy's or the tail's power law."""
    target, start = mp.log(mp.mpf(p)), float(scipy.stats.t.isf(p, nu))
    if 0 < start < 1e300:
        s = mp.log(mp.mpf(start))
    else:
        s = (t_log_constant(mp.mpf(nu)) + (mp.mpf(nu) - 1) / 2 * mp.log(nu) - target) / nu
    for _ in range(20):
        tail = t_upper(mp.exp(s), nu)
        slope = -mp.exp(t_log_constant(mp.mpf(nu)) + s - (mp.mpf(nu) + 1) / 2 * mp.log1p(mp.exp(2 * s) / nu)) / tail
        step = (mp.log(tail) - target) / slope
        s -= step
        if abs(step) < mp.mpf(10) ** -14:
            return mp.exp(s)
    raise ArithmeticError((p, nu))


mp.mp.dps = 30
for nu in [0.5, 1.0, 2.6, 9.0, 120.5, 4321.0, 1e6, 1e9]:
    for p in [0.4999, 0.3, 0.025, 0.005, 1e-8, 1e-60] + ([1e-280] if nu > 2 else []):
        cases.add("t.upperQuantile", [nu, p], t_quantile(p, nu))
mp.mp.dps = 40


# Incomplete gamma, on the scale of s = ln x.
def gamma_tails(a, x):
    a, x = mp.mpf(a), mp.mpf(x)
    log_f = lambda s: a * s - mp.exp(s) - mp.loggamma(a)
    upper = tail_integral(log_f, mp.log(x), 1)
    lower = tail_integral(log_f, mp.log(x), -1)
    return lower, upper


for nu in [0.5, 1.0, 2.0, 3.5, 10.0, 77.0, 1001.5, 1e5, 1e7, 1e9]:
    deviation = (2 * nu) ** 0.5
    points = [nu * 1e-3, nu * 0.3, nu, nu + 1e-3 * deviation, nu + deviation, nu + 6 * deviation, nu + 30 * deviation]
    points += [nu - deviation, nu - 6 * deviation, nu - 30 * deviation]
    for x in points:
        if x > 0 and not (nu > 1e4 and x < 0.9 * nu):
            lower, upper = gamma_tails(mp.mpf(nu) / 2, mp.mpf(x) / 2)
            if upper > 1e-307:
                cases.add("chi2.sf", [nu, x], upper)
for nu, x in [(1.0, 1300.0), (0.5, 1e-300), (5.0, 1370.0), (200.0, 1800.0), (2.0, 1e-290)]:
    lower, upper = gamma_tails(mp.mpf(nu) / 2, mp.mpf(x) / 2)
    cases.add("chi2.sf", [nu, x], upper)


# Incomplete beta, on the scale of s = logit x.
def beta_tails(a, b, x):
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    constant = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)

    def log_f(s):
        log_x = -mp.log1p(mp.exp(-s)) if s > 0 else s - mp.log1p(mp.exp(s))
        return constant + a * log_x + b * (log_x - s)

    logit = mp.log(x) - mp.log1p(-x)
    return tail_integral(log_f, logit, -1), tail_integral(log_f, logit, 1)


shapes = [
    (0.01, 0.01), (0.01, 1.0), (0.01, 50.0), (0.01, 1e9), (0.5, 0.5), (0.5, 3.0), (0.9, 0.2), (1.0, 1.0), (2.5, 0.7),
    (3.0, 4.0), (12.0, 100.0), (50.5, 0.5), (300.0, 299.0), (1e4, 0.5), (1e4, 3e4), (1e6, 20.0), (1e6, 1e6),
    (5e7, 1.5), (1e9, 0.01), (1e9, 0.5), (1e9, 1e3), (1e9, 1e6), (1e9, 1e9),
]
for a, b in shapes:
    mean = a / (a + b)
    deviation = (a * b / (a + b + 1)) ** 0.5 / (a + b)
    points = [mean, mean + deviation, mean + 5 * deviation, mean + 30 * deviation]
    points += [mean - deviation, mean - 5 * deviation, mean - 30 * deviation, mean / 1000, (999 + mean) / 1000, 0.5]
    for x in sorted(set(points)):
        if not 0 < x < 1 or (max(a, b) > 1e3 and abs(x - mean) > 40 * deviation):
            continue
        lower, upper = beta_tails(a, b, x)
        if lower > 1e-307:
            cases.add("beta.cdf", [a, b, x], lower)
        if upper > 1e-307:
            cases.add("beta.sf", [a, b, x], upper)


# Binomial.
def log_choose(n, k):
    return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)


for n, p, ks in [
    (1, 0.3, [0, 1]), (10, 0.1, [0, 1, 5, 9, 10]), (100, 0.5, [1, 30, 50, 80, 99]), (5000, 1e-4, [0, 1, 3, 60]),
    (10**6, 0.02, [18000, 20000, 20001, 24000]), (10**9, 0.5, [499500000, 500000000, 500500000]),
    (10**9, 1e-9, [0, 1, 5, 100]), (1000, 1 - 1e-9, [990, 999]), (50, 0.999, [3, 20, 49]),
]:
    for k in ks:
        q = 1 - mp.mpf(p)
        mass = mp.exp(log_choose(mp.mpf(n), mp.mpf(k)) + k * mp.log(mp.mpf(p)) + (n - k) * mp.log(q))
        cases.add("binomial.pmf", [n, p, k], mass)

# Hypergeometric.
mp.mp.dps = 60
for total, marked, drawn, ks in [
    (20, 7, 12, [0, 3, 4, 7]), (10, 0, 4, [0]), (10, 10, 4, [4]), (1000, 3, 500, [0, 1, 3]),
    (2 * 10**9, 12, 10**9, [0, 5, 12]), (10**6, 5 * 10**5, 1000, [300, 500, 700]), (2 * 10**9, 10**9, 10**9, [500000000, 500100000]),
]:
    for k in ks:
        value = log_choose(mp.mpf(marked), mp.mpf(k)) + log_choose(mp.mpf(total - marked), mp.mpf(drawn - k))
        cases.add("hypergeometric.pmf", [total, marked, drawn, k], mp.exp(value - log_choose(mp.mpf(total), mp.mpf(drawn))))
mp.mp.dps = 40


# Noncentral t, as the integral over ln of the chi.
def noncentral_upper(t, nu, delta):
    t, nu, delta = mp.mpf(t), mp.mpf(nu), mp.mpf(delta)
    constant = mp.log(2) + nu / 2 * mp.log(nu / 2) - mp.loggamma(nu / 2)
    log_f = lambda s: constant + nu * s - nu * mp.exp(2 * s) / 2 + mp.log(phi_upper(t * mp.exp(s) - delta))
    peak = max((mp.mpf(k) / 50 for k in range(-400, 200)), key=log_f)
    return tail_integral(log_f, peak, 1) + tail_integral(log_f, peak, -1)


for nu, delta, t in [
    (1.0, 2.8, 12.7), (2.0, 0.0, 1.5), (2.0, 3.0, 4.3), (3.7, -2.0, 3.2), (8.0, 2.9, 2.306), (8.0, 2.9, -2.306), (8.0, 12.0, 2.306),
    (8.0, -2.9, 2.306), (50.0, 2.8, 2.0086), (50.0, 35.0, 2.0), (998.0, 2.8, 1.9623), (1e5, 2.8, 1.96), (1e9, 2.8, 1.96),
    (0.5, 1.0, 3.0), (200.0, 0.1, 30.0), (1e6, -30.0, 2.0),
]:
    cases.add("noncentralT.sf", [nu, delta, t], noncentral_upper(t, nu, delta))
    cases.add("noncentralT.cdf", [nu, delta, t], noncentral_upper(-mp.mpf(t), nu, -mp.mpf(delta)))

cases.write(__file__)
