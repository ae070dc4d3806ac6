"""Compares a text that the reader has with the wordings that receipts name by their digests."""

import unicodedata

from ..hashes import digest, sha256
from ..kinds import Evidence
from .findings import Comparison


def compare_wording(text: str, sound: list[tuple[Evidence, str]]) -> Comparison:
    """A text with its gaps filled is not the text with the gaps: whose digest it was can't be told from the digest."""
    expected = hash_wording(text)
    receipts = [(file, receipt) for evidence, file in sound for receipt in evidence.receipts]
    matching = [(file, str(receipt.get("turn"))) for file, receipt in receipts if digest_in(receipt) == expected]
    return Comparison(matching, len(receipts))


def digest_in(receipt: dict[str, object]) -> object:
    disclosure = receipt.get("disclosure")
    return disclosure.get("subject_hash") if isinstance(disclosure, dict) else None


def hash_wording(text: str) -> str:
    """Over the Unicode NFC form, and nothing else changed: docs/policy-layer.md. A lone surrogate is in no wording."""
    try:
        return digest(sha256(unicodedata.normalize("NFC", text).encode("utf-8")))
    except UnicodeEncodeError:
        return ""
