"""The durable queue: what is put in, what can't be sent, and the end."""

import asyncio
import json
import os
import stat
import threading
import unittest
from collections import UserDict
from datetime import datetime, timedelta, timezone
from typing import Any

from disclosure_receipts import Client, DurableQueue, QueuedDisclosure

from .support.queues import PATIENCE, QueueTest, entries_in, unavailable
from .support.service import API_KEY, Call, disclosure, silent


def ago(hours: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class ADisclosureThatIsPutIn(QueueTest):
    def test_is_on_disk_when_the_result_is_there_though_nobody_answers(self) -> None:
        served, opened = self.begin(silent)
        self.assertTrue(opened.queue.add(disclosure(), idempotency_key="greeting-1").result(PATIENCE))
        self.assertIn(b"greeting-1", opened.bytes_on_disk())
        self.assertEqual((opened.queue.size, served.chain.recorded), (1, []))
        for file in opened.folder.iterdir():
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600, file)
        self.assertEqual(stat.S_IMODE(opened.folder.stat().st_mode), 0o700)

    def test_is_sent_and_handed_to_the_owner_and_nothing_of_it_stays_on_disk(self) -> None:
        served, opened = self.begin()
        keys = [f"key-{n}" for n in range(30)]
        for key in keys:
            opened.queue.add(disclosure(interaction_id="call-of-Herr-Maier"), idempotency_key=key)
        self.flush(opened)
        self.assertEqual([key for _, key in opened.receipts], keys)
        self.assertEqual([key for key, _ in opened.receipts], [one.core["event_id"] for one in served.chain.recorded])
        self.assertEqual(opened.queue.close(), [])
        self.assertNotIn(b"Maier", opened.bytes_on_disk())
        self.assertNotIn(b"key-", opened.bytes_on_disk())

    def test_is_written_as_digests_and_ids_and_nothing_else(self) -> None:
        _, opened = self.begin(silent)
        opened.queue.add({**disclosure(), "transcript": "Guten Tag, Herr Maier"})
        opened.queue.add(disclosure()).result(PATIENCE)
        self.assertEqual([code for code, _ in opened.handovers], ["invalid_request"])
        opened.queue.close(0)
        self.assertNotIn(b"Maier", opened.bytes_on_disk())
        self.assertNotIn(API_KEY.encode(), opened.bytes_on_disk())
        (entry,) = entries_in(opened.folder)
        self.assertEqual(set(json.loads(entry.partition(" ")[2])["request"]), {*disclosure(), "disclosed_at"})

    def test_gives_its_receipt_to_who_put_it_in_and_to_the_owner_though_that_function_fails(self) -> None:
        own: list[str] = []

        def fail(receipt: Any) -> None:
            own.append(receipt["event_id"])
            raise RuntimeError("the function failed")

        _, opened = self.begin()
        opened.queue.add(disclosure(), on_receipt=fail)
        self.flush(opened)
        self.assertEqual((own, opened.problem_codes), ([key for key, _ in opened.receipts], ["queue_callback_failed"]))

    def test_is_what_it_was_at_that_moment_with_its_time_the_same_at_every_try(self) -> None:
        served, opened = self.begin(unavailable)
        request = disclosure()
        opened.queue.add(request).result(PATIENCE)
        request["interaction_id"] = "changed"
        self.eventually(lambda: len(served.calls) >= 2)
        (left,) = opened.queue.close(0)
        served.trick = lambda call, _: False
        self.flush(self.open(served, opened.folder))
        self.assertEqual([one.request for one in served.chain.recorded], [disclosure(disclosed_at=left.added_at)])
        self.assertEqual(len({call.body for call in served.calls}), 1)

    def test_keeps_its_own_time_and_one_with_a_key_of_the_callers_gets_none(self) -> None:
        served, opened = self.begin()
        stated = disclosure(disclosed_at="2026-11-21T12:00:00Z")
        opened.queue.add(stated)
        for _ in range(2):
            opened.queue.add(disclosure(), idempotency_key="greeting-1")
        self.flush(opened)
        self.assertEqual([one.request for one in served.chain.recorded], [stated, disclosure()])
        self.assertEqual((len(opened.receipts), opened.handovers), (3, []))

    def test_keeps_its_turn_and_is_recorded_once_however_the_network_fails(self) -> None:
        def lose(call: Call, _: int) -> bool:
            return bool(call.answer())

        def garble(call: Call, _: int) -> bool:
            return bool(call.answer()) and call.respond(502, b"<html>")

        ways = [lambda *_: False, lose, unavailable, lambda *_: True, garble, lambda *_: False]
        served, opened = self.begin(lambda call, nth: ways[nth % len(ways)](call, nth))
        added: dict[str, list[str]] = {}
        for n in range(40):
            added.setdefault(f"call-{n % 7}", []).append(f"key-{n}")
            opened.queue.add(disclosure(interaction_id=f"call-{n % 7}"), idempotency_key=f"key-{n}")
        self.flush(opened)
        self.assertEqual({name: served.chain.keys_of(name) for name in added}, added)
        self.assertEqual(opened.handovers, [])

    def test_does_not_wait_for_another_conversation_that_is_slow(self) -> None:
        served, opened = self.begin(lambda call, nth: b"slow" in call.body and silent(call, nth))
        for name in ("slow", "slow", "quick", "quick"):
            opened.queue.add(disclosure(interaction_id=name))
        self.eventually(lambda: len(served.chain.keys_of("quick")) == 2 and opened.queue.size == 2)

    def test_is_never_beside_another_of_its_conversation_and_only_so_many_are_under_way(self) -> None:
        lock, together = threading.Lock(), threading.Barrier(3)
        under_way: list[str] = []
        most = [0]

        def trick(call: Call, nth: int) -> bool:
            name = json.loads(call.body)["interaction_id"]
            with lock:
                self.assertNotIn(name, under_way)
                under_way.append(name)
                most[0] = max(most[0], len(under_way))
            # However slow the machine is, the first ones meet.
            if nth <= 3:
                together.wait(PATIENCE)
            answer = call.answer()
            with lock:
                under_way.remove(name)
            return call.respond(200, answer)

        served, opened = self.begin(trick, concurrency=3)
        for n in range(30):
            opened.queue.add(disclosure(interaction_id=f"call-{n % 10}"))
        self.flush(opened)
        self.assertEqual((most[0], len(served.chain.recorded)), (3, 30))


