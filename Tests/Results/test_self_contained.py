"""The page is one file: no script, nothing fetched, every link leads somewhere from a file share, and it stays small."""

import os
import unittest
import urllib.parse

import browser
import nights
from each import each, none
from nights import HARD, SAMPLES

MOST_BYTES = 1_000_000
ACTIVE = """[...document.querySelectorAll("script, iframe, object, embed, link, base, meta[http-equiv]:not([http-equiv=Content-Security-Policy]), form")].map(look.called)
  .concat([...document.querySelectorAll("*")].filter((element) => [...element.attributes].some(({name, value}) =>
    name.startsWith("on") || /^\\s*javascript:/i.test(value))).map(look.called))
  .concat([...document.querySelectorAll("style")].flatMap((style) => style.textContent.match(/@import|url\\([^)]*\\)/g) || []))"""


def broken(links, path):
    """Those of a page's links that lead nowhere."""
    found = []
    for link in links:
        parts = urllib.parse.urlsplit(link["href"])
        if parts.scheme:
            found.append(f"{link['href']} leaves the folder")
        elif parts.path and not os.path.exists(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))):
            found.append(f"{link['href']} is no file")
        elif not parts.path and not link["target"]:
            found.append(f"{link['href']} is nowhere on the page")
    return found


def links_of(page):
    return page.evaluate("""[...document.querySelectorAll("a[href]")].map((link) => ({href: link.getAttribute("href"),
        target: link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1))) !== null}))""")


@each(SAMPLES + HARD)
class SelfContained(unittest.TestCase):
    def check_nothing_is_fetched_and_nothing_runs(self, name):
        with browser.report(name) as page:
            self.assertEqual(len(page.requested), 1, page.requested)
            active = page.evaluate(ACTIVE)
            policy = page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content")
        none(self, active)
        self.assertTrue(policy.startswith("default-src 'none'; "), policy)

    def check_links_lead_somewhere(self, name):
        path = os.path.join(nights.folder(name), "report.html")
        with browser.opened(path) as page:
            found = broken(links_of(page), path)
        none(self, found)

    def check_the_page_is_small(self, name):
        self.assertLess(os.path.getsize(os.path.join(nights.folder(name), "report.html")), MOST_BYTES)
