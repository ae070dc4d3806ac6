"""Holds a receipt against the history of its chain: docs/history.md."""

import re
from typing import Any

from .chain_history import HEAD_MEMBERS, ChainHistory, TenantHistory, chains_of
from .checks import Check, Unmade, present, require, run
from .formats import is_receipt
from .hashes import digest, hash_json, node_bytes
from .json_input import JsonObject

EVENT_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]([0-9a-f]{3})-[0-9a-f]{12}")


def verify_history(evidence: JsonObject, receipt: Any, tenant: TenantHistory) -> list[Check]:
    """Holds a receipt against the history of its chain."""
    known = receipt if receipt is not None and is_receipt(receipt) else None
    cross = evidence["merkle_proof"]["cross_tenant_proof"]
    chain_id = known["chain_id"] if known else cross and cross["leaf"]["chain_id"]
    unsearched = Check("public_heads", None, "the public log was not searched for this chain", "not_given")
    checks = [
        run("chain_history", lambda: check_chain_history(evidence, known, tenant.chains.get(chain_id))),
        tenant.public_heads.get(chain_id, unsearched),
    ]
    if tenant.fingerprint is not None:
        checks.append(run("tenant", lambda: check_tenant(chain_id, known, tenant)))
    return checks


def check_chain_history(evidence: JsonObject, receipt: Any, history: ChainHistory | None) -> None:
    proof = evidence["merkle_proof"]
    event, cross = proof["event_inclusion_proof"], proof["cross_tenant_proof"]
    if history is None:
        raise Unmade("other_history", "the history is of other chains")
    size = len(history.leaves) // 32
    leaves = [(event["leaf_index"], node_bytes(event["leaf_hash"]))]
    if receipt is not None and receipt["sequence"] > 0:
        leaves.append((receipt["sequence"] - 1, bytes.fromhex(receipt["previous_hash"][7:])))
    if "evidence_chain" in evidence:
        chain = evidence["evidence_chain"]
        leaves.append((chain["sequence"], bytes.fromhex(chain["head_hash"][7:])))
    for place, leaf in leaves:
        same = place >= size or history.leaves[32 * place : 32 * place + 32] == leaf
        require(same, f"the history has another receipt at place {place}")
    if event["tree_size"] <= size:
        root = history.root_at(event["tree_size"])
        require(root == node_bytes(event["root"]), "the chain has another root of this size")
    if cross is not None and cross["leaf"]["tree_size"] <= size:
        named = {**cross["leaf"], "leaf_index": cross["leaf_index"], "seal_index": cross["seal_index"]}
        same = any(all(named[name] == head[name] for name in HEAD_MEMBERS) for head in history.heads)
        require(same, "the history has another head of this size")
    if event["leaf_index"] >= size:
        raise Unmade("too_new", "the history ends before this receipt")


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
