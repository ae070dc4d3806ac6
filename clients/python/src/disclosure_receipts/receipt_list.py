"""The list of a tenant's receipts, page by page."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlencode

from .options import invalid_option
from .verified import refuse
from .verify.json_input import JsonObject
from .verify.shapes import (
    having,
    is_chain_id,
    is_digest,
    is_index,
    is_modality,
    is_size,
    is_text,
    is_time,
    is_uuid,
    list_of,
    literal,
    optional,
)

RECEIPTS_PATH = "/v1/receipts"
MAX_PAGE_RECEIPTS = 100
is_receipt_list = having(
    receipts=list_of(
        having(
            event_id=is_uuid,
            issued_at=is_time,
            chain_id=is_chain_id,
            sequence=is_index,
            turn=is_size,
            verdict=literal("ALLOW", "MODIFY", "BLOCK"),
            subject_hash=is_digest,
            wording_id=optional(is_text),
            disclosure_method=is_text,
            modality=is_modality,
            jurisdiction=is_text,
            findings=list_of(is_text),
        ),
        MAX_PAGE_RECEIPTS,
    ),
    next=optional(is_text),
)


def list_all(read: Callable[[str], Any], asked: Mapping[str, Any]) -> Iterator[JsonObject]:
    """`read` answers with the JSON of a path. Raises what it raises, and `receipt_invalid` for what is no list."""
    query = {name: range_end(name, value) for name, value in asked.items() if value is not None}
    while True:
        answer = read(f"{RECEIPTS_PATH}?{urlencode(query)}")
        if not is_receipt_list(answer):
            refuse("is not a list of receipts", answer)
        yield from answer["receipts"]
        following = answer["next"]
        if following is None:
            return
        if following == query.get("cursor"):
            refuse("leads back to its own page", answer, {"next": following})
        query["cursor"] = following


def range_end(name: str, value: Any) -> str:
    """A time with its zone, or a text as the service takes it. A time without a zone could be any."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    raise invalid_option(name, "must be a text, or a datetime with its zone")
