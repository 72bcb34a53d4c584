"""Runs the product's binary as a stranger would, and finds what it wrote."""

import csv
import datetime
import os
import subprocess

from values import time_millis, EPOCH


def run_product(binary, job, as_of, output, threads=1, timeout=120, options=()):
    command = [binary, "run", job, "--as-of", as_of, "--output", output, "--threads", str(threads), *options]
    return subprocess.run(command, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)


def night_of(as_of):
    """The UTC date of the last instant before the cut-off."""
    moment = EPOCH + datetime.timedelta(milliseconds=time_millis(as_of) - 1)
    return moment.date().isoformat()


def results_folder(output, job_name, as_of):
    """`DIR/<job>/<night>`; `latest` must point at it."""
    folder = os.path.join(output, job_name, night_of(as_of))
    latest = os.path.join(output, job_name, "latest")
    if not os.path.isdir(folder):
        raise AssertionError(f"no folder {folder}; there is {os.listdir(output)}")
    if os.path.realpath(latest) != os.path.realpath(folder):
        raise AssertionError(f"latest points at {os.path.realpath(latest)}")
    return folder


def table(folder, name):
    """A CSV table's rows as dicts of text."""
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
