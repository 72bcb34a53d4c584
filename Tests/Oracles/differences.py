"""The same data in SciPy, statsmodels, gbstats, tea-tasting and SQL by hand, each asked as the first pages of its manual do.

Writes differences.json: the data as value counts and sums, what each answers, and how often each answer is wrong. Wants a
virtual environment of its own, for gbstats asks for an older NumPy than the rest:

    python3 -m venv /tmp/differences && /tmp/differences/bin/pip install -r differences_requirements.txt
    /tmp/differences/bin/python differences.py && python3 ../Results/differences.py     # the second writes jobs/methods.md
"""

import importlib.metadata
import json
import math
import pathlib
import warnings

import duckdb
import gbstats.frequentist.tests as growthbook
import gbstats.models.statistics as growthbook_data
import numpy as np
import pandas as pd
import scipy.stats
import statsmodels.stats.proportion
import statsmodels.stats.weightstats
import tea_tasting as tt
from gbstats.bayesian.tests import EffectBayesianABTest
from gbstats.utils import check_srm

warnings.simplefilter("ignore")
DICE = np.random.default_rng(20260401)

# Each group's users by (y, x): how many users have them. Money is in dollars.
DATA = {
    "share": ("proportion", {(1, 0): 410, (0, 0): 9590}, {(1, 0): 480, (0, 0): 9520}),
    "share, 20 : 1": ("proportion", {(1, 0): 400, (0, 0): 19600}, {(1, 0): 29, (0, 0): 971}),
    "share, few": ("proportion", {(1, 0): 1, (0, 0): 119}, {(1, 0): 7, (0, 0): 113}),
    "money, 4 : 1": ("mean", {(0, 0): 7600, (9.99, 0): 300, (49.99, 0): 100}, {(0, 0): 1885, (9.99, 0): 70, (49.99, 0): 25, (99.99, 0): 20}),
    "money, few payers": ("mean", {(0, 0): 470, (9.99, 0): 30}, {(0, 0): 450, (9.99, 0): 50}),
    "one price each": ("mean", {(9.99, 0): 300}, {(10.99, 0): 280}),
    "refunds of charges": ("ratio", {(0, 1): 600, (1, 1): 20, (0, 6): 300, (6, 6): 20}, {(0, 1): 590, (1, 1): 25, (0, 6): 290, (6, 6): 34}),
}
ALPHA = 0.05


def number(value):
    """A number as JSON has it; None for what is none."""
    return None if value is None or not math.isfinite(value) else float(value)


def answer(p=None, interval=None):
    """What somebody said: a p-value, and the lift's interval as parts of the baseline."""
    return {"p": number(p), "interval": [number(end) for end in interval] if interval else None}


def rows(counts):
    """A user a row."""
    return np.repeat(np.array(list(counts), float), list(counts.values()), axis=0)


def sums(counts):
    """What `offerlift analyze` takes, as decimals that are exact in cents."""
    cents = [(round(100 * y), x, users) for (y, x), users in counts.items()]
    text = lambda total, unit: format(total / unit, "f")
    return {
        "n": sum(users for *_, users in cents), "sum_y": text(sum(y * users for y, _, users in cents), 100),
        "sum_yy": text(sum(y * y * users for y, _, users in cents), 10000), "sum_x": sum(x * users for _, x, users in cents),
        "sum_xx": sum(x * x * users for _, x, users in cents), "sum_xy": text(sum(x * y * users for y, x, users in cents), 100),
    }


def ask_scipy(kind, a, b):
    if kind == "mean":
        return answer(scipy.stats.ttest_ind(b[:, 0], a[:, 0]).pvalue)
    if kind == "ratio":  # a test of ratios of users' sums is not there: of charges
        (ya, xa), (yb, xb) = a.sum(axis=0), b.sum(axis=0)
        return answer(scipy.stats.chi2_contingency([[ya, xa - ya], [yb, xb - yb]]).pvalue)
    (ya, na), (yb, nb) = (a[:, 0].sum(), len(a)), (b[:, 0].sum(), len(b))
    ratio = scipy.stats.contingency.relative_risk(int(yb), nb, int(ya), na).confidence_interval(1 - ALPHA)
    return answer(scipy.stats.chi2_contingency([[ya, na - ya], [yb, nb - yb]]).pvalue, (ratio.low - 1, ratio.high - 1))


def ask_statsmodels(kind, a, b):
    module = statsmodels.stats.proportion
    if kind == "mean":
        return answer(statsmodels.stats.weightstats.ttest_ind(b[:, 0], a[:, 0])[1])
    (ya, na), (yb, nb) = (a.sum(axis=0), b.sum(axis=0)) if kind == "ratio" else ((a[:, 0].sum(), len(a)), (b[:, 0].sum(), len(b)))
    p = module.proportions_ztest([yb, ya], [nb, na])[1]
    low, high = module.confint_proportions_2indep(yb, nb, ya, na, compare="ratio")
    return answer(p, (low - 1, high - 1))


