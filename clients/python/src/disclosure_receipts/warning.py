"""The service's remarks about requests that it accepted."""

import logging
import threading
from collections.abc import Callable

_lock = threading.Lock()
_has_warned = False


def warn_once(warning: str) -> None:
    """To the log of this name, once for a process: a program that sends such requests sends many."""
    global _has_warned
    with _lock:
        if _has_warned:
            return
        _has_warned = True
    logging.getLogger("disclosure_receipts").warning("%s", warning)


def pass_on(on_warning: Callable[[str], object], warning: str) -> None:
    """The disclosure is recorded: a function that fails must not hide its receipt."""
    try:
        on_warning(warning)
    except Exception:
        # The function's own fault, which has nothing to do with the disclosure.
        pass
