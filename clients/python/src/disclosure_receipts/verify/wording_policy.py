"""The verdict that a wording policy layer gives: docs/policy-layer.md."""

from .json_input import JsonObject


def judge_disclosure(layer: JsonObject, disclosure: JsonObject, day: str) -> tuple[JsonObject | None, list[str]]:
    """The wording that a layer has under the digest, None where it has none, and its findings in order."""
    wording = next((one for one in layer["wordings"] if one["digest"] == disclosure["subject_hash"]), None)
    findings = ["layer_in_development"] if layer["status"] == "in_development" else []
    findings += judge_method(layer, disclosure) + judge_wording(wording, disclosure, day)
    return wording, sorted(findings)


def judge_method(layer: JsonObject, disclosure: JsonObject) -> list[str]:
    methods = (one for one in layer["disclosure_methods"] if one["id"] == disclosure["disclosure_method"])
    method = next(methods, None)
    if method is None:
        return ["method_unknown"]
    findings = [] if disclosure["modality"] in method["modalities"] else ["method_not_for_modality"]
    return [*findings, "method_reported"] if method.get("reported") else findings


def judge_wording(wording: JsonObject | None, disclosure: JsonObject, day: str) -> list[str]:
    if wording is None:
        return ["wording_unknown"]
    findings = []
    if wording["modality"] != disclosure["modality"]:
        findings.append("wording_for_other_modality")
    elif disclosure["disclosure_method"] not in wording["methods"]:
        findings.append("wording_for_other_method")
    if day < wording["approved_on"]:
        findings.append("wording_not_yet_approved")
    if wording["retired_on"] is not None and day > wording["retired_on"]:
        findings.append("wording_retired")
    return findings


def verdict_by(findings: list[str]) -> str:
    if "wording_retired" in findings:
        return "BLOCK"
    return "MODIFY" if findings else "ALLOW"
