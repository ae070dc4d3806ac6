"""The history of a chain: docs/history.md."""

from array import array
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import NamedTuple

from .checks import require
from .hashes import ENTRY_BYTES, LABEL_BYTES, hash_json, hash_leaf, node_bytes
from .json_input import JsonObject
from .merkle import append_leaf, root_over

MAX_CHAINS = 4_096
# The tree is kept at every multiple of this size, so that the root of any size takes few hashes.
KEPT_DISTANCE = 256


class ChainHistory:
    """leaves: 64 bytes each, one behind the other. heads: those that are sealed, verified from first to last."""

    def __init__(self, leaves: bytes, heads: list[JsonObject]) -> None:
        self.leaves, self.heads = leaves, heads
        # The subtrees of the tree whose root was asked for last, and of the trees of n * KEPT_DISTANCE leaves.
        self._size, self._subtrees = 0, list[bytes]()
        self._kept: list[tuple[bytes, ...]] = [()]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.leaves) // ENTRY_BYTES

    def leaf_at(self, place: int) -> bytes:
        return self.leaves[ENTRY_BYTES * place : ENTRY_BYTES * (place + 1)]

    def leaf_hash_at(self, place: int) -> bytes:
        return hash_leaf(self.leaf_at(place))

    def root_at(self, size: int) -> bytes:
        """The chain's root when it had so many receipts."""
        require(size <= self.size, "leaves are missing")
        place = min(size // KEPT_DISTANCE, len(self._kept) - 1)
        if not place * KEPT_DISTANCE <= self._size <= size:
            self._size, self._subtrees = place * KEPT_DISTANCE, list(self._kept[place])
        for index in range(self._size, size):
            if index == len(self._kept) * KEPT_DISTANCE:
                self._kept.append(tuple(self._subtrees))
            append_leaf(self._subtrees, index, self.leaf_hash_at(index))
        self._size = size
        return root_over(self._subtrees)

    def label_at(self, place: int) -> bytes:
        return self.leaves[ENTRY_BYTES * place : ENTRY_BYTES * place + LABEL_BYTES]

    @cached_property
    def _by_label(self) -> "array[int]":
        """The places in the order of their labels: eight bytes for each leaf, made when a label is first looked for."""
        return array("Q", sorted(range(self.size), key=self.label_at))

    def places_of(self, label: bytes) -> list[int]:
        """The places of the leaves that have this label, in order."""
        places = self._by_label
        first, end = (find(places, label, key=self.label_at) for find in (bisect_left, bisect_right))
        return list(places[first:end])


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
