"""The first screen in plain words, over the samples' jobs and the hard worlds; random worlds are held to it in Tests/Worlds."""

import unittest

import browser
import nights
import plain_words
from each import each, none
from nights import HARD, SAMPLES

# Pages whose names alone are longer than a sentence may be.
LONG = ("names", "long-names")
SCREENS = 3


@each(SAMPLES + [name for name in HARD if name not in LONG])
class Words(unittest.TestCase):
    def check_every_call_is_short_and_plain(self, name):
        none(self, list(plain_words.call_faults(nights.folder(name))))


@each(SAMPLES)
class Length(unittest.TestCase):
    def check_three_phone_screens_unopened(self, name):
        with browser.report(name, width=390, unfolded=False) as page:
            self.assertLessEqual(page.evaluate("document.documentElement.scrollHeight"), SCREENS * browser.WIDTHS[390])

    def check_all_of_it_is_found_by_opening(self, name):
        with browser.report(name, width=390, unfolded=False) as page:
            found = page.locator(".fold > summary h2").all_inner_texts()
        self.assertIn("How large is the difference?", found)
        self.assertTrue(all(text.endswith("?") or text == "Your questions" for text in found), found)

    def check_every_table_has_a_caption(self, name):
        with browser.report(name) as page:
            self.assertEqual(page.evaluate("[...document.querySelectorAll('table')].filter((table) => !table.caption?.innerText.trim()).length"), 0)

    def check_no_text_is_smaller_than_12_pixels(self, name):
        with browser.report(name) as page:
            found = page.evaluate("""() => [...document.querySelectorAll("table *, svg text, .plot *")]
              .filter((part) => part.textContent.trim() && part.checkVisibility() && parseFloat(getComputedStyle(part).fontSize) < 11.95)
              .map((part) => part.textContent.trim().slice(0, 40))""")
        none(self, found)
