"""With the keyboard alone: Tab reaches everything that can be used, in order and in sight; Enter opens what is folded."""

import unittest

import browser
from each import each, none
from nights import HARD, SAMPLES

MARK = """() => { const all = [...document.querySelectorAll("a[href], summary, button, input, select, textarea, [tabindex]:not([tabindex='-1'])")]
  .filter((element) => element.checkVisibility()); all.forEach((element, index) => element.dataset.stop = index); return all.map(look.called); }"""
FOCUS = """() => { const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  return {stop: at.dataset.stop ?? null, called: look.called(at), inSight: box.width > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0,
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1 || style.boxShadow !== "none"}; }"""


@each(SAMPLES + HARD)
class Keyboard(unittest.TestCase):
    def check_tab_reaches_everything_in_order(self, name):
        with browser.report(name) as page:
            stops, found = page.evaluate(MARK), []
            for number, stop in enumerate(stops):
                page.keyboard.press("Tab")
                focus = page.evaluate(FOCUS)
                if focus["stop"] != str(number):
                    found.append(f"Tab {number + 1} reaches {focus['called']}, not {stop}")
                    break
                found += [f"{focus['called']} is not {what}" for what, holds in (("in sight", focus["inSight"]), ("outlined", focus["outlined"])) if not holds]
        none(self, found)

    def check_enter_opens_and_closes_what_is_folded(self, name):
        with browser.report(name, unfolded=False) as page:
            folded = page.locator("details:not([open]) > summary:visible")
            self.assertTrue(folded.count(), "nothing is folded")
            folded.first.focus()
            opened = "document.activeElement.parentElement.open"
            page.keyboard.press("Enter")
            self.assertTrue(page.evaluate(opened))
            page.keyboard.press("Enter")
            self.assertFalse(page.evaluate(opened))

    def check_the_first_tab_leads_past_the_head(self, name):
        with browser.report(name, unfolded=False) as page:
            page.keyboard.press("Tab")
            target = page.evaluate("document.activeElement.hash")
            page.keyboard.press("Enter")
            self.assertTrue(target and page.locator(target).count(), "the first Tab finds no link to the content")
            self.assertTrue(page.url.endswith(target))
