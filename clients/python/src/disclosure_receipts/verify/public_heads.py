"""What a walk over the public log says of heads: docs/history.md, "As of when"."""

from functools import lru_cache
from typing import NamedTuple

from .chain_history import MAX_CHAINS, ChainHistory, TenantHistory
from .checks import Unmade, require
from .json_input import JsonObject
from .public_log import Walk


class Reach(NamedTuple):
    """end: the history has every head of its chain among the entries before this one. broken: the place that it tells
    for its first head that the log has not there; None if there is none. is_walked: whether the log was asked.
    """

    end: int
    broken: int | None
    is_walked: bool


@lru_cache(maxsize=MAX_CHAINS)
def reach_of(chain_id: str, history: ChainHistory, walk: Walk | None) -> Reach:
    """It follows from places alone, and never from what a file says of its own age. Many receipts are of one chain."""
    heads = history.heads
    if walk is None:
        return Reach(heads[-1]["leaf_index"] + 1 if heads else 0, None, False)
    same = 0
    while same < len(heads) and walk.has(chain_id, heads[same], heads[same]["leaf_index"]):
        same += 1
    logged = walk.heads[chain_id][same : same + 1]
    end = logged[0].place if logged else walk.size
    told = heads[same]["leaf_index"] if same < len(heads) else walk.size
    # A head that is told to stand behind the end of the log at hand may be there.
    return Reach(end, None, True) if told >= walk.size else Reach(min(end, told), told, True)


def place_in(cross: JsonObject | None, walk: Walk | None) -> tuple[JsonObject, Walk]:
    """The proof, and a walk that reaches its head."""
    if walk is None:
        raise Unmade("not_given", "the public log was not walked")
    if cross is None:
        raise Unmade("pending", "the receipt has no head in the public log yet")
    if cross["leaf_index"] >= walk.size:
        raise Unmade("too_new", f"the public log at hand ends at entry {walk.size}, before this receipt")
    return cross, walk


def check_public_heads(given: JsonObject | None, log: Walk | None, reach: Reach | None) -> str:
    """The head is the one of its number in the log, and the history's heads up to it are."""
    cross, walk = place_in(given, log)
    leaf, place = cross["leaf"], cross["leaf_index"]
    is_head = walk.has(leaf["chain_id"], leaf, place)
    require(is_head, f"entry {place} is not head {leaf['head_index']} of the chain in the log of size {walk.size}")
    broken = None if reach is None else reach.broken
    require(broken is None or broken > place, f"the log has not the head that the history tells at entry {broken}")
    return f"head {leaf['head_index']} of the chain at entry {place}, in the log of size {walk.size}"


def check_other_chains(cross: JsonObject | None, history: TenantHistory, walk: Walk, reach: Reach | None) -> str:
    """A chain that begins behind the receipt's head contradicts nothing, nor one that began since the history was
    fetched; the receipt's own chain may have, too.
    """
    if cross is None:
        raise Unmade("pending", "the receipt has no head in the public log yet")
    if reach is None:
        raise Unmade("other_history", "the history is of other chains")
    if cross["leaf_index"] >= reach.end:
        raise Unmade("too_new", f"what is at hand ends at entry {reach.end}, before this receipt")
    others = history.to_look_for() - history.chains.keys()
    first = min((walk.heads[chain_id][0].place for chain_id in others if walk.heads[chain_id]), default=walk.size)
    unshown = f"a chain of this tenant, which the history has not, begins at entry {first}"
    require(first >= cross["leaf_index"], unshown)
    return f"no other chain of this anchor up to entry {min(first, reach.end)}"
