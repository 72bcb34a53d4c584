"""Every link of the repository's pages leads to a file that is there, and to a heading that it has."""

import functools
import os
import re
import subprocess
import unittest

import nights
from each import none


def pages():
    """The pages that git has, each by its path in the repository."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=nights.ROOT,
                            capture_output=True, text=True, check=True).stdout.split("\n")
    return [path for path in listed if path and not os.path.islink(os.path.join(nights.ROOT, path))]


@functools.cache
def text(path):
    """A page without what stands in fences."""
    with open(os.path.join(nights.ROOT, path), encoding="utf-8") as file:
        return re.sub(r"^( *)```.*?^\1```", "", file.read(), flags=re.M | re.S)


@functools.cache
def anchors(path):
    """The names of a page's headings in links, by GitHub's rule: of equal ones the second ends with -1."""
    found = {}
    for title in re.findall(r"^#{1,6} (.+)$", text(path), re.M):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {name if number == 0 else f"{name}-{number}" for name, last in found.items() for number in range(last + 1)}


def links(path):
    """The links of a page within the repository: (as it stands there, file, anchor)."""
    plain = re.sub(r"`[^`\n]*`", "", text(path))
    for link in re.findall(r"\]\(([^)\s]+)\)", plain):
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, anchor = link.partition("#")
        yield link, os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path, anchor


class Links(unittest.TestCase):
    def test_every_one_leads_somewhere(self):
        found = [(path, *link) for path in pages() for link in links(path)]
        self.assertGreater(len(found), 150)
        none(self, [f"{path}: {link}" for path, link, file, anchor in found
                    if not os.path.exists(os.path.join(nights.ROOT, file))
                    or anchor and file.endswith(".md") and anchor not in anchors(file)])

    def test_a_link_to_no_heading_is_seen(self):
        self.assertIn("exit-codes", anchors("jobs/reference/nights.md"))
        self.assertNotIn("exit-code", anchors("jobs/reference/nights.md"))
