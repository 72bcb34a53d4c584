"""Right answers, each of which tells what is wrong with an outcome."""

import decimal

# Checks that say "these sums are not to be believed": none may fail where the sums are right.
MONEY_CHECKS = ["user_ids", "before_assignment", "order_items", "told_twice", "refund_exceeds_charge", "group_mismatch", "unassigned", "orphan_refund"]


def missing(words, text):
    """The words that a text lacks; a tuple is any of its words."""
    text = text.lower()
    return [word for word in words if not any(part.lower() in text for part in (word if isinstance(word, tuple) else (word,)))]


def is_same(want, have):
    if isinstance(want, (list, tuple)):
        return isinstance(have, list) and len(want) == len(have) and all(map(is_same, want, have))
    return have is not None and decimal.Decimal(want) == have


class Sums:
    """The night is published with these sums by group, and no check of `MONEY_CHECKS` fails but the named ones.

    `states`: users by state, of the groups named. `aside`: purchase rows set aside by reason, exactly these.
    `checks`: of each check the statuses one of its rows must have, and words of its message: `{"same_file": ("warn", "a.csv")}`.
    `silent`: checks that warn or fail of nothing. `tables`: of each table of the night how many rows it has, or some columns of all
    its rows, in order: `{"offers.csv": 4, "failures.csv": [{"code": "21003", "users": "2"}]}`.
    """

    def __init__(self, groups, states=None, aside=None, checks=None, silent=(), failing=(), tables=None):
        self.groups, self.states, self.aside = groups, states or {}, aside
        self.checks, self.silent, self.failing, self.tables = checks or {}, silent, failing, tables or {}

    def faults(self, outcome):
        if not outcome.is_published:
            return [f"exit {outcome.code}: {outcome.said.strip()[-300:]}"]
        found = [f"{group} {metric}: {shown(outcome.sums.get(group, {}).get(metric))} for {value}"
                 for group, values in self.groups.items() for metric, value in values.items()
                 if not is_same(value, outcome.sums.get(group, {}).get(metric))]
        found += [f"{group} states: {outcome.states.get(group, {})} for {want}"
                  for group, want in self.states.items() if outcome.states.get(group, {}) != want]
        if self.aside is not None and outcome.aside != self.aside:
            found.append(f"set aside: {outcome.aside} for {self.aside}")
        for name, want in self.tables.items():
            have = outcome.rows(name)
            have = len(have) if isinstance(want, int) else [{column: row.get(column) for column in want[0]} for row in have]
            found += [] if have == want else [f"{name}: {have} for {want}"]
        for name, (status, *words) in self.checks.items():
            found += CheckTold(name, *words, status=status).faults(outcome)
        for name in self.silent:
            found += [f"check {name} {row['status']}: {row['message']}" for row in outcome.checks(name) if row["status"] != "pass"]
        for name in MONEY_CHECKS:
            if name not in self.failing and name not in self.checks:
                found += [f"check {name} fails: {row['message']}" for row in outcome.checks(name) if row["status"] == "fail"]
        return found

    def holds_sums(self, outcome):
        return True


class CheckTold:
    """The night is published, and a check tells what is wrong: it fails (or has another `status`), with these words."""

    def __init__(self, name, *words, status="fail"):
        self.name, self.words, self.status = name, words, (status,) if isinstance(status, str) else status

    def faults(self, outcome):
        if not outcome.is_published:
            return [f"exit {outcome.code}: {outcome.said.strip()[-300:]}"]
        rows = outcome.checks(self.name)
        fitting = [row for row in rows if row["status"] in self.status]
        if not fitting:
            return [f"check {self.name}: {', '.join(sorted({row['status'] for row in rows})) or 'is not there'} for {'/'.join(self.status)}"]
        lacks = [missing(self.words, row["subject"] + " " + row["message"]) for row in fitting]
        return [] if [] in lacks else [f"check {self.name} lacks {lacks[0]}: {fitting[0]['message'][:300]}"]

    def holds_sums(self, outcome):
        return True


class AnyCheck(CheckTold):
    """The night is published, and some check that warns or fails has these words."""

    def __init__(self, *words):
        super().__init__("*", *words, status=("warn", "fail"))

    def faults(self, outcome):
        if not outcome.is_published:
            return [f"exit {outcome.code}: {outcome.said.strip()[-300:]}"]
        messages = [row["subject"] + " " + row["message"] for row in outcome.rows("checks.csv") if row["status"] in self.status]
        return [] if any(not missing(self.words, text) for text in messages) else [f"no check tells of {self.words}: {told(outcome)}"]


class Refusal:
    """Nothing is published, and what is said holds these words; `code` is the exit code where there is but one."""

    def __init__(self, *words, code=(65, 66, 74, 75, 78)):
        self.words, self.codes = words, (code,) if isinstance(code, int) else code

    def faults(self, outcome):
        if outcome.is_published:
            return [f"not refused: {told(outcome)}"]
        if outcome.code not in self.codes:
            return [f"exit {outcome.code}: {outcome.said.strip()[-300:]}"]
        lacking = missing(self.words, outcome.said)
        return [f"exit {outcome.code} lacks {lacking}: {outcome.said.strip()[-500:]}"] if lacking else []

    def holds_sums(self, outcome):
        return False


class Either:
    """Any of several answers is honest."""

    def __init__(self, *answers):
        self.answers = answers

    def faults(self, outcome):
        found = [answer.faults(outcome) for answer in self.answers]
        return [] if [] in found else [" | ".join("; ".join(faults) for faults in found)]

    def holds_sums(self, outcome):
        return outcome.is_published


class Looked:
    """What `check` says, in place of a run: these words, and whether the job will run."""

    def __init__(self, *words, runs=False):
        self.words, self.runs = words, runs

    def faults(self, outcome):
        lacking = missing(self.words, outcome.said)
        found = [f"check ends with {outcome.code}, lacks {lacking}: {outcome.said.strip()[-400:]}"] if lacking else []
        promised = "This job will run." in outcome.said
        return found if promised == self.runs else [*found, f"check {'says' if promised else 'does not say'} that this job will run"]


class Init:
    """What `init` makes of files: a job whose sums are right once its windows are off, or a question with these words.

    `arguments` are those of `init`; `asks` the words of an honest question; `answer` what the job's run is held to, None where
    only a question is right. `says` must be said beside a job that is written, `writes` stand in it, `never` must not.
    """

    def __init__(self, *arguments, answer=None, asks=(), says=(), writes=(), never=()):
        self.arguments, self.answer, self.asks = arguments, answer, asks
        self.says, self.writes, self.never = says, writes, never


def shown(value):
    if isinstance(value, list):
        return [shown(part) for part in value]
    return value if value is None or isinstance(value, int) else format(value.normalize(), "f")


def told(outcome):
    """A night in a line: groups' sums, what was set aside, failed checks."""
    sums = {group: {name: shown(value) for name, value in values.items() if name in ("users", "charges", "revenue_net")}
            for group, values in outcome.sums.items()}
    failed = [row["check"] for row in outcome.rows("checks.csv") if row["status"] == "fail"]
    return f"{sums}, set aside {outcome.aside}, failed {failed}"
