"""The adapter for LiveKit Agents with its AgentSession, without a room."""

import asyncio
import unittest
from collections.abc import AsyncIterable
from typing import Any

from disclosure_receipts.adapters.livekit import LiveKitDisclosure
from disclosure_receipts.adapters.spans import EVENT_ID
from livekit.agents.llm import ChatMessage
from livekit.agents.voice import Agent, ModelSettings
from livekit.rtc import AudioFrame

from .conversations import CALLER, INTRODUCED, REMINDED, ConversationTest
from .livekit_parts import Call, Voice


class Desk(Agent):
    """Another agent. One of no class of its own has no name of its own either."""


class Mute(Agent):
    """Takes the text, and gives no audio of it."""

    async def tts_node(self, text: AsyncIterable[str], model_settings: ModelSettings) -> AsyncIterable[AudioFrame]:
        async for _ in text:
            pass
        for frame in list[AudioFrame]():
            yield frame


class LiveKitTest(ConversationTest):
    async def begin(self, agent: Agent | None = None, **options: Any) -> tuple[Call, LiveKitDisclosure]:
        call = Call()
        await call.start(agent)
        self.addAsyncCleanup(call.session.aclose)
        return call, LiveKitDisclosure(call.session, self.converse(**options))

    def interrupt(self, call: Call, times: int, force: bool = False) -> None:
        """Somebody speaks after a part of it, each time it begins."""
        left = times

        def on_sound() -> None:
            nonlocal left
            if left > 0:
                left -= 1
                call.session.interrupt(force=force)

        call.loudspeaker.on_sound = on_sound

    async def test_an_introduction_heard_to_its_end_has_one_receipt_and_its_message_the_id(self) -> None:
        call, adapter = await self.begin()
        self.assertTrue(await adapter.introduce())
        await call.session.say(f"Wie kann ich helfen, {CALLER}?").wait_for_playout()
        self.assertEqual((self.receipts(), self.missed, self.problems), ([INTRODUCED], [], []))
        extras = [item.extra for item in call.session.history.items if isinstance(item, ChatMessage)]
        self.assertIn({EVENT_ID: self.recorded[0].event_id}, extras)

    async def test_one_that_is_cut_off_has_none_is_missed_and_said_again_and_that_has_one(self) -> None:
        call, adapter = await self.begin(interruptible=True)
        self.interrupt(call, 1)
        self.assertTrue(await adapter.introduce())
        self.assertEqual((self.missed_told, self.receipts()), ([("interrupted", True)], [INTRODUCED]))

    async def test_one_that_is_cut_off_twice_has_none_and_the_owner_knows(self) -> None:
        call, adapter = await self.begin()
        self.interrupt(call, 2, force=True)
        self.assertFalse(await adapter.introduce())
        self.assertEqual(self.missed_told, [("interrupted", True), ("interrupted", False)])
        self.assertEqual(self.receipts(), [])

    async def test_a_voice_that_fails_has_said_nothing(self) -> None:
        states: list[Voice] = ["is silent", "fails", "breaks off"]
        for state in states:
            with self.subTest(state):
                self.missed.clear()
                call, adapter = await self.begin()
                call.voice.state = state
                self.assertFalse(await adapter.introduce())
                self.assertEqual(self.missed_told, [("failed", True), ("failed", False)])
        self.missed.clear()
        call, adapter = await self.begin(agent=Mute(instructions=""))
        self.assertFalse(await adapter.introduce())
        self.assertEqual((self.missed_told, self.receipts()), ([("failed", True), ("failed", False)], []))
        self.assertEqual(self.problems, [])

    async def test_a_hand_off_is_turn_2_and_a_reminder_follows_in_its_name(self) -> None:
        call, adapter = await self.begin()
        await adapter.introduce()
        call.session.update_agent(Desk(id="billing desk", instructions=""))
        while len(self.recorded) < 2:
            await asyncio.sleep(0.05)
        self.assertTrue(await adapter.remind())
        rest = [(2, "spoken_handoff", "ALLOW", "billing-desk"), (3, "spoken_reminder", "ALLOW", "billing-desk")]
        self.assertEqual(self.receipts(), [INTRODUCED, *rest])

    async def test_an_agent_that_greets_has_the_hand_off_said_first_once(self) -> None:
        call, adapter = await self.begin()
        await adapter.introduce()
        said: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        class Greeter(Agent):
            async def on_enter(self) -> None:
                heard = await adapter.handed_off("greeter")
                await self.session.say(f"Wie kann ich helfen, {CALLER}?").wait_for_playout()
                said.set_result(heard)

        call.session.update_agent(Greeter(id="greeter", instructions=""))
        self.assertTrue(await said)
        self.assertEqual(self.receipts(), [INTRODUCED, (2, "spoken_handoff", "ALLOW", "greeter")])

    async def test_while_the_service_is_down_it_goes_on_and_is_recorded_in_order_later(self) -> None:
        _, adapter = await self.begin()
        await self.say_while_the_service_is_down(adapter.introduce, adapter.remind)
        self.assertEqual((self.receipts(), self.missed), ([INTRODUCED, REMINDED], []))

    async def test_a_job_that_ends_meanwhile_counts_it_as_missed(self) -> None:
        call, adapter = await self.begin()
        call.loudspeaker.on_sound = lambda: asyncio.get_running_loop().create_task(adapter.aclose())
        self.assertFalse(await adapter.introduce())
        self.assertEqual((self.missed_told, self.receipts()), ([("ended", False)], []))

    async def test_a_caller_who_hangs_up_meanwhile_has_none_and_it_is_not_said_to_nobody(self) -> None:
        call, adapter = await self.begin()
        # As LiveKit itself closes a session whose caller has left the room.
        call.loudspeaker.on_sound = lambda: asyncio.get_running_loop().create_task(call.session.aclose())
        self.assertFalse(await adapter.introduce())
        self.assertFalse(await adapter.remind())
        self.assertEqual((self.missed_told, self.receipts()), ([("ended", False)] * 2, []))

    async def test_a_session_that_is_shut_down_lets_it_be_heard_to_its_end(self) -> None:
        call, adapter = await self.begin()
        call.loudspeaker.on_sound = call.session.shutdown
        self.assertTrue(await adapter.introduce())
        self.assertEqual((self.missed_told, self.receipts()), ([], [INTRODUCED]))


if __name__ == "__main__":
    unittest.main()
