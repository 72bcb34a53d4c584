"""Makes PublishedCases.json: what other engines say of sums, for `offerlift analyze` to agree with.

    pip install scipy==1.17.1 statsmodels==0.15.0 tea-tasting==1.14.0 gbstats==0.8.0
    python published_cases.py

Inputs are those of the projects' documentation and test suites. Where these print a result, the printed digits are
expected (`within` is half of the last one); otherwise what the version named above computes, to a relative 1e-8.
"""

import json
import math
import pathlib

import numpy as np
import pandas as pd
import scipy.stats as st
import statsmodels.stats.multitest as multitest
import statsmodels.stats.proportion as proportion
import statsmodels.stats.weightstats as weightstats
import tea_tasting as tt
from gbstats.bayesian.tests import EffectBayesianABTest, EffectBayesianConfig, GaussianPrior
from gbstats.frequentist.tests import FrequentistConfig, SequentialConfig, SequentialTwoSidedTTest, TwoSidedTTest
from gbstats.models.statistics import RegressionAdjustedStatistic, SampleMeanStatistic

CASES = []


def text(value):
    return repr(float(value)) if not float(value).is_integer() else str(int(value))


def mean_sums(n, mean, sd):
    """Sums of n values of this mean and standard deviation (n - 1)."""
    return {"n": n, "sum_y": n * mean, "sum_yy": (n - 1) * sd**2 + n * mean**2}


def table(kind, groups):
    columns = ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy", "sum_c", "sum_cc", "sum_yc", "sum_xc"]
    columns = [c for c in columns if any(c in sums for sums in groups.values())]
    lines = ["test_group_id,metric,kind," + ",".join(columns)]
    for group, sums in groups.items():
        lines.append(f"{group},m,{kind}," + ",".join(text(sums[c]) for c in columns))
    return "\n".join(lines) + "\n"


def case(source, kind, groups, expect, where="comparisons", group="b", within=None, **options):
    """One table and what is expected of one of its rows."""
    found = []
    for column, value in expect.items():
        value = float(value)
        entry = {"column": column, "value": value, "within": within if within else max(abs(value) * 1e-8, 1e-300)}
        found.append(entry)
    CASES.append(
        {"source": source, "options": options, "table": table(kind, groups), "where": where, "group": group,
         "expect": found})


# MARK: GrowthBook

GB = "GrowthBook gbstats 0.8.0"
ab = {"a": mean_sums(3407, 0.41, 3.9), "b": mean_sums(3461, 0.7, 6.2)}
tests = "GrowthBook, packages/stats/tests/frequentist/test_tests.py, test_two_sided_ttest"
case(tests + " (absolute)", "mean", ab, {"abs_ci_low": 0.04538, "abs_ci_high": 0.53462, "p_value": 0.02016}, within=6e-6)
case(tests + " (relative)", "mean", ab, {"rel_lift": 0.70732, "rel_ci_low": -0.03526, "rel_ci_high": 1.44989},
     within=6e-6, lift_interval="delta")

SAMPLES = {
    "test_gbstats.py, dimension one": ((100, 270, 848.79), (120, 300, 869)),
    "test_gbstats.py, dimension two": ((200, 740, 3615.59), (220, 770, 3571)),
    "test_gbstats.py, dimension three": ((3001, 333, 999), (3000, 222, 555)),
    "test_gbstats.py, dimensions one and two": ((300, 1010, 4464.38), (340, 1070, 4440)),
}
for name, (a, b) in SAMPLES.items():
    groups = {g: {"n": n, "sum_y": s, "sum_yy": ss} for g, (n, s, ss) in (("a", a), ("b", b))}
    stats = [SampleMeanStatistic(n=n, sum=s, sum_squares=ss) for n, s, ss in (a, b)]
    for alpha in (0.05, 0.1):
        absolute = TwoSidedTTest(*stats, FrequentistConfig(alpha=alpha, difference_type="absolute")).compute_result()
        relative = TwoSidedTTest(*stats, FrequentistConfig(alpha=alpha, difference_type="relative")).compute_result()
        case(f"{GB}, TwoSidedTTest absolute, sums of {name}", "mean", groups,
             {"abs_diff": absolute.expected, "abs_ci_low": absolute.ci[0], "abs_ci_high": absolute.ci[1],
              "p_value": absolute.p_value}, confidence=1 - alpha)
        case(f"{GB}, TwoSidedTTest relative, sums of {name}", "mean", groups,
             {"rel_lift": relative.expected, "rel_ci_low": relative.ci[0], "rel_ci_high": relative.ci[1]},
             confidence=1 - alpha, lift_interval="delta")
        for tuning in (5000, 600):
            config = SequentialConfig(alpha=alpha, difference_type="absolute", sequential_tuning_parameter=tuning)
            sequential = SequentialTwoSidedTTest(*stats, config).compute_result()
            case(f"{GB}, SequentialTwoSidedTTest absolute, sums of {name}", "mean", groups,
                 {"seq_abs_ci_low": sequential.ci[0], "seq_abs_ci_high": sequential.ci[1],
                  "seq_p_value": sequential.p_value}, confidence=1 - alpha, tuning=tuning)

    for sd in (None, 0.3, 0.05):
        prior = GaussianPrior(mean=0.01, variance=(sd or 1) ** 2, proper=sd is not None)
        config = EffectBayesianConfig(difference_type="relative", prior_type="relative", prior_effect=prior)
        view = EffectBayesianABTest(*stats, config).compute_result()
        options = {} if sd is None else {"prior": f"0.01,{sd}"}
        case(f"{GB}, EffectBayesianABTest relative, prior sd {sd}, sums of {name}", "mean", groups,
             {"chance_to_win": view.chance_to_win, "expected_loss": view.risk[1]}, **options)

