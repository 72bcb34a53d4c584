"""`offerlift schema`: what it takes and refuses, by a validator of others; the files of nights are what it says."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import jsonschema

import hard_worlds
import nights
import schemas
from each import each, none
from nights import HARD, SAMPLES

LEAST = """job: night
assignments:
  - {path: a.csv, attributes: [country]}
purchases:
  - {path: p.jsonl, format: events}
  - {path: o.csv, format: events-csv, columns: {userId: customer, price: total}, defaults: {eventType: purchase}}
  - {path: n.jsonl, format: app-store-notifications, verify: true, bundle_id: com.example.app}
catalog: {offerings: o.csv, groups: g.csv}
segments: [country]
metrics:
  - {name: revenue_net, window: 30d, primary: true, cap: {percentile: 99.9}}
  - {name: paying_conversion, window: 7d, guardrail: true, margin: 0.02}
  - {name: event_rate, window: 7d, event: scan}
  - {name: quantile, of: revenue_net, q: 0.9, window: 30d}
funnels:
  - {name: paywall, steps: [paywall_view, purchase], within: 24h}
questions:
  - {ask: "Who pays?", metrics: [revenue_net_30d], checks: [sample_ratio]}
"""

# What is written instead, and a word of the place or message where an editor shows it.
MISTAKES = {
    "a misspelt key of the job": ("segments:", "segmets:", "segmets"),
    "a key nobody knows": ("job: night", "job: night\ncolour: red", "colour"),
    "a job without a name": ("job: night\n", "", "job"),
    "a name that is no folder's": ("job: night", "job: a/b", "job"),
    "no metrics": (LEAST[LEAST.index("metrics:"):LEAST.index("funnels:")], "", "metrics"),
    "an empty list of metrics": (LEAST[LEAST.index("metrics:"):LEAST.index("funnels:")], "metrics: []\n", "metrics"),
    "no purchases": (LEAST[LEAST.index("purchases:"):LEAST.index("catalog:")], "", "purchases"),
    "no assignments": (LEAST[LEAST.index("assignments:"):LEAST.index("purchases:")], "", "assignments"),
    "a metric by its name alone": ("{name: revenue_net, window: 30d, primary: true, cap: {percentile: 99.9}}", "revenue_net", "metrics.0"),
    "an unknown metric": ("name: revenue_net,", "name: revenue_nett,", "metrics.0.name"),
    "a metric without a name": ("{name: paying_conversion, window", "{window", "name"),
    "a misspelt key of a metric": ("primary: true", "primry: true", "primry"),
    "a window in words": ("window: 30d, primary", "window: soon, primary", "metrics.0.window"),
    "a window without a unit": ("window: 30d, primary", "window: 30, primary", "metrics.0.window"),
    "a window of nothing": ("window: 30d, primary", "window: 0d, primary", "metrics.0.window"),
    "a goal that is none": ("window: 7d, guardrail", "goal: up, window: 7d, guardrail", "metrics.1.goal"),
    "a margin in percent": ("margin: 0.02", "margin: 2", "metrics.1.margin"),
    "a metric without its event": (", event: scan", "", "event"),
    "an option of another metric": ("window: 7d, event: scan", "window: 7d, event: scan, spent_by: scan", "spent_by"),
    "a cap of a share": ("window: 7d, event: scan", "window: 7d, event: scan, cap: {value: 3}", "cap"),
    "a cap beyond all users": ("percentile: 99.9", "percentile: 999", "metrics.0.cap.percentile"),
    "a quantile of no metric": ("of: revenue_net", "of: paying_conversion", "metrics.3.of"),
    "a quantile without its share": (", q: 0.9", "", "q"),
    "an unknown format": ("format: events}", "format: evnets}", "purchases.0.format"),
    "purchases without a format": (", format: events}", "}", "format"),
    "a key of another format": ("format: events}", "format: events, verify: true}", "verify"),
    "a field no log has": ("userId: customer", "user: customer", "user"),
    "an input without a path": ("{path: a.csv, attributes", "{attributes", "path"),
    "a path and a command": ("{path: a.csv,", "{path: a.csv, command: [cat],", "assignments.0"),
    "a table format that is none": ("{path: a.csv,", "{path: a.csv, format: xls,", "assignments.0.format"),
    "a delimiter of a table without one": ("{path: a.csv,", "{path: a.jsonl, format: jsonl, delimiter: ';',", "delimiter"),
    "sqlite without a table": ("{path: a.csv,", "{path: a.sqlite, format: sqlite,", "assignments.0"),
    "a bundle id nobody checks": ("verify: true, bundle_id", "bundle_id", "verify"),
    "an unknown check": ("checks: [sample_ratio]", "checks: [sample_ration]", "sample_ration"),
    "a question without an answer": (", metrics: [revenue_net_30d], checks: [sample_ratio]", "", "questions.0"),
    "a level of a check that judges no share": ("segments:", "warn_levels: {freshness: 0.1}\nsegments:", "freshness"),
    "a level beyond all": ("segments:", "warn_levels: {duplicate: 5}\nsegments:", "warn_levels.duplicate"),
    "a confidence in percent": ("segments:", "confidence: 95\nsegments:", "confidence"),
    "a population that is none": ("segments:", "population: everyone\nsegments:", "population"),
    "a rule that is none": ("segments:", "decide_by: dice\nsegments:", "decide_by"),
    "a currency by its sign": ("segments:", "currency: $\nsegments:", "currency"),
    "a flag that is none": ("segments:", "new_customers_only: maybe\nsegments:", "new_customers_only"),
    "a date in words": ("segments:", "enrolment: {from: last week}\nsegments:", "enrolment.from"),
    "an end of enrolment by another name": ("segments:", "enrolment: {until: 2026-04-01}\nsegments:", "until"),
    "a prior without its spread": ("segments:", "prior: {mean: 0}\nsegments:", "sd"),
    "a weight below nothing": ("segments:", "weights: {spring: {control: -1}}\nsegments:", "weights.spring.control"),
    "an engine that is none": ("segments:", "engine: sparc\nsegments:", "engine"),
    "a funnel without steps": (", steps: [paywall_view, purchase]", "", "steps"),
    "a funnel's time without a unit": ("within: 24h", "within: 24", "funnels.0.within"),
    "a size without a unit": ("segments:", "state: {max_size: 20}\nsegments:", "state.max_size"),
    "row ids without a catalog": (LEAST[LEAST.index("catalog:"):LEAST.index("segments:")], "", "catalog"),
}


def checked(text):
    """What `offerlift check` says of a job: its exit code and words."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "job.yml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return outcome(path)


