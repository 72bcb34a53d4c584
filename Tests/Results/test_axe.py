"""axe-core finds no violation, light and dark."""

import importlib.resources
import unittest

import browser
from each import each, none
from nights import HARD, SAMPLES

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")



def violations(page, contrast=True):
    """What axe-core finds; its rule of contrast takes far longer than all others together."""
    page.evaluate(AXE)
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": contrast}}}
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [f"{rule['id']}: {rule['help']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


@each(SAMPLES + HARD)
class Axe(unittest.TestCase):
    def check_axe_finds_nothing_in_the_unfolded_page(self, name):
        with browser.report(name) as page:
            none(self, violations(page, contrast=False))


@each(SAMPLES)
class AxeContrast(unittest.TestCase):
    def check_axe_finds_nothing_light_and_dark(self, name):
        for scheme in browser.SCHEMES:
            with browser.report(name, scheme=scheme, unfolded=False) as page:
                none(self, violations(page))