adjusted = {"a": (3001, 300, 600, 210, 415, -20), "b": (3000, 222, 555, 120, 405, -10)}
groups = {g: dict(zip(("n", "sum_y", "sum_yy", "sum_c", "sum_cc", "sum_yc"), v)) for g, v in adjusted.items()}
joint = [sum(v[i] for v in adjusted.values()) for i in range(6)]
theta = (joint[5] - joint[1] * joint[3] / joint[0]) / (joint[4] - joint[3] ** 2 / joint[0])
stats = [
    RegressionAdjustedStatistic(
        n=n, post_statistic=SampleMeanStatistic(n=n, sum=s, sum_squares=ss),
        pre_statistic=SampleMeanStatistic(n=n, sum=c, sum_squares=cc), post_pre_sum_of_products=yc, theta=theta)
    for n, s, ss, c, cc, yc in adjusted.values()]
result = TwoSidedTTest(*stats, FrequentistConfig(difference_type="absolute")).compute_result()
case(f"{GB}, RegressionAdjustedStatistic, sums of test_gbstats.py RA_STATISTICS_DF", "mean", groups,
     {"abs_diff": result.expected, "abs_ci_low": result.ci[0], "abs_ci_high": result.ci[1],
      "p_value": result.p_value, "cuped_theta": theta})

# MARK: tea-tasting

TEA = "tea-tasting 1.14.0"
users = pd.DataFrame(tt.make_users_data(seed=42, covariates=True).to_pandas())


def user_sums(frame, y, x=None, c=None):
    groups = {}
    for variant, group in zip((0, 1), ("a", "b")):
        rows = frame[frame.variant == variant]
        sums = {"n": len(rows), "sum_y": rows[y].sum(), "sum_yy": (rows[y] ** 2).sum()}
        if x:
            sums |= {"sum_x": rows[x].sum(), "sum_xx": (rows[x] ** 2).sum(), "sum_xy": (rows[x] * rows[y]).sum()}
        if c:
            sums |= {"sum_c": rows[c].sum(), "sum_cc": (rows[c] ** 2).sum(), "sum_yc": (rows[y] * rows[c]).sum()}
            if x:
                sums["sum_xc"] = (rows[x] * rows[c]).sum()
        groups[group] = {k: float(v) for k, v in sums.items()}
    return groups


def tea(name, metric, kind, groups, confidence, columns=None):
    r = metric.analyze(tt_data, 0, 1, variant="variant")
    expect = {"baseline_value": r.control, "value": r.treatment, "abs_diff": r.effect_size,
              "abs_ci_low": r.effect_size_ci_lower, "abs_ci_high": r.effect_size_ci_upper,
              "rel_lift": r.rel_effect_size, "rel_ci_low": r.rel_effect_size_ci_lower,
              "rel_ci_high": r.rel_effect_size_ci_upper, "p_value": r.pvalue}
    case(f"{TEA}, {name}, make_users_data(seed=42)", kind, groups, expect, lift_interval="log", confidence=confidence)


tt_data = tt.make_users_data(seed=42, covariates=True)
for confidence in (0.9, 0.95, 0.99):
    options = {"confidence_level": confidence, "equal_var": False, "use_t": True}
    for y in ("sessions", "orders", "revenue"):
        tea(f"Mean({y})", tt.Mean(y, **options), "mean", user_sums(users, y), confidence)
        c = f"{y}_covariate"
        tea(f"Mean({y}, {c})", tt.Mean(y, c, **options), "mean", user_sums(users, y, c=c), confidence)
    for y, x in (("orders", "sessions"), ("revenue", "orders")):
        tea(f"RatioOfMeans({y}, {x})", tt.RatioOfMeans(y, x, **options), "ratio", user_sums(users, y, x), confidence)
