"""At every width, and on paper, nothing is cut off, covered, too wide or too small."""

import functools
import unittest

import browser
from each import each, none
from nights import HARD, SAMPLES

LEAST_TEXT = 11  # CSS pixels, as rendered


ASKED = {"sideways": "look.overflowing()", "cut off": "look.cutOff()", "covered": "look.overlapping()",
         "broken": "look.brokenWords()", "small": f"look.smallText({LEAST_TEXT})"}


@functools.cache
def looked_at(name):
    """What is wrong with a page, by question, at all widths."""
    faults = {question: [] for question in ASKED}
    for width in browser.WIDTHS:
        with browser.report(name, width=width) as page:
            for question, ask in ASKED.items():
                faults[question] += [f"{width} px: {fault}" for fault in page.evaluate(ask)]
    return faults


@each(SAMPLES + HARD)
class Layout(unittest.TestCase):
    def check_nothing_scrolls_sideways(self, name):
        none(self, looked_at(name)["sideways"])

    def check_no_text_is_cut_off(self, name):
        none(self, looked_at(name)["cut off"])

    def check_no_word_and_no_figure_is_broken(self, name):
        none(self, looked_at(name)["broken"])

    def check_labels_of_drawings_keep_apart(self, name):
        none(self, looked_at(name)["covered"])

    def check_text_is_large_enough(self, name):
        none(self, looked_at(name)["small"])
