"""The verdict on evidence, in one word."""

from .checks import Check

HOLDS, HOLDS_SO_FAR, DOES_NOT_HOLD, UNREADABLE = "holds", "holds_so_far", "does_not_hold", "unreadable"
# The worst comes first: that something does not hold says more than that something could not be read.
VERDICTS = (DOES_NOT_HOLD, UNREADABLE, HOLDS_SO_FAR, HOLDS)
# These checks need documents that one piece of evidence can't hold. Unmade, they take nothing from the others.
SUPPLEMENTARY = (
    *("input_hash", "links", "evidence_chain", "interaction", "previous_seal", "additional_timestamps", "whole"),
    "chain_links",  # Between files, of which no two need to follow each other.
)


def verdict_of(checks: list[Check]) -> str:
    if any(check.ok is False for check in checks):
        return DOES_NOT_HOLD
    return HOLDS_SO_FAR if any(check.ok is None and matters(check) for check in checks) else HOLDS


def matters(check: Check) -> bool:
    return check.name.rpartition("/")[2] not in SUPPLEMENTARY


def worst_of(verdicts: list[str]) -> str:
    return min(verdicts, key=VERDICTS.index)
