"""Signatures by the keys of certificates."""

import hashlib
from functools import lru_cache

from ..checks import judgeable
from .algorithms import (
    MAX_EXPONENT_BITS,
    MAX_RSA_BITS,
    MIN_RSA_BITS,
    Scheme,
    WrongSignature,
    curve_of,
    require_key,
    require_rsa,
)
from .certificates import read_algorithm
from .der import BITS, INTEGER, SEQUENCE, Fields, Tlv, beyond, natural, read_der, whole_octets
from .ecdsa import is_ecdsa
from .rsa import is_rsa


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
    modulus, exponent = read_rsa_key(key)
    return is_rsa(scheme, digest, modulus, exponent, hashed, signature)


def read_rsa_key(key: bytes) -> tuple[int, int]:
    """RFC 8017 appendix A.1.1. A stranger chooses the key, and must not be able to make it take hours."""
    with Fields(read_der(key)) as numbers:
        modulus, exponent = (natural(numbers.next(INTEGER)) for _ in range(2))
    beyond(modulus.bit_length() <= MAX_RSA_BITS, "its RSA key is absurdly long")
    beyond(exponent.bit_length() <= MAX_EXPONENT_BITS, "its RSA key's exponent is absurdly long")
    judgeable(modulus.bit_length() >= MIN_RSA_BITS, "weak", "its RSA key is so short that it proves nothing any more")
    require_key(modulus % 2 == 1 and exponent % 2 == 1 and exponent > 1, "this is no RSA key")
    return modulus, exponent
