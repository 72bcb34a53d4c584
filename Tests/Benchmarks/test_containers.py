"""The log in every container: the same lines, and what a job says of where they lie."""

import gzip
import lzma
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "Benchmarks"))

from case import Case, in_containers  # noqa: E402
from containers import CONTAINERS, PACKERS, contained  # noqa: E402
from job import job  # noqa: E402

LINES = b'{"price":"7.99"}\n{"note":"\xc3\xa9"}\n'


class Containers(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = Path(self.place.name)
        for number in range(2):
            (self.folder / f"purchases-{number}.jsonl.gz").write_bytes(gzip.compress(LINES))

    def test_the_same_lines_are_in_each(self):
        self.assertEqual(contained(self.folder, "plain"), "path: plain/purchases*")
        self.assertEqual((self.folder / "plain/purchases-1.jsonl").read_bytes(), LINES)
        contained(self.folder, "utf-16")
        self.assertEqual((self.folder / "utf-16/purchases-0.jsonl").read_bytes().decode("utf-16").encode(), LINES)
        contained(self.folder, "zip")
        with zipfile.ZipFile(self.folder / "zip/purchases.zip") as archive:
            self.assertEqual([archive.read(name) for name in archive.namelist()], [LINES, LINES])

    def test_a_program_unpacks_what_is_not_read(self):
        said = contained(self.folder, "xz")
        self.assertEqual(said, 'command: ["xz", "-dc", "xz/purchases-0.jsonl.xz", "xz/purchases-1.jsonl.xz"]')
        self.assertEqual(lzma.decompress((self.folder / "xz/purchases-0.jsonl.xz").read_bytes()), LINES)
        self.assertIn(f"  - {said}\n    format: events\n", job(Case(container="xz"), place=said))

    def test_each_is_a_case_and_the_first_is_what_the_others_are_held_against(self):
        cases = in_containers(Case(format="events-csv"))
        self.assertEqual([case.container for case in cases], list(CONTAINERS))
        self.assertEqual({*CONTAINERS} - {*PACKERS}, {"gzip"})
        self.assertEqual([case.container for case in cases if "--allow-commands" in case.options], ["xz"])
        self.assertEqual({case.format for case in cases}, {"events"})
