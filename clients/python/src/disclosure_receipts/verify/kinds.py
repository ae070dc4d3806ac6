"""The kinds of evidence, told apart by their members."""

from typing import Any, NamedTuple

from .checks import Unreadable
from .formats import is_bundle, is_evidence, is_seal
from .json_input import JsonObject
from .shapes import readable

FORK_FORMAT = "disclosure-receipts fork 1"
KINDS = ("merkle_proof", "proofs", "consistency_path")


class Evidence(NamedTuple):
    kind: str
    value: JsonObject

    @property
    def receipts(self) -> list[Any]:
        """Those that it shows, as they came: a proof or a root shows none."""
        return [] if self.kind == "seal" else list(self.value.get("receipts", ()))


def is_fork(value: Any) -> bool:
    """The proof of a fork has a consistency path too, but is no published root."""
    others = {"merkle_proof", "proofs", "merkle_root"}
    return isinstance(value, dict) and value.get("format") == FORK_FORMAT and not others & value.keys()


def read_evidence(value: Any) -> Evidence:
    """Finds out which kind of evidence it is, and that it has its shape. Raises Unreadable."""
    if is_fork(value):
        raise Unreadable("this is the proof that a log signed two histories, which is no evidence of a receipt")
    found = [member for member in KINDS if isinstance(value, dict) and member in value]
    if not found:
        raise Unreadable("this is no receipt, report, bundle or published root")
    if len(found) > 1:
        raise Unreadable(f"this has {' and '.join(found)}, and so could be read as two kinds of evidence")
    if found == ["proofs"]:
        return Evidence("bundle", read_bundle(value))
    if found == ["consistency_path"]:
        return Evidence("seal", readable(is_seal, value, "published root"))
    proof = readable(is_evidence, value, "receipt")
    if "receipts" not in proof:
        return Evidence("proof", proof)
    return Evidence("receipt" if proof["merkle_proof"]["status"] == "pending" else "report", proof)


def read_bundle(value: Any) -> JsonObject:
    bundle: JsonObject = readable(is_bundle, value, "bundle")
    if not bundle["receipts"] or not len(bundle["receipts"]) == len(bundle["requests"]) == len(bundle["proofs"]):
        raise Unreadable("receipts, requests and proofs are not equally many, or there are none")
    erasures: list[Any] = bundle["erasures"] if "erasures" in bundle else bundle["receipts"]
    if len(erasures) != len(bundle["receipts"]):
        raise Unreadable("receipts and erasures are not equally many")
    indices = [seal["index"] for seal in bundle["seals"]]
    if indices != sorted(set(indices)):
        raise Unreadable("the seals are not in the order of their index, each once")
    return bundle
