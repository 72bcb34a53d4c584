"""What an operator does after a message, and nothing else: the action is the message's own words.

A message that no line of `ADVICE` knows is a failure of the program: nobody could have told what to do.
"""

import re
import signal


class NoAdvice(AssertionError):
    """A run that failed, and did not say what to do."""


def heal(year, _):
    """The disk has room again, or is well, or writable: whatever spoiled it is over."""
    year.heal()


def wait(year, _):
    year.wait_for_others()


def type_it(year, found):
    """A command out of the message, typed as it stands there."""
    year.type_command(found["command"])


def take_over(year, _):
    year.options.add("--take-over")


ADVICE = [
    (r"Wait for it to end and run again\.", wait),
    (r"(Close it|Run again once that has ended)", wait),
    (r"make it again from the nights' folders: (?P<command>offerlift rebuild .+?)\.?$", type_it),
    (r"take it out here: (?P<command>sqlite3 .+?)\.?$", type_it),
    (r"(Remove it|remove it): (?P<command>rm .+?)\.?$", type_it),
    (r"run it once with --take-over", take_over),
    (r"Free space there and run again\.", heal),
    (r"Allow larger files \(ulimit -f\) and run again\.", heal),
    (r"Allow more: ulimit -f \d+\.", heal),
    (r"Run again when the disk is well\.", heal),
    (r"Until the next run ends this", heal),
    (r"Make the file and its folder writable", heal),
    (r"Give a folder that can be written", heal),
    (r"check the path and its rights", heal),
    (r"cannot be looked into\. Make it readable", heal),
    (r"Run again\.$", heal),
]
ENDED_BY = {-signal.SIGKILL, -signal.SIGTERM}


def follow(ran, year):
    """Does what the run's message says; a run that a signal ended says nothing, and is begun again."""
    if ran.code in ENDED_BY:
        year.heal()
        return "run again"
    text = ran.err.strip()
    for pattern, action in ADVICE:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            action(year, found)
            return pattern
    raise NoAdvice(f"left with {ran.code} and says no word of what to do: {text[-500:]!r}")


def warned(ran, year):
    """What a run that has published advises beside; the operator does that, too."""
    found = re.search(r"Then remove it: (?P<command>rm .+?)$", ran.err, re.MULTILINE)
    if found:
        year.type_command(found["command"])
    return found is not None
