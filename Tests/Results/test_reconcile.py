"""The worked example of jobs/reconcile.md is what its files add up to, and ends on published figures to the cent."""

import decimal
import re
import unittest

import reconcile
import reference
from each import none


class Reconcile(unittest.TestCase):
    def test_the_page_says_what_the_files_add_up_to(self):
        self.assertEqual(reconcile.SECTION.written(), reconcile.tables(), "python3 Tests/Results/reconcile.py writes it anew")

    def test_the_steps_end_on_published_figures(self):
        steps = dict(reconcile.steps(reconcile.charges()))
        self.assertEqual(steps["= net in `money.csv`, all groups"], reconcile.published("money", "net"))
        self.assertEqual(steps["= `proceeds_30d`, the sum of the groups' numerators"],
                         reconcile.published("group_metrics", "numerator", metric="proceeds_30d", segment="all"))

    def test_the_steps_add_up(self):
        total = decimal.Decimal(0)
        for what, money in reconcile.steps(reconcile.charges()):
            total = total if what.startswith("=") else total + money
            if what.startswith("="):
                self.assertEqual(money, total, what)

    def test_the_charts_of_one_month_differ(self):
        charts = [money for *_, money in reconcile.charts(reconcile.charges())]
        self.assertEqual(len(set(charts)), len(charts))

    def test_the_sentence_below_rounds_the_tables(self):
        steps, charts = reconcile.steps(reconcile.charges()), reconcile.charts(reconcile.charges())
        sentence = reconcile.SECTION.after().strip().split("\n\n")[0]
        whole = lambda money: f"{abs(money).quantize(decimal.Decimal(1), decimal.ROUND_DOWN):,}"
        wanted = [charts[0][2], charts[3][2], steps[1][1], steps[2][1]]
        self.assertEqual([whole(money) for money in wanted] + [f"{abs(steps[4][1] + steps[5][1]):,.0f}"],
                         re.findall(r"\d[\d,]*\d{2}", sentence))

    def test_every_metric_and_reason_it_names_there_is(self):
        pages = "".join(map(reference.read, reference.CHAPTERS))
        vendors = {"is_family_share", "ownership_type"}
        names = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", reconcile.SECTION.page())) - vendors
        self.assertGreaterEqual(len(names), 10)
        none(self, sorted(name for name in names if name not in pages))
