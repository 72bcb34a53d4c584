"""The ways a case goes: memory, disk, kept state cold and warm, and told in another order; each to the same tables."""

import gzip
import os
import re

from answers import Init, missing, told
from folders import Folder
from program import command, run, tables

# Where a file's own bytes or the places of its rows stand.
OF_FILES = {"inputs.csv", "rejects.csv.gz"}
# More than the program takes for so small a world, and less than half of the padded inputs.
LEAST_MEMORY = "96M"
PADDED = 60_000_000
SEED = 29


def faults(case, scratch, is_lean=False):
    """What is wrong with a case, each with the way it was found on.

    All ways are five runs. A lean walk is three: with an empty state, with what it kept, and on the disk in another order.
    """
    place = os.path.join(scratch, case.name)
    folder, mixed = Folder(os.path.join(place, "told")), Folder(os.path.join(place, "mixed"), SEED)
    answer = case.write(folder)
    if isinstance(answer, Init):
        return [("init", fault) for fault in init_faults(folder, answer)] + [
            ("init, shuffled", fault) for fault in init_faults(mixed, case.write(mixed))]
    is_lean = is_lean and not folder.is_read_once
    outcome = run(folder, output="out", job=keeping(folder) if is_lean else None)
    found = [("memory", fault) for fault in answer.faults(outcome)]
    if not outcome.is_published:
        return found + refused(folder, answer, bool(found) or is_lean)
    if folder.is_read_once:
        return found
    base = tables(outcome.night)
    if is_lean:
        return found + kept(folder, base, ["warm"]) + shuffled(mixed, case.write(mixed), base, bool(found), is_limited=True)
    return found + kept(folder, base, ["cold", "warm"]) + on_disk(folder, base) + shuffled(mixed, case.write(mixed), base, bool(found))


def refused(folder, answer, is_wrong):
    """A refusal is one on the disk, too, and `check` does not promise a run."""
    if is_wrong:
        return []
    looked = command(folder, "check", folder.job_path)
    found = [("check", "says that this job will run")] if "This job will run." in looked.said else []
    if pad(folder):
        found += [("disk", fault) for fault in answer.faults(run(folder, "--memory", LEAST_MEMORY, output="disk"))]
    return found


def keeping(folder):
    """The job with a state beside it."""
    job = os.path.join(os.path.dirname(folder.job_path), "kept.yml")
    with open(os.path.join(folder.path, folder.job_path), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder.path, job), "w", encoding="utf-8") as file:
        file.write(text + "state: {path: state}\n")
    return job


def kept(folder, base, ways):
    job = keeping(folder)
    return [(f"state, {way}", fault) for way in ways for fault in unlike(base, run(folder, output=way, job=job))]


def on_disk(folder, base):
    if not pad(folder):
        return []
    limited = run(folder, "--memory", LEAST_MEMORY, output="disk")
    return [("disk", fault) for fault in unlike(base, limited, OF_FILES - {"rejects.csv.gz"})]


def pad(folder):
    """Makes an input so large on the disk that a run has no room for it: gzip allows zeros behind it, and they take no room."""
    for name in folder.texts:
        path = os.path.join(folder.path, name)
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] != b"\x1f\x8b":
            with open(path, "wb") as file:
                file.write(gzip.compress(data, mtime=0))
        os.truncate(path, PADDED)
        return True
    return False


def shuffled(folder, answer, base, is_wrong, is_limited=False):
    """Rows, shards and inputs in another order: the answer holds, and the tables are the same but for places and names."""
    is_limited = is_limited and pad(folder)
    outcome = run(folder, *(["--memory", LEAST_MEMORY] if is_limited else []), output="out")
    way = "shuffled, disk" if is_limited else "shuffled"
    found = [] if is_wrong else [(way, fault) for fault in answer.faults(outcome)]
    return found + [(way, fault) for fault in unlike(base, outcome, OF_FILES)]


def unlike(base, outcome, but=()):
    if not outcome.is_published:
        return [f"exit {outcome.code}: {outcome.said.strip()[-300:]}"]
    others = tables(outcome.night)
    return [f"{name} differs: {first_difference(base.get(name, b''), others.get(name, b''))}"
            for name in sorted(set(base) | set(others)) if name not in but and base.get(name) != others.get(name)]


def first_difference(one, two):
    for left, right in zip(one.split(b"\n"), two.split(b"\n")):
        if left != right:
            return f"{left[:160].decode('utf-8', 'replace')} | {right[:160].decode('utf-8', 'replace')}"
    return "one is longer"


def init_faults(folder, answer):
    """`init` asks, in words that name what it does not know, or writes a job whose sums are right without windows."""
    asked = command(folder, "init", *answer.arguments, "--output", "job.yml")
    path = os.path.join(folder.path, "job.yml")
    if asked.code or not os.path.exists(path):
        lacking = missing(answer.asks, asked.said)
        crashed = asked.code < 0 or asked.code == 70
        return [f"init ends with {asked.code}, lacks {lacking}: {asked.said.strip()[-400:]}"] if lacking or crashed else []
    if answer.answer is None:
        return [f"init writes a job without {answer.asks}"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(without_windows(text))
    outcome = run(folder, output="out", job="job.yml")
    found = answer.answer.faults(outcome)
    return [f"{fault} (init said nothing of {answer.asks}; {told(outcome) if outcome.is_published else ''})" for fault in found]


def without_windows(text):
    """The job's text, each metric once and up to the cut-off: windows depend on how late it is."""
    lines = []
    for line in re.sub(r"window: \d+d", "window: none", text).splitlines():
        name = re.match(r"\s*- \{name: \w+, window: none", line)
        if not name or not any(kept.startswith(name.group()) for kept in lines):
            lines.append(line)
    return "\n".join(lines) + "\n"
