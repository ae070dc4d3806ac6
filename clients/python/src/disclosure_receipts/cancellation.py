"""Ends calls that are under way: from another thread, or where a task of asyncio is cancelled."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Cancelled(Exception):
    """The caller gave up. What it had sent may or may not be recorded."""


class Cancellation:
    """Give one to a call, and `cancel()` it from any thread: the call raises `Cancelled`."""

    def __init__(self) -> None:
        self._event = threading.Event()
        # A signal's handler may cancel the call of its own thread.
        self._lock = threading.RLock()
        self._sockets: set[socket.socket] = set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            for connection in self._sockets:
                shut(connection)

    def is_set(self) -> bool:
        return self._event.is_set()

    def raise_if_set(self) -> None:
        if self._event.is_set():
            raise Cancelled("the call was cancelled")

    def wait(self, seconds: float) -> None:
        """Waits so long. Raises `Cancelled` at once where it is cancelled meanwhile."""
        self._event.wait(seconds)
        self.raise_if_set()

    @contextmanager
    def watching(self, connection: socket.socket) -> Iterator[None]:
        """Within it, the connection ends where this is cancelled."""
        with self._lock:
            self._sockets.add(connection)
            if self._event.is_set():
                shut(connection)
        try:
            yield
        finally:
            with self._lock:
                self._sockets.discard(connection)


def shut(connection: socket.socket) -> None:
    """Ends a connection that another thread reads. A TLS socket's own method would take its state from that thread."""
    try:
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        pass  # It has ended already.
