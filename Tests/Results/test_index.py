"""`index.html` over all jobs and nights: the same demands as of a report, and its links open the reports."""

import os
import unittest

import browser
import nights
from each import none
from test_axe import violations
from test_layout import ASKED
from test_self_contained import ACTIVE, broken, links_of


class Index(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in nights.SAMPLES + nights.HARD:
            nights.folder(name)
        cls.path = os.path.join(nights.scratch(), "reports", "index.html")

    def test_it_fits_every_width(self):
        found = []
        for width in browser.WIDTHS:
            with browser.opened(self.path, width=width) as page:
                found += [f"{width} px: {fault}" for ask in ASKED.values() for fault in page.evaluate(ask)]
        none(self, found)

    def test_it_can_be_read_light_and_dark(self):
        found = []
        for scheme in browser.SCHEMES:
            with browser.opened(self.path, scheme=scheme) as page:
                found += [f"{scheme}: {fault}" for fault in page.evaluate("[...look.faintText(4.5), ...look.faintMarks(3)]") + violations(page)]
        none(self, found)

    def test_it_is_one_file(self):
        with browser.opened(self.path) as page:
            self.assertEqual(len(page.requested), 1, page.requested)
            self.assertFalse(page.evaluate(ACTIVE))

    def test_its_links_open_every_report(self):
        with browser.opened(self.path) as page:
            links = links_of(page)
            self.assertFalse(broken(links, self.path))
            for name in nights.SAMPLES + nights.HARD:
                link = page.locator(f"a[href^='{name}/']").first
                self.assertTrue(link.count(), f"{name} is not on the page")
            link.click()
            self.assertIn("report.html", page.url)
            self.assertTrue(page.locator("#decision").count())
