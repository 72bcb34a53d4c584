"""What the text of a file may be packed in, and back: gzip, zstd, UTF-16, and zip archives of several files.

Frames of zstd hold their bytes as they are or as a repeated one: Python's library has no zstd, and what is compressed is
libzstd's business, whose frames the tests in Swift read.
"""

import gzip
import io
import os
import zipfile

GZIP, ZSTD, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


def gzip_members(rng, data):
    """A gzip file of one to three members, cut anywhere; an empty member is a member."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice([0, 0, 1, 2])))
    edges = [0, *cuts, len(data)]
    parts = [data[start:end] for start, end in zip(edges, edges[1:])]
    return b"".join(gzip.compress(part, rng.choice([1, 6, 9]), mtime=0) for part in parts)


def zstd_frame(data):
    """One frame without a checksum, in blocks of bytes as they are (RFC 8878, 3.1.1)."""
    pieces = [data[start : start + 100_000] for start in range(0, len(data), 100_000)] or [b""]
    blocks = [((len(piece) << 3 | (number == len(pieces) - 1)).to_bytes(3, "little") + piece) for number, piece in enumerate(pieces)]
    return ZSTD + b"\x00\x58" + b"".join(blocks)


def zstd_frames(rng, data):
    """One or two frames, and now and then one that is to be skipped."""
    cut = rng.randrange(len(data) + 1) if rng.random() < 0.5 else len(data)
    skipped = (0x184D2A50 + rng.randrange(16)).to_bytes(4, "little") + (3).to_bytes(4, "little") + b"abc"
    frames = [zstd_frame(data[:cut])] + ([zstd_frame(data[cut:])] if cut < len(data) else [])
    return (skipped if rng.random() < 0.3 else b"").join([b"", *frames])


def plain_of_zstd(data):
    out, place = [], 0
    while place < len(data):
        if data[place : place + 4] != ZSTD:
            place += 8 + int.from_bytes(data[place + 4 : place + 8], "little")
            continue
        place, is_last = place + 6, False
        while not is_last:
            head = int.from_bytes(data[place : place + 3], "little")
            is_last, size = head & 1, head >> 3
            out.append(data[place + 3 : place + 3 + size])
            place += 3 + size
    return b"".join(out)


def wide(rng, data):
    """The text in UTF-16; as it is where it is not all UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    code = rng.choice(list(MARKS))
    return MARKS[code] + text.encode(code)


def packed(rng, data):
    """The text in some container, and whether it lies there packed."""
    kind = rng.random()
    if kind < 0.1:
        data = wide(rng, data)
    if kind < 0.05 or 0.1 <= kind < 0.55:
        return gzip_members(rng, data), True
    if 0.55 <= kind < 0.65:
        return zstd_frames(rng, data), True
    return data, False


def archive(rng, files):
    """A zip archive of files by name, with a folder and what macOS adds now and then."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        if rng.random() < 0.3:
            written.writestr(zipfile.ZipInfo("__MACOSX/._notes"), b"\x00\x05\x16\x07")
        for name, data in files:
            written.writestr(zipfile.ZipInfo(name), data, rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    return out.getvalue()


def unpacked(data):
    """The text as it is read, in UTF-8."""
    if data[:2] == GZIP:
        data = gzip.decompress(data)
    elif data[:4] == ZSTD or data[1:4] == b"\x2a\x4d\x18":
        data = plain_of_zstd(data)
    for code, mark in MARKS.items():
        if data[:2] == mark:
            return data[2:].decode(code).encode()
    return data


def is_plain(data):
    """The text lies in the file as it is read."""
    return data[:4] != ZIP and unpacked(data) == data


def files_of(path):
    """The file, or the members of an archive as paths that lead into it."""
    with open(path, "rb") as file:
        if file.read(4) != ZIP:
            return [path]
    with zipfile.ZipFile(path) as archived:
        return [os.path.join(path, name) for name in archived.namelist() if not name.startswith("__MACOSX/")]


def bytes_at(path):
    """A file's bytes; the path may lead into an archive."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read()
    place, name = os.path.split(path)
    with zipfile.ZipFile(place) as archived:
        return archived.read(name)


def content_of(path):
    """A file's text as it is read."""
    return unpacked(bytes_at(path))
