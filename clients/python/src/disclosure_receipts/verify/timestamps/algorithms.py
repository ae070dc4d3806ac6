"""Signature algorithms to rely on: RFC 4055, RFC 5480 and RFC 5758."""

from typing import NamedTuple

from ..checks import present, require
from .certificates import Algorithm, read_algorithm
from .curves import CURVES, Curve
from .der import OID, Fields, Tlv, oid, small_integer

RSA, RSA_PSS, MASK_GENERATION_1 = (oid(f"1.2.840.113549.1.1.{n}") for n in (1, 10, 8))
EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
MIN_RSA_BITS, MAX_RSA_BITS = 2048, 16384
DIGESTS = {oid(f"2.16.840.1.101.3.4.2.{n}"): name for n, name in ((1, "sha256"), (2, "sha384"), (3, "sha512"))}


class Scheme(NamedTuple):
    """kind: rsa, pss or ecdsa. digest: None where the identifier leaves it open. salt: for pss alone."""

    kind: str
    digest: str | None
    salt: int = 0


SCHEMES = {
    RSA: Scheme("rsa", None),
    oid("1.2.840.113549.1.1.11"): Scheme("rsa", "sha256"),
    oid("1.2.840.113549.1.1.12"): Scheme("rsa", "sha384"),
    oid("1.2.840.113549.1.1.13"): Scheme("rsa", "sha512"),
    oid("1.2.840.10045.4.3.2"): Scheme("ecdsa", "sha256"),
    oid("1.2.840.10045.4.3.3"): Scheme("ecdsa", "sha384"),
    oid("1.2.840.10045.4.3.4"): Scheme("ecdsa", "sha512"),
}


def scheme_of(algorithm: Algorithm) -> Scheme:
    if algorithm.oid == RSA_PSS:
        return read_pss(algorithm.parameters)
    require(algorithm.oid in SCHEMES, "the signature algorithm is none to rely on")
    return SCHEMES[algorithm.oid]


def read_pss(parameters: Tlv | None) -> Scheme:
    """RFC 4055 section 3.1. A parameter that is left out means SHA-1, which is refused."""
    with Fields(present(parameters, "RSASSA-PSS without parameters is by SHA-1")) as fields:
        found = [fields.explicit(tag) for tag in (0xA0, 0xA1, 0xA2, 0xA3)]
    hashed, masked, salt = (present(tlv, "RSASSA-PSS with defaults is by SHA-1") for tlv in found[:3])
    trailer = found[3]
    require(trailer is None or small_integer(trailer) == 1, "the trailer of RSASSA-PSS is not 1")
    digest, mask = digest_of(read_algorithm(hashed)), read_algorithm(masked)
    require(mask.oid == MASK_GENERATION_1, "the mask generation is none to rely on")
    hashed_by = read_algorithm(present(mask.parameters, "the mask generation is none to rely on"))
    require(digest_of(hashed_by) == digest, "RSASSA-PSS masks with another digest")
    return Scheme("pss", digest, small_integer(salt))


def digest_of(algorithm: Algorithm) -> str:
    require(algorithm.oid in DIGESTS, "the digest is none of SHA-256, SHA-384, SHA-512")
    return DIGESTS[algorithm.oid]


def curve_of(algorithm: Algorithm) -> Curve:
    """RFC 5480 section 2.1.1."""
    named = present(algorithm.parameters, "the key is not on a named curve")
    require(algorithm.oid == EC_PUBLIC_KEY and named.tag == OID, "the key is not on a named curve")
    require(named.value in CURVES, "the key is not on P-256, P-384 or P-521")
    return CURVES[named.value]


def require_rsa(algorithm: Algorithm, scheme: Scheme) -> None:
    """RFC 4055 section 3.3: a key that is for RSASSA-PSS serves nothing else, nor weaker parameters than its own."""
    require(algorithm.oid in (RSA, RSA_PSS), "the key is not for RSA")
    if algorithm.oid == RSA:
        return
    own = scheme if algorithm.parameters is None else read_pss(algorithm.parameters)
    alike = scheme.kind == "pss" and own.digest == scheme.digest and own.salt <= scheme.salt
    require(alike, "the key is for another use of RSASSA-PSS")
