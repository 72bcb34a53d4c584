"""changes.csv: why a night's primary metrics are not those of the night before, each part recomputed user by user.

    python3 changes.py --binary PATH [--seed N] [--count N] [--keep DIR]

A world is published on two nights. Between them files arrive late, are rewritten or appended to, or the job changes;
then the parts must add up to the difference of the two nights' tables, and each must be what its users say.
"""

import os
import random
import shutil
import sys
from collections import defaultdict
from fractions import Fraction

import model
import seeds
from attribution import attribute
from facts import Notices, read_assignments, read_catalog, read_events, read_products, read_rates
from identities import read_identities
from containers import is_plain
from late_files import late_differences, restated_differences
from layout import write_world, yaml_text
from metrics import Tables, cap_level, histories_of, kind_of_metric, metric_id, scale_of, user_values
from model import safe_cell
from product import results_folder, run_product, table
from values import DAY, rfc3339, round_half_even, time_millis
from worlds import make_world

PAST = ["corrected_rows", "changed_job", "changed_past", "late_rows"]
LATER = ["moved_cap", "new_users", "windows_ended", "multiple_groups", "later_events", "refunds"]
HAPPENED = ["nothing", "late", "rewritten", "grown", "job", "late and job"]
REFUNDS = ("refund", "refund_reversal")


class Users:
    """The members at a cut-off and their histories, unwanted events left out before anything is made of them."""

    def __init__(self, job, folder, cutoff, is_unwanted=lambda event: False, known=None):
        """`known` are the identities that name both nights' users: an id that is told later makes nobody another."""
        accounts, notices = {}, Notices()
        names = read_catalog(job, folder)
        assignments = read_assignments(job, folder, accounts, names, notices)
        events = [event for event in read_events(job, folder, accounts, notices) if not is_unwanted(event)]
        identities = read_identities(job, folder, notices, cutoff)
        for row in [*assignments, *events]:
            row.user = identities.of(row.user)
        self.seen = {row.user for row in [*assignments, *events] if row.at < cutoff}
        attributed = attribute(job, assignments, events, read_rates(job, folder), cutoff)
        self.cutoff, self.members, self.known = cutoff, attributed.members, known or identities
        self.histories = histories_of(attributed, Tables(read_products(job, folder), names["type"], names["default"], job.get("trial")), cutoff)

    def values(self, metric, offering):
        """`(user, group) → (y, x, start)` of those who count, no cap that waits for others applied."""
        members = [member for member in self.members if member.offering == offering]
        plain = {key: value for key, value in metric.items() if key != "cap" or "value" in value}
        found, _ = user_values(plain, offering, self.histories, members, self.cutoff)
        return {(self.known.of(value.member.user), value.member.group): (value.y, value.x, value.member.at) for value in found}


def later_parts(metric, offering, then, now, unrefunded):
    """`(group, part) → [users, y, x]` from the earlier cut-off to the later one, as the product documents the way."""
    is_percentile = "percentile" in metric.get("cap", {})
    before, after, between = (users.values(metric, offering) for users in (then, now, unrefunded))
    level = lambda values: cap_level(metric, [y for y, _, _ in values.values()]) if is_percentile else None
    old, new = level(before), level(after)
    cut = lambda y, at: y if at is None else min(y, at)
    starts = {(now.known.of(member.user), member.group): member.at for member in now.members if member.offering == offering}
    parts = defaultdict(lambda: [0, 0, 0])

    def add(group, part, users, y, x):
        for place, amount in enumerate((users, y, x)):
            parts[group, part][place] += amount

    for key in set(before) | set(after):
        group = key[1]
        if key in before:
            y, x, _ = before[key]
            add(group, "moved_cap", 0, cut(y, new) - cut(y, old), 0)
        if key in before and key in after:
            y1, x1, _ = after[key]
            yb, xb, _ = between.get(key, after[key])
            add(group, "later_events", 0, cut(yb, new) - cut(y, new), xb - x)
            add(group, "refunds", 0, cut(y1, new) - cut(yb, new), x1 - xb)
        elif key in after:
            y1, x1, _ = after[key]
            add(group, "new_users" if starts[key] >= then.cutoff else "windows_ended", 1, cut(y1, new), x1)
        else:
            add(group, "multiple_groups", -1, -cut(y, new), -x)
    return parts


