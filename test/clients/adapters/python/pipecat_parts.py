"""A voice and a loudspeaker for Pipecat's pipelines that need no network. The loudspeaker takes as long as the audio is,
so that a playback can be cut off.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Literal

from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.pipecat import PipecatDisclosure
from pipecat.frames.frames import EndFrame, ErrorFrame, Frame, OutputAudioRawFrame, StartFrame, TTSAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.services.settings import TTSSettings
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner

from .conversations import AUDIO

SAMPLE_RATE = 16_000
SPEECH_SECONDS = 0.4
CHUNKS = 10
# So long after its last audio the voice counts as silent.
STOP_SECONDS = 0.2

Voice = Literal["speaks", "is silent", "fails", "breaks off"]


class TestVoice(TTSService):
    def __init__(self, state: Voice) -> None:
        settings = TTSSettings(model=None, voice=None, language=None)
        super().__init__(
            sample_rate=SAMPLE_RATE,
            settings=settings,
            push_start_frame=True,
            push_stop_frames=True,
            stop_frame_timeout_s=STOP_SECONDS,
        )
        self.state = state

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        if self.state == "fails":
            yield ErrorFrame("the voice failed")
        if self.state in ("is silent", "fails"):
            return
        # Two bytes a sample.
        audio = (AUDIO * SAMPLE_RATE)[: 2 * int(SAMPLE_RATE * SPEECH_SECONDS / CHUNKS)]
        for number in range(CHUNKS):
            if self.state == "breaks off" and number == CHUNKS // 2:
                yield ErrorFrame("the voice broke off")
                return
            yield TTSAudioRawFrame(audio, SAMPLE_RATE, 1, context_id=context_id)


class Loudspeaker(BaseOutputTransport):
    def __init__(self) -> None:
        super().__init__(TransportParams(audio_out_enabled=True, audio_out_sample_rate=SAMPLE_RATE))
        self.on_sound: Callable[[], Any] = lambda: None
        self.is_connected = True

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        self.on_sound()
        await asyncio.sleep(frame.num_frames / frame.sample_rate)
        return self.is_connected


class Call:
    """A pipeline with a voice and a loudspeaker."""

    def __init__(self, voice: Voice = "speaks") -> None:
        self.voice, self.loudspeaker = TestVoice(voice), Loudspeaker()
        self.worker = PipelineWorker(
            Pipeline([self.voice, self.loudspeaker]), cancel_on_idle_timeout=False, enable_rtvi=False
        )
        self._runner = WorkerRunner(handle_sigint=False)

    async def start(self) -> "asyncio.Task[None]":
        await self._runner.add_workers(self.worker)
        return asyncio.get_running_loop().create_task(self._runner.run())


async def talk(disclosure: Disclosure) -> None:
    call = Call()
    adapter = PipecatDisclosure(call.worker, disclosure)
    running = await call.start()
    await adapter.introduce()
    await adapter.remind()
    await call.worker.queue_frame(EndFrame())
    await running
