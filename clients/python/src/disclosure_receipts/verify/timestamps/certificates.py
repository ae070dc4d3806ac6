"""Certificates: RFC 5280 sections 4.1 and 4.2."""

from collections.abc import Callable
from typing import NamedTuple

from ..checks import Refuted, Unjudged, require
from ..instants import read_time
from .der import (
    BITS,
    BOOLEAN,
    INTEGER,
    OCTETS,
    OID,
    SEQUENCE,
    TIME,
    UTC_TIME,
    Fields,
    Tlv,
    oid,
    read_der,
    small_integer,
    whole_octets,
)


class Algorithm(NamedTuple):
    oid: bytes
    parameters: Tlv | None


class Certificate(NamedTuple):
    der: bytes
    signed: bytes
    issuer: bytes
    subject: bytes
    serial: bytes
    not_before: int
    not_after: int
    key: Tlv
    # By object identifier: whether the extension is critical, and the DER inside.
    extensions: dict[bytes, tuple[bool, bytes]]
    algorithm: Algorithm
    signature: bytes


KEY_IDENTIFIER, KEY_USAGE, BASIC_CONSTRAINTS = oid("2.5.29.14"), oid("2.5.29.15"), oid("2.5.29.19")
NAME_CONSTRAINTS, POLICIES, ISSUER_KEY_IDENTIFIER, EXTENDED_KEY_USAGE = (
    oid(f"2.5.29.{n}") for n in (30, 32, 35, 37)
)
TIME_STAMPING, ANY_PURPOSE = oid("1.3.6.1.5.5.7.3.8"), oid("2.5.29.37.0")
# Policies limit nothing where none is asked for. The other extensions are obeyed below.
UNDERSTOOD = (KEY_USAGE, BASIC_CONSTRAINTS, POLICIES, EXTENDED_KEY_USAGE)
DIGITAL_SIGNATURE, NON_REPUDIATION, CERTIFICATE_SIGNATURE = 0, 1, 5


def read_algorithm(tlv: Tlv) -> Algorithm:
    fields = Fields(tlv)
    name = fields.next(OID).value
    require(len(fields.left) <= 1, "an algorithm has more members than its parameters")
    return Algorithm(name, fields.left[0] if fields.left else None)


def read_certificate(tlv: Tlv) -> Certificate:
    with Fields(tlv) as outer:
        signed, named = outer.next(SEQUENCE), outer.next(SEQUENCE)
        signature = whole_octets(outer.next(BITS))
    with Fields(signed) as fields:
        fields.optional(0xA0)  # version
        serial = fields.next(INTEGER).value
        require(fields.next(SEQUENCE).der == named.der, "a certificate names two signature algorithms")
        issuer = fields.next(SEQUENCE).der
        with Fields(fields.next(SEQUENCE)) as validity:
            not_before, not_after = (read_certificate_time(validity.next(UTC_TIME, TIME)) for _ in range(2))
        subject, key = fields.next(SEQUENCE).der, fields.next(SEQUENCE)
        fields.optional(0x81)  # unique identifiers
        fields.optional(0x82)
        extensions = read_extensions(fields.explicit(0xA3))
    return Certificate(
        der=tlv.der,
        signed=signed.der,
        issuer=issuer,
        subject=subject,
        serial=serial,
        not_before=not_before,
        not_after=not_after,
        key=key,
        extensions=extensions,
        algorithm=read_algorithm(named),
        signature=signature,
    )


def read_extensions(tlv: Tlv | None) -> dict[bytes, tuple[bool, bytes]]:
    """Maps each object identifier to whether the extension is critical, and to the DER inside."""
    entries = [] if tlv is None else [read_extension(member) for member in tlv.members]
    require(len(dict(entries)) == len(entries), "an extension is there twice")
    return dict(entries)


def read_extension(tlv: Tlv) -> tuple[bytes, tuple[bool, bytes]]:
    with Fields(tlv) as fields:
        identifier, critical = fields.next(OID).value, fields.optional(BOOLEAN)
        return identifier, (critical is not None and critical.value == b"\xff", fields.next(OCTETS).value)


def read_certificate_time(tlv: Tlv) -> int:
    century = b"" if tlv.tag == TIME else b"20" if tlv.value[:2] < b"50" else b"19"
    return read_time(century + tlv.value)


def key_usage(certificate: Certificate) -> set[int] | None:
    """Returns the numbers of the usages that a certificate allows; None where it does not limit them."""
    if KEY_USAGE not in certificate.extensions:
        return None
    tlv = read_der(certificate.extensions[KEY_USAGE][1])
    require(tlv.tag == BITS, "the key usage is no BIT STRING")
    bits = "".join(f"{octet:08b}" for octet in tlv.value[1:])
    return {number for number, bit in enumerate(bits) if bit == "1"}


def purposes_of(certificate: Certificate) -> tuple[bool, list[bytes]] | None:
    """Returns whether its purposes are critical, and which they are; None where the certificate does not limit them."""
    if EXTENDED_KEY_USAGE not in certificate.extensions:
        return None
    critical, der = certificate.extensions[EXTENDED_KEY_USAGE]
    purposes = Fields(read_der(der)).left
    require(all(purpose.tag == OID for purpose in purposes), "a purpose is no OBJECT IDENTIFIER")
    return critical, [purpose.value for purpose in purposes]


def basic_constraints(certificate: Certificate) -> tuple[bool, int | None]:
    """Returns whether it is a CA, and how many more may be below it; None where that is not limited."""
    if BASIC_CONSTRAINTS not in certificate.extensions:
        return False, 0
    with Fields(read_der(certificate.extensions[BASIC_CONSTRAINTS][1])) as fields:
        is_ca, limit = fields.optional(BOOLEAN), fields.optional(INTEGER)
    return is_ca is not None and is_ca.value == b"\xff", None if limit is None else small_integer(limit)


def key_identifier(certificate: Certificate) -> bytes | None:
    """RFC 5280 section 4.2.1.2."""
    return identifier_in(certificate, KEY_IDENTIFIER, lambda tlv: tlv.value if tlv.tag == OCTETS else None)


def issuer_key_identifier(certificate: Certificate) -> bytes | None:
    """RFC 5280 section 4.2.1.1: keyIdentifier [0], which comes first."""
    return identifier_in(certificate, ISSUER_KEY_IDENTIFIER, lambda tlv: Fields(tlv).next(0x80).value)


def identifier_in(certificate: Certificate, name: bytes, read: Callable[[Tlv], bytes | None]) -> bytes | None:
    """An identifier helps to find a certificate and proves nothing, so that one which can't be read is none."""
    if name not in certificate.extensions:
        return None
    try:
        return read(read_der(certificate.extensions[name][1]))
    except (Refuted, Unjudged):
        return None
