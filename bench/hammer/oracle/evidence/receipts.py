"""One receipt as a call answered it: what the checks need of it, and its hashes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from disclosure_receipts.verify.formats import is_receipt
from disclosure_receipts.verify.hashes import hash_json, hash_receipt
from disclosure_receipts.verify.instants import milliseconds
from disclosure_receipts.verify.shapes import readable

# The time of an answer that never came.
NEVER = 2**62


@dataclass(slots=True)
class Receipt:
    """Times are in milliseconds since 1970, hashes of other documents as texts. `conversation` is a number that stands
    for tenant and interaction id.
    """

    tenant: int
    event_id: str
    chain_id: str
    sequence: int
    turn: int
    leaf: bytes
    whole: bytes
    input_hash: str
    previous: str
    previous_turn: str | None
    issued_at: int
    recorded_after: tuple[int, str] | None
    conversation: int | None = None
    asked_at: int = 0
    answered_at: int = NEVER

    @property
    def place(self) -> str:
        """Where it stands, for a finding."""
        return f"chain {self.chain_id} sequence {self.sequence}"


def read_receipt(tenant: int, value: Any) -> Receipt:
    """The receipt of an answer. Raises Unreadable."""
    receipt = readable(is_receipt, value, "receipt")
    after = receipt["recorded_after"]
    return Receipt(
        tenant=tenant,
        event_id=receipt["event_id"],
        chain_id=receipt["chain_id"],
        sequence=receipt["sequence"],
        turn=receipt["turn"],
        leaf=hash_receipt(receipt),
        whole=hash_json(receipt),
        input_hash=receipt["input_hash"],
        previous=receipt["previous_hash"],
        previous_turn=receipt["previous_turn_hash"],
        issued_at=milliseconds(receipt["issued_at"]),
        recorded_after=None if after is None else (after["seal_index"], after["seal_hash"]),
    )
