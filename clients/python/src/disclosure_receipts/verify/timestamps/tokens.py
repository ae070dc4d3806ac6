"""Reads timestamp tokens: RFC 3161 over CMS (RFC 5652)."""

from typing import NamedTuple

from ..checks import require
from ..instants import read_time
from .certificates import Algorithm, Certificate, read_algorithm, read_certificate, read_extension
from .der import (
    BOOLEAN,
    INTEGER,
    OCTETS,
    OID,
    SEQUENCE,
    SET,
    TIME,
    Fields,
    Tlv,
    beyond,
    oid,
    only,
    read_der,
    small_integer,
)

SIGNED_DATA, TST_INFO = oid("1.2.840.113549.1.7.2"), oid("1.2.840.113549.1.9.16.1.4")
CONTENT_TYPE, MESSAGE_DIGEST = oid("1.2.840.113549.1.9.3"), oid("1.2.840.113549.1.9.4")
CERT_ID, CERT_ID_V2 = oid("1.2.840.113549.1.9.16.2.12"), oid("1.2.840.113549.1.9.16.2.47")
MAX_CERTIFICATES = 16


class Info(NamedTuple):
    version: int
    algorithm: Algorithm
    imprint: bytes
    gen_time: int
    accuracy: float
    has_critical: bool


class CertId(NamedTuple):
    digest: str
    hashed: bytes
    issuer_serial: Tlv | None


# (issuer, serial), or the key's identifier alone.
SignerName = tuple[bytes, bytes] | bytes


class Signer(NamedTuple):
    name: SignerName
    digest: Algorithm
    attributes: Tlv
    algorithm: Algorithm
    signature: bytes


class Token(NamedTuple):
    content: bytes
    info: Info
    certificates: list[Certificate]
    signers: list[Signer]


def read_token(data: bytes) -> Token:
    with Fields(read_der(data)) as content_info:
        require(content_info.next(OID).value == SIGNED_DATA, "the token is no CMS SignedData")
        signed_data = only(content_info.next(0xA0).members)
    with Fields(signed_data) as fields:
        small_integer(fields.next(INTEGER))
        fields.next(SET)  # digest algorithms, which the signer names too
        content_type, content = read_content(fields.next(SEQUENCE))
        certificates = read_certificates(fields.optional(0xA0))
        fields.optional(0xA1)  # revocation lists
        signers = [read_signer(signer) for signer in fields.next(SET).members]
    require(content_type == TST_INFO, "the content is no TSTInfo")
    return Token(content, read_info(content), certificates, signers)


def read_content(tlv: Tlv) -> tuple[bytes, bytes]:
    with Fields(tlv) as content:
        content_type, octets = content.next(OID).value, only(content.next(0xA0).members)
        require(octets.tag == OCTETS, "the content is no OCTET STRING")
    return content_type, octets.value


def read_certificates(tlv: Tlv | None) -> list[Certificate]:
    """Leaves out attribute certificates and the like, which have tags of their own."""
    found = [member for member in tlv.members if member.tag == SEQUENCE] if tlv else []
    beyond(len(found) <= MAX_CERTIFICATES, "it holds too many certificates")
    return [read_certificate(certificate) for certificate in found]


def read_info(data: bytes) -> Info:
    """RFC 3161 section 2.4.2."""
    with Fields(read_der(data)) as fields:
        version = small_integer(fields.next(INTEGER))
        fields.next(OID)  # policy
        with Fields(fields.next(SEQUENCE)) as imprint:
            algorithm, hashed = read_algorithm(imprint.next(SEQUENCE)), imprint.next(OCTETS).value
        fields.next(INTEGER)  # serial number
        gen_time = read_time(fields.next(TIME).value)
        accuracy = read_accuracy(fields.optional(SEQUENCE))
        for tag in (BOOLEAN, INTEGER, 0xA0):  # ordering, nonce, tsa
            fields.optional(tag)
        extensions = fields.optional(0xA1)
    critical = [read_extension(member)[1][0] for member in extensions.members] if extensions else []
    return Info(version, algorithm, hashed, gen_time, accuracy, any(critical))


def read_accuracy(tlv: Tlv | None) -> float:
    """In milliseconds; none that is stated counts as 0."""
    if tlv is None:
        return 0
    with Fields(tlv) as fields:
        seconds, millis, micros = (fields.optional(tag) for tag in (INTEGER, 0x80, 0x81))
    whole = 0 if seconds is None else small_integer(seconds)
    return whole * 1000 + read_thousandths(millis) + read_thousandths(micros) / 1000


def read_thousandths(tlv: Tlv | None) -> int:
    if tlv is None:
        return 0
    number = small_integer(tlv._replace(tag=INTEGER))
    require(1 <= number <= 999, "an accuracy is not of 1 to 999 thousandths")
    return number


def read_signer(tlv: Tlv) -> Signer:
    with Fields(tlv) as fields:
        small_integer(fields.next(INTEGER))
        identifier = fields.next(0x80, SEQUENCE)
        digest, attributes = read_algorithm(fields.next(SEQUENCE)), fields.next(0xA0)
        algorithm, signature = read_algorithm(fields.next(SEQUENCE)), fields.next(OCTETS).value
        fields.optional(0xA1)  # attributes that nobody signed
    # RFC 5652 section 5.4: the signature is over the SET, which the token has as [0], in the order that was sent.
    signed = attributes._replace(tag=SET, der=b"\x31" + attributes.der[1:])
    return Signer(read_signer_name(identifier), digest, signed, algorithm, signature)


def read_signer_name(tlv: Tlv) -> SignerName:
    if tlv.tag == 0x80:
        return tlv.value
    with Fields(tlv) as fields:
        return fields.next(SEQUENCE).der, fields.next(INTEGER).value
