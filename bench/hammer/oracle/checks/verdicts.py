"""Each verdict follows from the wording layer that the receipt names (docs/receipt-format.md, the check `policy`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ..evidence.service import Service
from ..findings import Findings
from ..formats import shapes
from ..formats.json_text import Unreadable, parse_object

PREFIX = "sha256:"
DAY_LENGTH = len("2026-11-23")


@dataclass(frozen=True)
class Ruled:
    """A layer's decision, and all that it rests on. Most receipts of a run share theirs."""

    digest: str
    layer_jurisdiction: str
    version: str
    jurisdiction: str
    modality: str
    method: str
    subject_hash: str
    day: str
    verdict: str
    wording_id: str | None
    findings: tuple[str, ...]


def ruled_in(receipt: dict[str, Any]) -> Ruled:
    """The decision that a receipt shows. Throws Unreadable."""
    policy, disclosure = shapes.record(receipt, "policy"), shapes.record(receipt, "disclosure")
    found = shapes.items(policy, "findings")
    return Ruled(
        digest=PREFIX + shapes.digest(policy, "digest").hex(),
        layer_jurisdiction=shapes.text(policy, "jurisdiction"),
        version=shapes.text(policy, "version"),
        jurisdiction=shapes.text(disclosure, "jurisdiction"),
        modality=shapes.text(disclosure, "modality"),
        method=shapes.text(disclosure, "disclosure_method"),
        subject_hash=shapes.text(disclosure, "subject_hash"),
        day=shapes.text(receipt, "issued_at")[:DAY_LENGTH],
        verdict=shapes.text(receipt, "verdict"),
        wording_id=None if policy.get("wording_id") is None else shapes.text(policy, "wording_id"),
        findings=tuple(shapes.text({"finding": finding}, "finding") for finding in found),
    )


def check_verdicts(service: Service, ruled: Mapping[Ruled, str], findings: Findings) -> None:
    """Decides again what the receipts show; `ruled` has the first place of each decision."""
    check, layers = findings.check("verdicts"), dict[str, dict[str, Any]]()
    for each, place in ruled.items():
        with check.reading(f"{place}: its layer {each.digest}"):
            layer = layers.get(each.digest) or layers.setdefault(each.digest, _layer_of(service, each.digest))
            fits = layer.get("status") != "planned" and layer.get("jurisdiction") == each.jurisdiction
            check.expect(fits, f"{place}: its layer is not one of {each.jurisdiction} that is in use")
            named = (each.layer_jurisdiction, each.version)
            same = named == (layer.get("jurisdiction"), layer.get("version"))
            check.expect(same, f"{place}: its layer is of another jurisdiction or version than it says")
            shown = (each.verdict, each.wording_id, each.findings)
            decided = decide(layer, each)
            check.expect(shown == decided, f"{place}: it says {shown}, its layer gives {decided}")


def _layer_of(service: Service, digest: str) -> dict[str, Any]:
    """A published layer is its own canonical form, under its hash. Throws Unreadable."""
    answer = service.get(f"/v1/policy/layers/{digest[len(PREFIX):]}")
    if answer.status != 200:
        raise Unreadable(f"it was answered {answer.status}, expected 200")
    if PREFIX + sha256(answer.body).hexdigest() != digest:
        raise Unreadable("what is published under it has another hash")
    return parse_object(answer.body)


def decide(layer: dict[str, Any], each: Ruled) -> tuple[str, str | None, tuple[str, ...]]:
    """Verdict, wording and findings, by the rules of the format. Throws Unreadable."""
    found = {"layer_in_development"} if shapes.text(layer, "status") == "in_development" else set[str]()
    method = _first(layer, "disclosure_methods", "id", each.method)
    if method is None:
        found.add("method_unknown")
    elif each.modality not in shapes.items(method, "modalities"):
        found.add("method_not_for_modality")
    if method is not None and method.get("reported") is True:
        found.add("method_reported")
    wording = _first(layer, "wordings", "digest", each.subject_hash)
    found |= {"wording_unknown"} if wording is None else _about_wording(wording, each)
    verdict = "BLOCK" if "wording_retired" in found else "MODIFY" if found else "ALLOW"
    return verdict, None if wording is None else shapes.text(wording, "id"), tuple(sorted(found))


def _first(layer: dict[str, Any], name: str, member: str, value: str) -> dict[str, Any] | None:
    """The first object of a list of the layer whose member has this value."""
    for each in shapes.items(layer, name):
        if shapes.text(each, member) == value:
            return dict(each)
    return None


def _about_wording(wording: dict[str, Any], each: Ruled) -> set[str]:
    found = set[str]()
    if shapes.text(wording, "modality") != each.modality:
        found.add("wording_for_other_modality")
    elif each.method not in shapes.items(wording, "methods"):
        found.add("wording_for_other_method")
    if each.day < shapes.text(wording, "approved_on"):
        found.add("wording_not_yet_approved")
    if wording.get("retired_on") is not None and each.day > shapes.text(wording, "retired_on"):
        found.add("wording_retired")
    return found
