"""Each verdict follows from the wording layer that the receipt names (docs/receipt-format.md, the check `policy`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.checks import run as make
from disclosure_receipts.verify.hashes import digest, sha256
from disclosure_receipts.verify.json_input import JsonObject, read_json
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.receipt import check_policy

from ..evidence.service import Service
from ..findings import Findings


def check_verdicts(service: Service, ruled: Mapping[str, JsonObject], findings: Findings) -> None:
    """Decides again what the receipts show; `ruled` has one receipt of each decision."""
    check, layers = findings.check("verdicts"), dict[str, JsonObject]()
    for receipt in ruled.values():
        named, place = receipt["policy"]["digest"], f"chain {receipt['chain_id']} sequence {receipt['sequence']}"
        with check.reading(f"{place}: its layer {named}"):
            if named not in layers:
                layers[named] = _layer_of(service, named)
            check.take(place, [make("policy", partial(check_policy, {}, receipt, Reader(layers=layers)))])


def _layer_of(service: Service, named: str) -> JsonObject:
    """A published layer is its own canonical form, under its hash. Raises Unreadable."""
    answer = service.get(f"/v1/policy/layers/{named.removeprefix('sha256:')}")
    if answer.status != 200:
        raise Unreadable(f"it was answered {answer.status}, expected 200")
    if digest(sha256(answer.body)) != named:
        raise Unreadable("what is published under it has another hash")
    layer: JsonObject = read_json(answer.body)
    return layer
