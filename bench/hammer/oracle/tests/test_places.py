"""Leaves that no answer showed: from before the run, of calls that stayed open, and those that nobody explains."""

from __future__ import annotations

import unittest
from io import StringIO
from typing import Any

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.hashes import digest, hash_json
from disclosure_receipts.verify.shapes import Shape, is_object

from ..checks.calls import CLOCK_TOLERANCE_MS, Calls
from ..checks.order import check_conversations
from ..checks.places import PlaceChecks
from ..evidence.journal import OpenCall
from ..evidence.receipts import read_receipt
from ..evidence.run import RunFacts, Tenant
from ..evidence.service import Service
from ..findings import Findings
from ..progress import Progress
from .receipts import ANCHOR, Told, chain_of, request_of

STARTED_AT = 1_795_421_106_843
BEFORE = STARTED_AT - CLOCK_TOLERANCE_MS - 1


class Reports(Service):
    """A service that shows the reports of these receipts, and counts how often it is asked."""

    def __init__(self, receipts: list[dict[str, Any]]) -> None:
        super().__init__("http://localhost")
        self.asked = 0
        self._receipts = {f"/v1/attestation/{receipt['event_id']}": receipt for receipt in receipts}

    def json(self, path: str, key: str | None = None, shape: Shape = is_object) -> dict[str, Any]:
        self.asked += 1
        if path not in self._receipts:
            raise Unreadable("it was answered 404, expected 200")
        return {"receipts": [self._receipts[path]]}


def run_of(*erased: tuple[int, str]) -> RunFacts:
    tenant = Tenant("one", "key", ANCHOR, None)
    return RunFacts("http://localhost", 1, STARTED_AT, STARTED_AT, (tenant,), None, None, (), erased, ())


def call(conversation: str, calls: Calls) -> OpenCall:
    number = calls.conversations.number(0, conversation)
    return OpenCall(0, {digest(hash_json(request_of(conversation)))}, number, 1)


class Places(unittest.TestCase):
    def judge(self, told: list[Told], answered: set[int], opened: list[str]) -> tuple[Findings, Calls, Reports]:
        chain, receipts = chain_of(*told)
        calls, findings, service = Calls(), Findings(), Reports(receipts)
        for sequence in answered:
            receipt = read_receipt(0, receipts[sequence])
            receipt.conversation = calls.conversations.number(0, told[sequence].conversation)
            receipt.asked_at = receipt.answered_at = receipt.issued_at
            calls.add(receipt)
        calls.open_calls = [call(conversation, calls) for conversation in opened]
        PlaceChecks(run_of(), service, calls, findings, Progress(StringIO())).check([chain])
        check_conversations(run_of(), calls, findings)
        return findings, calls, service

    def found(self, findings: Findings) -> dict[str, list[str]]:
        return {check.name: check.findings for check in findings.checks if check.found}

    def test_receipts_from_before_the_run_need_no_call(self) -> None:
        for before in (0, 1, 2, 7, 30):
            with self.subTest(before=before):
                old = [Told(f"old-{number}", 1, BEFORE - before + number) for number in range(before)]
                new = [Told("new", turn, STARTED_AT + turn) for turn in (1, 2, 3)]
                answered = {before, before + 1, before + 2}
                findings, _, service = self.judge(old + new, answered, [])
                self.assertEqual(self.found(findings), {})
                self.assertLess(service.asked, 8)

    def test_an_open_call_explains_one_receipt_and_fills_the_turn(self) -> None:
        told = [Told("a", turn, STARTED_AT + turn) for turn in (1, 2, 3)]
        findings, calls, _ = self.judge(told, {0, 2}, ["a"])
        self.assertEqual(self.found(findings), {})
        self.assertEqual(len(calls.receipts), 3)

    def test_an_open_call_explains_no_second_receipt(self) -> None:
        told = [Told("a", turn, STARTED_AT + turn) for turn in (1, 2, 3, 4)]
        findings, _, _ = self.judge(told, {0, 3}, ["a"])
        self.assertEqual(sorted(self.found(findings)), ["conversations", "none doubled", "sizes"])

    def test_an_open_call_of_another_body_explains_nothing(self) -> None:
        told = [Told("a", 1, STARTED_AT), Told("a", 2, STARTED_AT)]
        findings, _, _ = self.judge(told, {0}, ["b"])
        self.assertEqual(sorted(self.found(findings)), ["none doubled"])

    def test_an_open_call_that_left_nothing_is_no_finding(self) -> None:
        findings, _, _ = self.judge([Told("a", 1, STARTED_AT)], {0}, ["a", "b"])
        self.assertEqual(self.found(findings), {})


class Erasures(unittest.TestCase):
    def judge(self, *erased: tuple[int, str]) -> tuple[Findings, list[list[int]]]:
        """A conversation of two turns, and another one under its id, twenty minutes later."""
        _, receipts = chain_of(*(Told("a", turn, STARTED_AT + place) for place, turn in enumerate((1, 2, 1, 2))))
        calls, findings = Calls(), Findings()
        for receipt in receipts:
            read = read_receipt(0, receipt)
            read.conversation = calls.conversations.number(0, "a")
            calls.add(read)
        lives = check_conversations(run_of(*erased), calls, findings)
        return findings, [[receipt.sequence for receipt in life] for life in lives]

    def test_an_id_begins_anew_once_it_was_erased(self) -> None:
        findings, erased = self.judge((0, "a"))
        self.assertTrue(findings.holds)
        self.assertEqual(erased, [[0, 1]])

    def test_an_id_that_was_erased_twice_leads_to_nothing(self) -> None:
        findings, erased = self.judge((0, "a"), (0, "a"))
        self.assertTrue(findings.holds)
        self.assertEqual(erased, [[0, 1], [2, 3]])

    def test_an_id_that_nobody_erased_does_not_begin_anew(self) -> None:
        findings, erased = self.judge()
        self.assertFalse(findings.holds)
        self.assertEqual(erased, [])


if __name__ == "__main__":
    unittest.main()
