"""The API over HTTP, as a patient reader asks it: an answer of 429 or 503, and a lost connection, are asked again."""

from __future__ import annotations

import http.client
import threading
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.json_input import JsonObject, read_json
from disclosure_receipts.verify.shapes import Shape, is_object, readable

PATIENCE_SECONDS = 120.0
TIMEOUT_SECONDS = 60.0
FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0
AGAIN = frozenset({429, 502, 503, 504})
MAX_BODY_BYTES = 64 * 1024 * 1024


class Unreachable(Exception):
    """The service gave no answer for longer than the oracle waits. The message holds no path."""


@dataclass(frozen=True)
class Answer:
    """Status and body of an answer."""

    status: int
    body: bytes


class Service:
    """GET alone: the oracle changes nothing. Each thread has a connection of its own."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise Unreachable("the run names no http or https address")
        self._parts = parts
        self._connections = threading.local()

    def get(
        self, path: str, key: str | None = None, accept: str = "application/json", again: frozenset[int] = AGAIN
    ) -> Answer:
        """The answer to a GET, which is asked again while its status is one of `again`. Raises Unreachable."""
        headers = {"Accept": accept, **({} if key is None else {"Authorization": f"Bearer {key}"})}
        deadline, wait = time.monotonic() + PATIENCE_SECONDS, FIRST_WAIT_SECONDS
        while True:
            answer, asked_to_wait = self._try(path, headers)
            if answer is not None and answer.status not in again:
                return answer
            if time.monotonic() > deadline:
                said = "no answer" if answer is None else f"status {answer.status}"
                raise Unreachable(f"the service gave {said} for {PATIENCE_SECONDS:.0f} seconds")
            time.sleep(min(max(wait, asked_to_wait), LONGEST_WAIT_SECONDS))
            wait *= 2

    def _try(self, path: str, headers: dict[str, str]) -> tuple[Answer | None, float]:
        try:
            connection = self._connection()
            connection.request("GET", self._parts.path.rstrip("/") + path, headers=headers)
            response = connection.getresponse()
            body = response.read(MAX_BODY_BYTES)
            asked = response.getheader("Retry-After") or "0"
            return Answer(response.status, body), float(asked) if asked.isdigit() else 0.0
        except (OSError, http.client.HTTPException):
            self._connections.open = None
            return None, 0.0

    def _connection(self) -> http.client.HTTPConnection:
        connection: http.client.HTTPConnection | None = getattr(self._connections, "open", None)
        if connection is None:
            https = self._parts.scheme == "https"
            kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
            connection = kind(str(self._parts.hostname), self._parts.port, timeout=TIMEOUT_SECONDS)
            self._connections.open = connection
        return connection

    def json(self, path: str, key: str | None = None, shape: Shape = is_object) -> JsonObject:
        """The JSON of a 200, which must have this shape. Raises Unreadable for any other answer."""
        answer = self.get(path, key)
        if answer.status != 200:
            raise Unreadable(f"it was answered {answer.status}, expected 200")
        value: JsonObject = readable(shape, read_json(answer.body), "answer that the documents describe")
        return value

    def bytes(self, path: str, key: str | None = None) -> bytes | None:
        """The bytes of a 200; None for a 404. Raises Unreadable for any other answer."""
        answer = self.get(path, key, "application/octet-stream")
        if answer.status not in (200, 404):
            raise Unreadable(f"it was answered {answer.status}, expected 200 or 404")
        return answer.body if answer.status == 200 else None
