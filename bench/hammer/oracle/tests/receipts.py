"""A chain of receipts that links as it should, for the tests of what a whole run shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from disclosure_receipts.verify.chain_history import ChainHistory, chains_of
from disclosure_receipts.verify.formats import NO_PREVIOUS_HASH
from disclosure_receipts.verify.hashes import digest, hash_json, hash_leaf, leaf_of
from disclosure_receipts.verify.receipt import event_id_of

from ..evidence.history import Chain

ANCHOR = "0123456789abcdef" * 2
CHAIN_ID = next(iter(chains_of(ANCHOR)))
DIGEST = "sha256:" + "1" * 64
DISCLOSURE: dict[str, Any] = {
    "article_50_clause": "1",
    "disclosure_method": "spoken_introduction",
    "jurisdiction": "DE",
    "modality": "voice",
    "subject_hash": DIGEST,
}
POLICY: dict[str, Any] = {"jurisdiction": "DE", "version": "1", "digest": DIGEST, "wording_id": None, "findings": []}


@dataclass(frozen=True)
class Told:
    """The facts that one receipt of the chain is to state."""

    conversation: str
    turn: int
    issued_at: int


def request_of(conversation: str) -> dict[str, Any]:
    """The request behind each turn of a conversation."""
    return {"interaction_id": conversation, "agent_identity": "agents/test", **DISCLOSURE}


def chain_of(*told: Told) -> tuple[Chain, list[dict[str, Any]]]:
    """The chain as its history shows it, and its receipts."""
    receipts: list[dict[str, Any]] = []
    leaves: list[bytes] = []
    newest: dict[str, bytes] = {}
    for sequence, each in enumerate(told):
        receipt: dict[str, Any] = {
            "event_id": event_id_of(CHAIN_ID, 0, sequence),
            "chain_id": CHAIN_ID,
            "sequence": sequence,
            "turn": each.turn,
            "verdict": "MODIFY",
            "input_hash": digest(hash_json(request_of(each.conversation))),
            "output_hash": DIGEST,
            "previous_hash": digest(hash_leaf(leaves[-1])) if leaves else NO_PREVIOUS_HASH,
            "previous_turn_hash": None if each.turn == 1 else digest(newest[each.conversation]),
            "issued_at": time_of(each.issued_at),
            "recorded_after": None,
            "disclosure": DISCLOSURE,
            "policy": POLICY,
            "receipt_format_version": "1.0",
            "verifiability": "verifiable",
        }
        receipts.append(receipt)
        leaves.append(leaf_of(receipt))
        newest[each.conversation] = hash_leaf(leaves[-1])
    return Chain(0, CHAIN_ID, 0, ChainHistory(b"".join(leaves), [])), receipts


def time_of(milliseconds: int) -> str:
    """A time as receipts state it."""
    moment = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"
