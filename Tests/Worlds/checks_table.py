"""checks.csv: sample ratio, its sequential form and users in two groups, recomputed."""

from collections import Counter
from fractions import Fraction
import math

from scipy import stats

from model import safe_cell
from product import table


def sequential_p(counts, weights):
    """∏ wᵢ^nᵢ · B(α)/B(α + n) with α = 1000·w, as one product of ratios in logs."""
    terms = []
    for group, count in counts.items():
        alpha = 1000 * weights[group]
        terms += [math.log(weights[group] / (alpha + k)) for k in range(count)]
    terms += [math.log(1000 + k) for k in range(sum(counts.values()))]
    return min(1.0, math.exp(math.fsum(terms)))


def chi_square_p(counts, weights):
    total = sum(counts.values())
    expected = {group: total * weights[group] for group in counts}
    statistic = sum((counts[g] - expected[g]) ** 2 / expected[g] for g in counts)
    return float(stats.chi2.sf(statistic, len(counts) - 1)), min(expected.values())


def check_differences(folder, job, outcome):
    """Only where every reading agrees: whole assigned populations."""
    rows = {}
    for row in table(folder, "checks.csv"):
        if row["status"] not in ("pass", "warn", "fail"):
            yield f"checks: status {row['status']!r} of {row['check']}"
        rows.setdefault((row["offering_id"], row["check"]), []).append(row)
    plain = not job.get("new_customers_only") and job.get("population", "assigned") == "assigned"
    for offering, assigned in outcome.attributed.assigned.items():
        name = safe_cell(offering)
        share = Fraction(outcome.attributed.multiple[offering], assigned)
        wanted = "fail" if share >= Fraction(1, 10) else "warn" if share >= Fraction(1, 100) else "pass"
        statuses = {row["status"] for row in rows.get((name, "multiple_groups"), [])}
        if statuses and job.get("multiple_groups", "exclude") == "exclude" and statuses != {wanted}:
            yield f"checks: multiple_groups of {name} is {statuses}, model {wanted} ({float(share)})"
        members = [m for m in outcome.attributed.members if m.offering == offering]
        counts = Counter(m.group for m in members)
        shares = outcome.weights.get(offering) or dict.fromkeys(counts, 1)
        if not plain or len(shares) < 2:
            continue
        counts = {group: counts[group] for group in shares}
        weights = {group: float(share / Fraction(sum(shares.values()))) for group, share in shares.items()}
        p, least = chi_square_p(counts, weights)
        if least >= 5:
            bad = "fail" if job.get("decide_by") == "fixed" else "warn"  # only a test that is read once may fail by it
            yield from p_differences(rows, name, "sample_ratio", p, bad)
        yield from p_differences(rows, name, "sample_ratio_sequential", sequential_p(counts, weights), "fail")


def p_differences(rows, offering, check, p, bad):
    """One of the check's rows must say this p and the status that goes with it."""
    found = rows.get((offering, check), [])
    for row in found:
        if row["p_value"] and math.isclose(float(row["p_value"]), p, rel_tol=1e-9):
            if row["status"] != (bad if p < 0.001 else "pass"):
                yield f"checks: {check} of {offering} is {row['status']} at p = {p}"
            return
    yield f"checks: {check} of {offering} should say p = {p}, has {[r['p_value'] for r in found]}"
