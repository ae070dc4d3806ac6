"""Prints the results: in sentences, or as one JSON document."""

import json

from .checks import Check
from .json_input import JsonObject
from .results import Between, Result, Stray
from .verdict import DOES_NOT_HOLD, HOLDS, HOLDS_SO_FAR, UNREADABLE, verdict_of

IN_WORDS = {
    HOLDS: "holds",
    HOLDS_SO_FAR: "holds as far as it could be checked",
    DOES_NOT_HOLD: "does not hold",
    UNREADABLE: "could not be read",
}
KIND_IN_WORDS = {"bundle": "conversation", "seal": "published root"}


def printable(text: str) -> str:
    """File names come from strangers too: nothing in them may move a cursor or turn the text around."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)


def report(results: list[Result], between: Between, strays: list[Stray]) -> None:
    for result in results:
        kind = f" ({KIND_IN_WORDS.get(result.evidence.kind, result.evidence.kind)})" if result.evidence else ""
        reason = f": {result.reason}" if result.reason else ""
        print(printable(f"{result.file}{kind}: {IN_WORDS[result.verdict]}{reason}"))
        report_checks(result.checks)
    if between.checks and len(results) > 1:
        print(f"All together: {IN_WORDS[verdict_of(between.checks)]}")
        report_checks(between.checks)
    for sentence in [*(stray.detail for stray in strays), *between.missing]:
        print(printable(sentence))


def report_checks(checks: list[Check]) -> None:
    for check in checks:
        word = {True: "holds", False: "FAILS", None: "not checked"}[check.ok]
        print(printable(f"  {word:<12} {check.name}" + (f": {check.detail}" if check.detail else "")))


def report_json(verdict: str, results: list[Result], between: Between, strays: list[Stray]) -> None:
    together = {"verdict": verdict_of(between.checks), "checks": [as_json(check) for check in between.checks]}
    document = {
        "verdict": verdict,
        "files": [file_as_json(result) for result in results],
        "together": together if between.checks else None,
        "missing": between.missing,
        "stray": [stray._asdict() for stray in strays],
    }
    print(json.dumps(document))


def file_as_json(result: Result) -> JsonObject:
    kind, checks = result.evidence and result.evidence.kind, [as_json(check) for check in result.checks]
    return {"file": result.file, "kind": kind, "verdict": result.verdict, "checks": checks, "reason": result.reason}


def as_json(check: Check) -> JsonObject:
    """A check has a companion only where there is one."""
    return {name: value for name, value in check._asdict().items() if name != "companion" or value is not None}
