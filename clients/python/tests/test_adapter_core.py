"""An adapter's core: what it attests, misses and repeats."""

import asyncio
import json
import unittest
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime, timezone
from typing import Any

from disclosure_receipts import ClientError, disclosure_of, hash_wording
from disclosure_receipts.adapters.core import Disclosure, Missed, Recorded
from disclosure_receipts.adapters.statements import RegisteredText, Wordings
from disclosure_receipts.gaps import fill_operator

from .support.queues import PATIENCE, QueueTest

WORDINGS = Wordings(
    "de-voice-in-introduction-1", "de-voice-repeat-1", "de-voice-reminder-3", "de-voice-handoff-ai-1"
)
OPERATOR = "das Haus Hafenstraße"


class FakeQueue:
    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.receivers: list[Callable[[dict[str, Any]], Any]] = []

    def add(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        on_receipt: Callable[[dict[str, Any]], Any] | None = None,
    ) -> "Future[bool]":
        self.requests.append(dict(request))
        self.keys.append(idempotency_key)
        self.receivers += [on_receipt] if on_receipt else []
        safe: Future[bool] = Future()
        safe.set_result(True)
        return safe

    def flush(self, timeout: float = 0.0) -> bool:
        return True


class Conversation:
    """A conversation, and what its owner is told."""

    def __init__(self, **changes: Any) -> None:
        self.queue = FakeQueue()
        self.missed: list[Missed] = []
        self.recorded: list[Recorded] = []
        self.errors: list[Exception] = []
        options = {
            "queue": self.queue,
            "interaction_id": "call-1",
            "agent_identity": "agents/reception",
            "wordings": WORDINGS,
            "operator": OPERATOR,
            "on_missed": self.missed.append,
            "on_receipt": self.recorded.append,
            "on_error": self.errors.append,
        }
        self.disclosure = Disclosure(**{**options, **changes})

    def said_of(self, name: str) -> list[Any]:
        return [request[name] for request in self.queue.requests]


class APlayback(unittest.TestCase):
    def test_that_ended_is_attested_once_by_the_digest_of_the_registered_text(self) -> None:
        conversation = Conversation()
        playback = conversation.disclosure.introduce()
        self.assertIn(f"Ich nehme Ihren Anruf für {OPERATOR} entgegen.", playback.text)
        before = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.assertTrue(playback.played())
        self.assertFalse(playback.played())
        self.assertIsNone(playback.missed("interrupted"))
        (request,) = conversation.queue.requests
        self.assertGreaterEqual(request.pop("disclosed_at"), before)
        said = {"interaction_id": "call-1", "agent_identity": "agents/reception"}
        self.assertEqual(request, {**said, **disclosure_of("de-voice-in-introduction-1")})
        self.assertNotIn("Hafenstraße", json.dumps(conversation.queue.requests, ensure_ascii=False))

    def test_has_a_key_of_its_own_and_gives_its_event_id_to_adapter_and_owner(self) -> None:
        conversation = Conversation()
        ids: list[str] = []
        conversation.disclosure.introduce().played(on_receipt=ids.append)
        conversation.disclosure.remind().played(at=datetime(2026, 11, 23, 9, tzinfo=timezone.utc))
        for number, receive in enumerate(conversation.queue.receivers):
            receive({"event_id": f"event-{number}"})
        self.assertEqual((len(set(conversation.queue.keys)), ids), (2, ["event-0"]))
        self.assertEqual(conversation.said_of("disclosed_at")[1], "2026-11-23T09:00:00.000Z")
        told = [(one.event_id, one.statement) for one in conversation.recorded]
        self.assertEqual(told, [("event-0", "introduction"), ("event-1", "reminder")])

    def test_that_was_cut_off_is_repeated_once_uninterruptibly_in_the_words_of_the_repetition(self) -> None:
        conversation = Conversation(interruptible=True)
        first = conversation.disclosure.introduce()
        second = first.missed("interrupted")
        assert second is not None
        self.assertEqual((first.interruptible, second.interruptible), (True, False))
        self.assertEqual(conversation.queue.requests, [])
        self.assertTrue(second.text.startswith("Ich wiederhole meinen Hinweis"))
        second.played()
        self.assertEqual(conversation.said_of("subject_hash"), [disclosure_of("de-voice-repeat-1")["subject_hash"]])
        self.assertEqual([(one.reason, one.will_repeat) for one in conversation.missed], [("interrupted", True)])

    def test_that_was_cut_off_a_second_time_is_told_of_as_never_said(self) -> None:
        conversation = Conversation()
        second = conversation.disclosure.introduce().missed("failed")
        assert second is not None
        self.assertIsNone(second.missed("interrupted"))
        told = [(one.reason, one.will_repeat) for one in conversation.missed]
        self.assertEqual((told, conversation.queue.requests), ([("failed", True), ("interrupted", False)], []))

    def test_that_the_end_cut_off_is_told_of_by_close_once(self) -> None:
        conversation = Conversation()
        conversation.disclosure.introduce().played()
        begun = conversation.disclosure.remind()
        self.assertTrue(asyncio.run(conversation.disclosure.aclose()))
        self.assertIsNone(begun.missed("interrupted"))
        told = [(one.statement, one.reason, one.will_repeat) for one in conversation.missed]
        self.assertEqual(told, [("reminder", "ended", False)])


