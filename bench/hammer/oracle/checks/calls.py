"""The answers of the run by themselves: each is a receipt of what was asked, and each Idempotency-Key has one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..evidence.journal import Conversations, Line, OpenCall, lines_of, may_have_written, open_budget
from ..evidence.receipts import Receipt, disclosure_of, output_hash_of, read_receipt
from ..evidence.run import RunFacts
from ..findings import Findings
from ..formats.identities import MAX_CHAINS, chain_id_of, event_id_of, shard_in
from ..formats.json_text import Unreadable
from ..formats.shapes import format_time
from ..progress import Progress
from .verdicts import Ruled, ruled_in

# The service's clock is within a minute of its engine's; another minute is for the clock of the run.
CLOCK_TOLERANCE_MS = 120_000


@dataclass
class Unanswered:
    """The facts of a key beside its receipt: the bodies of calls that stayed open, and of those refused by 409."""

    conversation: int
    tenant: int
    open_inputs: set[bytes] = field(default_factory=set)
    refused: dict[int, bytes | None] = field(default_factory=dict)


@dataclass
class Calls:
    """The distinct receipts of the run by their places, and the calls that may have left more."""

    by_place: dict[tuple[str, int], Receipt] = field(default_factory=dict)
    open_calls: list[OpenCall] = field(default_factory=list)
    refused_inputs: set[tuple[int, bytes]] = field(default_factory=set)
    ruled: dict[Ruled, str] = field(default_factory=dict)
    conversations: Conversations = field(default_factory=Conversations)

    def add(self, receipt: Receipt) -> None:
        self.by_place[receipt.chain_id, receipt.sequence] = receipt

    @property
    def receipts(self) -> list[Receipt]:
        return list(self.by_place.values())


class CallChecks:
    """Reads the journal once."""

    def __init__(self, run: RunFacts, findings: Findings) -> None:
        self._run = run
        self._journal = findings.check("journal")
        self._answers = findings.check("answers")
        self._repeats = findings.check("one key, one receipt")
        self._dates = findings.check("dates of receipts")
        self._by_key: dict[tuple[int, str], Receipt] = {}
        self._unanswered: dict[tuple[int, str], Unanswered] = {}
        self._chain_ids: dict[tuple[int, int], str] = {}
        self.calls = Calls()

    def read(self, folder: Path, progress: Progress) -> Calls:
        """All lines of the journal, and then what only all of them show."""
        for number, line in lines_of(folder):
            progress.show("reads the journal, line", number)
            if isinstance(line, Unreadable):
                self._journal.expect(False, f"line {number} can't be read: {line}")
            elif self._journal.expect(line.tenant < len(self._run.tenants), f"line {number} names no tenant"):
                self._take(line)
        self._judge_unanswered()
        self._judge_dates()
        return self.calls

    def _take(self, line: Line) -> None:
        conversation = self.calls.conversations.number(line.tenant, line.interaction_id)
        if line.status != 200:
            self._take_unanswered(line, conversation)
            return
        with self._answers.reading(f"line {line.number}"):
            receipt = read_receipt(line.tenant, line.receipt)
            receipt.conversation = conversation
            receipt.asked_at = line.asked_at
            receipt.answered_at = line.answered_at if line.answered_at is not None else self._run.ended_at
            self._judge_answer(line, receipt)
            self._keep(line, receipt)
            if line.key is None:
                self._open(line, conversation)

    def _judge_answer(self, line: Line, receipt: Receipt) -> None:
        at, answers = f"{receipt.place}: ", self._answers
        shown, request = line.receipt.get("disclosure"), line.request
        answers.expect(receipt.input_hash == line.input_hash, at + "input_hash is not that of the body")
        answers.expect(
            request is not None and shown == disclosure_of(request), at + "disclosure is not what was asked"
        )
        expected = "sha256:" + output_hash_of(line.receipt).hex()
        found = line.receipt.get("output_hash")
        answers.expect(found == expected, f"{at}output_hash is {found}, expected {expected}")
        self.calls.ruled.setdefault(ruled_in(line.receipt), receipt.place)
        self._judge_identity(line, receipt)

    def _judge_identity(self, line: Line, receipt: Receipt) -> None:
        at, answers = f"{receipt.place}: ", self._answers
        answers.expect(line.event_id == receipt.event_id, at + "the answer names another event_id than its receipt")
        try:
            shard = shard_in(receipt.event_id)
        except ValueError:
            raise Unreadable("event_id is no UUID") from None
        expected = event_id_of(receipt.chain_id, shard, receipt.sequence)
        answers.expect(receipt.event_id == expected, f"{at}event_id is {receipt.event_id}, expected {expected}")
        anchor = self._run.tenants[line.tenant].anchor
        if anchor is not None and shard < MAX_CHAINS:
            place = (line.tenant, shard)
            own = self._chain_ids.get(place) or self._chain_ids.setdefault(place, chain_id_of(anchor, shard))
            answers.expect(receipt.chain_id == own, f"{at}shard {shard} of the tenant is chain {own}")

    def _keep(self, line: Line, receipt: Receipt) -> None:
        known = self.calls.by_place.get((receipt.chain_id, receipt.sequence))
        if known is None:
            self.calls.add(receipt)
        elif self._repeats.expect(
            known.whole == receipt.whole, f"{receipt.place}: two answers show two receipts of this place"
        ):
            known.asked_at = min(known.asked_at, receipt.asked_at)
            known.answered_at = min(known.answered_at, receipt.answered_at)
        own = None if line.key is None else self._by_key.setdefault((line.tenant, line.key), receipt)
        if own is not None and own.event_id != receipt.event_id:
            self._repeats.expect(False, f"one key was answered two receipts: {own.place}, and {receipt.place}")
        elif known is not None and known is not own:
            self._repeats.expect(False, f"{receipt.place}: two calls with different keys, or none, have this receipt")
        else:
            self._repeats.count += 1

    def _take_unanswered(self, line: Line, conversation: int) -> None:
        if line.key is None:
            self._open(line, conversation)
        elif may_have_written(line) or line.status == 409:
            known = self._unanswered.setdefault((line.tenant, line.key), Unanswered(conversation, line.tenant))
            if line.status == 409:
                known.refused[line.number] = line.input_hash
            elif line.input_hash is not None:
                known.open_inputs.add(line.input_hash)
        if line.input_hash is not None and not may_have_written(line):
            self.calls.refused_inputs.add((line.tenant, line.input_hash))

    def _open(self, line: Line, conversation: int) -> None:
        budget = open_budget(line)
        if budget > 0 and line.input_hash is not None:
            self.calls.open_calls.append(OpenCall(line.tenant, {line.input_hash}, conversation, budget))

    def _judge_unanswered(self) -> None:
        for place, known in self._unanswered.items():
            answered = self._by_key.get(place)
            if answered is None and known.open_inputs:
                self.calls.open_calls.append(OpenCall(known.tenant, known.open_inputs, known.conversation, 1))
            others = known.open_inputs | ({answered.input_hash} if answered is not None else set())
            others |= {body for body in known.refused.values() if body is not None}
            for number, body in known.refused.items():
                told = f"line {number} was refused by 409, and its key was used with no other body"
                self._repeats.expect(bool(others - {body}), told)

    def _judge_dates(self) -> None:
        for receipt in self.calls.by_place.values():
            earliest = receipt.asked_at - CLOCK_TOLERANCE_MS
            latest = receipt.answered_at + CLOCK_TOLERANCE_MS
            self._dates.expect(
                earliest <= receipt.issued_at <= latest,
                f"{receipt.place}: issued at {format_time(receipt.issued_at)}, but asked at "
                f"{format_time(receipt.asked_at)} and answered at {format_time(receipt.answered_at)}",
            )
