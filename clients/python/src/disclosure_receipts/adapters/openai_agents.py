"""The adapter for realtime sessions of the OpenAI Agents SDK: has the model say the texts, and attests what was played
to its end in these very words. A model may say something else, so its transcript is compared with the text, here, and
goes nowhere.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

from agents.realtime import RealtimeHandoffEvent, RealtimeModelEvent, RealtimeSession, RealtimeSessionEvent
from agents.realtime.model import RealtimeModelListener
from agents.realtime.model_inputs import RealtimeModelSendRawMessage

from ..options import require_callable
from ..queue.durable_queue import DEFAULT_TIMEOUT
from .core import Disclosure
from .playback import MissedReason, Playback
from .speaker import Heard, Speaker
from .utterance import Utterance

# PCM with 16 bits at 24 kHz.
DEFAULT_BYTES_PER_SECOND = 48_000
INSTRUCTION = (
    "Say the following text word for word, in its own language. "
    "Add nothing, leave nothing out, and say nothing else:\n\n"
)


class RealtimeDisclosure(Speaker):
    """The disclosures of one session, once it is connected.

    `hold` is called with True before and with False after a text that nobody may interrupt: keep the caller's audio
    from the model meanwhile. With `reports_playback` the program calls `played_out` itself, for it knows when its
    loudspeaker or telephone line has played all. `bytes_per_second`: 8000 for G.711.
    """

    def __init__(
        self,
        session: RealtimeSession,
        disclosure: Disclosure,
        *,
        hold: Callable[[bool], object] | None = None,
        reports_playback: bool = False,
        bytes_per_second: int = DEFAULT_BYTES_PER_SECOND,
    ) -> None:
        require_callable("hold", hold)
        super().__init__(disclosure)
        self._session, self._hold = session, hold
        self._reports_playback, self._bytes_per_second = reports_playback, bytes_per_second
        self._utterances: list[Utterance] = []
        # When all audio that came so far will have been played: each response's is played after that of those before.
        self._plays_until = 0.0
        session.model.add_listener(_Listener(self))

    async def events(self) -> AsyncIterator[RealtimeSessionEvent]:
        """The session's events, to be read in place of the session's own: a hand-off among them is said at once."""
        async for event in self._session:
            if isinstance(event, RealtimeHandoffEvent):
                self.handed_off(event.to_agent.name)
            yield event

    async def aclose(self, *, timeout: float = DEFAULT_TIMEOUT) -> bool:
        for utterance in list(self._utterances):
            utterance.settle("ended")
        return await super().aclose(timeout=timeout)

    def played_out(self) -> None:
        """All audio that came so far was heard."""
        for utterance in list(self._utterances):
            utterance.played_out()

    def tell(self, event: RealtimeModelEvent) -> None:
        """Takes what the model's transport told."""
        if event.type == "audio":
            now = asyncio.get_running_loop().time()
            self._plays_until = max(self._plays_until, now) + len(event.data) / self._bytes_per_second
        elif event.type == "audio_interrupted":
            self._plays_until = 0.0
        for utterance in list(self._utterances):
            if event.type == "raw_server_event":
                utterance.event(event.data)
            elif event.type == "audio":
                utterance.audio(event.response_id, self._plays_until)
            elif event.type == "audio_interrupted":
                utterance.interrupt()
            elif event.type == "end_of_stream" or (
                event.type == "connection_status" and event.status == "disconnected"
            ):
                utterance.settle("ended")

    async def _play(self, playback: Playback) -> Heard | MissedReason:
        key = str(uuid4())
        utterance = Utterance(playback.text, key, self._reports_playback)
        self._utterances.append(utterance)
        self._keep_silent(playback, True)
        try:
            await self._ask(playback.text, key)
            reason = await utterance.end
        finally:
            self._utterances.remove(utterance)
            self._keep_silent(playback, False)
        return Heard() if reason is None else reason

    async def _ask(self, text: str, key: str) -> None:
        response = {"instructions": INSTRUCTION + text, "metadata": {"disclosure": key}, "tool_choice": "none"}
        request = {"event_id": key, "response": response}
        await self._session.model.send_event(
            RealtimeModelSendRawMessage({"type": "response.create", "other_data": request})
        )

    def _keep_silent(self, playback: Playback, is_on: bool) -> None:
        hold = self._hold
        if hold is not None and not playback.interruptible:
            self.disclosure.guard(lambda: hold(is_on))


class _Listener(RealtimeModelListener):
    def __init__(self, owner: RealtimeDisclosure) -> None:
        self._owner = owner

    async def on_event(self, event: RealtimeModelEvent) -> None:
        self._owner.disclosure.guard(lambda: self._owner.tell(event))
