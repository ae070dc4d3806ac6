"""The adapter for OpenAI's realtime sessions with the SDK's session and WebSocket, and a server of this machine."""

import asyncio
import unittest
from typing import Any, Literal

from agents.realtime import RealtimeAgent, RealtimeSession
from disclosure_receipts.adapters.openai_agents import RealtimeDisclosure

from .conversations import CALLER, INTRODUCED, REMINDED, ConversationTest
from .openai_agents_parts import Api, Model


class RealtimeTest(ConversationTest):
    async def asyncSetUp(self) -> None:
        self.api = await self.enterAsyncContext(Api())

    async def begin(
        self, model: Model, *desks: RealtimeAgent[Any], **options: Any
    ) -> tuple[RealtimeSession, RealtimeDisclosure]:
        self.api.model = model
        session = await self.api.connect(*desks)
        self.addAsyncCleanup(session.close)
        return session, RealtimeDisclosure(session, self.converse(), **options)

    async def test_an_introduction_heard_to_its_end_has_one_receipt(self) -> None:
        _, adapter = await self.begin(Model())
        self.assertTrue(await adapter.introduce())
        self.assertEqual((self.receipts(), self.missed, self.problems), ([INTRODUCED], [], []))

    async def test_and_over_a_telephone_and_where_the_program_tells_of_the_playback(self) -> None:
        _, adapter = await self.begin(Model(line="telephone"))
        self.assertTrue(await adapter.introduce())
        self.assertEqual(self.receipts(), [INTRODUCED])
        _, adapter = await self.begin(Model(), reports_playback=True)
        saying = adapter.remind()
        await asyncio.wait([saying], timeout=1)
        self.assertFalse(saying.done())
        adapter.played_out()
        self.assertTrue(await saying)

    async def test_one_that_is_cut_off_has_none_is_missed_and_said_again_and_that_has_one(self) -> None:
        lines: list[Literal["websocket", "telephone"]] = ["websocket", "telephone"]
        for line in lines:
            with self.subTest(line):
                self.missed.clear()
                held: list[bool] = []
                _, adapter = await self.begin(Model(line=line, cuts=1), hold=held.append)
                self.assertTrue(await adapter.introduce())
                self.assertEqual((self.missed_told, held), ([("interrupted", True)], [True, False, True, False]))
        self.assertEqual(len(self.receipts()), 2)

    async def test_one_that_is_cut_off_after_its_own_length_while_audio_before_it_is_played_has_none(self) -> None:
        _, adapter = await self.begin(Model(cuts=1, before=20))
        saying = adapter.introduce()
        while not self.missed and not saying.done():
            await asyncio.sleep(0.05)
        self.assertEqual((self.missed_told, self.receipts()), ([("interrupted", True)], []))

    async def test_one_that_is_cut_off_twice_has_none_and_the_owner_knows(self) -> None:
        _, adapter = await self.begin(Model(cuts=2))
        self.assertFalse(await adapter.introduce())
        self.assertEqual(self.missed_told, [("interrupted", True), ("interrupted", False)])
        self.assertEqual(self.receipts(), [])

    async def test_a_model_that_says_something_else_or_nothing_has_not_introduced_itself(self) -> None:
        models = [
            Model(words=f"Guten Tag, {CALLER}."),
            Model(words="Guten Tag. Sie sprechen mit einer künstlichen Intelligenz"),
            Model(status="failed"),
            Model(refusals=2),
            Model(line="silent"),
        ]
        for model in models:
            with self.subTest(model):
                self.missed.clear()
                _, adapter = await self.begin(model)
                self.assertFalse(await adapter.introduce())
                self.assertEqual(self.missed_told, [("failed", True), ("failed", False)])
        self.assertEqual(self.receipts(), [])

    async def test_a_hand_off_by_the_models_tool_is_turn_2_in_the_name_of_the_agent_that_takes_over(self) -> None:
        _, adapter = await self.begin(Model(), RealtimeAgent(name="billing desk"))
        self.assertTrue(await adapter.introduce())
        await self.api.call_tool("transfer_to_billing_desk")
        async for event in adapter.events():
            if event.type == "handoff":
                break
        while len(self.recorded) < 2:
            await asyncio.sleep(0.05)
        self.assertEqual(self.receipts(), [INTRODUCED, (2, "spoken_handoff", "ALLOW", "billing-desk")])

    async def test_while_the_service_is_down_it_goes_on_and_is_recorded_in_order_later(self) -> None:
        _, adapter = await self.begin(Model())
        await self.say_while_the_service_is_down(adapter.introduce, adapter.remind)
        self.assertEqual((self.receipts(), self.missed), ([INTRODUCED, REMINDED], []))

    async def test_a_connection_that_ends_meanwhile_counts_it_as_missed(self) -> None:
        session, adapter = await self.begin(Model(), reports_playback=True)
        saying = adapter.introduce()
        await asyncio.wait([saying], timeout=1)
        await session.close()
        await adapter.aclose()
        self.assertFalse(await saying)
        self.assertEqual((self.missed_told, self.receipts()), ([("ended", False)], []))


if __name__ == "__main__":
    unittest.main()
