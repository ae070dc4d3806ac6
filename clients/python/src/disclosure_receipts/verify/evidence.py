"""Verifies evidence of any kind."""

from .bundle import verify_bundle
from .checks import Check
from .kinds import Evidence
from .reader import Reader
from .receipt import verify_receipt
from .seal import verify_seal_file


def verify(evidence: Evidence, reader: Reader = Reader()) -> list[Check]:
    """Makes every check of a piece of evidence."""
    check = {"bundle": verify_bundle, "seal": verify_seal_file}.get(evidence.kind, verify_receipt)
    return check(evidence.value, reader)
