"""The result as people read it: each check with its count, and the first findings of each."""

from __future__ import annotations

from .findings import Findings

MAX_PRINTED = 20


def table_of(findings: Findings, verdict: str) -> str:
    """A line for each check, the findings below, and the verdict last."""
    width = max(len(check.name) for check in findings.checks)
    lines = [f"  {'check':<{width}}  {'looked at':>10}  found"]
    for check in findings.checks:
        unmade = "" if check.unmade is None else f"  not made: {check.unmade}"
        lines.append(f"  {check.name:<{width}}  {check.count:>10,}  {check.found or 'nothing'}{unmade}")
    for check in findings.checks:
        if check.found:
            lines += ["", f"{check.name}:", *(f"  {finding}" for finding in check.findings[:MAX_PRINTED])]
        if check.found > MAX_PRINTED:
            lines.append(f"  and {check.found - MAX_PRINTED:,} more")
    return "\n".join([*lines, "", f"verdict: {verdict}", ""])
