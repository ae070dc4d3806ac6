"""A chain of receipts that links as it should, for the tests of what a whole run shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..evidence.history import Chain
from ..evidence.receipts import ZERO, leaf_of, output_hash_of
from ..formats.identities import chain_id_of, event_id_of
from ..formats.json_text import hash_of
from ..formats.shapes import format_time

ANCHOR = "0123456789abcdef" * 2
CHAIN_ID = chain_id_of(ANCHOR, 0)
POLICY: dict[str, Any] = {"jurisdiction": "DE", "version": "1", "digest": "sha256:" + "0" * 64, "findings": []}


@dataclass(frozen=True)
class Told:
    """The facts that one receipt of the chain is to state."""

    conversation: str
    turn: int
    issued_at: int


def request_of(conversation: str) -> dict[str, Any]:
    """The request behind each turn of a conversation."""
    return {"interaction_id": conversation, "agent_identity": "agents/test", "modality": "voice"}


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
            "input_hash": "sha256:" + hash_of(request_of(each.conversation)).hex(),
            "previous_hash": "sha256:" + (leaves[-1] if leaves else ZERO).hex(),
            "previous_turn_hash": None if each.turn == 1 else "sha256:" + newest[each.conversation].hex(),
            "issued_at": format_time(each.issued_at),
            "recorded_after": None,
            "policy": POLICY,
        }
        receipt["output_hash"] = "sha256:" + output_hash_of(receipt).hex()
        receipts.append(receipt)
        leaves.append(leaf_of(receipt))
        newest[each.conversation] = leaves[-1]
    return Chain(0, CHAIN_ID, 0, hashes=b"".join(leaves)), receipts
