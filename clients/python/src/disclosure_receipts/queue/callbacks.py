"""The queue's disclosures, and the owner's functions, whose failures must break neither queue nor conversation."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..errors import ClientError
from ..options import invalid_option, require_callable
from ..verify.json_input import JsonObject


class QueuedDisclosure(NamedTuple):
    """A disclosure on its way. With its key it can be attested again, within a day, and is not recorded twice.

    added_at: RFC 3339, UTC.
    """

    request: JsonObject
    idempotency_key: str
    added_at: str


# A function that ends its thread or its task in this way would end a thread of the queue.
FAILURES = (Exception, SystemExit, asyncio.CancelledError)
OnHandover = Callable[[QueuedDisclosure, ClientError], Any]
OnReceipt = Callable[[JsonObject, QueuedDisclosure], Any]
# It gets the receipt of one disclosure, in this process alone: after a crash the queue's own function gets it.
OnOwnReceipt = Callable[[JsonObject], Any]
OnProblem = Callable[[ClientError], Any]


class QueueCallbacks:
    """Raises `invalid_options`."""

    def __init__(self, on_handover: OnHandover, on_receipt: OnReceipt | None, on_problem: OnProblem | None) -> None:
        if on_handover is None:
            raise invalid_option("on_handover", "is missing")
        require_callable("on_handover", on_handover)
        require_callable("on_receipt", on_receipt)
        require_callable("on_problem", on_problem)
        self._on_handover, self._on_receipt, self._on_problem = on_handover, on_receipt, on_problem

    def receipt(self, receipt: JsonObject, disclosure: QueuedDisclosure, own: OnOwnReceipt | None) -> None:
        on_receipt = self._on_receipt
        if own is not None:
            self._guard("on_receipt", lambda: own(receipt))
        if on_receipt is not None:
            self._guard("on_receipt", lambda: on_receipt(receipt, disclosure))

    def handover(self, disclosure: QueuedDisclosure, error: ClientError) -> bool:
        """False where the callback failed: the disclosure is still the queue's then."""
        return self._guard("on_handover", lambda: self._on_handover(disclosure, error))

    def problem(self, error: ClientError) -> None:
        try:
            if self._on_problem is not None:
                self._on_problem(error)
        except FAILURES:
            # The last callback has failed; there is no other to report it to.
            pass

    def _guard(self, name: str, call: Callable[[], Any]) -> bool:
        try:
            call()
            return True
        except FAILURES as cause:
            error = ClientError("queue_callback_failed", f"{name} failed")
            error.__cause__ = cause
            self.problem(error)
            return False


def as_object(request: Any) -> JsonObject:
    """A copy: whatever becomes of the caller's own. Empty, and so refused, for what is none or can't be read."""
    try:
        return dict(request) if isinstance(request, Mapping) else {}
    except Exception:
        return {}
