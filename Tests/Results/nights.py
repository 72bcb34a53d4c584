"""The nights whose pages are looked at: the jobs of `jobs/`, and the hard worlds, each run once a process."""

import atexit
import functools
import glob
import os
import shlex
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request

import hard_worlds

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BINARY = os.environ.get("OFFERLIFT", os.path.join(ROOT, ".build", "debug", "offerlift"))
SAMPLES = sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(ROOT, "jobs", "*.yml")))
HARD = [world.name for world in hard_worlds.WORLDS]


@functools.cache
def scratch():
    """Where everything is written; `KEPT=DIR` keeps it there, and takes the nights it finds."""
    kept = os.environ.get("KEPT")
    if kept:
        return os.path.abspath(kept)
    folder = tempfile.mkdtemp(prefix="offerlift-page-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def run(job, *options):
    """One night; fails with what the binary said."""
    command = [BINARY, "run", job, *options, "--output", os.path.join(scratch(), "reports")]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(command)} left with {done.returncode}: {done.stderr}")


def options_of(job):
    """The options that `jobs/nightly.sh` takes from `NAME.options`."""
    with open(job[:-4] + ".options", encoding="utf-8") as file:
        return shlex.split(file.read(), comments=True)


@functools.cache
def folder(name):
    """The folder of the night of a job of `jobs/` or of a hard world."""
    latest = os.path.join(scratch(), "reports", name, "latest")
    if os.path.exists(latest):
        return os.path.realpath(latest)
    if name in SAMPLES:
        job = os.path.join(ROOT, "jobs", name + ".yml")
        run(job, *options_of(job))
    else:
        world = next(world for world in hard_worlds.WORLDS if world.name == name)
        job = world.write(os.path.join(scratch(), "worlds", name))
        for date in world.dates:
            run(job, "--date", date, "--allow-future")
    return os.path.realpath(latest)


def address(path):
    return "file://" + urllib.parse.quote(path)


def path_of(address):
    return urllib.request.url2pathname(urllib.parse.urlsplit(address).path)
