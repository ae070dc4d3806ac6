"""The fields of a request, and those that a receipt shows of it, as docs/receipt-format.md has them: fields.json."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from .limits import MAX_TEXT_LENGTH
from .shapes import Shape, having, is_stated_time, is_text, literal, matching, may_have


class Field(NamedTuple):
    """The rule is in words that hold none of the field's value."""

    shape: Shape
    rule: str
    is_optional: bool


def read_field(said: Mapping[str, Any]) -> Field:
    return Field(shape_of(said), said.get("rule", ""), said.get("optional", False))


def shape_of(said: Mapping[str, Any]) -> Shape:
    if said.get("format") == "date-time":
        return is_stated_time
    if "enum" in said:
        return literal(*said["enum"])
    return matching(said["pattern"], MAX_TEXT_LENGTH) if "pattern" in said else is_text


def object_with(fields: Mapping[str, Field]) -> Shape:
    required = {name: field.shape for name, field in fields.items() if not field.is_optional}
    return may_have(having(**required), **{name: fields[name].shape for name in fields if name not in required})


LISTS = json.loads(files("disclosure_receipts").joinpath("fields.json").read_text("utf-8"))
REQUEST, DISCLOSURE = (
    {name: read_field(said) for name, said in LISTS[part].items()} for part in ("request", "disclosure")
)
