"""What goes wrong in a night, one function a kind; each ends with the night published."""

import datetime
import errno
import glob
import os
import shutil
import signal
import sqlite3
import time

from advice import warned

WRITES = ("write", "pwrite", "pwrite64", "open", "open64", "openat", "fsync", "fdatasync", "rename", "renameat2", "mkdir",
          "symlink", "ftruncate", "ftruncate64", "link")


def choose(rng, year, night):
    """What goes wrong tonight; nothing in four nights of ten."""
    if rng.random() < 0.4:
        return None
    possible = [kind for kind in KINDS if night > 0 or kind not in NEED_A_HISTORY]
    if year.old is None:
        possible = [kind for kind in possible if kind not in NEED_AN_OLD_VERSION]
    return rng.choice(possible)


def some_call(year, among=None):
    calls = year.calls_of_night()
    numbers = [number for number, (name, _) in enumerate(calls, 1) if among is None or name in among]
    return year.rng.choice(numbers)


def fails_at_a_call(year, code, among=None, **more):
    year.spoil(some_call(year, among), code, **more)
    year.settle(year.run())


def full_disk(year):
    fails_at_a_call(year, errno.ENOSPC, WRITES, FAULT_EVER=1)


def full_for_a_moment(year):
    fails_at_a_call(year, errno.ENOSPC, WRITES)


def bad_disk(year):
    fails_at_a_call(year, errno.EIO)


def bad_disk_of_inputs(year):
    """One call on the folder of the inputs, of each kind as often."""
    calls = [(name, number) for number, (name, path) in enumerate(year.calls_of_night(under=year.test.folder), 1)
             if not path.rstrip().endswith("job.yml")]
    kind = year.rng.choice(sorted({name for name, _ in calls}))
    year.spoil(year.rng.choice([number for name, number in calls if name == kind]), errno.EIO, under=year.test.folder)
    year.log.append(kind)
    year.settle(year.run())


def dead_disk(year):
    fails_at_a_call(year, errno.EIO, FAULT_EVER=1)


def disk_turns_read_only(year):
    fails_at_a_call(year, errno.EROFS, WRITES, FAULT_EVER=1)


def short_write(year):
    fails_at_a_call(year, 0, ("write", "pwrite", "pwrite64"), FAULT_SHORT=1)


def files_limited(year):
    """`ulimit -f`: no file may be longer."""
    year.limit = year.rng.choice([0, 1, 4096, 50_000, 200_000, 1_000_000])
    year.settle(year.run())


def killed_at_a_call(year):
    year.spoil(some_call(year), FAULT_KILL=1)
    year.settle(year.run())


def killed_twice(year):
    for _ in range(2):
        year.spoil(some_call(year), FAULT_KILL=1)
        year.run()
        year.heal()
    year.settle(year.run())


def signalled(year):
    child = year.start()
    time.sleep(year.rng.uniform(0, 0.25))
    child.send_signal(year.rng.choice([signal.SIGKILL, signal.SIGTERM]))
    year.settle(year.end(child))


def power_cut(year):
    year.spoil(some_call(year), FAULT_KILL=1)
    recording = year.record()
    year.run()
    year.log.append(f"power cut, {recording.cut(year.rng)} disk")
    year.heal()
    year.settle(year.run())


def power_cut_after_the_end(year):
    """Published, said so, and the power goes: what the night took the place of may be there still, under a hidden name."""
    recording = year.record()
    year.settle(year.run())
    year.log.append(f"power cut, {recording.cut(year.rng)} disk")
    year.heal()


def clock_back(year):
    """A night of before is published once more, of today's files; then tonight's."""
    back = year.rng.choice([1, 2, 3, 20, 400])
    year.clock = year.ahead(year.date - datetime.timedelta(days=back))
    year.undisturbed(year.date - datetime.timedelta(days=back))
    year.undisturbed(year.date)
    year.settle(year.run())
    year.clock = None
    year.settle(year.run())


