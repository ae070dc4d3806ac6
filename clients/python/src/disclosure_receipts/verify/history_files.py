"""Reads the histories of chains from a folder: docs/history.md."""

import os
from collections.abc import Iterator
from typing import Any

from .chain_history import MAX_CHAINS, ChainHistory, TenantHistory, chains_of, check_heads
from .checks import Refuted, Unreadable
from .files import read_named
from .hashes import ENTRY_BYTES
from .json_input import JsonObject, read_json
from .shapes import having, is_chain_id, is_index, is_node, is_path, is_size, list_of, matching, optional, readable
from .tiles import held_width, tile_file, tiles_under

HEADS_A_FILE = 1_000
is_head = having(head_index=is_index, tree_size=is_size, root=is_node, leaf_index=is_index, seal_index=is_index)
is_last_walked = having(leaf_index=is_index, leaf_hash=is_node, left_path=is_path)
is_tenant_index = having(
    tenant_anchor=optional(matching(r"[0-9a-f]{32}")),
    chains=list_of(having(chain_id=is_chain_id, shard=is_index), MAX_CHAINS),
    searched=optional(is_last_walked),
)


def is_list_of_heads(value: Any) -> bool:
    return value != [] and list_of(is_head, HEADS_A_FILE)(value)


def read_tenant_history(folder: str, fingerprint: str | None) -> TenantHistory:
    """The histories in a folder. What does not hold by itself is refused."""
    file = os.path.join(folder, "history.json")
    index = readable(is_tenant_index, read_json(read_named(file), MAX_CHAINS), "history")
    anchor = index["tenant_anchor"]
    for chain in index["chains"]:
        if anchor is not None and chains_of(anchor).get(chain["chain_id"]) != chain["shard"]:
            raise Unreadable(f"a chain in {folder} is not of the anchor that is in it")
    ids = {chain["chain_id"] for chain in index["chains"]}
    chains = {chain_id: read_history(os.path.join(folder, "chains", chain_id)) for chain_id in ids}
    return TenantHistory(chains, anchor, fingerprint)


def read_history(folder: str) -> ChainHistory:
    heads = list(read_heads(folder))
    history = ChainHistory(b"".join(read_leaves(folder, heads[-1]["tree_size"] if heads else 0)), heads)
    try:
        check_heads(history)
    except Refuted as reason:
        raise Unreadable(f"the history in {folder} does not hold: {reason}") from reason
    return history


def read_heads(folder: str) -> Iterator[JsonObject]:
    number = 0
    while os.path.isfile(file := os.path.join(folder, "heads", f"{number}.json")):
        yield from readable(is_list_of_heads, read_json(read_named(file)), "list of heads")
        number += 1


def read_leaves(folder: str, size: int) -> Iterator[bytes]:
    folder = os.path.join(folder, "entries")
    for index, width in tiles_under(size):
        held = held_width(folder, index, width)
        file = tile_file(folder, index, held)
        data = read_named(file)
        if len(data) != held * ENTRY_BYTES:
            raise Unreadable(f"{file} is no bundle of {held} leaves")
        yield data[: width * ENTRY_BYTES]
