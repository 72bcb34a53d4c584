"""Times whole processes against each other on the same files, in turns, and prints medians and ratios.

Two things are timed: `xargs -P2 gzip -dc` on every gzip file of the data, thrown away; and `offerlift run` on
them, from nothing to published results. One warm-up of each puts the files into the page cache, so neither
waits for the disk. The turns alternate, so that a slow minute of the machine hits both. The answer is held
against what the simulation knows: a fast wrong answer ends the benchmark.
"""

import argparse
import csv
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LAST_NIGHT = "2026-05-31"  # the scenario's log ends with this day


def measure(command, **options):
    """Runs a command to its end: seconds on the clock, seconds of processor, peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with exit code {process.returncode}; nothing was measured")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def unpack(data):
    """Unpacks every gzip file, two at a time."""
    return measure(["bash", "-c", 'printf "%s\\0" "$0"/*.gz | xargs -0 -n1 -P2 gzip -dc', data])


def run(binary, data, output, options):
    """Runs the job into a new folder."""
    shutil.rmtree(output, ignore_errors=True)
    command = [binary, "run", f"{data}/job.yml", "--date", LAST_NIGHT, "--output", output]
    return measure(command + options, stderr=subprocess.DEVNULL)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def check(data, output):
    """Ends the benchmark unless the run found exactly what the simulation did."""
    truth = {(r["group"], r["name"]): r["value"] for r in rows(f"{data}/truth.csv") if r["what"] == "happened"}
    wanted = {
        "paying_conversion_7d": ("mature_users_7d", "paying_users_7d"),
        "charges_30d": ("mature_users_30d", "charges_30d"),
    }
    compared = 0
    for row in rows(f"{output}/benchmark/{LAST_NIGHT}/sufficient_statistics.csv"):
        if row["segment"] != "all" or row["metric"] not in wanted:
            continue
        group = row["test_group_id"]
        expected = tuple(truth[group, name] for name in wanted[row["metric"]])
        if (row["n"], row["sum_y"]) != expected:
            sys.exit(f"wrong answer: {group} {row['metric']} is {row['n']}, {row['sum_y']}, not {expected}")
        compared += 1
    if compared != len(wanted) * len({group for group, _ in truth}):
        sys.exit(f"wrong answer: only {compared} values could be compared with truth.csv")


def describe(name, results):
    """One line: the median, the range, processor time and memory."""
    seconds = [r[0] for r in results]
    print(
        f"{name:12} {statistics.median(seconds):8.3f} s   ({min(seconds):.3f} to {max(seconds):.3f})"
        f"   processor {statistics.median(r[1] for r in results):.2f} s"
        f"   peak {max(r[2] for r in results):.0f} MB"
    )
    if max(seconds) > 1.25 * min(seconds):
        print(f"{'':12} the times differ by more than a quarter: is something else running here?")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("options", nargs="*", help="passed on to offerlift run")
    arguments = parser.parse_args()

    files = glob.glob(f"{arguments.data}/*.gz")
    counts = {r["name"]: r["value"] for r in rows(f"{arguments.data}/truth.csv") if r["what"] == "rows"}
    packed = sum(map(os.path.getsize, files)) / 1e6
    print(
        f"{counts['purchases']} purchase rows, {counts['assignments']} assignment rows, {len(files)} files, "
        f"{packed:.0f} MB packed; {os.cpu_count()} processors; medians of {arguments.repeat}"
    )
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/out"
        unpack(arguments.data)
        run(arguments.binary, arguments.data, output, arguments.options)
        check(arguments.data, output)
        unpacked, ran = [], []
        for _ in range(arguments.repeat):
            unpacked.append(unpack(arguments.data))
            ran.append(run(arguments.binary, arguments.data, output, arguments.options))
        check(arguments.data, output)
    describe("gzip -P2", unpacked)
    describe("offerlift", ran)
    ratio = statistics.median(r[0] for r in ran) / statistics.median(u[0] for u in unpacked)
    pairs = [r[0] / u[0] for r, u in zip(ran, unpacked)]
    print(f"ratio        {ratio:8.3f}     (turn by turn {min(pairs):.3f} to {max(pairs):.3f})")


main()
