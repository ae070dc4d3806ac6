"""One saying of a registered text: what is said, and how it ends, which it does once."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, NamedTuple

from .statements import Statement

# Why nobody heard the text to its end: it was talked over, the stack failed, or the conversation ended.
MissedReason = Literal["interrupted", "failed", "ended"]
# Gets the event id of a receipt.
OnEventId = Callable[[str], Any]


class Said(NamedTuple):
    """text: what is to be said or shown, which is the registered text, its gap filled. agent_identity: who says it."""

    statement: Statement
    text: str
    interruptible: bool
    is_repetition: bool
    agent_identity: str


class Ends(NamedTuple):
    """The two ends of a playback. `missed` returns the one that repeats it, where there is one."""

    played: Callable[["Playback", datetime | None, OnEventId | None], None]
    missed: Callable[["Playback", MissedReason], "Playback | None"]


class Playback:
    """The first end counts."""

    def __init__(self, said: Said, ends: Ends) -> None:
        self.said = said
        self._ends, self._lock, self._is_over = ends, threading.Lock(), False

    @property
    def text(self) -> str:
        return self.said.text

    @property
    def interruptible(self) -> bool:
        return self.said.interruptible

    def played(self, at: datetime | None = None, on_receipt: OnEventId | None = None) -> bool:
        """The playback ended uninterrupted, at that time or now, or the message was sent: it is attested. `on_receipt`
        gets the event id. False where it had ended before.
        """
        if not self._end():
            return False
        self._ends.played(self, at, on_receipt)
        return True

    def missed(self, reason: MissedReason) -> "Playback | None":
        """It was cut off or failed: nothing is attested. Returns what to play now, or None after the second time."""
        return self._ends.missed(self, reason) if self._end() else None

    def _end(self) -> bool:
        with self._lock:
            was_over, self._is_over = self._is_over, True
            return not was_over
