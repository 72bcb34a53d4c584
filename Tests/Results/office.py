"""LibreOffice without a window: opens a file and writes each sheet as CSV, as a person of some country sees it."""

import csv
import glob
import os
import subprocess
import tempfile

import nights

LOCALE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{}</value></prop></item>
</oor:items>
"""
# Field and text marks (tab, quote), UTF-8, from line 1, column formats, language, quote all texts, detect numbers, as shown.
EVERY_SHEET = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1"


def profile(locale):
    """A user's settings with this country; made once."""
    folder = os.path.join(nights.scratch(), "office-" + locale)
    settings = os.path.join(folder, "user", "registrymodifications.xcu")
    if not os.path.exists(settings):
        os.makedirs(os.path.dirname(settings))
        with open(settings, "w", encoding="utf-8") as file:
            file.write(LOCALE.format(locale))
    return folder


def sheets(path, locale, opened_as=None):
    """What each sheet of a file shows, as rows of texts, by the sheet's name."""
    with tempfile.TemporaryDirectory(dir=nights.scratch()) as out:
        command = ["soffice", f"-env:UserInstallation=file://{profile(locale)}", "--headless", "--convert-to", EVERY_SHEET, "--outdir", out]
        done = subprocess.run(command + ([f"--infilter={opened_as}"] if opened_as else []) + [path], capture_output=True, text=True, timeout=180)
        found = {}
        for written in glob.glob(os.path.join(out, "*.csv")):
            with open(written, encoding="utf-8", newline="") as file:
                found[os.path.basename(written)[:-4].split("-", 1)[1]] = list(csv.reader(file, delimiter="\t"))
        if not found:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return found
