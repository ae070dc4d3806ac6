"""Disclosures go to a bounded queue on disk and from there to the service, each conversation's in order. Putting one in
neither waits nor fails, and whatever can't be sent is handed over.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any
from uuid import uuid4

from ..cancellation import Cancellation
from ..errors import ClientError
from ..options import read_count
from ..request import read_idempotency_key, read_request
from .callbacks import OnHandover, OnOwnReceipt, OnProblem, OnReceipt, QueueCallbacks, QueuedDisclosure, as_object
from .delivery import Delivery, QueueClient, QueueEntry, deliver
from .instants import instant_now
from .lanes import Lanes
from .options import read_flag, read_folder, require_client
from .pause import QueuePause
from .waiting import settle, wait_until
from .writer import QueueWriter, write_entry

DEFAULT_TIMEOUT = 5.0
# The time that callbacks and the disk may take at the end.
SETTLE = 1.0


class DurableQueue:
    """Continues with what an earlier process left in the folder, which is of the queue's own. Raises `invalid_options`;
    a bad disk is reported to `on_problem`. In a `shared` folder each process takes a free one, with what a dead one
    left. The functions are called in threads of the queue; `on_handover` also in that of `add`, for what it refuses.
    Open it after a fork, not before. A program that ends without `close` ends with `close(0)`.
    """

    def __init__(
        self,
        client: QueueClient,
        folder: str | os.PathLike[str],
        on_handover: OnHandover,
        *,
        on_receipt: OnReceipt | None = None,
        on_problem: OnProblem | None = None,
        max_entries: int = 10_000,
        max_bytes: int = 8 * 1024 * 1024,
        concurrency: int = 8,
        shared: bool = False,
    ) -> None:
        require_client(client)
        place, is_shared = read_folder(folder), read_flag("shared", shared)
        self._client = client
        self._callbacks = QueueCallbacks(on_handover, on_receipt, on_problem)
        self._max_entries, self._max_bytes = read_count("max_entries", max_entries), read_count("max_bytes", max_bytes)
        self._concurrency = read_count("concurrency", concurrency)
        self._process = os.getpid()
        self._change = threading.Condition()
        self._lanes: Lanes[QueueEntry] = Lanes()
        self._pause = QueuePause()
        self._stop = Cancellation()
        # Open once the disclosures of an earlier process are read.
        self._is_open = self._is_closing = False
        # One who asks twice gets the same. A signal's handler may ask while its own thread does.
        self._closing = threading.RLock()
        self._left: list[QueuedDisclosure] | None = None
        # Those that the disk has not answered for, and those on disk that the owner's function failed to take.
        self._unplaced: dict["Future[bool]", QueuedDisclosure] = {}
        self._kept: list[QueuedDisclosure] = []
        self._entries = self._bytes = self._running = self._senders = 0
        self._writer = QueueWriter(place, is_shared, self._take_up, self._opened, self._callbacks.problem)
        self._writer.start()
        # The threads end with the interpreter, whatever they have in hand.
        atexit.register(self.close, 0)

    @property
    def size(self) -> int:
        """The number of disclosures that wait or are on their way; once they are read, an earlier process's too."""
        return self._entries

    def add(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        on_receipt: OnOwnReceipt | None = None,
    ) -> "Future[bool]":
        """Puts a disclosure in and returns at once; never raises. The result, which never is an error: True once the
        disclosure is safe on disk, False where it is in memory alone or was handed over.

        It is sent with the present time as its `disclosed_at`, unless it has one, or a key of the caller's: whoever
        adds it again under that key must add the same. `on_receipt` gets the receipt of this disclosure, in this
        process alone.
        """
        safe: Future[bool] = Future()
        added_at = instant_now()
        defaults = {"disclosed_at": added_at} if idempotency_key is None else {}
        key = str(uuid4()) if idempotency_key is None else idempotency_key
        disclosure = QueuedDisclosure(as_object(request), key, added_at)
        try:
            # It is fixed here and kept on disk: each try sends the same bytes under the same key.
            checked = {**defaults, **read_request(disclosure.request)}
            read_idempotency_key(key)
            self._admit(disclosure._replace(request=checked), on_receipt, safe)
        except ClientError as error:
            self._callbacks.handover(disclosure, error)
            safe.set_result(False)
        return safe

    def flush(self, timeout: float = DEFAULT_TIMEOUT) -> bool:
        """True once nothing waits any more, False where that takes longer. Never raises."""
        is_ours = os.getpid() == self._process
        return is_ours and wait_until(self._change, lambda: self._is_open and self._entries == 0, timeout)

    def close(self, timeout: float = DEFAULT_TIMEOUT) -> list[QueuedDisclosure]:
        """Takes no more, sends what it can in time, and gives the folder free. Returns what remains on disk, for the
        next process to send; what is in memory alone is handed over. Never raises.
        """
        # A child has no thread of the queue, and its parent's sockets: to end them would end the parent's calls.
        if os.getpid() != self._process:
            return []
        with self._closing:
            if self._left is None:
                self._close(timeout)
            return self._left or []

    def _close(self, timeout: float) -> None:
        with self._change:
            self._is_closing = True
        self.flush(timeout)
        with self._change:
            self._stop.cancel()
            self._change.notify_all()
        wait_until(self._change, lambda: self._running == 0, SETTLE)
        self._writer.close(SETTLE)
        atexit.unregister(self.close)
        with self._change:
            if self._left is not None:
                return  # A signal's handler closed it meanwhile.
            unsent, unplaced, self._unplaced = self._lanes.members(), self._unplaced, {}
            self._left = [*self._kept, *(entry.disclosure for entry in unsent if entry.place is not None)]
        for entry in unsent:
            if entry.place is None:
                self._callbacks.handover(entry.disclosure, ClientError("queue_closed", "it was in memory alone"))
        for safe, disclosure in unplaced.items():
            # A disk that answers after all has it too, and the next process sends it, under its key.
            self._callbacks.handover(disclosure, ClientError("queue_closed", "the disk did not answer in time"))
            settle(safe, False)

    async def aclose(self, *, timeout: float = DEFAULT_TIMEOUT) -> list[QueuedDisclosure]:
        """`close` for asyncio. A stack that calls it at a job's end may pass a reason, which must not be the time."""
        return await asyncio.to_thread(self.close, timeout)

    def _admit(self, disclosure: QueuedDisclosure, own: OnOwnReceipt | None, safe: "Future[bool]") -> None:
        """Raises the reason for which the disclosure is refused."""
        if os.getpid() != self._process:
            raise ClientError("queue_closed", "the queue is that of the process that opened it, before a fork")
        text = write_entry(disclosure)
        with self._change:
            if self._is_closing:
                raise ClientError("queue_closed", "the queue takes no more")
            if self._entries >= self._max_entries or self._bytes + len(text) > self._max_bytes:
                raise ClientError("queue_full", f"{self._entries} disclosures wait already")
            self._count(len(text))
            self._unplaced[safe] = disclosure
            # On disk first: what was sent and is not there could be sent again under another key. Within the lock, so
            # that the order on disk is that of the calls.
            self._writer.put(text, lambda place: self._placed(QueueEntry(disclosure, len(text), place, own), safe))

    def _placed(self, entry: QueueEntry, safe: "Future[bool]") -> None:
        with self._change:
            if self._unplaced.pop(safe, None) is None:
                return  # It was handed over.
            self._enter(entry)
        settle(safe, entry.place is not None)

    def _take_up(self, disclosure: QueuedDisclosure, place: int, text: str) -> None:
        with self._change:
            self._count(len(text))
        self._enter(QueueEntry(disclosure, len(text), place))

    def _opened(self) -> None:
        with self._change:
            self._is_open = True
            self._change.notify_all()

    def _count(self, size: int) -> None:
        self._entries += 1
        self._bytes += size

    def _enter(self, entry: QueueEntry) -> None:
        with self._change:
            self._lanes.add(entry.disclosure.request["interaction_id"], entry)
            self._have_sender()
            self._change.notify_all()

    def _have_sender(self) -> None:
        """A thread more where all are busy and more may be sent."""
        if not self._lanes.has_ready or self._senders > self._running or self._senders >= self._concurrency:
            return
        try:
            threading.Thread(target=self._work, name="disclosure-receipts-sender", daemon=True).start()
            self._senders += 1
        except RuntimeError:
            # The interpreter is ending, or has no thread left: it waits for one that is there, or the next process.
            pass

    def _work(self) -> None:
        while True:
            with self._change:
                picked = self._pick()
                if picked is None:
                    return
                self._running += 1
                self._have_sender()
            lane, entry = picked
            delivery = deliver(self._client, self._callbacks, entry, self._stop)
            if delivery.outcome == "gone":
                # A crash before this is on disk sends it again, and its key finds the receipt.
                self._writer.take(entry.place)
            with self._change:
                self._settle(lane, entry, delivery)

    def _settle(self, lane: str, entry: QueueEntry, delivery: Delivery) -> None:
        self._running -= 1
        if delivery.retry_after is not None:
            self._pause.start(delivery.retry_after)
        elif delivery.outcome != "waits":
            self._pause.succeed()
        if delivery.outcome == "waits":
            self._lanes.again(lane)
        else:
            if delivery.outcome == "kept" and entry.place is not None:
                self._kept.append(entry.disclosure)
            self._lanes.done(lane)
            self._entries -= 1
            self._bytes -= entry.size
        self._change.notify_all()

    def _pick(self) -> tuple[str, QueueEntry] | None:
        """Waits for one to send; None at the end. While the service fails, one at a time finds out if it is back."""
        while not self._stop.is_set():
            left = self._pause.left
            limit = 1 if self._pause.is_troubled else self._concurrency
            picked = self._lanes.next() if left == 0 and self._running < limit else None
            if picked is not None:
                return picked
            self._change.wait(left or None)
        return None
