"""The adapter for Pipecat with its pipelines, without a network."""

import asyncio
import unittest
from typing import Any
from unittest.mock import patch

from disclosure_receipts.adapters.pipecat import PipecatDisclosure
from disclosure_receipts.adapters.spans import EVENT_ID, SPAN_NAME
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pipecat.frames.frames import EndFrame, InterruptionFrame, TTSSpeakFrame

from .conversations import CALLER, INTRODUCED, PATIENCE, REMINDED, ConversationTest
from .pipecat_parts import Call, Voice


class PipecatTest(ConversationTest):
    async def begin(self, voice: Voice = "speaks", **options: Any) -> tuple[Call, PipecatDisclosure]:
        call = Call(voice)
        adapter = PipecatDisclosure(call.worker, self.converse(**options))
        self.running = await call.start()
        self.addAsyncCleanup(call.worker.cancel)
        return call, adapter

    async def end(self, call: Call) -> None:
        await call.worker.queue_frame(EndFrame())
        await self.running

    def interrupt(self, call: Call, times: int) -> None:
        """Somebody speaks as soon as something is heard, each time it begins."""
        left = times

        def on_sound() -> None:
            nonlocal left
            if left > 0:
                left -= 1
                asyncio.get_running_loop().create_task(call.worker.queue_frame(InterruptionFrame()))

        call.loudspeaker.on_sound = on_sound

    async def test_an_introduction_heard_to_its_end_has_one_receipt_and_what_else_is_said_none(self) -> None:
        call, adapter = await self.begin()
        self.assertTrue(await adapter.introduce())
        await call.worker.queue_frame(TTSSpeakFrame(f"Wie kann ich helfen, {CALLER}?"))
        await self.end(call)
        self.assertEqual((self.receipts(), self.missed, self.problems), ([INTRODUCED], [], []))

    async def test_a_program_that_traces_has_a_span_with_the_receipts_id(self) -> None:
        exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        call, adapter = await self.begin()
        with patch("opentelemetry.trace.get_tracer", provider.get_tracer):
            self.assertTrue(await adapter.introduce())
        await self.end(call)
        self.assertEqual(self.receipts(), [INTRODUCED])
        told = [(span.name, dict(span.attributes or {})) for span in exporter.get_finished_spans()]
        self.assertEqual(told, [(SPAN_NAME, {EVENT_ID: self.recorded[0].event_id})])

    async def test_one_that_is_cut_off_has_none_is_missed_and_said_again_and_that_has_one(self) -> None:
        call, adapter = await self.begin(interruptible=True)
        self.interrupt(call, 1)
        self.assertTrue(await adapter.introduce())
        await self.end(call)
        self.assertEqual((self.missed_told, self.receipts()), ([("interrupted", True)], [INTRODUCED]))

    async def test_one_that_nobody_may_interrupt_is_heard_though_somebody_speaks(self) -> None:
        call, adapter = await self.begin()
        self.interrupt(call, 3)
        self.assertTrue(await adapter.introduce())
        await self.end(call)
        self.assertEqual((self.missed_told, self.receipts()), ([], [INTRODUCED]))

    async def test_a_voice_or_a_line_that_fails_has_said_nothing(self) -> None:
        states: list[Voice] = ["is silent", "fails", "breaks off"]
        for state in states:
            with self.subTest(state):
                self.missed.clear()
                call, adapter = await self.begin(state)
                self.assertFalse(await adapter.introduce())
                await self.end(call)
                self.assertEqual(self.missed_told, [("failed", True), ("failed", False)])
        call, adapter = await self.begin()
        call.loudspeaker.is_connected = False
        self.assertFalse(await adapter.introduce())
        await self.end(call)
        self.assertEqual(self.receipts(), [])

    async def test_a_hand_off_is_turn_2_and_a_reminder_follows_in_its_name(self) -> None:
        call, adapter = await self.begin()
        said = [adapter.introduce(), adapter.handed_off("billing desk"), adapter.remind()]
        self.assertEqual([await one for one in said], [True, True, True])
        await self.end(call)
        rest = [(2, "spoken_handoff", "ALLOW", "billing-desk"), (3, "spoken_reminder", "ALLOW", "billing-desk")]
        self.assertEqual(self.receipts(), [INTRODUCED, *rest])

    async def test_while_the_service_is_down_it_goes_on_and_is_recorded_in_order_later(self) -> None:
        call, adapter = await self.begin()
        await self.say_while_the_service_is_down(adapter.introduce, adapter.remind)
        await self.end(call)
        self.assertEqual((self.receipts(), self.missed), ([INTRODUCED, REMINDED], []))

    async def test_a_call_that_ends_meanwhile_counts_it_as_missed(self) -> None:
        call, adapter = await self.begin()
        call.loudspeaker.on_sound = lambda: asyncio.get_running_loop().create_task(call.worker.cancel())
        self.assertFalse(await adapter.introduce())
        await self.running
        # What is to be said after that keeps nobody waiting.
        self.assertFalse(await asyncio.wait_for(adapter.remind(), PATIENCE))
        self.assertEqual((self.missed_told, self.receipts()), ([("ended", False)] * 2, []))


if __name__ == "__main__":
    unittest.main()
