"""The timestamp authorities that a reader trusts, and what they make of a token."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..base64_text import decode_base64
from ..checks import UNFORESEEN, Refuted, Unjudged, require
from .algorithms import DIGESTS
from .certificates import Certificate
from .der import beyond
from .paths import Search, check_usable, leads_to_anchor
from .signers import check_attributes, check_purpose, check_signer, is_among, is_named
from .tokens import Signer, Token, read_token


class Trust(NamedTuple):
    """anchor: the DER of the reader's certificate that a token leads to."""

    valid_until: int
    anchor: bytes


class Judged(NamedTuple):
    """A token of which nothing is shown to be false states this. trust: or why it can't be judged."""

    imprint: bytes
    gen_time: int
    accuracy: float
    trust: Trust | Unjudged


class Authorities:
    """The timestamp authorities that a reader trusts, by their certificates.

    A token is judged once by its bytes, however many roots it is given for.
    """

    def __init__(self, certificates: Iterable[Certificate] = ()) -> None:
        self.certificates = tuple(certificates)
        # The DER of the certificates to which tokens were found to lead.
        self.reached: set[bytes] = set()
        self.outcome = lru_cache(maxsize=2048)(self._outcome)

    def judge(self, text: str) -> Judged | None:
        """Judges a token in base64. Without certificates it is read, and the result is None. Raises Refuted, and
        Unjudged for one that can't be read here.
        """
        judged = self.outcome(text)
        if isinstance(judged, (Refuted, Unjudged)):
            raise judged.with_traceback(None)
        if judged is not None and isinstance(judged.trust, Trust):
            self.reached.add(judged.trust.anchor)
        return judged

    def _outcome(self, text: str) -> Judged | Refuted | Unjudged | None:
        """Gives the result of judge(), or what it raises."""
        try:
            token = read_token(decode_base64(text))
            return judge_token(token, self.certificates) if self.certificates else None
        except (Refuted, Unjudged) as reason:
            return reason.with_traceback(None)
        except UNFORESEEN:
            return Refuted("this is no token that can be read")


def judge_token(token: Token, anchors: Sequence[Certificate]) -> Judged:
    """Checks all of a token but the root that it must cover. Raises Refuted."""
    info = token.info
    require(DIGESTS.get(info.algorithm.oid) == "sha256", "the imprint is not by SHA-256")
    try:
        trust: Trust | Unjudged = trust_in(token, anchors)
    except Unjudged as reason:
        trust = reason
    return Judged(info.imprint, info.gen_time, info.accuracy, trust)


def trust_in(token: Token, anchors: Sequence[Certificate]) -> Trust:
    """Raises Refuted, and Unjudged."""
    info = token.info
    beyond(info.version == 1, "its TSTInfo is not of version 1")
    beyond(not info.has_critical, "its TSTInfo has a critical extension")
    require(len(token.signers) == 1, "there is not exactly one signer")
    signer = token.signers[0]
    certificate = find_signer(signer, [*token.certificates, *anchors])
    limits = check_attributes(signer, token.content, certificate)
    check_purpose(certificate)
    check_usable(certificate, info.gen_time)
    check_signer(signer, certificate)
    permitted = [c for c in token.certificates if all(is_among(c, cert_ids) for cert_ids in limits)]
    try:
        path = Search(permitted, anchors, info.gen_time).path_from(certificate)
    except (Refuted, Unjudged):
        if leads_to_anchor(certificate, token.certificates, anchors):
            raise
        unknown = "none of the certificates that were given is of the authority that signed the token"
        raise Unjudged("other_authority", unknown) from None
    return Trust(min(certificate.not_after for certificate in path), path[-1].der)


def find_signer(signer: Signer, certificates: Sequence[Certificate]) -> Certificate:
    """RFC 3161 section 2.4.1 lets a token come without certificates: then the reader's own may have its signer's."""
    for certificate in certificates:
        if is_named(certificate, signer.name):
            return certificate
    raise Unjudged("other_authority", "the token holds no certificate of its signer, and none that was given is that")
