"""What a benchmark's cases read: their scenario, their job, who takes part."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "Benchmarks"))

from case import FORMATS, Case, scalings  # noqa: E402
from contender import chosen  # noqa: E402
from job import job  # noqa: E402
from scenario import return_rate, scenario, views  # noqa: E402


class Cases(unittest.TestCase):
    def test_a_scale_changes_the_users_and_nothing_else(self):
        whole, tenth = scenario(Case()), scenario(Case(scale=0.1))
        self.assertIn("users: 100000\n", tenth)
        self.assertEqual(tenth.replace("users: 100000\n", "users: 1000000\n"), whole)

    def test_fewer_users_come_back_more_often(self):
        text = scenario(Case(users=250_000))
        self.assertIn("users: 250000\n", text)
        self.assertGreater(float(re.search(r"return_rate: ([\d.]+)", text)[1]), 0.9)

    def test_too_few_users_are_refused_with_how_many_there_may_be(self):
        with self.assertRaisesRegex(ValueError, "among 200000 to 1400000 users"):
            scenario(Case(users=1000))

    def test_a_return_rate_makes_the_views_it_is_asked_for(self):
        self.assertAlmostEqual(views(return_rate(17.4)), 17.4, places=6)

    def test_every_format_has_a_scenario_and_a_job_of_its_own(self):
        jobs = {name: job(Case(format=name)) for name in FORMATS}
        alike = ["app-store-notifications", "app-store-notifications-signed", "app-store-transactions"]
        self.assertEqual(len({jobs[name] for name in alike}), 1)  # What Apple tells is one format, however it is told.
        self.assertEqual(len(set(jobs.values())), len(FORMATS) - 2)
        for name in FORMATS:
            self.assertEqual("outputs:" in scenario(Case(format=name)), name != "events")
            self.assertIn("path: purchases-", jobs[name])

    def test_a_job_has_as_many_metrics_as_it_is_asked_for(self):
        for count in (5, 50):
            text = job(Case(metrics=count))
            self.assertEqual(text.count("{name: "), count)
            self.assertIn("{name: revenue_net_per_payer, window: 30d}", text)
            self.assertIn("{name: charges, window: 30d}", text)
        with self.assertRaises(ValueError):
            job(Case(metrics=51))

    def test_a_job_that_keeps_what_it_read_says_so(self):
        self.assertNotIn("state:", job(Case()))
        self.assertTrue(job(Case(stored=True, metrics=5)).endswith("state:\n"))

    def test_the_first_scaling_is_what_the_others_are_held_against(self):
        base = Case(scale=0.02)
        self.assertEqual(scalings(base)[0], base)
        self.assertEqual(len({case.label for case in scalings(base)}), len(scalings(base)))

    def test_peers_are_chosen_by_name_and_left_out_where_they_cannot_read(self):
        self.assertEqual(chosen("duckdb,igzip", Case()), ["igzip", "duckdb-tuned", "duckdb-plain"])
        self.assertEqual(chosen("none", Case()), [])
        self.assertEqual(chosen("all", Case(format="revenuecat-export")), ["igzip"])
        with self.assertRaisesRegex(ValueError, "--peers spark"):
            chosen("spark", Case())


if __name__ == "__main__":
    unittest.main()
