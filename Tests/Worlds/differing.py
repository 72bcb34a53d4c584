"""Where two files differ that should be the same: the line of a text, the place in a member of a workbook or a gzip file."""

import gzip
import io
import os
import zipfile
import zlib

NEAR = 60
"""How many bytes are shown on either side of where texts begin to differ."""


def unlike(one, other, apart=frozenset()):
    """Of files with the same names in two folders those that differ, and how; names in `apart` may."""
    names = (set(os.listdir(one)) | set(os.listdir(other))) - apart
    for name in sorted(names):
        if said := how(os.path.join(one, name), os.path.join(other, name)):
            yield f"{name} differs: {said}"


def how(one, other):
    """How two files or folders differ, in a few words; nothing where they do not."""
    if os.path.isdir(one) and os.path.isdir(other):
        return "; ".join(unlike(one, other))
    contents = []
    for path in (one, other):
        if not os.path.isfile(path):
            return f"there is no {path}"
        with open(path, "rb") as file:
            contents.append(file.read())
    return how_bytes(*contents) if contents[0] != contents[1] else ""


def how_bytes(one, other):
    """How the contents of two files differ that are not the same."""
    packed = f"packed otherwise, from byte {begins(one, other)} of {len(one)} and {len(other)} on"
    try:
        if one[:2] == other[:2] == b"PK":
            return how_archives(one, other) or packed
        if one[:2] == other[:2] == b"\x1f\x8b":
            texts = [gzip.decompress(each) for each in (one, other)]
            return how_texts(*texts) if texts[0] != texts[1] else packed
    except (zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        return f"{packed}; one cannot be unpacked: {error}"
    return how_texts(one, other)


def how_archives(one, other):
    """How the members of two zip archives differ; nothing where they unpack to the same in the same order."""
    archives = [zipfile.ZipFile(io.BytesIO(each)) for each in (one, other)]
    names = [archive.namelist() for archive in archives]
    if names[0] != names[1]:
        return f"members {names[0]} | {names[1]}"
    for name in names[0]:
        sizes = [archive.getinfo(name).compress_size for archive in archives]
        texts = [archive.read(name) for archive in archives]
        if texts[0] != texts[1]:
            return f"{name}: {how_texts(*texts)}"
        if sizes[0] != sizes[1]:
            return f"{name} is the same, packed in {sizes[0]} and in {sizes[1]} bytes"
    return ""


def how_texts(one, other):
    """Where two texts begin to differ, with what stands there."""
    at = begins(one, other)
    near = [text[max(0, at - NEAR):at + NEAR].decode("utf-8", "replace") for text in (one, other)]
    line = one[:at].count(b"\n") + 1
    return f"at byte {at}, line {line}: {near[0]!r} | {near[1]!r}"


def begins(one, other):
    """The first place where they are not the same; the end of the shorter one where it begins the longer one."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
