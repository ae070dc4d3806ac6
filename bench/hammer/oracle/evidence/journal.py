"""calls.jsonl: every logical call with its answer, read once, line by line, and kept small."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..formats import shapes
from ..formats.json_text import Unreadable, hash_of, parse_object

# A request that is refused with one of these is refused each time: no earlier try of it has written anything.
NEVER_WRITTEN = frozenset({400, 409, 413, 415, 422})


@dataclass(slots=True)
class Line:
    """One line of the journal. `receipt` is the answer's, as it came."""

    number: int
    tenant: int
    interaction_id: str
    key: str | None
    input_hash: bytes | None
    request: Any
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
    inputs: set[bytes]
    conversation: int
    budget: int


@dataclass
class Conversations:
    """Numbers for conversations. The interaction ids stay in here."""

    numbers: dict[tuple[int, str], int] = field(default_factory=dict)

    def number(self, tenant: int, interaction_id: str) -> int:
        return self.numbers.setdefault((tenant, interaction_id), len(self.numbers))


def lines_of(folder: Path) -> Iterator[tuple[int, Line | Unreadable]]:
    """Each line by its number, or why it can't be read."""
    with (folder / "calls.jsonl").open("rb") as journal:
        for number, text in enumerate(journal, start=1):
            if text.strip() == b"":
                continue
            try:
                yield number, _line(number, parse_object(text))
            except Unreadable as error:
                yield number, error


def _line(number: int, entry: Any) -> Line:
    request, input_hash = _request(entry)
    return Line(
        number=number,
        tenant=shapes.index(entry, "tenant"),
        interaction_id=shapes.text(entry, "interaction_id"),
        key=None if entry.get("idempotency_key") is None else shapes.text(entry, "idempotency_key"),
        input_hash=input_hash,
        request=request,
        asked_at=shapes.index(entry, "asked_at"),
        answered_at=None if entry.get("answered_at") is None else shapes.index(entry, "answered_at"),
        tries=shapes.index(entry, "tries"),
        status=None if entry.get("status") is None else shapes.index(entry, "status"),
        event_id=None if entry.get("event_id") is None else shapes.text(entry, "event_id"),
        receipt=entry.get("receipt"),
    )


def _request(entry: Any) -> tuple[dict[str, Any] | None, bytes | None]:
    """The request that was sent, and its hash; nothing where no receipt can hold it."""
    try:
        request = parse_object(shapes.text(entry, "body"))
        return request, hash_of(request)
    except Unreadable:
        return None, None


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