def sums_of(folder):
    """`(offering, group, metric) → (kind, scale, n, sum_y, sum_x)` of everybody."""
    return {
        (row["offering_id"], row["test_group_id"], row["metric"]):
            (row["kind"], int(row["scale"]), int(row["n"]), int(row["sum_y"]), int(row["sum_x"] or 0))
        for row in table(folder, "sufficient_statistics.csv") if row["segment"] == "all"
    }


def told_parts(folder):
    """`(offering, group, metric) → part → row`."""
    told = defaultdict(dict)
    for row in table(folder, "changes.csv"):
        told[row["offering_id"], row["test_group_id"], row["metric"]][row["part"]] = row
    return told


def units(text, scale):
    """A printed sum in the sums' units."""
    return int(Fraction(text) * scale)


def value_micros(kind, scale, n, y, x):
    below = x if kind == "ratio" else n
    return round_half_even(Fraction(y * 1_000_000, scale * below)) if below else None


def sum_differences(key, parts, old, new):
    """Do the parts add up to what the two nights published?"""
    kind, scale, *_ = new or old
    users = sum(int(row["users_change"]) for row in parts.values())
    y = sum(units(row["numerator_change"], scale) for row in parts.values())
    below = sum(int(row["denominator_change"]) for row in parts.values())
    one, other = ((entry[2:] if entry and entry[:2] == (kind, scale) else (0, 0, 0)) for entry in (old, new))
    wanted = [b - a for a, b in zip(one, other)]
    if [users, y] != wanted[:2] or below != wanted[2 if kind == "ratio" else 0]:
        yield f"changes {key}: the parts come to {users} users, {y}, {below}; the nights differ by {wanted}"
    before, now = (value_micros(kind, scale, *entry) for entry in (one, other))
    row = next(iter(parts.values()))
    for name, value in (("previous_value", before), ("value", now)):
        if row[name] != ("" if value is None else money(value)):
            yield f"changes {key}: {name} is {row[name]}, not {value}"
    moved = [row["value_change"] for row in parts.values()]
    if before is None or now is None:
        if any(moved):
            yield f"changes {key}: a change of no value is told as {moved}"
    elif sum(units(text, 1_000_000) for text in moved) != now - before:
        yield f"changes {key}: values move by {moved}, from {before} to {now}"


def money(micros):
    sign, micros = ("-" if micros < 0 else ""), abs(micros)
    return f"{sign}{micros // 1_000_000}.{micros % 1_000_000:06d}"


def part_differences(key, parts, wanted, kind, scale):
    """Is each part what its users say?"""
    for part, (users, y, x) in wanted.items():
        row = parts.get(part)
        found = [0, 0, 0] if row is None else [
            int(row["users_change"]), units(row["numerator_change"], scale),
            int(row["denominator_change"]) if kind == "ratio" else x]
        if found != [users, y, x]:
            yield f"changes {key}: {part} is {found}, its users say {[users, y, x]}"


