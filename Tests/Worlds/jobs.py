"""Random job settings: metrics with their options, populations, side tables' entries."""

WINDOWS = ["1d", "3d", "7d", "7d", "14d", "30d", "none", "36h"]
SIMPLE = [
    "exposure", "initial_conversion", "paying_conversion", "subscription_conversion",
    "one_time_conversion", "trial_start_rate", "revenue_gross", "revenue_net", "proceeds",
    "charges", "revenue_net_per_payer", "revenue_gross_per_payer", "proceeds_per_payer",
    "refund_rate",
]
ON_CHARGES = {
    "paying_conversion", "subscription_conversion", "one_time_conversion", "revenue_gross",
    "revenue_net", "proceeds", "charges", "revenue_net_per_payer", "refund_rate",
}
MEANS = {"revenue_gross", "revenue_net", "proceeds", "charges", "revenue_net_per_payer", "event_count"}
COUNTED = ["plan_view", "purchase_tap", "cancel", "paywall_view", "scan é"]


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
    return {"value": rng.choice([1, 2])} if name in ("charges", "event_count") else {
        "value": rng.choice([5, 9.99, 20, 500])
    }


def metric(rng, number, products):
    """One metric; an explicit id wherever the default one could clash or is not told."""
    name = rng.choice(SIMPLE + ["event_rate", "event_count", "count_ratio"])
    one = {"name": name, "window": rng.choice(WINDOWS)}
    special = one["window"] in ("none", "36h")
    if name in ("event_rate", "event_count"):
        one["event"], special = rng.choice(COUNTED), True
    if name == "count_ratio":
        one["numerator"], one["denominator"] = rng.sample(COUNTED, 2)
        special = True
    if name == "paying_conversion" and rng.random() < 0.4:
        one["kept"], special = True, True
    if name in ON_CHARGES and rng.random() < 0.3:
        one["where"], special = where_clause(rng, products), True
    if name in MEANS and rng.random() < 0.4:
        one["cap"], special = cap_of(rng, name), True
    if rng.random() < 0.2:
        one["immature"], special = "include", True
    if rng.random() < 0.2:
        one["goal"] = rng.choice(["increase", "decrease"])
    if rng.random() < 0.5:
        one["primary"] = True
    if special or rng.random() < 0.2:
        one["id"] = f"m{number}_{name}"
    return one


def metrics(rng, products):
    chosen, seen = [], set()
    for number in range(rng.randrange(3, 10)):
        one = metric(rng, number, products)
        key = one.get("id") or (one["name"], one["window"])
        if key not in seen:
            seen.add(key)
            chosen.append(one)
    return chosen


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
