"""Reads JSON so that no two readers understand it differently."""

import json
from typing import Any, NoReturn

from .checks import Unreadable
from .limits import MAX_DEPTH, MAX_INTEGER, MAX_LIST_LENGTH, MAX_TEXT_LENGTH

JsonObject = dict[str, Any]


def read_json(data: bytes, longest: int = MAX_LIST_LENGTH) -> Any:
    """Reads JSON in which no list is longer than this."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=read_object,
            parse_int=read_number,
            parse_float=read_number,
            parse_constant=read_constant,
        )
        check_values(value, 0, longest)
        return value
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this can't be read as JSON: {error}") from error


def read_object(pairs: list[tuple[str, Any]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has two members of one name")
    return members


def read_number(text: str) -> int | float:
    """The numbers of JSON are read as doubles: 1.0 and 1e0 are the integer 1."""
    number = float(text)
    if abs(number) > MAX_INTEGER:
        raise ValueError("a number is beyond what a double holds exactly")
    return int(number) if number.is_integer() else number


def read_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number in JSON")


def check_values(value: Any, depth: int, longest: int) -> None:
    if isinstance(value, str):
        if utf16_length(value) > MAX_TEXT_LENGTH:
            raise ValueError("a text is longer than any in evidence")
    elif isinstance(value, (dict, list)):
        check_list(value, depth, longest)


def utf16_length(text: str) -> int:
    """Counts UTF-16 units, as ECMAScript does. Encoding fails on a lone surrogate."""
    return len(text.encode("utf-16-le")) // 2


def check_list(value: Any, depth: int, longest: int) -> None:
    """Checks the members of a list or an object, and its size."""
    if depth == MAX_DEPTH:
        raise ValueError("the nesting is too deep")
    if isinstance(value, list) and len(value) > longest:
        raise ValueError("a list is longer than any in evidence")
    for name in value if isinstance(value, dict) else ():
        name.encode("utf-8")
    for member in value.values() if isinstance(value, dict) else value:
        check_values(member, depth + 1, longest)
