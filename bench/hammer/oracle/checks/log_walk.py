"""A walk over the whole public log (docs/transparency-log.md, "How to walk it"): roots, labels, heads and tiles."""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.history import HASH_BYTES, TILE_WIDTH, Chain
from ..evidence.public_log import (
    LABEL_BYTES,
    PublicLog,
    Seal,
    last_bundle,
    newest_with_files,
    read_bundle,
    read_entries,
    read_seals,
)
from ..evidence.run import RunFacts
from ..evidence.service import Service, tile_place
from ..findings import Findings
from ..formats.identities import MAX_CHAINS, chain_id_of, commitment_of, label_of
from ..formats.merkle import Tree, hash_leaf, root_of
from ..progress import Progress


def read_log(service: Service, findings: Findings, progress: Progress) -> PublicLog:
    """All seals, and the entries under the newest of them whose files are there."""
    log, check = PublicLog(), findings.check("roots")
    with check.reading("the public log"):
        read_seals(service, log, progress)
        if log.seals:
            walked = newest_with_files(service, log, progress)
            del log.seals[walked.index + 1 :]
            read_entries(service, log, walked.tree_size, progress)
    return log


class LogWalk:
    """Recomputes everything that follows from the entries."""

    def __init__(self, log: PublicLog, findings: Findings, progress: Progress) -> None:
        self._log, self._findings, self._progress = log, findings, progress
        self._leaves: list[bytes] = []
        self._labels: dict[bytes, int] = {}

    def check_roots(self) -> None:
        """The root of each seal is that of the entries up to its size, and each label occurs once."""
        roots, labels, tree = self._findings.check("roots"), self._findings.check("labels"), Tree()
        for seal in self._log.seals:
            self._progress.show("walks the log, seal", seal.index, len(self._log.seals))
            for index in range(tree.size, min(seal.tree_size, self._log.size)):
                entry = self._log.entry(index)
                first = self._labels.setdefault(entry[:LABEL_BYTES], index)
                labels.expect(first == index, f"entry {index} of the log has the label of entry {first}")
                self._leaves.append(hash_leaf(entry))
                tree.append(self._leaves[-1])
            told = f"seal {seal.index}: the log has not the {seal.tree_size} entries that its tree_size states"
            if roots.expect(tree.size == seal.tree_size, told):
                computed = tree.root()
                told = f"seal {seal.index}: merkle_root is 0x{seal.root.hex()}, its entries have 0x{computed.hex()}"
                roots.expect(seal.root == computed, told)

    def check_heads(self, chains: Sequence[Chain]) -> None:
        """Each head of each chain is one entry of the log, under the seal that it names, and no later head is there."""
        check = self._findings.check("heads in the log")
        for chain in chains:
            for head in chain.heads:
                at = f"chain {chain.chain_id} head {head.head_index}: "
                label = label_of(chain.chain_id, head.head_index)
                entry = label + commitment_of(chain.chain_id, head.head_index, head.root, head.tree_size)
                found = self._labels.get(label)
                told = f"{at}its label is at entry {found}, expected {head.leaf_index}"
                if check.expect(found == head.leaf_index, told):
                    check.expect(
                        self._log.entry(head.leaf_index) == entry,
                        f"{at}entry {head.leaf_index} commits to another root or size",
                    )
                told = f"{at}seal {head.seal_index} is not the first over entry {head.leaf_index}"
                check.expect(self._seal_over(head.leaf_index) == head.seal_index, told)
            following = self._labels.get(label_of(chain.chain_id, len(chain.heads)))
            told = f"chain {chain.chain_id}: entry {following} is head {len(chain.heads)}, which its history leaves out"
            check.expect(following is None, told)

    def _seal_over(self, index: int) -> int | None:
        """The first seal that covers this entry."""
        low, high = 0, len(self._log.seals)
        while low < high:
            middle = (low + high) // 2
            if self._log.seals[middle].tree_size > index:
                high = middle
            else:
                low = middle + 1
        return low if low < len(self._log.seals) else None

    def check_other_chains(self, run: RunFacts, chains: Sequence[Chain]) -> None:
        """The log has no head of a chain that a tenant's anchor gives and its history does not name."""
        check = self._findings.check("no other chain")
        for number, tenant in enumerate(run.tenants):
            if tenant.anchor is None:
                check.unmade = "a tenant's anchor is not known"
                continue
            named = {chain.chain_id for chain in chains if chain.tenant == number}
            for shard in range(MAX_CHAINS):
                chain_id = chain_id_of(tenant.anchor, shard)
                if chain_id not in named:
                    found = self._labels.get(label_of(chain_id, 0))
                    told = f"entry {found} is of shard {shard}, which its history does not name"
                    check.expect(found is None, f"tenant {tenant.name}: {told}")

    def check_tiles(self, service: Service, partly: Sequence[Seal]) -> None:
        """All full tiles, the partial ones of the walked size, and those of some earlier sizes where they are there."""
        check, level, hashes = self._findings.check("tiles"), 0, self._leaves
        while hashes:
            for start in range(0, len(hashes), TILE_WIDTH):
                expected = b"".join(hashes[start : start + TILE_WIDTH])
                self._check_tile(service, level, start // TILE_WIDTH, expected, may_be_missing=False)
            for seal in partly:
                whole = seal.tree_size // TILE_WIDTH**level
                start = whole - whole % TILE_WIDTH
                if start < whole <= len(hashes):
                    expected = b"".join(hashes[start:whole])
                    self._check_tile(service, level, start // TILE_WIDTH, expected, may_be_missing=True)
            whole = len(hashes) // TILE_WIDTH * TILE_WIDTH
            hashes = [root_of(hashes[start : start + TILE_WIDTH]) for start in range(0, whole, TILE_WIDTH)]
            level += 1
        if not self._leaves:
            check.unmade = "the log has no entries"

    def check_bundles(self, service: Service, partly: Sequence[Seal]) -> None:
        """The partial entry bundles of some earlier sizes, where they are there, begin what came after."""
        check = self._findings.check("tiles")
        for seal in partly:
            number, width = last_bundle(seal.tree_size)
            with check.reading(f"the last entries of seal {seal.index}"):
                bundle = read_bundle(service, number, width)
                start = number * TILE_WIDTH
                expected = b"".join(map(self._log.entry, range(start, start + width)))
                told = f"the last entry bundle of seal {seal.index} has other entries than the log"
                check.expect(bundle in (None, expected), told)

    def _check_tile(self, service: Service, level: int, number: int, expected: bytes, may_be_missing: bool) -> None:
        check, place = self._findings.check("tiles"), tile_place(number, len(expected) // HASH_BYTES)
        self._progress.show("reads the tiles of level", level)
        with check.reading(f"tile {level}/{place}"):
            tile = service.bytes(f"/v1/metachain/tile/{level}/{place}")
            if tile is None and may_be_missing:
                return
            told = "is missing" if tile is None else "has other hashes than the entries give"
            check.expect(tile == expected, f"tile {level}/{place} {told}")
