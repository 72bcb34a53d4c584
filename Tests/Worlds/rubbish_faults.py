"""One system call of publishing fails, or is the last: which night do the results tell?

A sample of all faults, by seed; FAULTS=all tries every one and prints the figures.
"""

import errno
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import zipfile

from bench import NEXT_T, T, Bench, clean, purchase, refused
from product import table

SAMPLE = 30
ERRNOS = [errno.EIO, errno.EROFS, errno.ENOSPC]
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.c")
PUBLISHED = (0, 3)


def shim(folder):
    """faults.c, built; clang comes with the Swift toolchain."""
    built = os.path.join(folder, "faults.so")
    compiler = next(name for name in ("clang", "cc", "gcc") if shutil.which(name))
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", built, SOURCE, "-ldl"], check=True)
    return built


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def folder_told(path):
    """The files of a night but run.json, which has a clock in it."""
    names = sorted(name for name in os.listdir(path) if name != "run.json")
    parts = []
    for name in names:
        with open(os.path.join(path, name), "rb") as file:
            parts += [name.encode(), file.read()]
    return digest(*parts)


def database_told(path):
    """Every row of every table, or None where there is no file."""
    if not os.path.exists(path):
        return None
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
        return digest(*(repr(sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))).encode() for name in tables))
    finally:
        connection.close()


def metrics_told(path):
    """metrics.prom but for what differs from run to run."""
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return [line for line in file if not re.match(r"offerlift_(last_success|run_duration|peak_memory)", line)]


def told(job):
    """What each of the four places tells of which night."""
    names = os.listdir(job) if os.path.isdir(job) else []
    nights = sorted(name for name in names if re.fullmatch(r"\d{4}-\d\d-\d\d", name))
    latest = os.path.join(job, "latest")
    return {
        "latest": os.readlink(latest) if os.path.islink(latest) else None,
        "folders": [(name, folder_told(os.path.join(job, name))) for name in nights],
        "metrics.prom": metrics_told(os.path.join(job, "metrics.prom")),
        "results.sqlite": database_told(os.path.join(job, "results.sqlite")),
    }


class World:
    """A job whose old results lie in `old`, and whose next run makes `new`."""

    def __init__(self, bench, as_of, has_old=True):
        self.bench, self.as_of = bench, as_of
        self.job, self.kept = bench.path("out/rubbish"), bench.path("kept")
        self.shim = shim(bench.folder)
        os.makedirs(self.kept)
        if has_old:
            bench.publish()
            shutil.copytree(bench.path("out"), self.kept, symlinks=True, dirs_exist_ok=True)
        bench.write("purchases-2.jsonl.gz", gzip.compress(bench.text([purchase(number) for number in range(1000, 1100)])))
        self.old = told(self.job)
        self.log = bench.path("calls")
        ran = self.run(FAULT_LOG=self.log)
        assert ran.code == 0, ran.err
        self.new = told(self.job)
        with open(self.log) as file:
            self.calls = [line.split(" ", 2)[1:] for line in file.read().splitlines()]

    def run(self, **environment):
        """One run under the shim, over whatever lies there."""
        settings = [f"{name}={value}" for name, value in environment.items()]
        command = ["env", f"LD_PRELOAD={self.shim}", f"FAULT_UNDER={self.bench.path('out')}", *settings]
        return self.bench.run([*command, *self.bench.command(as_of=self.as_of, threads=1)])

    def restore(self):
        shutil.rmtree(self.bench.path("out"), ignore_errors=True)
        shutil.copytree(self.kept, self.bench.path("out"), symlinks=True)

    def verdict(self):
        """old, new, or which place tells which."""
        found = told(self.job)
        for name, state in (("old", self.old), ("new", self.new)):
            if found == state:
                return name
        ages = {key: "old" if found[key] == self.old[key] else "new" if found[key] == self.new[key] else "neither" for key in found}
        return ", ".join(f"{key}: {age}" for key, age in ages.items() if self.old[key] != self.new[key] or age == "neither")

    def spoil(self, at, **how):
        """The run's exit and what the results tell; then the next run, which must put everything right."""
        self.restore()
        ran = self.run(FAULT_AT=at, **how)
        verdict = self.verdict()
        after = self.run()
        place = f"{how} at {at} {' '.join(self.calls[at - 1]).replace(self.bench.folder, '')}"
        assert after.code == 0, f"{place}: the next run left with {after.code}: {after.err[-300:]}"
        assert self.verdict() == "new", f"{place}: after the next run {self.verdict()}"
        hidden = [name for name in os.listdir(self.job) if name.startswith(".") and name not in (".history", ".job", ".lock")]
        assert not hidden, f"{place}: left lying about: {hidden}"
        return ran, verdict, place


WORLDS = {
    "the next night": dict(as_of=NEXT_T),
    "the same night again": dict(as_of=T),
    "the first night": dict(as_of=T, has_old=False),
}


