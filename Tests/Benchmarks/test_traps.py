"""The traps: what is true of each log, how an answer is held against it, and that the README's table is what was measured."""

import csv
import json
import re
import sys
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent.parent / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import traps  # noqa: E402
from traps_log import ALL, GROUPS, TRAPS, World  # noqa: E402

TRUE = {"control": (100, 10, Decimal("200.00")), "new_price": (100, 10, Decimal("200.00"))}


def result(found, stopped=None):
    return {"off": traps.off(found, TRUE), "stopped": stopped}


class Cells(unittest.TestCase):
    def test_what_is_right_is_right_to_the_cent(self):
        self.assertEqual(traps.cell(result(TRUE)), "right")
        cent = TRUE | {"control": (100, 10, Decimal("200.01"))}
        self.assertEqual(traps.cell(result(cent)), "+0.0 %")

    def test_net_and_payers_are_off_by_parts_of_what_is_true(self):
        less = TRUE | {"control": (100, 10, Decimal("180.00"))}
        self.assertEqual(traps.cell(result(less)), "−5.0 %")
        more = TRUE | {"control": (100, 12, Decimal("240.00"))}
        self.assertEqual(traps.cell(result(more)), "+10.0 %, payers +10.0 %")

    def test_a_group_that_is_missing_counts_as_nothing(self):
        self.assertEqual(traps.cell(result({"control": TRUE["control"]})), "−50.0 %, payers −50.0 %")

    def test_who_stops_says_so_with_what_comes_then(self):
        self.assertEqual(traps.cell(result(None, "ValueError: no")), "stops")
        self.assertEqual(traps.cell(result(TRUE, "ValueError: no")), "stops, then right")

    def test_a_peer_is_asked_again_once_and_its_message_is_kept_without_the_folder(self):
        def peer(folder, again=False):
            if not again:
                raise ValueError(f"bad line in {folder}/log")
            return TRUE

        def stubborn(folder, again=False):
            raise KeyError

        self.assertEqual(traps.asked(peer, Path("/somewhere")), (TRUE, "ValueError: bad line in log"))
        self.assertEqual(traps.asked(stubborn, Path("/somewhere")), (None, "KeyError: "))


class Logs(unittest.TestCase):
    def written(self, trap):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        world = World(trap)
        world.write(folder.name)
        lines = [line for path in sorted(Path(folder.name).glob("*.jsonl")) for line in path.read_text().splitlines()]
        with open(Path(folder.name) / "assignments.csv", newline="") as file:
            return world, lines, list(csv.DictReader(file))

    def test_of_a_clean_log_the_truth_is_what_its_rows_add_up_to(self):
        world, lines, assigned = self.written("none")
        groups = {row["user_id"]: row["test_group_id"] for row in assigned}
        rows = [json.loads(line) for line in lines]
        taken = {row["transactionId"] for row in rows if row["eventType"] == "refund"}
        for group in GROUPS:
            bought = [row for row in rows if row["eventType"] == "purchase" and groups[row["userId"]] == group]
            net = sum(Decimal(row["price"]) for row in bought if row["transactionId"] not in taken)
            users = sum(name == group for name in groups.values())
            self.assertEqual(world.truth()[group], (users, len({row["userId"] for row in bought}), net))

    def test_every_trap_tells_another_log(self):
        logs = {trap: (tuple(sorted(lines)), len(assigned)) for trap in [*TRAPS, ALL] for _, lines, assigned in [self.written(trap)]}
        self.assertEqual(len(set(logs.values())), len(TRAPS) + 1)

    def test_the_same_seed_makes_the_same_log(self):
        self.assertEqual(self.written(ALL)[1], self.written(ALL)[1])

    def test_all_together_has_every_fault(self):
        _, lines, _ = self.written(ALL)
        text = "\n".join(lines)
        for sign in ("+09:00", "FAMILY_SHARED", "Sandbox", "refund_reversal", "anon-", '"price": "999.99", "price"', '"price": 9.99'):
            self.assertIn(sign, text)
        self.assertTrue(any(not line.endswith("}") for line in lines))


class Page(unittest.TestCase):
    results = json.loads((BENCHMARKS / "traps.json").read_text())

    def test_the_readme_shows_what_was_measured(self):
        self.assertEqual(traps.written((BENCHMARKS / "README.md").read_text()), traps.table(self.results))

    def test_every_trap_was_asked_of_everybody_and_ours_was_right(self):
        self.assertEqual(list(self.results["traps"]), [*TRAPS, ALL])
        for cells in self.results["traps"].values():
            self.assertEqual(list(cells), ["offerlift", *self.results["versions"]])
            self.assertEqual(traps.cell(cells["offerlift"]), "right")

    def test_of_a_clean_log_everybody_is_right(self):
        self.assertEqual({traps.cell(found) for found in self.results["traps"]["none"].values()}, {"right"})

    def test_the_versions_are_those_that_are_asked_for(self):
        asked = dict(re.findall(r"^(\w+)==([\d.]+)$", (BENCHMARKS / "traps_requirements.txt").read_text(), re.MULTILINE))
        names = {"DuckDB": "duckdb", "Polars": "polars", "pandas": "pandas", "chDB": "chdb", "Spark": "pyspark"}
        self.assertEqual({name: asked[package] for name, package in names.items()}, self.results["versions"])

    def test_no_path_of_a_machine_is_kept(self):
        self.assertNotIn("/tmp", json.dumps(self.results))
