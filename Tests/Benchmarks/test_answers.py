"""A benchmark's answers: read from all three sources alike, and a wrong one told with its figure."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))

import answers  # noqa: E402
from answers import Sums, WrongAnswer, check  # noqa: E402

PRINTED = "group,users,payers,charges,net_micros\ncontrol,100,40,90,718622300\ngroup_a,90,41,92,730000000\n"
STATISTICS = """\
offering_id,test_group_id,segment,metric,kind,scale,n,sum_y,sum_yy,sum_x
o,control,all,charges_30d,mean,1,100,90,0,0
o,control,all,revenue_net_per_payer_30d,ratio,1000000,100,718622300,0,40
o,control,country=DE,revenue_net_per_payer_30d,ratio,1000000,10,1,0,1
o,group_a,all,charges_30d,mean,1,90,92,0,0
o,group_a,all,revenue_net_per_payer_30d,ratio,1000000,90,730000000,0,41
"""
PAYWALL_TRUTH = """\
what,group,name,value
expected,control,revenue_net_30d,10.495823
happened,control,mature_users_30d,100
happened,control,paying_users_30d,40
happened,control,charges_30d,90
happened,control,revenue_net_30d,718.622300
rows,,purchases,1000
"""
STORY_TRUTH = """\
what,group,name,value
happened,control,payers_30d_users,100
happened,control,payers_30d_did,40
happened,control,charges_30d_sum,90
happened,control,revenue_net_30d_sum,718.622300
"""
CONTROL = Sums(users=100, payers=40, charges=90, net_micros=718_622_300)


def written(text: str, folder: str) -> Path:
    """A file with that text."""
    path = Path(folder) / "file.csv"
    path.write_text(text)
    return path


class Answers(unittest.TestCase):
    def test_a_peer_a_run_and_both_kinds_of_truth_say_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(answers.of_peer(PRINTED)["control"], CONTROL)
            self.assertEqual(answers.of_run(written(STATISTICS, folder)), answers.of_peer(PRINTED))
            self.assertEqual(answers.of_truth(written(PAYWALL_TRUTH, folder)), {"control": CONTROL})
            self.assertEqual(answers.of_truth(written(STORY_TRUTH, folder)), {"control": CONTROL})

    def test_equal_answers_pass(self):
        check("Polars", answers.of_peer(PRINTED), answers.of_peer(PRINTED))

    def test_a_millionth_too_little_is_told_with_its_group_and_figure(self):
        found = answers.of_peer(PRINTED.replace("718622300", "718622299"))
        with self.assertRaises(WrongAnswer) as caught:
            check("Polars", found, answers.of_peer(PRINTED))
        self.assertEqual(
            str(caught.exception),
            "Polars finds net revenue of control to be 718.622299, not 718.622300: 0.000001 too little.",
        )

    def test_a_payer_too_many_is_told(self):
        with self.assertRaisesRegex(WrongAnswer, "payers of group_a to be 42, not 41: 1 too many"):
            check("pandas", answers.of_peer(PRINTED.replace("90,41", "90,42")), answers.of_peer(PRINTED))

    def test_a_missing_group_is_told(self):
        with self.assertRaisesRegex(WrongAnswer, "answers for the groups control; there are control, group_a"):
            check("pandas", {"control": CONTROL}, answers.of_peer(PRINTED))

    def test_no_answer_at_all_is_a_wrong_one(self):
        with self.assertRaisesRegex(WrongAnswer, "groups none"):
            check("pandas", answers.of_peer(""), answers.of_peer(PRINTED))


if __name__ == "__main__":
    unittest.main()