class WhatCantBeSent(QueueTest):
    def test_because_it_is_refused_is_handed_over_and_holds_up_no_other(self) -> None:
        for status in (400, 404, 409, 413, 422):
            served, opened = self.begin(lambda call, _: b"poison" in call.body and call.respond(status, {}))
            opened.queue.add(disclosure(agent_identity="poison"), idempotency_key="first")
            opened.queue.add(disclosure(), idempotency_key="second")
            self.flush(opened)
            self.assertEqual(opened.handed_over, [("refused", "first")])
            self.assertEqual([one.key for one in served.chain.recorded], ["second"])

    def test_because_its_answer_is_no_receipt_is_handed_over_with_its_key(self) -> None:
        _, opened = self.begin(lambda call, _: call.respond(200, {}))
        opened.queue.add(disclosure(), idempotency_key="first")
        self.flush(opened)
        self.assertEqual(opened.handed_over, [("receipt_invalid", "first")])

    def test_for_now_waits_is_told_and_goes_out_when_that_is_over(self) -> None:
        for status in (401, 403, 429, 500, 503):
            served, opened = self.begin(lambda call, nth: nth <= 3 and call.respond(status, {}))
            opened.queue.add(disclosure())
            self.flush(opened)
            self.assertEqual([error.status for error in opened.problems], [status] * 3)
            self.assertEqual((len(served.chain.recorded), opened.handovers), (1, []))

    def test_for_23_hours_is_handed_over_for_its_key_may_be_forgotten(self) -> None:
        served, folder = self.serve(), self.folder()
        old, young = (QueuedDisclosure(disclosure(), name, ago(age)) for name, age in (("old", 23.1), ("young", 22.9)))
        self.leave_behind(folder, old, young)
        opened = self.open(served, folder)
        self.flush(opened)
        self.assertEqual(opened.handed_over, [("queue_expired", "old")])
        self.assertEqual([one.key for one in served.chain.recorded], ["young"])

    def test_for_want_of_room_is_handed_over_at_once_and_what_waits_is_kept(self) -> None:
        for limits in ({"max_entries": 2}, {"max_bytes": 950}):
            _, opened = self.begin(silent, **limits)
            added = [opened.queue.add(disclosure(), idempotency_key=f"key-{n}") for n in (1, 2, 3)]
            self.assertEqual([one.result(PATIENCE) for one in added], [True, True, False])
            self.assertEqual((opened.handed_over, opened.queue.size), ([("queue_full", "key-3")], 2))

    def test_since_it_is_wrong_is_handed_over_and_nothing_is_raised(self) -> None:
        class Broken(UserDict[str, Any]):
            def __getitem__(self, name: str) -> Any:
                raise RuntimeError("no")

        served, opened = self.begin()
        for request in ({**disclosure(), "jurisdiction": "de"}, None, "text", Broken(disclosure())):
            self.assertFalse(opened.queue.add(request).result(0))  # type: ignore[arg-type]
        self.assertFalse(opened.queue.add(disclosure(), idempotency_key="").result(0))
        self.assertEqual(len(opened.handovers), 5)
        self.assertEqual((opened.queue.size, served.calls), (0, []))


