"""The adapter for Pipecat: has the pipeline's voice say the texts, and attests what its output played to the end."""

import asyncio
from functools import partial
from itertools import count

from pipecat.frames.frames import (
    AggregatedTextFrame,
    CancelFrame,
    EndFrame,
    ErrorFrame,
    Frame,
    InterruptionFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.worker import PipelineWorker
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport

from .core import Disclosure
from .playback import MissedReason, Playback
from .speaker import Heard, Speaker

# Less audio than this may stay in a filter of the output.
MAX_LOST_SECONDS = 0.25


class PipecatDisclosure(Speaker):
    """The disclosures of one pipeline, whose worker has not run yet."""

    def __init__(self, worker: PipelineWorker, disclosure: Disclosure) -> None:
        super().__init__(disclosure)
        self._worker, self._numbers = worker, count(1)
        self._observer = _Observer(self)
        worker.add_observer(self._observer)

    async def _play(self, playback: Playback) -> Heard | MissedReason:
        if self._observer.is_over:
            return "ended"
        utterance = _Utterance(f"disclosure-{next(self._numbers)}", playback.interruptible)
        self._observer.utterances.append(utterance)
        try:
            frame = TTSSpeakFrame(playback.text, text_type=utterance.text_type)
            frame.interruptible = playback.interruptible
            await self._worker.queue_frame(frame)
            reason = await utterance.end
        finally:
            self._observer.utterances.remove(utterance)
        return Heard() if reason is None else reason


class _Utterance:
    """One text that is being said. end: None once it was played to its end, and otherwise why not."""

    def __init__(self, text_type: str, interruptible: bool) -> None:
        self.text_type, self.interruptible = text_type, interruptible
        self.end: asyncio.Future[MissedReason | None] = asyncio.get_running_loop().create_future()
        self._context: str | None = None
        self._made = self._played = 0.0
        self._is_played = False

    def settle(self, reason: MissedReason | None) -> None:
        if not self.end.done():
            self.end.set_result(reason)

    def pushed(self, frame: Frame, by_output: bool) -> None:
        """The voice gives its text a context, and its audio has that. The output plays frames in order, pushes each
        after it, and cuts the audio anew: what it pushes between start and stop is this one's.
        """
        if isinstance(frame, AggregatedTextFrame) and frame.text_type == self.text_type:
            self._context = frame.context_id or self._context
        elif isinstance(frame, TTSAudioRawFrame):
            if by_output and self._is_played:
                self._played += seconds_of(frame)
            elif not by_output and frame.context_id is not None and frame.context_id == self._context:
                self._made += seconds_of(frame)
        elif isinstance(frame, (TTSStartedFrame, TTSStoppedFrame)) and by_output:
            self._is_played = self._context is not None and frame.context_id == self._context
            if isinstance(frame, TTSStoppedFrame) and self._is_played:
                whole = 0 < self._made <= self._played + MAX_LOST_SECONDS
                self.settle(None if whole else "failed")


class _Observer(BaseObserver):
    """Sees every frame of the pipeline, and passes on none."""

    def __init__(self, owner: PipecatDisclosure) -> None:
        super().__init__()
        self._owner = owner
        self.utterances: list[_Utterance] = []
        # From the pipeline's end on, nobody tells of a playback any more.
        self.is_over = False

    async def on_push_frame(self, data: FramePushed) -> None:
        by_output = isinstance(data.source, BaseOutputTransport)
        # Others push on what voice and output pushed first.
        if not (by_output or data.first_push):
            return
        for utterance in list(self.utterances):
            reason = reason_of(data.frame, by_output)
            if reason is None:
                self._owner.disclosure.guard(partial(utterance.pushed, data.frame, by_output))
            elif reason != "interrupted" or utterance.interruptible:
                utterance.settle(reason)

    async def cleanup(self) -> None:
        """The pipeline has ended."""
        self.is_over = True
        await super().cleanup()  # type: ignore[no-untyped-call]
        for utterance in self.utterances:
            utterance.settle("ended")
        await self._owner.aclose()


def reason_of(frame: Frame, by_output: bool) -> MissedReason | None:
    """Why no text that is being said is heard to its end, where the frame says so."""
    if isinstance(frame, InterruptionFrame):
        return "interrupted"
    if isinstance(frame, CancelFrame) or (isinstance(frame, EndFrame) and by_output):
        return "ended"
    is_from_voice = isinstance(frame, ErrorFrame) and isinstance(frame.processor, (TTSService, BaseOutputTransport))
    return "failed" if is_from_voice else None


def seconds_of(frame: TTSAudioRawFrame) -> float:
    return frame.num_frames / frame.sample_rate
