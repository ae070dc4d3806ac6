"""The checks of a bundle, which is the evidence of one conversation."""

from collections.abc import Mapping
from typing import Any

from .checks import Check, Refuted, Unmade, require, run
from .json_input import JsonObject
from .links import check_chain_links, check_turn_links
from .merkle import check_consistency
from .one_history import History
from .reader import Reader, by_digest
from .receipt import verify_receipt
from .seal import verify_seal
from .shapes import is_object
from .statements import statements_of_proof, statements_of_seal
from .whole import verify_whole


def verify_bundle(bundle: JsonObject, reader: Reader = Reader()) -> list[Check]:
    """Makes every check of one conversation's bundle."""
    copies = {seal["index"]: seal for seal in bundle["seals"]}
    later: dict[int, list[JsonObject]] = {index: [] for index in copies}
    for entry in bundle.get("later_timestamps", ()):
        later.setdefault(entry["seal_index"], []).append(entry["tsa_timestamp"])
    layers = {**reader.layers, **by_digest(bundle.get("policy_layers", ()))}
    within = reader._replace(copies=copies, layers=layers)
    parts = zip(bundle["receipts"], bundle["requests"], bundle["proofs"])
    turns = [verify_turn(*turn, later, within) for turn in parts]
    seals = [verify_copy(seal, later[seal["index"]], within) for seal in bundle["seals"]]
    return placed("receipts", turns) + placed("seals", seals) + [
        run("chain_links", lambda: check_chain_links(bundle["receipts"])),
        run("turn_links", lambda: check_turn_links(bundle["receipts"])),
        run("one_history", lambda: check_one_history(bundle, turns, seals)),
        run("chain_consistency", lambda: check_chain_consistency(bundle)),
        run("interaction", lambda: check_interaction(bundle)),
        run("published_seals", lambda: check_published_seals(bundle["seals"], reader.published)),
        *verify_whole(bundle, reader.history, reader.walk),
    ]


def placed(name: str, parts: list[list[Check]]) -> list[Check]:
    """Joins the checks of the parts, and names each by its place in the bundle."""
    return [check._replace(name=f"{name}/{i}/{check.name}") for i, checks in enumerate(parts) for check in checks]


def verify_copy(seal: JsonObject, later: list[JsonObject], reader: Reader) -> list[Check]:
    """Checks a bundle's copy of a seal, with the tokens that came later."""
    whole = {**seal, "additional_timestamps": seal["additional_timestamps"] + later}
    return verify_seal(whole, reader._replace(published=reader.copies or {}))


def verify_turn(
    receipt: Any, request: Any, proof: JsonObject, later: dict[int, list[JsonObject]], reader: Reader
) -> list[Check]:
    evidence = {name: proof[name] for name in ("event_id", "evidence_chain", "merkle_proof")}
    evidence["receipts"] = [receipt]
    cross = proof["merkle_proof"]["cross_tenant_proof"]
    seal = None if cross is None else (reader.copies or {}).get(cross["seal_index"])
    if seal is not None:
        own, others = seal["tsa_timestamp"], later[seal["index"]]
        evidence["tsa_timestamp"] = others[0] if own["status"] == "pending" and others else own
    requests = kept_request(receipt, reader) if request is None else by_digest([request])
    return verify_receipt(evidence, reader._replace(requests=requests))


def kept_request(receipt: Any, reader: Reader) -> dict[str, Any]:
    """The reader's own request where the bundle's was erased. Another one says nothing here."""
    input_hash = str(receipt.get("input_hash"))
    return {input_hash: reader.requests[input_hash]} if input_hash in reader.requests else {}


def check_interaction(bundle: JsonObject) -> None:
    requests = [request for request in bundle["requests"] if request is not None]
    if not requests:
        raise Unmade("nothing_to_check", "all requests were erased")
    same = all(is_object(request) and request.get("interaction_id") == bundle["interaction_id"] for request in requests)
    require(same, "a request is of another conversation")


PUBLISHED = ("merkle_root", "tree_size", "sealed_at", "receipt_count")


def check_chain_consistency(bundle: JsonObject) -> None:
    """Each sealed head of a chain extends the one before, by the path that the bundle encloses."""
    chains: dict[str, dict[int, str]] = {}
    for proof in bundle["proofs"]:
        cross = proof["merkle_proof"]["cross_tenant_proof"]
        if cross is not None:
            leaf = cross["leaf"]
            chains.setdefault(leaf["chain_id"], {})[leaf["tree_size"]] = leaf["root"]
    paths: dict[tuple[str, int, int], list[str]] = {}
    for entry in bundle.get("chain_consistency", ()):
        between = (entry["chain_id"], entry["from_size"], entry["to_size"])
        paths.setdefault(between, entry["path"])
    missing = 0
    for chain_id, roots in chains.items():
        sizes = sorted(roots)
        for old, new in zip(sizes, sizes[1:]):
            path = paths.get((chain_id, old, new))
            if path is None:
                missing += 1
            else:
                check_consistency(old, new, path, roots[old], roots[new])
    if missing:
        raise Unmade("not_given", "the path from one head to the next is not enclosed")


def check_published_seals(seals: list[JsonObject], published: Mapping[int, JsonObject | None]) -> None:
    if not seals:
        raise Unmade("pending", "no root is published yet")
    if any(seal["index"] not in published for seal in seals):
        raise Unmade("not_given", "not all of the published roots were given")
    for seal in seals:
        other = published[seal["index"]] or {}
        same = all(other.get(name) == seal[name] for name in PUBLISHED)
        require(same, f"a different root is published under {seal['index']}")


def check_one_history(bundle: JsonObject, turns: list[list[Check]], seals: list[list[Check]]) -> None:
    """Compares the parts that hold by themselves. One that does not could be from anywhere."""
    history = History()
    for i, (receipt, proof, checks) in enumerate(zip(bundle["receipts"], bundle["proofs"], turns)):
        if is_sound(checks):
            history.add(statements_of_proof(receipt, proof), f"receipts/{i}")
    for i, (seal, checks) in enumerate(zip(bundle["seals"], seals)):
        if is_sound(checks):
            history.add(statements_of_seal(seal), f"seals/{i}")
    for _, sentence in history.contradictions():
        raise Refuted(sentence)


def is_sound(checks: list[Check]) -> bool:
    return all(check.ok is not False for check in checks)
