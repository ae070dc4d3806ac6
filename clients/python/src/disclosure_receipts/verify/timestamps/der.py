"""DER: X.690 sections 8, 10 and 11, one spelling of each value. BER in another spelling, or larger than what is read
here, can't be judged; what is no BER is damaged.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..checks import judgeable, present, require

BOOLEAN, INTEGER, BITS, OCTETS, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTC_TIME, TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31
CONSTRUCTED, NUMBER = 0x20, 0x1F
COLLECTIONS = (16, 17)
# X.690 sections 8.2 to 8.5, 8.8, 8.19, 8.20: BOOLEAN, INTEGER, NULL, OBJECT IDENTIFIER, REAL, ENUMERATED, RELATIVE-OID.
NEVER_CONSTRUCTED = (1, 2, 5, 6, 9, 10, 13)
MAX_DEPTH = 32
MAX_VALUES = 8_192
# Real identifiers have some ten octets.
MAX_OID_OCTETS = 64
MAX_LENGTH_OCTETS = 4
OID_OCTETS = re.compile(rb"(?:[\x81-\xff][\x80-\xff]*[\x00-\x7f]|[\x00-\x7f])+", re.DOTALL)


class Tlv(NamedTuple):
    """All bytes of one value, its contents, and the values inside if it is constructed."""

    tag: int
    der: bytes
    value: bytes
    members: "Sequence[Tlv]"


def read_der(data: bytes) -> Tlv:
    """Raises Refuted for what is no BER or goes on behind it, Unjudged for other BER than DER and beyond the limits."""
    reading = Reading()
    tlv = reading.value(data, 0, 0)
    require(len(tlv.der) == len(data), "there are bytes behind a value")
    beyond(reading.other_form is None, f"it is not in DER: {reading.other_form}")
    return tlv


def beyond(condition: object, detail: str) -> None:
    judgeable(condition, "beyond_verifier", detail)


class Reading:
    """How many values may still come, and in what the ones so far are not DER; None where they are."""

    def __init__(self) -> None:
        self.left = MAX_VALUES
        self.other_form: str | None = None

    def note(self, is_der: bool, other_form: str) -> None:
        if not is_der and self.other_form is None:
            self.other_form = other_form

    def value(self, data: bytes, start: int, depth: int) -> Tlv:
        beyond(self.left > 0, "there are too many values")
        self.left -= 1
        require(start < len(data), "a value is missing")
        content, length = self.header(data, start)
        if length is None:
            return self.value_of_indefinite_length(data, start, content, depth + 1)
        end = content + length
        require(end <= len(data), "a value is cut")
        inside = data[content:end]
        members = self.values(inside, depth + 1) if data[start] & CONSTRUCTED else ()
        tlv = Tlv(data[start], data[start:end], inside, members)
        self.check_content(tlv)
        return tlv

    def values(self, data: bytes, depth: int) -> list[Tlv]:
        beyond(depth <= MAX_DEPTH, "values are nested too deep")
        values, start = [], 0
        while start < len(data):
            values.append(self.value(data, start, depth))
            start += len(values[-1].der)
        return values

    def value_of_indefinite_length(self, data: bytes, start: int, content: int, depth: int) -> Tlv:
        """X.690 section 8.1.3.6: two zero octets end it. It is never DER, so that nobody asks for its members."""
        beyond(depth <= MAX_DEPTH, "values are nested too deep")
        end = content
        while data[end : end + 2] != b"\x00\x00":
            end += len(self.value(data, end, depth).der)
        return Tlv(data[start], data[start : end + 2], data[content:end], ())

    def header(self, data: bytes, start: int) -> tuple[int, int | None]:
        """Where the contents start, and how long they are; None for an indefinite length."""
        tag, number, at = data[start], data[start] & NUMBER, start + 1
        is_constructed, is_universal = tag & CONSTRUCTED != 0, tag < 0x40
        if is_universal:
            require(is_constructed or number not in COLLECTIONS, "a SEQUENCE or SET holds no values")
            require(not is_constructed or number not in NEVER_CONSTRUCTED, "a value that has no parts has some")
            self.note(not is_constructed or number in COLLECTIONS, "a string is split into pieces")
        if number == NUMBER:
            self.note(False, "a tag is above 30")
            while at < len(data) and data[at] >= 0x80:
                at += 1
            at += 1
        require(at < len(data), "a value is cut")
        return self.length(data, at, is_constructed)

    def length(self, data: bytes, at: int, is_constructed: bool) -> tuple[int, int | None]:
        first, start = data[at], at + 1
        if first < 0x80:
            return start, first
        if first == 0x80:
            require(is_constructed, "a value without parts has no length")
            self.note(False, "a length is indefinite")
            return start, None
        octets = data[start : start + first - 0x80]
        length = int.from_bytes(octets, "big")
        is_shortest = length >= 0x80 and octets[0] != 0 and len(octets) <= MAX_LENGTH_OCTETS
        self.note(is_shortest, "a length is not in its shortest form")
        return start + first - 0x80, length

    def check_content(self, tlv: Tlv) -> None:
        tag, _, value, members = tlv
        if tag == BOOLEAN:
            require(len(value) == 1, "a BOOLEAN is none")
            self.note(value in (b"\x00", b"\xff"), "a BOOLEAN is in another form")
        elif tag == INTEGER:
            require(value, "an INTEGER is none")
            self.note(integer_bytes(int.from_bytes(value, "big", signed=True)) == value, "an INTEGER is padded")
        elif tag == BITS:
            unused = value[0] if value else 8
            require(unused < 8 if len(value) > 1 else unused == 0, "a BIT STRING is none")
            self.note(unused == 0 or value[-1] % (1 << unused) == 0, "a BIT STRING is padded")
        elif tag == NULL:
            require(value == b"", "a NULL is none")
        elif tag == OID:
            require(OID_OCTETS.fullmatch(value), "an OBJECT IDENTIFIER is none")
            beyond(len(value) <= MAX_OID_OCTETS, "an OBJECT IDENTIFIER is absurdly long")
        elif tag == SET:
            self.note([m.der for m in members] == sorted(m.der for m in members), "a SET is not in order")


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
    require(tlv.tag == INTEGER, "a value is no INTEGER")
    number = int.from_bytes(tlv.value, "big", signed=True)
    require(0 <= number < 2**31, "a number is negative or too large")
    return number


def natural(tlv: Tlv) -> int:
    number = int.from_bytes(tlv.value, "big", signed=True)
    require(number >= 0, "a number is negative")
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
