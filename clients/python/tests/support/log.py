"""A public log in memory, and the history of the chain of `FakeChain` under heads in it. Tests change a copy."""

import copy
import json
import os
from typing import Any

from disclosure_receipts.verify.chain_history import ChainHistory, TenantHistory
from disclosure_receipts.verify.hashes import entry_of, hash_leaf, leaf_of, sha256
from disclosure_receipts.verify.public_log import ENTRY_LENGTH, Walk, walk_log
from disclosure_receipts.verify.tiles import TILE_WIDTH, tile_file, tiles_under

from .chain import CHAIN_ID, PENDING_TIMESTAMP, FakeChain, node, root_of


def strange(place: int) -> bytes:
    """An entry that nobody here can open."""
    return sha256(f"label {place}".encode()) + sha256(f"commitment {place}".encode())


def head_of(chain: FakeChain, index: int, size: int, place: int, chain_id: str = CHAIN_ID) -> dict[str, Any]:
    root = node(root_of([one.leaf for one in chain.recorded[:size]]))
    return {
        **{"chain_id": chain_id, "head_index": index, "tree_size": size, "root": root},
        **{"leaf_index": place, "seal_index": 0},
    }


def entries_with(size: int, *heads: dict[str, Any]) -> list[bytes]:
    """So many entries, those of the heads at their places."""
    entries = [strange(place) for place in range(size)]
    for head in heads:
        entries[head["leaf_index"]] = entry_of(head)
    return entries


def history_of(chain: FakeChain, *heads: dict[str, Any], anchor: str | None = None) -> TenantHistory:
    """The history that a tenant fetched when these were the heads."""
    size = heads[-1]["tree_size"] if heads else 0
    leaves = b"".join(leaf_of(one.core) for one in chain.recorded[:size])
    return TenantHistory({CHAIN_ID: ChainHistory(leaves, list(heads))}, anchor, None)


def sealed(chain: FakeChain, sequence: int, head: dict[str, Any]) -> dict[str, Any]:
    """The receipt at a place under a head. Its path in the log is no matter of the checks that use a walk."""
    answer = chain.answer(sequence, head["tree_size"])
    leaf = {name: head[name] for name in ("chain_id", "head_index", "tree_size", "root")}
    place = {"seal_index": head["seal_index"], "leaf_index": head["leaf_index"]}
    size = head["leaf_index"] + 1
    cross = {**place, "leaf": leaf, "tree_size": size, "path": [], "root": node(bytes(32))}
    answer["merkle_proof"].update(status="included", cross_tenant_proof=cross)
    return answer


def bundle_of(*answers: dict[str, Any]) -> dict[str, Any]:
    return {"receipts": [copy.deepcopy(one["receipts"][0]) for one in answers], "proofs": list(answers)}


def write_log(folder: str, entries: list[bytes], root: str | None = None) -> None:
    """The folder of a mirror: one published root over all entries."""
    prefix = os.path.join(folder, "v1", "metachain")
    seal = {
        **{"index": 0, "merkle_root": root or node(root_of([hash_leaf(one) for one in entries]))},
        **{"tree_size": len(entries), "previous_root": None, "previous_tree_size": 0, "consistency_path": []},
        **{"receipt_count": 1, "sealed_at": "2026-11-21T12:00:01.000Z"},
        **{"tsa_timestamp": PENDING_TIMESTAMP, "additional_timestamps": []},
    }
    index = {"size": 1, "latest": seal, "roots": "/v1/metachain/roots/{index}", "log": None}
    for number, width in tiles_under(len(entries)):
        file = tile_file(os.path.join(prefix, "tile", "entries"), number, width)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as out:
            start = number * TILE_WIDTH
            out.write(b"".join(ENTRY_LENGTH + one for one in entries[start : start + width]))
    with open(os.path.join(prefix, "index.json"), "w", encoding="utf-8") as written:
        json.dump(index, written)


def walk_over(folder: str, entries: list[bytes], chain_ids: set[str]) -> Walk:
    write_log(folder, entries)
    walk = walk_log(folder, chain_ids)
    assert walk is not None
    return walk
