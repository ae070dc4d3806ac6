"""The adapter for LangChain with its models' runs, without a provider."""

import asyncio
import unittest
from collections.abc import Iterator
from typing import Any

from disclosure_receipts import find_wording
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.langchain import METADATA, disclosure_label
from disclosure_receipts.adapters.spans import EVENT_ID
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable, RunnableGenerator
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

from .conversations import CALLER, CHAT, ConversationTest
from .langchain_parts import model_of

MAX_ROUNDS = 3000
ANSWER = f"Gern, {CALLER}. Wir haben geöffnet."


def turn(number: int) -> tuple[int, str, str, str]:
    return (number, "visual_label", "ALLOW", "agents/reception")


class LangChainTest(ConversationTest):
    wordings = CHAT

    def setUp(self) -> None:
        super().setUp()
        wording = find_wording("de-chat-label-1")
        assert wording is not None
        self.label = f"{wording.text}\n\n"

    def label_step(self, **options: Any) -> Runnable[BaseMessage, BaseMessage]:
        return disclosure_label(self.converse(), **options)

    async def test_each_message_has_its_label_and_its_receipt_as_a_whole_or_in_parts(self) -> None:
        chat = model_of(ANSWER, ANSWER, ANSWER, ANSWER) | self.label_step()
        whole = [chat.invoke("eins"), await chat.ainvoke("zwei")]
        parts = [part for part in chat.stream("drei")]
        later = [part async for part in chat.astream("vier")]
        self.assertEqual([one.text for one in whole], [self.label + ANSWER] * 2)
        for streamed in (parts, later):
            self.assertGreater(len(streamed), 2)
            self.assertEqual("".join(part.text for part in streamed), self.label + ANSWER)
        self.assertEqual((self.receipts(), self.missed), ([turn(1), turn(2), turn(3), turn(4)], []))
        joined: Any = parts[0]
        for part in parts[1:]:
            joined = joined + part
        told = [one.response_metadata[METADATA][EVENT_ID] for one in (*whole, joined, later[0])]
        self.assertEqual(told, [one.event_id for one in self.recorded])

    async def test_a_stream_whose_reader_goes_away_is_missed_and_the_next_message_has_one(self) -> None:
        chat = model_of(ANSWER, ANSWER, ANSWER) | self.label_step()
        parts: Any = chat.stream("eins")
        next(parts)
        parts.close()
        self.assertEqual(self.missed_told, [("interrupted", True)])
        self.assertTrue(chat.invoke("zwei").text.startswith(self.label))
        later: Any = chat.astream("drei")
        await anext(later)
        await later.aclose()
        # Python ends what stands behind it once the loop gets to it.
        for _ in range(MAX_ROUNDS):
            if len(self.missed) == 2:
                break
            await asyncio.sleep(0.01)
        self.assertEqual(self.missed_told[1:], [("interrupted", True)])
        self.assertEqual(self.receipts(), [turn(1)])

    async def test_of_two_streams_that_break_off_each_is_missed_and_one_label_is_left_to_be_said(self) -> None:
        chat = model_of(ANSWER, ANSWER, ANSWER) | self.label_step()
        streams: list[Any] = [chat.stream("eins"), chat.stream("zwei")]
        for parts in streams:
            next(parts)
        for parts in streams:
            parts.close()
        self.assertEqual(self.missed_told, [("interrupted", True), ("interrupted", True), ("ended", False)])
        chat.invoke("drei")
        self.assertEqual(self.receipts(), [turn(1)])

    async def test_the_messages_of_an_agent_that_takes_over_are_the_next_turns_in_its_name(self) -> None:
        (model_of(ANSWER) | self.label_step()).invoke("eins")
        desk = Disclosure(self.queue, self.name, "agents/billing", CHAT)
        (model_of(ANSWER) | disclosure_label(desk)).invoke("zwei")
        self.assertEqual(self.receipts(), [turn(1), (2, "visual_label", "ALLOW", "agents/billing")])

    async def test_while_the_service_is_down_it_goes_on_and_is_recorded_in_order_later(self) -> None:
        chat = model_of(ANSWER, ANSWER) | self.label_step()
        await self.say_while_the_service_is_down(lambda: chat.ainvoke("eins"), lambda: chat.ainvoke("zwei"))
        self.assertEqual((self.receipts(), self.missed), ([turn(1), turn(2)], []))

    async def test_a_model_that_breaks_off_has_sent_nothing(self) -> None:
        def broken(_: Iterator[Any]) -> Iterator[BaseMessage]:
            yield AIMessageChunk(content="Gern")
            raise ConnectionError("the connection broke")

        chat = RunnableGenerator(broken) | self.label_step()
        with self.assertRaises(ConnectionError):
            list(chat.stream("eins"))
        self.assertEqual((self.missed_told, self.receipts()), ([("failed", True)], []))

    async def test_the_run_that_tracers_keep_has_the_receipts_id(self) -> None:
        runs = RunCollectorCallbackHandler()
        (model_of(ANSWER) | self.label_step()).invoke("eins", {"callbacks": [runs]})
        self.assertEqual(self.receipts(), [turn(1)])
        (run,) = runs.traced_runs
        told = (run.outputs or {})["output"].response_metadata[METADATA]
        self.assertEqual(told, {EVENT_ID: self.recorded[0].event_id})

    async def test_what_has_no_text_has_neither_and_a_page_shows_the_label_itself(self) -> None:
        call = AIMessage("", tool_calls=[{"name": "book", "args": {}, "id": "1"}])
        self.assertEqual((model_of(call) | self.label_step()).invoke("eins").text, "")
        self.assertEqual(self.receipts(), [])
        self.assertEqual((model_of(ANSWER) | self.label_step(label_in="page")).invoke("zwei").text, ANSWER)
        self.assertEqual(self.receipts(), [turn(1)])


if __name__ == "__main__":
    unittest.main()
