"""The receipts on which the wording policy had remarks, in words: what was recorded, when, and in which wording."""

from collections.abc import Iterator, Mapping
from typing import Any

from .formats import is_receipt
from .json_input import JsonObject
from .kinds import Evidence
from .reader import by_digest
from .session.comparison import hash_wording
from .shapes import is_object


def remarks_in(evidence: Evidence, layers: Mapping[str, JsonObject]) -> Iterator[str]:
    enclosed = by_digest(evidence.value.get("policy_layers", ())) if evidence.kind == "bundle" else {}
    for receipt in evidence.receipts:
        if is_receipt(receipt) and receipt["verdict"] != "ALLOW":
            yield remark_on(receipt, {**layers, **enclosed})


def remark_on(receipt: Any, layers: Mapping[str, JsonObject]) -> str:
    policy, digest = receipt["policy"], receipt["disclosure"]["subject_hash"]
    text = text_of(layers.get(policy["digest"]), digest)
    wording = f"known by its digest {digest} alone" if text is None else f'"{text}"'
    findings = f" ({', '.join(policy['findings'])})" if policy["findings"] else ""
    turn, time, verdict = receipt["turn"], receipt["issued_at"], receipt["verdict"]
    return f"turn {turn}, issued at {time}: {verdict}{findings}; wording {wording}"


def text_of(layer: JsonObject | None, digest: str) -> str | None:
    """The text that a layer has under this digest, if it is of this digest: a layer may say anything."""
    wordings = layer.get("wordings") if layer is not None else None
    for wording in wordings if isinstance(wordings, list) else []:
        text = wording.get("text") if is_object(wording) else None
        if isinstance(text, str) and hash_wording(text) == digest:
            return text
    return None
