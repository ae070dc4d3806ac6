"""Signatures by the keys of certificates."""

import hashlib
from functools import lru_cache

from ..checks import Refuted, require
from .algorithms import MAX_RSA_BITS, MIN_RSA_BITS, Scheme, curve_of, require_rsa
from .certificates import read_algorithm
from .der import BITS, INTEGER, SEQUENCE, Fields, Tlv, read_der, whole_octets
from .ecdsa import is_ecdsa
from .rsa import is_rsa


class WrongSignature(Refuted):
    """A signature can be verified, and is not by this key."""


def check_signature(scheme: Scheme, digest: str, key: Tlv, data: bytes, signature: bytes, reason: str) -> None:
    if not is_signature(scheme, digest, key.der, data, signature):
        raise WrongSignature(reason)


@lru_cache(maxsize=4096)
def is_signature(scheme: Scheme, digest: str, key_info: bytes, data: bytes, signature: bytes) -> bool:
    """Verifies with the key of a SubjectPublicKeyInfo. Results are remembered: many tokens share certificates."""
    with Fields(read_der(key_info)) as fields:
        algorithm, key = read_algorithm(fields.next(SEQUENCE)), whole_octets(fields.next(BITS))
    hashed = hashlib.new(digest, data).digest()
    if scheme.kind == "ecdsa":
        return is_ecdsa(curve_of(algorithm), key, hashed, signature)
    require_rsa(algorithm, scheme)
    with Fields(read_der(key)) as numbers:
        modulus, exponent = (int.from_bytes(numbers.next(INTEGER).value, "big", signed=True) for _ in range(2))
    # A stranger chooses the key, and must not be able to make it take hours.
    is_usual = MIN_RSA_BITS <= modulus.bit_length() <= MAX_RSA_BITS and 0 < exponent < 2**64 and modulus > 0
    require(is_usual, "the RSA key is too short, or absurdly long")
    return is_rsa(scheme, digest, modulus, exponent, hashed, signature)
