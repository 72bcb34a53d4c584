"""What `explain` says of some users' values, against the model's: the run's own way, user by user."""

import json
import random
import subprocess
from fractions import Fraction

from metrics import metric_id, scale_of, underlying, user_values
from values import time_millis

USERS = 2


def explained_differences(binary, world, folder, outcome):
    """Of two members of the world in `folder`, whom the model's outcome has values of."""
    members = sorted(outcome.attributed.members, key=lambda member: (str(member.user), str(member.offering)))
    users = sorted({str(member.user) for member in members if str(member.user).strip()})
    for user in random.Random(world.seed).sample(users, min(USERS, len(users))):
        command = [binary, "explain", f"{folder}/job.yml", f"--user={user}", "--as-of", world.as_of, "--format", "json"]
        done = subprocess.run(command, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            yield f"explain {user!r}: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}"
            continue
        said = {(one["offering"], one["group"]): one for one in json.loads(done.stdout, parse_float=Fraction)["offerings"]}
        for member in (member for member in members if str(member.user) == user):
            yield from (f"explain {user!r}: {line}" for line in unlike(said, member, world, outcome))


def unlike(said, member, world, outcome):
    place = str(member.offering), str(member.group)
    if place not in said:
        yield f"no place in {place}; there are {list(said)}"
        return
    values = {value["metric"]: value for value in said[place]["values"]}
    for metric in world.full_job()["metrics"]:
        if metric["name"] == "retention":
            continue
        plain = {key: value for key, value in underlying(metric).items() if key not in ("cap", "covariate")}
        found, _ = user_values(plain, member.offering, outcome.histories, [member], time_millis(world.as_of))
        told = values.get(metric_id(metric))
        if told is None:
            yield f"nothing of {metric_id(metric)}"
        elif not found:
            if told.get("numerator") is not None:
                yield f"{metric_id(metric)}: {told['numerator']} before its window has ended"
        elif "cap" not in metric:
            expected = Fraction(found[0].y, scale_of(plain["name"]))
            if told.get("numerator") is None or Fraction(told["numerator"]) != expected:
                yield f"{metric_id(metric)} = {told.get('numerator')}, model {expected}"
            if told["kind"] == "ratio" and Fraction(told["denominator"]) != found[0].x:
                yield f"{metric_id(metric)} has a denominator of {told['denominator']}, model {found[0].x}"
