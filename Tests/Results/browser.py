"""One headless Chromium for all tests: Debian's, driven by Playwright, with the pages' own scripts left on."""

import atexit
import contextlib
import functools
import os
import shutil

from playwright.sync_api import sync_playwright

import nights

WIDTHS = {390: 844, 1000: 800, 1600: 900}
SCHEMES = ("light", "dark")
PAPER = (794, 1123)  # A4 in CSS pixels
HERE = os.path.dirname(os.path.abspath(__file__))


@functools.cache
def chromium():
    player = sync_playwright().start()
    browser = player.chromium.launch(executable_path=shutil.which("chromium"))
    atexit.register(lambda: (browser.close(), player.stop()))
    return browser


@contextlib.contextmanager
def opened(path, width=1000, scheme="light", unfolded=True, print_media=False):
    """The page of a file, with `look.js` in it; `unfolded` opens every `details`."""
    height = PAPER[1] if print_media else WIDTHS[width]
    page = chromium().new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    try:
        page.requested = []
        page.on("request", lambda request: page.requested.append(request.url))
        if print_media:
            page.emulate_media(media="print")
        page.goto(nights.address(path))
        page.evaluate(look())
        if unfolded:
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        yield page
    finally:
        page.close()


def report(name, **how):
    return opened(os.path.join(nights.folder(name), "report.html"), **how)


@functools.cache
def look():
    text = ""
    for name in ("look.js", "look_colours.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            text += file.read()
    return text
