"""Finds out what a file is: evidence, a companion of evidence, or the proof of a fork."""

import re
from typing import Any, NamedTuple

from ..checks import Unreadable
from ..files import decode_text, read_certificates
from ..formats import is_layer
from ..hashes import digest, hash_json
from ..json_input import read_json
from ..kinds import Evidence, is_fork, read_evidence
from ..log_policy import read_policy
from ..shapes import readable
from .fork import Fork, read_fork
from .given import Certificates, Companion, Layer, LogPolicy, Request
from .listing import GivenFile

# Text may stand before certificates. Bytes.
OPENING = 4_096
# At the beginning of a line, in what is no JSON.
PEM_MARK, JSON_START = re.compile(r"^-----BEGIN ", re.MULTILINE), re.compile(r"\s*[\[{\"]")
KEY = re.compile(r"\s*[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}\s*")
POLICY = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]*(?:log|witness|group|quorum)[ \t]")
FOREIGN = "this is a {}, which this program does not read: the command line's `verify` does"


class Opened(NamedTuple):
    """A file that could be read is one of these."""

    evidence: Evidence | None = None
    companion: Companion | None = None
    fork: Fork | None = None


def open_document(given: GivenFile, data: bytes) -> Opened:
    """Raises Unreadable."""
    opening = data[:OPENING].decode("utf-8", "replace")
    if not opening.strip() and len(data) <= OPENING:
        raise Unreadable("this file is empty")
    if opening.startswith("c2sp.org/tlog-proof@v1\n"):
        raise Unreadable(FOREIGN.format(".tlog-proof"))
    if data.startswith(b"\xd2\x84"):
        raise Unreadable(FOREIGN.format("COSE receipt"))
    if PEM_MARK.search(opening) and not JSON_START.match(opening):
        return Opened(companion=Certificates(*given, read_certificates(data).certificates))
    if KEY.fullmatch(opening) or POLICY.match(opening):
        return Opened(companion=LogPolicy(*given, read_policy(decode_text(data))))
    return open_json(given, read_json(data))


def open_json(given: GivenFile, value: Any) -> Opened:
    if is_fork(value):
        return Opened(fork=read_fork(value))
    if isinstance(value, dict) and not {"merkle_proof", "proofs", "consistency_path"} & value.keys():
        if {"interaction_id", "subject_hash"} <= value.keys():
            return Opened(companion=Request(given.name, value, digest(hash_json(value))))
        if "wordings" in value:
            layer = readable(is_layer, value, "wording policy layer")
            return Opened(companion=Layer(*given, layer, digest(hash_json(layer))))
    return Opened(evidence=read_evidence(value))
