"""The checks, with how much each looked at and what it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from disclosure_receipts.verify.checks import UNFORESEEN, Refuted, Unmade, Unreadable
from disclosure_receipts.verify.checks import Check as Outcome

# More of one check say nothing new; how many there were is counted.
MAX_KEPT = 1000


@dataclass
class Check:
    """One check: how much it looked at, and each finding in a line."""

    name: str
    count: int = 0
    found: int = 0
    findings: list[str] = field(default_factory=list)
    unmade: str | None = None

    def add(self, finding: str) -> None:
        """Keeps one finding. It never holds a key or an interaction id."""
        self.found += 1
        if len(self.findings) < MAX_KEPT:
            self.findings.append(finding)

    def expect(self, holds: bool, finding: str) -> bool:
        """Counts one thing that was looked at. Returns whether it holds."""
        self.count += 1
        if not holds:
            self.add(finding)
        return holds

    def take(self, at: str, outcomes: Iterable[Outcome]) -> None:
        """What the verifier says: a check that fails is a finding, and one that it can't make is none."""
        for outcome in outcomes:
            if outcome.ok is not None:
                self.expect(outcome.ok, f"{at}: {outcome.name}: {outcome.detail}")

    @contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Where `what` is not what the documents say, that is a finding, and the rest of the block falls away."""
        try:
            yield
        except (Unreadable, Refuted, Unmade) as reason:
            self.expect(False, f"{what}: {reason}")
        except UNFORESEEN as error:
            self.expect(False, f"{what}: it can't be read ({type(error).__name__}: {error})")

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "count": self.count,
            "found": self.found,
            "findings": self.findings,
            "unmade": self.unmade,
        }


class Findings:
    """All checks, in the order in which they are first named."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    def check(self, name: str) -> Check:
        """The check of this name."""
        return self._checks.setdefault(name, Check(name))

    @property
    def checks(self) -> list[Check]:
        return list(self._checks.values())

    @property
    def holds(self) -> bool:
        return not any(check.found for check in self.checks)
