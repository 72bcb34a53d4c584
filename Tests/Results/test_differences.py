"""The tables of jobs/methods.md that hold our figures against others' say what the program and Tests/Oracles/differences.json say."""

import unittest

import differences


class Differences(unittest.TestCase):
    def test_the_tables_are_what_the_program_and_the_others_say(self):
        self.assertEqual(differences.SECTION.written(), differences.tables(), "python3 Tests/Results/differences.py writes them anew")

    def test_the_data_really_differ(self):
        """Each line is there because somebody calls what another does not, or says nothing."""
        for name, case in differences.told()["data"].items():
            answers = [answer["p"] for answer in case["answers"].values()]
            with self.subTest(name):
                self.assertGreater(len({p if p is None else round(p, 4) for p in answers}), 1)

    def test_ours_agrees_with_whoever_asks_the_same_question(self):
        """Welch's of tea-tasting, the pooled z of statsmodels, users' ratios of tea-tasting: to ten digits."""
        data = differences.told()["data"]
        own = differences.ours(data, "--decide-by", "fixed")
        same = {"share": "statsmodels", "share, 20 : 1": "statsmodels", "money, 4 : 1": "tea-tasting", "money, few payers": "tea-tasting", "refunds of charges": "tea-tasting"}
        for name, peer in same.items():
            with self.subTest(name):
                theirs = data[name]["answers"][peer]["p"]
                self.assertAlmostEqual(float(own[name]["p_value"]) / theirs, 1, delta=1e-10)
