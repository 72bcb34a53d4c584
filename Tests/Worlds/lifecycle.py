"""Quantities of a subscription's life: what follows an event, and where users stand at the cut-off."""

from fractions import Fraction

from access import history_order
from periods import months_factor, plus
from values import DAY, round_half_even, span_millis

AT_CUTOFF = {"active_subscription", "set_to_renew", "mrr"}
RATIOS = {"trial_to_paid", "one_time_to_subscription", "renewal_rate", "involuntary_churn", "default_uptake"}
LIFECYCLE = RATIOS | AT_CUTOFF | {"credits_granted"}


def lifecycle_quantity(metric, inside, history, fits, defaults):
    """`(y, x)`; `inside` are the window's events that fit, `fits` asks `where` of any other."""
    tables, cutoff = history.tables, history.cutoff
    charges = sorted((e for e in inside if e.is_charge), key=history_order)
    renewing = [e for e in charges if tables.kind(e) == "auto_renewable"]
    following = [e for e in history.renewing if fits(e)]
    name = metric["name"]
    if name == "trial_to_paid":
        return trial_to_paid(inside, following, span_millis(metric.get("within", "16d")), cutoff)
    if name == "one_time_to_subscription":
        once = [e for e in charges if tables.kind(e) != "auto_renewable"]
        return followed(once[:1], following, span_millis(metric.get("within", "30d")), cutoff)
    if name == "renewal_rate":
        return renewal_rate(metric, renewing, following, tables, cutoff)
    if name == "involuntary_churn":
        return int(bool(renewing) and churned(inside)), int(bool(renewing))
    if name == "default_uptake":
        return int(bool(charges) and charges[0].product in defaults), int(bool(charges))
    if name == "credits_granted":
        return sum(tables.credits(e) for e in charges if e.refunded == 0), 0
    giving = [s for s in history.stretches if s.access_end > cutoff and fits(s.charge)]
    if name == "mrr":
        return monthly(giving, tables), 0
    return int(bool(giving) and (name == "active_subscription" or not history.is_off())), 0


def trial_to_paid(inside, following, within, cutoff):
    return followed([e for e in inside if e.type == "trial_start"], following, within, cutoff)


def followed(firsts, following, within, cutoff):
    """Had a first whose time to follow is over by the cut-off; and was it followed."""
    due = [e for e in firsts if e.at + within <= cutoff]
    y = any(first.at < e.at <= first.at + within for first in due for e in following)
    return int(y), int(bool(due))


def renewal_rate(metric, renewing, following, tables, cutoff):
    paid = [e for e in renewing if e.gross > 0][:1]
    for first in paid:
        end = renewal_due(metric, first, tables)
        if end is not None and end <= cutoff:
            return int(any(e.type == "renewal" and first.at < e.at <= end for e in following)), 1
    return 0, 0


def renewal_due(metric, first, tables):
    period = tables.period(first.product)
    end = plus(first.at, period) if period else first.expires
    if end is None:
        return None
    if "grace" in metric:
        return end + span_millis(metric["grace"])
    return plus(end, tables.grace(first.product))


def churned(inside):
    """An expiry after a failed renewal that nothing mended."""
    at = lambda kind: [e.at for e in inside if e.type == kind]
    for expiry in at("expire"):
        retries = [retry for retry in at("billing_retry") if retry <= expiry]
        if retries and not any(max(retries) < fixed <= expiry for fixed in at("billing_recovery")):
            return True
    return False


def monthly(giving, tables):
    if not giving:
        return 0
    charge = giving[-1].charge
    period = tables.period(charge.product)
    return round_half_even(charge.gross * months_factor(period)) if period else 0


def survival_time(history, start_at, fits):
    """`(days, ended)` of a user's paid access, or None for whoever never paid for a subscription."""
    paid = [e for e in history.renewing if e.at >= start_at and e.gross > 0 and fits(e)]
    if not paid:
        return None
    start, end = paid[0], history.ended_from(paid[0])
    ended = end <= history.cutoff
    last = end if ended else history.cutoff
    return max(int((last - start.at) // DAY), 0), ended


def survival_curve(times):
    """Kaplan and Meier: `[(day, at_risk, ended, censored, survival)]`; at one day ends come first."""
    curve, survival = [], Fraction(1)
    for day in sorted({days for days, _ in times}):
        at_risk = sum(days >= day for days, _ in times)
        ended = sum(days == day and gone for days, gone in times)
        censored = sum(days == day and not gone for days, gone in times)
        survival *= 1 - Fraction(ended, at_risk)
        curve.append((day, at_risk, ended, censored, survival))
    return curve


def survival_at(curve, day):
    """The value of the curve at a day: that of the last step at or before it.

    None where nobody is known for that long and not all have ended.
    """
    if not curve or day > curve[-1][0] and curve[-1][4] > 0:
        return None
    return next((row[4] for row in reversed(curve) if row[0] <= day), Fraction(1))