class AHandOff(unittest.TestCase):
    def test_is_in_the_name_of_the_agent_that_takes_over_and_so_is_what_follows(self) -> None:
        conversation = Conversation()
        conversation.disclosure.introduce().played()
        conversation.disclosure.handed_off("Billing agent").played()
        conversation.disclosure.remind().played()
        methods = ["spoken_introduction", "spoken_handoff", "spoken_reminder"]
        self.assertEqual(conversation.said_of("disclosure_method"), methods)
        agents = ["agents/reception", "Billing-agent", "Billing-agent"]
        self.assertEqual(conversation.said_of("agent_identity"), agents)

    def test_to_nobody_keeps_the_name_before(self) -> None:
        conversation = Conversation()
        conversation.disclosure.handed_off("").played()
        self.assertEqual(conversation.said_of("agent_identity"), ["agents/reception"])
        self.assertEqual(len(conversation.errors), 1)


class AnOwner(unittest.TestCase):
    def test_whose_functions_fail_disturbs_nothing(self) -> None:
        def fail(_: object) -> None:
            raise RuntimeError("the function failed")

        conversation = Conversation(on_missed=fail, on_receipt=fail)
        second = conversation.disclosure.introduce().missed("failed")
        assert second is not None
        second.played(on_receipt=fail)
        conversation.queue.receivers[0]({"event_id": "event-0"})
        self.assertEqual(len(conversation.errors), 3)
        Conversation(on_missed=fail, on_error=fail).disclosure.introduce().missed("failed")


class TheWordings(unittest.TestCase):
    def test_without_a_reminder_or_a_hand_off_are_the_introduction(self) -> None:
        conversation = Conversation(wordings=Wordings("de-voice-introduction-4"))
        conversation.disclosure.remind().played()
        conversation.disclosure.handed_off("agents/billing").played()
        self.assertEqual(conversation.said_of("disclosure_method"), ["spoken_introduction"] * 2)

    def test_may_be_texts_of_ones_own_whose_gap_is_unfilled_in_the_digest(self) -> None:
        text = "Hier spricht der Computer von {operator}."
        own = RegisteredText(text, "voice", "spoken_introduction", "DE")
        conversation = Conversation(wordings=Wordings(own))
        playback = conversation.disclosure.introduce()
        playback.played()
        self.assertEqual(playback.text, f"Hier spricht der Computer von {OPERATOR}.")
        self.assertEqual(conversation.said_of("subject_hash"), [hash_wording(text)])

    def test_that_are_wrong_are_refused_before_the_conversation(self) -> None:
        no_method = RegisteredText("Hallo", "voice", "", "DE")
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"wordings": Wordings("de-nothing-1")}, "there is no wording"),
            ({"operator": None}, "operator: is missing"),
            ({"wordings": {}}, "wordings: must be Wordings"),
            ({"wordings": Wordings(no_method)}, "wordings: introduction: disclosure_method"),
            ({"on_missed": 1}, "on_missed: must be a function"),
            ({"on_missed": asyncio.sleep}, "on_missed: must be a plain function"),
            ({"agent_identity": ""}, "agent_identity: is missing"),
        ]
        for change, message in wrong:
            with self.assertRaises(ClientError) as caught:
                Conversation(**change)
            self.assertIn(message, str(caught.exception))

    def test_have_one_gap_that_is_filled_and_only_with_a_name(self) -> None:
        self.assertEqual(fill_operator("für {operator}.", " A & B $& \\1 "), "für A & B $& \\1.")
        unfit = [("no gap", "A"), ("{operator} {name}", "A"), ("{operator}", "a\nb"), ("{operator}", "{")]
        for text, operator in unfit:
            self.assertRaises(ClientError, fill_operator, text, operator)


class WithTheQueue(QueueTest):
    def test_it_is_recorded_in_order_and_no_name_reaches_service_or_disk(self) -> None:
        served, opened = self.begin()
        recorded: list[Recorded] = []
        disclosure = Disclosure(
            opened.queue, "Anruf von Herrn Maier", "Empfang", WORDINGS, operator=OPERATOR, on_receipt=recorded.append
        )
        disclosure.introduce().played()
        again = disclosure.remind().missed("interrupted")
        assert again is not None
        again.played()
        disclosure.handed_off("Rechnung").played()
        self.assertTrue(disclosure.close(PATIENCE))
        self.assertEqual([one.statement for one in recorded], ["introduction", "reminder", "handoff"])
        self.assertEqual([one.core["turn"] for one in served.chain.recorded], [1, 2, 3])
        seen = b"".join(call.body for call in served.calls) + opened.bytes_on_disk()
        for name in ("Maier", "Hafenstra", "KI-System", "Intelligenz"):
            self.assertNotIn(name.encode(), seen)


if __name__ == "__main__":
    unittest.main()
