"""Shapes: a function of a value that says whether it is one."""

import re
from collections.abc import Callable
from typing import Any

from .checks import Unreadable
from .instants import milliseconds
from .limits import MAX_INTEGER, MAX_PATH_NODES, MAX_TEXT_LENGTH

Shape = Callable[[Any], bool]


def matching(pattern: str, most: int = 128) -> Shape:
    """The shape of a text that fits the pattern and has at most so many characters."""
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and len(value) <= most and compiled.fullmatch(value) is not None


def literal(*values: str) -> Shape:
    return lambda value: isinstance(value, str) and value in values


def integer(least: int) -> Shape:
    return lambda value: type(value) is int and least <= value <= MAX_INTEGER


def optional(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def list_of(shape: Shape, most: int | None = None) -> Shape:
    return lambda value: (
        isinstance(value, list) and (most is None or len(value) <= most) and all(map(shape, value))
    )


def having(**members: Shape) -> Shape:
    return lambda value: isinstance(value, dict) and all(
        name in value and shape(value[name]) for name, shape in members.items()
    )


def may_have(shape: Shape, **members: Shape) -> Shape:
    """The shape with more members, which may be absent."""
    return lambda value: shape(value) and all(
        member(value[name]) for name, member in members.items() if name in value
    )


def is_time(value: Any) -> bool:
    if not matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")(value):
        return False
    try:
        milliseconds(value)
        return True
    except ValueError:
        return False


def is_date(value: Any) -> bool:
    return matching(r"\d{4}-\d\d-\d\d")(value) and is_time(value + "T00:00:00.000Z")


def is_stated_time(value: Any) -> bool:
    """A caller may leave out the milliseconds."""
    return is_time(value) or (isinstance(value, str) and len(value) == 20 and is_time(value[:-1] + ".000Z"))


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_object(value: Any) -> bool:
    return isinstance(value, dict)


is_digest = matching(r"sha256:[0-9a-f]{64}")
is_node = matching(r"0x[0-9a-f]{64}")
is_index = integer(0)
is_size = integer(1)
is_path = list_of(is_node, MAX_PATH_NODES)
VERSIONED_UUID = r"(?i:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"
# The nil and the max UUID (RFC 9562 sections 5.9 and 5.10) have no version.
is_uuid = matching(VERSIONED_UUID + "|" + "|".join(f"{d * 8}-{d * 4}-{d * 4}-{d * 4}-{d * 12}" for d in "0f"))
is_chain_id = matching(r"[0-9a-f]{32}")
BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
is_token = matching(BASE64, MAX_TEXT_LENGTH)
is_signed_root = matching(BASE64, 4 * 1024)
is_status = literal("pending", "included")
is_modality = literal("voice", "chat", "walkthrough")


def readable(shape: Shape, value: Any, what: str) -> Any:
    if not shape(value):
        raise Unreadable(f"this does not have the shape of a {what}")
    return value
