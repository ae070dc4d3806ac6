"""A job of a voice or chat agent, for a test to kill or to end: one conversation in a stack, which discloses itself, and
once more.

python -m python.job STACK|- ADDRESS KEY FOLDER CONVERSATION ENDING
"""

import asyncio
import importlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from disclosure_receipts import Client, DurableQueue
from disclosure_receipts.adapters.core import Disclosure

from .conversations import CHAT, OPERATOR, PATIENCE, VOICE


class WatchedQueue:
    """Keeps what tells that each disclosure is on disk."""

    def __init__(self, queue: DurableQueue) -> None:
        self._queue = queue
        self.safe: list[Future[bool]] = []

    def add(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        on_receipt: Callable[[dict[str, Any]], Any] | None = None,
    ) -> "Future[bool]":
        is_safe = self._queue.add(request, idempotency_key=idempotency_key, on_receipt=on_receipt)
        self.safe.append(is_safe)
        return is_safe

    def flush(self, timeout: float = 0.0) -> bool:
        return True


def main() -> None:
    stack, url, key, folder, conversation, ending = sys.argv[1:]
    client = Client(url, key, attempts=1)
    queue = DurableQueue(client, folder, lambda _, error: print(f"handed over: {error.code}"), shared=True)
    watched = WatchedQueue(queue)
    wordings = CHAT if stack == "langchain" else VOICE
    disclosure = Disclosure(watched, conversation, "agents/reception", wordings, operator=OPERATOR)
    if stack != "-":
        # Each is loaded when it is needed: a program with one stack waits for no other.
        asyncio.run(importlib.import_module(f"python.{stack}_parts").talk(disclosure))
    if ending != "killed":
        queue.close(0 if ending == "at-once" else PATIENCE)
    elif all(is_safe.result() for is_safe in watched.safe):
        print("safe", flush=True)
        time.sleep(PATIENCE)
    # Stacks leave threads behind.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
