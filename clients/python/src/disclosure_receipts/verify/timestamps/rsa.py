"""RSA signatures: RFC 8017."""

import hashlib

from .algorithms import DIGESTS, Scheme
from .der import NULL, OCTETS, OID, SEQUENCE, der


def is_rsa(scheme: Scheme, digest: str, modulus: int, exponent: int, hashed: bytes, signature: bytes) -> bool:
    octets = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != octets or number >= modulus:
        return False
    encoded = pow(number, exponent, modulus).to_bytes(octets, "big")
    if scheme.kind == "pss":
        return is_pss(encoded, modulus.bit_length() - 1, digest, hashed, scheme.salt)
    return encoded == encode_pkcs1(digest, hashed, octets)


def encode_pkcs1(digest: str, hashed: bytes, octets: int) -> bytes:
    """RFC 8017 section 9.2."""
    identifier = next(value for value, name in DIGESTS.items() if name == digest)
    algorithm = der(SEQUENCE, der(OID, identifier) + der(NULL, b""))
    info = der(SEQUENCE, algorithm + der(OCTETS, hashed))
    return b"\x00\x01" + b"\xff" * (octets - len(info) - 3) + b"\x00" + info


def is_pss(encoded: bytes, bits: int, digest: str, hashed: bytes, salt_length: int) -> bool:
    """RFC 8017 section 9.1.2. `bits` is one less than the modulus has."""
    size, octets = len(hashed), (bits + 7) // 8
    if any(encoded[:-octets]) or octets < size + salt_length + 2 or encoded[-1] != 0xBC:
        return False
    encoded = encoded[-octets:]
    masked, mixed = encoded[: octets - size - 1], encoded[octets - size - 1 : -1]
    if masked[0] >> (8 - (8 * octets - bits)):
        return False
    mask = generate_mask(digest, mixed, len(masked))
    number = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    block = (number % (1 << (bits - 8 * (size + 1)))).to_bytes(len(masked), "big")
    padding, salt = block[: len(block) - salt_length], block[len(block) - salt_length :]
    is_padded = padding == b"\x00" * (len(padding) - 1) + b"\x01"
    return is_padded and mixed == hashlib.new(digest, bytes(8) + hashed + salt).digest()


def generate_mask(digest: str, seed: bytes, length: int) -> bytes:
    """RFC 8017 appendix B.2.1."""
    mask = b""
    for counter in range(length):
        if len(mask) >= length:
            break
        mask += hashlib.new(digest, seed + counter.to_bytes(4, "big")).digest()
    return mask[:length]
