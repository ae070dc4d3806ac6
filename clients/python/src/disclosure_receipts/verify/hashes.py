"""The hashes of the documents: receipts, seals, and heads of chains."""

import hashlib
from typing import Any

from .canonical_json import canonicalize
from .formats import AUTHENTICATION, SEAL_MEMBERS, TIMESTAMP_MEMBERS
from .json_input import JsonObject


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def hash_json(value: Any) -> bytes:
    return sha256(canonicalize(value).encode("utf-8"))


def digest(hashed: bytes) -> str:
    return "sha256:" + hashed.hex()


def node_bytes(node: str) -> bytes:
    return bytes.fromhex(node[2:])


def hash_node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01", left, right)


def hash_receipt(receipt: JsonObject) -> bytes:
    core = {name: value for name, value in receipt.items() if name not in AUTHENTICATION}
    return sha256(b"\x00", canonicalize(core).encode("utf-8"))


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
    return sha256(b"\x00", entry_of(head))


def entry_of(head: JsonObject) -> bytes:
    """The metachain's entry for the head of a chain: its label and its commitment, 64 bytes."""
    commitment = hash_json({name: head[name] for name in ("chain_id", "head_index", "root", "tree_size")})
    return label_of(head["chain_id"], head["head_index"]) + commitment


def label_of(chain_id: str, head_index: int) -> bytes:
    return hash_json({"chain_id": chain_id, "head_index": head_index})
