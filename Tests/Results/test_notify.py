"""`run --notify-file`: each format as its readers take it, of nights that went well, must not be acted on, or failed."""

import email
import email.policy
import json
import os
import subprocess
import tempfile
import unittest
import uuid

import nights
from hard_worlds import PAIR, Group, World

KINDS = ("slack", "teams", "eml", "openlineage")
MANY = World("many", [Group("control", 25, 0.2, 10), Group("new", 25, 0.4, 10)], PAIR, days=60,
                 offering=[f"offering_{number}" for number in range(260)])
LOST = World("lost", [Group("control", 900, 0.1, 10), Group("new", 300, 0.2, 10)], PAIR)


def notified(world, change=None, options=()):
    """What a run of a world writes, by kind, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        job = world.write(os.path.join(folder, "world"))
        if change:
            change(os.path.dirname(job))
        command = [nights.BINARY, "run", job, "--date", world.dates[-1], "--output", os.path.join(folder, "out"), *options]
        for kind in KINDS:
            command += ["--notify-file", f"{kind}={folder}/{kind}-{{job}}"]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        texts = {}
        for kind in KINDS:
            with open(os.path.join(folder, f"{kind}-{world.name}"), "rb") as file:
                texts[kind] = file.read()
        return texts, done.returncode


def mail(texts):
    return email.message_from_bytes(texts["eml"], policy=email.policy.default)


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = next(world for world in __import__("hard_worlds").WORLDS if world.name == "names")
        cls.texts, cls.code = notified(cls.world)

    def test_the_night_is_published_and_each_file_written(self):
        self.assertEqual(self.code, 0)

    def test_slack_takes_it(self):
        message = json.loads(self.texts["slack"])
        self.assertLessEqual(len(message["blocks"]), 50)
        for block in message["blocks"]:
            self.assertIn(block["type"], ("header", "section"))
            self.assertEqual(block["text"]["type"], "plain_text")
            self.assertTrue(0 < len(block["text"]["text"]) <= (150 if block["type"] == "header" else 3000))
        self.assertNotRegex(message["text"], "[<>]")

    def test_teams_takes_it(self):
        message = json.loads(self.texts["teams"])
        self.assertEqual(message["type"], "message")
        attachment, = message["attachments"]
        self.assertEqual(attachment["contentType"], "application/vnd.microsoft.card.adaptive")
        self.assertEqual((attachment["content"]["type"], attachment["content"]["version"]), ("AdaptiveCard", "1.5"))
        for block in attachment["content"]["body"]:
            self.assertEqual(block["type"], "RichTextBlock")
            self.assertEqual({run["type"] for run in block["inlines"]}, {"TextRun"})

    def test_a_mail_reader_takes_it(self):
        message = mail(self.texts)
        self.assertEqual(message.defects, [])
        self.assertEqual(message.get_content_type(), "multipart/alternative")
        self.assertIn("names, night of", message["Subject"])
        self.assertIsNone(message["From"])
        self.assertEqual(message["Date"].datetime.hour, 0)
        html = message.get_body(("html",)).get_content()
        self.assertNotIn("<script", html)
        self.assertIn("&lt;script&gt;", html)
        self.assertIn("<script>", message.get_body(("plain",)).get_content())
        for line in self.texts["eml"].split(b"\r\n"):
            self.assertLessEqual(len(line), 78)
            self.assertNotIn(b"\n", line)

    def test_openlineage_takes_it(self):
        event = json.loads(self.texts["openlineage"])
        self.assertEqual(set(event), {"eventType", "eventTime", "run", "job", "inputs", "outputs", "producer", "schemaURL"})
        self.assertEqual(event["eventType"], "COMPLETE")
        uuid.UUID(event["run"]["runId"])
        self.assertEqual({dataset["name"] for dataset in event["inputs"]}, {"assignments.csv", "purchases.jsonl"})
        for facet in (*event["run"]["facets"].values(), *event["job"]["facets"].values()):
            self.assertLessEqual({"_producer", "_schemaURL"}, set(facet))

    def test_the_same_night_writes_the_same_bytes(self):
        again, _ = notified(self.world, options=("--threads", "1"))
        for kind in KINDS:
            # Where the results lie is told; it is another folder.
            self.assertEqual(self.paths_apart(self.texts, kind), self.paths_apart(again, kind), kind)

    def paths_apart(self, texts, kind):
        if kind == "eml":
            return [part.get_content().split("The whole report")[0] for part in mail(texts).iter_parts()]
        text = texts[kind].decode()
        return [line for line in text.splitlines() if "/out/" not in line]


class Limits(unittest.TestCase):
    def test_hundreds_of_offerings_fit(self):
        texts, code = notified(MANY)
        self.assertEqual(code, 0)
        self.assertLessEqual(len(json.loads(texts["slack"])["blocks"]), 50)
        self.assertLess(len(texts["slack"]), 40000)
        self.assertLess(len(texts["teams"]), 28000)
        self.assertLess(len(texts["eml"]), 1_000_000)
        for text in (texts["slack"].decode(), texts["teams"].decode(), mail(texts).get_body(("plain",)).get_content()):
            self.assertIn("more groups in the report", text)


class Warnings(unittest.TestCase):
    def test_a_night_that_must_not_be_acted_on_says_so(self):
        texts, code = notified(LOST)
        self.assertEqual(code, 0)
        self.assertFalse(json.loads(texts["openlineage"])["run"]["facets"]["offerlift_verdict"]["trusted"])
        self.assertIn("DO NOT ACT", mail(texts)["Subject"])
        for text in (texts["slack"].decode(), texts["teams"].decode(), mail(texts).get_body(("plain",)).get_content()):
            self.assertIn("Do not act", text)

    def test_a_night_that_failed_says_so(self):
        def damage(folder):
            with open(os.path.join(folder, "purchases.jsonl"), "w", encoding="utf-8") as file:
                file.write("this is no log\n" * 50)
        texts, code = notified(LOST, damage)
        self.assertEqual(code, 65)
        event = json.loads(texts["openlineage"])
        self.assertEqual(event["eventType"], "FAIL")
        self.assertTrue(event["run"]["facets"]["errorMessage"]["message"])
        self.assertIn("NOT PUBLISHED", mail(texts)["Subject"])
        for text in (texts["slack"].decode(), texts["teams"].decode(), mail(texts).get_body(("plain",)).get_content()):
            self.assertIn("was not published (exit 65)", text)

    def test_several_jobs_need_a_file_each(self):
        command = [nights.BINARY, "run", "a.yml", "b.yml", "--notify-file", "slack=x"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 64)
        self.assertIn("{job}", done.stderr)
