"""Verifiable receipts for AI-interaction disclosures: Art. 50(1), Regulation (EU) 2024/1689."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import VERSION

if TYPE_CHECKING:
    from .async_client import AsyncClient
    from .cancellation import Cancellation, Cancelled
    from .client import Client
    from .digests import hash_wording, interaction_id
    from .errors import ERROR_CODES, ClientError, ErrorCode
    from .gaps import fill_operator
    from .queue import DurableQueue, QueuedDisclosure
    from .wordings import Wording, disclosure_of, find_wording, wordings_of
else:
    # Each is imported when it is first asked for: who verifies needs neither asyncio nor SQLite nor TLS.
    MODULES = {
        "AsyncClient": "async_client",
        "Cancellation": "cancellation",
        "Cancelled": "cancellation",
        "Client": "client",
        "ClientError": "errors",
        "DurableQueue": "queue",
        "ERROR_CODES": "errors",
        "ErrorCode": "errors",
        "QueuedDisclosure": "queue",
        "Wording": "wordings",
        "disclosure_of": "wordings",
        "fill_operator": "gaps",
        "find_wording": "wordings",
        "hash_wording": "digests",
        "interaction_id": "digests",
        "wordings_of": "wordings",
    }

    def __getattr__(name: str) -> Any:
        if name not in MODULES:
            raise AttributeError(f"module {__name__} has no attribute {name}")
        return getattr(import_module(f".{MODULES[name]}", __name__), name)


__version__ = VERSION

__all__ = [
    "ERROR_CODES",
    "AsyncClient",
    "Cancellation",
    "Cancelled",
    "Client",
    "ClientError",
    "DurableQueue",
    "ErrorCode",
    "QueuedDisclosure",
    "Wording",
    "__version__",
    "disclosure_of",
    "fill_operator",
    "find_wording",
    "hash_wording",
    "interaction_id",
    "wordings_of",
]
