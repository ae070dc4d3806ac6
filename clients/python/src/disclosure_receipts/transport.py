"""One call of the service's API: its address, its key, its JSON."""

import http.client
import io
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .address import Address, read_api_key, read_base_url
from .cancellation import Cancellation
from .errors import ClientError
from .name_lookup import look_up, remaining
from .options import read_count, read_seconds, read_tls
from .retry import CallAnswer, RetryLimits, read_retry_after, send_with_retry
from .verify.checks import Unreadable
from .verify.json_input import read_json
from .verify.printable import printable

# Twice the largest answer, a page of a conversation.
MAX_ANSWER_BYTES = 8 * 1024 * 1024
MAX_TITLE = 200
MAX_WARNING = 500
WARNING_HEADER = "Disclosure-Warning"


class Transport:
    """Holds the key, which is in no repr and in no error."""

    def __init__(
        self, base_url: str, api_key: str, *, attempts: int, timeout: float, deadline: float, tls: ssl.SSLContext | None
    ) -> None:
        self._address = read_base_url(base_url)
        self._authorization = f"Bearer {read_api_key(api_key)}"
        self._limits = RetryLimits(
            read_count("attempts", attempts), read_seconds("timeout", timeout), read_seconds("deadline", deadline)
        )
        # A service on this machine needs no context, which takes a while to make.
        self._tls = read_tls(tls) if self._address.is_tls or tls is not None else None

    def call(
        self,
        path: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        cancellation: Cancellation | None = None,
    ) -> CallAnswer:
        """A good answer. Raises `refused` or `undeliverable`, and `Cancelled`. With a body it is a POST."""
        cancelled = cancellation or Cancellation()
        sent = {**(headers or {}), "Authorization": self._authorization, "Accept": "application/json"}

        def send(until: float) -> CallAnswer:
            return exchange(self._connect(until, cancelled), self._address.path + path, body, sent)

        answer = send_with_retry(send, self._limits, cancelled)
        if is_good(answer.status):
            return answer
        message = f"the service refused: {describe(answer)}"
        raise ClientError("refused", message, evidence=answer.body, status=answer.status)

    def _connect(self, until: float, cancellation: Cancellation) -> "TimedConnection":
        cancellation.raise_if_set()
        return TimedConnection(self._address, self._tls, until, cancellation)


class FinalResponse(http.client.HTTPResponse):
    """An answer, and none of the informational ones before it (RFC 9110 section 15.2), of which http.client passes over
    100 alone.
    """

    def begin(self) -> None:
        super().begin()
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            # With headers it takes the answer for read.
            self.headers = None  # type: ignore[assignment]
            super().begin()


class TimedConnection(http.client.HTTPConnection):
    """A connection that ends at a time: a service that sends a byte now and then does not hold it open. A caller who
    gives up ends it from its first moment on.
    """

    response_class = FinalResponse

    def __init__(
        self, address: Address, tls: ssl.SSLContext | None, until: float, cancellation: Cancellation
    ) -> None:
        default_port = http.client.HTTPS_PORT if address.is_tls else http.client.HTTP_PORT
        super().__init__(address.host, address.port or default_port)
        self.default_port = default_port
        self._tls = tls if address.is_tls else None
        self._until = until
        self._cancellation = cancellation

    def open(self, used: ExitStack) -> None:
        """Connects. The socket is closed with `used`."""
        opened = used.enter_context(self._connect())
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            opened = self._tls.wrap_socket(opened, server_hostname=self.host, do_handshake_on_connect=False)
            used.enter_context(opened)
        used.enter_context(self._cancellation.watching(opened))
        opened.settimeout(remaining(self._until))
        if isinstance(opened, ssl.SSLSocket):
            opened.do_handshake()
        self.sock = TimedSocket(opened, self._until)

    def _connect(self) -> socket.socket:
        """Tries one address after the other, each with its share of the time: the first may be of a dead network."""
        found = look_up(self.host, self.port, self._until, self._cancellation)
        failure: OSError = OSError("the service's name has no address")
        for number, (family, kind, protocol, _, address) in enumerate(found):
            plain = socket.socket(family, kind, protocol)
            try:
                plain.settimeout(remaining(self._until) / (len(found) - number))
                with self._cancellation.watching(plain):
                    plain.connect(address)
                return plain
            except OSError as error:
                plain.close()
                failure = error
                self._cancellation.raise_if_set()
        raise failure


class TimedSocket:
    """The part of a socket that http.client uses. Each operation has what is left of the time.

    http.client closes its socket before the answer is read, so that must do nothing.
    """

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self._until = connection, until

    def sendall(self, data: bytes) -> None:
        self._connection.settimeout(remaining(self._until))
        self._connection.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(TimedReader(self._connection, self._until))

    def close(self) -> None:
        pass


class TimedReader(io.RawIOBase):
    def __init__(self, connection: socket.socket, until: float) -> None:
        super().__init__()
        self._connection, self._until = connection, until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(remaining(self._until))
        return self._connection.recv_into(buffer)


def exchange(
    connection: TimedConnection,
    path: str,
    body: bytes | None,
    headers: Mapping[str, str],
) -> CallAnswer:
    """Sends a request and reads the answer. A redirect is not followed: it would carry the request, and maybe the key,
    to another server.
    """
    with ExitStack() as used:
        connection.open(used)
        connection.request("GET" if body is None else "POST", path, body, dict(headers))
        response = connection.getresponse()
        data = response.read(MAX_ANSWER_BYTES + 1)
        if len(data) <= MAX_ANSWER_BYTES:
            response.read()  # Raises where the answer was cut off.
    if len(data) > MAX_ANSWER_BYTES:
        raise Unreadable(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
    retry_after = read_retry_after(response.getheader("Retry-After"), response.getheader("Date"), time.time())
    warning = response.getheader(WARNING_HEADER)
    said = None if warning is None else printable(warning[:MAX_WARNING])
    return CallAnswer(response.status, read_body(response.status, data), retry_after, said)


def read_body(status: int, data: bytes) -> Any:
    """A good status over something else than JSON comes from a gateway on the way and not from the service: raises."""
    try:
        return read_json(data)
    except Unreadable:
        if is_good(status):
            raise
        return None


def is_good(status: int) -> bool:
    return 200 <= status < 300


def describe(answer: CallAnswer) -> str:
    """The service's own title for the problem. A title from anybody else may be of any length, so it is cut, and may
    not move the cursor of whoever reads the error.
    """
    title = answer.body.get("title") if isinstance(answer.body, dict) else None
    return f"{answer.status}, {printable(title[:MAX_TITLE])}" if isinstance(title, str) else str(answer.status)
