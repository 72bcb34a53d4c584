"""Makes Signatures.json: signatures on the curve P-256 at the edges of ECDSA, valid and not.

    python signatures.py

Plain integers and the textbook's formulas, with nothing of the product's libraries. Curve: NIST SP 800-186, section
3.2.1.3; signatures: FIPS 186-5, section 6.4.
"""

import hashlib
import json
import pathlib

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
A = P - 3
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    """The sum of two points; None is the point at infinity."""
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = (3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def times(k, p):
    total = None
    for bit in bin(k % N)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def sign(d, e, k):
    r = times(k, G)[0] % N
    return r, pow(k, -1, N) * (e + r * d) % N


def valid(key, e, r, s):
    if not (0 < r < N and 0 < s < N):
        return False
    w = pow(s, -1, N)
    point = add(times(e * w % N, G), times(r * w % N, key))
    return point is not None and point[0] % N == r


def number(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def square_root(x):
    root = pow(x, (P + 1) // 4, P)
    return root if root * root % P == x % P else None


CASES = []


def case(why, key, e, r, s):
    CASES.append({
        "why": why, "key": f"04{key[0]:064x}{key[1]:064x}", "digest": f"{e:064x}", "signature": f"{r:064x}{s:064x}",
        "is_valid": valid(key, e, r, s),
    })


d = number("key") % N
key = times(d, G)
e = number("digest")
r, s = sign(d, e, number("nonce") % N)

case("an ordinary signature", key, e, r, s)
case("s counted from the other end", key, e, r, N - s)
case("r counted from the other end", key, e, N - r, s)
case("another digest", key, e ^ 1, r, s)
case("another key", times(d + 1, G), e, r, s)
case("the key's other half", (key[0], P - key[1]), e, r, s)
case("r and s exchanged", key, e, s, r)
for why, value in [("nothing", 0), ("the order", N), ("past the order", N + 1), ("all ones", 2**256 - 1)]:
    case(f"r is {why}", key, e, value, s)
    case(f"s is {why}", key, e, r, value)
case("both are nothing", key, 0, 0, 0)
case("both are one", key, e, 1, 1)

for why, digest in [("nothing", 0), ("the order", N), ("past the order", N + 5), ("all ones", 2**256 - 1)]:
    r, s = sign(d, digest % N, 1000003)
    case(f"the digest is {why}", key, digest, r, s)
    case(f"the digest is {why}, and one was signed", key, digest, *sign(d, 1, 1000003))

# Both multiples are one point, so that their sum is its double; or one is the other's opposite, so that there is none.
r = times(7, G)[0]
case("both multiples are one point", key, r * d % N, r, 2 * r * d * pow(7, -1, N) % N)
case("the multiples cancel out", key, -r * d % N, r, 12345)
case("the multiples cancel out, and r is one", key, -d % N, 1, 1)

for why, secret in [("the generator", 1), ("its double", 2), ("its opposite", N - 1), ("2^128 of it", 2**128)]:
    case(f"the key is {why}", times(secret, G), e, *sign(secret, e, 99991))
for why, nonce in [("one", 1), ("the order less one", N - 1), ("a power of two", 2**255)]:
    case(f"the nonce is {why}", key, e, *sign(d, e, nonce))

# The sum's x lies past the order, so that r is what is left of it: one x of some 2^128 does. The key is found backwards.
x = N
while square_root(x**3 + A * x + B) is None:
    x += 1
point = (x, square_root(x**3 + A * x + B))
r, s = x % N, number("s") % N
back = times(pow(r, -1, N), add(times(s, point), times(-e % N, G)))
case("the sum's x lies past the order", back, e, r, s)
case("the sum's x lies past the order and is not brought back", back, e, x, s)

# Multiples that are long rows of one digit, where tables are looked up at their ends.
for width in [5, 7]:
    for digit in [1, 2 ** (width - 1) - 1, 2 ** (width - 1), 2**width - 1]:
        u = sum(digit << place for place in range(0, 256, width)) % N
        point = add(times(u, G), times(u, key))
        s = point[0] * pow(u, -1, N) % N
        case(f"the multiples are digits {digit} of {width} bits", key, u * s % N, point[0] % N, s)

for turn in range(20):
    secret = number(f"key {turn}") % N
    digest = number(f"digest {turn}")
    r, s = sign(secret, digest, number(f"nonce {turn}") % N)
    case(f"any signature, turn {turn}", times(secret, G), digest, r, s)
    case(f"one bit is another, turn {turn}", times(secret, G), digest, r, s ^ 1 << (turn * 12))

file = pathlib.Path(__file__).with_name("Signatures.json")
file.write_text("[\n" + ",\n".join("  " + json.dumps(case) for case in CASES) + "\n]\n")
