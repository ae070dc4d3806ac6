"""Paths of certificates to a trust anchor: RFC 5280 section 6."""

from collections.abc import Sequence

from ..checks import Refuted, present, require
from .algorithms import scheme_of
from .certificates import (
    ANY_PURPOSE,
    CERTIFICATE_SIGNATURE,
    NAME_CONSTRAINTS,
    TIME_STAMPING,
    UNDERSTOOD,
    Certificate,
    basic_constraints,
    key_usage,
    purposes_of,
)
from .signatures import WrongSignature, check_signature


def check_usable(certificate: Certificate, time: int) -> None:
    """Every certificate on the path must pass this, the anchor too."""
    require(certificate.not_before <= time <= certificate.not_after, "a certificate was not valid at genTime")
    critical = {name for name, (is_critical, _) in certificate.extensions.items() if is_critical}
    require(critical <= set(UNDERSTOOD), "a certificate has a critical extension that is not supported")
    # RFC 5280 section 4.2.1.10: they bind every verifier, and some CAs leave them uncritical all the same.
    require(NAME_CONSTRAINTS not in certificate.extensions, "a certificate has name constraints")


def leads_to_anchor(certificate: Certificate, others: list[Certificate], anchors: Sequence[Certificate]) -> bool:
    """Tells whether an anchor is among the certificates to which names lead from this one, or signed one of them."""
    trusted = {anchor.der for anchor in anchors}
    reached = [certificate, *certificates_above(certificate, others)]
    return any(c.der in trusted or any(may_have_issued(anchor, c) for anchor in anchors) for c in reached)


def certificates_above(certificate: Certificate, others: list[Certificate]) -> list[Certificate]:
    """Lists the certificates to which names alone lead, from issuer to issuer."""
    by_subject: dict[bytes, list[Certificate]] = {}
    for other in others:
        by_subject.setdefault(other.subject, []).append(other)
    above, names = [], [certificate.issuer]
    while names:
        found = by_subject.pop(names.pop(), [])
        above += found
        names += [issuer.issuer for issuer in found]
    return above


def may_have_issued(issuer: Certificate, certificate: Certificate) -> bool:
    """Compares names and tries the key. A signature that can't be verified at all is not shown to be another key's."""
    if issuer.subject != certificate.issuer:
        return False
    try:
        check_issued(issuer, certificate)
        return True
    except WrongSignature:
        return False
    except Refuted:
        return True


def find_anchor(
    path: list[Certificate], untried: list[Certificate], anchors: set[bytes], time: int
) -> list[Certificate]:
    """RFC 5280 section 6. Each certificate is followed once, or some that lead in circles would take for ever."""
    last = path[-1]
    if last.der in anchors:
        return path
    reason = Refuted("the certificates that the signer names lead to no trust anchor")
    for issuer in [candidate for candidate in untried if candidate.subject == last.issuer]:
        try:
            require(issuer in untried, "a path leads in circles")
            check_issuer(path, issuer, time)
            untried.remove(issuer)
            return find_anchor([*path, issuer], untried, anchors, time)
        except Refuted as error:
            reason = error
    raise reason


def check_issuer(path: list[Certificate], issuer: Certificate, time: int) -> None:
    check_usable(issuer, time)
    is_ca, limit = basic_constraints(issuer)
    require(is_ca, "an issuer is no CA")
    usage = key_usage(issuer)
    require(usage is None or CERTIFICATE_SIGNATURE in usage, "an issuer's key is not for certificates")
    below = [certificate for certificate in path[1:] if certificate.issuer != certificate.subject]
    require(limit is None or len(below) <= limit, "the path is longer than an issuer allows")
    _, purposes = purposes_of(issuer) or (False, [ANY_PURPOSE])
    require({TIME_STAMPING, ANY_PURPOSE} & set(purposes), "an issuer is for other purposes")
    check_issued(issuer, path[-1])


def check_issued(issuer: Certificate, certificate: Certificate) -> None:
    scheme = scheme_of(certificate.algorithm)
    digest = present(scheme.digest, "a certificate's signature does not name its digest")
    reason = "a certificate was not signed by the issuer that it names"
    check_signature(scheme, digest, issuer.key, certificate.signed, certificate.signature, reason)
