"""Ed25519 signatures (RFC 8032 section 5.1.7), verified with integers alone: nothing here is secret, nor quick."""

from __future__ import annotations

from hashlib import sha512

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
SQRT_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)

# Extended coordinates (X, Y, Z, T) of section 5.1.4: x = X/Z, y = Y/Z, x * y = T/Z.
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def _add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % PRIME
    b = (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c = 2 * p[3] * q[3] * D % PRIME
    d = 2 * p[2] * q[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _sum_of_multiples(m: int, p: Point, n: int, q: Point) -> Point:
    """m * p + n * q, in one pass over the bits of both."""
    both, total = _add(p, q), NEUTRAL
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = _add(total, total)
        if m >> bit & 1 and n >> bit & 1:
            total = _add(total, both)
        elif m >> bit & 1:
            total = _add(total, p)
        elif n >> bit & 1:
            total = _add(total, q)
    return total


def _decode(encoded: bytes) -> Point | None:
    """Section 5.1.3; None where no point has this encoding."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, PRIME - 2, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME != 0:
        x = x * SQRT_MINUS_ONE % PRIME
    if (x * x - square) % PRIME != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = PRIME - x
    return (x, y, 1, x * y % PRIME)


def _encode(point: Point) -> bytes:
    inverse = pow(point[2], PRIME - 2, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


_BASE = _decode((4 * pow(5, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little"))


def holds_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """True if the signature is by this key over this message. R is compared as encoded."""
    if len(public_key) != 32 or len(signature) != 64 or _BASE is None:
        return False
    key, scalar = _decode(public_key), int.from_bytes(signature[32:], "little")
    if key is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    negative: Point = (PRIME - key[0], key[1], key[2], PRIME - key[3])
    return _encode(_sum_of_multiples(scalar, _BASE, challenge, negative)) == signature[:32]
