"""The hashes of the documents: receipts, seals, and heads of chains."""

import hashlib
from typing import Any

from .canonical_json import canonicalize
from .checks import require
from .formats import AUTHENTICATION, SEAL_MEMBERS, TIMESTAMP_MEMBERS
from .json_input import JsonObject
from .shapes import is_digest

DIGEST_MARK = "sha256:"
# Before what a turn's label is the hash of.
FIRST_TURN, TURN_AFTER = b"disclosure-receipt/1/first-turn\n", b"disclosure-receipt/1/turn-after\n"
# A label and a hash: the form of a chain's leaf, and of an entry of the metachain.
LABEL_BYTES, ENTRY_BYTES = 32, 64


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def hash_json(value: Any) -> bytes:
    return sha256(canonicalize(value).encode("utf-8"))


def digest(hashed: bytes) -> str:
    return DIGEST_MARK + hashed.hex()


def digest_bytes(text: str) -> bytes:
    return bytes.fromhex(text[len(DIGEST_MARK) :])


def node_bytes(node: str) -> bytes:
    return bytes.fromhex(node[2:])


def hash_node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01", left, right)


def hash_leaf(leaf: bytes) -> bytes:
    """RFC 9162 section 2.1.1."""
    return sha256(b"\x00", leaf)


def hash_receipt(receipt: JsonObject) -> bytes:
    return hash_leaf(leaf_of(receipt))


def leaf_of(receipt: JsonObject) -> bytes:
    """The chain's leaf for a receipt: the label of its turn and the hash of its core, 64 bytes. Raises Refuted for what
    has none, since nothing says which turn it follows.
    """
    core_hash = hash_json({name: value for name, value in receipt.items() if name not in AUTHENTICATION})
    previous = receipt.get("previous_turn_hash", "")
    if previous is None:
        return sha256(FIRST_TURN, core_hash) + core_hash
    require(is_digest(previous), "the receipt has no leaf: its previous_turn_hash is neither null nor a digest")
    return label_after(digest_bytes(previous)) + core_hash


def label_after(leaf_hash: bytes) -> bytes:
    """The label of the turn that follows the one with this leaf hash."""
    return sha256(TURN_AFTER, leaf_hash)


def link_to(receipt: JsonObject) -> str:
    return digest(hash_receipt(receipt))


def hash_seal(seal: JsonObject) -> str:
    """The digest by which a receipt names a seal: over the members of the format, tokens included, and no others."""
    timestamps = [known_timestamp(timestamp) for timestamp in timestamps_of(seal)]
    own, additional = {"tsa_timestamp": timestamps[0]}, {"additional_timestamps": timestamps[1:]}
    return digest(hash_json({**{name: seal[name] for name in SEAL_MEMBERS}, **own, **additional}))


def timestamps_of(seal: JsonObject) -> list[JsonObject]:
    return [seal["tsa_timestamp"], *seal["additional_timestamps"]]


def known_timestamp(timestamp: JsonObject) -> JsonObject:
    return {name: timestamp[name] for name in TIMESTAMP_MEMBERS}


def hash_head(head: JsonObject) -> bytes:
    """The metachain's leaf for the head of a chain."""
    return hash_leaf(entry_of(head))


def entry_of(head: JsonObject) -> bytes:
    """The metachain's entry for the head of a chain: its label and its commitment, 64 bytes."""
    commitment = hash_json({name: head[name] for name in ("chain_id", "head_index", "root", "tree_size")})
    return label_of(head["chain_id"], head["head_index"]) + commitment


def label_of(chain_id: str, head_index: int) -> bytes:
    return hash_json({"chain_id": chain_id, "head_index": head_index})
