"""The findings of the program in each file, and between them."""

from typing import NamedTuple

from .checks import Check
from .kinds import Evidence


class Result(NamedTuple):
    """evidence: None where the file could not be read. reason: why it could not."""

    file: str
    evidence: Evidence | None
    verdict: str
    checks: list[Check]
    reason: str | None


class Between(NamedTuple):
    """The checks between the files, none where there are no two receipts, and sentences on what is missing."""

    checks: list[Check]
    missing: list[str]


class Stray(NamedTuple):
    """Something that the reader gave and that does not belong to the evidence."""

    kind: str
    file: str | None
    detail: str
