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


class Idle:
    """The page that no test looks at now: a new one for each look takes 0.3 s of a processor more."""

    page = None

    @classmethod
    def take(cls):
        page, cls.page = cls.page or chromium().new_page(), None
        return page


@contextlib.contextmanager
def opened(path, width=1000, scheme="light", unfolded=True, print_media=False):
    """The page of a file, with `look.js` in it; `unfolded` opens every `details`.

    A page that a test failed on is not used again.
    """
    page, requested = Idle.take(), []
    hear = lambda request: requested.append(request.url)  # noqa: E731
    page.requested = requested
    page.on("request", hear)
    try:
        page.set_viewport_size({"width": width, "height": PAPER[1] if print_media else WIDTHS[width]})
        page.emulate_media(media="print" if print_media else "null", color_scheme=scheme)
        page.goto(nights.address(path))
        page.evaluate(look())
        if unfolded:
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        yield page
    except BaseException:
        page.close()
        raise
    page.remove_listener("request", hear)
    Idle.page = page


def report(name, **how):
    return opened(os.path.join(nights.folder(name), "report.html"), **how)


@functools.cache
def look():
    text = ""
    for name in ("look.js", "look_colours.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            text += file.read()
    return text
