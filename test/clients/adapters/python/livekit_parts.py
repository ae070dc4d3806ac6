"""A voice and a loudspeaker for LiveKit's AgentSession that need no network and no room. The loudspeaker takes as long as
the audio is, so that a playback can be cut off.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Literal

from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.livekit import LiveKitDisclosure
from livekit import rtc
from livekit.agents import APIConnectOptions, APIError, tts
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from livekit.agents.voice import Agent, AgentSession
from livekit.agents.voice.io import AudioOutput, AudioOutputCapabilities

from .conversations import AUDIO

SAMPLE_RATE = 16_000
SPEECH_SECONDS = 0.4

Voice = Literal["speaks", "is silent", "fails", "breaks off"]


class Speech(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        voice = self._tts
        assert isinstance(voice, TestVoice)
        if voice.state == "fails":
            raise APIError("the voice failed", retryable=False)
        output_emitter.initialize(
            request_id="1", sample_rate=SAMPLE_RATE, num_channels=1, mime_type="audio/pcm"
        )
        if voice.state == "is silent":
            return
        # Two bytes a sample.
        half = (AUDIO * SAMPLE_RATE)[: int(SAMPLE_RATE * SPEECH_SECONDS)]
        output_emitter.push(half)
        if voice.state == "breaks off":
            await asyncio.sleep(SPEECH_SECONDS / 4)
            raise APIError("the voice broke off", retryable=False)
        output_emitter.push(half)
        output_emitter.flush()


class TestVoice(tts.TTS[Any]):
    def __init__(self) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=SAMPLE_RATE, num_channels=1
        )
        self.state: Voice = "speaks"

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return Speech(tts=self, input_text=text, conn_options=conn_options)


class Loudspeaker(AudioOutput):
    def __init__(self) -> None:
        super().__init__(
            label="test", capabilities=AudioOutputCapabilities(pause=False), sample_rate=SAMPLE_RATE
        )
        self.on_sound: Callable[[], Any] = lambda: None
        self._pushed = self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if self._pushed == 0:
            self._began = time.time()
            self.on_playback_started(created_at=self._began)
            asyncio.get_running_loop().call_later(SPEECH_SECONDS / 8, self.on_sound)
        self._pushed += frame.duration

    def flush(self) -> None:
        super().flush()
        if self._pushed > 0:
            left = self._pushed - (time.time() - self._began)
            self._timer = asyncio.get_running_loop().call_later(max(0.0, left), self._end, False)

    def clear_buffer(self) -> None:
        if self._pushed > 0:
            self._end(True)

    def _end(self, interrupted: bool) -> None:
        if self._timer is not None:
            self._timer.cancel()
        position, self._pushed = min(self._pushed, time.time() - self._began), 0.0
        self.on_playback_finished(playback_position=position, interrupted=interrupted)


class Call:
    """A session with a voice and a loudspeaker."""

    def __init__(self) -> None:
        self.voice, self.loudspeaker = TestVoice(), Loudspeaker()
        self.session: AgentSession[None] = AgentSession(tts=self.voice, vad=None)
        self.session.output.audio = self.loudspeaker

    async def start(self, agent: Agent | None = None) -> None:
        await self.session.start(agent or Agent(instructions=""), record=False)


async def talk(disclosure: Disclosure) -> None:
    call = Call()
    await call.start()
    adapter = LiveKitDisclosure(call.session, disclosure)
    await adapter.introduce()
    await adapter.remind()
    await call.session.aclose()
