"""Ed25519: RFC 8032 section 5.1."""

import hashlib

# Extended coordinates (section 5.1.4).
EdPoint = tuple[int, int, int, int]
ED_KEY_BYTES = 32
ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, -1, ED_P) % ED_P
ED_ROOT_OF_MINUS_ONE = pow(2, (ED_P - 1) // 4, ED_P)


def is_ed25519(key: bytes, message: bytes, signature: bytes) -> bool:
    """Verifies a signature as section 5.1.7 says: [S]B = R + [k]A, with R compared as it is encoded. Neither R nor the
    key is of small order.
    """
    point, s = ed_decode(key), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or s >= ED_L or is_small_order(key) or is_small_order(signature[:32]):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ED_L
    x, y, z, t = point
    return ed_encode(ed_add(ed_multiply(s, ED_BASE), ed_multiply(k, (-x, y, z, -t)))) == signature[:32]


def is_small_order(key: bytes) -> bool:
    """True for a key with which anybody can sign: 8 times its point is the neutral one. Runtimes differ on such keys. A
    coordinate that is not reduced counts as the one that it stands for.
    """
    number = int.from_bytes(key, "little") % 2**255 % ED_P
    point = ed_decode(number.to_bytes(ED_KEY_BYTES, "little"))
    return point is not None and ed_encode(ed_multiply(8, point)) == ed_encode((0, 1, 1, 0))


def ed_add(point: EdPoint, other: EdPoint) -> EdPoint:
    """Adds points in extended coordinates (section 5.1.4): x = X / Z, y = Y / Z, x y = T / Z."""
    a, b = (point[1] - point[0]) * (other[1] - other[0]), (point[1] + point[0]) * (other[1] + other[0])
    c, d = 2 * ED_D * point[3] * other[3], 2 * point[2] * other[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_multiply(factor: int, point: EdPoint) -> EdPoint:
    total = (0, 1, 1, 0)
    for bit in reversed(range(factor.bit_length())):
        total = ed_add(total, total)
        if factor >> bit & 1:
            total = ed_add(total, point)
    return total


def ed_encode(point: EdPoint) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, ED_P)
    x, y = x * inverse % ED_P, y * inverse % ED_P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def ed_decode(data: bytes) -> EdPoint | None:
    """Section 5.1.3; None for what is no point."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    if len(data) != ED_KEY_BYTES or y >= ED_P:
        return None
    u, v = y * y - 1, ED_D * y * y + 1
    x = u * v**3 * pow(u * v**7, (ED_P - 5) // 8, ED_P) % ED_P
    if (v * x * x + u) % ED_P == 0:
        x = x * ED_ROOT_OF_MINUS_ONE % ED_P
    if (v * x * x - u) % ED_P != 0 or (x == 0 and sign == 1):
        return None
    x = ED_P - x if x & 1 != sign else x
    return x, y, 1, x * y % ED_P


# The base point is on the curve: ed_decode gives None for none that is.
ED_BASE: EdPoint = ed_decode((4 * pow(5, -1, ED_P) % ED_P).to_bytes(32, "little")) or (0, 1, 1, 0)
