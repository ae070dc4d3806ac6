"""Which of the reader's companions belong to the evidence. That one does not says nothing against the evidence."""

from collections.abc import Iterator
from typing import Any

from ..checks import Check
from ..formats import is_recorded_after
from ..kinds import Evidence
from ..shapes import is_object
from .findings import CompanionFinding, Kind
from .given import Companions


class Uses:
    """Collects from each piece of evidence what it names, and why its checks could not be made."""

    def __init__(self) -> None:
        self.pieces = 0
        self.input_hashes: set[str] = set()
        self.layers: set[str] = set()
        self.roots: set[int] = set()
        self.reasons: set[str | None] = set()
        self.lacks_layer = False
        self.has_checkpoint = False
        self.histories: set[bool] = set()

    def add(self, evidence: Evidence, checks: list[Check]) -> None:
        self.pieces += 1
        for receipt in evidence.receipts:
            self.input_hashes.add(str(receipt.get("input_hash")))
            policy = receipt.get("policy")
            self.layers.add(str(policy.get("digest")) if is_object(policy) else "")
        self.roots.update(roots_of(evidence))
        for check in checks:
            name = check.name.rpartition("/")[2]
            self.reasons.add(check.reason)
            self.lacks_layer |= name == "policy" and check.ok is None
            self.has_checkpoint |= name == "checkpoint" and (check.ok is True or check.reason == "no_quorum")
            if name == "chain_history":
                self.histories.add(check.reason == "other_history")

    def companions(
        self, companions: Companions, history: str | None, reached: set[bytes]
    ) -> Iterator[CompanionFinding]:
        """history: the folder of one, or None. reached: the DER of the certificates that timestamps lead to."""
        for request in companions.requests:
            yield self.find("request", request.file, request.digest not in self.input_hashes)
        for given in companions.certificates:
            is_used = any(certificate.der in reached for certificate in given.certificates)
            is_stray = "other_authority" in self.reasons and not is_used
            yield self.find("certificates", given.file, is_stray, given.is_named)
        for root in companions.roots:
            yield self.find("seal", root.file, root.value["index"] not in self.roots)
        for policy in companions.policies:
            is_stray = "other_log" in self.reasons and not self.has_checkpoint
            yield self.find("log_policy", policy.file, is_stray, policy.is_named)
        for layer in companions.layers:
            is_stray = layer.digest not in self.layers and (layer.is_named or self.lacks_layer)
            yield self.find("policy_layer", layer.file, is_stray)
        if history is not None:
            yield self.find("history", history, self.histories == {True})

    def find(self, kind: Kind, file: str, is_stray: bool, is_believed: bool = True) -> CompanionFinding:
        if not is_believed:
            return CompanionFinding(kind, file, "not_believed")
        if self.pieces == 0:
            return CompanionFinding(kind, file, "unused")
        return CompanionFinding(kind, file, "stray" if is_stray else "used")


def roots_of(evidence: Evidence) -> Iterator[int]:
    """The numbers of the roots that evidence leads to, names, is, or has as the one before."""
    kind, value = evidence
    if kind == "seal":
        yield from (value["index"], value["index"] - 1)
        return
    for receipt in evidence.receipts:
        yield from named_root(receipt)
    if kind == "bundle":
        yield from (seal["index"] for seal in value["seals"])
    elif value["merkle_proof"]["cross_tenant_proof"] is not None:
        yield value["merkle_proof"]["cross_tenant_proof"]["seal_index"]


def named_root(receipt: Any) -> list[int]:
    named = receipt.get("recorded_after")
    return [named["seal_index"]] if is_recorded_after(named) else []