def outcome(path):
    """Its exit code and words, of a job where it lies."""
    done = subprocess.run([nights.BINARY, "check", path], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout + done.stderr


class Schemas(unittest.TestCase):
    def test_each_is_a_schema_of_draft_2020_12(self):
        for kind in ("job", "run", "verdict"):
            self.assertEqual(schemas.schema(kind)["$schema"], "https://json-schema.org/draft/2020-12/schema")
            jsonschema.Draft202012Validator.check_schema(schemas.schema(kind))

    def test_every_key_of_a_job_is_explained(self):
        for name, value in schemas.schema("job")["properties"].items():
            self.assertGreater(len(value["description"]), 5, name)


@each(sorted(MISTAKES))
class Mistakes(unittest.TestCase):
    def check_an_editor_underlines_what_the_program_refuses(self, name):
        old, new, word = MISTAKES[name]
        base = LEAST
        if name == "row ids without a catalog":
            base = base.replace("{path: a.csv,", "{path: a.csv, keys: catalog,")
        self.assertEqual(base.count(old), 1)
        text = base.replace(old, new)
        found = schemas.faults("job", schemas.job(text))
        self.assertTrue(any(word in where or word in what for where, what in found), found)
        code, words = checked(text)
        self.assertEqual(code, 78, words)


class Jobs(unittest.TestCase):
    def test_the_job_that_mistakes_are_made_in_has_none(self):
        self.assertEqual(schemas.faults("job", schemas.job(LEAST)), [])

    def test_the_jobs_of_the_repository_are_taken(self):
        for folder in ("jobs", "Benchmarks"):
            for name in sorted(os.listdir(os.path.join(nights.ROOT, folder))):
                if name.endswith(".yml") and not name.endswith(".job.yml"):
                    with open(os.path.join(nights.ROOT, folder, name), encoding="utf-8") as file:
                        text = file.read()
                    # What made up logs are made of lies beside the jobs.
                    if "\nmetrics:" in text:
                        none(self, [(name, *fault) for fault in schemas.faults("job", schemas.job(text))])

    def test_the_jobs_of_hard_worlds_are_taken(self):
        for world in hard_worlds.WORLDS:
            none(self, [(world.name, *fault) for fault in schemas.faults("job", schemas.job(world._job()))])

    def test_the_jobs_of_cases_are_taken(self):
        """Those that the program takes itself."""
        sys.path.insert(0, os.path.join(nights.ROOT, "Tests", "Cases"))
        from every import CASES
        from folders import Folder
        taken = 0
        for case in CASES:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "case", "job.yml")
                case.write(Folder(os.path.dirname(path)))
                if not os.path.exists(path):
                    continue
                with open(path, encoding="utf-8") as file:
                    found = schemas.faults("job", schemas.job(file.read()))
                if found and outcome(path)[0] == 78:
                    continue
                none(self, [(case.name, *fault) for fault in found])
                taken += 1
        self.assertGreater(taken, 100)


def file(name, which):
    with open(os.path.join(nights.folder(name), which), encoding="utf-8") as text:
        return json.load(text)


@each(SAMPLES + HARD)
class Nights(unittest.TestCase):
    def check_both_files_are_what_their_schemas_say(self, name):
        for kind in ("run", "verdict"):
            none(self, schemas.faults(kind, file(name, kind + ".json")))


class Members(unittest.TestCase):
    def test_every_member_that_a_schema_names_stands_in_some_night(self):
        for kind, rare in (("run", {"set_aside"}), ("verdict", set())):
            named = set(paths(schemas.schema(kind), rare))
            found = set()
            for name in SAMPLES + ["three-offerings", "names", "large-money"]:
                found |= set(members(file(name, kind + ".json")))
            # Not every job has an enrolment, or notes, or a funnel that any time may pass in.
            optional = {path for path in named - found if path.split(".")[-1] in ("from", "to", "notes", "note", "obstacle", "offering_name", "worth", "expectation")
                        or ".restated." in path}  # nor is anything restated in a first night
            self.assertEqual(named - found - optional, set(), kind)


def paths(schema, rare, at=""):
    """The members that a schema names, by path."""
    for name, inner in schema.get("properties", {}).items():
        yield at + name
        if name not in rare:
            yield from paths(inner, rare, at + name + ".")
    if isinstance(schema.get("items"), dict):
        yield from paths(schema["items"], rare, at)


def members(value, at=""):
    if isinstance(value, list):
        for item in value:
            yield from members(item, at)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield at + name
            yield from members(inner, at + name + ".")
