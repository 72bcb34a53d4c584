"""Measures `offerlift run --engine spark` and Spark's own JSON reader on the same files, in turns.

    python3 Benchmarks/spark.py FOLDER --binary offerlift [--master 'local[2]'] [--repeat 3]

FOLDER is data that run.sh has made, `.build-bench/…`. Needs `pip install pyspark==4.3.0` and Java 17.
"""

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

import answers
import table
from contender import PEERS, Contender
from data import CUTOFF, LAST_NIGHT
from measure import Sample, measure

QUIET = ["--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"]


def contenders(options: argparse.Namespace, folder: Path) -> list[Contender]:
    """Spark's own readers, the yardstick, and the job on Spark."""
    settings = ["--master", options.master, *QUIET, "--conf", f"spark.local.dir={folder}/local"]
    submit = shlex.join(["spark-sql", *settings])
    script = str(PEERS / "spark_json.py")
    run = ("run", f"{options.folder}/job.yml", "--date", LAST_NIGHT, "--output", str(folder / "out"))
    return [
        Contender("spark", "Spark's JSON", ("spark-submit", *settings, script, options.folder, "--cutoff", CUTOFF)),
        Contender("offerlift", "**offerlift** on Spark",
            (options.binary, *run, "--engine", "spark", "--spark-submit", submit), folder / "out"),
        Contender("native", "offerlift", (options.binary, *run), folder / "out"),
    ]  # fmt: skip


def play(one: Contender, truth: answers.Answer) -> Sample:
    """One run; ours must find the truth, Spark's reader cannot quite (see its script)."""
    one.prepare()
    sample = measure(one.command)
    if one.output:
        found = answers.of_run(one.output / "benchmark" / LAST_NIGHT / "sufficient_statistics.csv")
        answers.check(one.title, found, truth)
    else:
        found = answers.of_peer(sample.printed)
        more = sum(found[group].charges - truth[group].charges for group in truth)
        print(f"{one.title} finds {more:+,} charges that are none", file=sys.stderr)
    return sample


def main() -> None:
    """Measures what was asked for and prints it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    truth = answers.of_truth(Path(options.folder) / "truth.csv")
    samples: dict[str, list[Sample]] = {}
    with tempfile.TemporaryDirectory() as folder:
        everybody = contenders(options, Path(folder))
        for turn in range(options.repeat):
            for one in everybody:
                samples.setdefault(one.name, []).append(play(one, truth))
                print(f"turn {turn + 1}: {one.title} {samples[one.name][-1].seconds:.1f} s", file=sys.stderr)
    lines = [table.Line(one.title, samples[one.name], samples["spark"]) for one in everybody]
    print(f"{options.master}; medians (and ranges) of {options.repeat}.\n")
    print(table.table("program", "Spark's JSON", lines))


if __name__ == "__main__":
    main()
