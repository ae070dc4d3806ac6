"""The answers of the run by themselves: each is a receipt of what was asked, and each Idempotency-Key has one."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from disclosure_receipts.verify.canonical_json import canonicalize
from disclosure_receipts.verify.chain_history import chains_of
from disclosure_receipts.verify.checks import Unreadable, run as make
from disclosure_receipts.verify.instants import show_time
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.receipt import RECEIPT_CHECKS, shard_of

from ..evidence.journal import Conversations, Line, OpenCall, lines_of, may_have_written, open_budget
from ..evidence.receipts import Receipt, read_receipt
from ..evidence.run import RunFacts
from ..findings import Findings
from ..progress import Progress

# The service's clock is within a minute of its engine's; another minute is for the clock of the run.
CLOCK_TOLERANCE_MS = 120_000
DAY_LENGTH = len("2026-11-23")
# The checks of the verifier that a receipt and its request allow by themselves.
OF_AN_ANSWER = ("receipt_format", "event_id", "input_hash", "output_hash")


@dataclass
class Unanswered:
    """The facts of a key beside its receipt: the bodies of calls that stayed open, and of those refused by 409."""

    conversation: int
    tenant: int
    open_inputs: set[str] = field(default_factory=set)
    refused: dict[int, str | None] = field(default_factory=dict)


@dataclass
class Calls:
    """The distinct receipts of the run by their places, and the calls that may have left more."""

    by_place: dict[tuple[str, int], Receipt] = field(default_factory=dict)
    open_calls: list[OpenCall] = field(default_factory=list)
    refused_inputs: set[tuple[int, str]] = field(default_factory=set)
    # One receipt for each decision of a wording layer: most of a run share theirs.
    ruled: dict[str, JsonObject] = field(default_factory=dict)
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
        self._chains = [None if tenant.anchor is None else chains_of(tenant.anchor) for tenant in run.tenants]
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
        shown = line.receipt
        # The request is enclosed: one with another hash is a fault, and no stray.
        enclosed = Reader(requests={line.input_hash or "": line.request}, copies={})
        subject = ({"event_id": line.event_id}, shown, enclosed)
        self._answers.take(receipt.place, (make(name, partial(RECEIPT_CHECKS[name], *subject)) for name in OF_AN_ANSWER))
        decision = [shown["policy"], shown["disclosure"], shown["verdict"], shown["issued_at"][:DAY_LENGTH]]
        self.calls.ruled.setdefault(canonicalize(decision), shown)
        own, shard = self._chains[line.tenant], shard_of(receipt.event_id)
        told = f"{receipt.place}: it is no chain of the tenant's, or not its shard {shard}"
        self._answers.expect(own is None or own.get(receipt.chain_id) == shard, told)

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
            asked, issued, answered = receipt.asked_at, receipt.issued_at, receipt.answered_at
            self._dates.count += 1
            if not asked - CLOCK_TOLERANCE_MS <= issued <= answered + CLOCK_TOLERANCE_MS:
                told = f"asked at {show_time(asked)} and answered at {show_time(answered)}"
                self._dates.add(f"{receipt.place}: issued at {show_time(issued)}, but {told}")
