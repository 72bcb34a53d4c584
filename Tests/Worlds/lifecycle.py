"""Quantities of a subscription's life: what follows an event, and where users stand at the cut-off."""

import math
from fractions import Fraction

from access import LONGEST_RETRY, concerns, history_order
from periods import months_factor, plus
from values import DAY, round_half_even, span_millis

AT_CUTOFF = {"active_subscription", "set_to_renew", "mrr", "committed"}
RATIOS = {"trial_to_paid", "one_time_to_subscription", "renewal_rate", "involuntary_churn", "recovery_rate", "default_uptake"}
LIFECYCLE = RATIOS | AT_CUTOFF | {"credits_granted", "credits_balance"}


def lifecycle_quantity(metric, inside, history, fits, defaults):
    """`(y, x)`; `inside` are the window's events that fit, `fits` asks `where` of any other."""
    tables, cutoff = history.tables, history.cutoff
    charges = sorted((e for e in inside if e.is_charge), key=history_order)
    renewing = [e for e in charges if tables.kind(e) == "auto_renewable"]
    following = [e for e in history.renewing if fits(e)]
    name = metric["name"]
    if name == "trial_to_paid":
        return trial_to_paid(inside, paid_ones(following), metric.get("within"), history)
    if name == "one_time_to_subscription":
        once = [e for e in charges if tables.kind(e) != "auto_renewable"]
        return followed(once[:1], paid_ones(following), span_millis(metric.get("within", "30d")), cutoff)
    if name == "renewal_rate":
        return renewal_rate(metric, renewing, paid_ones(following), tables, cutoff)
    if name == "involuntary_churn":
        return int(bool(renewing) and churned(inside, history, fits)), int(bool(renewing))
    if name == "recovery_rate":
        return recovery_rate(inside, history, fits)
    if name == "default_uptake":
        return int(bool(charges) and charges[0].product in defaults), int(bool(charges))
    if name in ("credits_granted", "credits_balance"):
        granted = sum(tables.credits(e) for e in charges if e.refunded == 0)
        return granted if name == "credits_granted" else left_over(metric, granted, inside), 0
    raise ValueError(f"metric {name} is not in this model")


def standing(metric, history, fits):
    """What a user has at the cut-off: each group's latest subscription charge decides, and counts if `where` lets it."""
    active = [family for family in history.families if family.has_access() and fits(family.latest.charge)]
    if metric["name"] == "mrr":
        return sum(monthly(family.latest.charge, history.tables) for family in active)
    if metric["name"] == "committed":
        charges = [family.latest.charge for family in active]
        return sum(round_half_even(charge.committed * charge.rate) for charge in charges)
    return int(any(metric["name"] == "active_subscription" or not family.is_off() for family in active))


def left_over(metric, granted, inside):
    """What is left of the starting credits and those granted since the assignment, after what was spent."""
    spending = metric.get("spent_by", [])
    spent = sum(e.type in ([spending] if isinstance(spending, str) else spending) for e in inside)
    return max(0, metric.get("starting", 0) + granted - spent)


def paid_ones(charges):
    """A charge of nothing converts nobody."""
    return [charge for charge in charges if charge.gross > 0]


def trial_to_paid(inside, following, within, history):
    """A trial is paid within 16 days, or until 2 days after its end where that is known and later, unless the job says within."""
    due = [(e.at, payment_due(e, within, history)) for e in inside if e.type == "trial_start"]
    due = [(at, end) for at, end in due if end <= history.cutoff]
    return int(any(at < e.at <= end for at, end in due for e in following)), int(bool(due))


def payment_due(trial, within, history):
    if within:
        return trial.at + span_millis(within)
    end = history.trial_end(trial)
    return max(trial.at + 16 * DAY, -math.inf if end == math.inf else end + 2 * DAY)


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
            return int(any(first.at < e.at <= end for e in following)), 1
    return 0, 0


def renewal_due(metric, first, tables):
    period = tables.period_of(first)
    end = plus(first.at, period) if period else first.expires
    if end is None:
        return None
    if "grace" in metric:
        return end + span_millis(metric["grace"])
    return plus(end, tables.grace(first.product))


def churned(inside, history, fits):
    """An expiry after a failed renewal that neither a recovery nor a charge mended."""
    mended = [e.at for e in [*history.of_type("billing_recovery"), *history.renewing] if fits(e)]
    for expiry in (e for e in history.of_type("expire") if fits(e)):
        retries = [e.at for e in inside if e.type == "billing_retry" and e.at <= expiry.at and may_end(expiry, e)]
        if retries and not any(max(retries) < at <= expiry.at for at in mended):
            return True
    return False


def may_end(expiry, retry):
    """Whether they may be of one subscription: they name neither two products nor two chains."""
    return expiry.product is None or concerns(retry, expiry)


def recovery_rate(inside, history, fits):
    """Of the failed renewals whose end is known: went one through?"""
    settled, recovered = False, False
    for retry in (e for e in inside if e.type == "billing_retry"):
        after = lambda events: [e.at for e in events if e.at >= retry.at and fits(e)]
        mended = min(after([*history.of_type("billing_recovery"), *history.renewing]), default=None)
        ended = min([*after([e for e in history.of_type("expire") if may_end(e, retry)]), retry.at + LONGEST_RETRY])
        if mended is not None and mended <= ended:
            settled = recovered = True
        elif ended <= history.cutoff:
            settled = True
    return int(recovered), int(settled)


def monthly(charge, tables):
    period = tables.period_of(charge)
    return round_half_even(charge.gross * months_factor(period)) if period else 0


def survival_time(history, start_at, fits):
    """`(days, ended)` of a user's paid access and `(renewals due, ended)` of its periods.

    None for whoever never paid for a subscription, or had one before.
    """
    if any(e.at < start_at for e in history.renewing):
        return None
    paid = [e for e in history.renewing if e.at >= start_at and e.gross > 0 and fits(e)]
    if not paid:
        return None
    course = history.course_from(paid[0])
    end = history.end_of(course)
    ended = end <= history.cutoff
    last = end if ended else history.cutoff
    return (max(int((last - paid[0].at) // DAY), 0), ended), history.renewals_of(course)


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
