"""The adapters for voices share this: a text is said, again where it was cut off, and attested once it was heard."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from typing import Any, NamedTuple

from ..queue.durable_queue import DEFAULT_TIMEOUT
from .core import Disclosure
from .playback import MissedReason, Playback
from .spans import receipt_span


class Heard(NamedTuple):
    """A text was heard to its end. at: when, where the stack says it. on_receipt: gets the receipt's event id, in a
    thread of the queue.
    """

    at: datetime | None = None
    on_receipt: Callable[[str], Any] | None = None


class Speaker(ABC):
    """Says the texts of one conversation. Each method returns a task at once, whose result is whether the text was
    heard to its end, the second time included; it never raises, and need not be awaited. Call them in the event loop.
    """

    def __init__(self, disclosure: Disclosure) -> None:
        self.disclosure = disclosure
        # The loop keeps no task that nobody else does.
        self._tasks: set[asyncio.Task[bool]] = set()

    def introduce(self) -> "asyncio.Task[bool]":
        """Says the text that comes first. Say nothing before it."""
        return self._begin(self.disclosure.introduce())

    def remind(self) -> "asyncio.Task[bool]":
        return self._begin(self.disclosure.remind())

    def handed_off(self, to: str) -> "asyncio.Task[bool]":
        """Says the reminder of the agent that takes over."""
        return self._begin(self.disclosure.handed_off(to))

    async def aclose(self, *, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """At the end of the conversation: what is being said counts as missed, and the queue is drained."""
        return await self.disclosure.aclose(timeout=timeout)

    @abstractmethod
    async def _play(self, playback: Playback) -> Heard | MissedReason:
        """Says it once, to its end."""

    def _begin(self, playback: Playback) -> "asyncio.Task[bool]":
        return self._keep(self._say(playback))

    def _keep(self, work: Coroutine[Any, Any, bool]) -> "asyncio.Task[bool]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _say(self, first: Playback, begun: Awaitable[Heard | MissedReason] | None = None) -> bool:
        """begun: the end of the first saying, where that has begun."""
        playback: Playback | None = first
        while playback is not None:
            end = await self._end_of(playback, begun or self._play(playback))
            if isinstance(end, Heard):
                return self._attest(playback, end)
            playback, begun = playback.missed(end), None
        return False

    async def _end_of(self, playback: Playback, begun: Awaitable[Heard | MissedReason]) -> Heard | MissedReason:
        try:
            return await begun
        except asyncio.CancelledError:
            playback.missed("ended")
            raise
        except Exception as error:
            self.disclosure.report(error)
            return "failed"

    def _attest(self, playback: Playback, heard: Heard) -> bool:
        end_span = receipt_span()

        def on_receipt(event_id: str) -> None:
            end_span(event_id)
            if heard.on_receipt is not None:
                heard.on_receipt(event_id)

        return playback.played(heard.at, on_receipt)
