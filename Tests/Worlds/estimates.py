"""The formulas of statistics.md on exact sums, with SciPy's distributions.

Moments are Fractions until one last division; what cannot be computed is None.
"""

from dataclasses import dataclass
from fractions import Fraction
import math

from scipy import stats

from score import Shares


@dataclass
class Cell:
    """One group's mean (or ratio) `m` and the variance `v` of that estimate, exact."""

    n: int
    y: int
    x: int
    kind: str
    m: Fraction | None
    v: Fraction | None
    yy: int = 0
    xx: int = 0
    # Of a ratio: every y and x is 0 or 1, and no y without its x.
    is_share: bool = False

    def few_effective(self, needed=30):
        """Whether fewer equal values would make as sure a sum (and, of a ratio, what it is divided by)."""
        sums = [(self.y, self.yy)] + [(self.x, self.xx)] * (self.kind == "ratio")
        return self.kind != "proportion" and any(total * total < needed * squares or not total for total, squares in sums)


def events_needed(share, alpha):
    """Of a decision at a share of alpha: thirty, and more by the third power of the level's logarithm."""
    return 30 if share >= 1 else 30 * (math.log(share * alpha) / math.log(alpha)) ** 3


def cell_of(row):
    """A group's estimate from the integers of its statistics."""
    cell = estimated(row)
    cell.yy, cell.xx = row["sum_yy"], row["sum_xx"]
    cell.is_share = (cell.yy, cell.xx, row["sum_xy"]) == (cell.y * row["scale"], cell.x, cell.y) and cell.kind == "ratio"
    return cell


def estimated(row):
    n, y, x, scale = row["n"], row["sum_y"], row["sum_x"], row["scale"]
    if row["kind"] != "ratio":
        m = Fraction(y, n * scale) if n else None
        v = Fraction(n * row["sum_yy"] - y * y, n * n * (n - 1) * scale**2) if n > 1 else None
        return Cell(n, y, x, row["kind"], m, v)
    if not x:
        return Cell(n, y, x, "ratio", None, None)
    ratio = Fraction(y, x)
    if n < 2:
        return Cell(n, y, x, "ratio", ratio / scale, None)
    both = n * (n - 1)
    s_yy = Fraction(n * row["sum_yy"] - y * y, both)
    s_xx = Fraction(n * row["sum_xx"] - x * x, both)
    s_xy = Fraction(n * row["sum_xy"] - x * y, both)
    variance = (s_yy - 2 * ratio * s_xy + ratio**2 * s_xx) / Fraction(x, n) ** 2
    return Cell(n, y, x, "ratio", ratio / scale, variance / n / scale**2)


