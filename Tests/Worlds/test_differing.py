"""Two files that differ, and what is said of them."""

import gzip
import io
import os
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from differing import how_bytes, unlike


def archive(level, **members):
    """A zip file of members by name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as written:
        for name, content in members.items():
            written.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, level)
    return file.getvalue()


class Differing(unittest.TestCase):
    def test_texts_differ_where_they_say_so(self):
        self.assertEqual(
            how_bytes(b"a,1\nb,2\n", b"a,1\nb,3\n"), r"at byte 6, line 2: 'a,1\nb,2\n' | 'a,1\nb,3\n'")

    def test_one_that_begins_the_other(self):
        self.assertIn("at byte 3, line 1: 'abc' | 'abcd'", how_bytes(b"abc", b"abcd"))

    def test_a_cell_of_a_workbook(self):
        one, other = (archive(1, sheet1="<v>1</v>", sheet2=f"<v>{value}</v>") for value in (2, 3))
        self.assertEqual(how_bytes(one, other), "sheet2: at byte 3, line 1: '<v>2</v>' | '<v>3</v>'")

    def test_a_workbook_packed_otherwise(self):
        text = "".join(f"<v>{number % 97}</v>" for number in range(5000))
        self.assertRegex(how_bytes(archive(1, sheet=text), archive(9, sheet=text)), r"sheet is the same, packed in \d+ and in \d+")

    def test_a_workbook_that_cannot_be_unpacked(self):
        whole = archive(1, sheet="<v>1</v>" * 1000)
        broken = bytearray(whole)
        broken[40] ^= 0xFF
        self.assertIn("cannot be unpacked", how_bytes(whole, bytes(broken)))
        self.assertIn("cannot be unpacked", how_bytes(whole, whole[:-30]))

    def test_gzip_packed_otherwise(self):
        one, other = gzip.compress(b"a" * 9, mtime=0), gzip.compress(b"a" * 9, mtime=1)
        self.assertEqual(how_bytes(one, other), f"packed otherwise, from byte 4 of {len(one)} and {len(other)} on")
        self.assertIn("at byte 0", how_bytes(one, gzip.compress(b"b" * 9, mtime=0)))
        self.assertIn("cannot be unpacked", how_bytes(one, one[:-3]))

    def test_folders(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            for folder, value in ((one, "1"), (other, "2")):
                os.mkdir(os.path.join(folder, "pages"))
                for name in ("same.csv", "run.json", "pages/a.html", "other.csv"):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write("0" if name == "same.csv" else value)
            os.remove(os.path.join(other, "other.csv"))
            self.assertEqual(
                [line.replace(other, "…") for line in unlike(one, other, {"run.json"})],
                ["other.csv differs: there is no …/other.csv",
                 "pages differs: a.html differs: at byte 0, line 1: '1' | '2'"])


if __name__ == "__main__":
    unittest.main()
