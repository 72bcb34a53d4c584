"""Random worlds, planned one by one and run in one session of Spark: what is published is that of one machine."""

from concurrent.futures import ThreadPoolExecutor
import glob
import os
import random
import re

from layout import write_world
from life_worlds import life_worlds
from same import differences
from session import CLUSTER
from worlds import make_world

# A world is refused where it has files that Spark passes over without a word.
PASSED_OVER = 78
START = "./offerlift spark-task"


class PlannedWorld:
    """One world: its files, its plan, and its results from both engines."""

    def __init__(self, spark, binary, folder, seed):
        self.spark, self.binary, self.folder, self.seed = spark, binary, folder, seed
        self.found, self.is_refused = [], False

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def make(self):
        """Every second world is one of whole lives; every fifth has a packed file cut short, which is to be skipped."""
        if self.seed % 2:
            world = make_world(self.seed)
        else:
            told, _ = life_worlds(self.seed)
            world = told[self.seed // 2 % len(told)][1]
        is_damaged = self.seed % 5 == 0
        if is_damaged:
            world.job["on_corrupt"] = "skip"
        os.makedirs(self.folder)
        write_world(world, self.path("in"), random.Random(self.seed))
        if is_damaged:
            for source in world.sources:
                for path in sorted(glob.glob(self.path("in", "data", source.name + "-*"))):
                    if source.role == "purchases" and cut_short(path):
                        break
        self.world = world

    def offerlift(self, *arguments, failing=()):
        ran = self.spark.run([self.binary, *arguments])
        if ran.returncode not in (0, *failing):
            self.found.append(f"{arguments[0]} ended with {ran.returncode}: {ran.err.strip()[-500:]}")
        return ran

    def plan(self):
        """Runs on this machine alone, then plans."""
        self.make()
        job = [self.path("in", "job.yml"), "--as-of", self.world.as_of]
        self.offerlift("run", *job, "--output", self.path("native"), "--threads", "2")
        planned = self.offerlift("plan", *job, "--folder", self.path("plan"), failing=[PASSED_OVER])
        self.is_refused = planned.returncode == PASSED_OVER
        if self.is_refused or self.found:
            return
        # A plan brings a copy of the program; one is enough for all worlds.
        program = self.path("plan", "offerlift")
        os.remove(program)
        os.link(self.binary, program)

    def script(self):
        with open(self.path("plan", "plan.sql"), encoding="utf-8") as file:
            return re.sub(re.escape(START), f"cd {self.path('plan')} && {START}", file.read())

    @property
    def has_result(self):
        return os.path.exists(self.path("plan", "result", "_SUCCESS"))

    def finish(self):
        self.offerlift("run", "--from-plan", self.path("plan"), "--output", self.path("spark"))
        if not self.found:
            self.found += differences(self.path("native"), self.path("spark"))


def cut_short(path):
    """Cuts a packed file in the middle."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] != b"\x1f\x8b" or len(data) < 200:
        return False
    with open(path, "wb") as file:
        file.write(data[: len(data) // 2])
    return True


def check_worlds(spark, binary, folder, seeds):
    """The worlds of some seeds, each with what was found."""
    binary = linkable(binary, folder)
    yield from check_planned(spark, folder, [PlannedWorld(spark, binary, os.path.join(folder, f"world-{seed}"), seed) for seed in seeds])


def check_planned(spark, folder, worlds, session=25):
    """Plans, submits and finishes worlds; yields each with what was found."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(PlannedWorld.plan, worlds))
    waiting = [world for world in worlds if not world.found and not world.is_refused]
    while waiting:
        batch, waiting = waiting[:session], waiting[session:]
        waiting = submit(spark, folder, batch) + waiting
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(PlannedWorld.finish, [w for w in worlds if not w.found and not w.is_refused]))
    yield from worlds


def submit(spark, folder, batch):
    """One session for a batch; those of it that are to be submitted again, as one before them has failed."""
    script = os.path.join(folder, "worlds.sql")
    with open(script, "w", encoding="utf-8") as file:
        file.writelines(world.script() + "\n" for world in batch)
    ran = spark.run([
        *spark.command(CLUSTER, "spark.sql.catalogImplementation=in-memory", "spark.log.level=ERROR",
                        "spark.io.compression.codec=zstd", f"spark.sql.warehouse.dir={folder}/warehouse").split(" "),
        "-f", script,
    ], folder=folder, timeout=3000)
    failed = next((number for number, world in enumerate(batch) if not world.has_result), None)
    if failed is None and ran.returncode == 0:
        return []
    failed = len(batch) - 1 if failed is None else failed
    reason = [line for line in ran.err.splitlines() if "Error" in line or "Exception" in line or "offerlift: " in line]
    batch[failed].found.append(f"Spark ended with {ran.returncode}: {' / '.join(reason[:3])[:900] or ran.err[-600:]}")
    return batch[failed + 1:]


def linkable(binary, folder):
    """The program in the folder's file system, where it can be linked."""
    copy = os.path.join(folder, "offerlift")
    with open(binary, "rb") as source, open(copy, "wb") as target:
        target.write(source.read())
    os.chmod(copy, 0o755)
    return copy
