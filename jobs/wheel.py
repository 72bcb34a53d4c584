"""Packs an installed offerlift into a Python wheel: the program, and a launcher that puts it on the PATH.

The same files give the same bytes: names are in order, and times are SOURCE_DATE_EPOCH's. A wheel is a zip archive with
a folder of metadata: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

import argparse
import base64
import hashlib
import os
import re
import stat
import time
import zipfile

SUMMARY = "Answers from paywall A/B tests: conversion, revenue and statistical significance for each group"

INIT = '''"""Offerlift, the program; this package holds it and starts it. It has no interface for Python."""

import os

__version__ = "{version}"

#: Path of the program.
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "offerlift")
'''

MAIN = '''"""Becomes the program, with the same arguments."""

import os
import sys

from offerlift import PROGRAM


def main():
    os.execv(PROGRAM, ["offerlift", *sys.argv[1:]])


if __name__ == "__main__":
    main()
'''

METADATA = """Metadata-Version: 2.4
Name: offerlift
Version: {version}
Summary: {summary}
License-Expression: Apache-2.0
License-File: copyright
Requires-Python: >=3.8
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """Wheel-Version: 1.0
Generator: offerlift
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """[console_scripts]
offerlift = offerlift.__main__:main
"""


class Wheel:
    """A wheel that is being written."""

    def __init__(self, path, epoch):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        # A zip archive knows no time before 1980, and none but even seconds.
        self.time = time.gmtime(max(epoch, 315532800))[:6]
        self.record = []

    def write(self, name, data, mode=0o644):
        if isinstance(data, str):
            data = data.encode()
        entry = zipfile.ZipInfo(name, self.time)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, whose modes these are
        entry.external_attr = (stat.S_IFREG | mode) << 16
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self, record):
        entry = zipfile.ZipInfo(record, self.time)
        entry.create_system = 3
        entry.external_attr = (stat.S_IFREG | 0o644) << 16
        self.archive.writestr(entry, "".join(self.record) + f"{record},,\n")
        self.archive.close()


def read(*parts):
    with open(os.path.join(*parts), "rb") as file:
        return file.read()


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--stage", required=True, help="folder that offerlift is installed in, as jobs/setup.sh does")
    options.add_argument("--version", required=True)
    options.add_argument("--output", required=True, help="the wheel; its name ends with the tag of where it runs")
    chosen = options.parse_args()
    tag = re.fullmatch(r"offerlift-[^-]+-(.+-.+-.+)\.whl", os.path.basename(chosen.output))
    if not tag:
        options.error(f"{chosen.output} is no name of a wheel: offerlift-VERSION-py3-none-PLATFORM.whl")
    doc = os.path.join(chosen.stage, "share", "doc", "offerlift")
    info = f"offerlift-{chosen.version}.dist-info"
    readme = read(doc, "README.md").decode()

    wheel = Wheel(chosen.output, int(os.environ.get("SOURCE_DATE_EPOCH", "0")))
    wheel.write("offerlift/__init__.py", INIT.format(version=chosen.version))
    wheel.write("offerlift/__main__.py", MAIN)
    wheel.write("offerlift/bin/offerlift", read(chosen.stage, "bin", "offerlift"), 0o755)
    wheel.write("offerlift/bin/offerlift.sha256", read(chosen.stage, "share", "offerlift", "offerlift.sha256"))
    manual = "share/man/man1/offerlift.1"
    wheel.write(f"offerlift-{chosen.version}.data/data/{manual}", read(chosen.stage, manual))
    wheel.write(f"{info}/licenses/copyright", read(doc, "copyright"))
    wheel.write(f"{info}/METADATA", METADATA.format(version=chosen.version, summary=SUMMARY, readme=readme))
    wheel.write(f"{info}/WHEEL", WHEEL.format(tag=tag[1]))
    wheel.write(f"{info}/entry_points.txt", ENTRY_POINTS)
    wheel.close(f"{info}/RECORD")


if __name__ == "__main__":
    main()