# The README prints three figures.
case("tea-tasting README, revenue_per_user", "mean", user_sums(users, "revenue"),
     {"baseline_value": 5.24, "value": 5.73}, within=0.0051)

# MARK: statsmodels

SM = "statsmodels 0.15.0"
for count, nobs in ((7, 20), (1, 10), (15, 25), (18, 148), (2, 200), (0, 30), (30, 30), (413, 10_000)):
    low, high = proportion.proportion_confint(count, nobs, method="wilson")
    groups = {"a": {"n": nobs, "sum_y": count}, "b": {"n": nobs, "sum_y": count}}
    case(f"{SM}, proportion_confint({count}, {nobs}, method=wilson)", "proportion", groups,
         {"ci_low": low, "ci_high": high}, where="group_metrics")
# R's binom, as statsmodels keeps it in tests/results/results_proportion.py
case("statsmodels, tests/results/results_proportion.py, (18, 148) wilson", "proportion",
     {"a": {"n": 148, "sum_y": 18}, "b": {"n": 148, "sum_y": 18}}, {"ci_low": 0.0784125, "ci_high": 0.1842387},
     where="group_metrics", within=2e-4)
rng = np.random.default_rng(9876789)
for size_a, size_b in ((20, 20), (8, 31), (400, 300)):
    x1, x2 = np.round(1 + rng.normal(size=size_a), 6), np.round(1.2 + 2 * rng.normal(size=size_b), 6)
    groups = {g: {"n": len(x), "sum_y": math.fsum(x), "sum_yy": math.fsum(x * x)} for g, x in (("a", x1), ("b", x2))}
    _, p, _ = weightstats.ttest_ind(x2, x1, usevar="unequal")
    means = weightstats.CompareMeans(weightstats.DescrStatsW(x2), weightstats.DescrStatsW(x1))
    for alpha in (0.05, 0.01):
        low, high = means.tconfint_diff(alpha=alpha, usevar="unequal")
        case(f"{SM}, ttest_ind and CompareMeans.tconfint_diff, usevar=unequal, {size_a} against {size_b}", "mean",
             groups, {"p_value": p, "abs_ci_low": low, "abs_ci_high": high}, confidence=1 - alpha)
    low, high = weightstats.DescrStatsW(x2).tconfint_mean()
    case(f"{SM}, DescrStatsW.tconfint_mean, {size_b} values", "mean", groups, {"ci_low": low, "ci_high": high},
         where="group_metrics")

# Many metrics of one table, all primary: their p-values go through the adjustment together.
pairs = [((60, 400), (88, 410)), ((200, 1000), (240, 1000)), ((33, 500), (50, 500)), ((7, 90), (9, 80)), ((1, 40), (30, 60))]
for method, theirs in (("holm", "holm"), ("hochberg", "simes-hochberg"), ("bh", "fdr_bh"), ("by", "fdr_by")):
    lines, p_values = ["test_group_id,metric,kind,n,sum_y,sum_yy"], []
    for number, ((y_a, n_a), (y_b, n_b)) in enumerate(pairs):
        lines += [f"a,m{number},mean,{n_a},{y_a},{y_a}", f"b,m{number},mean,{n_b},{y_b},{y_b}"]
        values = [[1] * y + [0] * (n - y) for y, n in ((y_b, n_b), (y_a, n_a))]
        p_values.append(st.ttest_ind(*values, equal_var=False).pvalue)
    for number, value in enumerate(multitest.multipletests(p_values, method=theirs)[1]):
        CASES.append(
            {"source": f"{SM}, multipletests(method={theirs}), metric {number}", "options": {"adjust": method},
             "table": "\n".join(lines) + "\n", "where": "comparisons", "group": "b", "metric": f"m{number}",
             "expect": [{"column": "p_value_adjusted", "value": float(value), "within": float(value) * 1e-8}]})

# MARK: SciPy

SP = "SciPy 1.17.1"
for a, b in (((13, 15.0, 87.5**0.5), (11, 12.0, 39.0**0.5)), ((150, 0.2, 0.4013), (200, 0.225, 0.4187)),
             ((5000, 7.99, 31.4), (4900, 8.40, 55.5))):
    p = st.ttest_ind_from_stats(b[1], b[2], b[0], a[1], a[2], a[0], equal_var=False).pvalue
    case(f"{SP}, ttest_ind_from_stats equal_var=False, {a} {b}", "mean", {"a": mean_sums(*a), "b": mean_sums(*b)},
         {"p_value": p})
