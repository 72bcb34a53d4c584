"""What the other tests ask of a page, asked of pages with one fault each: it has to be found, and nothing else."""

import os
import unittest

import browser
import nights
from test_axe import violations

PLAIN = "<h1>Lifts</h1><p>All is well.</p>"
SVG = '<svg width="200" height="60" viewBox="0 0 200 60" role="img" aria-label="drawing">{}</svg>'
FAULTS = {
    "overflowing": "<div style='width: 2000px'>wide</div>",
    "cutOff": "<div style='width: 40px; overflow: hidden; white-space: nowrap'>a long sentence in a narrow box</div>",
    "brokenWords": "<p style='width: 30px; overflow-wrap: anywhere'>difference</p>",
    "overlapping": SVG.format("<text x='10' y='20'>control</text><text x='20' y='22'>group_a</text>"),
    "smallText(11)": "<svg width='100' viewBox='0 0 200 60'><text x='10' y='20' font-size='16'>half as high</text></svg>",
    "faintText(4.5)": "<p style='color: #999'>faint</p>",
    "faintMarks(3)": SVG.format("<rect x='10' y='10' width='30' height='30' fill='#ccc'/>"),
}


class Look(unittest.TestCase):
    def seen(self, body):
        """The questions that find a fault in a body."""
        path = os.path.join(nights.scratch(), "fault.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"<!DOCTYPE html><html lang='en'><title>fault</title><body><main>{PLAIN}{body}</main></body></html>")
        with browser.opened(path, width=390) as page:
            return {ask for ask in FAULTS if page.evaluate("look." + (ask if "(" in ask else ask + "()"))}

    def test_a_plain_page_has_no_fault(self):
        self.assertEqual(self.seen(""), set())

    def test_each_fault_is_found(self):
        for ask, body in FAULTS.items():
            self.assertIn(ask, self.seen(body))

    def test_a_label_on_a_dark_bar_needs_light_ink(self):
        bar = "<rect width='200' height='40' fill='#123'/><text x='10' y='20' fill='{}'>label</text>"
        self.assertIn("faintText(4.5)", self.seen(SVG.format(bar.format("black"))))
        self.assertEqual(self.seen(SVG.format(bar.format("white"))), set())

    def test_axe_finds_a_picture_without_a_name(self):
        path = os.path.join(nights.scratch(), "unnamed.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><html lang='en'><title>unnamed</title><main><h1>Lifts</h1><svg role='img'></svg></main></html>")
        with browser.opened(path) as page:
            self.assertTrue(any("svg-img-alt" in fault for fault in violations(page)))
