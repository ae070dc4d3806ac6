"""The chain of chain.py over HTTP, and clients of it."""

import json
import re
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from disclosure_receipts import Client, ClientError

from .chain import FakeChain, sequence_of

API_KEY = "dr_live_test_Xy7secretXy7"
# A port that no service has: only a privileged program could.
NOBODY = "http://127.0.0.1:2"
DISCLOSURE = {
    "interaction_id": "call:2026-11-21.1",
    "modality": "voice",
    "article_50_clause": "1",
    "disclosure_method": "spoken_introduction",
    "agent_identity": "agents/reception@example",
    "jurisdiction": "DE",
    "subject_hash": "sha256:" + "7" * 64,
}
BUNDLE_PATH = re.compile(r"/v1/interactions/([^?]+)\?from_turn=(\d+)")


def disclosure(**changes: Any) -> dict[str, Any]:
    return {**DISCLOSURE, **changes}


class Call:
    """A call as it came in. `answer` is that of an undisturbed service, which has recorded it by then."""

    def __init__(self, served: "Served", handler: "Handler", body: bytes) -> None:
        self._served, self.handler, self.body = served, handler, body
        self.path, self.headers, self.method = handler.path, handler.headers, handler.command

    def answer(self) -> Any:
        found = BUNDLE_PATH.fullmatch(self.path)
        with self._served.lock:
            chain = self._served.chain
            if found:
                return chain.bundle(unquote(found[1]), int(found[2]))
            if self.method == "GET":
                return chain.answer(sequence_of(self.path.partition("?")[0].rpartition("/")[2]), len(chain.recorded))
            return chain.attest(json.loads(self.body), self.headers["Idempotency-Key"])

    def respond(self, status: int, body: Any, headers: dict[str, str] | None = None) -> bool:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(data)
        return True

    def raw(self, data: bytes) -> bool:
        """Bytes as they are, with nothing behind them."""
        self.handler.wfile.write(data)
        return True


# It gets the nth call, from 1. True where it has answered, or never will.
Trick = Callable[[Call, int], bool]


class Handler(BaseHTTPRequestHandler):
    server: "Served"

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        # A client that gave up while it sent has made no call.
        if len(body) == length:
            self._handle(body)

    def _handle(self, body: bytes) -> None:
        call = Call(self.server, self, body)
        with self.server.lock:
            self.server.calls.append(call)
            nth = len(self.server.calls)
        try:
            if not self.server.trick(call, nth):
                call.respond(200, call.answer())
        except OSError:
            pass  # The client has gone.
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class Served(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, trick: Trick | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.RLock()
        self.calls: list[Call] = []
        self.chain = FakeChain()
        self.trick: Trick = trick or (lambda call, nth: False)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        pass


def silent(call: Call, _: int) -> bool:
    """Never answers, and ends once the client has gone."""
    while call.handler.rfile.read1(1):
        pass
    return True


def first(count: int, trick: Trick) -> Trick:
    """Calls one to `count` end badly; what comes after does not."""
    return lambda call, nth: nth <= count and trick(call, nth)


class ServiceTest(unittest.TestCase):
    """A test with services of its own."""

    def serve(self, trick: Trick | None = None) -> Served:
        served = Served(trick)
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        self.addCleanup(served.server_close)
        self.addCleanup(served.shutdown)
        return served

    def start(self, trick: Trick | None = None, **options: Any) -> tuple[Served, Client]:
        served = self.serve(trick)
        return served, Client(served.url, API_KEY, **options)

    def failure(self, code: str, call: Callable[..., Any], *args: Any, **named: Any) -> ClientError:
        """The error of a call that must fail with this code. Nothing in it is the key."""
        with self.assertRaises(ClientError) as caught:
            call(*args, **named)
        error = caught.exception
        self.assertEqual(error.code, code, str(error))
        self.assertNotIn(API_KEY, f"{error}{error!r}{error.__cause__!r}{vars(error)}{error.evidence}")
        return error
