"""The history of a chain: docs/history.md."""

from functools import lru_cache
from typing import NamedTuple

from .checks import require
from .hashes import hash_json, node_bytes
from .json_input import JsonObject
from .merkle import append_leaf, root_over

MAX_CHAINS = 4_096
HASH_BYTES = 32
# The tree is kept at every multiple of this size, so that the root of any size takes few hashes.
KEPT_DISTANCE = 256


class ChainHistory:
    """leaves: the leaf hashes, one behind the other. heads: those that are sealed, verified from first to last."""

    def __init__(self, leaves: bytes, heads: list[JsonObject]) -> None:
        self.leaves, self.heads = leaves, heads
        # The subtrees of the tree whose root was asked for last, and of the trees of n * KEPT_DISTANCE leaves.
        self._size, self._subtrees = 0, list[bytes]()
        self._kept: list[tuple[bytes, ...]] = [()]

    def root_at(self, size: int) -> bytes:
        """The chain's root when it had so many receipts."""
        require(HASH_BYTES * size <= len(self.leaves), "leaf hashes are missing")
        place = min(size // KEPT_DISTANCE, len(self._kept) - 1)
        if not place * KEPT_DISTANCE <= self._size <= size:
            self._size, self._subtrees = place * KEPT_DISTANCE, list(self._kept[place])
        for index in range(self._size, size):
            if index == len(self._kept) * KEPT_DISTANCE:
                self._kept.append(tuple(self._subtrees))
            append_leaf(self._subtrees, index, self.leaves[HASH_BYTES * index : HASH_BYTES * (index + 1)])
        self._size = size
        return root_over(self._subtrees)


class TenantHistory(NamedTuple):
    """chains: by their id. anchor: the tenant's, or None. fingerprint: of the anchor that the reader expects, or None.
    """

    chains: dict[str, ChainHistory]
    anchor: str | None
    fingerprint: str | None

    def to_look_for(self) -> set[str]:
        """The chains that a walk must look for: those of the history, and all others that its anchor can give."""
        return {*self.chains, *(() if self.anchor is None else chains_of(self.anchor))}


def check_heads(history: ChainHistory) -> None:
    """Each head is the root of the leaves up to it; they are numbered without a gap, and only grow."""
    size, place = 0, (-1, 0)
    for number, head in enumerate(history.heads):
        require(head["head_index"] == number, f"head {number} is missing")
        require(head["tree_size"] > size, f"head {number} does not grow")
        require(head["leaf_index"] > place[0] and head["seal_index"] >= place[1], f"head {number} goes back")
        size, place = head["tree_size"], (head["leaf_index"], head["seal_index"])
        require(history.root_at(size) == node_bytes(head["root"]), f"head {number} is not the root of its receipts")


@lru_cache(maxsize=1)
def chains_of(anchor: str) -> dict[str, int]:
    """The shard of each chain that a tenant with this anchor can have, by the chain's id."""
    return {hash_json({"shard": shard, "tenant_anchor": anchor})[:16].hex(): shard for shard in range(MAX_CHAINS)}
