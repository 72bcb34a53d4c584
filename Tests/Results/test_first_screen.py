"""Without scrolling: what to do, in a line a group; then whether to believe it, how fresh it is, and how many users it rests on."""

import unittest

import browser
from each import each
from nights import HARD, SAMPLES

BOTTOM = "Math.round(document.querySelector({0!r})?.getBoundingClientRect().bottom ?? 1e6)"


# Names of 54 letters and more, and three offerings, fill a phone's screen by themselves.
@each(SAMPLES + [name for name in HARD if name not in ("names", "long-names", "three-offerings")])
class FirstScreen(unittest.TestCase):
    def check_the_decision_is_on_the_first_screen(self, name):
        for width, height in browser.WIDTHS.items():
            with browser.report(name, width=width, unfolded=False) as page:
                self.assertLessEqual(page.evaluate(BOTTOM.format("#decision")), height, f"at {width} px")

    def check_the_line_of_health_follows(self, name):
        for width, height in browser.WIDTHS.items():
            with browser.report(name, width=width, unfolded=False) as page:
                self.assertLessEqual(page.evaluate(BOTTOM.format("#health summary, #health .alert, #health p")), height, f"at {width} px")
