"""As much of a timestamp token (RFC 3161 section 2.4.2, RFC 5652) as says what it covers and when it was made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from .json_text import Unreadable

SEQUENCE, SET, INTEGER, OCTETS, OBJECT_ID, TIME, CONTEXT_0 = 0x30, 0x31, 0x02, 0x04, 0x06, 0x18, 0xA0
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
TST_INFO = bytes.fromhex("2a864886f70d0109100104")  # id-ct-TSTInfo, 1.2.840.113549.1.9.16.1.4
SHA_256 = bytes.fromhex("608648016503040201")  # 2.16.840.1.101.3.4.2.1
MAX_LENGTH_BYTES = 4
_GENERALIZED_TIME = re.compile(rb"(\d{14})(?:\.(\d{1,9}))?Z\Z")


@dataclass(frozen=True)
class Token:
    """A token's messageImprint, which is the root that it covers, and its genTime in milliseconds since 1970."""

    imprint: bytes
    gen_time: int


class _Reader:
    """The values of one constructed DER value (X.690), in their order."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def ended(self) -> bool:
        return self._at == len(self._content)

    def take(self, tag: int) -> bytes:
        """The content of the next value, which has this tag."""
        header = self._content[self._at : self._at + 2]
        if len(header) < 2 or header[0] != tag:
            raise Unreadable("the token is not built as a TimeStampToken")
        begin, length = self._at + 2, header[1]
        if length >= 0x80:
            octets = length & 0x7F
            if not 1 <= octets <= MAX_LENGTH_BYTES:
                raise Unreadable("the token is not in DER")
            length = int.from_bytes(self._content[begin : begin + octets], "big")
            begin += octets
        end = begin + length
        if end > len(self._content):
            raise Unreadable("the token is cut off")
        self._at = end
        return self._content[begin:end]

    def inside(self, tag: int) -> _Reader:
        return _Reader(self.take(tag))


def parse_token(der: bytes) -> Token:
    """Reads a TimeStampToken. Its signature is left to openssl. Throws Unreadable."""
    whole = _Reader(der)
    content_info = whole.inside(SEQUENCE)
    if not whole.ended() or content_info.take(OBJECT_ID) != SIGNED_DATA:
        raise Unreadable("the token is no SignedData")
    signed_data = content_info.inside(CONTEXT_0).inside(SEQUENCE)
    signed_data.take(INTEGER)
    signed_data.take(SET)
    encapsulated = signed_data.inside(SEQUENCE)
    if encapsulated.take(OBJECT_ID) != TST_INFO:
        raise Unreadable("the token holds no TSTInfo")
    info = _Reader(encapsulated.inside(CONTEXT_0).take(OCTETS)).inside(SEQUENCE)
    info.take(INTEGER)
    info.take(OBJECT_ID)
    imprint = info.inside(SEQUENCE)
    if imprint.inside(SEQUENCE).take(OBJECT_ID) != SHA_256:
        raise Unreadable("the token's imprint is not by SHA-256")
    hashed = imprint.take(OCTETS)
    info.take(INTEGER)
    return Token(hashed, _milliseconds(info.take(TIME)))


def _milliseconds(generalized: bytes) -> int:
    match = _GENERALIZED_TIME.match(generalized)
    if match is None:
        raise Unreadable("the token's genTime is no time")
    try:
        moment = datetime.strptime(match[1].decode(), "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc)
    except ValueError as error:
        raise Unreadable("the token's genTime is no time") from error
    fraction = int((match[2] or b"0").ljust(3, b"0")[:3])
    return (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1) + fraction
