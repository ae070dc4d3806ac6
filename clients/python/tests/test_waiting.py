"""The times between calls: before another attempt, and until the root comes. Nothing here waits: time is a number."""

import random
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from disclosure_receipts import Cancellation, Cancelled, ClientError, ErrorCode
from disclosure_receipts.retry import CallAnswer, RetryLimits, send_with_retry
from disclosure_receipts.sealed import ReportAnswer, wait_until_sealed
from disclosure_receipts.verify.json_input import JsonObject


class Time(Cancellation):
    """Goes on while somebody waits. wait_until: who waits beyond it is cancelled."""

    def __init__(self, wait_until: float = float("inf")) -> None:
        super().__init__()
        self.now, self.pauses, self._wait_until = 1_000.0, list[float](), 1_000.0 + wait_until

    def wait(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds
        if self.now > self._wait_until:
            raise Cancelled("the call was cancelled")


class WaitingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.time = Time()
        for module in ("retry", "sealed"):
            clock = patch(f"disclosure_receipts.{module}.time.monotonic", lambda: self.time.now)
            clock.start()
            self.addCleanup(clock.stop)


class AnotherAttempt(WaitingTest):
    def send(self, answers: list[CallAnswer], *, attempts: int = 10, deadline: float = 1e6) -> CallAnswer:
        self.times: list[tuple[float, float]] = []
        left: Iterator[CallAnswer] = iter(answers)

        def send(until: float) -> CallAnswer:
            self.times.append((self.time.now, until))
            return next(left)

        return send_with_retry(send, RetryLimits(attempts, 10.0, deadline), self.time)

    def test_is_not_made_sooner_than_the_service_asked_for_nor_much_later(self) -> None:
        self.send([CallAnswer(503, None, 7.0), CallAnswer(200, {})])
        self.assertEqual(self.time.pauses, [7.0])

    def test_waits_twice_as_long_after_each_failure_and_by_chance_less(self) -> None:
        failures = [CallAnswer(500, None)] * 8
        with patch("random.random", return_value=1.0):
            self.send([*failures, CallAnswer(200, {})])
        self.assertEqual(self.time.pauses, [0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0, 10.0])
        self.time.pauses.clear()
        with patch("random.random", random.Random(1).random):
            self.send([*failures, CallAnswer(200, {})])
        self.assertLess(sum(self.time.pauses), 42.4)

    def test_is_not_made_where_it_would_begin_after_the_deadline(self) -> None:
        with self.assertRaises(ClientError) as caught:
            self.send([CallAnswer(429, None, 5.0)], deadline=5.0)
        self.assertEqual((caught.exception.code, caught.exception.retry_after), ("undeliverable", 5.0))
        self.assertEqual(self.time.pauses, [])

    def test_has_for_the_last_one_what_is_left_of_the_deadline_and_no_more(self) -> None:
        self.send([CallAnswer(503, None, 25.0), CallAnswer(200, {})], deadline=30.0)
        self.assertEqual(self.times, [(1_000.0, 1_010.0), (1_025.0, 1_030.0)])


def report(status: str) -> JsonObject:
    return {"merkle_proof": {"status": status}}


class TheRoot(WaitingTest):
    def wait(self, *answers: ReportAnswer | ClientError, timeout: Any = 100.0) -> JsonObject:
        """The last of the answers stays."""
        self.asked: list[float] = []

        def ask() -> ReportAnswer:
            self.asked.append(self.time.now - 1_000.0)
            answer = answers[min(len(self.asked), len(answers)) - 1]
            if isinstance(answer, ClientError):
                raise answer
            return answer

        return wait_until_sealed(ask, timeout, self.time)

    def failure(self, code: str, call: Callable[[], object]) -> ClientError:
        with self.assertRaises(ClientError) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    PENDING, SEALED = ReportAnswer(report("pending"), 30.0), ReportAnswer(report("included"), 0.0)

    def test_that_is_there_is_not_waited_for(self) -> None:
        self.assertEqual(self.wait(self.SEALED), self.SEALED.report)
        self.assertEqual(self.asked, [0.0])

    def test_is_asked_for_no_sooner_than_the_service_says_and_never_more_than_once_a_second(self) -> None:
        self.wait(self.PENDING, ReportAnswer(report("pending"), 0.0), self.SEALED)
        self.assertEqual(self.asked, [0.0, 30.0, 31.0])

    def test_may_come_after_an_outage(self) -> None:
        outage = ClientError("undeliverable", "the service gave no answer", retry_after=9.0)
        self.assertEqual(self.wait(outage, self.SEALED), self.SEALED.report)
        self.assertEqual(self.asked, [0.0, 9.0])

    def test_is_asked_for_once_more_at_the_end_of_the_time_and_the_last_report_is_told(self) -> None:
        error = self.failure("not_sealed", lambda: self.wait(self.PENDING, timeout=40.0))
        self.assertEqual((self.asked, error.evidence), ([0.0, 30.0, 40.0], self.PENDING.report))

    def test_that_an_outage_outlasts_is_told_of_with_it(self) -> None:
        outage = ClientError("undeliverable", "the service gave no answer", retry_after=9.0)
        error = self.failure("not_sealed", lambda: self.wait(outage, timeout=5.0))
        self.assertEqual((error.evidence, error.__cause__), (None, outage))

    def test_is_not_waited_for_where_that_would_change_nothing(self) -> None:
        codes: list[ErrorCode] = ["refused", "receipt_invalid", "chain_forked"]
        for code in codes:
            self.failure(code, lambda: self.wait(ClientError(code, "no")))
            self.assertEqual(self.asked, [0.0])

    def test_is_waited_for_until_the_caller_gives_up(self) -> None:
        self.time = Time(wait_until=29.0)
        with self.assertRaises(Cancelled):
            self.wait(self.PENDING)

    def test_is_not_waited_for_with_a_time_that_is_none(self) -> None:
        for timeout in (0, -1, float("nan"), "5", None):
            self.failure("invalid_options", lambda: self.wait(self.SEALED, timeout=timeout))


if __name__ == "__main__":
    unittest.main()
