"""The addresses of a host, looked up within a time: the system's resolver knows no limit of the caller's."""

import socket
import threading
import time
from queue import Empty, SimpleQueue
from typing import Any

from .cancellation import Cancellation

# So soon a caller who gave up is heard. Seconds.
PATIENCE = 0.1


def look_up(host: str, port: int, until: float, cancellation: Cancellation) -> list[Any]:
    """As socket.getaddrinfo has them. Raises OSError, `Cancelled`, or TimeoutError after this time.monotonic()."""
    found: SimpleQueue[list[Any] | Exception] = SimpleQueue()
    # Nothing ends a look-up: a thread that has no answer in time is left behind, and keeps no program alive.
    threading.Thread(target=ask, args=(host, port, found), name="disclosure-receipts name", daemon=True).start()
    while True:
        try:
            answer = found.get(timeout=min(PATIENCE, remaining(until)))
        except Empty:
            cancellation.raise_if_set()
            continue
        if isinstance(answer, Exception):
            raise answer
        return answer


def ask(host: str, port: int, found: "SimpleQueue[list[Any] | Exception]") -> None:
    try:
        found.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except Exception as failure:
        found.put(failure)


def remaining(until: float) -> float:
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the service did not answer in time")
    return seconds
