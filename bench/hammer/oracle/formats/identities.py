"""The identities that follow from an anchor, a chain's id and a place: docs/receipt-format.md ("A tenant's chains")."""

from __future__ import annotations

from hashlib import sha256

from .json_text import hash_of

MAX_CHAINS = 4096


def chain_id_of(anchor: str, shard: int) -> str:
    """The id of the tenant's chain number `shard`."""
    return hash_of({"shard": shard, "tenant_anchor": anchor})[:16].hex()


def fingerprint_of(anchor: str) -> str:
    """The digest that may be printed in a contract."""
    return "sha256:" + hash_of({"tenant_anchor": anchor}).hex()


def event_id_of(chain_id: str, shard: int, sequence: int) -> str:
    """The UUIDv8 (RFC 9562 section 5.8) of a place in a chain."""
    check = int.from_bytes(
        sha256(f"disclosure-receipt/1/event\n{chain_id}\n{sequence}".encode("ascii")).digest()[:8], "big"
    )
    bits = check >> 16  # bits 0 to 47
    bits = bits << 4 | 8
    bits = bits << 12 | (check >> 4) & 0xFFF  # bits 48 to 59
    bits = bits << 2 | 0b10
    bits = bits << 2 | (check >> 2) & 0b11  # bits 60 and 61
    bits = bits << 12 | shard
    digits = f"{bits << 48 | sequence:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def shard_in(event_id: str) -> int:
    """The shard that an event id states."""
    return int(event_id.replace("-", ""), 16) >> 48 & 0xFFF


def label_of(chain_id: str, head_index: int) -> bytes:
    """The first half of a head's entry in the log. It occurs once in the whole log."""
    return hash_of({"chain_id": chain_id, "head_index": head_index})


def commitment_of(chain_id: str, head_index: int, root: bytes, tree_size: int) -> bytes:
    """The second half of a head's entry in the log."""
    head = {"chain_id": chain_id, "head_index": head_index, "root": "0x" + root.hex(), "tree_size": tree_size}
    return hash_of(head)
