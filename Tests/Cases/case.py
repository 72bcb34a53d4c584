"""What a case is: a function that writes a job and its inputs into a folder, and returns the right answer."""

import dataclasses
from typing import Any, Callable

CASES = []


@dataclasses.dataclass(frozen=True)
class Case:
    """`family` is the file it stands in, `area` the part of the product that answers for it; `source` the report or page it was made
    after."""

    name: str
    family: str
    area: str
    story: str
    source: str
    make: Callable[[Any], Any]

    def write(self, folder):
        return self.make(folder)


def case(area, source, each=None):
    """Registers the function below it; with `each` one case a name, whose value the function takes as well."""
    def register(function):
        family = function.__module__.removeprefix("cases_")
        story = " ".join(function.__doc__.split())
        if each is None:
            CASES.append(Case(function.__name__, family, area, story, source, function))
            return function
        for name, value in each.items():
            make = lambda folder, value=value: function(folder, value)  # noqa: E731
            CASES.append(Case(f"{function.__name__}__{name}", family, area, story, source, make))
        return function
    return register
