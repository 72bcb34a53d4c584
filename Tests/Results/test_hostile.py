"""What whoever writes rows, names, files, archives or questions could try to keep a night waiting, or have it do."""

import contextlib
import gzip
import hashlib
import json
import os
import sqlite3
import struct
import subprocess
import unittest
import zipfile
import zlib

import numpy
import pyarrow
import pyarrow.parquet

import hostile
from hostile import DATE, USERS, World
from nights import BINARY

# Twenty million letters are looked for in twenty million others: hours of one step of SQLite's.
ENDLESS = "instr(replace(hex(zeroblob(20000000)), '00', 'a'), replace(hex(zeroblob(10000000)), '00', 'a') || 'b')"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def overlapping(text, count):
    """An archive whose list tells of one member's bytes under many names."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(text) + packer.flush()
    about = (zlib.crc32(text), len(packed), len(text))
    first = b"00000.jsonl"
    body = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 33, *about, len(first), 0) + first + packed
    entries = b"".join(
        struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 33, *about, len(first), 0, 0, 0, 0, 0, 0) + b"%05d.jsonl" % number
        for number in range(count))
    return body + entries + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(entries), len(body), 0)


class Archives(unittest.TestCase):
    def refuse(self, name, words, make):
        with World(f"../{name}") as world:
            make(world.path(name))
            done = world.run()
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn(name, done.stderr)
            self.assertIn(words, done.stderr)

    def test_members_that_share_bytes_are_refused(self):
        """Fifty kilobytes, packed, would be read as 20 GB."""
        def make(path):
            with open(path, "wb") as file:
                file.write(overlapping((b'{"x":"' + b"a" * 1000 + b'"}\n') * 20000, 1000))
        self.refuse("log.zip", "00000.jsonl and 00001.jsonl in the same bytes", make)

    def test_more_empty_members_than_anybody_has_files_are_refused(self):
        def make(path):
            with zipfile.ZipFile(path, "w") as archive:
                for number in range(60000):
                    archive.writestr(f"{number}.jsonl", "")
        self.refuse("log.zip", "60000 empty files", make)

    def test_a_packed_text_of_one_letter_is_not_read_for_hours(self):
        """Zstandard's shortest block: four bytes for 128 KiB of line ends, of which none is a row."""
        block, last = (struct.pack("<I", 131072 << 3 | 1 << 1 | end)[:3] + b"\n" for end in [0, 1])
        def make(path):
            with open(path, "wb") as file:
                file.write(b"\x28\xb5\x2f\xfd\x00\x38" + block * 100_000 + last)
        self.refuse("log.jsonl.zst", "times its size", make)

    def test_a_parquet_run_of_one_row_is_not_read_for_hours(self):
        """Sixty million rows in less than a megabyte, each the same."""
        def make(path):
            count = 60_000_000
            same = numpy.zeros(count, dtype=numpy.int8)
            row = {"eventId": "e1", "userId": "u0", "eventType": "paywall_view", "occurredAt": "2026-03-02T00:00:00Z"}
            table = pyarrow.table({name: pyarrow.DictionaryArray.from_arrays(same, [value]) for name, value in row.items()})
            pyarrow.parquet.write_table(table, path, row_group_size=count, data_page_size=1 << 40)
        self.refuse("log.parquet", "60000000 rows", make)

    def test_hundreds_of_members_are_read(self):
        with World("../log.zip") as world:
            rows = hostile.purchases().splitlines(True)
            with zipfile.ZipFile(world.path("log.zip"), "w") as archive:
                for number in range(300):
                    archive.writestr(f"{number:05}.jsonl", rows[number] if number < len(rows) else "")
            done = world.run()
            self.assertEqual(done.returncode, 0, done.stderr)


class Paths(unittest.TestCase):
    def test_any_depth_twelve_times_is_any_depth_once(self):
        below = "/".join("abcdefghijklmnopqrst")
        results = []
        for pattern in ["**/" * 12, "**/*/**/*/**/*/**/*/**/"]:
            with World(f"../tree/{pattern}*.jsonl") as world:
                world.write(f"tree/{below}/log.jsonl", hostile.purchases())
                os.symlink(world.path("tree"), world.path("tree", "a", "loop"))
                done = world.run()
                self.assertEqual(done.returncode, 0, done.stderr)
                results.append(world.night("group_metrics.csv"))
        self.assertEqual(*results)


