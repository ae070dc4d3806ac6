"""Waits until a published root covers a receipt: it asks for the report as rarely as the service wants."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from .cancellation import Cancellation
from .errors import ClientError
from .options import read_seconds
from .verify.json_input import JsonObject

# Seals are made every minute unless the operator chose otherwise.
DEFAULT_TIMEOUT = 600.0
# The pause where the service names none.
MIN_PAUSE = 1.0


class ReportAnswer(NamedTuple):
    """A verified report, None where the service could not answer; how long it asks to be left alone; the failure."""

    report: JsonObject | None
    retry_after: float
    failure: ClientError | None = None


def wait_until_sealed(ask: Callable[[], ReportAnswer], timeout: Any, cancellation: Cancellation) -> JsonObject:
    """Raises `not_sealed` once the time is over, what `ask` raises but for `undeliverable`, and `Cancelled`."""
    deadline = time.monotonic() + read_seconds("timeout", timeout)
    while True:
        cancellation.raise_if_set()
        is_last = time.monotonic() >= deadline
        answer = ask_once(ask)
        if answer.report is not None and answer.report["merkle_proof"]["status"] == "included":
            return answer.report
        if is_last:
            raise not_sealed(answer) from answer.failure
        pause = max(MIN_PAUSE, answer.retry_after)
        # At the end of its time it asks once more, even if that is sooner than the service said.
        cancellation.wait(max(0.0, min(pause, deadline - time.monotonic())))


def ask_once(ask: Callable[[], ReportAnswer]) -> ReportAnswer:
    """A service that can't answer for a while may still seal in time."""
    try:
        return ask()
    except ClientError as failure:
        if failure.code != "undeliverable":
            raise
        return ReportAnswer(None, failure.retry_after, failure)


def not_sealed(answer: ReportAnswer) -> ClientError:
    message = "no published root covers the receipt yet; it is recorded, so ask again later"
    return ClientError("not_sealed", message, evidence=answer.report, retry_after=answer.retry_after)
