"""The core of every adapter: which registered text is said when, and what is attested of it.

1. `introduce`, `remind` and `handed_off` give a Playback: the registered text, ready to be spoken or shown. Nothing is
   written yet. A crash here leaves nothing, and nothing was heard.
2. The stack plays it. `played` is called when the playback ended uninterrupted: the disclosure gets the present time
   and an Idempotency-Key, and goes into the durable queue. A crash before the queue has it on disk loses it (the flush
   takes milliseconds); from there on it is sent, by this process or the next, and recorded once.
3. `missed` is called when it was cut off or failed: nothing is recorded, `on_missed` is told, and the first time there
   is a second Playback, to be played at once and uninterruptibly.
4. The queue sends in order. `on_receipt` gets each receipt, whenever that is; no conversation waits for it.
5. `close` counts as missed what was begun and never ended, and drains the queue with a deadline.

No method raises or waits but `close`. What is attested is the digest of the registered text, and never what was heard.
All may be called from several threads; `on_receipt` is called in a thread of the queue.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime, timezone
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

from ..digests import interaction_id as id_of
from ..options import require_callable
from ..queue.durable_queue import DEFAULT_TIMEOUT
from ..verify.json_input import JsonObject
from .playback import Ends, MissedReason, OnEventId, Playback, Said
from .statements import Statement, Statements, Wordings, read_agent


class Queue(Protocol):
    """The part of the durable queue that is used. One serves all conversations of a process."""

    def add(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        on_receipt: Callable[[JsonObject], Any] | None = None,
    ) -> "Future[bool]": ...

    def flush(self, timeout: float = ...) -> bool: ...


class Missed(NamedTuple):
    """A text that was not heard to its end; there is no receipt for it. will_repeat: whether it is said once more now.
    Where not, nobody was told, and the operator has to know.
    """

    statement: Statement
    reason: MissedReason
    will_repeat: bool
    interaction_id: str
    agent_identity: str


class Recorded(NamedTuple):
    """A receipt that came."""

    event_id: str
    statement: Statement
    interaction_id: str


class Disclosure:
    """The disclosures of one conversation.

    `interaction_id` names no person; a name that the service does not take becomes a digest. `operator`, on whose
    behalf the agent speaks, fills {operator} in what is said, and is in no digest. `interruptible`: whether the first
    playback of a text may be talked over; the second one never may. `on_error` is for your log, and never gets what was
    said. Raises `invalid_options`, or `invalid_request` for a wording that there is not: before the conversation.
    """

    def __init__(
        self,
        queue: Queue,
        interaction_id: str,
        agent_identity: str,
        wordings: Wordings,
        *,
        operator: str | None = None,
        interruptible: bool = False,
        on_missed: Callable[[Missed], Any] | None = None,
        on_receipt: Callable[[Recorded], Any] | None = None,
        on_error: Callable[[Exception], Any] | None = None,
    ) -> None:
        for name, value in (("on_missed", on_missed), ("on_receipt", on_receipt), ("on_error", on_error)):
            require_callable(name, value)
        self._queue, self._interruptible = queue, interruptible
        self._on_missed, self._on_receipt, self._on_error = on_missed, on_receipt, on_error
        self._statements = Statements(wordings, operator)
        self.interaction_id = id_of(interaction_id)
        self._agent = read_agent(agent_identity)
        self._open: set[Playback] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def introduce(self) -> Playback:
        """The text that comes first, before anything else is said."""
        return self._begin("introduction", False, self._agent)

    def remind(self) -> Playback:
        """The text for a new topic, a key step, or a person who could have forgotten."""
        return self._begin("reminder", False, self._agent)

    def handed_off(self, to: str) -> Playback:
        """The reminder of the agent that takes over; from here on disclosures are in its name."""

        def take_over() -> None:
            self._agent = read_agent(to)

        self.guard(take_over)
        return self._begin("handoff", False, self._agent)

    def close(self, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """Counts what never ended as missed, and waits for the queue: True once all is sent, False where it goes out
        later.
        """
        with self._lock:
            self._is_closed = True
            left = list(self._open)
        for playback in left:
            playback.missed("ended")
        return self._queue.flush(timeout)

    async def aclose(self, *, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """`close` for a program with asyncio, whose other tasks go on meanwhile."""
        return await asyncio.to_thread(self.close, timeout)

    def guard(self, call: Callable[[], Any]) -> None:
        """Runs code of the owner's or of the stack's, whose failures must not reach the conversation."""
        try:
            call()
        except Exception as error:
            self.report(error)

    def report(self, error: Exception) -> None:
        try:
            if self._on_error is not None:
                self._on_error(error)
        except Exception:
            pass  # The last callback has failed; there is no other to report it to.

    def _begin(self, statement: Statement, is_repetition: bool, agent: str) -> Playback:
        text = self._statements.of(statement, is_repetition).text
        interruptible = self._interruptible and not is_repetition
        said = Said(statement, text, interruptible, is_repetition, agent)
        playback = Playback(said, Ends(self._played, self._missed))
        with self._lock:
            self._open.add(playback)
        return playback

    def _played(self, playback: Playback, at: datetime | None, own: OnEventId | None) -> None:
        self._forget(playback)
        self.guard(lambda: self._attest(playback.said, at, own))

    def _attest(self, said: Said, at: datetime | None, own: OnEventId | None) -> None:
        request = {
            "interaction_id": self.interaction_id,
            "agent_identity": said.agent_identity,
            **self._statements.of(said.statement, said.is_repetition).disclosure,
            "disclosed_at": instant_of(at or datetime.now(timezone.utc)),
        }

        def told(receipt: JsonObject) -> None:
            event_id, on_receipt = receipt["event_id"], self._on_receipt
            if own is not None:
                self.guard(lambda: own(event_id))
            if on_receipt is not None:
                self.guard(lambda: on_receipt(Recorded(event_id, said.statement, self.interaction_id)))

        # The key is made here, once for one playback: whoever sends the entry, and however often, it is recorded once.
        self._queue.add(request, idempotency_key=str(uuid4()), on_receipt=told)

    def _missed(self, playback: Playback, reason: MissedReason) -> Playback | None:
        self._forget(playback)
        said, on_missed = playback.said, self._on_missed
        will_repeat = not said.is_repetition and not self._is_closed and reason != "ended"
        if on_missed is not None:
            missed = Missed(said.statement, reason, will_repeat, self.interaction_id, said.agent_identity)
            self.guard(lambda: on_missed(missed))
        return self._begin(said.statement, True, said.agent_identity) if will_repeat else None

    def _forget(self, playback: Playback) -> None:
        with self._lock:
            self._open.discard(playback)


def instant_of(moment: datetime) -> str:
    """A moment without a zone is this machine's."""
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
