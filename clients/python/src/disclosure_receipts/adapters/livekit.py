"""The adapter for LiveKit Agents: says the texts in an AgentSession, and attests what was played to its end."""

import asyncio
from datetime import datetime, timezone
from typing import Any

from livekit.agents import AgentSession, CloseEvent, ConversationItemAddedEvent
from livekit.agents.llm import AgentHandoff, ChatMessage
from livekit.agents.voice import SpeechHandle

from .core import Disclosure
from .playback import MissedReason, Playback
from .spans import EVENT_ID
from .speaker import Heard, Speaker

# An agent that takes over can't speak until it has started, for which LiveKit has no event.
START_POLL_SECONDS = 0.02
MAX_START_POLLS = 250


class LiveKitDisclosure(Speaker):
    """The disclosures of one session. They are said once it has started."""

    def __init__(self, session: AgentSession[Any], disclosure: Disclosure) -> None:
        super().__init__(disclosure)
        self._session = session
        # The hand-off to an agent that took over, until it is said.
        self._handoff: Playback | None = None
        session.on("conversation_item_added", self._added)
        session.on("close", self._closed)

    def handed_off(self, to: str) -> "asyncio.Task[bool]":
        """The adapter does so by itself; an agent that greets in `on_enter` awaits it there first, so that it comes
        before the greeting.
        """
        playback, self._handoff = self._handoff or self.disclosure.handed_off(to), None
        return self._begin(playback)

    async def _play(self, playback: Playback) -> Heard | MissedReason:
        """Raises where the session can't speak."""
        return "ended" if self._is_closing else await self._finish(self._start(playback))

    @property
    def _is_closing(self) -> bool:
        """From the moment at which the session begins to close, of which LiveKit has no event."""
        return getattr(self._session, "_closing", False)

    def _start(self, playback: Playback) -> SpeechHandle:
        return self._session.say(playback.text, allow_interruptions=playback.interruptible)

    async def _finish(self, speech: SpeechHandle) -> Heard | MissedReason:
        await speech.wait_for_playout()
        if speech.interrupted:
            # A session that closes cuts off what is said. What is said next, it would play to nobody.
            return "ended" if self._is_closing else "interrupted"
        message = next((item for item in speech.chat_items if isinstance(item, ChatMessage)), None)
        if message is None or speech.exception() is not None:
            return "failed"
        # Where nothing interrupted it and no audio began, the voice gave none.
        if "started_speaking_at" not in message.metrics:
            return "failed"
        at = datetime.fromtimestamp(message.metrics["stopped_speaking_at"], timezone.utc)
        return Heard(at, lambda event_id: message.extra.update({EVENT_ID: event_id}))

    def _added(self, event: ConversationItemAddedEvent) -> None:
        item = event.item
        if isinstance(item, AgentHandoff) and item.old_agent_id is not None:
            self.disclosure.guard(lambda: self._take_over(item.new_agent_id))

    def _take_over(self, agent: str) -> None:
        if self._handoff is not None:
            self._handoff.missed("ended")
        self._handoff = self.disclosure.handed_off(agent)
        self._keep(self._say_when_ready(self._handoff))

    async def _say_when_ready(self, playback: Playback) -> bool:
        """Says the hand-off as soon as the new agent can speak, unless that agent has it said itself."""
        for _ in range(MAX_START_POLLS):
            await asyncio.sleep(START_POLL_SECONDS)
            if self._handoff is not playback:
                return False
            if self._is_closing:
                break
            try:
                speech = self._start(playback)
            except RuntimeError:
                continue
            self._handoff = None
            return await self._say(playback, self._finish(speech))
        playback.missed("ended")
        return False

    def _closed(self, _: CloseEvent) -> None:
        self._keep(self.aclose())
