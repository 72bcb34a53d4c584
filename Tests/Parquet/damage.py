"""Parquet files are damaged: bits flipped, ends cut off, lengths changed, pages swapped, the foot of another file."""

import io
import struct


class Compact:
    """As much of Thrift's compact protocol as it takes to find pages: structures become dictionaries by field."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            self.at += 1
            return self.data[self.at - 1]
        if kind in (4, 5, 6):
            value = self.varint()
            return value >> 1 ^ -(value & 1)
        if kind == 7:
            self.at += 8
            return None
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size:self.at]
        if kind in (9, 10):
            head = self.data[self.at]
            self.at += 1
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(3 if head & 15 in (1, 2) else head & 15) for _ in range(count)]
        return self.structure()

    def structure(self):
        fields, last = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return fields
            if head >> 4:
                last += head >> 4
            else:
                number = self.varint()
                last = number >> 1 ^ -(number & 1)
            fields[last] = self.value(head & 15)


def pages(data):
    """Where pages lie: begin, end of the header, end, and whether a checksum covers what lies between those."""
    size = struct.unpack("<I", data[-8:-4])[0]
    foot = Compact(data, len(data) - 8 - size).structure()
    found = []
    for group in foot.get(4, []):
        for chunk in group[1]:
            about = chunk[3]
            start = min(place for place in (about.get(9), about.get(11) or about.get(9)))
            end = start + about[7]
            while start < end:
                reader = Compact(data, start)
                try:
                    header = reader.structure()
                    found.append((start, reader.at, reader.at + header[3], 4 in header))
                except (IndexError, KeyError):
                    break  # Some writers add up a column's size otherwise.
                start = reader.at + header[3]
    return found


def damaged(dice, data, pages, other):
    """How a file was damaged, its bytes then, and whether nothing but what checksums cover was changed."""
    way = dice.choice(["flips", "flips in pages", "cut", "length", "stretch", "gap", "swap", "foot"])
    if way in ("flips in pages", "swap") and len(pages) < 2 or way == "foot" and len(other) < 12:
        way = "flips"
    found = bytearray(data)
    is_checked = False
    if way == "flips":
        # Most of a file are values, and most of what is told of them lies at its end.
        first = dice.choice([0, max(len(data) - 600, 0)])
        for _ in range(dice.choice([1, 1, 2, 8])):
            found[dice.randrange(first, len(data))] ^= 1 << dice.randrange(8)
    elif way == "flips in pages":
        _, begin, end, is_checked = dice.choice([page for page in pages if page[1] < page[2]] or [(0, 0, 4, False)])
        for place in dice.sample(range(begin, end), min(dice.choice([1, 2, 5]), end - begin)):
            found[place] ^= 1 << dice.randrange(8)
    elif way == "cut":
        del found[dice.randrange(len(data)):]
    elif way == "length":
        place = dice.choice([dice.randrange(len(data)), max(len(data) - 8 - dice.randrange(400), 0), len(data) - 8])
        found[place:place + 4] = dice.choice([b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\0\0\0\x80"])
    elif way == "stretch":
        start = dice.randrange(len(data))
        found[start:start + dice.randrange(64)] = dice.randbytes(dice.randrange(64))
    elif way == "gap":
        start = dice.randrange(len(data))
        del found[start:start + dice.choice([1, 2, 100, 5000])]
    elif way == "swap":
        one, two = sorted(dice.sample(pages, 2))
        joined = io.BytesIO()
        for start, end in ((0, one[0]), (two[0], two[2]), (one[2], two[0]), (one[0], one[2]), (two[2], len(data))):
            joined.write(data[start:end])
        found = joined.getvalue()
    else:
        size = struct.unpack("<I", other[-8:-4])[0]
        own = struct.unpack("<I", data[-8:-4])[0]
        found = data[:len(data) - 8 - own] + other[len(other) - 8 - size:]
    return way, bytes(found), is_checked
