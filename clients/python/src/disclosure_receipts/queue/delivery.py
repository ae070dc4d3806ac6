"""One try to send a disclosure, and what follows from its outcome."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

from ..cancellation import Cancellation, Cancelled
from ..errors import ClientError
from ..verify.json_input import JsonObject
from .callbacks import OnOwnReceipt, QueueCallbacks, QueuedDisclosure
from .instants import age_of

# An Idempotency-Key is good for 24 hours; after that, a try could record the disclosure a second time.
MAX_AGE = 23 * 3_600.0
# An API key that is revoked or not yet known gets replaced; that says nothing about the disclosure.
KEY_REFUSED = (401, 403)


class QueueClient(Protocol):
    """The part of the client that the queue uses."""

    def attest(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> JsonObject: ...


class QueueEntry(NamedTuple):
    """A disclosure in the queue. size: of its text. place: None where it is in memory alone."""

    disclosure: QueuedDisclosure
    size: int
    place: int | None
    on_receipt: OnOwnReceipt | None = None


class Delivery(NamedTuple):
    """gone: it has left the queue. kept: the handover failed, so it stays on disk for the next process. waits: it is
    tried again. retry_after: None where the service is not in trouble, else how long it asks to be left alone.
    """

    outcome: Literal["gone", "kept", "waits"]
    retry_after: float | None = None


def deliver(client: QueueClient, callbacks: QueueCallbacks, entry: QueueEntry, stop: Cancellation) -> Delivery:
    """Raises nothing."""
    disclosure = entry.disclosure
    try:
        if age_of(disclosure.added_at) > MAX_AGE:
            raise expired(disclosure.added_at)
        receipt = client.attest(disclosure.request, idempotency_key=disclosure.idempotency_key, cancellation=stop)
    except Cancelled:
        return Delivery("waits")
    except ClientError as error:
        return Delivery("waits") if stop.is_set() else judge(callbacks, disclosure, error)
    except Exception as cause:
        # An unforeseen error must not lose a disclosure: it waits, until it is handed over for its age.
        failure = ClientError("undeliverable", "the client failed")
        failure.__cause__ = cause
        return judge(callbacks, disclosure, failure)
    callbacks.receipt(receipt, disclosure, entry.on_receipt)
    return Delivery("gone")


def judge(callbacks: QueueCallbacks, disclosure: QueuedDisclosure, error: ClientError) -> Delivery:
    if error.code == "undeliverable" or error.status in KEY_REFUSED:
        callbacks.problem(error)
        return Delivery("waits", error.retry_after)
    return Delivery("gone" if callbacks.handover(disclosure, error) else "kept")


def expired(added_at: str) -> ClientError:
    return ClientError(
        "queue_expired", f"waiting since {added_at}; it may be recorded, and a new try could record it twice"
    )
