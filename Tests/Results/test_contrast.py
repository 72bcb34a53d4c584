"""Text reaches 4.5 : 1 and every mark 3 : 1 against what lies behind it, light and dark."""

import functools
import unittest

import browser
from each import each, none
from nights import HARD, SAMPLES


@functools.cache
def faint(name):
    """Text and marks that are too faint."""
    text, marks = [], []
    for scheme in browser.SCHEMES:
        with browser.report(name, scheme=scheme) as page:
            text += [f"{scheme}: {fault}" for fault in page.evaluate("look.faintText(4.5)")]
            marks += [f"{scheme}: {fault}" for fault in page.evaluate("look.faintMarks(3)")]
    return text, marks


@each(SAMPLES + HARD)
class Contrast(unittest.TestCase):
    def check_text_can_be_read(self, name):
        text, _ = faint(name)
        none(self, text)

    def check_marks_can_be_seen(self, name):
        _, marks = faint(name)
        none(self, marks)
