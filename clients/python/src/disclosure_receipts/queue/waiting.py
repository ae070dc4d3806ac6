"""Waits until something is so, for a limited time, and ends the waiting of others."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future


def wait_until(change: threading.Condition, is_so: Callable[[], bool], timeout: float) -> bool:
    """True once it is so; `change` is notified when it may be. Without end where the time is infinite."""
    deadline = time.monotonic() + min(timeout, threading.TIMEOUT_MAX)
    with change:
        while not is_so():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            change.wait(left)
        return True


def settle(safe: "Future[bool]", is_safe: bool) -> None:
    """Gives the result, unless the caller has cancelled it."""
    if safe.set_running_or_notify_cancel():
        safe.set_result(is_safe)
