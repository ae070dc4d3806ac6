"""The timestamp authorities that a reader trusts, and what they make of a token."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..base64_text import decode_base64
from ..checks import UNFORESEEN, Refuted, require
from .algorithms import DIGESTS, digest_of
from .certificates import Certificate
from .paths import check_usable, find_anchor, leads_to_anchor
from .signers import check_attributes, check_purpose, check_signer, is_among, is_named
from .tokens import Token, read_token


class Judged(NamedTuple):
    """A token without a fault of its own states this. anchor: the DER of the reader's certificate that it leads to. It
    and valid_until are None where the token leads to none.
    """

    imprint: bytes
    gen_time: int
    accuracy: float
    valid_until: int | None
    anchor: bytes | None


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
        """Judges a token in base64. Without certificates it is read, and the result is None. Raises Refuted."""
        judged = self.outcome(text)
        if isinstance(judged, str):
            raise Refuted(judged)
        if judged is not None and judged.anchor is not None:
            self.reached.add(judged.anchor)
        return judged

    def _outcome(self, text: str) -> Judged | str | None:
        """Gives the result of judge(), or a text that says why the token is refused."""
        try:
            token = read_token(decode_base64(text))
            return judge_token(token, self.certificates) if self.certificates else None
        except Refuted as reason:
            return str(reason)
        except UNFORESEEN:
            return "this is no token that can be read"


def judge_token(token: Token, anchors: Sequence[Certificate]) -> Judged:
    """Checks all of a token but the root that it must cover. Raises Refuted."""
    info = token.info
    require(info.version == 1, "the TSTInfo is not of version 1")
    require(not info.has_critical, "the TSTInfo has a critical extension, which is not supported")
    require(DIGESTS.get(info.algorithm.oid) == "sha256", "the imprint is not by SHA-256")
    require(len(token.signers) == 1, "there is not exactly one signer")
    signer = token.signers[0]
    named = [certificate for certificate in token.certificates if is_named(certificate, signer.name)]
    require(named, "the signer's certificate is not in the token")
    certificate, digest = named[0], digest_of(signer.digest)
    limits = check_attributes(signer, digest, token.content, certificate)
    check_purpose(certificate)
    check_usable(certificate, info.gen_time)
    check_signer(signer, digest, certificate)
    permitted = [c for c in token.certificates if all(is_among(c, cert_ids) for cert_ids in limits)]
    untried, trusted = [*anchors, *permitted], {anchor.der for anchor in anchors}
    try:
        path = find_anchor([certificate], untried, trusted, info.gen_time)
    except Refuted:
        if leads_to_anchor(certificate, token.certificates, anchors):
            raise
        return Judged(info.imprint, info.gen_time, info.accuracy, None, None)
    valid_until = min(certificate.not_after for certificate in path)
    return Judged(info.imprint, info.gen_time, info.accuracy, valid_until, path[-1].der)
