"""DER: X.690 sections 8, 10 and 11, one spelling of each value."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..checks import present, require
from ..limits import MAX_DEPTH

BOOLEAN, INTEGER, BITS, OCTETS, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTC_TIME, TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31
MAX_OID_BYTES = 64
OID_OCTETS = re.compile(rb"(?:[\x81-\xff][\x80-\xff]*[\x00-\x7f]|[\x00-\x7f])+", re.DOTALL)


class Tlv(NamedTuple):
    """All bytes of one value, its contents, and the values inside if it is constructed."""

    tag: int
    der: bytes
    value: bytes
    members: "Sequence[Tlv]"


def read_der(data: bytes) -> Tlv:
    values = read_values(data, 0)
    require(len(values) == 1, "this is not one DER value with nothing behind it")
    return values[0]


def read_values(data: bytes, depth: int) -> list[Tlv]:
    require(depth <= MAX_DEPTH, "DER is nested too deep")
    values, start = [], 0
    while start < len(data):
        content, end = read_length(data, start)
        tag, value = data[start], data[content:end]
        is_constructed = tag & 0x20 != 0
        # SEQUENCE (16) and SET (17) alone of the universal types have members; a string in pieces is BER.
        require(tag & 0x1F != 0x1F and (tag >= 0x40 or is_constructed == (tag & 0x1F in (16, 17))), "this is not DER")
        members = read_values(value, depth + 1) if is_constructed else ()
        values.append(Tlv(tag, data[start:end], value, members))
        require(is_canonical(values[-1]), "a value is not in the one form that DER has")
        start = end
    return values


def read_length(data: bytes, start: int) -> tuple[int, int]:
    require(len(data) >= start + 2, "DER is cut")
    content, length = start + 2, data[start + 1]
    if length >= 0x80:
        octets = data[content : content + length - 0x80]
        content, length = content + len(octets), int.from_bytes(octets, "big")
        require(length >= 0x80 and octets[0] != 0, "a length is not in its shortest definite form")
    require(content + length <= len(data), "DER is cut")
    return content, content + length


def is_canonical(tlv: Tlv) -> bool:
    tag, _, value, members = tlv
    if tag == BOOLEAN:
        return value in (b"\x00", b"\xff")
    if tag == INTEGER:
        return value != b"" and integer_bytes(int.from_bytes(value, "big", signed=True)) == value
    if tag == BITS:
        unused = value[0] if value else 8
        return unused == 0 or (unused < 8 and len(value) > 1 and value[-1] % (1 << unused) == 0)
    if tag == NULL:
        return value == b""
    if tag == OID:
        # Real identifiers have some ten octets.
        return len(value) <= MAX_OID_BYTES and OID_OCTETS.fullmatch(value) is not None
    return tag != SET or [m.der for m in members] == sorted(m.der for m in members)


def integer_bytes(number: int) -> bytes:
    return number.to_bytes((number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)


class Fields:
    """The members of a SEQUENCE, taken in turn. Used with `with`, it refuses to leave any behind."""

    def __init__(self, tlv: Tlv) -> None:
        require(tlv.tag == SEQUENCE, "a value is no SEQUENCE")
        self.left = list(tlv.members)

    def __enter__(self) -> "Fields":
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        require(error is not None or not self.left, "a SEQUENCE has a member too many")

    def optional(self, *tags: int) -> Tlv | None:
        return self.left.pop(0) if self.left and self.left[0].tag in tags else None

    def next(self, *tags: int) -> Tlv:
        return present(self.optional(*tags), "a SEQUENCE lacks a member")

    def explicit(self, tag: int) -> Tlv | None:
        """The value inside an EXPLICIT tag; None where it is left out."""
        found = self.optional(tag)
        return None if found is None else only(found.members)


def only(members: Sequence[Tlv]) -> Tlv:
    require(len(members) == 1, "there is not exactly one value")
    return members[0]


def small_integer(tlv: Tlv) -> int:
    number = int.from_bytes(tlv.value, "big", signed=True)
    require(0 <= number < 2**31, "a number is negative or too large")
    return number


def oid(text: str) -> bytes:
    """Encodes an OBJECT IDENTIFIER that is written with dots, without its tag."""
    first, second, *arcs = map(int, text.split("."))
    octets = b""
    for arc in (first * 40 + second, *arcs):
        digits = [arc & 0x7F]
        while arc > 0x7F:
            arc >>= 7
            digits.append(arc & 0x7F | 0x80)
        octets += bytes(reversed(digits))
    return octets


def der(tag: int, value: bytes) -> bytes:
    return bytes([tag, len(value)]) + value


def whole_octets(tlv: Tlv) -> bytes:
    require(tlv.value[0] == 0, "a BIT STRING is not of whole octets")
    return tlv.value[1:]


def read_octets(data: bytes) -> bytes:
    tlv = read_der(data)
    require(tlv.tag == OCTETS, "a value is no OCTET STRING")
    return tlv.value