class TheEnd(QueueTest):
    def test_leaves_on_disk_what_could_not_be_sent_and_the_next_process_sends_it_in_order(self) -> None:
        served, opened = self.begin(unavailable)
        for key in ("one", "two", "three"):
            opened.queue.add(disclosure(), idempotency_key=key)
        left = [one.idempotency_key for one in opened.queue.close(0.1)]
        self.assertEqual(left, ["one", "two", "three"])
        served.trick = lambda call, _: False
        following = self.open(served, opened.folder)
        following.queue.add(disclosure(), idempotency_key="four")
        self.flush(following)
        self.assertEqual([one.key for one in served.chain.recorded], [*left, "four"])

    def test_ends_a_call_that_nobody_answers_and_loses_nothing(self) -> None:
        served, opened = self.begin(silent)
        opened.queue.add(disclosure()).result(PATIENCE)
        self.eventually(lambda: served.calls)
        self.assertEqual((len(opened.queue.close(0.01)), opened.problems), (1, []))

    def test_loses_nothing_that_was_added_a_moment_before(self) -> None:
        served, opened = self.begin()
        added = [opened.queue.add(disclosure(interaction_id=f"call-{n}")) for n in range(50)]
        left = opened.queue.close(0)
        self.assertTrue(all(one.result(PATIENCE) for one in added))
        self.flush(self.open(served, opened.folder))
        self.assertEqual(len(served.chain.recorded), 50, len(left))

    def test_is_the_same_for_who_asks_twice_and_takes_nothing_more(self) -> None:
        _, opened = self.begin()
        self.assertEqual(asyncio.run(opened.queue.aclose()), opened.queue.close())
        with self.assertRaises(TypeError):
            asyncio.run(opened.queue.aclose("the call has ended"))  # type: ignore[arg-type, call-arg]
        self.assertFalse(opened.queue.add(disclosure()).result(0))
        self.assertEqual([code for code, _ in opened.handovers], ["queue_closed"])

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_a_child_of_a_fork_takes_nothing(self) -> None:
        _, opened = self.begin(silent)
        child = os.fork()
        if child == 0:
            os._exit(int(opened.queue.add(disclosure()).result(0)))
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(opened.queue.size, 0)


class Options(QueueTest):
    def test_that_are_wrong_are_refused_by_name(self) -> None:
        client = Client("https://a.example", API_KEY)
        right: dict[str, Any] = {"client": client, "folder": self.folder(), "on_handover": print}
        wrong: list[tuple[str, Any]] = [
            ("client", None), ("folder", ""), ("folder", 3), ("on_handover", None), ("on_handover", 1),
            ("on_handover", asyncio.sleep), ("on_receipt", "log"), ("on_receipt", asyncio.sleep), ("on_problem", True),
            ("max_entries", 0), ("max_bytes", 0.5), ("concurrency", -1), ("shared", "yes"),
        ]  # fmt: skip
        for name, value in wrong:
            error = self.failure("invalid_options", lambda: DurableQueue(**{**right, name: value}))
            self.assertTrue(str(error).startswith(f"{name}: "), str(error))


if __name__ == "__main__":
    unittest.main()
