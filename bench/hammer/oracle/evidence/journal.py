"""calls.jsonl: every logical call with its answer, read once, line by line, and kept small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.hashes import digest, hash_json
from disclosure_receipts.verify.json_input import JsonObject, read_json
from disclosure_receipts.verify.shapes import having, is_index, is_object, is_text, optional, readable

# A request that is refused with one of these is refused each time: no earlier try of it has written anything.
NEVER_WRITTEN = frozenset({400, 409, 413, 415, 422})


@dataclass(slots=True)
class Line:
    """One line of the journal. `receipt` is the answer's, as it came."""

    number: int
    tenant: int
    interaction_id: str
    key: str | None
    input_hash: str | None
    request: JsonObject | None
    asked_at: int
    answered_at: int | None
    tries: int
    status: int | None
    event_id: str | None
    receipt: Any


@dataclass(slots=True)
class OpenCall:
    """A call that may have left up to `budget` receipts that no answer showed."""

    tenant: int
    inputs: set[str]
    conversation: int
    budget: int


@dataclass
class Conversations:
    """Numbers for conversations. The interaction ids stay in here."""

    numbers: dict[tuple[int, str], int] = field(default_factory=dict)

    def number(self, tenant: int, interaction_id: str) -> int:
        return self.numbers.setdefault((tenant, interaction_id), len(self.numbers))


is_line = having(
    tenant=is_index,
    interaction_id=is_text,
    idempotency_key=optional(is_text),
    body=is_text,
    asked_at=is_index,
    answered_at=optional(is_index),
    tries=is_index,
    status=optional(is_index),
    event_id=optional(is_text),
)


def lines_of(folder: Path) -> Iterator[tuple[int, Line | Unreadable]]:
    """Each line by its number, or why it can't be read."""
    with (folder / "calls.jsonl").open("rb") as journal:
        for number, text in enumerate(journal, start=1):
            if text.strip() == b"":
                continue
            try:
                yield number, _line(number, readable(is_line, read_json(text), "line of the journal"))
            except Unreadable as error:
                yield number, error


def _line(number: int, entry: JsonObject) -> Line:
    request = _request(entry["body"])
    return Line(
        number=number,
        tenant=entry["tenant"],
        interaction_id=entry["interaction_id"],
        key=entry["idempotency_key"],
        input_hash=None if request is None else digest(hash_json(request)),
        request=request,
        asked_at=entry["asked_at"],
        answered_at=entry["answered_at"],
        tries=entry["tries"],
        status=entry["status"],
        event_id=entry["event_id"],
        receipt=entry.get("receipt"),
    )


def _request(body: str) -> JsonObject | None:
    """The request that was sent; None where no receipt can hold it."""
    try:
        request: JsonObject = readable(is_object, read_json(body.encode("utf-8")), "request")
        return request
    except (Unreadable, UnicodeEncodeError):
        return None


def may_have_written(line: Line) -> bool:
    """True if a call that was not answered with a receipt may have left one."""
    if line.status is None or line.status == 429 or line.status >= 500:
        return True
    return line.status not in NEVER_WRITTEN and line.tries > 1


def open_budget(line: Line) -> int:
    """How many receipts a call without a key may have left beside its answer: one for each unanswered try."""
    if line.status == 200:
        return max(0, line.tries - 1)
    return max(1, line.tries) if may_have_written(line) else 0