def trials(world, kinds, seed):
    """(call, kind): every one, or a sample in which the calls that put results in place are all there."""
    everything = [(at, kind) for at in range(1, len(world.calls) + 1) for kind in kinds]
    if os.environ.get("FAULTS") == "all":
        return everything
    visible = [index + 1 for index, (name, _) in enumerate(world.calls) if name.startswith("rename")]
    chosen = [(at, kinds[0]) for at in visible] + random.Random(seed).sample(everything, SAMPLE)
    return sorted(set(chosen), key=str)


def swept(binary, name, kinds, how, check):
    """Tries them all; every broken promise in one message."""
    with Bench(binary) as bench:
        world = World(bench, **WORLDS[name])
        broken, mixed = [], 0
        chosen = trials(world, kinds, seed=name)
        for at, kind in chosen:
            ran, verdict, place = world.spoil(at, **how(kind))
            mixed += verdict not in ("old", "new")
            problem = check(ran, verdict)
            if problem:
                broken.append(f"{place}: {problem}")
        if os.environ.get("FAULTS") == "all":
            print(f"{name}: {len(world.calls)} calls, {len(chosen)} faults, {mixed} mixed, {len(broken)} broken", flush=True)
        assert not broken, f"{len(broken)} of {len(chosen)}:\n" + "\n".join(broken[:40])


def tells_its_exit(ran, verdict):
    """What a failed call may end in: nothing published, or everything."""
    clean(ran)
    if "not an error" in ran.err:
        return ran.err
    if ran.code in PUBLISHED:
        return None if verdict == "new" else f"exit {ran.code}, but {verdict}"
    if verdict != "old":
        return f"exit {ran.code}, but {verdict}"
    if ran.code not in (73, 74, 75) or not ran.err.startswith("offerlift: "):
        return f"exit {ran.code}: {ran.err[-200:]}"
    return None


def each_failure(binary, name):
    swept(binary, name, ERRNOS, lambda code: dict(FAULT_ERRNO=code), tells_its_exit)


def next_night_fails_anywhere(binary):
    each_failure(binary, "the next night")


def same_night_fails_anywhere(binary):
    each_failure(binary, "the same night again")


def first_night_fails_anywhere(binary):
    each_failure(binary, "the first night")


def disk_fails_for_good(binary):
    """From one call on everything fails: old or new, or a message that says it is neither."""

    def check(ran, verdict):
        # All may be in place and the last flush fail: until it is made, a power cut could still mix the nights.
        may_be_mixed = ran.code == 74 and "may hold something of both nights" in ran.err
        if verdict in ("old", "new") and not may_be_mixed:
            return tells_its_exit(ran, verdict)
        return None if may_be_mixed and "neither" not in verdict else f"exit {ran.code}, {verdict}: {ran.err[-300:]}"

    swept(binary, "the next night", ERRNOS, lambda code: dict(FAULT_ERRNO=code, FAULT_EVER=1), check)


def killed_anywhere(binary, name):
    """Each of the four places tells the old night or the new; all the same one, but between two of four renames."""

    def check(ran, verdict):
        assert ran.code in (-9, 0), ran.code
        return f"killed, but {verdict}" if "neither" in verdict else None

    swept(binary, name, [0], lambda _: dict(FAULT_KILL=1), check)


def next_night_is_killed_anywhere(binary):
    killed_anywhere(binary, "the next night")


def same_night_is_killed_anywhere(binary):
    killed_anywhere(binary, "the same night again")


def first_night_is_killed_anywhere(binary):
    killed_anywhere(binary, "the first night")


def no_input_is_left_out(binary):
    """A folder whose list of names cannot be read to its end, or a file that cannot be looked at: 66 naming it."""
    with Bench(binary) as bench:
        os.mkdir(bench.path("in"))
        for number in range(6):
            bench.write(f"in/purchases-{number}", bench.text([purchase(number)]))
        bench.edit_job("path: purchases-*", "path: in/purchases-*")
        log = bench.path("calls")
        preload = ["env", f"LD_PRELOAD={shim(bench.folder)}", f"FAULT_UNDER={bench.path('in')}"]
        assert bench.run([*preload, f"FAULT_LOG={log}", *bench.command()]).code == 0
        calls = [line.split()[1] for line in bench.read("calls").decode().splitlines()]
        for number, name in enumerate(calls, 1):
            if name not in ("readdir", "opendir", "stat", "lstat"):
                continue
            ran = bench.run([*preload, f"FAULT_AT={number}", f"FAULT_ERRNO={errno.EIO}", *bench.command()])
            if ran.code == 0:
                files = {row["file"] for row in table(bench.path("out/rubbish/latest"), "inputs.csv")}
                assert len(files) == 7, f"{name}, call {number}: published of {sorted(files)}"
            else:
                refused(ran, (66, 74), ("Make it readable", "check the path and its rights", "Run again"))


