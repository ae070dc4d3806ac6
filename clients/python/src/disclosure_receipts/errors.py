"""The errors of the client, by code: docs/client.md says what to do about each."""

from typing import Literal, get_args

ErrorCode = Literal[
    # Faults of the caller.
    "invalid_options",
    "invalid_request",
    # Results of a call.
    "refused",
    "undeliverable",
    "receipt_invalid",
    "chain_forked",
    "not_sealed",
    # The durable queue.
    "queue_full",
    "queue_expired",
    "queue_closed",
    "queue_in_use",
    "queue_disk_failed",
    "queue_callback_failed",
]
ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)


class ClientError(Exception):
    """`invalid_…`: nothing was sent. `refused`: the service said no, by `status`. `undeliverable`: no answer within the
    retries; the disclosure may or may not be recorded. `receipt_invalid`: the answer does not prove what it says.
    `chain_forked`: the answer verifies, and contradicts an earlier one that this client saw. `not_sealed`: no published
    root covered the receipt in the time that the caller gave; the receipt is recorded.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        evidence: object = None,
        status: int | None = None,
        retry_after: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        # The HTTP status of the last answer; None where there was none.
        self.status = status
        # The seconds for which the service asks to be left alone.
        self.retry_after = retry_after
        # The key that the disclosure was sent with: who attests it again needs the same, or it could be recorded twice.
        self.idempotency_key: str | None = None
        # Kept out of `args`, so that a logger that writes out an error writes no receipts.
        self._evidence = evidence

    @property
    def evidence(self) -> object:
        """The service's problem details, the failed checks with the answer, or whatever else shows what happened."""
        return self._evidence

    def __repr__(self) -> str:
        return f"ClientError({self.code!r}, {str(self)!r})"
