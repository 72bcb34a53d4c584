"""The generator must really make every kind of dirt.

    python3 test_worlds.py
"""

from collections import Counter
import functools
import unittest

import model
from access import STATES
from dealing import STORES
from jobs import AT_CUTOFF, SIMPLE, UPTAKE
from life_worlds import life_metrics
from metrics import metric_id
from test_alike import outcome_of
from twins import published
from worlds import make_world

REASONS = [
    "malformed", "missing_field", "bad_time", "ambiguous_time", "bad_price", "missing_price",
    "bad_currency", "no_exchange_rate", "unknown_event_type", "invalid_utf8", "sandbox",
    "family_shared", "after_cutoff", "unassigned", "excluded_user", "duplicate", "not_measured",
]
WORDS = ["EXPERIMENT_ENROLLMENT", "SUBSCRIBER_ALIAS", "$RCAnonymousID", "aliases", "original_transaction_id", "subscriptionGroupIdentifier",
         "billingPlanType", "PAY_UP_FRONT", '"status": 3', "NULL", "_airbyte_data", "ghost", "+0530", "heartbeat", "money back"]
ALL_METRICS = [*SIMPLE, *AT_CUTOFF, *UPTAKE, "event_rate", "event_count", "count_ratio", "quantile"]


# Several tests look at the same worlds.
world_of = functools.cache(make_world)


class Worlds(unittest.TestCase):
    def test_every_reason_and_metric_occurs(self):
        reasons, metrics, formats, states, named, sold = Counter(), Counter(), Counter(), Counter(), Counter(), Counter()
        for seed in range(60):
            world = world_of(seed)
            outcome = outcome_of(world, seed)
            for account in outcome.accounts.values():
                reasons += account.aside
            for key, users in outcome.states.items():
                states[key[2]] += users
            named += outcome.notices.not_measured + outcome.notices.unknown_values
            names = {model.safe_cell(metric_id(metric)): metric["name"] for metric in world.job["metrics"]}
            for key, row in outcome.statistics.items():
                metrics[names[key[3]]] += row["sum_y"] > 0
            for key in [*outcome.quantiles, *outcome.survival]:
                metrics[names[key[3]]] += 1
            formats.update(source.entry["format"] for source in world.sources)
            sold.update(key[2:] for key in outcome.charges_by)
        self.assertEqual([reason for reason in REASONS if not reasons[reason]], [])
        self.assertEqual([name for name in ALL_METRICS if not metrics[name]], [])
        self.assertLess({name for name in STORES if name != "native"}, set(formats))
        self.assertEqual([state for state in STATES if not states[state]], [])
        self.assertGreater(len(named), 12)
        self.assertGreater(len(sold), 20)
        self.assertIn(("paywall", "(other)"), sold)

    def test_every_way_of_a_stranger_occurs(self):
        told, keys = Counter(), Counter()
        for seed in range(1, 121):
            world = world_of(seed)
            job = world.full_job()
            for entry in [*job["purchases"], *job.get("assignments", [])]:
                keys.update(entry.keys() - {"path", "format"})
                keys.update(["dotted"] * any("." in name for name in dict(entry.get("columns") or {}).values()) if isinstance(entry.get("columns"), dict) else [])
            keys.update(job.keys())
            text = b"\n".join(record for source in world.sources for record in source.records if isinstance(record, bytes))
            told.update(name for name in WORDS if name.encode() in text)
        asked = ["types", "types_of", "price_unit", "quantity", "negative", "items", "skip_where", "dotted", "exclude_groups", "identities"]
        self.assertEqual([name for name in asked if not keys[name]], [])
        self.assertEqual([name for name in WORDS if not told[name]], [])

    def test_every_kind_of_twin_is_asked_for(self):
        """In the place of a primary metric, and of one that speaks because it is the first."""
        for metrics_of in (lambda seed: world_of(seed).job["metrics"], life_metrics):
            asked = Counter((twin["kind"], twin.get("primary", False)) for seed in range(1, 121)
                            for twin in published(metrics_of(seed)) if "twin_of" in twin)
            self.assertEqual({kind for kind, is_primary in asked if is_primary}, {"mean", "proportion", "survival"})
            self.assertIn(False, {is_primary for _, is_primary in asked})


if __name__ == "__main__":
    unittest.main()
