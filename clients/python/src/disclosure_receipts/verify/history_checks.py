"""Holds a receipt against the history of its chain: docs/history.md."""

import re
from typing import Any

from .chain_history import ChainHistory, TenantHistory, chains_of
from .checks import Check, Unmade, present, require, run
from .formats import is_receipt
from .hashes import digest, digest_bytes, hash_json, node_bytes
from .json_input import JsonObject
from .public_heads import Reach, check_other_chains, check_public_heads, reach_of
from .public_log import Walk

EVENT_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]([0-9a-f]{3})-[0-9a-f]{12}")


def verify_history(
    evidence: JsonObject, receipt: Any, history: TenantHistory | None, walk: Walk | None
) -> list[Check]:
    """Holds a receipt against the history of its chain and a walk over the public log, as far as they are at hand."""
    if history is None and walk is None:
        return []
    known = receipt if receipt is not None and is_receipt(receipt) else None
    cross = evidence["merkle_proof"]["cross_tenant_proof"]
    chain_id = known["chain_id"] if known else cross and cross["leaf"]["chain_id"]
    chain = None if history is None else history.chains.get(chain_id)
    reach = None if chain is None else reach_of(chain_id, chain, walk)
    checks = [run("public_heads", lambda: check_public_heads(cross, walk, reach))]
    if history is None:
        return checks
    checks.insert(0, run("chain_history", lambda: check_chain_history(evidence, known, chain, reach)))
    if history.anchor is not None and walk is not None:
        checks.append(run("other_chains", lambda: check_other_chains(cross, history, walk, reach)))
    if history.fingerprint is not None:
        checks.append(run("tenant", lambda: check_tenant(chain_id, known, history)))
    return checks


def check_chain_history(
    evidence: JsonObject, receipt: Any, history: ChainHistory | None, reach: Reach | None
) -> str:
    if history is None or reach is None:
        raise Unmade("other_history", "the history is of other chains")
    check_leaves(evidence, receipt, history)
    event, cross = (evidence["merkle_proof"][name] for name in ("event_inclusion_proof", "cross_tenant_proof"))
    covering = next((head for head in history.heads if head["tree_size"] > event["leaf_index"]), None)
    # A receipt that is pending stands where the history has it.
    named = cross or covering
    if named is None:
        raise Unmade("too_new", "the history ends before this receipt")
    place = named["leaf_index"]
    is_one = reach.broken is None or place < reach.end
    require(is_one, f"one history up to entry {reach.end}: there the log has not the history's head")
    if place >= reach.end:
        raise Unmade("too_new", f"what is at hand ends at entry {reach.end}, before this receipt")
    require(cross is None or is_head_of(history, cross), "the head over the receipt is none of the history")
    require(covering, "the receipt's head does not cover it")
    said = f"receipt {event['leaf_index']} of the chain"
    return f"{said}; one history up to entry {reach.end}" if reach.is_walked else f"consistent with this file: {said}"


def check_leaves(evidence: JsonObject, receipt: Any, history: ChainHistory) -> None:
    """A place that no sealed head covers yet contradicts nothing."""
    event = evidence["merkle_proof"]["event_inclusion_proof"]
    leaves = [(event["leaf_index"], node_bytes(event["leaf_hash"]))]
    if receipt is not None and receipt["sequence"] > 0:
        leaves.append((receipt["sequence"] - 1, digest_bytes(receipt["previous_hash"])))
    if "evidence_chain" in evidence:
        chain = evidence["evidence_chain"]
        leaves.append((chain["sequence"], digest_bytes(chain["head_hash"])))
    for place, leaf in leaves:
        same = place >= history.size or history.leaf_hash_at(place) == leaf
        require(same, f"the history has another receipt at place {place}")
    if event["tree_size"] <= history.size:
        root = history.root_at(event["tree_size"])
        require(root == node_bytes(event["root"]), "the chain has another root of this size")


def is_head_of(history: ChainHistory, cross: JsonObject) -> bool:
    """Its seal may be a later one than the first that covers it."""
    leaf = cross["leaf"]
    heads = history.heads[leaf["head_index"] : leaf["head_index"] + 1]
    return any(
        (head["tree_size"], head["root"], head["leaf_index"]) == (leaf["tree_size"], leaf["root"], cross["leaf_index"])
        and head["seal_index"] <= cross["seal_index"]
        for head in heads
    )


def check_tenant(chain_id: str | None, receipt: Any, tenant: TenantHistory) -> str:
    if tenant.anchor is None:
        raise Unmade("other_history", "the history was not fetched under an anchor")
    fingerprint = digest(hash_json({"tenant_anchor": tenant.anchor}))
    require(fingerprint == tenant.fingerprint, "the history is that of another tenant")
    shard = present(chains_of(tenant.anchor).get(chain_id or ""), "the chain is none of this tenant's")
    named = EVENT_ID.fullmatch("" if receipt is None else receipt["event_id"])
    same = receipt is None or (named is not None and int(named[1], 16) == shard)
    require(same, "the event id names another chain of the tenant")
    return f"chain {shard} of the tenant"