class Queries(unittest.TestCase):
    """SQLite files of strangers: their views, and a job's own queries."""

    def world(self, view="SELECT * FROM t", query=None):
        named = f"query: \"{query}\"" if query else "table: v"
        world = World(assignments=f"path: ../users.sqlite\n    format: sqlite\n    {named}")
        database = sqlite3.connect(world.path("users.sqlite"))
        database.execute("CREATE TABLE t (user, offering, \"group\", at)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", USERS)
        database.execute(f"CREATE VIEW v AS {view}")
        database.commit()
        database.close()
        return world

    def test_a_function_that_never_comes_back_ends(self):
        with self.world(f"SELECT user, offering, \"group\", CASE WHEN {ENDLESS} THEN at ELSE at END AS at FROM t") as world:
            done = world.run(most=400)
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("does the query end?", done.stderr)

    def test_what_does_more_than_read_is_refused(self):
        columns = "user, offering, \\\"group\\\", at"
        for query in ["DELETE FROM t RETURNING *", f"SELECT {columns} FROM t; SELECT 1", f"SELECT {columns}, load_extension('x') FROM t",
                      "PRAGMA table_info(t)", "ATTACH 'other.sqlite' AS o", f"SELECT {columns} FROM t, pragma_database_list"]:
            with self.world(query=query) as world:
                before = read(world.path("users.sqlite"))
                done = world.run()
                self.assertEqual(done.returncode, 65, f"{query}: {done.stderr}")
                self.assertIn("users.sqlite: SQLite says", done.stderr)
                self.assertEqual(read(world.path("users.sqlite")), before)

    def test_what_reads_is_read(self):
        with self.world() as world, self.world(query="WITH x AS (SELECT * FROM t) SELECT * FROM x ORDER BY user DESC") as other:
            for each in [world, other]:
                done = each.run()
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(world.night("comparisons.csv"), other.night("comparisons.csv"))

    def test_a_damaged_file_ends_in_words(self):
        with self.world() as world:
            bytes_of_file = bytearray(read(world.path("users.sqlite")))
            for place in range(200, len(bytes_of_file), 7):
                bytes_of_file[place] ^= 0x55
            world.write("users.sqlite", bytes(bytes_of_file))
            done = world.run()
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("users.sqlite: SQLite", done.stderr)


class Questions(unittest.TestCase):
    def test_a_question_ends_though_its_function_does_not(self):
        """Each step takes a tenth of a second, and a clock that is looked at every ten thousand steps sees none of it."""
        text = "replace(hex(zeroblob(120000)), '00', 'a')"
        sql = (f"WITH RECURSIVE x AS (SELECT {text} AS a, substr({text}, 1, 60000) || 'b' AS b), "
               "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) SELECT sum(instr(a || i, b || i)) FROM x, n")
        with World() as world:
            self.assertEqual(world.run().returncode, 0)
            server = subprocess.Popen([BINARY, "mcp", world.path("reports")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
            self.addCleanup(server.stdout.close)

            def ask(number, method, **parameters):
                server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + "\n")
                server.stdin.flush()
                return json.loads(server.stdout.readline())["result"]

            ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"})
            answer = ask(2, "tools/call", name="query", arguments={"sql": sql})
            self.assertTrue(answer["isError"])
            self.assertIn("was ended after 10 seconds", answer["content"][0]["text"])
            answer = ask(3, "tools/call", name="query", arguments={"sql": "SELECT count(*) AS n FROM nights"})
            self.assertEqual(answer["structuredContent"]["rows"], [[1]])
            server.stdin.close()
            server.wait(30)


class Programs(unittest.TestCase):
    def test_a_program_that_complains_without_end_is_ended(self):
        """A line without an end was kept in memory, and read for ever."""
        with World(purchases_at="command: [sh, -c, \"yes | tr -d '\\\\n' >&2\"]") as world:
            done = world.run("--allow-commands")
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("complained without end", done.stderr)
            self.assertLess(len(done.stderr), 10_000)
            # What the shell had started is ended, too: it went on writing until the disk was full.
            self.assertEqual(programs_in(world.path("jobs")), [])


def programs_in(folder):
    """The programs that run in a folder."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.path.realpath(os.readlink(f"/proc/{process}/cwd")) == os.path.realpath(folder):
                found.append(process)
    return found


class Record(unittest.TestCase):
    def test_it_tells_the_sha_256_of_each_file(self):
        with World("../log.jsonl.gz") as world:
            world.write("log.jsonl.gz", gzip.compress(hostile.purchases().encode()))
            for options in [[], ["--memory", "96M"]]:
                done = world.run(*options)
                self.assertEqual(done.returncode, 0, done.stderr)
                told = {entry["file"]: entry.get("sha256") for entry in json.loads(world.night("run.json"))["inputs"]}
                for name in ["../users.csv", "../log.jsonl.gz"]:
                    self.assertEqual(told[name], hashlib.sha256(read(world.path("jobs", name))).hexdigest(), name)


class Forgetting(unittest.TestCase):
    """A person whose id rejected rows spell in other ways."""

    ID = "Ann+x@example.com"
    SPELLINGS = ["Ann+x@example.com", "ann+x@EXAMPLE.com", "Ann%2Bx%40example.com", "ann%2bx%40example.com", "Ann%252Bx%2540example.com"]

    def rejects(self, world, night=DATE):
        with gzip.open(world.path("reports", "test", night, "rejects.csv.gz"), "rt") as file:
            return file.read()

    def test_every_spelling_goes_and_what_cannot_be_found_out_is_said(self):
        with World(more="max_reject_ratio: 1\nstate: {path: ../state}\n") as world:
            rows = [f'{{"userId":"{text}","price":"secret{place}"' for place, text in enumerate(self.SPELLINGS)]
            other = '{"userId":"joann+x@example.com","price":"public"'
            world.write("log.jsonl", hostile.purchases() + "\n".join(rows + [other]) + "\n")
            self.assertEqual(world.run().returncode, 0)
            self.assertEqual(self.rejects(world).count("secret"), len(self.SPELLINGS))
            done = world.run("--user", self.ID, command="forget")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{DATE} ({len(self.SPELLINGS)} rows)", done.stdout)
            self.assertIn("Not found out", done.stdout)
            self.assertNotIn("secret", self.rejects(world))
            self.assertIn("public", self.rejects(world))
            kept = [os.path.join(folder, name) for folder, _, names in os.walk(world.path("state")) for name in names]
            self.assertFalse([path for path in kept if b"secret" in read(path)])


if __name__ == "__main__":
    unittest.main()
