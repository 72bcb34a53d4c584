"""`offerlift selftest`: the built program alone, and what makes it fail: a C library that is off, other bytes of its own."""

import hashlib
import json
import math
import os
import shutil
import subprocess
import tempfile
import unittest

import nights

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = {"events", "events-csv", "app-store-notifications", "google-play-orders", "google-play-subscriptions",
           "google-play-notifications", "revenuecat-export", "revenuecat-webhooks", "superwall-webhooks", "adapty-export",
           "stripe-events", "ga4-export", "api-log"}


class Selftest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="offerlift-selftest-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def run_it(self, *options, program=nights.BINARY, **environment):
        """What it says, with everything it writes in a folder of the test's own."""
        scratch = os.path.join(self.folder, "tmp")
        os.makedirs(scratch, exist_ok=True)
        done = subprocess.run([program, "selftest", *options], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              cwd=self.folder, env=os.environ | {"TMPDIR": scratch} | environment, timeout=300)
        self.assertEqual(os.listdir(scratch), [], "it leaves nothing behind")
        return done

    def report(self, *options, **more):
        path = os.path.join(self.folder, "selftest.json")
        done = self.run_it("--output", path, *options, **more)
        with open(path, encoding="utf-8") as file:
            return done, json.load(file)

    def test_everything_comes_out_as_it_should(self):
        done, report = self.report()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(report["passed"])
        self.assertIn("cases came out as they should", done.stdout)
        parts = {case["part"] for case in report["cases"]}
        self.assertEqual(parts, {"arithmetic", "statistics", "reference", "packing", "worlds"})
        told = {name for case in report["cases"] if case["part"] == "worlds" for name in case["name"].split(" + ")}
        self.assertEqual(told, FORMATS)
        self.assertGreater(sum(case["checks"] for case in report["cases"]), 700)

    def test_the_report_holds_the_hashes_and_is_the_same_again(self):
        _, first = self.report()
        _, second = self.report()
        self.assertEqual(first, second)
        with open(nights.BINARY, "rb") as file:
            self.assertEqual(first["program"]["sha256"], hashlib.sha256(file.read()).hexdigest())
        for case in first["cases"]:
            self.assertRegex(case["input_sha256"], "^[0-9a-f]{64}$")
            self.assertRegex(case["result_sha256"], "^[0-9a-f]{64}$")

    def test_a_c_library_that_is_off_by_a_billionth_is_named(self):
        compiler = next(name for name in ("clang", "cc", "gcc") if shutil.which(name))
        library = os.path.join(self.folder, "bent.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-fno-builtin", os.path.join(HERE, "bent_libm.c"), "-o", library, "-ldl"], check=True)
        self.assertEqual(self.run_it(LD_PRELOAD=library).returncode, 0)
        for function in ["log", "exp", "log1p", "erfc"]:
            done, report = self.report(LD_PRELOAD=library, BENT=function)
            self.assertEqual(done.returncode, 70, function)
            failed = {f"{case['part']}: {case['name']}" for case in report["cases"] if not case["passed"]}
            self.assertIn(f"arithmetic: {function}", failed)
            self.assertIn(f"arithmetic: {function}", done.stderr)
            self.assertIn("Trust no figure of this installation", done.stderr)
            self.assertFalse(report["passed"])

    def stamped(self, text):
        """The program in a folder with a stamp beside it."""
        program = os.path.join(self.folder, "offerlift")
        shutil.copy2(nights.BINARY, program)
        with open(os.path.join(self.folder, "offerlift.sha256"), "w", encoding="utf-8") as file:
            file.write(text)
        return program

    def test_its_bytes_are_held_against_the_stamp_beside_it(self):
        with open(nights.BINARY, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        program = self.stamped(f"{digest}  offerlift\n")
        done = self.run_it(program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok   program", done.stdout)
        # One bit at the end, where debuggers' data lie: the program runs, and is another.
        with open(program, "r+b") as file:
            file.seek(-1, 2)
            last = file.read(1)
            file.seek(-1, 2)
            file.write(bytes([last[0] ^ 1]))
        done = self.run_it(program=program)
        self.assertEqual(done.returncode, 70)
        self.assertIn("program: SHA-256", done.stderr)

    def test_a_stamp_that_holds_no_hash_fits_nothing(self):
        self.assertEqual(self.run_it(program=self.stamped("nothing\n")).returncode, 70)

    def test_an_auditor_may_say_the_hash(self):
        done, report = self.report("--expect-hash", "0" * 64)
        self.assertEqual(done.returncode, 70)
        self.assertEqual(report["program"]["expected_sha256"], "0" * 64)
        self.assertEqual(self.run_it("--expect-hash", report["program"]["sha256"].upper()).returncode, 0)
        self.assertEqual(self.run_it("--expect-hash", "abc").returncode, 64)

    def test_its_cases_are_those_of_the_oracles(self):
        oracles = os.path.join(nights.ROOT, "Tests", "Oracles")
        known = []
        for name in sorted(os.listdir(oracles)):
            if name.endswith(".json"):
                with open(os.path.join(oracles, name), encoding="utf-8") as file:
                    cases = json.load(file)
                known += cases if isinstance(cases, list) else []
        with open(os.path.join(nights.ROOT, "Sources", "Selftest", "PublishedCases.swift"), encoding="utf-8") as file:
            carried = [json.loads(line) for line in file if line.strip().startswith("{\"function\"")]
        self.assertGreater(len(carried), 200)
        for case in carried:
            if case["function"].startswith("c."):
                found = getattr(math, case["function"][2:])(*case["arguments"])
                self.assertTrue(math.isclose(found, case["value"], rel_tol=1e-14), case)
            else:
                self.assertIn(case, known)
