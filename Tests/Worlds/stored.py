"""A world with the event store, and with little memory: the same bytes as without."""

import os

from differing import unlike
from product import results_folder, run_product
from values import DAY, rfc3339, time_millis

LEAST_MEMORY = "96M"
"""Less than the program takes by itself, so that nothing of a world has room."""
# What says when and by which job file a run was made.
OF_THE_RUN = {"run.json"}


def stored_differences(binary, world, folder, results):
    """The world of `folder` run twice with an empty store; `results` came without one."""
    job, state = os.path.join(folder, "stored.yml"), os.path.join(folder, "state")
    with open(os.path.join(folder, "job.yml"), encoding="utf-8") as file:
        text = file.read()
    with open(job, "w", encoding="utf-8") as file:
        file.write(text + "\nstate: {path: state}\n")
    entries = None
    for name, threads in (("kept", 2), ("found", 1)):
        output = os.path.join(folder, f"out-{name}")
        done = run_product(binary, job, world.as_of, output, threads)
        errors = done.stderr.decode("utf-8", "replace")
        if done.returncode != 0:
            return [f"{name}: exit {done.returncode}: {errors.strip()[-600:]}"]
        before, entries = entries, identities(os.path.join(state, "events"))
        found = [f"{name}: {line}" for line in unlike(results, results_folder(output, world.job["job"], world.as_of), OF_THE_RUN)]
        if "read anew" in errors or "kept for the next run" in errors:
            found.append(f"{name}: {errors.strip()[-600:]}")
        if not entries:
            found.append(f"{name}: nothing is kept")
        if before not in (None, entries):
            found.append(f"{name}: entries were written again")
        if found:
            return found
    return []


def later_differences(binary, world, folder, results):
    """What was kept on an earlier night says the same of this one as the files do: nothing of what did not count then stays."""
    job, output = os.path.join(folder, "later.yml"), os.path.join(folder, "out-later")
    with open(os.path.join(folder, "job.yml"), encoding="utf-8") as file:
        text = file.read()
    with open(job, "w", encoding="utf-8") as file:
        file.write(text + "\nstate: {path: state-of-before}\n")
    before = rfc3339(time_millis(world.as_of) - 3 * DAY)
    if run_product(binary, job, before, os.path.join(folder, "out-before")).returncode != 0:
        return []  # whoever the job names was not there yet
    done = run_product(binary, job, world.as_of, output)
    if done.returncode != 0:
        return [f"later: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[-600:]}"]
    return [f"later: {line}" for line in unlike(results, results_folder(output, world.job["job"], world.as_of), OF_THE_RUN)]


def limited_differences(binary, world, folder, results):
    """The world of `folder` run with so little memory that its users wait on the disk; `results` came without."""
    output = os.path.join(folder, "out-limited")
    done = run_product(
        binary, os.path.join(folder, "job.yml"), world.as_of, output, 2, options=("--memory", LEAST_MEMORY))
    if done.returncode != 0:
        return [f"--memory: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[-600:]}"]
    return [f"--memory: {line}" for line in unlike(results, results_folder(output, world.job["job"], world.as_of), OF_THE_RUN)]


def identities(folder):
    """Each entry and the inode it lies in; no hidden file is left."""
    names = set(os.listdir(folder)) - {".lock", ".digests"}
    return {name: os.stat(os.path.join(folder, name)).st_ino for name in names if not name.startswith(".")} if not any(
        name.startswith(".") for name in names) else {}
