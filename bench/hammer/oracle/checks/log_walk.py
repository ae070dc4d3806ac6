"""A walk over the whole public log (docs/transparency-log.md, "How to walk it"): roots, labels, heads and tiles."""

from __future__ import annotations

from collections.abc import Sequence

from disclosure_receipts.verify.chain_history import chains_of
from disclosure_receipts.verify.hashes import LABEL_BYTES, entry_of, label_of, node_bytes, sha256
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.merkle import append_leaf, root_over
from disclosure_receipts.verify.tiles import TILE_WIDTH, tile_file

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog, last_bundle, read_bundle
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Findings
from ..progress import Progress

HASH_BYTES = 32


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over some leaf hashes."""
    subtrees: list[bytes] = []
    for index, leaf in enumerate(leaves):
        append_leaf(subtrees, index, leaf)
    return root_over(subtrees)


class LogWalk:
    """Recomputes everything that follows from the entries."""

    def __init__(self, log: PublicLog, findings: Findings, progress: Progress) -> None:
        self._log, self._findings, self._progress = log, findings, progress
        self._leaves: list[bytes] = []
        self._labels: dict[bytes, int] = {}

    def check_roots(self) -> None:
        """The root of each seal is that of the entries up to its size, and each label occurs once."""
        roots, labels = self._findings.check("roots"), self._findings.check("labels")
        leaves, subtrees = self._leaves, list[bytes]()
        for seal in self._log.seals:
            self._progress.show("walks the log, seal", seal["index"], len(self._log.seals))
            for index in range(len(leaves), min(seal["tree_size"], self._log.size)):
                entry = self._log.entry(index)
                first = self._labels.setdefault(entry[:LABEL_BYTES], index)
                labels.expect(first == index, f"entry {index} of the log has the label of entry {first}")
                leaves.append(sha256(b"\x00", entry))
                append_leaf(subtrees, index, leaves[-1])
            at = f"seal {seal['index']}: "
            told = f"{at}the log has not the {seal['tree_size']} entries that its tree_size states"
            if roots.expect(len(leaves) == seal["tree_size"], told):
                computed = root_over(subtrees)
                told = f"{at}merkle_root is {seal['merkle_root']}, its entries have 0x{computed.hex()}"
                roots.expect(node_bytes(seal["merkle_root"]) == computed, told)

    def check_heads(self, chains: Sequence[Chain]) -> None:
        """Each head of each chain is one entry of the log, under the seal that it names, and no later head is there."""
        check = self._findings.check("heads in the log")
        for chain in chains:
            for head in chain.heads:
                number, place, seal = head["head_index"], head["leaf_index"], head["seal_index"]
                at = f"chain {chain.chain_id} head {number}: "
                found = self._labels.get(label_of(chain.chain_id, number))
                if check.expect(found == place, f"{at}its label is at entry {found}, expected {place}"):
                    same = self._log.entry(place) == entry_of({**head, "chain_id": chain.chain_id})
                    check.expect(same, f"{at}entry {place} commits to another root or size")
                check.expect(self._seal_over(place) == seal, f"{at}seal {seal} is not the first over entry {place}")
            following = self._labels.get(label_of(chain.chain_id, len(chain.heads)))
            told = f"chain {chain.chain_id}: entry {following} is head {len(chain.heads)}, which its history leaves out"
            check.expect(following is None, told)

    def _seal_over(self, index: int) -> int | None:
        """The first seal that covers this entry."""
        low, high = 0, len(self._log.seals)
        while low < high:
            middle = (low + high) // 2
            if self._log.seals[middle]["tree_size"] > index:
                high = middle
            else:
                low = middle + 1
        return low if low < len(self._log.seals) else None

    def check_other_chains(self, run: RunFacts, chains: Sequence[Chain]) -> None:
        """The log has no head that a tenant's anchor gives and its history does not name, and none of nobody's chain."""
        check = self._findings.check("no other chain")
        for number, tenant in enumerate(run.tenants):
            if tenant.anchor is None:
                check.unmade = "a tenant's anchor is not known"
                continue
            named = {chain.chain_id for chain in chains if chain.tenant == number}
            for chain_id, shard in chains_of(tenant.anchor).items():
                if chain_id not in named:
                    found = self._labels.get(label_of(chain_id, 0))
                    told = f"entry {found} is of shard {shard}, which its history does not name"
                    check.expect(found is None, f"tenant {tenant.name}: {told}")
        if check.unmade is None:
            places = {head["leaf_index"] for chain in chains for head in chain.heads}
            for index in range(self._log.size):
                check.expect(index in places, f"entry {index} of the log is a head of no chain")

    def check_tiles(self, service: Service, partly: Sequence[JsonObject]) -> None:
        """All full tiles, the partial ones of the walked size, and those of some earlier sizes where they are there."""
        check, level, hashes = self._findings.check("tiles"), 0, self._leaves
        while hashes:
            for start in range(0, len(hashes), TILE_WIDTH):
                expected = b"".join(hashes[start : start + TILE_WIDTH])
                self._check_tile(service, level, start // TILE_WIDTH, expected, may_be_missing=False)
            for seal in partly:
                whole = seal["tree_size"] // TILE_WIDTH**level
                start = whole - whole % TILE_WIDTH
                if start < whole <= len(hashes):
                    expected = b"".join(hashes[start:whole])
                    self._check_tile(service, level, start // TILE_WIDTH, expected, may_be_missing=True)
            whole = len(hashes) // TILE_WIDTH * TILE_WIDTH
            hashes = [root_of(hashes[start : start + TILE_WIDTH]) for start in range(0, whole, TILE_WIDTH)]
            level += 1
        if not self._leaves:
            check.unmade = "the log has no entries"

    def check_bundles(self, service: Service, partly: Sequence[JsonObject]) -> None:
        """The partial entry bundles of some earlier sizes, where they are there, begin what came after."""
        check = self._findings.check("tiles")
        for seal in partly:
            number, width = last_bundle(seal["tree_size"])
            with check.reading(f"the last entries of seal {seal['index']}"):
                bundle = read_bundle(service, number, width)
                start = number * TILE_WIDTH
                expected = b"".join(map(self._log.entry, range(start, start + width)))
                told = f"the last entry bundle of seal {seal['index']} has other entries than the log"
                check.expect(bundle in (None, expected), told)

    def _check_tile(self, service: Service, level: int, number: int, expected: bytes, may_be_missing: bool) -> None:
        check, place = self._findings.check("tiles"), tile_file("", number, len(expected) // HASH_BYTES)
        self._progress.show("reads the tiles of level", level)
        with check.reading(f"tile {level}/{place}"):
            tile = service.bytes(f"/v1/metachain/tile/{level}/{place}")
            if tile is None and may_be_missing:
                return
            told = "is missing" if tile is None else "has other hashes than the entries give"
            check.expect(tile == expected, f"tile {level}/{place} {told}")