class Yesterday:
    """The night before: a cut-off, and what its files and its job were like."""

    def __init__(self, world, folder, rng):
        self.folder, self.rng = folder, rng
        self.cutoff = world.cutoff_millis - rng.choice([1, 1, 2, 5]) * DAY - rng.choice([0, 0, 1, 3_600_000])
        self.kept = os.path.join(folder, "kept")
        self.data = os.path.join(folder, "data")
        self.job = dict(world.full_job())
        self.happened = HAPPENED[world.seed % len(HAPPENED)]

    def put(self):
        """Makes the files and the job those of the night before."""
        shutil.copytree(self.data, self.kept)
        done = set()
        if "late" in self.happened:
            self.hide() and done.add("late")
        if "rewritten" in self.happened:
            self.rewrite() and done.add("rewritten")
        if "grown" in self.happened:
            self.shorten() and done.add("late")
        if "job" in self.happened:
            self.job["multiple_groups"] = "first" if self.job.get("multiple_groups") != "first" else "exclude"
            done.add("job")
        self.write_job(self.job)
        return done

    def restore(self, job):
        shutil.rmtree(self.data)
        os.rename(self.kept, self.data)
        self.write_job(job)

    def write_job(self, job):
        with open(os.path.join(self.folder, "job.yml"), "w", encoding="utf-8") as file:
            file.write(yaml_text(job))

    def shards(self):
        """Files of the sources by source; side tables have no number in their names."""
        found = defaultdict(list)
        for name in sorted(os.listdir(self.data)):
            source, dash, number = name.partition(".")[0].rpartition("-")
            if dash and number.isdigit():
                found[source].append(os.path.join(self.data, name))
        return found

    def hide(self):
        several = [shards for shards in self.shards().values() if len(shards) > 1]
        for shards in several:
            for path in self.rng.sample(shards, self.rng.randrange(1, len(shards))):
                os.remove(path)
        return bool(several)

    def plain(self):
        """Text files of more than two lines without quotes that could hold line ends."""
        for path in (path for shards in self.shards().values() for path in shards):
            with open(path, "rb") as file:
                data = file.read()
            if data[:6] != b"SQLite" and is_plain(data) and data.count(b"\n") > 2:
                yield path, data

    def rewrite(self):
        found = list(self.plain())
        for path, data in found:
            lines = data.splitlines(keepends=True)
            gone = self.rng.randrange(1, len(lines) - 1)  # without the last it would be a file that has grown
            with open(path, "wb") as file:
                file.write(b"".join(lines[:gone] + lines[gone + 1 :]))
        return bool(found)

    def shorten(self):
        found = list(self.plain())
        for path, data in found:
            lines = data.splitlines(keepends=True)
            with open(path, "wb") as file:
                file.write(b"".join(lines[: self.rng.randrange(1, len(lines))]))
        return bool(found)


def has_sums(metric):
    return kind_of_metric(metric["name"]) not in ("survival", "quantile")


def world_of(seed):
    """A world all of whose metrics with sums are primary; every other one keeps what its files held."""
    world = make_world(seed)
    world.job = world.job | {"metrics": [
        metric | {"primary": True} if has_sums(metric) else metric
        for metric in world.job["metrics"]
    ]}
    if seed % 2:
        world.job["state"] = {"path": "state"}
    world.cutoff_millis = time_millis(world.as_of)
    return world


def published(binary, world, folder, as_of):
    done = run_product(binary, os.path.join(folder, "job.yml"), as_of, os.path.join(folder, "out"))
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-400:]}")
    return results_folder(os.path.join(folder, "out"), world.job["job"], as_of)


def change_differences(binary, world, folder):
    """How a world's second night tells of its first, held to the users of both."""
    rng = random.Random(world.seed)
    write_world(world, folder, rng)
    yesterday = Yesterday(world, folder, rng)
    as_of = rfc3339(yesterday.cutoff)
    done = yesterday.put()
    try:
        night_before = published(binary, world, folder, as_of)
        first = sums_of(night_before)
    except AssertionError:
        return ["skipped"]  # what was left of the files is no night: a column is missing, a job's baseline has nobody
    job = world.full_job()
    yesterday.restore(job)
    results = published(binary, world, folder, world.as_of)
    second, told = sums_of(results), told_parts(results)
    found = list(night_differences(world, folder, yesterday, first, second, told, done))
    return found + list(file_differences(world, folder, yesterday, night_before, results))


