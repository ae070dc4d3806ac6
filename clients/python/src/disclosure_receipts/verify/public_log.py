"""The public log: docs/transparency-log.md, in a folder as `mirror` leaves it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .checks import Unreadable
from .files import read_named
from .formats import is_seal
from .hashes import ENTRY_BYTES, LABEL_BYTES, entry_of, hash_leaf, label_of, node_bytes
from .json_input import JsonObject, read_json
from .merkle import append_leaf, root_over
from .shapes import having, is_index, literal, optional, readable
from .tiles import TILE_WIDTH, tile_file, tiles_under

# The files of the log follow its seals. The newest seals may have none yet, and some never get a partial bundle.
MAX_SEALS_BACK = 32
# An entry stands behind its length, a big-endian uint16.
ENTRY_LENGTH = ENTRY_BYTES.to_bytes(2, "big")
is_log_head = having(size=is_index, latest=optional(is_seal), roots=literal("/v1/metachain/roots/{index}"))


class LoggedHead(NamedTuple):
    """A head as the log has it: the place of its entry, and the entry's commitment."""

    place: int
    commitment: bytes


@dataclass(frozen=True, eq=False)
class Walk:
    """What a walk over all entries of the log found. size: how many they are. heads: by chain, in the order of their
    numbers; none of a chain that was looked for and is not there.
    """

    size: int
    heads: dict[str, list[LoggedHead]]

    def has(self, chain_id: str, head: JsonObject, place: int) -> bool:
        """True if the log has this very head of the chain, and at this place."""
        found = self.heads[chain_id][head["head_index"] : head["head_index"] + 1]
        return found == [LoggedHead(place, entry_of({**head, "chain_id": chain_id})[LABEL_BYTES:])]


def walk_log(folder: str, chain_ids: Iterable[str]) -> Walk | None:
    """Reads the log once, and keeps no more of it than a bundle and the heads of these chains. None before the first
    seal. Head 0 of a chain is the first entry with label 0, head k the first with label k behind head k - 1: one label
    is awaited for each chain.
    """
    prefix = os.path.join(folder, "v1", "metachain")
    seal = newest_with_entries(prefix)
    if seal is None:
        return None
    heads: dict[str, list[LoggedHead]] = {chain_id: [] for chain_id in chain_ids}
    awaited = {label_of(chain_id, 0): chain_id for chain_id in heads}
    subtrees: list[bytes] = []
    for place, entry in enumerate(read_entries(prefix, seal["tree_size"])):
        append_leaf(subtrees, place, hash_leaf(entry))
        chain_id = awaited.pop(entry[:LABEL_BYTES], None)
        if chain_id is not None:
            heads[chain_id].append(LoggedHead(place, entry[LABEL_BYTES:]))
            awaited[label_of(chain_id, len(heads[chain_id]))] = chain_id
    if root_over(subtrees) != node_bytes(seal["merkle_root"]):
        raise Unreadable(f"the entries in {folder} do not lead to root {seal['index']}")
    return Walk(seal["tree_size"], heads)


def newest_with_entries(prefix: str) -> JsonObject | None:
    """The newest seal up to which the entries are there; None before the first."""
    head = readable(is_log_head, read_json(read_named(os.path.join(prefix, "index.json"))), "log's head")
    latest: JsonObject | None = head["latest"]
    if latest is None:
        return None
    newest = latest["index"]
    for index in range(newest, max(-1, newest - MAX_SEALS_BACK), -1):
        seal = latest if index == newest else read_root(prefix, index)
        last = (seal["tree_size"] - 1) // TILE_WIDTH
        if os.path.isfile(bundle_file(prefix, last, seal["tree_size"] - last * TILE_WIDTH)):
            return seal
    raise Unreadable(f"{prefix} has no entries of its newest roots")


def read_root(prefix: str, index: int) -> JsonObject:
    file = os.path.join(prefix, "roots", str(index))
    seal: JsonObject = readable(is_seal, read_json(read_named(file)), "published root")
    if seal["index"] != index:
        raise Unreadable(f"{file} says that it is root {seal['index']}")
    return seal


def bundle_file(prefix: str, index: int, width: int) -> str:
    return tile_file(os.path.join(prefix, "tile", "entries"), index, width)


def read_entries(prefix: str, size: int) -> Iterator[bytes]:
    for index, width in tiles_under(size):
        file = bundle_file(prefix, index, width)
        data = read_named(file)
        starts = range(0, len(data), len(ENTRY_LENGTH) + ENTRY_BYTES)
        entries = [data[start + len(ENTRY_LENGTH) : start + starts.step] for start in starts]
        if data != b"".join(ENTRY_LENGTH + entry for entry in entries) or len(data) != width * starts.step:
            raise Unreadable(f"{file} is no bundle of {width} entries")
        yield from entries