# Rows: succeeded or not; columns: groups. The documentation's and the test suite's tables, as printed there.
FISHER = "SciPy, stats/tests/test_stats.py, TestFisherExact.test_basic"
for (w, x), (y, z), p, source, within in (
    ((6, 2), (1, 4), 0.10256410256410257, "SciPy, fisher_exact documentation", 1e-15),
    ((8, 2), (1, 5), 0.03496503496503495, "SciPy, fisher_exact documentation", 1e-15),
    ((100, 2), (1000, 5), 0.1301, FISHER, 5e-5),
    ((2, 7), (8, 2), 0.0230141, FISHER, 5e-8),
    ((5, 1), (10, 10), 0.1973244, FISHER, 5e-8),
    ((10, 5), (10, 1), 0.1973244, FISHER, 5e-8),
    ((5, 0), (1, 4), 0.04761904, FISHER, 1e-8),
    ((0, 1), (3, 2), 1.0, FISHER, 1e-12),
    ((0, 2), (6, 4), 0.4545454545, FISHER, 1e-10),
):
    case(f"{source}, [[{w}, {x}], [{y}, {z}]]", "proportion",
         {"a": {"n": w + y, "sum_y": w}, "b": {"n": x + z, "sum_y": x}}, {"exact_p_value": p, "p_value": p},
         within=within)
for w, x, y, z in ((3, 12, 497, 488), (0, 9, 1000, 991), (1, 1, 20, 30), (4, 0, 2000, 2500)):
    p = st.fisher_exact([[w, x], [y, z]]).pvalue
    case(f"{SP}, fisher_exact [[{w}, {x}], [{y}, {z}]]", "proportion",
         {"a": {"n": w + y, "sum_y": w}, "b": {"n": x + z, "sum_y": x}}, {"exact_p_value": p} if min(w + x, y + z) < 10 else {"p_value": st.chi2_contingency([[w, x], [y, z]], correction=False).pvalue})
for observed, weights, p, source in (
    ((16, 18, 16, 14, 12, 12), (1,) * 6, 0.84914503608460956, "SciPy, chisquare documentation"),
    ((16, 18, 16, 14, 12, 12), (16, 16, 16, 16, 16, 8), 0.62338762774958223, "SciPy, chisquare documentation"),
    ((10_070, 9930), (1, 1), st.chisquare((10_070, 9930)).pvalue, SP + ", chisquare"),
    ((5200, 9800), (1, 2), st.chisquare((5200, 9800), (5000, 10_000)).pvalue, SP + ", chisquare"),
):
    groups = {f"g{i}": {"n": n, "sum_y": n // 2} for i, n in enumerate(observed)}
    case(f"{source}, {observed} against {weights}", "proportion", groups, {"p_value": p}, where="checks",
         group="sample_ratio", weights=",".join(f"g{i}={w}" for i, w in enumerate(weights)))

# MARK: spotify-confidence

SPOTIFY = "spotify/confidence, tests/frequentist/test_ttest.py"


def spotify_sums(items, squares, users):
    """Its variance divides by n: sums whose variance with n - 1 is that one."""
    mean = items / users
    return {"n": users, "sum_y": items, "sum_yy": (users - 1) * (squares / users - mean**2) + users * mean**2}


US = {"a": spotify_sums(312, 984, 104), "b": spotify_sums(1969, 5767, 1009)}
GB_TEST = {"a": spotify_sums(24, 80, 10), "b": spotify_sums(195, 553, 100)}
GB_TEST2 = {"a": spotify_sums(24, 80, 10), "b": spotify_sums(330, 1010, 150)}
DAY1 = {"a": spotify_sums(8, 12, 22), "b": spotify_sums(500, 2500, 1010)}
for name, groups, low, high, p in (
    ("us", US, -1.205402, -0.891723, None), ("gb, test2", GB_TEST2, -1.283253, 0.883253, 0.689599),
    ("gb, test", GB_TEST, -1.538289, 0.638289, 0.380282), ("day 1", DAY1, -0.166276, 0.429102, 0.372650),
):
    expect = {"abs_ci_low": low, "abs_ci_high": high} | ({"p_value": p} if p else {})
    case(f"{SPOTIFY}, test_difference {name}", "mean", groups, expect, within=2e-6)
for size, low, high in ((0.99, -1.255391, -0.841735), (0.999, -1.314140, -0.782986)):
    case(f"{SPOTIFY}, test_difference_with_interval_sizes {size}", "mean", US, {"abs_ci_low": low, "abs_ci_high": high},
         within=2e-6, confidence=size)
for name, groups, low, high in (
    ("us", US, 1.866117, 2.036757), ("gb, test2", GB_TEST2, 1.977998, 2.422002), ("gb, test", GB_TEST, 1.689206, 2.210794),
    ("day 1", DAY1, 0.402840, 0.587260),
):
    case(f"{SPOTIFY}, test_summary {name}", "mean", groups, {"ci_low": low, "ci_high": high}, where="group_metrics",
         within=2e-6)
path = pathlib.Path(__file__).with_name("PublishedCases.json")
path.write_text("[\n" + ",\n".join(json.dumps(c) for c in CASES) + "\n]\n")
print(len(CASES), "cases")