def growthbook_statistic(kind, users):
    y, x = users[:, 0], users[:, 1]
    mean = lambda values: growthbook_data.SampleMeanStatistic(n=len(users), sum=values.sum(), sum_squares=(values**2).sum())
    if kind == "ratio":
        return growthbook_data.RatioStatistic(n=len(users), m_statistic=mean(y), d_statistic=mean(x), m_d_sum_of_products=(x * y).sum())
    return mean(y) if kind == "mean" else growthbook_data.ProportionStatistic(n=len(users), sum=y.sum())


def ask_growthbook(kind, a, b, test=growthbook.TwoSidedTTest):
    result = test(growthbook_statistic(kind, a), growthbook_statistic(kind, b)).compute_result()
    return answer() if getattr(result, "error_message", None) else answer(result.p_value, result.ci)


def ask_tea_tasting(kind, a, b):
    table = lambda users, variant: pd.DataFrame({"variant": variant, "y": users[:, 0], "x": users[:, 1]})
    metric = {"proportion": tt.Proportion("y"), "mean": tt.Mean("y"), "ratio": tt.RatioOfMeans("y", "x")}[kind]
    found = tt.Experiment(metric=metric).analyze(pd.concat([table(a, 0), table(b, 1)], ignore_index=True))["metric"]
    interval = (found.rel_effect_size_ci_lower, found.rel_effect_size_ci_upper)
    return answer(found.pvalue, interval if all(map(math.isfinite, interval)) else None)


SQL = {
    "mean": """select avg(y) m, (sum(y*y) - sum(y)*sum(y)/count(*))/(count(*) - 1)/count(*) v from t where g = ?""",
    "proportion": """select avg(y) m, avg(y)*(1 - avg(y))/count(*) v from t where g = ?""",
    "ratio": """select sum(y)/sum(x) m, sum(y)/sum(x)*(1 - sum(y)/sum(x))/sum(x) v from t where g = ?""",
}


def ask_sql(kind, a, b):
    """z of the difference, and its interval divided by the baseline's value as if that were known."""
    base = duckdb.connect()
    frame = pd.DataFrame({"g": [0] * len(a) + [1] * len(b), "y": np.concatenate([a, b])[:, 0], "x": np.concatenate([a, b])[:, 1]})
    base.execute("create table t as select * from frame")
    (ma, va), (mb, vb) = (base.execute(SQL[kind], [group]).fetchone() for group in (0, 1))
    if not va + vb > 0:
        return answer()
    error = math.sqrt(va + vb)
    return answer(2 * scipy.stats.norm.sf(abs(mb - ma) / error), ((mb - ma - 1.96 * error) / ma, (mb - ma + 1.96 * error) / ma))


PEERS = {"SciPy": ask_scipy, "statsmodels": ask_statsmodels, "gbstats": ask_growthbook, "tea-tasting": ask_tea_tasting, "SQL by hand": ask_sql}


# How often each is wrong, where groups are alike.

def wald(ya, na, yb, nb, relative):
    pa, pb = ya / na, yb / nb
    va, vb = pa * (1 - pa) / na, pb * (1 - pb) / nb
    if relative:  # gbstats: the lift over its delta error
        va, vb = va * pb**2 / pa**4, vb / pa**2
        return (pb / pa - 1) / np.sqrt(va + vb)
    return (pb - pa) / np.sqrt(va + vb)


def score(ya, na, yb, nb):
    pooled = (ya + yb) / (na + nb)
    return (yb / nb - ya / na) / np.sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb))


def one_look(na=20000, nb=1000, p=0.02):
    """The share of A/A tests of one look that have p < 5 %, exactly: every pair of counts with its probability."""
    ya = np.arange(1, 801)[:, None]
    yb = np.arange(0, 101)[None, :]
    weight = scipy.stats.binom.pmf(ya, na, p) * scipy.stats.binom.pmf(yb, nb, p)
    z = scipy.stats.norm.isf(ALPHA / 2)
    called = lambda statistic: float((weight * (np.abs(statistic) > z)).sum())
    return {"wald": called(wald(ya, na, yb, nb, False)), "delta": called(wald(ya, na, yb, nb, True)), "score": called(score(ya, na, yb, nb))}


def bound(n, star=5000):
    rho2 = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA) + 1)) / star
    return np.sqrt(2 * (n * rho2 + 1) / (n * rho2) * np.log(np.sqrt(n * rho2 + 1) / ALPHA))