def file_differences(world, folder, yesterday, night_before, results):
    """The files that came late, and the night before as it would be today, where nobody was two customers."""
    job = world.full_job()
    now = Users(job, folder, world.cutoff_millis)
    if have_merged(Users(job, folder, yesterday.cutoff, known=now.known), now):
        return
    yield from late_differences(job, folder, yesterday.cutoff, night_before, results)
    counted = model.run(job, folder, rfc3339(yesterday.cutoff)).statistics
    yield from restated_differences(results, counted, value_micros)


def night_differences(world, folder, yesterday, first, second, told, done):
    job = world.full_job()
    metrics = {metric_id(metric): metric for metric in job["metrics"] if has_sums(metric)}
    now = Users(job, folder, world.cutoff_millis)
    then = Users(job, folder, yesterday.cutoff, known=now.known)
    is_refund = lambda event: event.type in REFUNDS and yesterday.cutoff <= event.at < world.cutoff_millis
    unrefunded = Users(job, folder, world.cutoff_millis, is_refund)
    counted = model.run(job, folder, rfc3339(yesterday.cutoff)).statistics
    has_merged = have_merged(then, now)
    for offering in {member.offering for member in [*then.members, *now.members]} if not has_merged else ():
        for name, metric in metrics.items():
            parts = later_parts(metric, offering, then, now, unrefunded)
            for group in {group for group, _ in parts}:
                key = (safe_cell(offering), safe_cell(group), safe_cell(name))
                wanted = {part: parts[group, part] for part in LATER if (group, part) in parts}
                yield from part_differences(
                    key, told[key], wanted, kind_of_metric(metric["name"]), scale_of(metric["name"]))
    for key in sorted((set(first) | set(second)) & {key for key in set(first) | set(second) if key[2] in map(safe_cell, metrics)}):
        old, new = first.get(key), second.get(key)
        if key not in told:
            yield f"changes {key}: nothing is told"
            continue
        yield from sum_differences(key, told[key], old, new)
        if has_merged:
            continue
        yield from past_differences(key, told[key], old, counted.get((*key[:2], "all", key[2])), done)


def have_merged(then, now):
    """Whether somebody measured was two customers of whom rows told yesterday: whose change is whose part?

    The past is counted as it is known today, and what the other one had done may leave its user out.
    """
    members = {now.known.of(member.user) for member in [*then.members, *now.members]}
    ones = [one for one in map(now.known.of, then.seen) if one in members]
    return len(set(ones)) < len(ones)


def past_differences(key, parts, old, counted, done):
    """What came of the past is told under the one name that it has."""
    may = {"late": {"late_rows"}, "rewritten": {"corrected_rows"}, "job": {"changed_job"}}
    allowed = set().union(*(may[what] for what in done))
    for part in PAST:
        row = parts.get(part)
        if row and part not in allowed and (int(row["users_change"]) or Fraction(row["numerator_change"])):
            yield f"changes {key}: {part} is told after {sorted(done) or 'nothing'}: {row['users_change']}, {row['numerator_change']}"
    scale = old[1] if old else 1_000_000
    if old is None or counted is None:
        return
    users = sum(int(parts[part]["users_change"]) for part in PAST if part in parts)
    y = sum(units(parts[part]["numerator_change"], scale) for part in PAST if part in parts)
    if (users, y) != (counted["n"] - old[2], counted["sum_y"] - old[3]):
        yield f"changes {key}: the past moved by {users}, {y}, not {counted['n'] - old[2]}, {counted['sum_y'] - old[3]}"


def check_seed(binary, seed, folder):
    """How the changes of one world differ from what its users say."""
    return change_differences(binary, world_of(seed), folder)


def main():
    chosen = seeds.chosen_by(__doc__, 30)
    failed, skipped = 0, 0
    for seed, found in seeds.checked(chosen, check_seed, "change"):
        skipped += found == ["skipped"]
        if found and found != ["skipped"]:
            failed += 1
            seeds.tell(f"seed {seed} ({HAPPENED[seed % len(HAPPENED)]})", found)
    print(f"{skipped} without a first night")
    passed = chosen.count - failed - skipped
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and not failed else 1)


if __name__ == "__main__":
    main()
