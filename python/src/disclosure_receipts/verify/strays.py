"""Finds the files that the reader gave and that do not belong to the evidence, which says nothing against it."""

from typing import Any

from .hashes import digest, hash_json
from .results import Result, Stray
from .shapes import is_object

STRAY_REQUEST = (
    "The request {} belongs to none of these receipts. "
    "That says nothing against them: it is another call's, or was changed."
)
STRAY_ANCHOR = (
    "The certificates that you gave ({}) are not those behind every timestamp here. "
    "That says nothing against the evidence: the timestamp is another authority's."
)
STRAY_LAYER = (
    "The list of wordings {} is not the one that any of these receipts names. "
    "That says nothing against them: it is of an earlier or later day, or another customer's."
)
STRAY_LOG = (
    "Your log policy names another log than the one behind this evidence. "
    "That says nothing against the evidence: it is of another service, or the log has another name."
)


def find_strays(
    requests: list[tuple[Any, str]], layers: list[tuple[Any, str]], anchor_files: list[str], results: list[Result]
) -> list[Stray]:
    values = [result.evidence.value for result in results if result.evidence]
    receipts = [receipt for value in values for receipt in value.get("receipts", ())]
    input_hashes = {str(receipt.get("input_hash")) for receipt in receipts}
    strays = [
        Stray("request", file, STRAY_REQUEST.format(file))
        for request, file in requests
        if digest(hash_json(request)) not in input_hashes
    ]
    strays += find_stray_layers(layers, receipts)
    if any(check.companion == "trust_anchor" for result in results for check in result.checks):
        files = ", ".join(anchor_files)
        strays.append(Stray("trust_anchor", files, STRAY_ANCHOR.format(files)))
    if any(check.companion == "log" for result in results for check in result.checks):
        strays.append(Stray("log", None, STRAY_LOG))
    return strays


def find_stray_layers(layers: list[tuple[Any, str]], receipts: list[Any]) -> list[Stray]:
    """A layer is a stray where no receipt names it."""
    named = [receipt["policy"].get("digest") for receipt in receipts if is_object(receipt.get("policy"))]
    return [
        Stray("layer", file, STRAY_LAYER.format(file))
        for layer, file in layers
        if digest(hash_json(layer)) not in named
    ]
