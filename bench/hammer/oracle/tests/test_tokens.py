"""Timestamp tokens: one built here, value by value, and what is cut off or of another kind."""

import unittest

from ..formats.json_text import Unreadable
from ..formats.tokens import CONTEXT_0, INTEGER, OBJECT_ID, OCTETS, SEQUENCE, SET, SHA_256, SIGNED_DATA, TIME, TST_INFO
from ..formats.tokens import parse_token

ROOT = bytes(range(32))
GEN_TIME = 1_795_421_140_250  # 2026-11-23T08:05:40.250Z


def der(tag: int, *contents: bytes) -> bytes:
    """One DER value (X.690 section 8.1)."""
    content = b"".join(contents)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes(2, "big")
    return bytes([tag, 0x82]) + length + content


def token(time: bytes = b"20261123080540.25Z", algorithm: bytes = SHA_256, kind: bytes = TST_INFO) -> bytes:
    imprint = der(SEQUENCE, der(SEQUENCE, der(OBJECT_ID, algorithm)), der(OCTETS, ROOT))
    version, policy, serial = der(INTEGER, b"\x01"), der(OBJECT_ID, b"\x2a\x03"), der(INTEGER, b"\x07")
    info = der(SEQUENCE, version, policy, imprint, serial, der(TIME, time), der(OCTETS, bytes(200)))
    encapsulated = der(SEQUENCE, der(OBJECT_ID, kind), der(CONTEXT_0, der(OCTETS, info)))
    signed = der(SEQUENCE, der(INTEGER, b"\x03"), der(SET), encapsulated)
    return der(SEQUENCE, der(OBJECT_ID, SIGNED_DATA), der(CONTEXT_0, signed))


class Tokens(unittest.TestCase):
    def test_imprint_and_gen_time_are_read(self) -> None:
        read = parse_token(token())
        self.assertEqual((read.imprint, read.gen_time), (ROOT, GEN_TIME))
        self.assertEqual(parse_token(token(b"20261123080540Z")).gen_time, GEN_TIME - 250)

    def test_what_is_cut_off_or_too_long_is_refused(self) -> None:
        whole = token()
        for length in range(len(whole)):
            with self.subTest(length=length), self.assertRaises(Unreadable):
                parse_token(whole[:length])
        with self.assertRaises(Unreadable):
            parse_token(whole + b"\x00")

    def test_another_kind_is_refused(self) -> None:
        for other in (token(b"20261323080540Z"), token(b"now"), token(algorithm=b"\x2a"), token(kind=SIGNED_DATA)):
            with self.assertRaises(Unreadable):
                parse_token(other)


if __name__ == "__main__":
    unittest.main()
