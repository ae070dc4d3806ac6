"""The history of a chain: docs/history.md."""

from functools import lru_cache
from typing import NamedTuple

from .checks import Check, require
from .hashes import hash_json, node_bytes
from .json_input import JsonObject
from .merkle import append_leaf, root_over


class ChainHistory(NamedTuple):
    """leaves: the leaf hashes, one behind the other. heads: those that are sealed, verified from first to last."""

    leaves: bytes
    heads: list[JsonObject]


class TenantHistory(NamedTuple):
    """chains: by their id. public_heads: the check of this name, made once for each chain; none where no log was read.
    anchor: the tenant's, or None. fingerprint: of the anchor that the reader expects, or None.
    """

    chains: dict[str, ChainHistory]
    public_heads: dict[str, Check]
    anchor: str | None
    fingerprint: str | None


MAX_CHAINS = 4_096
HEAD_MEMBERS = ("head_index", "tree_size", "root", "leaf_index", "seal_index")


def check_heads(history: ChainHistory) -> None:
    """Each head is the root of the leaves up to it; they are numbered without a gap, and only grow."""
    subtrees: list[bytes] = []
    size, place = 0, (-1, 0)
    for number, head in enumerate(history.heads):
        require(head["head_index"] == number, f"head {number} is missing")
        require(head["tree_size"] > size, f"head {number} does not grow")
        require(head["leaf_index"] > place[0] and head["seal_index"] >= place[1], f"head {number} goes back")
        size = grow(history, subtrees, size, head["tree_size"])
        require(root_over(subtrees) == node_bytes(head["root"]), f"head {number} is not the root of its receipts")
        place = head["leaf_index"], head["seal_index"]


def grow(history: ChainHistory, subtrees: list[bytes], size: int, new_size: int) -> int:
    for index in range(size, new_size):
        append_leaf(subtrees, index, history.leaves[32 * index : 32 * index + 32])
    return new_size


@lru_cache(maxsize=1)
def chains_of(anchor: str) -> dict[str, int]:
    """The shard of each chain that a tenant with this anchor can have, by the chain's id."""
    return {hash_json({"shard": shard, "tenant_anchor": anchor})[:16].hex(): shard for shard in range(MAX_CHAINS)}
