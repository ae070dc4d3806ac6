"""Accepts an answer only if it can be read and verifies."""

from collections.abc import Iterable
from typing import Any, NoReturn

from .errors import ClientError
from .request import fault_of
from .verify.bundle import verify_bundle
from .verify.checks import Check, Unreadable
from .verify.formats import (
    has_authentication,
    has_report_authentication,
    is_bundle,
    is_evidence,
    is_evidence_chain,
    is_receipt,
    is_tsa_timestamp,
)
from .verify.json_input import JsonObject
from .verify.kinds import read_bundle
from .verify.limits import MAX_LIST_LENGTH
from .verify.reader import Reader, by_digest
from .verify.receipt import verify_receipt
from .verify.shapes import having, is_size, is_uuid, list_of, optional
from .verify.timestamps.authorities import Authorities

is_compliance_receipt = having(
    event_id=is_uuid,
    receipts=list_of(lambda receipt: is_receipt(receipt) and has_authentication(receipt), 1),
    evidence_chain=is_evidence_chain,
    tsa_timestamp=is_tsa_timestamp,
)
is_page = having(
    receipts=list_of(lambda receipt: is_receipt(receipt) and has_authentication(receipt), MAX_LIST_LENGTH),
    requests=list_of(optional(lambda request: fault_of(request) is None), MAX_LIST_LENGTH),
    next_turn=optional(is_size),
)


def read_verified_receipt(answer: Any, authorities: Authorities, request: JsonObject | None = None) -> JsonObject:
    """The answer as it came, with members that we don't know, for a receipt's are hashed. Raises `receipt_invalid`."""
    if not is_evidence(answer):
        refuse("can't be read", answer)
    # The answer to an attestation, which is to a request, always has its code.
    is_authenticated = has_report_authentication if request is None else has_authentication
    if not is_compliance_receipt(answer) or not is_authenticated(answer) or len(answer["receipts"]) != 1:
        refuse("is not a compliance receipt", answer)
    requests = {} if request is None else by_digest([request])
    require_valid(answer, verify_receipt(answer, Reader(authorities=authorities, requests=requests)))
    receipt: JsonObject = answer
    return receipt


def read_verified_bundle(answer: Any, authorities: Authorities) -> JsonObject:
    """The same for one page of a conversation."""
    if not is_bundle(answer) or not is_page(answer) or not has_report_authentication(answer):
        refuse("is not an evidence bundle", answer)
    page: JsonObject = answer
    # Behind the last turn a page is empty, and there is nothing to verify.
    if not page["receipts"] and not page["seals"]:
        return page
    try:
        bundle = read_bundle(page)
    except Unreadable as reason:
        refuse(f"can't be read: {reason}", answer)
    require_valid(answer, verify_bundle(bundle, Reader(authorities=authorities)))
    return page


def require_same(what: str, expected: str, actual: str, answer: Any) -> None:
    """Raises `receipt_invalid` unless the answer is about what was asked for."""
    if actual != expected:
        refuse(f"is about another {what}", answer, {"expected": expected, "actual": actual})


# A service could leave open whatever it likes by tokens that nobody can judge.
UNPROVEN = ("other_request", "other_authority", "weak", "beyond_verifier")


def require_valid(answer: Any, checks: Iterable[Check]) -> None:
    """An answer is for the caller's own request, and its token proves a time to the caller: else it is refused too."""
    failed = [check for check in checks if check.ok is False or is_foreign(check)]
    if failed:
        reasons = "; ".join(f"{check.name}: {check.detail}" for check in failed)
        refuse(f"does not hold: {reasons}", answer, [check._asdict() for check in failed])


def is_foreign(check: Check) -> bool:
    """A seal has the tokens of several authorities: a caller who can't judge them all has the first one's word."""
    return check.reason in UNPROVEN and not check.name.endswith("/additional_timestamps")


def refuse(reason: str, answer: Any, found: object = None) -> NoReturn:
    raise ClientError("receipt_invalid", f"the answer {reason}", evidence={"found": found, "answer": answer})
