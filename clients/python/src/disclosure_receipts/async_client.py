"""The client for asyncio: the same calls, each in a thread of the client's own, so that none waits for another's."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, TypeVar

from .cancellation import Cancellation
from .client import AsOf, Client
from .options import read_count
from .sealed import DEFAULT_TIMEOUT
from .verify.json_input import JsonObject

Result = TypeVar("Result")


class AsyncClient:
    """Each method is that of `Client`. A task that is cancelled ends its call. `max_calls` are under way at a time, and
    others wait. `close`, or `async with`, ends the threads.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        attempts: int = 5,
        timeout: float = 10.0,
        deadline: float = 30.0,
        trust_anchors: str | None = None,
        on_warning: Callable[[str], object] | None = None,
        tls: ssl.SSLContext | None = None,
        max_calls: int = 32,
    ) -> None:
        self._client = Client(
            base_url,
            api_key,
            attempts=attempts,
            timeout=timeout,
            deadline=deadline,
            trust_anchors=trust_anchors,
            on_warning=on_warning,
            tls=tls,
        )
        self._threads = ThreadPoolExecutor(read_count("max_calls", max_calls), "disclosure-receipts")

    @property
    def client(self) -> Client:
        """The client behind this one, which the durable queue takes: both have one memory."""
        return self._client

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Takes no more calls. Those under way come to their end."""
        self._threads.shutdown(wait=False)

    async def attest(self, request: Mapping[str, Any], *, idempotency_key: str | None = None) -> JsonObject:
        return await self._run(
            lambda cancelled: self._client.attest(request, idempotency_key=idempotency_key, cancellation=cancelled)
        )

    async def report(self, event_id: str, *, as_of: AsOf | None = None) -> JsonObject:
        return await self._run(lambda cancelled: self._client.report(event_id, as_of=as_of, cancellation=cancelled))

    async def sealed(self, event_id: str, *, timeout: float = DEFAULT_TIMEOUT) -> JsonObject:
        return await self._run(
            lambda cancelled: self._client.sealed(event_id, timeout=timeout, cancellation=cancelled)
        )

    async def interaction(self, interaction_id: str, from_turn: int = 1) -> JsonObject:
        return await self._run(
            lambda cancelled: self._client.interaction(interaction_id, from_turn, cancellation=cancelled)
        )

    async def interaction_pages(self, interaction_id: str, from_turn: int = 1) -> AsyncIterator[JsonObject]:
        cancelled = Cancellation()
        pages = self._client.interaction_pages(interaction_id, from_turn, cancellation=cancelled)
        async for page in self._each(pages, cancelled):
            yield page

    async def receipts(
        self,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        verdict: str | None = None,
        wording: str | None = None,
    ) -> AsyncIterator[JsonObject]:
        cancelled = Cancellation()
        rows = self._client.receipts(
            since=since, until=until, verdict=verdict, wording=wording, cancellation=cancelled
        )
        async for row in self._each(rows, cancelled):
            yield row

    @property
    def newest(self) -> list[JsonObject]:
        return self._client.newest

    async def remember(self, receipt: Any) -> None:
        await self._run(lambda _: self._client.remember(receipt))

    async def _run(self, call: Callable[[Cancellation], Result], cancelled: Cancellation | None = None) -> Result:
        cancellation = cancelled or Cancellation()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call, cancellation)
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    async def _each(self, members: Iterator[JsonObject], cancelled: Cancellation) -> AsyncIterator[JsonObject]:
        while True:
            member = await self._run(lambda _: next(members, None), cancelled)
            if member is None:
                return
            yield member
