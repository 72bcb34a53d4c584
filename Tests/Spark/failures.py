"""What fails on Spark fails in one sentence, and what was published stands."""

import gzip
import hashlib
import os
import shutil
import signal
import socket
import time

from bench import CRASHES, Bench
from same import differences
from session import CLUSTER, LOCAL

# The bytes a program for another machine (AArch64) begins with.
OTHER_MACHINE = bytes.fromhex("7f454c46020101000000000000000000" "0200b700010000000000000000000000") + bytes(64)
PURCHASES = "purchases-1.jsonl.gz"


class SparkBench(Bench):
    """A small job with a night published, and a way to spoil the next one."""

    def __init__(self, spark, binary):
        super().__init__(binary)
        self.spark = spark
        self.must("run", "--date", "2026-03-29", "--output", self.path("out"))
        self.standing = self.published()

    def must(self, command, *arguments):
        ran = self.spark.run([self.binary, command, self.path("job.yml"), *arguments])
        assert ran.returncode == 0, f"{command} ended with {ran.returncode}: {ran.err[-400:]}"
        return ran

    def published(self, name="out"):
        found = {}
        for place, folders, names in os.walk(self.path(name)):
            folders[:] = [folder for folder in folders if folder != ".exchange"]
            for file in names:
                path = os.path.join(place, file)
                with open(path, "rb") as opened:
                    found[os.path.relpath(path, self.folder)] = hashlib.sha256(opened.read()).digest()
        return found

    def arguments(self, submit):
        return [self.binary, "run", self.path("job.yml"), "--date", "2026-03-30", "--output", self.path("out"),
                "--progress", "never", "--engine", "spark", "--spark-submit", submit]

    def spoiled(self, before="", after="", master=LOCAL):
        """Runs the next night; the shell commands run in the plan's folder around Spark's run."""
        script = self.path("submit-spoiled.sh")
        self.write("submit-spoiled.sh", f'#!/bin/sh\n{before}\n{self.spark.command(master)} "$@" || exit $?\n{after}\n')
        os.chmod(script, 0o755)
        return self.spark.run(self.arguments(script))

    def refused(self, ran, *words):
        """It failed, said why in a line that holds one of the words, and touched nothing."""
        assert ran.returncode > 0, f"ended with {ran.returncode}: {ran.err[-300:]}"
        sentences = [line for line in ran.err.splitlines() if line.startswith(("offerlift: ", "Error: ", "error: "))]
        assert len(sentences) == 1, f"said {len(sentences)} sentences: {ran.err[-900:]}"
        assert any(word in sentences[0] for word in words), f"said {sentences[0]!r}, none of {words}"
        crash = next((word for word in CRASHES if word in ran.err), None)
        assert crash is None, f"{crash!r} in {ran.err[-600:]}"
        assert self.published() == self.standing, "what was published has changed"
        assert not self.spark.processes(), "Java still runs"


def a_child_that_is_killed(bench):
    bench.refused(bench.spoiled("printf '#!/bin/sh\\nhead -c 2000 >/dev/null\\nkill -9 $$\\n' >offerlift"), "137", "Killed")


def in_place_of(bench, stage, line):
    """Puts a script in the program's place: what a line of shell does in one stage, in all others the program."""
    bench.write("other", f'#!/bin/sh\nif [ "$2" = {stage} ]; then {line}; fi\nexec {bench.binary} "$@"\n')
    os.chmod(bench.path("other"), 0o755)
    return bench.spoiled(f"cp {bench.path('other')} offerlift")


def a_child_that_is_killed_half_way(bench):
    """Its first rows have left by then."""
    line = f'{bench.binary} "$@" >out; head -c "$(($(wc -c <out) / 2))" out; kill -9 $$'
    bench.refused(in_place_of(bench, "count", line), "137", "Killed")


def a_child_that_leaves_half_and_says_nothing(bench):
    """Its exit code is 0, but its last row is not there."""
    line = f'{bench.binary} "$@" >out; head -c "$(($(wc -c <out) / 2))" out; exit 0'
    bench.refused(in_place_of(bench, "read", line), "")


