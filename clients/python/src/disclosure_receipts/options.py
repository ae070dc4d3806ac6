"""Options of client and queue: checked once, before the first disclosure needs them. All raise `invalid_options`."""

import inspect
import ssl
from typing import Any

from .errors import ClientError
from .verify.checks import Unreadable
from .verify.files import read_pem
from .verify.timestamps.authorities import Authorities

# Seconds: as long as a wait can be on every platform.
MAX_SECONDS = 2_147_483
MAX_COUNT = 2**31 - 1


def invalid_option(name: str, message: str) -> ClientError:
    return ClientError("invalid_options", f"{name}: {message}")


def read_count(name: str, value: Any) -> int:
    """A whole number from 1 on."""
    if type(value) is int and 1 <= value <= MAX_COUNT:
        return value
    raise invalid_option(name, f"must be a whole number from 1 to {MAX_COUNT}")


def read_seconds(name: str, value: Any) -> float:
    """A number above 0; NaN is none."""
    if type(value) in (int, float) and 0 < value <= MAX_SECONDS:
        return float(value)
    raise invalid_option(name, f"must be a number of seconds above 0, and at most {MAX_SECONDS}")


def require_callable(name: str, value: Any) -> None:
    """Refuses what is neither left out nor a function. Nobody would await an asynchronous one: it would never run."""
    if value is not None and not callable(value):
        raise invalid_option(name, "must be a function")
    if inspect.iscoroutinefunction(value):
        raise invalid_option(name, "must be a plain function, such as one that starts a task, and no async one")


def read_trust_anchors(pem: Any) -> Authorities:
    """The certificates in PEM text, or none. They are checked here: a bad anchor must not look like a bad token."""
    if pem is None:
        return Authorities()
    if not isinstance(pem, str):
        raise invalid_option("trust_anchors", "must be certificates as PEM text")
    try:
        return read_pem(pem)
    except Unreadable as reason:
        raise invalid_option("trust_anchors", str(reason)) from None


def read_tls(context: Any) -> ssl.SSLContext:
    """One of the caller's may name other authorities, such as a company's own, and must check certificate and name."""
    if context is None:
        return ssl.create_default_context()
    if not isinstance(context, ssl.SSLContext):
        raise invalid_option("tls", "must be an ssl.SSLContext")
    if context.verify_mode != ssl.CERT_REQUIRED or not context.check_hostname:
        raise invalid_option("tls", "must require a certificate and check the host's name")
    return context
