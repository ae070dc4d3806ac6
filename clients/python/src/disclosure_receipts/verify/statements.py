"""The statements about the logs that are in evidence that holds."""

from collections.abc import Iterator
from typing import Any

from .hashes import hash_head, hash_node, hash_seal, link_to, node_bytes
from .json_input import JsonObject
from .kinds import Evidence
from .links import seal_before
from .merkle import ranges_beside
from .one_history import METACHAIN, Fact, Statement, Step
from .proofs import chain_of

CONVERSATIONS = "the conversations"


def statements_of(evidence: Evidence) -> Iterator[Statement]:
    """Gives the statements of any kind of evidence."""
    kind, value = evidence
    if kind == "seal":
        yield from statements_of_seal(value)
    elif kind != "bundle":
        receipt = value.get("receipts", [None])[0]
        yield from statements_of_proof(receipt, value)
        if receipt is not None:
            yield from statements_of_turn(receipt)
    else:
        for receipt, proof in zip(value["receipts"], value["proofs"]):
            yield from statements_of_proof(receipt, proof)
            yield from statements_of_turn(receipt)
        for seal in value["seals"]:
            yield from statements_of_seal(seal)


def statements_of_proof(receipt: Any, evidence: JsonObject) -> Iterator[Statement]:
    """Gives those of a receipt, or None, with its proof and the head of its chain."""
    proof, head = evidence["merkle_proof"], evidence.get("evidence_chain")
    chain_id, event, cross = chain_of(receipt, proof), proof["event_inclusion_proof"], proof["cross_tenant_proof"]
    if chain_id is not None:
        yield from facts_of_tree(f"chain {chain_id}", "receipt", node_bytes(event["leaf_hash"]), event)
    if receipt is not None:
        yield from statements_of_receipt(receipt)
    if head is not None:
        yield Fact(f"chain {head['chain_id']}", f"receipt {head['sequence']}", head["head_hash"][7:])
    if cross is not None:
        yield from statements_of_cross(cross)


def statements_of_receipt(receipt: Any) -> Iterator[Statement]:
    """A receipt states its time, the receipt before it, and a seal with its tokens."""
    chain, sequence = f"chain {receipt['chain_id']}", receipt["sequence"]
    yield Step(chain, "receipt {at} was issued at {value}", sequence, receipt["issued_at"])
    if sequence > 0:
        yield Fact(chain, f"receipt {sequence - 1}", receipt["previous_hash"][7:])
    yield Step(chain, "receipt {at} names seal {value} (-1 is none)", sequence, seal_before(receipt))
    if receipt["recorded_after"] is not None:
        yield Fact(METACHAIN, f"seal {seal_before(receipt)} with its tokens", receipt["recorded_after"]["seal_hash"])


def statements_of_turn(receipt: Any) -> Iterator[Statement]:
    """One turn comes after another, which it links to: on the same chain, as a later receipt, that was not issued
    earlier and names no older seal. A turn is known by its leaf hash and not by the conversation's id: an id that was
    erased may begin anew. Within a bundle, turn_links checks this.
    """
    own, previous = link_to(receipt)[7:], receipt["previous_turn_hash"]
    if previous is not None:
        yield Fact(CONVERSATIONS, f"the turn after leaf {previous[7:]}", own)
        yield from statements_about_turn(previous[7:], receipt, 1)
    yield from statements_about_turn(own, receipt, 0)


def statements_about_turn(leaf: str, receipt: Any, after: int) -> Iterator[Statement]:
    """What a receipt says of the turn with this leaf hash, its own (after: 0) or the one that it links to (1). Of the
    two, the later turn is the one that names the other.
    """
    name = f"the turn of leaf {leaf}, or {{at}} after it,"
    place = f"{receipt['turn'] - after} on chain {receipt['chain_id']}"
    yield Fact(CONVERSATIONS, f"the number and the chain of the turn of leaf {leaf}", place)
    yield Step(CONVERSATIONS, f"{name} is receipt {{value}}", after, receipt["sequence"], True)
    yield Step(CONVERSATIONS, f"{name} was issued at {{value}}", after, receipt["issued_at"])
    yield Step(CONVERSATIONS, f"{name} names seal {{value}} (-1 is none)", after, seal_before(receipt))


def statements_of_cross(cross: JsonObject) -> Iterator[Statement]:
    """A chain that grew is a later head, and a later entry of the metachain. Any later seal may prove a head, too."""
    head, index = cross["leaf"], cross["seal_index"]
    chain, size, number = f"chain {head['chain_id']}", head["tree_size"], head["head_index"]
    yield Fact(chain, f"the size of head {number}", size)
    yield Step(chain, "the size of head {at} is {value}", number, size, True)
    yield from statements_of_root(index, cross["root"], cross["tree_size"])
    yield from facts_of_tree(METACHAIN, "entry", hash_head(head), cross)
    yield Step(chain, "the head of {at} is entry {value} of the metachain", size, cross["leaf_index"], True)


def statements_of_seal(seal: JsonObject) -> Iterator[Statement]:
    index = seal["index"]
    yield from statements_of_root(index, seal["merkle_root"], seal["tree_size"])
    if seal["previous_root"] is not None:
        yield from statements_of_root(index - 1, seal["previous_root"], seal["previous_tree_size"])
    yield Fact(METACHAIN, f"the time of root {index}", seal["sealed_at"])
    yield Fact(METACHAIN, f"seal {index} with its tokens", hash_seal(seal))
    yield Step(METACHAIN, "root {at} was sealed at {value}", index, seal["sealed_at"])


def statements_of_root(index: int, root: str, size: int) -> Iterator[Statement]:
    yield Fact(METACHAIN, f"root {index}", root[2:])
    yield Fact(METACHAIN, f"the size of root {index}", size)
    yield Step(METACHAIN, "the size of root {at} is {value}", index, size)


def facts_of_tree(log: str, leaf_name: str, leaf: bytes, proof: JsonObject) -> Iterator[Statement]:
    """An inclusion path shows the root and complete subtrees, which a growing tree never changes."""
    index, size = proof["leaf_index"], proof["tree_size"]
    low, high, hashed = index, index + 1, leaf
    yield Fact(log, f"{leaf_name} {index}", hashed.hex())
    for sibling, (start, end) in zip(map(node_bytes, proof["path"]), ranges_beside(index, size)):
        yield from subtree_fact(log, leaf_name, start, end, sibling)
        hashed = hash_node(sibling, hashed) if start < low else hash_node(hashed, sibling)
        low, high = min(low, start), max(high, end)
        yield from subtree_fact(log, leaf_name, low, high, hashed)
    yield Fact(log, f"the tree of {size} leaves", proof["root"][2:])


def subtree_fact(log: str, leaf_name: str, start: int, end: int, hashed: bytes) -> Iterator[Statement]:
    """Nothing is stated of a subtree that is not complete: it is still growing."""
    count = end - start
    if count == 1:
        yield Fact(log, f"{leaf_name} {start}", hashed.hex())
    elif count & (count - 1) == 0:
        name = f"the tree of {count} leaves" if start == 0 else f"the subtree from {start} to {end - 1}"
        yield Fact(log, name, hashed.hex())