def clock_goes_back_in_the_run(year):
    """By an hour: the same night, twice."""
    year.settle(year.run())
    year.clock = year.ahead(moved=datetime.timedelta(hours=-1))
    year.settle(year.run())


def clock_ahead(year):
    """A night that has not come is published; the message says how to remove it. (One that has begun tomorrow's night mends.)"""
    year.clock = year.ahead(year.date + datetime.timedelta(days=year.rng.choice([2, 5, 400])))
    year.settle(year.run())
    year.clock = None
    while True:
        ran = year.settle(year.run())
        if not warned(ran, year):
            break


def two_hosts(year):
    """Two runs of one night at once, their clocks some minutes apart."""
    first = year.start()
    time.sleep(year.rng.uniform(0, 0.15))
    year.clock = year.ahead(moved=datetime.timedelta(minutes=7))
    second = year.start()
    year.clock = None
    ended = [year.end(first), year.end(second)]
    for ran in ended:
        year.settle(ran)


def old_and_new_at_once(year):
    first = year.start()
    year.program = year.old
    second = year.start()
    year.program = None
    for ran in [year.end(first), year.end(second)]:
        year.settle(ran)
    year.settle(year.run())


def reader(year):
    """Somebody reads the database all night."""
    path = os.path.join(year.output, "results.sqlite")
    base = sqlite3.connect(path)
    base.execute("BEGIN")
    count = base.execute("SELECT count(*) FROM nights").fetchone()
    year.settle(year.run())
    assert base.execute("SELECT count(*) FROM nights").fetchone() == count
    base.close()


def writer(year):
    """Somebody changes the database for a moment, and takes it back."""
    base = sqlite3.connect(os.path.join(year.output, "results.sqlite"), isolation_level=None)
    base.execute("BEGIN IMMEDIATE")
    child = year.start()
    time.sleep(year.rng.uniform(0, 0.4))
    base.execute("ROLLBACK")
    base.close()
    year.settle(year.end(child))


def write_ahead_log(year):
    """Somebody has put the database into another mode."""
    base = sqlite3.connect(os.path.join(year.output, "results.sqlite"))
    base.execute("PRAGMA journal_mode = WAL")
    base.close()
    year.settle(year.run())


def night_of_the_old_version(year):
    """Put back for a night, which the new one then publishes anew."""
    year.program = year.old
    year.settle(year.run())
    year.program = None
    year.settle(year.run())


def upgrade_half_way(year):
    """The old version dies in the night, and the new one goes on; or the other way round, and back."""
    order = year.rng.choice([[year.old, year.binary], [year.binary, year.old, year.binary]])
    for program in order[:-1]:
        year.program = program
        year.spoil(some_call(year), FAULT_KILL=1)
        year.run()
        year.heal()
    year.settle(year.run())


