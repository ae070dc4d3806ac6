"""run.json: what was run, on which service, by which tenants, and what its readers found."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

KEYS_VARIABLE = "HAMMER_KEY"
FORMAT = "hammer-run/1"
_ANCHOR = re.compile(r"[0-9a-f]{32}\Z")


class CannotRun(Exception):
    """The run can't be judged. The message says why, in a line, and holds no key."""


@dataclass(frozen=True)
class Tenant:
    """One tenant of the run. Only its name is ever printed."""

    name: str
    api_key: str
    anchor: str | None
    fingerprint: str | None


@dataclass(frozen=True)
class RunFacts:
    """The facts of run.json that the oracle needs."""

    url: str
    seed: int
    started_at: int
    ended_at: int
    tenants: tuple[Tenant, ...]
    trust_anchors: Path | None
    log_vkey: str | None
    witness_vkeys: tuple[str, ...]
    erased: tuple[tuple[int, str], ...]
    findings: tuple[str, ...]


def read_run(folder: Path) -> RunFacts:
    """Reads run.json; keys that it lacks come from the variable HAMMER_KEY. Raises CannotRun."""
    try:
        run = json.loads((folder / "run.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CannotRun(f"run.json can't be read ({type(error).__name__})") from error
    try:
        return _facts(folder, run)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise CannotRun(f"run.json has not the shape of {FORMAT} ({type(error).__name__}: {error})") from error


def _facts(folder: Path, run: Any) -> RunFacts:
    if run["format"] != FORMAT:
        raise CannotRun(f"run.json is not of the format {FORMAT}")
    given = os.environ.get(KEYS_VARIABLE, "").replace(",", " ").split()
    tenants = tuple(_tenant(place, tenant, given) for place, tenant in enumerate(run["tenants"]))
    anchors = run.get("trust_anchors")
    return RunFacts(
        url=str(run["url"]),
        seed=int(run["seed"]),
        started_at=_milliseconds(run["started_at"]),
        ended_at=_milliseconds(run["ended_at"]),
        tenants=tenants,
        trust_anchors=None if anchors is None else folder / anchors,
        log_vkey=run.get("log_vkey"),
        witness_vkeys=tuple(map(str, run.get("witness_vkeys", []))),
        erased=tuple((int(entry["tenant"]), str(entry["interaction_id"])) for entry in run.get("erased", [])),
        findings=tuple(map(_finding, run.get("findings", []))),
    )


def _tenant(place: int, tenant: Any, given: list[str]) -> Tenant:
    name = str(tenant["name"])
    key = tenant.get("api_key") or (given[place] if place < len(given) else None)
    if key is None:
        raise CannotRun(f"there is no key for tenant {name}: run.json has none, and {KEYS_VARIABLE} neither")
    anchor = tenant.get("anchor")
    if anchor is not None and _ANCHOR.match(anchor) is None:
        raise CannotRun(f"the anchor of tenant {name} is none")
    return Tenant(name, str(key), anchor, tenant.get("fingerprint"))


def _milliseconds(moment: Any) -> int:
    """A number of milliseconds, or a time in RFC 3339."""
    if isinstance(moment, (int, float)):
        return int(moment)
    try:
        return int(datetime.fromisoformat(str(moment).replace("Z", "+00:00")).timestamp() * 1000)
    except ValueError as error:
        raise CannotRun("run.json states no time where one is needed") from error


def _finding(finding: Any) -> str:
    if isinstance(finding, dict) and {"at", "by", "what"} <= finding.keys():
        return f"{finding['at']} {finding['by']}: {finding['what']}"
    return finding if isinstance(finding, str) else json.dumps(finding, ensure_ascii=True, sort_keys=True)
