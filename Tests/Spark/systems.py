"""The five systems' jobs on an engine of two executors: what is published is that of one machine."""

import os

from same import differences

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Two nights of one, so that what has changed since the night before is told, too.
NIGHTS = [
    ("free-trial", "2026-04-30", "2026-04-30"), ("offering-price-test", "2026-04-30", "2026-04-30"),
    ("professional-plan", "2026-04-19", "2026-04-19"), ("three-day-access", "2026-04-11", "2026-04-12"),
    ("tiers-and-credits", "2026-04-05", "2026-04-05"),
]


def check_system(spark, binary, folder, system):
    """The differences of one system's job."""
    job, first, last = system
    command = [binary, "run", os.path.join(ROOT, "jobs", f"{job}.yml"), "--from", first, "--to", last]
    on_spark = ["--engine", "spark", "--spark-submit", spark.command()]
    said = []
    for output, more in (("native", []), ("spark", on_spark)):
        ran = spark.run([*command, "--output", os.path.join(folder, output), *more])
        if ran.returncode != 0:
            return [f"{output} ended with {ran.returncode}: {ran.err.strip()[-600:]}"]
        said.append(ran.err)
    places = [os.path.join(folder, output, job) for output in ("native", "spark")]
    if not os.path.isdir(places[0]):
        return [f"nothing was published in {places[0]}"]
    return differences(*places)