def nightly(na=20000, nb=1000, p=0.02, looks=28, worlds=20000):
    """The share of A/A tests called on any of 28 nights."""
    n = np.arange(1, looks + 1)
    ya = np.cumsum(DICE.binomial(na // looks, p, (worlds, looks)), axis=1)
    yb = np.cumsum(DICE.binomial(nb // looks, p, (worlds, looks)), axis=1)
    ea, eb = n * (na // looks), n * (nb // looks)
    enough = (np.minimum(ya + yb, ea + eb - ya - yb) * eb / (ea + eb) >= 5) & (np.minimum(ea, eb) >= 100)
    c = bound(ea + eb)
    with np.errstate(all="ignore"):
        called = lambda statistic, limit, allowed=True: float((allowed & (np.abs(np.nan_to_num(statistic, nan=0, posinf=0, neginf=0)) > limit)).any(axis=1).mean())
        return {
            "fixed": called(score(ya, ea, yb, eb), scipy.stats.norm.isf(ALPHA / 2)),
            "growthbook": called(wald(ya, ea, yb, eb, True), c), "growthbook, enough": called(wald(ya, ea, yb, eb, True), c, enough), "ours": called(score(ya, ea, yb, eb), c, enough)}


def pooled(na=8000, nb=2000, worlds=40000):
    """Student's pooled variance where the smaller group varies more, and Welch's: both of no difference of means."""
    a = DICE.normal(0, 1, (worlds, na // 20))
    b = DICE.normal(0, 2, (worlds, nb // 20))
    rate = lambda equal: float((scipy.stats.ttest_ind(a, b, axis=1, equal_var=equal).pvalue < ALPHA).mean())
    return {"student": rate(True), "welch": rate(False)}


def lifts(worlds=400000, error=0.18, lift=0.67):
    """How often each interval of the lift holds the true one, where the baseline's standard error is 18 % of it."""
    a, b = DICE.normal(1, error, worlds), DICE.normal(1 + lift, error * 1.29, worlds)
    va, vb = error**2, (error * 1.29) ** 2
    z, true = scipy.stats.norm.isf(ALPHA / 2), 1 + lift
    ratio = b / a
    delta = z * np.sqrt((vb + va * ratio**2) / a**2)
    known = z * np.sqrt(va + vb) / np.abs(a)
    with np.errstate(all="ignore"):
        log = z * np.sqrt(va / a**2 + vb / b**2)
        held = {
            "fieller": np.abs(b - true * a) <= z * np.sqrt(vb + true**2 * va), "delta": np.abs(ratio - true) <= delta,
            "log": np.abs(np.log(ratio) - math.log(true)) <= log, "known": np.abs(ratio - 1 - lift) <= known}
    missed = ~held["delta"]
    return {name: float(np.nan_to_num(holds).mean()) for name, holds in held.items()} | {"delta too low": float((ratio[missed] < true).mean())}


def clustered(worlds=20000, users=940):
    """A/A tests of refunds by charge: most users have one charge, a third six, which are refunded together."""
    def group():
        six = DICE.binomial(users, 0.34, worlds)
        ones, sixes = DICE.binomial(users - six, 0.04), DICE.binomial(six, 0.08)
        return ones + 6 * sixes, users - six + 6 * six
    (ya, na), (yb, nb) = group(), group()
    return {"by charge": float((np.abs(score(ya, na, yb, nb)) > scipy.stats.norm.isf(ALPHA / 2)).mean())}


def ratio_of_groups(counts=(5150, 4850), worlds=4000, users=10000, looks=28):
    """A χ² of halves read every night."""
    size = users // looks
    n = size * np.arange(1, looks + 1)
    first = np.cumsum(DICE.binomial(size, 0.5, (worlds, looks)), axis=1)
    return {
        "counts": list(counts), "SciPy": float(scipy.stats.chisquare(counts).pvalue), "gbstats": float(check_srm(list(counts), [0.5, 0.5])),
        "tea-tasting": float(tt.Experiment(ratio=tt.SampleRatio()).analyze(pd.DataFrame({"variant": np.repeat([0, 1], counts)}))["ratio"].pvalue),
        "called": float(((2 * first - n) ** 2 / n > scipy.stats.chi2.isf(0.01, 1)).any(axis=1).mean())}


def main():
    versions = {name: importlib.metadata.version(name) for name in ("scipy", "statsmodels", "gbstats", "tea-tasting", "duckdb")}
    data = {}
    for name, (kind, a, b) in DATA.items():
        users = rows(a), rows(b)
        data[name] = {"kind": kind, "control": sums(a), "other": sums(b), "answers": {peer: ask(kind, *users) for peer, ask in PEERS.items()}}
        data[name]["sequential"] = ask_growthbook(kind, *users, growthbook.SequentialTwoSidedTTest)
    kind, a, b = DATA["share"]
    bayes = EffectBayesianABTest(growthbook_statistic(kind, rows(a)), growthbook_statistic(kind, rows(b))).compute_result()
    rates = {"one look": one_look(), "nightly": nightly(), "pooled": pooled(), "lifts": lifts(), "clustered": clustered()}
    text = json.dumps({"versions": versions, "data": data, "chance to win": bayes.chance_to_win, "ratio of groups": ratio_of_groups(), "rates": rates}, indent=1)
    pathlib.Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
