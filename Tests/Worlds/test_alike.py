"""One world has one answer, however its rows are laid out and whichever formats tell it.

    python3 test_alike.py
"""

from collections import Counter
import random
import tempfile
import unittest

import model
from access import STATES
from check_worlds import unlike
from layout import write_world
from life_worlds import COUNTED, LIFE_METRICS, TELLERS, life_worlds
from metrics import metric_id
from worlds import make_world


def outcome_of(world, layout_seed):
    with tempfile.TemporaryDirectory() as folder:
        write_world(world, folder, random.Random(layout_seed))
        return model.run(world.full_job(), folder, world.as_of)


class Layouts(unittest.TestCase):
    def test_layout_changes_nothing(self):
        for seed in range(30):
            world = make_world(seed)
            one, two = outcome_of(world, 1), outcome_of(world, 2)
            self.assertEqual(one.statistics, two.statistics)
            total = lambda outcome: sum((a.aside - Counter(same_file=a.rows) for a in outcome.accounts.values()), Counter())
            self.assertEqual(total(one), total(two), seed)


class Lives(unittest.TestCase):
    def test_one_story_has_one_answer_in_every_format(self):
        formats, states, metrics, compared = Counter(), Counter(), Counter(), 0
        for seed in range(40):
            worlds, alike = life_worlds(seed)
            outcomes = [(told, outcome_of(world, seed)) for told, world in worlds]
            for told, outcome in outcomes:
                formats["+".join(sorted(told))] += 1
                states.update({key[2]: users for key, users in outcome.states.items()})
                metrics.update({key[3]: row["sum_y"] > 0 for key, row in outcome.statistics.items()})
                self.assertEqual([] if alike else None, list(unlike(told, outcomes[0][1], outcome)) if alike else None, seed)
                compared += alike
        self.assertGreater(compared, 40)
        self.assertEqual({name for told in formats for name in told.split("+")}, set(TELLERS))
        self.assertEqual([state for state in STATES if not states[state]], [])
        self.assertEqual([metric_id(metric) for metric in LIFE_METRICS + COUNTED
                          if not metrics[metric_id(metric)] and metric["name"] != "retention"], [])


if __name__ == "__main__":
    unittest.main()
