"""Random job settings: metrics with their options, populations, side tables' entries."""

import random

WINDOWS = ["1d", "3d", "7d", "7d", "14d", "30d", "none", "36h"]
LONG_WINDOWS = ["7d", "30d", "60d", "none", "none"]
SIMPLE = [
    "exposure", "initial_conversion", "paying_conversion", "subscription_conversion",
    "one_time_conversion", "trial_start_rate", "revenue_gross", "revenue_net", "proceeds",
    "charges", "revenue_net_per_payer", "revenue_gross_per_payer", "proceeds_per_payer",
    "refund_rate", "trial_to_paid", "one_time_to_subscription", "renewal_rate", "involuntary_churn", "recovery_rate",
    "credits_granted", "credits_balance",
]
UPTAKE = ["default_uptake"]  # asks for a catalog
LIFECYCLE = {"trial_to_paid", "one_time_to_subscription", "renewal_rate", "involuntary_churn", "recovery_rate", "credits_granted"}
AT_CUTOFF = ["active_subscription", "set_to_renew", "mrr", "retention"]
ON_CHARGES = {
    "paying_conversion", "subscription_conversion", "one_time_conversion", "revenue_gross",
    "revenue_net", "proceeds", "charges", "revenue_net_per_payer", "refund_rate", "trial_to_paid",
    "one_time_to_subscription", "renewal_rate", "involuntary_churn", "recovery_rate", "default_uptake", "credits_granted",
    "active_subscription", "mrr", "retention",
}
MEANS = {"revenue_gross", "revenue_net", "proceeds", "charges", "revenue_net_per_payer", "event_count", "credits_granted", "mrr"}
ADJUSTED = {"revenue_gross", "revenue_net", "proceeds", "charges", "paying_conversion", "credits_granted", "revenue_net_per_payer"}
QUANTILES = ["revenue_gross", "revenue_net", "proceeds", "charges", "credits_granted"]
COUNTED = ["activation", "offering_served", "expire", "extend", "billing_recovery", "plan_view", "purchase_tap", "cancel", "paywall_view", "scan é"]


def where_clause(rng, products):
    """Product ids, kinds or tiers, sometimes two of them together."""
    where = {}
    if rng.random() < 0.6:
        ids = [product["id"] for product in products]
        where["products"] = rng.sample(ids, rng.randrange(1, len(ids)))
    if rng.random() < 0.4:
        kinds = ["auto_renewable", "non_renewing", "consumable", "non_consumable"]
        where["kinds"] = rng.sample(kinds, rng.choice([1, 2]))
    if not where or rng.random() < 0.2:
        where["tiers"] = rng.choice([["gold"], ["silver", "gold"]])
    return where


def cap_of(rng, name):
    if rng.random() < 0.5:
        return {"percentile": rng.choice([50, 75, 90, 95, 99, 99.9, 33.3])}
    return {"value": rng.choice([1, 2])} if name in ("charges", "event_count", "credits_granted") else {
        "value": rng.choice([5, 9.99, 20, 500])
    }


def metric(rng, number, world):
    """One metric; an explicit id wherever the default one could clash or is not told."""
    name = rng.choice(SIMPLE + ["event_rate", "event_count", "count_ratio", "quantile"] + AT_CUTOFF + UPTAKE * world.has_catalog)
    windows = LONG_WINDOWS if name in LIFECYCLE else WINDOWS
    one = {"name": name} | ({} if name in AT_CUTOFF else {"window": rng.choice(windows)})
    special = one.get("window") in ("none", "36h")
    options = own_options(rng, name)
    if name in ON_CHARGES and rng.random() < 0.3:
        options["where"] = where_clause(rng, world.products)
    if name in MEANS and rng.random() < 0.4:
        options["cap"] = cap_of(rng, name)
    if name in ADJUSTED and rng.random() < 0.2:
        options["covariate"] = {"lookback": rng.choice(["7d", "30d"])}
    if "window" in one and rng.random() < 0.2:
        options["immature"] = "include"
    one |= options
    if rng.random() < 0.2:
        one["goal"] = rng.choice(["increase", "decrease"])
    if rng.random() < 0.5:
        one["primary"] = True
    if special or options or rng.random() < 0.2:
        one["id"] = f"m{number}_{name}"
    return one


def own_options(rng, name):
    """What this metric's name asks for or allows."""
    if name in ("event_rate", "event_count"):
        return {"event": rng.choice(COUNTED)}
    if name == "count_ratio":
        return dict(zip(("numerator", "denominator"), rng.sample(COUNTED, 2)))
    if name == "paying_conversion" and rng.random() < 0.4:
        return {"kept": True}
    if name in ("trial_to_paid", "one_time_to_subscription") and rng.random() < 0.5:
        return {"within": rng.choice(["3d", "7d", "14d", "30d"])}
    if name == "credits_balance":
        return {"starting": rng.choice([0, 6, 30]), "spent_by": rng.choice(["scan \u00e9", "plan_view"])}
    if name == "renewal_rate" and rng.random() < 0.3:
        return {"grace": rng.choice(["0d", "3d", "16d"])}
    if name == "retention" and rng.random() < 0.5:
        return rng.choice([{"day": 1}, {"day": 7}, {"day": 60}, {"renewals": 1}, {"renewals": 2}])
    if name == "quantile":
        return {"of": rng.choice(QUANTILES), "q": rng.choice([0.5, 0.9, 0.25, 0.99])} | ({"zeros": True} if rng.random() < 0.4 else {})
    return {}


STEPS = ["charge", "charge", ["trial_start", "purchase"], ["plan_view", "purchase_tap", "scan \u00e9"], "paywall_view", "plan_view", "purchase_tap", "trial_start", "purchase", "renewal", "activation", "cancel", "scan \u00e9"]


def funnels(rng):
    """One or two funnels of two to four steps; a step may come twice."""
    return [
        {"name": f"{prefix}funnel", "steps": [rng.choice(STEPS) for _ in range(rng.choice([2, 2, 3, 4]))],
         "within": rng.choice(["24h", "1d", "3d", "7d", "30d"])}
        for prefix in rng.choice([[""], ["a ", "b "]])
    ]


def metrics(rng, world):
    chosen, seen = [], set()
    for number in range(rng.randrange(5, 15)):
        one = metric(rng, number, world)
        key = one.get("id") or (one["name"], one.get("window"))
        if key not in seen:
            seen.add(key)
            chosen.append(one)
    return chosen


def now_and_then_silent(metrics, seed):
    """In one job of eight no metric is primary, and any may be the first; with dice of its own."""
    dice = random.Random(f"silent {seed}")
    if dice.random() >= 1 / 8:
        return metrics
    first = dice.randrange(len(metrics))
    return [{key: value for key, value in metric.items() if key != "primary"} for metric in metrics[first:] + metrics[:first]]


def analysis_settings(rng):
    """Settings of the statistics, each left at its default most of the time."""
    settings = {}
    for key, values in {
        "confidence": [0.9, 0.99],
        "decide_by": ["fixed", "sequential"],
        "tuning": [100, 20000],
        "lift_interval": ["delta", "log", "fieller"],
        "adjust": ["bh", "hochberg"],
    }.items():
        if rng.random() < 0.25:
            settings[key] = rng.choice(values)
    if rng.random() < 0.2:
        settings["prior"] = {"mean": rng.choice([0, 0.05]), "sd": 0.3}
    return settings
