"""Exact tests of 2×2 tables: Fisher's by exact binomials, Boschloo's by SciPy on a fine grid."""

import random

import mpmath as mp
import scipy.stats

from common import Cases

cases = Cases()
rng = random.Random(7)


def fisher(a, na, b, nb):
    """Two-sided, less and greater for a of na; SciPy asked as well."""
    marked, total = a + b, na + nb
    support = range(max(0, na - (total - marked)), min(marked, na) + 1)
    mass = {j: mp.binomial(marked, j) * mp.binomial(total - marked, na - j) for j in support}
    whole = mp.binomial(total, na)
    two = mp.fsum(m for m in mass.values() if m <= mass[a] * (1 + mp.mpf(10) ** -12)) / whole
    less = mp.fsum(m for j, m in mass.items() if j <= a) / whole
    greater = mp.fsum(m for j, m in mass.items() if j >= a) / whole
    table = [[a, na - a], [b, nb - b]]
    for ours, side in [(two, "two-sided"), (less, "less"), (greater, "greater")]:
        assert abs(scipy.stats.fisher_exact(table, side).pvalue - ours) <= 1e-9 * ours
    return {"twoSided": two, "less": less, "greater": greater}


tables = [(8, 10, 1, 6), (0, 5, 0, 7), (5, 5, 7, 7), (0, 1, 1, 1), (0, 50, 12, 50), (3, 1000, 30, 900), (2, 4, 2, 4), (1, 3, 2, 3), (400, 1000, 600, 1000)]
for _ in range(25):
    na, nb = rng.randrange(1, 300), rng.randrange(1, 300)
    tables.append((rng.randrange(0, min(na, 12) + 1), na, rng.randrange(0, min(nb, 12) + 1), nb))
for table in tables:
    cases.add("fisher", list(table), fisher(*table))


def one_sided(a, na, b, nb):
    """The supremum over the share of the probability of tables with Fisher's p no larger, on a fine grid and
    then refined; less successes in the first group."""
    stat = [[scipy.stats.hypergeom.cdf(i, na + nb, i + j, na) for j in range(nb + 1)] for i in range(na + 1)]
    limit = stat[a][b] * (1 + 1e-12)
    region = [(i, j) for i in range(na + 1) for j in range(nb + 1) if stat[i][j] <= limit]

    def probability(p):
        ma, mb = scipy.stats.binom.pmf(range(na + 1), na, p), scipy.stats.binom.pmf(range(nb + 1), nb, p)
        return sum(ma[i] * mb[j] for i, j in region)

    grid = [k / 2000 for k in range(1, 2000)]
    heights = [probability(p) for p in grid]
    best = 0
    for k in sorted(range(1, len(grid) - 1), key=lambda k: -heights[k])[:3]:
        result = scipy.optimize.minimize_scalar(lambda p: -probability(p), bounds=(grid[k - 1], grid[k + 1]), method="bounded", options={"xatol": 1e-12})
        best = max(best, -result.fun, heights[k])
    return min(best, 1)


for a, na, b, nb in [(7, 12, 2, 15), (0, 8, 3, 9), (1, 20, 6, 18), (0, 30, 4, 25), (2, 10, 2, 10), (10, 10, 7, 12), (3, 40, 9, 42), (1, 60, 5, 20)]:
    less, greater = one_sided(a, na, b, nb), one_sided(b, nb, a, na)
    peer = scipy.stats.boschloo_exact([[a, b], [na - a, nb - b]], "two-sided", n=256).pvalue
    ours = min(1, 2 * min(less, greater))
    assert peer <= ours + 1e-9 and abs(peer - ours) < 1e-4 * ours, (peer, ours)
    cases.add("boschloo", [a, na, b, nb], {"less": less, "greater": greater, "twoSided": ours})

cases.write(__file__)
