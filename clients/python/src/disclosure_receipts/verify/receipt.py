"""The checks of a receipt: docs/receipt-format.md."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from .checks import Check, Unmade, require, run
from .fields import DISCLOSURE, REQUEST
from .formats import NO_PREVIOUS_HASH, is_layer, is_receipt
from .hashes import digest, hash_json, hash_receipt, node_bytes, sha256
from .history_checks import verify_history
from .json_input import JsonObject
from .proofs import (
    check_event_inclusion,
    check_evidence_chain,
    check_merkle_root,
    check_published_root,
    check_receipt_checkpoint,
    check_receipt_timestamp,
)
from .reader import Reader
from .recorded_after import check_recorded_after
from .shapes import is_object
from .wording_policy import judge_disclosure, verdict_by


def verify_receipt(evidence: JsonObject, reader: Reader = Reader()) -> list[Check]:
    """Makes every check of a receipt with its proof, or of a proof alone."""
    subject = (evidence, evidence["receipts"][0] if "receipts" in evidence else None, reader)
    names = ["event_inclusion", "evidence_chain", "merkle_root", "published_root", "timestamp"]
    if "receipts" in evidence:
        names = ["receipt_format", "event_id", "input_hash", "output_hash", "policy", "leaf_hash", "links", *names]
        names.append("recorded_after")
    if reader.policy is not None:
        names.append("checkpoint")
    checks = [run(name, partial(RECEIPT_CHECKS[name], *subject)) for name in names]
    return checks + verify_history(evidence, subject[1], reader.history, reader.walk)


def check_receipt_format(evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    require(is_receipt(receipt), "the receipt is not as the format says")
    require(evidence.get("event_id", receipt["event_id"]) == receipt["event_id"], "the answer names another event")


def check_event_id(_evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    require(is_receipt(receipt), "the receipt is not as the format says")
    chain_id, sequence, event_id = receipt["chain_id"], receipt["sequence"], receipt["event_id"]
    require(sequence < 2**48, "the sequence is too large for an event id")
    expected = event_id_of(chain_id, shard_of(event_id), sequence)
    require(event_id == expected, "the event id is not that of this place in the chain")


def shard_of(event_id: str) -> int:
    return int(event_id.replace("-", ""), 16) >> 48 & 0xFFF


def event_id_of(chain_id: str, shard: int, sequence: int) -> str:
    check = sha256(f"disclosure-receipt/1/event\n{chain_id}\n{sequence}".encode())
    bits = int.from_bytes(check[:8], "big") >> 2
    first, middle, last = bits >> 14, bits >> 2 & 0xFFF, bits & 0b11
    return str(UUID(int=first << 80 | 8 << 76 | middle << 64 | 0b10 << 62 | last << 60 | shard << 48 | sequence))


def check_input_hash(_evidence: JsonObject, receipt: Any, reader: Reader) -> None:
    require(is_receipt(receipt), "the receipt is not as the format says")
    if not reader.requests:
        raise Unmade("not_given", "the request was not given")
    if receipt["input_hash"] not in reader.requests:
        # A bundle's own request is part of the evidence.
        require(reader.copies is None, "the enclosed request has another hash")
        raise Unmade("other_request", "the request that was given is not the one behind this receipt")
    body = reader.requests[receipt["input_hash"]]
    require(is_object(body), "the request is no object")
    said = {name: value for name, value in receipt["disclosure"].items() if name in DISCLOSURE}
    asked = {name: value for name, value in body.items() if name not in REQUEST or name in DISCLOSURE}
    require(said == asked, "the receipt says another disclosure than the request")


def check_output_hash(_evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    require(is_receipt(receipt), "the receipt is not as the format says")
    output = {name: receipt[name] for name in ("event_id", "policy", "turn", "verdict")}
    require(digest(hash_json(output)) == receipt["output_hash"], "the output has another hash")


def check_policy(_evidence: JsonObject, receipt: Any, reader: Reader) -> str:
    """Computes the verdict again from the layer that the receipt names, which is believed by its hash."""
    require(is_receipt(receipt), "the receipt is not as the format says")
    policy, disclosure = receipt["policy"], receipt["disclosure"]
    if policy["digest"] not in reader.layers:
        raise Unmade("not_given", "the layer that the receipt names was not given")
    layer = reader.layers[policy["digest"]]
    require(is_layer(layer), "what the receipt names is no wording policy layer")
    require(layer["status"] != "planned", "the layer is only planned, and accepts no attestation")
    require(disclosure["jurisdiction"] == layer["jurisdiction"], "the layer is that of another jurisdiction")
    wording, findings = judge_disclosure(layer, disclosure, receipt["issued_at"][:10])
    given = {name: layer[name] for name in ("jurisdiction", "version")}
    given.update(wording_id=wording and wording["id"], findings=findings)
    for name, value in given.items():
        require(policy[name] == value, f"policy.{name} is another than the layer gives")
    require(receipt["verdict"] == verdict_by(findings), f"the layer gives the verdict {verdict_by(findings)}")
    return f"the layer {layer['jurisdiction']} {layer['version']} gives {receipt['verdict']}"


def check_leaf_hash(evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    proof = evidence["merkle_proof"]["event_inclusion_proof"]
    require(hash_receipt(receipt) == node_bytes(proof["leaf_hash"]), "the receipt has another hash")
    require(proof["leaf_index"] == receipt.get("sequence"), "the proof is for another place in the chain")


def check_links(evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    require(is_receipt(receipt), "the receipt is not as the format says")
    sequence, previous = receipt["sequence"], receipt["previous_hash"]
    is_first_turn = receipt["previous_turn_hash"] is None
    require((receipt["turn"] == 1) == is_first_turn, "the turn and its link contradict each other")
    is_first = previous == NO_PREVIOUS_HASH
    require((sequence == 0) == is_first, "the place in the chain and its link contradict each other")
    if sequence == 0:
        return
    if sequence % 2 == 0:
        raise Unmade("not_given", "at an even place the path does not show the receipt before")
    path = evidence["merkle_proof"]["event_inclusion_proof"]["path"]
    require(path and path[0][2:] == previous[len("sha256:") :], "the receipt does not link to the one before it")


# A check gets the evidence, its receipt or None, and what the reader has.
ReceiptCheck = Callable[[JsonObject, Any, Reader], str | None]
RECEIPT_CHECKS: dict[str, ReceiptCheck] = {
    "receipt_format": check_receipt_format,
    "event_id": check_event_id,
    "input_hash": check_input_hash,
    "output_hash": check_output_hash,
    "policy": check_policy,
    "leaf_hash": check_leaf_hash,
    "links": check_links,
    "event_inclusion": check_event_inclusion,
    "evidence_chain": check_evidence_chain,
    "merkle_root": check_merkle_root,
    "published_root": check_published_root,
    "timestamp": check_receipt_timestamp,
    "recorded_after": check_recorded_after,
    "checkpoint": check_receipt_checkpoint,
}
