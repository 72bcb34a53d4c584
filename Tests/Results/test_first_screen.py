"""Without scrolling: what to do, in a line a group; then whether to believe it, how fresh it is, and how many users it rests on."""

import functools
import unittest

import browser
from each import each
from nights import HARD, SAMPLES

BOTTOM = "Math.round(document.querySelector({0!r})?.getBoundingClientRect().bottom ?? 1e6)"


ASKED = {"decision": "#decision", "health": "#health summary, #health .alert, #health p"}


@functools.cache
def bottoms(name):
    """Where each part ends, by part and width, in CSS pixels from the top."""
    found = {}
    for width in browser.WIDTHS:
        with browser.report(name, width=width, unfolded=False) as page:
            found |= {(part, width): page.evaluate(BOTTOM.format(selector)) for part, selector in ASKED.items()}
    return found


# Names of 54 letters and more, and three offerings, fill a phone's screen by themselves.
@each(SAMPLES + [name for name in HARD if name not in ("names", "long-names", "three-offerings")])
class FirstScreen(unittest.TestCase):
    def check_the_decision_is_on_the_first_screen(self, name):
        self.ends_in_sight("decision", name)

    def check_the_line_of_health_follows(self, name):
        self.ends_in_sight("health", name)

    def ends_in_sight(self, part, name):
        for width, height in browser.WIDTHS.items():
            self.assertLessEqual(bottoms(name)[part, width], height, f"at {width} px")
