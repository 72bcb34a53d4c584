"""The generator must really make every kind of dirt, and lay it out without changing the answer.

    python3 test_worlds.py
"""

from collections import Counter
import random
import tempfile
import unittest

import model
from layout import write_world
from worlds import make_world

REASONS = [
    "malformed", "missing_field", "bad_time", "ambiguous_time", "bad_price", "missing_price",
    "bad_currency", "no_exchange_rate", "unknown_event_type", "invalid_utf8", "sandbox",
    "family_shared", "after_cutoff", "unassigned", "excluded_user", "duplicate",
]


def outcome_of(world, layout_seed):
    with tempfile.TemporaryDirectory() as folder:
        write_world(world, folder, random.Random(layout_seed))
        return model.run(world.full_job(), folder, world.as_of)


class Worlds(unittest.TestCase):
    def test_every_reason_and_metric_occurs(self):
        reasons, metrics, formats, cells = Counter(), Counter(), Counter(), 0
        for seed in range(60):
            world = make_world(seed)
            outcome = outcome_of(world, seed)
            for account in outcome.accounts.values():
                reasons += account.aside
            cells += sum(row["sum_y"] > 0 for row in outcome.statistics.values())
            metrics.update(metric["name"] for metric in world.job["metrics"])
            formats.update(source.entry["format"] for source in world.sources)
        self.assertEqual([reason for reason in REASONS if not reasons[reason]], [])
        self.assertEqual(len(metrics), 17)
        self.assertEqual(len(formats), 6)
        self.assertGreater(cells, 500)

    def test_layout_changes_nothing(self):
        for seed in range(30):
            world = make_world(seed)
            one, two = outcome_of(world, 1), outcome_of(world, 2)
            self.assertEqual(one.statistics, two.statistics)
            total = lambda outcome: sum((a.aside for a in outcome.accounts.values()), Counter())
            self.assertEqual(total(one), total(two), seed)


if __name__ == "__main__":
    unittest.main()
