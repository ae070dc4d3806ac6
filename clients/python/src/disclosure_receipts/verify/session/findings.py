"""The findings in each file of a set, and in all of them together."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ..checks import Check
from ..json_input import JsonObject
from ..kinds import Evidence
from .fork import ConfirmedFork
from .summary import Summary

Kind = Literal["request", "certificates", "seal", "log_policy", "policy_layer", "history"]
Use = Literal["used", "stray", "not_believed", "unused"]


class FileFinding(NamedTuple):
    """evidence: None where there is none. reason: why the file could not be read."""

    file: str
    verdict: str
    checks: list[Check]
    reason: str | None = None
    evidence: Evidence | None = None
    fork: ConfirmedFork | None = None

    @property
    def kind(self) -> str | None:
        """None for what could not be read."""
        if self.fork is not None:
            return "fork"
        return None if self.evidence is None else self.evidence.kind


class CompanionFinding(NamedTuple):
    """use: `unused` where there is no evidence yet, `not_believed` for what came in a folder."""

    kind: Kind
    file: str
    use: Use


class Comparison(NamedTuple):
    """matching: by file and turn, the receipts whose wording is the reader's text, of so many that were compared."""

    matching: list[tuple[str, str]]
    compared: int


class Findings(NamedTuple):
    """together: the checks between files, none where there is nothing to compare. layers: the reader's, by digest."""

    verdict: str
    files: list[FileFinding]
    together: list[Check]
    companions: list[CompanionFinding]
    summary: Summary
    comparison: Comparison | None
    layers: Mapping[str, JsonObject]

    def is_text_stray(self) -> bool:
        return self.comparison is not None and self.comparison.compared > 0 and not self.comparison.matching

    def has_strays(self) -> bool:
        return self.is_text_stray() or any(companion.use == "stray" for companion in self.companions)
