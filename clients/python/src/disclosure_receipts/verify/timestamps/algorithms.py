"""Signature algorithms to rely on: RFC 4055, RFC 5480 and RFC 5758."""

from typing import NamedTuple

from ..checks import Refuted, Unjudged, judgeable, require
from .certificates import Algorithm, read_algorithm
from .curves import CURVES, Curve
from .der import OID, Fields, Tlv, beyond, oid, only, read_der, small_integer

RSA, RSA_PSS, MASK_GENERATION_1 = (oid(f"1.2.840.113549.1.1.{n}") for n in (1, 10, 8))
EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
MIN_RSA_BITS, MAX_RSA_BITS, MAX_EXPONENT_BITS = 2048, 8192, 32
USUAL_SALT = 20
DIGESTS = {oid(f"2.16.840.1.101.3.4.2.{n}"): name for n, name in ((1, "sha256"), (2, "sha384"), (3, "sha512"))}
# MD2, MD5 and SHA-1: collisions for them can be made.
BROKEN_DIGESTS = tuple(map(oid, ("1.2.840.113549.2.2", "1.2.840.113549.2.5", "1.3.14.3.2.26")))


class WrongSignature(Refuted):
    """A signature can be verified, and is not by this key."""


def require_key(condition: object, reason: str) -> None:
    """What is no key, or one of another kind than the signature, has not made it."""
    if not condition:
        raise WrongSignature(reason)


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
# MD2, MD5 and SHA-1 with RSA, and SHA-1 with DSA and ECDSA.
BROKEN_SCHEMES = tuple(
    map(oid, (*(f"1.2.840.113549.1.1.{n}" for n in (2, 4, 5)), "1.2.840.10040.4.3", "1.2.840.10045.4.1"))
)


def scheme_of(algorithm: Algorithm) -> Scheme:
    if algorithm.oid == RSA_PSS:
        return read_pss(algorithm.parameters)
    judgeable(algorithm.oid not in BROKEN_SCHEMES, "weak", "its signature algorithm proves nothing any more")
    beyond(algorithm.oid in SCHEMES, "its signature algorithm is not RSA or ECDSA with SHA-2")
    return SCHEMES[algorithm.oid]


def read_pss(parameters: Tlv | None) -> Scheme:
    """RFC 4055 section 3.1. A digest or mask that is left out means SHA-1."""
    with Fields(read_der(b"\x30\x00") if parameters is None else parameters) as fields:
        hashed, masked, salt, trailer = (fields.optional(tag) for tag in (0xA0, 0xA1, 0xA2, 0xA3))
        if hashed is None or masked is None:
            raise Unjudged("weak", "its signature leaves RSASSA-PSS at SHA-1, which proves nothing any more")
        digest = digest_of(read_algorithm(only(hashed.members)))
        salt_length = USUAL_SALT if salt is None else small_integer(only(salt.members))
        require(trailer is None or small_integer(only(trailer.members)) == 1, "the trailer of RSASSA-PSS is not 1")
        mask = read_algorithm(only(masked.members))
        beyond(mask.oid == MASK_GENERATION_1, "its mask of RSASSA-PSS is unknown")
        masked_by = None if mask.parameters is None else digest_of(read_algorithm(mask.parameters))
        beyond(masked_by == digest, "its mask of RSASSA-PSS uses another digest")
    return Scheme("pss", digest, salt_length)


def digest_of(algorithm: Algorithm) -> str:
    judgeable(algorithm.oid not in BROKEN_DIGESTS, "weak", "its digest proves nothing any more")
    beyond(algorithm.oid in DIGESTS, "its digest is not SHA-256, SHA-384 or SHA-512")
    return DIGESTS[algorithm.oid]


def curve_of(algorithm: Algorithm) -> Curve:
    """RFC 5480 section 2.1.1: the curve is named in the key's algorithm."""
    require_key(algorithm.oid == EC_PUBLIC_KEY, "the key is not for ECDSA")
    named = algorithm.parameters
    curve = CURVES.get(named.value) if named is not None and named.tag == OID else None
    if curve is None:
        raise Unjudged("beyond_verifier", "its key is not on curve P-256, P-384 or P-521")
    return curve


def require_rsa(algorithm: Algorithm, scheme: Scheme) -> None:
    """RFC 4055 section 3.3: a key that is for RSASSA-PSS serves nothing else, nor weaker parameters than its own."""
    require_key(algorithm.oid in (RSA, RSA_PSS), "the key is not for RSA")
    if algorithm.oid == RSA:
        return
    own = scheme if algorithm.parameters is None else read_pss(algorithm.parameters)
    alike = scheme.kind == "pss" and own.digest == scheme.digest and own.salt <= scheme.salt
    require_key(alike, "the key is for another use of RSASSA-PSS")
