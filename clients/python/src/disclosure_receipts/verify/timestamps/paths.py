"""Paths of certificates to a trust anchor: RFC 5280 section 6."""

from collections.abc import Iterable, Sequence

from ..checks import Refuted, Unjudged, present, require
from .algorithms import WrongSignature, scheme_of
from .certificates import (
    ANY_PURPOSE,
    CERTIFICATE_SIGNATURE,
    NAME_CONSTRAINTS,
    TIME_STAMPING,
    UNDERSTOOD,
    Certificate,
    basic_constraints,
    issuer_key_identifier,
    key_identifier,
    key_usage,
    purposes_of,
)
from .der import beyond
from .signatures import check_signature

# Real paths take two to four; a token could hold sixteen certificates of one name, each with a path of its own.
MAX_SIGNATURE_CHECKS = 6


class Work:
    """The signatures that may still be looked at."""

    def __init__(self) -> None:
        self.left = MAX_SIGNATURE_CHECKS

    def spend(self) -> None:
        beyond(self.left > 0, "too many certificates have the name of its issuer")
        self.left -= 1


class Search:
    """Looks for a path from certificate to certificate. Each is followed once, or some that lead in circles would take
    for ever.
    """

    def __init__(self, certificates: Iterable[Certificate], anchors: Sequence[Certificate], time: int) -> None:
        self.anchors = {anchor.der for anchor in anchors}
        self.untried = {certificate.der: certificate for certificate in (*anchors, *certificates)}
        self.time = time
        self.work = Work()
        # With the length of the path that could not go on.
        self.failures: list[tuple[int, Refuted | Unjudged]] = []

    def path_from(self, certificate: Certificate) -> list[Certificate]:
        """Raises what could not be judged, if anything could not; else the fault of the path that came farthest."""
        self.untried.pop(certificate.der, None)
        path = self.extend([certificate])
        if path is not None:
            return path
        for _, failure in self.failures:
            if isinstance(failure, Unjudged):
                raise failure
        if not self.failures:
            raise Refuted("the certificates that the signer names lead to no trust anchor")
        raise max(self.failures, key=lambda failure: failure[0])[1]

    def extend(self, path: list[Certificate]) -> list[Certificate] | None:
        if path[-1].der in self.anchors:
            return path
        for issuer in issuers_of(path[-1], self.untried.values()):
            if issuer.der not in self.untried:
                continue
            try:
                self.check_issuer(path, issuer)
            except (Refuted, Unjudged) as reason:
                self.failures.append((len(path), reason))
                continue
            del self.untried[issuer.der]
            whole = self.extend([*path, issuer])
            if whole is not None:
                return whole
        return None

    def check_issuer(self, path: list[Certificate], issuer: Certificate) -> None:
        """An anchor is a name and a key: the reader trusts it, whatever its certificate says."""
        if issuer.der not in self.anchors:
            check_usable(issuer, self.time)
            check_may_issue(path, issuer)
        self.work.spend()
        check_issued(issuer, path[-1])


def check_usable(certificate: Certificate, time: int) -> None:
    require(certificate.not_before <= time <= certificate.not_after, "a certificate was not valid at genTime")
    critical = {name for name, (is_critical, _) in certificate.extensions.items() if is_critical}
    beyond(critical <= set(UNDERSTOOD), "one of its certificates has a critical extension that is not supported")
    # RFC 5280 section 4.2.1.10: they bind every verifier, and some CAs leave them uncritical all the same.
    beyond(NAME_CONSTRAINTS not in certificate.extensions, "one of its certificates has name constraints")


def check_may_issue(path: list[Certificate], issuer: Certificate) -> None:
    is_ca, limit = basic_constraints(issuer)
    require(is_ca, "an issuer is no CA")
    usage = key_usage(issuer)
    require(usage is None or CERTIFICATE_SIGNATURE in usage, "an issuer's key is not for certificates")
    below = [certificate for certificate in path[1:] if certificate.issuer != certificate.subject]
    require(limit is None or len(below) <= limit, "the path is longer than an issuer allows")
    _, purposes = purposes_of(issuer) or (False, [ANY_PURPOSE])
    require({TIME_STAMPING, ANY_PURPOSE} & set(purposes), "an issuer is for other purposes")


def check_issued(issuer: Certificate, certificate: Certificate) -> None:
    scheme = scheme_of(certificate.algorithm)
    digest = present(scheme.digest, "a certificate's signature does not name its digest")
    reason = "a certificate was not signed by the issuer that it names"
    check_signature(scheme, digest, issuer.key, certificate.signed, certificate.signature, reason)


def issuers_of(certificate: Certificate, candidates: Iterable[Certificate]) -> list[Certificate]:
    """Those of the issuer's name: first those whose key is identified as the issuer's, then those of which that isn't
    said, and last those whose key is identified as another (RFC 4158 section 3.5.12).
    """
    wanted = issuer_key_identifier(certificate)

    def rank(issuer: Certificate) -> int:
        own = key_identifier(issuer)
        return 1 if own is None or wanted is None else 0 if own == wanted else 2

    return sorted((issuer for issuer in candidates if issuer.subject == certificate.issuer), key=rank)


def leads_to_anchor(certificate: Certificate, others: Sequence[Certificate], anchors: Sequence[Certificate]) -> bool:
    """Tells whether an anchor is among the certificates to which names lead from this one, or signed one of them."""
    trusted, work = {anchor.der: anchor for anchor in anchors}, Work()
    for reached in reach_by_name(certificate, others):
        if reached.der in trusted:
            return True
        for anchor in issuers_of(reached, trusted.values()):
            work.spend()
            if may_have_issued(anchor, reached):
                return True
    return False


def reach_by_name(certificate: Certificate, others: Sequence[Certificate]) -> list[Certificate]:
    """The certificate, and those to which the names of issuers lead from it."""
    reached = {certificate.der: certificate}
    queue = [certificate]
    for current in queue:
        for issuer in issuers_of(current, others):
            if issuer.der not in reached:
                reached[issuer.der] = issuer
                queue.append(issuer)
    return queue


def may_have_issued(issuer: Certificate, certificate: Certificate) -> bool:
    """A signature that can't be verified at all is not shown to be another key's."""
    try:
        check_issued(issuer, certificate)
        return True
    except WrongSignature:
        return False
    except (Refuted, Unjudged):
        return True
