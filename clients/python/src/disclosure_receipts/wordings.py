"""The wordings of the layers that ship, as programs look them up: by id or digest, and ready to be attested."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from .errors import ClientError
from .verify.json_input import JsonObject


class Wording(NamedTuple):
    """One approved text. retired_on: the last day, in UTC, on which it may be used; None while it has none."""

    id: str
    jurisdiction: str
    language: str
    modality: str
    methods: tuple[str, ...]
    #: The methods by which it is said or shown: those by which it is only reported are not among them.
    direct_methods: tuple[str, ...]
    text: str
    digest: str
    use: str
    sources: tuple[str, ...]
    approved_on: str
    retired_on: str | None


@lru_cache(maxsize=1)
def shipped_wordings() -> tuple[Wording, ...]:
    """All of them, retired ones too."""
    layers = json.loads(files(__package__).joinpath("wordings.json").read_text("utf-8"))
    return tuple(read_wording(one, layer) for layer in layers for one in layer["wordings"])


def read_wording(one: dict[str, Any], layer: dict[str, Any]) -> Wording:
    reported = {method["id"] for method in layer["disclosure_methods"] if method.get("reported")}
    lists = {
        "methods": tuple(one["methods"]),
        "direct_methods": tuple(method for method in one["methods"] if method not in reported),
        "sources": tuple(one["sources"]),
    }
    return Wording(**{**one, **lists}, jurisdiction=layer["jurisdiction"])


def find_wording(digest_or_id: str) -> Wording | None:
    """None for what no layer has: a wording of one's own, or one that was published later."""
    return next((one for one in shipped_wordings() if digest_or_id in (one.digest, one.id)), None)


def wordings_of(jurisdiction: str) -> list[Wording]:
    """The wordings of a jurisdiction (ISO 3166-1 alpha-2); none where it has no layer."""
    return [one for one in shipped_wordings() if one.jurisdiction == jurisdiction]


def disclosure_of(wording_id: str, method: str | None = None) -> JsonObject:
    """The part of the request for a wording that was said or shown; `method` is needed where it can be so by several.

    The digest is that of the text as the layer has it, any gap unfilled. Raises `invalid_request` for an id of no
    wording, or another method.
    """
    wording = find_wording(wording_id)
    if wording is None:
        raise ClientError("invalid_request", f"there is no wording {wording_id}")
    if method not in wording.methods and not (method is None and len(wording.direct_methods) == 1):
        raise ClientError("invalid_request", f"name a method of {wording_id}: {', '.join(wording.methods)}")
    return {
        "modality": wording.modality,
        "article_50_clause": "1",
        "disclosure_method": method or wording.direct_methods[0],
        "jurisdiction": wording.jurisdiction,
        "subject_hash": wording.digest,
    }
