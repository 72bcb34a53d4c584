"""The benchmark's tables: medians, ranges, ratios of the same turn."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "Benchmarks"))

from measure import Sample  # noqa: E402
from table import Line, spread, table  # noqa: E402


def samples(*seconds: float) -> list[Sample]:
    """Runs that took so long."""
    return [Sample(time, time * 2, 15.0, "") for time in seconds]


class Tables(unittest.TestCase):
    def test_a_spread_is_the_median_and_the_range(self):
        self.assertEqual(spread([3.0, 1.0, 2.0], 1), "2.0 (1.0–3.0)")
        self.assertEqual(spread([2.0], 2), "2.00")

    def test_ratios_are_taken_turn_by_turn(self):
        line = Line("ours", samples(2, 8, 3), samples(4, 16, 6))
        self.assertEqual(line.ratios, [0.5, 0.5, 0.5])

    def test_turns_that_do_not_match_are_an_error(self):
        with self.assertRaises(ValueError):
            Line("ours", samples(1), samples(1, 2)).ratios

    def test_the_table_has_a_line_each(self):
        text = table("program", "gzip", [Line("gzip", samples(4), samples(4)), Line("ours", samples(1), samples(4))])
        self.assertEqual(
            text.splitlines(),
            [
                "| program | × gzip | seconds | processor s | peak MB |",
                "|---|--:|--:|--:|--:|",
                "| gzip | 1.00 | 4.00 | 8.0 | 15 |",
                "| ours | 0.25 | 1.00 | 2.0 | 15 |",
            ],
        )

    def test_more_columns_have_a_cell_a_line(self):
        text = table("case", "gzip", [Line("one", samples(4), samples(4))], {"rows": ["7"]})
        self.assertTrue(text.splitlines()[2].endswith("| 15 | 7 |"))

    def test_times_that_differ_by_more_than_a_quarter_are_pointed_out(self):
        noisy = Line("**ours**", samples(1, 1.3), samples(1, 1))
        calm = Line("gzip", samples(1, 1.2), samples(1, 1))
        self.assertIn("the times of ours differ", table("program", "gzip", [calm, noisy]))
        self.assertNotIn("differ", table("program", "gzip", [calm]))


if __name__ == "__main__":
    unittest.main()