def the_same_bytes_count_once(binary):
    """A log that lies there several times, packed otherwise: where a look at a file fails, none counts twice."""
    with Bench(binary) as bench:
        os.mkdir(bench.path("in"))
        lines = [json.dumps({key: value for key, value in json.loads(purchase(number)).items() if not key.endswith("Id") or
                             key in ("userId", "productId")}) for number in range(40)]
        for name, level in (("purchases-1.gz", 9), ("purchases-2.gz", 1), ("purchases-3.gz", 1)):
            bench.write(f"in/{name}", gzip.compress(bench.text(lines), level, mtime=0))
        bench.write("in/purchases-4", bench.text(lines))
        with zipfile.ZipFile(bench.path("in/purchases-5.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            for member in ("march.jsonl", "again.jsonl"):
                archive.writestr(member, bench.text(lines))
        bench.edit_job("path: purchases-*", "path: in/purchases-*")
        log = bench.path("calls")
        preload = ["env", f"LD_PRELOAD={shim(bench.folder)}", f"FAULT_UNDER={bench.path('in')}"]
        assert bench.run([*preload, f"FAULT_LOG={log}", *bench.command()]).code in PUBLISHED
        whole = bench.read("out/rubbish/latest/inputs.csv")
        assert whole.count(b"same_file") == 5, whole
        for number, line in enumerate(bench.read("calls").decode().splitlines(), 1):
            ran = bench.run([*preload, f"FAULT_AT={number}", f"FAULT_ERRNO={errno.EIO}", *bench.command()])
            if ran.code in PUBLISHED:
                assert bench.read("out/rubbish/latest/inputs.csv") == whole, f"call {number}, {line}"
            else:
                assert ran.code in (65, 66, 74), f"call {number}, {line}: {ran.code} {ran.err}"


def readers_never_wait(binary):
    """A report that reads results.sqlite all night keeps nobody from publishing, and goes on reading."""
    with Bench(binary) as bench:
        bench.publish()
        path = bench.path("out/rubbish/results.sqlite")
        reader = sqlite3.connect(path)
        reader.execute("BEGIN")
        query = "SELECT night FROM nights ORDER BY night"
        before = reader.execute(query).fetchall()
        ran = bench.run(as_of=NEXT_T, seconds=25)
        assert ran.code == 0, f"{ran.code}: {ran.err}"
        assert reader.execute(query).fetchall() == before
        assert len(sqlite3.connect(path).execute(query).fetchall()) == 2
        reader.close()
        assert bench.run(as_of=NEXT_T, seconds=25).code == 0


def links_are_not_followed(binary):
    """Names a run writes under for a moment, planted as links, harm nothing they point at."""
    with Bench(binary) as bench:
        bench.publish()
        os.makedirs(bench.path("precious"))
        bench.write("precious/file", "precious")
        job, night = bench.path("out/rubbish"), bench.path("out/rubbish/2026-03-30")
        names = ("probe", "latest", "metrics.prom", "results.sqlite", "report.html")
        for folder in (job, night):
            for name in names:
                os.symlink(bench.path("precious/file"), os.path.join(folder, f".{name}.new"))
        for name in (".publishing", ".placing"):
            os.symlink(bench.path("precious"), os.path.join(job, name))
        assert bench.run([binary, "report", night]).code == 0
        assert bench.run(as_of=NEXT_T).code == 0
        os.remove(os.path.join(job, ".lock"))
        os.symlink(bench.path("precious/file"), os.path.join(job, ".lock"))
        assert bench.run(as_of=NEXT_T).code == 73
        assert os.listdir(bench.path("precious")) == ["file"] and bench.read("precious/file") == b"precious"


def modes_keep_strangers_out(binary):
    """0640 and 0750, and less where the umask says so."""
    for umask, strange in (("022", 0o027), ("077", 0o077)):
        with Bench(binary) as bench:
            report = f"{binary} report {bench.path('out/rubbish/latest')}"
            ran = bench.run(["sh", "-c", f"umask {umask} && {' '.join(bench.command())} && {report}"])
            assert ran.code == 0, ran.err
            for root, folders, files in os.walk(bench.path("out")):
                for path in [root, *(os.path.join(root, name) for name in files)]:
                    mode = os.stat(path).st_mode & 0o777
                    assert mode & strange == 0, f"{oct(mode)} {path}"


CASES = [
    next_night_fails_anywhere, same_night_fails_anywhere, first_night_fails_anywhere, disk_fails_for_good,
    next_night_is_killed_anywhere, same_night_is_killed_anywhere, first_night_is_killed_anywhere, no_input_is_left_out,
    the_same_bytes_count_once, readers_never_wait, links_are_not_followed, modes_keep_strangers_out,
]
