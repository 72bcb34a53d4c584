"""The six systems' jobs on Spark: what is published is that of one machine."""

import os
import shutil

from same import differences, differences_but_names
from session import CLUSTER

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Two nights of one, so that what has changed since the night before is told, too.
NIGHTS = [
    ("free-trial", "2026-04-30", "2026-04-30"), ("offering-price-test", "2026-04-30", "2026-04-30"),
    ("professional-plan", "2026-04-19", "2026-04-19"), ("three-day-access", "2026-04-11", "2026-04-12"),
    ("tiers-and-credits", "2026-04-05", "2026-04-05"), ("both-stores", "2026-05-10", "2026-05-10"),
]
# What a cluster's owner may have set, and would lose or move rows where a plan's session did not say otherwise.
DEFAULTS = [
    "spark.sql.adaptive.enabled=true", "spark.sql.adaptive.coalescePartitions.minPartitionSize=1g",
    "spark.sql.ansi.enabled=false", "spark.sql.files.ignoreCorruptFiles=true", "spark.sql.files.ignoreMissingFiles=true",
    "spark.sql.files.maxPartitionBytes=1000", "spark.sql.session.timeZone=America/New_York",
    "spark.sql.shuffle.partitions=3", "spark.sql.caseSensitive=true", "spark.speculation=true",
    "spark.speculation.multiplier=1", "spark.speculation.quantile=0.1",
]
ELSEWHERE = '\nengine: {name: spark, exchange: "viewfs://bucket/exchange", tasks: 3}\n'


class System:
    """One system's job over its nights, on this machine and on Spark."""

    def __init__(self, spark, binary, folder, nights):
        self.spark, self.binary, self.folder = spark, binary, folder
        self.job, self.first, self.last = nights
        self.file = os.path.join(ROOT, "jobs", f"{self.job}.yml")

    def run(self, output, *more, file=None):
        place = os.path.join(self.folder, output)
        ran = self.spark.run([self.binary, "run", file or self.file, "--from", self.first, "--to", self.last, "--output", place,
                              *more])
        assert ran.returncode == 0, f"{output} ended with {ran.returncode}: {ran.err.strip()[-600:]}"
        assert os.path.isdir(os.path.join(place, self.job)), f"nothing was published in {place}"
        return os.path.join(place, self.job)

    def differences(self, output, *submit):
        """What a run on Spark publishes otherwise."""
        return differences(self.run(f"native-{output}"),
                           self.run(output, "--engine", "spark", "--spark-submit", self.spark.command(*submit)))


def check_system(spark, binary, folder, nights):
    return System(spark, binary, folder, nights).differences("cluster")


def check_standalone(spark, binary, folder):
    """A master and two workers, on a cluster whose defaults are the worst."""
    with spark.standalone() as address:
        return System(spark, binary, folder, NIGHTS[1]).differences("standalone", address, *DEFAULTS)


def check_addresses(spark, binary, folder):
    """Logs, assignments and the exchange lie where nothing but Spark finds them: Hadoop's own table of mounts.

    One log has nothing but a byte order mark in it, of which Spark hands on no row.
    """
    system, folder = System(spark, binary, folder, NIGHTS[1]), os.path.join(folder, "addresses")
    for name in ("jobs", "exchange"):
        os.makedirs(os.path.join(folder, name))
    os.symlink(os.path.join(ROOT, "sample-data"), os.path.join(folder, "sample-data"))
    shutil.copytree(os.path.join(ROOT, "sample-data", "offering"), os.path.join(folder, "logs"))
    with open(os.path.join(folder, "logs", "purchases-05.jsonl"), "wb") as file:
        file.write(b"\xef\xbb\xbf")
    with open(system.file, encoding="utf-8") as file:
        job = file.read().replace("purchases-*.jsonl.gz", "purchases-*")
    names = ("user_offering_assignments-", "purchases-", "api-log-", "app-events")
    jobs = {}
    for place, engine in (("../logs/", ""), ("viewfs://bucket/logs/", ELSEWHERE)):
        text = job
        for name in names:
            text = text.replace("../sample-data/offering/" + name, place + name)
        jobs[place] = os.path.join(folder, "jobs", f"{'there' if engine else 'here'}.yml")
        with open(jobs[place], "w", encoding="utf-8") as file:
            file.write(text + engine)
    (here, native), (there, elsewhere) = jobs.items()
    mounts = [(name, os.path.join(folder, name)) for name in ("logs", "exchange")]
    settings = [f"spark.hadoop.fs.viewfs.mounttable.bucket.link./{name}=file://{place}" for name, place in mounts]
    result = system.run("addresses", "--spark-submit", spark.command(CLUSTER, *settings), file=elsewhere)
    told = system.run("native-addresses", file=native)
    return differences_but_names(told, result, [(here + name, there + name) for name in names])
