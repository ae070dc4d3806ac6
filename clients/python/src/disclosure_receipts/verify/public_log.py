"""The public log: docs/transparency-log.md, in a folder as `mirror` leaves it."""

import os
from collections import Counter
from collections.abc import Iterator

from .chain_history import ChainHistory
from .checks import Check, Refuted, Unmade, Unreadable, require, run
from .files import read_named
from .formats import is_seal
from .hashes import entry_of, label_of, node_bytes, sha256
from .json_input import JsonObject, read_json
from .links import count_of
from .merkle import append_leaf, root_over
from .shapes import having, is_index, literal, optional, readable
from .tiles import TILE_WIDTH, tile_file, tiles_under

# The files of the log follow its seals. The newest seals may have none yet, and some never get a partial bundle.
MAX_SEALS_BACK = 32
LABEL_BYTES, ENTRY_BYTES = 32, 64
# An entry stands behind its length, a big-endian uint16.
ENTRY_LENGTH = ENTRY_BYTES.to_bytes(2, "big")
is_log_head = having(size=is_index, latest=optional(is_seal), roots=literal("/v1/metachain/roots/{index}"))


def search_log(folder: str, chains: dict[str, ChainHistory]) -> dict[str, Check]:
    """Makes the check public_heads for each chain. The log is read once, and no more of it is kept than a bundle."""
    prefix = os.path.join(folder, "v1", "metachain")
    seal = newest_with_entries(prefix)
    if seal is None:
        return {}
    # The label behind the last head is looked up too: it must occur nowhere.
    places = ((chain_id, number) for chain_id in chains for number in range(len(chains[chain_id].heads) + 1))
    wanted = {label_of(*place): place for place in places}
    subtrees: list[bytes] = []
    found: Counter[str] = Counter()
    size, faults = seal["tree_size"], {}
    for index, entry in enumerate(read_entries(prefix, size)):
        append_leaf(subtrees, index, sha256(b"\x00", entry))
        if entry[:LABEL_BYTES] in wanted:
            chain_id, number = wanted[entry[:LABEL_BYTES]]
            if is_head_at(index, entry, chain_id, chains[chain_id].heads[number : number + 1]):
                found[chain_id] += 1
            else:
                faults[chain_id] = f"entry {index} of the public log is another head {number} of the chain"
    if root_over(subtrees) != node_bytes(seal["merkle_root"]):
        raise Unreadable(f"the entries in {folder} do not lead to root {seal['index']}")
    facts = {chain_id: (chains[chain_id].heads, found[chain_id], faults.get(chain_id), size) for chain_id in chains}
    return {chain_id: run("public_heads", lambda: check_found(*facts[chain_id])) for chain_id in chains}


def is_head_at(index: int, entry: bytes, chain_id: str, heads: list[JsonObject]) -> bool:
    """True if the history has this head at this place of the log. `heads` is that head of the history, or empty."""
    return any(head["leaf_index"] == index and entry_of({**head, "chain_id": chain_id}) == entry for head in heads)


def check_found(heads: list[JsonObject], found: int, fault: str | None, size: int) -> str:
    if fault is not None:
        raise Refuted(fault)
    # A head that is found stands in its place, and so is found once.
    public = sum(head["leaf_index"] < size for head in heads)
    require(found == public, f"the public log has not {count_of(public - found, 'head')} of the chain in their place")
    if public < len(heads):
        newer = count_of(len(heads) - public, "head")
        raise Unmade("too_new", f"{newer} of the history came after the public log at hand")
    return f"each of {count_of(found, 'head')} once and in its place in the log of size {size}"


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
