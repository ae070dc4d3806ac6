"""One receipt as a call answered it: what the checks need of it, and its hashes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..formats import shapes
from ..formats.json_text import Unreadable, canonical, hash_of
from ..formats.merkle import hash_leaf

AUTHENTICATION = ("auth_mechanism", "key_id", "signature")
ZERO = bytes(32)
# The time of an answer that never came.
NEVER = 2**62
ASKED_OF_A_CALL = (
    "article_50_clause", "disclosure_method", "jurisdiction", "modality", "subject_hash", "disclosed_at",
)  # fmt: skip


@dataclass(slots=True)
class Receipt:
    """Times are in milliseconds since 1970. `conversation` is a number that stands for tenant and interaction id."""

    tenant: int
    event_id: str
    chain_id: str
    sequence: int
    turn: int
    leaf: bytes
    whole: bytes
    input_hash: bytes
    previous: bytes
    previous_turn: bytes | None
    issued_at: int
    recorded_after: tuple[int, bytes] | None
    conversation: int | None = None
    asked_at: int = 0
    answered_at: int = NEVER

    @property
    def place(self) -> str:
        """Where it stands, for a finding."""
        return f"chain {self.chain_id} sequence {self.sequence}"


def core_of(receipt: dict[str, Any]) -> dict[str, Any]:
    """The receipt without its authentication."""
    return {name: value for name, value in receipt.items() if name not in AUTHENTICATION}


def leaf_of(receipt: dict[str, Any]) -> bytes:
    """SHA-256(0x00 || JCS(core))."""
    return hash_leaf(canonical(core_of(receipt)))


def read_receipt(tenant: int, receipt: Any) -> Receipt:
    """The receipt of an answer, by the table of docs/receipt-format.md. Throws Unreadable."""
    if not isinstance(receipt, dict):
        raise Unreadable("the receipt is no object")
    after = receipt.get("recorded_after")
    turn_before = receipt.get("previous_turn_hash")
    return Receipt(
        tenant=tenant,
        event_id=shapes.text(receipt, "event_id"),
        chain_id=shapes.chain_id(receipt),
        sequence=shapes.index(receipt, "sequence"),
        turn=shapes.index(receipt, "turn"),
        leaf=leaf_of(receipt),
        whole=hash_of(receipt),
        input_hash=shapes.digest(receipt, "input_hash"),
        previous=shapes.digest(receipt, "previous_hash"),
        previous_turn=None if turn_before is None else shapes.digest(receipt, "previous_turn_hash"),
        issued_at=shapes.time(receipt, "issued_at"),
        recorded_after=(
            None if after is None else (shapes.index(after, "seal_index"), shapes.digest(after, "seal_hash"))
        ),
    )


def output_hash_of(receipt: dict[str, Any]) -> bytes:
    """The hash that the receipt's output_hash must be."""
    return hash_of({name: receipt.get(name) for name in ("event_id", "policy", "turn", "verdict")})


def disclosure_of(request: dict[str, Any]) -> dict[str, Any]:
    """The part of its request that a receipt shows: all but the two identifiers."""
    return {name: request[name] for name in ASKED_OF_A_CALL if name in request}
