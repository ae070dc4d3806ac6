"""Whether a bundle has all turns of its conversation, as of an entry of the public log: docs/history.md."""

from typing import Any, NamedTuple

from .chain_history import TenantHistory
from .checks import Check, Unmade, run
from .hashes import hash_leaf, label_after, leaf_of
from .json_input import JsonObject
from .public_heads import place_in, reach_of
from .public_log import Walk


class Turn(NamedTuple):
    """A place of a chain, and the leaf there."""

    chain_id: str
    sequence: int
    leaf: bytes


def verify_whole(bundle: JsonObject, history: TenantHistory | None, walk: Walk | None) -> list[Check]:
    """Made as soon as the history or the log is at hand, as the checks of a receipt with them are."""
    if history is None and walk is None:
        return []
    return [run("whole", lambda: check_whole(bundle, history, walk))]


def check_whole(bundle: JsonObject, history: TenantHistory | None, walk: Walk | None) -> str:
    """No turn follows the last one, and none but the next of the bundle follows an earlier one. Only of a bundle that
    what is at hand reaches can this be said.
    """
    if history is None or walk is None:
        raise Unmade("not_given", "this needs the history of the chains and the public log")
    ids = [receipt.get("chain_id") for receipt in bundle["receipts"]]
    if any(not isinstance(chain_id, str) or chain_id not in history.chains for chain_id in ids):
        raise Unmade("other_history", "the history is of other chains")
    crosses = [proof["merkle_proof"]["cross_tenant_proof"] for proof in bundle["proofs"]]
    # Of a receipt that is pending no place is known.
    last, _ = place_in(None if None in crosses else max(crosses, key=lambda cross: cross["leaf_index"]), walk)
    end = min(reach_of(chain_id, chain, walk).end for chain_id, chain in history.chains.items())
    if last["leaf_index"] >= end:
        raise Unmade("too_new", f"what is at hand ends at entry {end}, before the last of these receipts")
    find_missing(bundle["receipts"], history)
    return f"no other turn of the conversation up to entry {end}"


def find_missing(receipts: list[Any], history: TenantHistory) -> None:
    """Raises Unmade if a turn is followed by a leaf of the history that is not that of the bundle's next turn."""
    leaves = [leaf_of(receipt) for receipt in receipts]
    turns = [Turn(str(one.get("chain_id")), one.get("sequence"), leaf) for one, leaf in zip(receipts, leaves)]
    for receipt, leaf, following in zip(receipts, leaves, [*turns[1:], None]):
        label, which = label_after(hash_leaf(leaf)), f"turn {receipt.get('turn')}"
        found = {
            Turn(chain_id, place, chain.leaf_at(place))
            for chain_id, chain in history.chains.items()
            for place in chain.places_of(label)
        }
        for other in sorted(found - {following}):
            raise Unmade("turn_missing", f"{which} is followed by receipt {other.sequence} of chain {other.chain_id}")
        if following is not None and following not in found:
            raise Unmade("turn_missing", f"the turn that follows {which} is not in the history")
