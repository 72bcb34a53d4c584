"""`@each(names)`: makes of every method `check_…(self, name)` of a test class one test a name; `none` is their assertion."""

import functools


def each(names):
    def spread(case):
        for attribute in [name for name in vars(case) if name.startswith("check_")]:
            check = getattr(case, attribute)
            for name in names:
                test = functools.partialmethod(check, name)
                setattr(case, f"test_{attribute[6:]}__{name.replace('-', '_')}", test)
        return case
    return spread


def none(case, faults, limit=12):
    """Fails a test with the first faults, a line each, and how many more there are."""
    lines = [str(fault) for fault in faults[:limit]]
    if len(faults) > limit:
        lines.append(f"… and {len(faults) - limit} more")
    if lines:
        case.fail("\n".join([f"{len(faults)} faults:", *lines]))
