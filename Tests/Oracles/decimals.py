"""Moments of sums typed in as decimals, by exact fractions."""

import random
from fractions import Fraction

from common import Cases

cases = Cases()
rng = random.Random(29)


def add(n, y, yy):
    count, sum_y, sum_yy = Fraction(n), Fraction(y), Fraction(yy)
    mean = sum_y / count
    variance = (sum_yy - sum_y**2 / count) / (count - 1)
    if variance < 0:
        variance = Fraction(0)
    cases.add("decimalMoments", [n, y, yy], {"mean": float(mean), "variance": float(variance)})


add("3", "0.6", "0.14")
add("3", "12.345", "83.14159265358979")
add("1000", "1e-05", "1e-05")
add("1e3", "-1.5E+2", "+4000.25")
add("2", "1.2345678901234567e-150", "9.9e-299")
add("7", "123456789012345678901234567890.123456789", "1e60")
add("4", "0.4", "0.04")
add("3", "0.1", "0.0033333333333333333333")
add("1000000000", "31415926535.8979323846", "1234567890123.456789")
add("5", "00012.500", "31.2500000001")
for _ in range(15):
    values = [round(rng.lognormvariate(0, 3), rng.randrange(0, 12)) for _ in range(rng.randrange(2, 9))]
    exact = [Fraction(repr(v)) for v in values]
    add(str(len(values)), repr(float(sum(exact))), repr(float(sum(v * v for v in exact))))

cases.write(__file__)
