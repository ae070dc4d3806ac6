"""JSON that two readers can't understand differently, and its canonical form (RFC 8785)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

MAX_SAFE_INTEGER = 2**53 - 1


class Unreadable(ValueError):
    """The answer has not the shape that the documents give it. The message says which part and why, never a secret."""


class Inexact:
    """A number with a fraction or an exponent. No receipt holds one, so it can't be hashed."""

    def __init__(self, digits: str) -> None:
        self.digits = digits


def _integer(digits: str) -> int:
    value = int(digits) if len(digits) <= 17 else MAX_SAFE_INTEGER + 1
    if abs(value) > MAX_SAFE_INTEGER:
        raise Unreadable("an integer is beyond 2^53 - 1")
    return value


def _constant(name: str) -> Any:
    raise Unreadable(f"{name} is no JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable("a member name comes twice in one object")
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=Inexact, parse_int=_integer, parse_constant=_constant
)
# Names in ASCII sort alike by code points and by UTF-16 units, so the encoder in C gives the canonical form.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text in UTF-8. Throws Unreadable."""
    try:
        return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON in UTF-8 ({type(error).__name__})") from error


def parse_object(text: str | bytes) -> dict[str, Any]:
    """The object of a JSON text. Throws Unreadable for any other value, too."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise Unreadable("it is no JSON object")
    return value


def canonical(value: Any) -> bytes:
    """RFC 8785 of a value whose numbers are integers. Throws Unreadable for any other."""
    try:
        text = _ENCODER.encode(value)
        return text.encode("ascii") if text.isascii() else _in_utf16_order(value).encode("utf-8")
    except (TypeError, UnicodeEncodeError) as error:
        raise Unreadable("it holds a number that is no integer, or a lone surrogate") from error


def _in_utf16_order(value: Any) -> str:
    """RFC 8785 section 3.2.3: names are sorted by their UTF-16 units."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return "{" + ",".join(f"{_ENCODER.encode(name)}:{_in_utf16_order(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_in_utf16_order, value)) + "]"
    return _ENCODER.encode(value)


def hash_of(value: Any) -> bytes:
    """SHA-256 over the canonical form."""
    return hashlib.sha256(canonical(value)).digest()