def wilson(cell, alpha):
    z, n, p = stats.norm.isf(alpha / 2), cell.n, float(cell.m)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(float(cell.m * (1 - cell.m)) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def group_interval(cell, alpha):
    """The value's interval: Wilson for proportions, else t with n − 1."""
    if cell.m is None:
        return None, None
    if cell.kind == "proportion":
        return wilson(cell, alpha)
    if cell.v is None:
        return None, None
    half = stats.t.isf(alpha / 2, cell.n - 1) * math.sqrt(cell.v)
    return float(cell.m) - half, float(cell.m) + half


def fieller(a, b, c):
    """{ρ : (m_B − ρ m_A)² ≤ c² (V_B + ρ² V_A)} − 1, None where it is unbounded."""
    c2 = Fraction(c) ** 2
    lead = a.m**2 - c2 * a.v
    if lead <= 0:
        return None, None
    root = math.sqrt(c2 * (a.v * b.m**2 + b.v * lead))
    middle = a.m * b.m
    low, high = (middle - Fraction(root)) / lead - 1, (middle + Fraction(root)) / lead - 1
    return float(low), float(high)


def lift_interval(a, b, c, alpha, method):
    """`log` is tea-tasting's: its degrees of freedom are Welch's on the log scale."""
    if a.m == 0:
        return None, None
    if method == "fieller":
        return fieller(a, b, c)
    if method == "delta":
        half, r = c * math.sqrt(delta_variance(a, b)), float(b.m / a.m - 1)
        return r - half, r + half
    if b.m <= 0 or a.m <= 0:
        return None, None
    on_log = [Cell(g.n, g.y, g.x, g.kind, g.m, g.v / g.m**2) for g in (a, b)]
    se, df = welch(*on_log)
    half, ratio = stats.t.isf(alpha / 2, df) * se, float(b.m / a.m)
    return ratio * math.exp(-half) - 1, ratio * math.exp(half) - 1


def delta_variance(a, b):
    return b.v / a.m**2 + a.v * b.m**2 / a.m**4


def welch(a, b):
    """Standard error and Welch–Satterthwaite degrees of freedom."""
    se2 = a.v + b.v
    df = se2**2 / (a.v**2 / (a.n - 1) + b.v**2 / (b.n - 1))
    return math.sqrt(se2), float(df)


def sequential(d, se, total, alpha, tuning):
    """Half-width and p of the asymptotic confidence sequence."""
    rho2 = mixture(alpha, tuning)
    grow, half = total * rho2 + 1, se * width(total, rho2, alpha)
    p = min(1.0, math.sqrt(grow) * math.exp(-rho2 * d * d * total / (2 * se * se * grow)))
    return half, p


def decided_interval(a, b, values, settings):
    """The lift's interval of the test that decides, at the level that its adjusted p-value stands for.

    Fieller's or Koopman's, whatever `lift_interval` asks for: no other excludes 0 exactly when that test finds a difference.
    """
    lifts = shares(a, b).lifts if a.kind == "proportion" else lambda c: fieller(a, b, c)
    c = deciding_width(a, b, values, settings)
    return lifts(c) if c is not None and a.m else (None, None)


def deciding_width(a, b, values, settings):
    """Half of the deciding interval in standard errors, at the level that the adjusted p-value stands for."""
    p = values.get("p_value" if settings["decide_by"] == "fixed" else "seq_p_value")
    if p is None or "p_value_adjusted" not in values or "#se" not in values:
        return None
    alpha = 1 - settings["confidence"]
    level = alpha * (p / values["p_value_adjusted"] if values["p_value_adjusted"] else 1)
    if settings["decide_by"] == "fixed":
        return float(stats.t.isf(level / 2, values["#df"]) if values["#df"] else stats.norm.isf(level / 2))
    return width(a.n + b.n, mixture(alpha, settings["tuning"]), level)


def shown_if_even(a, b, values, settings):
    """Whether a difference is shown, too, with one variance of both groups, or one in parts of their means: the smaller."""
    c = deciding_width(a, b, values, settings)
    if a.kind == "proportion" or c is None or a.is_share and b.is_share:
        return True
    def pooled(of):
        return sum((g.n - 1) * g.n * of(g) for g in (a, b)) / (a.n + b.n - 2)
    even = pooled(lambda g: g.v) * (Fraction(1, a.n) + Fraction(1, b.n))
    if a.m and b.m:
        even = min(even, pooled(lambda g: g.v / g.m**2) * (a.m**2 / a.n + b.m**2 / b.n))
    return abs(values["abs_diff"]) >= c * max(values["#se"], math.sqrt(even))


def shares(a, b):
    return Shares(a.y, a.n, b.y, b.n)


def mixture(alpha, tuning):
    return (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuning


def width(total, rho2, level):
    """How many standard errors wide half the sequence is."""
    grow = total * rho2 + 1
    return math.sqrt(total) * math.sqrt(2 * grow / (total**2 * rho2) * math.log(math.sqrt(grow) / level))


def bayes(a, b, prior, goal):
    """Chance to win and expected loss on the lift."""
    if not a.m:
        return None, None, None
    v, r = float(delta_variance(a, b)), float(b.m / a.m - 1)
    if v == 0:
        return None, None, None
    precision, weighted = 1 / v, r / v
    if prior:
        precision += 1 / prior["sd"] ** 2
        weighted += prior["mean"] / prior["sd"] ** 2
    mu, sigma = weighted / precision, math.sqrt(1 / precision)
    z = mu / sigma
    loss = sigma * stats.norm.pdf(z) - mu * stats.norm.sf(z)
    mirrored = sigma * stats.norm.pdf(z) + mu * stats.norm.cdf(z)
    if goal == "decrease":
        return stats.norm.sf(z), mirrored, loss
    return stats.norm.cdf(z), loss, loss


def smallest_expected(a, b):
    """The smallest expected cell of the two-by-two table."""
    total, yes = a.n + b.n, a.y + b.y
    return min(Fraction(n * part, total) for n in (a.n, b.n) for part in (yes, total - yes))


def fisher(a, b):
    return float(stats.fisher_exact([[b.y, b.n - b.y], [a.y, a.n - a.y]])[1])


def compare(a, b, settings, goal):
    """Every estimate of one row of comparisons.csv, by column."""
    alpha, out = 1 - settings["confidence"], {}
    out["baseline_value"], out["value"] = (None if c.m is None else float(c.m) for c in (a, b))
    if a.m is None or b.m is None:
        return out
    out["abs_diff"] = float(b.m - a.m)
    if a.m:
        out["rel_lift"] = float(b.m / a.m - 1)
    if a.kind == "proportion" and smallest_expected(a, b) < 5:
        out["exact_p_value"] = out["p_value"] = fisher(a, b)
    if a.v is None or b.v is None:
        return out
    d, method = out["abs_diff"], settings["lift_interval"]
    spread = a.v + b.v > 0
    if a.kind == "proportion":
        test = shares(a, b)
        if not test.error:
            return out
        se, df = out["#se"], out["#df"] = test.error, None
        c, p = float(stats.norm.isf(alpha / 2)), float(2 * stats.norm.sf(abs(d) / se))
        differences, lifts = test.differences, test.lifts
    elif not spread:
        return out
    else:
        se, df = out["#se"], out["#df"] = welch(a, b)
        c, p = float(stats.t.isf(alpha / 2, df)), float(2 * stats.t.sf(abs(d) / se, df))
        differences, lifts = lambda c: (d - c * se, d + c * se), lambda c: fieller(a, b, c) if a.m else (None, None)
    out.setdefault("p_value", p)
    out["abs_ci_low"], out["abs_ci_high"] = differences(c)
    if method == "fieller":
        out["rel_ci_low"], out["rel_ci_high"] = lifts(c)
    elif spread:
        own = float(stats.t.isf(alpha / 2, welch(a, b)[1]))
        out["rel_ci_low"], out["rel_ci_high"] = lift_interval(a, b, own, alpha, method)
    half, out["seq_p_value"] = sequential(d, se, a.n + b.n, alpha, settings["tuning"])
    out["seq_abs_ci_low"], out["seq_abs_ci_high"] = differences(half / se)
    out["seq_rel_ci_low"], out["seq_rel_ci_high"] = lifts(half / se)
    if not spread:
        return out
    out["chance_to_win"], out["expected_loss"], out["#loss"] = bayes(a, b, settings["prior"], goal)
    if a.m:
        wide = half / se if settings.get("decide_by") != "fixed" else stats.norm.isf(alpha / 2)
        out["#mde_rel"] = abs((wide + stats.norm.isf(0.2)) * se / float(a.m))
    return out


def adjusted(values, method):
    """Adjusted p-values in the order given: holm, hochberg, bh, none."""
    m, order = len(values), sorted(range(len(values)), key=lambda i: values[i])
    out = list(values)
    if method == "holm":
        level = 0.0
        for place, i in enumerate(order):
            level = out[i] = max(level, min(1.0, (m - place) * values[i]))
    elif method in ("bh", "hochberg"):
        level = 1.0
        for place in range(m - 1, -1, -1):
            factor = m / (place + 1) if method == "bh" else m - place
            i = order[place]
            level = out[i] = min(level, factor * values[i])
    return out
