"""What the oracle scripts share: cases as JSON beside the script."""

import json
import pathlib
import sys

import mpmath as mp

mp.mp.dps = 40


def number(value):
    """A double that reads back the same; None where there is nothing to expect."""
    if value is None:
        return None
    result = float(value)
    return result if result == result and abs(result) != float("inf") else None


class Cases:
    def __init__(self):
        self.cases = []

    def add(self, function, arguments, value):
        if isinstance(value, dict):
            value = {key: v if isinstance(v, (str, list)) else number(v) for key, v in value.items()}
        elif not isinstance(value, (str, list)):
            value = number(value)
        self.cases.append({"function": function, "arguments": arguments, "value": value})

    def write(self, script):
        path = pathlib.Path(script).with_suffix(".json")
        lines = ",\n".join(json.dumps(case) for case in self.cases)
        path.write_text("[\n" + lines + "\n]\n")
        print(path.name, len(self.cases), "cases", file=sys.stderr)


def tail_integral(log_f, start, direction):
    """The integral of exp(log_f) from start to where it has become 10^-45 of its peak, by Gauss-Legendre
    panels on which log_f changes by at most 6, at most 2 wide until 60 from the start,
    where every log_f here has become straight: slow and obvious."""
    nodes, weights = legendre(48)
    total, peak = mp.mpf(0), mp.mpf("-inf")
    s, here = mp.mpf(start), log_f(mp.mpf(start))
    width = mp.mpf(2)
    while True:
        while abs(log_f(s + direction * width) - here) > 6 or abs(log_f(s + direction * width / 2) - here) > 6:
            width /= 2
        middle, half = s + direction * width / 2, width / 2
        values = [log_f(middle + half * node) for node in nodes]
        total += half * mp.fsum(w * mp.exp(v) for w, v in zip(weights, values))
        peak = max([peak] + values)
        s += direction * width
        here = log_f(s)
        if here < peak - 105 and direction * (log_f(s + direction * width) - here) * direction < 0:
            return total
        width = 4 * width if abs(s - start) > 60 else min(4 * width, mp.mpf(2))


_rules = {}


def legendre(n):
    if n not in _rules:
        nodes, weights = [], []
        for k in range(1, n + 1):
            x = mp.cos(mp.pi * (k - mp.mpf(1) / 4) / (n + mp.mpf(1) / 2))
            for _ in range(8):
                p, q = mp.mpf(1), mp.mpf(0)
                for j in range(1, n + 1):
                    p, q = ((2 * j - 1) * x * p - (j - 1) * q) / j, p
                slope = n * (x * p - q) / (x * x - 1)
                x -= p / slope
            nodes.append(x)
            weights.append(2 / ((1 - x * x) * slope * slope))
        _rules[n] = nodes, weights
    return _rules[n]
