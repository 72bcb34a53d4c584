"""`jobs/README.md` and `jobs/reference`: chapters of a size, tasks whose lines are taken, complaints whose commands run."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

import nights
import reference
from each import none


def merged(old, new):
    """A mapping with another's members put in, mappings in it likewise."""
    both = dict(old)
    for key, value in new.items():
        both[key] = merged(both[key], value) if isinstance(both.get(key), dict) and isinstance(value, dict) else value
    return both


def job_with(line, place):
    """The job of the small test with a task's line where it belongs."""
    job, said = yaml.safe_load(reference.JOB), yaml.safe_load(line)
    if place == "job":
        job.update(said)
    elif place == "metrics":
        job["metrics"].append(said)
    elif place == "a metric":
        job["metrics"][0].update(said)
    else:
        job[place] = merged(job[place], said)
    return yaml.safe_dump(job, sort_keys=False)


class World(unittest.TestCase):
    """With the small test in a folder, and two nights of it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="offerlift-reference-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        reference.write_world(cls.folder)
        done = reference.shell("offerlift run JOB.yml --from 2026-09-30 --to NIGHT", cls.folder)
        assert done.returncode == 0, done.stderr

    def runs(self, commands):
        """Those that do not end with 0, each with what it said."""
        done = [(command, reference.shell(command, self.folder)) for command in commands]
        return [f"{command}: {end.returncode} {end.stderr[-300:]}" for command, end in done if end.returncode]


class Chapters(unittest.TestCase):
    def test_each_has_fewer_than_4000_words(self):
        counts = {os.path.basename(path): len(reference.read(path).split()) for path in reference.CHAPTERS}
        self.assertGreaterEqual(len(counts), 8)
        none(self, [f"{name}: {count} words" for name, count in counts.items() if count >= 4000])

    def test_the_index_and_help_name_each(self):
        index = reference.read(os.path.join(reference.JOBS, "README.md"))
        help = subprocess.run([nights.BINARY, "help"], capture_output=True, text=True).stdout
        names = [os.path.basename(path)[:-3] for path in reference.CHAPTERS]
        none(self, [name for name in names if f"(reference/{name}.md)" not in index])
        none(self, [name for name in names if not re.search(rf"^  {name}  +\w", help, re.M)])


class Tasks(World):
    def accepts(self, line, place):
        """The exit code of `check` on a job with the line, and what it said."""
        with tempfile.NamedTemporaryFile("w", suffix=".yml", dir=self.folder) as job:
            job.write(job_with(line, place))
            job.flush()
            done = subprocess.run([nights.BINARY, "check", job.name], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            return done.returncode, done.stdout + done.stderr

    def test_there_are_forty_each_once(self):
        words = [task[0] for task in reference.tasks()]
        self.assertGreaterEqual(len(words), 40)
        self.assertEqual(len(words), len(set(words)))

    def test_every_line_of_a_job_is_taken(self):
        lines = [(line, place) for _, line, place, _ in reference.tasks() if place != "terminal"]
        self.assertGreater(len(lines), 30)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(lambda task: self.accepts(*task), lines))
        # 65 is of the files, which a line may not fit: they have no decimal comma. 78 is of the line.
        none(self, [f"{line}: {said[-400:]}" for (line, _), (code, said) in zip(lines, answers) if code not in (0, 65)])

    def test_a_line_with_a_mistake_is_not(self):
        for line, place in [("populaton: exposed", "job"), ("price_units: minor", "purchases"), ("{name: revenu_net}", "metrics")]:
            code, said = self.accepts(line, place)
            self.assertEqual(code, 78, said)

    def test_every_command_runs(self):
        commands = [line for _, line, place, _ in reference.tasks() if place == "terminal"]
        self.assertGreater(len(commands), 15)
        none(self, self.runs(commands))

    def test_help_prints_the_line_of_each(self):
        def shown(task):
            return subprocess.run([nights.BINARY, "help", task[0]], capture_output=True, text=True).stdout
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(shown, reference.tasks()))
        none(self, [task[0] for task, answer in zip(reference.tasks(), answers) if task[1] not in answer])


class Complaints(World):
    def test_there_are_twenty_each_with_cause_command_and_change(self):
        self.assertGreaterEqual(len(reference.complaints()), 20)
        none(self, [title for title, text in reference.complaints()
                    if not (text.startswith("**Cause**: ") and "\n**Change**: " in text and reference.commands(text))])

    def test_every_command_runs(self):
        none(self, self.runs([command for _, text in reference.complaints() for command in reference.commands(text)]))

    def test_help_finds_each_by_its_title(self):
        for title, text in reference.complaints():
            said = subprocess.run([nights.BINARY, "help", title.lower()], capture_output=True, text=True).stdout
            self.assertIn(text.strip(), said, title)


class Help(unittest.TestCase):
    def help(self, *words):
        return subprocess.run([nights.BINARY, "help", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def test_words_find_the_nearest_section(self):
        for words, title in [("state", "State: a night that reads new files only"), ("slack", "Slack, Teams and mail"),
                             ("refunds", "Refunds in your own log"), ("stripe", "Stripe"), ("leave out employees", "Leave out rows"),
                             ("cron", "cron and systemd"), ("guardrail", "Guardrails"), ("comparisons.csv", "comparisons.csv"),
                             ("exit codes", "Exit codes"), ("Stripes", "Stripe")]:
            done = self.help(*words.split())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"# {title}\njobs/reference/", done.stdout, words)

    def test_what_people_say_finds_the_line_to_type(self):
        for words, line in [("leave out employees and testers", "skip_where: {is_employee"), ("a link for Slack", "--notify-file slack="),
                            ("my own metric", "name: event_rate"), ("how long must it run", "offerlift power JOB.yml"),
                            ("another currency", "currency: EUR"), ("a refund without a user", "userId: null"),
                            ("test with three groups", "adjust: holm"), ("who is user X", "offerlift explain JOB.yml"),
                            ("delete one user", "offerlift forget"), ("exclude a country", "skip_where: {country"),
                            ("sample size", "offerlift power"), ("GDPR", "offerlift forget"), ("ARPU", "revenue_net"),
                            ("conversion up money down", "break_even"), ("yesterdays figures changed", "FROM changes")]:
            self.assertIn(line, self.help(*words.split()).stdout, words)

    def test_a_name_of_a_table_has_its_row(self):
        said = self.help("keep_nights").stdout
        self.assertIn("Keys of the job\n  key: `keep_nights`\n  default: all\n  meaning: `90`: once", said)
        self.assertIn("Exit codes\n  code: 75\n", self.help("75").stdout)
        self.assertNotIn("| `job` |", self.help("offerings").stdout)

    def test_a_chapter_lists_its_sections(self):
        said = self.help("nights").stdout
        self.assertIn("# Nights\njobs/reference/nights.md\n", said)
        self.assertIn("\n  Slack, Teams and mail\n", said)

    def test_an_unknown_topic_names_the_nearest_three(self):
        done = self.help("refnds")
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        titles = re.findall('"([^"]+)"', done.stderr)
        self.assertEqual(len(titles), 4, done.stderr)
        self.assertIn("Refund", " ".join(titles[1:]))

    def test_a_command_has_its_own_help(self):
        for command in ["run", "explain", "help"]:
            asked = subprocess.run([nights.BINARY, command, "--help"], capture_output=True, text=True)
            self.assertEqual(self.help(command).stdout.strip(), asked.stdout.strip())
