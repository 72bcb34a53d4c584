"""The names of declarations are the field's words: those of an older, private vocabulary do not come back."""

import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Words that give way to the table "Words" in Sources/README.md, and how many declarations still have one of them.
OLD = set(
    "told tell tells telling teller retold sought seek kept keep keeps keeping fate fates desk seat stretch stretches"
    " strangers stranger book books taken take takes taking place places placed".split()
)
MOST = 12
DECLARATION = re.compile(r"\b(?:func|var|let|class|struct|enum|protocol|case|actor|typealias)\s+`?([A-Za-z_]\w*)")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def old_declarations():
    for folder, _, files in os.walk(os.path.join(ROOT, "Sources")):
        for name in files:
            if not name.endswith(".swift"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if line.lstrip().startswith("//") or line.startswith("    "):
                        continue
                    for match in DECLARATION.finditer(line):
                        if OLD & {part.lower() for part in PART.findall(match[1])}:
                            yield f"{os.path.relpath(path, ROOT)}:{number}: {match[1]}"


class Names(unittest.TestCase):
    def test_old_words_do_not_come_back(self):
        found = list(old_declarations())
        self.assertLessEqual(len(found), MOST, "\n".join(found))


if __name__ == "__main__":
    unittest.main()
