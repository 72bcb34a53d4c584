"""How a reader meets a call: short sentences, few numbers, none of the words that only the program's makers use."""

import json
import os
import re

MOST_SENTENCES, MOST_WORDS, MOST_NUMBERS = 4, 25, 12
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
PRIVATE = re.compile(r"\b(told|tells|sought|fate|is taken to|are taken to|is held against|set out to)\b")
NAME = re.compile(r"[“\"][^”\"]*[”\"]")


def sentences(text):
    return [part for part in re.split(r"(?<=[.?!]) ", text) if part]


def words(sentence):
    """How many words it has; a name in quotes, and a number with its unit, is one."""
    sentence = re.sub(r"(?<=\d) (?=%|[A-Z]{3}\b)", "", NAME.sub("name", sentence))
    return len(sentence.split())


def faults(call):
    """What is wrong with a call of verdict.json: its headline and its reason."""
    text = f"{call['headline']} {call['reason']}".strip()
    said = sentences(NAME.sub("name", text))
    if len(said) > MOST_SENTENCES + (call["call"] == "drop"):
        yield f"{len(said)} sentences: {text}"
    for sentence in said:
        if words(sentence) > MOST_WORDS:
            yield f"{words(sentence)} words: {sentence}"
        if PRIVATE.search(sentence):
            yield f"“{PRIVATE.search(sentence).group()}”: {sentence}"
    if len(NUMBER.findall(NAME.sub("name", text))) > MOST_NUMBERS + 8 * (len(call["test_group_ids"]) > 1):
        yield f"{len(NUMBER.findall(text))} numbers: {text}"


def call_faults(folder):
    """The same of every call of a night."""
    with open(os.path.join(folder, "verdict.json"), encoding="utf-8") as file:
        told = json.load(file)
    for offering in told["offerings"]:
        for call in offering["calls"]:
            yield from faults(call)
        for member in ("dates", "note", "expectation"):
            for sentence in sentences(offering[member] or ""):
                if words(sentence) > MOST_WORDS:
                    yield f"{member}, {words(sentence)} words: {sentence}"