def damaged(rng, path):
    """One way in which a file is not what it was; returns its name."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    ways = ["gone", "empty", "cut", "flipped", "zeros", "longer"]
    way = rng.choice(ways)
    if way == "gone":
        os.remove(path)
        return way
    if way == "empty":
        data = bytearray()
    elif way == "cut":
        data = data[: rng.randrange(len(data) or 1)]
    elif way == "flipped" and data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == "zeros":
        start = rng.randrange(len(data) or 1)
        data[start : start + 4096] = bytes(len(data[start : start + 4096]))
    else:
        data += b"\0" * 100
    with open(path, "wb") as file:
        file.write(data)
    return way


def state_damaged(year):
    entries = sorted(glob.glob(os.path.join(year.place, "state", "events", "*.blocks")))
    for path in year.rng.sample(entries, min(len(entries), 3)):
        year.log.append(f"{path}: {damaged(year.rng, path)}")
    if len(entries) > 4 and year.rng.random() < 0.3:
        one, two = year.rng.sample([path for path in entries if os.path.exists(path)], 2)
        shutil.copyfile(one, two)
        year.log.append(f"{two} is {one}")
    year.settle(year.run())


def state_gone(year):
    shutil.rmtree(os.path.join(year.place, "state"), ignore_errors=True)
    year.settle(year.run())


def history_damaged(year):
    path = os.path.join(year.output, "results.sqlite")
    year.log.append(f"{path}: {damaged(year.rng, path)}")
    year.settle(year.run())


def history_changed(year):
    """By somebody who thought it was theirs."""
    base = sqlite3.connect(os.path.join(year.output, "results.sqlite"))
    change = year.rng.choice([
        "DROP TABLE checks", "DELETE FROM nights WHERE night = (SELECT min(night) FROM nights)",
        "UPDATE group_metrics SET value = 1 WHERE value IS NOT NULL", "DROP TABLE nights", "DELETE FROM comparisons",
        "CREATE TABLE mine (x)", "CREATE TRIGGER t AFTER INSERT ON nights BEGIN DELETE FROM checks; END",
        "CREATE VIEW seen AS SELECT * FROM nights", "DROP VIEW daily", "DELETE FROM night_checksums",
        "UPDATE inputs_history SET until = (SELECT max(night) FROM nights) WHERE until IS NULL"])
    base.execute(change)
    base.commit()
    base.close()
    year.log.append(change)
    year.settle(year.run())


def old_backup_put_back(year):
    """The database of some nights ago, and often what tells of it beside."""
    names = ["results.sqlite"] + [".history"] * (year.rng.random() < 0.7)
    kept = {name: os.path.join(year.folder, f"backup-{year.test.name}-{name}") for name in ("results.sqlite", ".history")}
    paths = {name: os.path.join(year.output, name) for name in kept}
    if all(map(os.path.exists, kept.values())):
        for name in names:
            shutil.copyfile(kept[name], paths[name])
        for path in kept.values():
            os.remove(path)
    elif all(map(os.path.exists, paths.values())):
        for name in kept:
            shutil.copyfile(paths[name], kept[name])
    year.settle(year.run())


def seal_gone(year):
    """The small files beside the database are not there."""
    for name in (".history", "metrics.prom", "latest"):
        if year.rng.random() < 0.5 and os.path.lexists(os.path.join(year.output, name)):
            os.remove(os.path.join(year.output, name))
    year.settle(year.run())


def job_moved(year):
    """The job's folder has another path."""
    year.test.move_job()
    year.options.add("--take-over")
    year.undisturbed(year.date)
    year.options.clear()
    year.settle(year.run())


def note_left(year):
    """An analyst leaves a note in tonight's folder, and the night is published again; the power may go then."""
    year.settle(year.run())
    year.leave_a_note()
    if year.rng.random() < 0.5:
        power_cut(year)
        power_cut_after_the_end(year)
    else:
        year.settle(year.run())


DISKS = [full_disk, full_for_a_moment, bad_disk, bad_disk_of_inputs, dead_disk, disk_turns_read_only, short_write, files_limited]
ENDS = [killed_at_a_call, killed_twice, signalled, power_cut, power_cut, power_cut, power_cut_after_the_end]
CLOCKS = [clock_back, clock_goes_back_in_the_run, clock_ahead]
OTHERS = [two_hosts, reader, writer, write_ahead_log, old_and_new_at_once]
VERSIONS = [night_of_the_old_version, upgrade_half_way]
DAMAGE = [state_damaged, state_gone, history_damaged, history_changed, old_backup_put_back, seal_gone, job_moved, note_left]
KINDS = DISKS + ENDS + CLOCKS + OTHERS + VERSIONS + DAMAGE
NEED_A_HISTORY = [reader, writer, write_ahead_log, history_damaged, history_changed, old_backup_put_back, seal_gone]
NEED_AN_OLD_VERSION = [old_and_new_at_once, *VERSIONS]
