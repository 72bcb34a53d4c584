"""`jobs/README.md` and `jobs/reference`: chapters of a size, tasks whose lines are taken, complaints whose commands run."""

import concurrent.futures
import os
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

    def test_the_index_names_each(self):
        index = reference.read(os.path.join(reference.JOBS, "README.md"))
        names = [os.path.basename(path)[:-3] for path in reference.CHAPTERS]
        none(self, [name for name in names if f"(reference/{name}.md)" not in index])


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



class Complaints(World):
    def test_there_are_twenty_each_with_cause_command_and_change(self):
        self.assertGreaterEqual(len(reference.complaints()), 20)
        none(self, [title for title, text in reference.complaints()
                    if not (text.startswith("**Cause**: ") and "\n**Change**: " in text and reference.commands(text))])

    def test_every_command_runs(self):
        none(self, self.runs([command for _, text in reference.complaints() for command in reference.commands(text)]))
