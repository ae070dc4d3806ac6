"""The history of a tenant's chains (docs/history.md): heads and leaf hashes, fetched with the tenant's key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..formats import shapes
from ..formats.json_text import Unreadable
from ..progress import Progress
from .run import Tenant
from .service import Service, tile_place

TILE_WIDTH = 256
HASH_BYTES = 32


@dataclass(frozen=True)
class Head:
    """A sealed head of a chain, as its history states it."""

    head_index: int
    tree_size: int
    root: bytes
    leaf_index: int
    seal_index: int


@dataclass
class Chain:
    """One chain of a tenant: its heads, the leaf hashes under the newest of them, and the roots that these give."""

    tenant: int
    chain_id: str
    shard: int
    heads: list[Head] = field(default_factory=list)
    hashes: bytes = b""
    roots: dict[int, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.hashes) // HASH_BYTES

    def leaf(self, sequence: int) -> bytes:
        """The leaf hash at this place."""
        return self.hashes[sequence * HASH_BYTES : (sequence + 1) * HASH_BYTES]


def read_chains(service: Service, tenant: int, key: str) -> list[Chain]:
    """All chains that the service says the tenant has, without their heads. Throws Unreadable."""
    answer = service.json("/v1/chains", key)
    chains = shapes.items(answer, "chains")
    return [Chain(tenant, shapes.chain_id(chain), shapes.index(chain, "shard")) for chain in chains]


def read_heads(service: Service, chain: Chain, key: str) -> None:
    """Reads all pages of the chain's heads. Throws Unreadable."""
    start: int | None = 0
    while start is not None:
        page = service.json(f"/v1/chains/{chain.chain_id}?from={start}", key)
        chain.heads += [_head(head) for head in shapes.items(page, "heads")]
        following = shapes.index_or_none(page, "next")
        if following is not None and following <= start:
            raise Unreadable("the pages of its heads do not go on")
        start = following


def _head(head: Any) -> Head:
    return Head(
        head_index=shapes.index(head, "head_index"),
        tree_size=shapes.index(head, "tree_size"),
        root=shapes.node(head, "root"),
        leaf_index=shapes.index(head, "leaf_index"),
        seal_index=shapes.index(head, "seal_index"),
    )


def read_leaves(service: Service, chain: Chain, tenant: Tenant, progress: Progress) -> None:
    """Reads the tiles under the newest head. Throws Unreadable where one is missing or has another length."""
    size = chain.heads[-1].tree_size if chain.heads else 0
    tiles: list[bytes] = []
    for start in range(0, size, TILE_WIDTH):
        width = min(TILE_WIDTH, size - start)
        place = tile_place(start // TILE_WIDTH, width)
        tile = service.bytes(f"/v1/chains/{chain.chain_id}/tile/0/{place}", tenant.api_key)
        if tile is None or len(tile) != width * HASH_BYTES:
            raise Unreadable(f"the tile {place} is missing or has not {width} hashes")
        tiles.append(tile)
        progress.show(f"reads the chains of {tenant.name}, leaf", start + width, size)
    chain.hashes = b"".join(tiles)
