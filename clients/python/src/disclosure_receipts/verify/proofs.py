"""The checks of a receipt's proofs, from its leaf up to the published root."""

from typing import Any

from .checkpoints import check_checkpoint
from .checks import Unmade, present, require
from .hashes import hash_head, node_bytes
from .json_input import JsonObject
from .merkle import check_inclusion
from .reader import Reader
from .shapes import is_time
from .timestamps.times import Proven, check_timestamp, renewed_times


def check_event_inclusion(evidence: JsonObject, _receipt: Any, _reader: Reader) -> None:
    proof = evidence["merkle_proof"]["event_inclusion_proof"]
    leaf = node_bytes(proof["leaf_hash"])
    check_inclusion(leaf, proof["leaf_index"], proof["tree_size"], proof["path"], proof["root"])


def check_evidence_chain(evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    if "evidence_chain" not in evidence:
        raise Unmade("not_given", "there is no evidence_chain")
    head, proof = evidence["evidence_chain"], evidence["merkle_proof"]
    event = proof["event_inclusion_proof"]
    chain_id = chain_of(receipt, proof)
    require(chain_id is None or head["chain_id"] == chain_id, "the head is of another chain")
    require(head["sequence"] == event["tree_size"] - 1, "the head is not the last receipt of the tree")
    if head["sequence"] != event["leaf_index"]:
        raise Unmade("not_given", "the head is a later receipt")
    require(head["head_hash"][len("sha256:") :] == event["leaf_hash"][2:], "the head has another hash")


def chain_of(receipt: Any, proof: JsonObject) -> str | None:
    """Returns the chain that the receipt names; without it, that of the sealed head, or None."""
    stated: str | None = (receipt or {}).get("chain_id")
    cross = proof["cross_tenant_proof"]
    if stated is not None or cross is None:
        return stated
    sealed: str = cross["leaf"]["chain_id"]
    return sealed


def check_merkle_root(evidence: JsonObject, receipt: Any, _reader: Reader) -> None:
    proof = evidence["merkle_proof"]
    event, cross, root = proof["event_inclusion_proof"], proof["cross_tenant_proof"], proof["merkle_root"]
    require((proof["status"] == "included") == (cross is not None), "the status and the proof contradict each other")
    if cross is None:
        require(root == event["root"], "the root is not the chain's")
        return
    leaf = cross["leaf"]
    require(leaf["root"] == event["root"] and leaf["tree_size"] == event["tree_size"], "the sealed head is another one")
    require(receipt is None or leaf["chain_id"] == receipt.get("chain_id"), "the sealed head is another chain's")
    check_inclusion(hash_head(leaf), cross["leaf_index"], cross["tree_size"], cross["path"], cross["root"])
    require(cross["root"] == root, "the path does not lead to merkle_root")


def check_published_root(evidence: JsonObject, _receipt: Any, reader: Reader) -> None:
    proof = evidence["merkle_proof"]
    cross = proof["cross_tenant_proof"]
    if cross is None:
        raise Unmade("pending", "no published root covers the receipt yet")
    index = cross["seal_index"]
    if reader.copies is not None:
        require_root(proof, reader.copies.get(index), f"the bundle's own copy of root {index}")
    if index in reader.published:
        require_root(proof, reader.published[index], f"published root {index}")
    elif reader.copies is not None:
        raise Unmade("not_given", "compared only with the bundle's own copy")
    else:
        raise Unmade("not_given", "the published root was not given")


def require_root(proof: JsonObject, seal: JsonObject | None, what: str) -> None:
    seal = present(seal, f"{what} is missing")
    cross = proof["cross_tenant_proof"]
    stated = (cross["seal_index"], proof["merkle_root"], cross["tree_size"])
    require(stated == tuple(seal[name] for name in ("index", "merkle_root", "tree_size")), f"{what} is a different one")


def check_receipt_timestamp(evidence: JsonObject, receipt: Any, reader: Reader) -> str:
    if "tsa_timestamp" not in evidence:
        raise Unmade("pending", "there is no timestamp")
    stated = (receipt or {}).get("issued_at")
    proof, renewal = evidence["merkle_proof"], evidence.get("renewal")
    cross, root, stated = proof["cross_tenant_proof"], proof["merkle_root"], stated if is_time(stated) else None

    def renew() -> list[Proven]:
        if renewal is None or cross is None or renewal["renews"] != cross["seal_index"]:
            return []
        return renewed_times(renewal, root, cross["tree_size"], reader)

    return check_timestamp(evidence["tsa_timestamp"], root, stated, reader, renew)


def check_receipt_checkpoint(evidence: JsonObject, _receipt: Any, reader: Reader) -> str:
    proof, note = evidence["merkle_proof"], evidence.get("log_checkpoint")
    cross = proof["cross_tenant_proof"]
    if cross is None:
        raise Unmade("pending", "no published root covers the receipt yet")
    if note is None:
        raise Unmade("not_given", f"no signed checkpoint of seal {cross['seal_index']} was given")
    policy = present(reader.policy, "no policy was given")
    return check_checkpoint(note, cross["tree_size"], node_bytes(proof["merkle_root"]), policy, reader.now)
