"""The outcome of a check, and the ways in which a check ends without one."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

Given = TypeVar("Given")
# Errors of Python itself that a check may meet in evidence made to harm.
UNFORESEEN = (ArithmeticError, LookupError, TypeError, ValueError)


class Check(NamedTuple):
    """ok: True it holds, False it fails, None it can't be made with what is given. companion: "request", "trust_anchor"
    or "log" where it can't be made because the reader gave one that does not belong to the evidence.
    """

    name: str
    ok: bool | None
    detail: str
    companion: str | None = None


class Unreadable(Exception):
    """The input is no evidence in the format."""


class Refuted(Exception):
    """A check fails."""


class Unmade(Exception):
    """A check can't be made."""

    companion: str | None = None


class StrayRequest(Unmade):
    """The request that the reader gave is not the receipt's."""

    companion = "request"


class StrayAnchor(Unmade):
    """The certificates that the reader gave are not those of the token's authority."""

    companion = "trust_anchor"


class StrayLog(Unmade):
    """The reader's policy is of another log than the one that signed the checkpoint."""

    companion = "log"


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Refuted(reason)


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
    except Unmade as reason:
        return Check(name, None, str(reason), reason.companion)
    except UNFORESEEN:
        # A check that fails in a way that nobody foresaw has not shown that anything holds.
        return Check(name, False, "this check could not be carried out")
