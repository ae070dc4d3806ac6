"""The text forms of docs/receipt-format.md ("Reading"): each function gives a member, or throws Unreadable."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime, timezone
from typing import Any

from .json_text import Unreadable

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})\Z")
_NODE = re.compile(r"0x([0-9a-f]{64})\Z")
_CHAIN_ID = re.compile(r"[0-9a-f]{32}\Z")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MAX_PATH = 54
LAST_TIME = 253_402_300_799_999


def record(value: Any, name: str) -> dict[str, Any]:
    """An object under `name`."""
    member = value.get(name) if isinstance(value, dict) else None
    if not isinstance(member, dict):
        raise Unreadable(f"{name} is no object")
    return member


def items(value: Any, name: str) -> list[Any]:
    """A list under `name`."""
    member = value.get(name) if isinstance(value, dict) else None
    if not isinstance(member, list):
        raise Unreadable(f"{name} is no list")
    return member


def text(value: Any, name: str) -> str:
    """A string under `name`."""
    member = value.get(name) if isinstance(value, dict) else None
    if not isinstance(member, str):
        raise Unreadable(f"{name} is no text")
    return member


def index(value: Any, name: str) -> int:
    """An integer from 0 under `name`."""
    member = value.get(name) if isinstance(value, dict) else None
    if not isinstance(member, int) or isinstance(member, bool) or member < 0:
        raise Unreadable(f"{name} is no index")
    return member


def index_or_none(value: Any, name: str) -> int | None:
    """An index under `name`, or null."""
    return None if isinstance(value, dict) and name in value and value[name] is None else index(value, name)


def _matched(pattern: re.Pattern[str], value: Any, name: str, what: str) -> str:
    match = pattern.match(text(value, name))
    if match is None:
        raise Unreadable(f"{name} is no {what}")
    return match[match.re.groups]


def digest(value: Any, name: str) -> bytes:
    """The 32 bytes of a digest (`sha256:…`) under `name`."""
    return bytes.fromhex(_matched(_DIGEST, value, name, "digest"))


def node(value: Any, name: str) -> bytes:
    """The 32 bytes of a Merkle node (`0x…`) under `name`."""
    return bytes.fromhex(_matched(_NODE, value, name, "node"))


def path(value: Any, name: str) -> list[bytes]:
    """The nodes of an inclusion or consistency path under `name`."""
    nodes = items(value, name)
    if len(nodes) > MAX_PATH:
        raise Unreadable(f"{name} has more than {MAX_PATH} nodes")
    return [node({name: member}, name) for member in nodes]


def chain_id(value: Any, name: str = "chain_id") -> str:
    """The 32 hex digits of a chain's id."""
    return _matched(_CHAIN_ID, value, name, "chain id")


def time(value: Any, name: str) -> int:
    """A time under `name`, in milliseconds since 1970."""
    stated = _matched(_TIME, value, name, "time")
    try:
        moment = datetime.fromisoformat(stated[:-1] + "+00:00")
    except ValueError as error:
        raise Unreadable(f"{name} is no time") from error
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000


def from_base64(value: str, name: str) -> bytes:
    """The bytes of base64 with padding (RFC 4648 section 4)."""
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable(f"{name} is no base64") from error


def format_time(milliseconds: int) -> str:
    """A time as receipts state it; a number of milliseconds that no time has is shown as it is."""
    if not 0 <= milliseconds <= LAST_TIME:
        return f"{milliseconds} ms"
    moment = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"
