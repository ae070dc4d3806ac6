"""The attributes that a token's signer states of itself: RFC 3161 section 2.3, RFC 5035 and RFC 5652 section 11."""

import hashlib

from ..checks import present, require
from .algorithms import digest_of, scheme_of
from .certificates import (
    DIGITAL_SIGNATURE,
    NON_REPUDIATION,
    TIME_STAMPING,
    Certificate,
    key_identifier,
    key_usage,
    purposes_of,
    read_algorithm,
)
from .der import INTEGER, OCTETS, OID, SEQUENCE, SET, Fields, Tlv, only
from .signatures import check_signature
from .tokens import CERT_ID, CERT_ID_V2, CONTENT_TYPE, MESSAGE_DIGEST, TST_INFO, CertId, Signer, SignerName


def check_signer(signer: Signer, certificate: Certificate) -> None:
    digest, scheme = digest_of(signer.digest), scheme_of(signer.algorithm)
    require(scheme.digest in (None, digest), "the signature is by another digest than the signer says")
    signed = signer.attributes.der
    check_signature(scheme, digest, certificate.key, signed, signer.signature, "the signature does not hold")


def is_named(certificate: Certificate, name: SignerName) -> bool:
    if isinstance(name, tuple):
        return (certificate.issuer, certificate.serial) == name
    return key_identifier(certificate) == name


def check_attributes(signer: Signer, content: bytes, certificate: Certificate) -> list[list[CertId]]:
    """RFC 5652 section 11: each attribute is there once, with one value. Returns the lists that limit the path."""
    values = {}
    for attribute in signer.attributes.members:
        with Fields(attribute) as fields:
            name, value = fields.next(OID).value, only(fields.next(SET).members)
        require(name not in values, "a signed attribute is there twice")
        values[name] = value
    typed = present(values.get(CONTENT_TYPE), "there is no signed content type")
    require((typed.tag, typed.value) == (OID, TST_INFO), "the signed content type is another")
    hashed = hashlib.new(digest_of(signer.digest), content).digest()
    stated = present(values.get(MESSAGE_DIGEST), "there is no signed digest")
    require(stated.value == hashed, "the signed digest is not that of the TSTInfo")
    require(CERT_ID in values or CERT_ID_V2 in values, "the signer does not say which certificate is meant")
    lists = [read_cert_ids(values[name], name) for name in (CERT_ID, CERT_ID_V2) if name in values]
    for cert_ids in lists:
        require(cert_ids, "the signer names no certificate")
        require(is_meant(cert_ids[0], certificate), "the signer means another certificate")
        if cert_ids[0].issuer_serial is not None:
            check_issuer_serial(cert_ids[0].issuer_serial, certificate)
    # RFC 5035 section 5.4: a list with more certificates than the signer's lets the path lead through no others.
    return [cert_ids for cert_ids in lists if len(cert_ids) > 1]


def read_cert_ids(tlv: Tlv, name: bytes) -> list[CertId]:
    """Policies may follow, which limit nothing where none is asked for."""
    with Fields(tlv) as fields:
        members, policies = fields.next(SEQUENCE).members, fields.optional(SEQUENCE)
        require(all(policy.tag == SEQUENCE for policy in (policies.members if policies else ())), "a policy is none")
    return [read_cert_id(member, name) for member in members]


def read_cert_id(tlv: Tlv, name: bytes) -> CertId:
    """RFC 5035. ESSCertID is by SHA-1, ESSCertIDv2 by SHA-256 unless it says otherwise."""
    with Fields(tlv) as fields:
        algorithm = fields.optional(SEQUENCE) if name == CERT_ID_V2 else None
        default = "sha256" if name == CERT_ID_V2 else "sha1"
        digest = default if algorithm is None else digest_of(read_algorithm(algorithm))
        return CertId(digest, fields.next(OCTETS).value, fields.optional(SEQUENCE))


def is_meant(cert_id: CertId, certificate: Certificate) -> bool:
    return cert_id.hashed == hashlib.new(cert_id.digest, certificate.der).digest()


def is_among(certificate: Certificate, cert_ids: list[CertId]) -> bool:
    """Tells whether one of them means the certificate, which is hashed once a digest, however many they are."""
    hashes = {(name, hashlib.new(name, certificate.der).digest()) for name in {c.digest for c in cert_ids}}
    return any((cert_id.digest, cert_id.hashed) in hashes for cert_id in cert_ids)


def check_issuer_serial(tlv: Tlv, certificate: Certificate) -> None:
    with Fields(tlv) as fields:
        name, serial = only(fields.next(SEQUENCE).members), fields.next(INTEGER).value
    require(name.tag == 0xA4, "the issuer is not a directory name")
    meant = (only(name.members).der, serial)
    require(meant == (certificate.issuer, certificate.serial), "the signer means a certificate of another issuer")


def check_purpose(certificate: Certificate) -> None:
    """RFC 3161 section 2.3."""
    require(purposes_of(certificate) == (True, [TIME_STAMPING]), "the signer's key is not for timestamps alone")
    usage = key_usage(certificate)
    signs = usage is None or (usage and usage <= {DIGITAL_SIGNATURE, NON_REPUDIATION})
    require(signs, "the signer's key is not for signatures alone")
