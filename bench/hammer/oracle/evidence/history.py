"""The history of a tenant's chains (docs/history.md): heads and leaves, fetched with the tenant's key."""

from __future__ import annotations

from dataclasses import dataclass, field

from disclosure_receipts.verify.chain_history import ChainHistory
from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.hashes import sha256
from disclosure_receipts.verify.history_files import is_head
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.shapes import having, is_chain_id, is_index, list_of, optional
from disclosure_receipts.verify.tiles import tile_file, tiles_under

from ..progress import Progress
from .run import Tenant
from .service import Service

# A leaf: the label of its turn, and the hash of its receipt's core.
LEAF_BYTES = 64

is_list_of_chains = having(chains=list_of(having(chain_id=is_chain_id, shard=is_index)))
is_page_of_heads = having(heads=list_of(is_head), next=optional(is_index))


@dataclass
class Chain:
    """One chain of a tenant."""

    tenant: int
    chain_id: str
    shard: int
    history: ChainHistory = field(default_factory=lambda: ChainHistory(b"", []))

    @property
    def heads(self) -> list[JsonObject]:
        return self.history.heads

    @property
    def size(self) -> int:
        return len(self.history.leaves) // LEAF_BYTES

    def leaf(self, sequence: int) -> bytes:
        """The leaf hash at this place."""
        return sha256(b"\x00", self.history.leaves[sequence * LEAF_BYTES : (sequence + 1) * LEAF_BYTES])


def read_chains(service: Service, tenant: int, key: str) -> list[Chain]:
    """All chains that the service says the tenant has, without their heads. Raises Unreadable."""
    chains = service.json("/v1/chains", key, is_list_of_chains)["chains"]
    return [Chain(tenant, chain["chain_id"], chain["shard"]) for chain in chains]


def read_history(service: Service, chain: Chain, tenant: Tenant, progress: Progress) -> None:
    """Reads the heads, and the leaves under the newest of them. Raises Unreadable where some are missing."""
    own, key = f"/v1/chains/{chain.chain_id}", tenant.api_key
    start: int | None = 0
    while start is not None:
        page = service.json(f"{own}?from={start}", key, is_page_of_heads)
        chain.heads.extend(page["heads"])
        following: int | None = page["next"]
        if following is not None and following <= start:
            raise Unreadable("the pages of its heads do not go on")
        start = following
    size = chain.heads[-1]["tree_size"] if chain.heads else 0
    bundles: list[bytes] = []
    for index, width in tiles_under(size):
        place = tile_file("", index, width)
        bundle = service.bytes(f"{own}/entries/{place}", key)
        if bundle is None or len(bundle) != width * LEAF_BYTES:
            raise Unreadable(f"the bundle {place} is missing or has not {width} leaves")
        bundles.append(bundle)
        progress.show(f"reads the chains of {tenant.name}, bundle", index)
    chain.history = ChainHistory(b"".join(bundles), chain.heads)
