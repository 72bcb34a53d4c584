"""One operator's year: a test after the other, every night by the clock, with what goes wrong in a year.

Each night is published twice: where things go wrong, and beside it by a run that nothing disturbs, which reads every
file anew (`--fresh`). The operator does what messages say and nothing else. Then both must be the same.
"""

from collections import Counter
import datetime
import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

from advice import NoAdvice, follow
from power import Recording
from same import beside_differences, content, database_differences, leftovers, night_differences
import spoiling
from world import DAY, Test, ZONES

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Worlds"))

from bench import CRASHES, Ran  # noqa: E402

PUBLISHED = (0, 3)
MOST_STEPS = 5
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Broken(AssertionError):
    """A promise that a night did not keep."""


class Year:
    """Folders, libraries and clock of one operator; `happened` counts what went wrong."""

    def __init__(self, seed, folder, binary, old, libraries, nights):
        self.rng = random.Random(seed)
        self.seed, self.folder, self.binary, self.old, self.libraries = seed, folder, binary, old, libraries
        self.nights, self.threads, self.was_spoiled = nights, None, False
        self.happened, self.advised = Counter(), Counter()
        self.date = datetime.date(2027, 3, 1) + self.rng.randrange(270) * DAY
        self.zone = ZONES[seed % len(ZONES)]
        self.place = os.path.join(folder, "disturbed")
        self.reports, self.calm = os.path.join(self.place, "reports"), os.path.join(folder, "calm", "reports")
        os.makedirs(self.place)
        self.commands = os.path.join(folder, "bin")
        os.makedirs(self.commands)
        os.symlink(binary, os.path.join(self.commands, "offerlift"))
        self.others, self.log = [], []
        self.heal()
        self.options, self.test, self.calls = set(), None, []

    def live(self):
        """Every night; yields its number. Throws `Broken` or `NoAdvice` with what led there."""
        number, tests = 0, 0
        while number < self.nights:
            tests += 1
            # As long however many nights are lived, so that fewer are the same ones.
            length = self.rng.randint(25, 70)
            self.test = Test(self.seed, tests, self.date, length, self.zone, self.folder)
            for night in range(min(length, self.nights - number)):
                number += 1
                self.happened.update(self.test.evening(night))
                self.night(night, last=night == length - 1 or number == self.nights)
                yield number
                self.date += DAY
            shutil.rmtree(self.output)
            shutil.rmtree(os.path.join(self.calm, self.test.name))

    @property
    def output(self):
        return os.path.join(self.reports, self.test.name)

    def night(self, night, last):
        self.log = [f"{self.test.name} {self.date}"]
        fault = spoiling.choose(self.rng, self, night)
        self.happened[fault.__name__ if fault else "nothing"] += 1
        self.undisturbed(self.date)
        if fault:
            self.log.append(fault.__name__)
            fault(self)
        else:
            self.settle(self.run())
        self.heal()
        self.compare(self.date, whole=last or night % 7 == 6)

    def compare(self, date, whole):
        one, two = self.output, os.path.join(self.calm, self.test.name)
        found = list(night_differences(os.path.join(one, str(date)), os.path.join(two, str(date))))
        found += beside_differences(one, two)
        if not self.was_spoiled:
            found += leftovers(one)
        found += database_differences(one, two, None if whole else str(date))
        if whole:
            for name in sorted(os.listdir(two)):
                if os.path.isdir(os.path.join(two, name)) and not name.startswith(".") and name != "latest":
                    found += night_differences(os.path.join(one, name), os.path.join(two, name))
        pages = [content(os.path.join(folder, "index.html")) for folder in (self.reports, self.calm)]
        if not self.was_spoiled and pages[0] != pages[1]:
            found.append("index.html differs")
        if found:
            raise Broken("\n  ".join(found[:6]))

    def heal(self):
        """Nothing is wrong with the machine any more."""
        self.environment, self.limit, self.clock, self.program = {}, None, None, None

    def wait_for_others(self):
        for other in self.others:
            other.wait()
        self.others = []

    def ahead(self, date=None, moved=datetime.timedelta()):
        """By how much this machine's clock must be put ahead to show an hour of the morning after the night."""
        morning = datetime.datetime.combine((date or self.date) + DAY, datetime.time(3, 10), self.test.zone)
        wanted = (morning + moved).astimezone(datetime.timezone.utc) - EPOCH
        return int(wanted.total_seconds() - time.time())

    def command(self, *more):
        return [self.program or self.binary, "run", self.test.job, "--output", self.reports,
                "--threads", str(self.threads or self.rng.randint(1, 3)), *sorted(self.options), *more]

    def surroundings(self):
        libraries = [self.libraries["clock"]]
        if "FAULT_UNDER" in self.environment:
            libraries.insert(0, self.libraries["faults"])
        if "POWER_UNDER" in self.environment:
            libraries.append(self.libraries["power"])
        path = self.commands + ":" + os.environ["PATH"]
        ahead = self.ahead() if self.clock is None else self.clock
        return os.environ | {"LD_PRELOAD": ":".join(libraries), "CLOCK_AHEAD": str(ahead), "PATH": path} | self.environment

    def start(self, command=None):
        def limit():
            if self.limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (self.limit, self.limit))

        return subprocess.Popen(
            command or self.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.surroundings(), cwd=self.folder, preexec_fn=limit)

    def end(self, child, seconds=90):
        try:
            out, err = (text.decode("utf-8", "replace") for text in child.communicate(timeout=seconds))
        except subprocess.TimeoutExpired:
            child.kill()
            raise Broken(f"no end after {seconds} s") from None
        ran = Ran(child.returncode, out, err, 0)
        self.log.append(f"exit {ran.code}: {err.strip()[-700:]}")
        if ran.code < 0 and -ran.code not in (signal.SIGKILL, signal.SIGTERM) or any(trace in err for trace in CRASHES):
            raise Broken(f"ended by {ran.code}: {err[-800:]}")
        return ran

    def run(self, *more):
        return self.end(self.start(self.command(*more)))

    def undisturbed(self, date):
        """The night as it is where nothing goes wrong; every file is read anew."""
        command = [self.binary, "run", self.test.job, "--output", self.calm, "--date", str(date), "--fresh", "--allow-future"]
        if "--take-over" in self.options:
            command.append("--take-over")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in PUBLISHED:
            raise Broken(f"undisturbed: {done.returncode}: {done.stderr[-500:]}")

    def settle(self, ran):
        """Follows what messages say until the night is published; returns the last run."""
        steps = 0
        while ran.code not in PUBLISHED:
            steps += 1
            if steps > MOST_STEPS:
                raise NoAdvice(f"not published after {MOST_STEPS} steps: {ran.err[-500:]}")
            self.advised[follow(ran, self)] += 1
            ran = self.run()
        self.wait_for_others()
        # Published while something was wrong: what is beside the results may be mended by the next run only.
        self.was_spoiled = bool(self.environment) or self.limit is not None
        self.options.discard("--take-over")
        return ran

    def type_command(self, command):
        self.log.append(f"$ {command}")
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=self.folder, env=self.surroundings())
        if done.returncode:
            raise Broken(f"what was advised left with {done.returncode}: {command}: {done.stderr[-400:]}")

    def leave_a_note(self):
        """Somebody puts a file into tonight's folder."""
        for folder in (self.output, os.path.join(self.calm, self.test.name)):
            with open(os.path.join(folder, str(self.date), "note.txt"), "w") as file:
                file.write("ask Kim about this\n")
        self.undisturbed(self.date)

    def calls_of_night(self, under=None):
        """The calls of a run like tonight's, as (name, path): those of another run on a copy of the results, or those
        on files under another folder."""
        trial = os.path.join(self.folder, "trial")
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(self.place, trial, symlinks=True)
        log = os.path.join(self.folder, "calls")
        if os.path.exists(log):
            os.remove(log)
        command = [self.program or self.binary, "run", self.test.job, "--output", os.path.join(trial, "reports"), "--threads", "1"]
        environment = self.surroundings() | {"LD_PRELOAD": self.libraries["faults"] + ":" + self.libraries["clock"],
                                             "FAULT_UNDER": (under or trial) + "/", "FAULT_LOG": log}
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, cwd=self.folder)
        shutil.rmtree(trial)
        with open(log) as file:
            return [tuple(line.split(" ", 2)[1:]) for line in file]

    def spoil(self, at, code=0, under=None, **more):
        self.environment |= {"FAULT_UNDER": (under or self.place) + "/", "FAULT_AT": str(at), "FAULT_ERRNO": str(code)}
        self.environment |= {name: "1" for name in more}
        self.log.append(f"call {at} fails with {errno.errorcode.get(code, code)} {list(more)}")

    def record(self):
        recording = Recording(self.place, os.path.join(self.folder, "power"), self.libraries["power"])
        self.environment |= recording.environment
        return recording
