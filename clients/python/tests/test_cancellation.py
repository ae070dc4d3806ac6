"""A call that is cancelled before there is a connection."""

import socket
import threading
import time
import unittest
from unittest.mock import patch

from disclosure_receipts import Cancellation, Cancelled, Client
from disclosure_receipts.options import MAX_SECONDS

from .support.service import API_KEY, ServiceTest, disclosure

# Shorter than the kernel tries to connect.
PATIENCE = 60.0


class ACallThatIsCancelled(ServiceTest):
    def listen(self) -> socket.socket:
        server = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.addCleanup(server.close)
        return server

    def assert_ends(self, scheme: str, server: socket.socket) -> None:
        url = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        client = Client(url, API_KEY, timeout=MAX_SECONDS, deadline=MAX_SECONDS)
        cancellation, raised = Cancellation(), threading.Event()

        def attest() -> None:
            with self.assertRaises(Cancelled):
                client.attest(disclosure(), cancellation=cancellation)
            raised.set()

        threading.Thread(target=attest, daemon=True).start()
        while not cancellation._sockets:
            self.assertFalse(raised.wait(0.01))
        cancellation.cancel()
        self.assertTrue(raised.wait(PATIENCE))

    def test_ends_while_nobody_looks_up_the_name_of_its_service(self) -> None:
        answered, asked, cancellation = threading.Event(), threading.Event(), Cancellation()
        self.addCleanup(answered.set)

        def look_up(*_: object, **__: object) -> list[object]:
            asked.set()
            answered.wait(PATIENCE)
            return []

        client = Client("http://receipts.example", API_KEY, timeout=MAX_SECONDS, deadline=MAX_SECONDS)

        def give_up() -> None:
            asked.wait()
            cancellation.cancel()

        threading.Thread(target=give_up, daemon=True).start()
        begun = time.monotonic()
        with patch("socket.getaddrinfo", look_up), self.assertRaises(Cancelled):
            client.attest(disclosure(), cancellation=cancellation)
        self.assertLess(time.monotonic() - begun, PATIENCE / 2)

    def test_ends_while_nobody_takes_its_connection(self) -> None:
        server = self.listen()
        # They fill the queue of connections.
        for _ in range(4):
            waiting = socket.socket()
            self.addCleanup(waiting.close)
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        self.assert_ends("http", server)

    def test_ends_while_nobody_answers_its_tls(self) -> None:
        self.assert_ends("https", self.listen())


if __name__ == "__main__":
    unittest.main()
