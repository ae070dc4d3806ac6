"""Sends a call until there is an answer, up to a limit: backoff with jitter, and never sooner than the service asks."""

import random
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, NamedTuple

from .cancellation import Cancellation
from .errors import ClientError
from .verify.checks import Unreadable

BASE_DELAY = 0.2
MAX_DELAY = 10.0
# No service is waited for longer at a time.
MAX_RETRY_AFTER = 3_600.0
# These don't judge the call itself, and the Idempotency-Key makes sending it again harmless.
RETRIED = frozenset((408, 429, 500, 502, 503, 504))
SECONDS = re.compile(r"\d{1,9}", re.ASCII)
# IMF-fixdate: the library would read other texts as dates, too.
HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT", re.ASCII)
# A failure of the network, a timeout, or an answer that is none.
FAILURES = (OSError, HTTPException, Unreadable)


class RetryLimits(NamedTuple):
    """attempts: their number in all. timeout: the seconds that one answer may take, to its last byte. deadline: the
    seconds that all attempts may take, pauses included.
    """

    attempts: int
    timeout: float
    deadline: float


class CallAnswer(NamedTuple):
    """One answer of the service. body: its JSON, or None. warning: a sentence about the request, which was accepted."""

    status: int
    body: Any
    retry_after: float = 0.0
    warning: str | None = None


# Sends the call once, until this time of time.monotonic().
Send = Callable[[float], CallAnswer]


def send_with_retry(send: Send, limits: RetryLimits, cancellation: Cancellation) -> CallAnswer:
    """The first answer that is not worth another try. Raises `undeliverable` where there is none, and `Cancelled`."""
    deadline = time.monotonic() + limits.deadline
    attempt = 0
    while True:
        attempt += 1
        cancellation.raise_if_set()
        answer, failure = send_once(send, min(time.monotonic() + limits.timeout, deadline), cancellation)
        if answer is not None and answer.status not in RETRIED:
            return answer
        delay = max(backoff_after(attempt), answer.retry_after if answer else 0.0)
        if attempt >= limits.attempts or time.monotonic() + delay >= deadline:
            raise undeliverable(answer) from failure
        cancellation.wait(delay)


def send_once(
    send: Send, until: float, cancellation: Cancellation
) -> tuple[CallAnswer | None, BaseException | None]:
    """Raises only where the caller gave up; a failure of the network or a timeout is an outcome."""
    try:
        return send(until), None
    except FAILURES as failure:
        cancellation.raise_if_set()
        return None, failure


def undeliverable(answer: CallAnswer | None) -> ClientError:
    if answer is None:
        return ClientError("undeliverable", "the service gave no answer")
    message = f"the service can't take the call now: {answer.status}"
    return ClientError(
        "undeliverable", message, evidence=answer.body, status=answer.status, retry_after=answer.retry_after
    )


def backoff_after(attempt: int) -> float:
    """Fully random, so that clients that failed together do not come back together."""
    return random.random() * min(MAX_DELAY, BASE_DELAY * 2.0**attempt)


def read_retry_after(retry_after: str | None, date: str | None, now: float) -> float:
    """The Retry-After of an answer (RFC 9110 section 10.2.3) in seconds; 0 where there is none that can be read."""
    asked = (retry_after or "").strip()
    if SECONDS.fullmatch(asked):
        return min(float(asked), MAX_RETRY_AFTER)
    # Both dates are by the service's clock, so that a wrong one on this side does not matter.
    until, since = read_date(asked), read_date(date or "")
    if until is None:
        return 0.0
    return max(0.0, min(until - (now if since is None else since), MAX_RETRY_AFTER))


def read_date(text: str) -> float | None:
    if not HTTP_DATE.fullmatch(text):
        return None
    try:
        return parsedate_to_datetime(text).timestamp()
    except ValueError:
        return None
