"""A section of a page of `jobs/` that a program writes, between two comments."""

import os

import nights


class Section:
    """The section between `first` and `last`, lines of the page `name`."""

    def __init__(self, name, first, last):
        self.path = os.path.join(nights.ROOT, "jobs", name)
        self.first, self.last = first, last

    def page(self):
        """The whole page."""
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def written(self):
        """What stands there."""
        return self._parts()[1]

    def after(self):
        """What follows it."""
        return self._parts()[2]

    def write(self, text):
        """Puts `text` there, and leaves all else as it is."""
        before, _, after = self._parts()
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(before + self.first + text + self.last + after)

    def _parts(self):
        before, rest = self.page().split(self.first)
        return before, *rest.split(self.last)