def a_child_that_says_nothing_at_all(bench):
    bench.refused(in_place_of(bench, "count", "cat >/dev/null; exit 0"), "")


def a_program_that_is_missing(bench):
    bench.refused(bench.spoiled("sed -i 's#[.]/offerlift spark-task#./missing spark-task#' plan.sql"), "127", "No such file")


def a_program_for_another_machine(bench):
    bench.write("other", OTHER_MACHINE)
    bench.refused(bench.spoiled(f"cp {bench.path('other')} offerlift"), "126", "Exec format error", "cannot execute")


def a_setting_that_is_not_kept(bench):
    """It would pass over damaged files."""
    name = "spark.sql.files.ignoreCorruptFiles"
    bench.refused(bench.spoiled(f"sed -i 's/^SET {name}=false/SET {name}=true/' plan.sql"), f"the plan's {name};")


def an_input_that_vanishes(bench):
    bench.refused(bench.spoiled(f"rm {bench.path(PURCHASES)}"), "PATH_NOT_FOUND", PURCHASES)


def an_input_cut_short(bench):
    bench.refused(bench.spoiled(f"truncate -s -60 {bench.path(PURCHASES)}"), PURCHASES)


def a_damaged_input(bench):
    with open(bench.path(PURCHASES), "rb") as file:
        data = bytearray(file.read())
    data[len(data) // 2] ^= 255
    bench.write(PURCHASES, bytes(data))
    bench.refused(bench.spoiled(), PURCHASES)


def a_full_disk(bench):
    """Where the workers keep what they shuffle; the program itself does not fit."""
    local = bench.spark.path("local")
    mounted = ["unshare", "--map-root-user", "--mount", "sh", "-c",
               f'mount -t tmpfs -o size=8m tmpfs {local} && exec "$@"', "sh"]
    ran = bench.spark.run([*mounted, *bench.arguments(bench.spark.command(CLUSTER))])
    bench.refused(ran, "No space left on device")
    assert ran.returncode == 73, f"ended with {ran.returncode}"


def no_master(bench):
    """Nobody listens at the master's port; Spark tries for a minute."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        ran = bench.spark.run(bench.arguments(bench.spark.command(f"spark://127.0.0.1:{taken.getsockname()[1]}")), timeout=1200)
    bench.refused(ran, "All masters are unresponsive", "Could not connect")
    assert ran.returncode == 70, f"ended with {ran.returncode}"


def no_spark(bench):
    bench.refused(bench.spark.run(bench.arguments("/nowhere/spark-sql --master yarn")), "/nowhere/spark-sql")


def sigterm(bench):
    """Spark ends with the run, and so does every Java."""
    running = bench.spark.start(bench.arguments(bench.spark.command(CLUSTER)))
    end = time.monotonic() + 120
    while not bench.spark.processes("CoarseGrainedExecutorBackend") and running.poll() is None and time.monotonic() < end:
        time.sleep(0.2)
    running.send_signal(signal.SIGTERM)
    running.out, running.err = running.communicate(timeout=90)
    assert running.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM), f"ended with {running.returncode}: {running.err[-900:]}"
    end = time.monotonic() + 20
    while bench.spark.processes() and time.monotonic() < end:
        time.sleep(0.2)
    assert not bench.spark.processes(), "Java still runs"
    assert bench.published() == bench.standing, "what was published has changed"


def an_executor_killed(bench):
    """The result is right nevertheless."""
    running = bench.spark.start(bench.arguments(bench.spark.command(CLUSTER)))
    end, executors = time.monotonic() + 120, []
    while not executors and running.poll() is None and time.monotonic() < end:
        executors = bench.spark.processes("CoarseGrainedExecutorBackend")
        time.sleep(0.1)
    time.sleep(4)
    for executor in executors[:1]:
        try:
            os.kill(executor, signal.SIGKILL)
        except ProcessLookupError:
            pass
    running.out, running.err = running.communicate(timeout=600)
    assert executors and running.returncode == 0, f"ended with {running.returncode}: {running.err[-500:]}"
    bench.must("run", "--date", "2026-03-29", "--output", bench.path("native"))
    bench.must("run", "--date", "2026-03-30", "--output", bench.path("native"))
    found = differences(bench.path("native"), bench.path("out"))
    assert not found, found


def a_result_that_is_not_whole(bench):
    """One submission by the plan's own command; then a copy of it for each way to spoil it."""
    whole = bench.path("plan")
    bench.must("plan", "--date", "2026-03-30", "--folder", whole, "--spark-submit", bench.spark.command(LOCAL))
    ran = bench.spark.run([os.path.join(whole, "submit.sh")])
    assert ran.returncode == 0, ran.err[-500:]
    bench.must("plan", "--date", "2026-03-28", "--folder", bench.path("earlier"))
    found = []
    for spoil in SPOILED:
        copy = bench.path("copy")
        shutil.copytree(whole, copy)
        more = spoil(bench, copy) or ()
        try:
            bench.refused(bench.spark.run([bench.binary, "run", "--from-plan", copy, "--output", bench.path("out"), *more]), "")
        except AssertionError as error:
            found.append(f"{spoil.__name__}: {error}")
        shutil.rmtree(copy)
    grown = bench.path(PURCHASES)
    before, size = os.stat(grown), os.path.getsize(grown)
    with open(grown, "ab") as file:
        file.write(b"\n")
    ran = bench.spark.run([bench.binary, "run", "--from-plan", whole, "--output", bench.path("out")])
    if "has changed since it was planned" not in ran.err:
        found.append(f"an input that grew after it was planned: {ran.returncode} {ran.err[-300:]}")
    os.truncate(grown, size)
    os.utime(grown, ns=(before.st_atime_ns, before.st_mtime_ns))
    ran = bench.spark.run([bench.binary, "run", "--from-plan", whole, "--output", bench.path("out")])
    if ran.returncode != 0:
        found.append(f"the whole one is refused: {ran.err[-300:]}")
    assert not found, "; ".join(found)


def parts(folder):
    result = os.path.join(folder, "result")
    return sorted(os.path.join(result, name) for name in os.listdir(result) if name.startswith("part-"))


def no_success(_, folder):
    os.remove(os.path.join(folder, "result", "_SUCCESS"))


def a_part_removed(_, folder):
    for path in parts(folder):
        with gzip.open(path) as file:
            if file.read(1):
                return os.remove(path)


def change_rows(folder, change):
    for path in parts(folder):
        with gzip.open(path) as file:
            rows = file.read().splitlines(keepends=True)
        if rows:
            with gzip.open(path, "wb") as file:
                file.writelines(change(rows))
            return


def a_row_removed(_, folder):
    change_rows(folder, lambda rows: rows[1:])


def a_row_twice(_, folder):
    change_rows(folder, lambda rows: rows[:1] + rows)


def a_part_cut_short(_, folder):
    path = max(parts(folder), key=os.path.getsize)
    os.truncate(path, os.path.getsize(path) // 2)


def a_plan_changed(_, folder):
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".yml"):
            with open(path, "a", encoding="utf-8") as file:
                file.write("\ntimezone: Asia/Kolkata\n")


def a_result_of_another_plan(bench, folder):
    """Its rows are all there, but they were counted for another night."""
    shutil.copy(bench.path("earlier/plan.json"), os.path.join(folder, "plan.json"))
    shutil.copy(bench.path("earlier/plan.sql"), os.path.join(folder, "plan.sql"))


def another_night(_, __):
    return "--date", "2026-03-27"


SPOILED = [no_success, a_part_removed, a_row_removed, a_row_twice, a_part_cut_short, a_plan_changed,
           a_result_of_another_plan, another_night]
# The first has a minute to wait for, and the others go on beside it.
CASES = [no_master, no_spark, a_child_that_is_killed, a_child_that_is_killed_half_way,
         a_child_that_leaves_half_and_says_nothing, a_child_that_says_nothing_at_all, a_program_that_is_missing,
         a_program_for_another_machine, a_setting_that_is_not_kept, an_input_that_vanishes, an_input_cut_short,
         a_damaged_input, a_full_disk, a_result_that_is_not_whole, an_executor_killed, sigterm]


def check_failure(spark, binary, case):
    with SparkBench(spark, binary) as bench:
        case(bench)
    return []
