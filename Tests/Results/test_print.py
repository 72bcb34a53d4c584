"""On paper: A4, at most four pages for the samples' jobs, the decision on the first, nothing outside the page."""

import re
import unittest

import pypdfium2

import browser
from each import each, none
from nights import HARD, SAMPLES

MOST_PAGES = 4
A4 = (595, 842)  # points


def words(text):
    return re.sub(r"\s+", "", text)


def printed(name):
    """The text of each page of the PDF, and their sizes in points."""
    with browser.report(name, unfolded=False) as page:
        document = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True, format="A4"))
        decision = page.locator("#decision").inner_text() if page.locator("#decision").count() else None
    return [sheet.get_textpage().get_text_range() for sheet in document], [sheet.get_size() for sheet in document], decision


@each(SAMPLES + HARD)
class Print(unittest.TestCase):
    def check_paper_cuts_nothing_off(self, name):
        with browser.report(name, width=browser.PAPER[0], unfolded=False, print_media=True) as page:
            page.set_viewport_size({"width": round(browser.PAPER[0] - page.evaluate("look.sideMargins()")), "height": browser.PAPER[1]})
            found = page.evaluate("[...look.overflowing(), ...look.cutOff(), ...look.overlapping()]")
        none(self, found)


@each(SAMPLES)
class SixPrinted(unittest.TestCase):
    def check_print_takes_two_to_four_pages(self, name):
        texts, sizes, decision = printed(name)
        self.assertTrue(all(abs(w - A4[0]) < 2 and abs(h - A4[1]) < 2 for w, h in sizes), sizes)
        self.assertLessEqual(len(texts), MOST_PAGES)
        self.assertTrue(all(words(text) for text in texts), "a page is empty")

    def check_the_first_page_tells_the_decision(self, name):
        texts, _, decision = printed(name)
        self.assertIsNotNone(decision, "there is no element with id=decision")
        for line in filter(None, map(words, decision.splitlines())):
            self.assertIn(line, words(texts[0]))
