"""One text that a realtime model is asked to say: whether it was said in these words, and heard to its end."""

import asyncio
import re
import unicodedata
from typing import Any

from .playback import MissedReason

# The audio of a response follows soon; where none comes after its end, nothing was said.
NO_AUDIO_SECONDS = 2.0
NO_LETTER = re.compile(r"[\W_]+")


class Utterance:
    """end: None once it was heard to its end, and otherwise why not. key: the request for its response and that one's
    metadata have it. reports_playback: the program tells what was played.
    """

    def __init__(self, text: str, key: str, reports_playback: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self.end: asyncio.Future[MissedReason | None] = self._loop.create_future()
        self._text, self._key, self._reports_playback = words_of(text), key, reports_playback
        self._response_id: str | None = None
        self._is_said = False
        # True once the server tells of its audio buffer, as over SIP: it then tells when all was played.
        self._has_buffer = False
        # When all of its audio will have been played, by the loop's clock; None before any came.
        self._plays_until: float | None = None

    def settle(self, reason: MissedReason | None) -> None:
        if not self.end.done():
            self.end.set_result(reason)

    def interrupt(self) -> None:
        """The caller spoke, and what was still to be played is dropped."""
        if self._response_id is not None:
            self.settle("interrupted")

    def played_out(self) -> None:
        if self._is_said:
            self.settle(None)

    def audio(self, response_id: str, plays_until: float) -> None:
        if response_id == self._response_id:
            self._plays_until = plays_until

    def event(self, event: Any) -> None:
        """One of the Realtime API. All that tell nothing of a response are passed over."""
        if not isinstance(event, dict):
            return
        kind, response, error = event.get("type"), event.get("response"), event.get("error")
        if isinstance(response, dict):
            self._of_response(kind, response)
        elif isinstance(error, dict) and error.get("event_id") == self._key:
            # The server made no response of the request: another was under way, or its limit is reached.
            self.settle("failed")
        elif self._response_id is None or event.get("response_id") != self._response_id:
            return
        elif kind == "response.output_audio_transcript.done":
            self._is_said = self._is_said or self._text in words_of(str(event.get("transcript")))
        elif kind == "output_audio_buffer.started":
            self._has_buffer = True
        elif kind == "output_audio_buffer.cleared":
            self.interrupt()
        elif kind == "output_audio_buffer.stopped":
            self.settle(None if self._is_said else "failed")

    def _of_response(self, kind: Any, response: dict[str, Any]) -> None:
        metadata = response.get("metadata")
        if kind == "response.created" and isinstance(metadata, dict):
            if metadata.get("disclosure") == self._key:
                self._response_id = response.get("id")
        elif kind == "response.done" and self._response_id is not None and response.get("id") == self._response_id:
            self._done(response.get("status"))

    def _done(self, status: Any) -> None:
        """The model has made all of it; most of it is still to be played."""
        if status == "cancelled":
            self.interrupt()
        elif status != "completed" or not self._is_said:
            self.settle("failed")
        elif self._has_buffer or self._reports_playback:
            return
        elif self._plays_until is None:
            self._loop.call_later(NO_AUDIO_SECONDS, lambda: None if self._has_buffer else self.settle("failed"))
        else:
            self._loop.call_at(self._plays_until, self.settle, None)


def words_of(text: str) -> str:
    """The letters and digits of a text: what a voice or a transcript leaves of it does not depend on punctuation."""
    return NO_LETTER.sub(" ", unicodedata.normalize("NFC", text).lower()).strip()
