"""ECDSA signatures: FIPS 186-5."""

from ..checks import Refuted, Unjudged
from .algorithms import require_key
from .curves import Curve
from .der import INTEGER, Fields, beyond, read_der

Point = tuple[int, int]
Jacobian = tuple[int, int, int]


def is_ecdsa(curve: Curve, key: bytes, hashed: bytes, signature: bytes) -> bool:
    """Verifies an ECDSA signature as FIPS 186-5 section 6.4.2 says."""
    point = read_point(curve, key)
    try:
        with Fields(read_der(signature)) as numbers:
            r, s = (int.from_bytes(numbers.next(INTEGER).value, "big", signed=True) for _ in range(2))
    except (Refuted, Unjudged):
        # What is no signature, or none in DER, is one that does not hold.
        return False
    if not (0 < r < curve.n and 0 < s < curve.n):
        return False
    surplus = max(0, 8 * len(hashed) - curve.n.bit_length())
    inverse = pow(s, -1, curve.n)
    u, v = (int.from_bytes(hashed, "big") >> surplus) * inverse % curve.n, r * inverse % curve.n
    reached = multiply_and_add(curve.p, u, curve.g, v, point)
    return reached is not None and reached[0] % curve.n == r


def read_point(curve: Curve, key: bytes) -> Point:
    """RFC 5480 section 2.2, uncompressed."""
    beyond(len(key) == 1 + 2 * curve.octets and key[0] == 4, "its key is no uncompressed point")
    x, y = (int.from_bytes(half, "big") for half in (key[1 : 1 + curve.octets], key[1 + curve.octets :]))
    on_curve = max(x, y) < curve.p and (y * y - x * x * x + 3 * x - curve.b) % curve.p == 0
    require_key(on_curve, "the key is no point of its curve")
    return x, y


# Points are added in Jacobian coordinates: (x, y, z) stands for (x / z², y / z³), and z = 0 for the neutral point. So
# one division is enough for a whole signature.
NEUTRAL = (1, 1, 0)


def double(p: int, point: Jacobian) -> Jacobian:
    x, y, z = point
    square = y * y % p
    s = 4 * x * square % p
    m = 3 * (x - z * z) * (x + z * z) % p
    doubled = (m * m - 2 * s) % p
    return doubled, (m * (s - doubled) - 8 * square * square) % p, 2 * y * z % p


def add(p: int, point: Jacobian, other: Point | None) -> Jacobian:
    """`other` is (x, y), or None for the neutral point."""
    if other is None:
        return point
    x, y, z = point
    if z == 0:
        return (*other, 1)
    square = z * z % p
    h, r = (other[0] * square - x) % p, (other[1] * square * z - y) % p
    if h == 0:
        return double(p, point) if r == 0 else NEUTRAL
    v, cube = x * h * h % p, h * h * h % p
    total = (r * r - cube - 2 * v) % p
    return total, (r * (v - total) - y * cube) % p, z * h % p


def affine(p: int, point: Jacobian) -> Point | None:
    """Turns a point into (x, y), and the neutral point into None."""
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, p)
    return x * inverse**2 % p, y * inverse**3 % p


def multiply_and_add(p: int, u: int, a: Point, v: int, b: Point) -> Point | None:
    """Computes u a + v b from the highest bit down, as (x, y) or None."""
    terms, total = (None, b, a, affine(p, add(p, (*a, 1), b))), NEUTRAL
    for bit in reversed(range(max(u.bit_length(), v.bit_length()))):
        total = add(p, double(p, total), terms[2 * (u >> bit & 1) + (v >> bit & 1)])
    return affine(p, total)
