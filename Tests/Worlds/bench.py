"""A small good job to spoil: its folder, its runs, and what a failure may not touch."""

from dataclasses import dataclass
import gzip
import hashlib
import json
import os
import subprocess
import tempfile

from product import table

T = "2026-03-31T00:00:00Z"
NEXT_T = "2026-04-01T00:00:00Z"
CRASHES = ("Fatal error", "Stack dump", "Crashed", "Swift/", "stack traceback", "Optional(", ".swift:", "Thread 0")

JOB = """\
job: rubbish
assignments:
  - path: assignments.csv
    format: csv
    columns: {user: user_id, offering: offering, group: group, assigned_at: assigned_at}
purchases:
  - path: purchases-*
    format: events
metrics:
  - {name: revenue_net, window: 7d, primary: true}
  - {name: paying_conversion, window: 7d}
"""


@dataclass
class Ran:
    """A finished run: exit code (negative: a signal), what it said, and its peak memory."""

    code: int
    out: str
    err: str
    megabytes: float


def purchase(number, **more):
    row = {"eventId": f"e{number}", "userId": f"u{number % 300}", "eventType": "purchase",
           "occurredAt": f"2026-03-1{number % 10}T10:00:00Z", "productId": "weekly_799", "price": "7.99",
           "currency": "USD", "transactionId": f"t{number}"}
    return json.dumps(row | more)


class Bench:
    """A folder with a job that runs, changed by the case that holds it."""

    def __init__(self, binary, job=JOB):
        self.binary, self.place = binary, tempfile.TemporaryDirectory(prefix="rubbish-")
        self.folder = self.place.name
        users = "".join(f"u{i},spring,{'control' if i % 2 else 'group_a'},2026-03-09\n" for i in range(300))
        self.write("assignments.csv", "user_id,offering,group,assigned_at\n" + users)
        self.lines = [purchase(number) for number in range(200)]
        self.write("purchases-1.jsonl.gz", gzip.compress(self.text(self.lines), mtime=0))
        self.write("job.yml", job)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.cleanup()

    @staticmethod
    def text(lines):
        return ("\n".join(lines) + "\n").encode()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def edit_job(self, old, new):
        text = self.read("job.yml").decode()
        assert old in text, old
        self.write("job.yml", text.replace(old, new, 1))

    def add_to_job(self, text):
        self.write("job.yml", self.read("job.yml").decode() + text)

    def command(self, as_of=T, output=None, threads=2):
        output = output or self.path("out")
        return [self.binary, "run", self.path("job.yml"), "--as-of", as_of, "--output", output, "--threads", str(threads)]

    def start(self, command):
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)

    def run(self, command=None, seconds=120, **options):
        """Run to the end, or fail; what the inputs or the job fail, `check` must fail as well."""
        ran = self.run_alone(command or self.command(**options), seconds)
        if command is None and ran.code in (65, 66, 78):
            checked = self.run_alone([self.binary, "check", self.path("job.yml")], seconds)
            assert checked.code in (65, 66, 78), f"run left with {ran.code}, check with {checked.code}: {ran.err[-400:]}"
        return ran

    def run_alone(self, command, seconds):
        """Run to the end, or fail; memory as the kernel counted it."""
        with open(self.path(".stdout"), "w+b") as out, open(self.path(".stderr"), "w+b") as err:
            limited = ["timeout", "-k", "1", str(seconds), *command]
            child = subprocess.Popen(limited, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=self.folder)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8", "replace"))
        code = child.returncode
        assert code != 124, f"no end after {seconds} s"
        return Ran(-(code - 128) if code > 128 else code, *texts, usage.ru_maxrss / 1024)

    def publish(self):
        """The old results that a later failure has to leave alone."""
        ran = self.run()
        assert ran.code == 0, f"the good job left with {ran.code}: {ran.err}"
        return self.snapshot()

    def snapshot(self, output="out"):
        """Every visible file's bytes and every link's target."""
        seen = {}
        for root, folders, files in os.walk(self.path(output)):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in [*files, *folders]:
                path = os.path.join(root, name)
                if name.startswith(".") or name.endswith((".lock", ".prom", "-wal", "-shm")):
                    continue
                if os.path.islink(path):
                    seen[path] = os.readlink(path)
                elif os.path.isfile(path):
                    with open(path, "rb") as file:
                        seen[path] = hashlib.sha256(file.read()).hexdigest()
                else:
                    seen[path] = "folder"
        return seen

    def reasons(self, as_of=T):
        """Reason → rows over all inputs of the newest run."""
        counts = {}
        for row in table(self.path("out/rubbish/latest"), "inputs.csv"):
            if row["reason"]:
                counts[row["reason"]] = counts.get(row["reason"], 0) + int(row["rows_set_aside"])
        return counts


def clean(ran):
    """No crash, and no traces of one."""
    assert ran.code >= 0, f"killed by signal {-ran.code}: {ran.err[:2500]}"
    for trace in CRASHES:
        assert trace not in ran.err, f"stderr shows {trace!r}: {ran.err[-400:]}"


def refused(ran, codes, *words):
    """It left with one of the codes and one message that holds every word (or one of a tuple)."""
    clean(ran)
    codes = (codes,) if isinstance(codes, int) else codes
    assert ran.code in codes, f"exit {ran.code} instead of {codes}: {ran.err[-400:]}"
    lines = [line for line in ran.err.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 6, f"{len(lines)} lines on stderr: {ran.err[-600:]}"
    for word in words:
        choices = word if isinstance(word, tuple) else (word,)
        assert any(choice in ran.err for choice in choices), f"{word!r} is not in: {ran.err[-400:]}"


def fails_untouched(bench, codes, *words, **options):
    """Run for the next night; it must fail so, and the old results stand as they were."""
    before = bench.snapshot()
    refused(bench.run(as_of=NEXT_T, **options), codes, *words)
    after = bench.snapshot()
    changed = sorted(k for k in set(before) | set(after) if before.get(k) != after.get(k))
    assert not changed, f"old results were touched: {changed[:4]}"
