"""Prints the findings as one JSON document, in the members that the command line's `verify --json` has."""

import json

from .checks import Check
from .json_input import JsonObject
from .output import stray_sentences
from .session.findings import FileFinding, Findings
from .session.receipts import Place
from .session.summary import Range, Summary
from .verdict import verdict_of


def report_json(findings: Findings) -> None:
    together, comparison = findings.together, findings.comparison
    document = {
        "verdict": findings.verdict,
        "files": [of_file(finding) for finding in findings.files],
        "together": {"verdict": verdict_of(together), "checks": of_checks(together)} if together else None,
        "summary": of_summary(findings.summary),
        "companions": [companion._asdict() for companion in findings.companions],
        "stray": [{"kind": kind, "file": file, "detail": text} for kind, file, text in stray_sentences(findings)],
        "wording": comparison and {
            "matching": [{"file": file, "turn": turn} for file, turn in comparison.matching],
            "compared": comparison.compared,
        },
    }
    print(json.dumps(document))


def of_file(finding: FileFinding) -> JsonObject:
    fork = finding.fork
    return {
        "file": finding.file,
        "kind": finding.kind,
        "verdict": finding.verdict,
        "checks": of_checks(finding.checks),
        "reason": finding.reason,
        "fork": fork and {
            "origin": fork.origin,
            "trees": [{"size": size, "root": root} for size, root in fork.trees],
        },
    }


def of_checks(checks: list[Check]) -> list[JsonObject]:
    """A check has a reason only where it could not be made."""
    return [
        {name: value for name, value in check._asdict().items() if name != "reason" or value is not None}
        for check in checks
    ]


def of_summary(summary: Summary) -> JsonObject:
    return {
        "files": summary.files,
        "receipts": summary.receipts,
        "conversations": summary.conversations,
        "chains": [
            {
                "chainId": chain.chain_id,
                "receipts": chain.receipts,
                "first": chain.first,
                "last": chain.last,
                "inHistory": chain.in_history,
                "missing": of_ranges(chain.missing),
            }
            for chain in summary.chains
        ],
        "missingTurns": [
            {"interactionId": one.conversation, "last": of_place(one.last), "ranges": of_ranges(one.ranges)}
            for one in summary.missing_turns
        ],
        "remarked": summary.remarked,
        "remarks": [
            {"kind": kind, "receipts": [of_place(place) for place in places]}
            for kind, places in summary.remarks.items()
        ],
    }


def of_ranges(ranges: list[Range]) -> list[JsonObject]:
    return [{"from": first, "to": last} for first, last in ranges]


def of_place(place: Place) -> JsonObject:
    return {"file": place.file, "eventId": place.event_id, "turn": place.turn}
