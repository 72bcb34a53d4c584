"""Picks the cases that `offerlift selftest` carries, and writes Sources/Selftest/PublishedCases.swift.

Some of each function of the other scripts' JSON, spread over all of them, and values of the C library's functions by
mpmath. Tests/Results holds the file against both.
"""

import json
import pathlib

import mpmath as mp

mp.mp.dps = 40
HERE = pathlib.Path(__file__).parent
FILE = HERE.parent.parent / "Sources/Selftest/PublishedCases.swift"

# How many cases of a function are carried.
PICKED = {
    "distributions": {"normal.upperQuantile": 8, "t.sf": 16, "t.upperQuantile": 10, "chi2.sf": 12, "noncentralT.sf": 4, "noncentralT.cdf": 4},
    "comparisons": {"comparison": 18, "estimate": 10},
    "exact": {"fisher": 8, "boschloo": 3},
    "power": {"power.mean": 4, "power.proportion": 3, "users.proportion": 3, "users.mean": 2},
    "checks": {"adjustment": 8, "sampleRatio": 5},
    "survival": {"kaplanMeier": 3, "logRank": 4},
    "samples": {"rankSum": 5},
    "adjusted": {"cuped": 4},
}

C_LIBRARY = {
    "log": [mp.log, [1e-300, 0.001, 0.1, 0.7, 1.0000001, 1.5, 2.0, 10.0, 12345.678, 1e15, 1e300]],
    "log1p": [mp.log1p, [-0.999, -0.5, -1e-10, 1e-15, 1e-5, 0.3, 5.0, 1e6]],
    "exp": [mp.exp, [-700.0, -20.5, -1.0, -1e-8, 1e-8, 0.5, 1.0, 3.7, 20.5, 300.0, 700.0]],
    "expm1": [mp.expm1, [-30.0, -1.0, -1e-9, 1e-12, 1e-4, 0.5, 2.0, 30.0]],
    "erf": [mp.erf, [-3.0, -0.5, 1e-10, 0.1, 0.5, 1.0, 2.0, 4.0]],
    "erfc": [mp.erfc, [-2.0, 0.0001, 0.5, 1.0, 2.0, 5.0, 10.0, 26.0]],
    "lgamma": [mp.loggamma, [0.001, 0.5, 1.5, 3.25, 10.0, 100.5, 1e5, 1e10]],
    "sqrt": [mp.sqrt, [1e-300, 0.5, 2.0, 3.0, 1e10, 1e300]],
    "sin": [mp.sin, [1e-10, 0.1, 0.5, 1.0, 2.0, 3.0]],
    "cos": [mp.cos, [1e-10, 0.1, 0.5, 1.0, 2.0, 3.0]],
}
POWERS = [(2.0, 0.5), (10.0, -300.0), (1.0001, 12345.0), (0.3, 7.0), (1e-10, 3.3), (123.456, 11.25)]


def spread(cases, count):
    """So many of them, from the first to the last."""
    if len(cases) <= count:
        return cases
    return [cases[i * (len(cases) - 1) // (count - 1)] for i in range(count)]


def lines():
    for name, (function, arguments) in C_LIBRARY.items():
        for x in arguments:
            yield {"function": f"c.{name}", "arguments": [x], "value": float(mp.re(function(mp.mpf(x))))}
    for x, y in POWERS:
        yield {"function": "c.pow", "arguments": [x, y], "value": float(mp.power(mp.mpf(x), mp.mpf(y)))}
    for file, functions in PICKED.items():
        cases = json.loads((HERE / f"{file}.json").read_text())
        for function, count in functions.items():
            yield from spread([case for case in cases if case["function"] == function], count)


def text():
    body = "\n".join("    " + json.dumps(line) for line in lines())
    return f'''/// What mpmath, SciPy, statsmodels and lifelines computed of known cases, a case a line of JSON, for a program that has no
/// checkout beside it. `Tests/Oracles/selftest.py` writes this file.
enum PublishedCases {{
  static let text = #"""
{body}
    """#
}}
'''


FILE.write_text(text())
