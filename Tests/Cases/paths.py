"""The ways a case goes: memory, disk, kept state cold and warm, and told in another order; each to the same tables."""

import gzip
import os
import re
import shutil

from answers import Init, Looked, missing, told
from folders import Folder
from program import command, run, run_together, tables

# Where a file's own bytes or the places of its rows stand.
OF_FILES = {"inputs.csv", "rejects.csv.gz"}
# More than the program takes for so small a world, and less than half of the padded inputs.
LEAST_MEMORY = "96M"
PADDED = 60_000_000
SEED = 29


def faults(case, scratch):
    """What is wrong with a case on each way by itself; its folder is removed."""
    try:
        return every_way(case, scratch)
    finally:
        shutil.rmtree(os.path.join(scratch, case.name), ignore_errors=True)


def every_way(case, scratch):
    folder, mixed = tellings(case, scratch, "case")
    answer = case.write(folder)
    if isinstance(answer, Init):
        return [("init", fault) for fault in init_faults(folder, answer)] + [
            ("init, shuffled", fault) for fault in init_faults(mixed, case.write(mixed))]
    if isinstance(answer, Looked):
        return [("check", fault) for fault in answer.faults(command(folder, "check", folder.job_path))]
    outcome = run(folder, output="out")
    found = [("memory", fault) for fault in answer.faults(outcome)]
    if not outcome.is_published:
        return found or refused(folder, answer)
    if folder.is_read_once:
        return found
    base, job = tables(outcome.night), keeping(folder)
    for way in ("cold", "warm"):
        found += [(f"state, {way}", fault) for fault in unlike(base, run(folder, output=way, job=job))]
    mixed_answer = case.write(mixed)
    return found + on_disk(folder, base) + shuffled("shuffled", run(mixed, output="out"), None if found else mixed_answer, base)


def walk(cases, scratch):
    """What is wrong with each of some cases on their ways together: an empty state, then what it kept or the disk in another order.

    Cases go the second and the third way in turns; WAYS=all has each go both. Their folders are removed.
    """
    try:
        return ways_together(cases, scratch)
    finally:
        for case in cases:
            shutil.rmtree(os.path.join(scratch, case.name), ignore_errors=True)


def ways_together(cases, scratch):
    told = {}
    found = {}
    for number, case in enumerate(cases):
        folder, mixed = tellings(case, scratch, f"case-{number}")
        answer = case.write(folder)
        if isinstance(answer, (Init, Looked)) or folder.is_read_once:
            shutil.rmtree(os.path.dirname(folder.path))
            found[case] = faults(case, scratch)
        else:
            told[case] = folder, mixed, answer, case.write(mixed)
    place = os.path.join(scratch, cases[0].name)
    folders, jobs = [row[0] for row in told.values()], [keeping(row[0]) for row in told.values()]
    bases = {}
    for (case, (folder, _, answer, _)), outcome in zip(told.items(), run_together(folders, output=os.path.join(place, "all"), jobs=jobs)):
        found[case] = [("memory", fault) for fault in answer.faults(outcome)]
        if outcome.is_published:
            bases[case] = tables(outcome.night)
        elif not found[case]:
            found[case] = refused(folder, answer, is_disk=False)
    kept, whole = [list(bases)] * 2 if os.environ.get("WAYS") == "all" else [list(bases)[start::2] for start in (0, 1)]
    for case, warm in zip(kept, run_together([told[case][0] for case in kept], output=os.path.join(place, "warm"),
        jobs=[keeping(told[case][0]) for case in kept])):
        found[case] += [("state, warm", fault) for fault in unlike(bases[case], warm)]
    mixed = [told[case][1] for case in whole]
    for folder in mixed:
        pad(folder)
    limited = run_together(mixed, "--memory", LEAST_MEMORY, output=os.path.join(place, "mixed"), jobs=[folder.job_path for folder in mixed])
    for case, outcome in zip(whole, limited):
        found[case] += shuffled("shuffled, disk", outcome, None if found[case] else told[case][3], bases[case])
    return found


def tellings(case, scratch, name):
    """The case as it is told, and in another order."""
    place = os.path.join(scratch, case.name)
    return Folder(os.path.join(place, "told"), name=name), Folder(os.path.join(place, "mixed"), SEED, name=name)


def refused(folder, answer, is_disk=True):
    """A refusal is one on the disk, too, and `check` does not promise a run."""
    looked = command(folder, "check", folder.job_path)
    found = [("check", "says that this job will run")] if "This job will run." in looked.said else []
    if is_disk and pad(folder):
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


def shuffled(way, outcome, answer, base):
    """Rows, shards and inputs in another order: the answer holds, and the tables are the same but for places and names."""
    return [(way, fault) for fault in (answer.faults(outcome) if answer else []) + unlike(base, outcome, OF_FILES)]


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
    found = answer.answer.faults(outcome) + [f"init does not say {word}" for word in missing(answer.says, asked.said)]
    found += [f"the job lacks {word}" for word in missing(answer.writes, text)] + [f"the job has {word}" for word in answer.never if word in text]
    return [f"{fault} (init said nothing of {answer.asks}; {told(outcome) if outcome.is_published else ''})" for fault in found]


def without_windows(text):
    """The job's text, each metric once and up to the cut-off: windows depend on how late it is."""
    lines = []
    for line in re.sub(r"window: \d+d", "window: none", text).splitlines():
        name = re.match(r"\s*- \{name: \w+, window: none", line)
        if not name or not any(kept.startswith(name.group()) for kept in lines):
            lines.append(line)
    return "\n".join(lines) + "\n"
