"""The outcome of a check, and the ways in which a check ends without one."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

Given = TypeVar("Given")
# Errors of Python itself that a check may meet in evidence made to harm.
UNFORESEEN = (ArithmeticError, LookupError, TypeError, ValueError)


# The reasons why a check can't be made: docs/receipt-format.md, "Checking a receipt".
Reason = Literal[
    "not_given",
    "no_anchor",
    "pending",
    "expired",
    "too_new",
    "turn_missing",
    "weak",
    "beyond_verifier",
    "no_quorum",
    "other_request",
    "other_authority",
    "other_log",
    "other_history",
    "two_logs",
    "nothing_to_check",
]


class Check(NamedTuple):
    """ok: True it holds, False it fails, None it can't be made, for this reason."""

    name: str
    ok: bool | None
    detail: str
    reason: Reason | None = None


class Unreadable(Exception):
    """The input is no evidence in the format."""


class Refuted(Exception):
    """A check fails."""


class Unmade(Exception):
    """A check can't be made."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: Reason = reason


class Unjudged(Unmade):
    """Nothing about a token is shown to be false, and it can't be judged: it is of an authority that the reader doesn't
    trust, rests on what proves nothing any more, or has a form, algorithm, extension or size that is not judged here.
    """


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Refuted(reason)


def judgeable(condition: object, reason: Reason, detail: str) -> None:
    if not condition:
        raise Unjudged(reason, detail)


def present(value: Given | None, reason: str) -> Given:
    """The value, which must be there."""
    if value is None:
        raise Refuted(reason)
    return value


def run(name: str, check: Callable[[], str | None]) -> Check:
    """The outcome of one check, which is a function without arguments."""
    try:
        return Check(name, True, check() or "")
    except Refuted as reason:
        return Check(name, False, str(reason))
    except Unmade as unmade:
        return Check(name, None, str(unmade), unmade.reason)
    except UNFORESEEN:
        # A check that fails in a way that nobody foresaw has not shown that anything holds.
        return Check(name, False, "this check could not be carried out")
