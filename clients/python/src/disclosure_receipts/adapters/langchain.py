"""The adapter for LangChain: a step after the model that puts the label on each message, and attests it when the
message was sent, which is when its reader has asked for what comes after it.
"""

import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable, RunnableGenerator

from .core import Disclosure
from .playback import Playback
from .spans import EVENT_ID, receipt_span

# Where the label stands: in front of the message's text, or on the page that shows it.
LabelIn = Literal["message", "page"]
# In a message's response_metadata: {EVENT_ID: …}, None until the receipt has come, and filled in then.
METADATA = "disclosure"


def disclosure_label(disclosure: Disclosure, *, label_in: LabelIn = "message") -> Runnable[BaseMessage, BaseMessage]:
    """The step for the messages of one conversation, `model | disclosure_label(…)`: the introduction of its wordings is
    the label. A message that has no text, such as a tool call alone, has neither label nor receipt.
    """
    messages = _Messages(disclosure, label_in)

    def transform(parts: Iterator[BaseMessage]) -> Iterator[BaseMessage]:
        message = _Message(messages)
        try:
            for part in parts:
                yield message.labelled(part)
        except BaseException as error:
            message.break_off(error)
            raise
        message.sent()

    async def atransform(parts: AsyncIterator[BaseMessage]) -> AsyncIterator[BaseMessage]:
        message = _Message(messages)
        try:
            async for part in parts:
                yield message.labelled(part)
        except BaseException as error:
            message.break_off(error)
            raise
        message.sent()

    return RunnableGenerator(transform, atransform)


class _Messages:
    """The messages of one conversation, which may be several at a time."""

    def __init__(self, disclosure: Disclosure, label_in: LabelIn) -> None:
        self.disclosure, self._label_in = disclosure, label_in
        # A message that was cut off leaves this to be said with the next.
        self._again: Playback | None = None
        self._lock = threading.Lock()

    def begin(self) -> Playback:
        with self._lock:
            playback, self._again = self._again, None
        return playback or self.disclosure.introduce()

    def miss(self, playback: Playback, reason: Literal["interrupted", "failed"]) -> None:
        again = playback.missed(reason)
        with self._lock:
            # The next message has one label: that of the message that was cut off first.
            if self._again is None:
                self._again, again = again, None
        if again is not None:
            again.missed("ended")

    def label_of(self, playback: Playback) -> str:
        return "" if self._label_in == "page" else f"{playback.text}\n\n"


class _Message:
    def __init__(self, messages: _Messages) -> None:
        self._messages = messages
        self._playback: Playback | None = None
        self._metadata: dict[str, str | None] = {EVENT_ID: None}

    def labelled(self, part: BaseMessage) -> BaseMessage:
        """The first part that has text comes with the label, and with where the event id will be."""
        if self._playback is not None or not part.text or not isinstance(part, (AIMessage, AIMessageChunk)):
            return part
        self._playback = self._messages.begin()
        changes: dict[str, Any] = {"response_metadata": {**part.response_metadata, METADATA: self._metadata}}
        label = self._messages.label_of(self._playback)
        if label:
            content = part.content
            changes["content"] = (
                label + content if isinstance(content, str) else [{"type": "text", "text": label}, *content]
            )
        return part.model_copy(update=changes)

    def sent(self) -> None:
        if self._playback is None:
            return
        end_span = receipt_span()

        def on_receipt(event_id: str) -> None:
            self._metadata[EVENT_ID] = event_id
            end_span(event_id)

        self._playback.played(on_receipt=on_receipt)

    def break_off(self, error: BaseException) -> None:
        """The model failed, or the reader went away."""
        if self._playback is not None:
            self._messages.miss(self._playback, "failed" if isinstance(error, Exception) else "interrupted")
