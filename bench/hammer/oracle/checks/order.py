"""Everything that lies in order: the links and times along each chain, and the turns of each conversation."""

from __future__ import annotations

from collections import defaultdict

from disclosure_receipts.verify.formats import NO_PREVIOUS_HASH
from disclosure_receipts.verify.hashes import digest
from disclosure_receipts.verify.instants import show_time

from ..evidence.receipts import Receipt
from ..evidence.run import RunFacts
from ..findings import Check, Findings
from .calls import Calls
from .places import Places


def check_links(calls: Calls, places: Places, findings: Findings) -> None:
    """Each receipt names the leaf before it, and neither its time nor its lower bound goes back along the chain."""
    check, known = findings.check("links"), {chain.chain_id: chain for chain in places.chains}
    newest: dict[str, Receipt] = {}
    for receipt in sorted(calls.by_place.values(), key=lambda each: (each.chain_id, each.sequence)):
        chain = known.get(receipt.chain_id)
        if chain is not None and 0 < receipt.sequence <= chain.size:
            before = digest(chain.leaf(receipt.sequence - 1))
            told = f"{receipt.place}: previous_hash is {receipt.previous}, the leaf before is {before}"
            check.expect(receipt.previous == before, told)
        is_first = receipt.sequence == 0
        told = f"{receipt.place}: only the first receipt has a zero previous_hash"
        check.expect((receipt.previous == NO_PREVIOUS_HASH) == is_first, told)
        earlier = newest.get(receipt.chain_id)
        newest[receipt.chain_id] = receipt
        if earlier is not None:
            _check_neither_goes_back(check, earlier, receipt)


def _check_neither_goes_back(check: Check, earlier: Receipt, receipt: Receipt) -> None:
    told = (
        f"{receipt.place}: issued at {show_time(receipt.issued_at)}, "
        f"sequence {earlier.sequence} at {show_time(earlier.issued_at)}"
    )
    check.expect(receipt.issued_at >= earlier.issued_at, told)
    bound, bound_before = _seal_named(receipt), _seal_named(earlier)
    told = f"{receipt.place}: recorded_after names seal {bound}, sequence {earlier.sequence} names {bound_before}"
    check.expect(bound >= bound_before, told)


def _seal_named(receipt: Receipt) -> int:
    return -1 if receipt.recorded_after is None else receipt.recorded_after[0]


def check_conversations(run: RunFacts, calls: Calls, findings: Findings) -> list[list[Receipt]]:
    """Turns count from 1 without a gap, on one chain, in the order of the calls. Returns what was erased."""
    check = findings.check("conversations")
    by_number: dict[int, list[Receipt]] = defaultdict(list)
    for receipt in calls.by_place.values():
        if receipt.conversation is not None:
            by_number[receipt.conversation].append(receipt)
    erasures: dict[int, int] = defaultdict(int)
    for tenant, interaction_id in run.erased:
        erasures[calls.conversations.number(tenant, interaction_id)] += 1
    erased: list[list[Receipt]] = []
    for number, receipts in by_number.items():
        lives = _lives(sorted(receipts, key=lambda each: (each.issued_at, each.sequence)), erasures[number])
        erased += lives[: erasures[number]]
        for life in lives:
            _check_turns(check, life)
    return erased


def _lives(receipts: list[Receipt], erasures: int) -> list[list[Receipt]]:
    """Once erased, a conversation's id is as one that was never recorded: what comes after begins with turn 1 again."""
    lives: list[list[Receipt]] = [[]]
    for receipt in receipts:
        if receipt.turn == 1 and lives[-1] and len(lives) <= erasures:
            lives.append([])
        lives[-1].append(receipt)
    return lives


def _check_turns(check: Check, receipts: list[Receipt]) -> None:
    """One conversation, in the order of its receipts."""
    before: Receipt | None = None
    asked_last = 0
    for place, receipt in enumerate(receipts, start=1):
        at = f"{receipt.place}: "
        if not check.expect(receipt.turn == place, f"{at}turn {receipt.turn} where {place} is expected"):
            return
        expected = None if before is None else digest(before.leaf)
        told = f"{at}previous_turn_hash is {receipt.previous_turn}, expected {expected}"
        check.expect(receipt.previous_turn == expected, told)
        if before is not None:
            check.expect(receipt.chain_id == before.chain_id, f"{at}turn {place - 1} is on chain {before.chain_id}")
        in_order = receipt.answered_at >= asked_last
        check.expect(in_order, f"{at}turn {place} was answered before an earlier turn was asked for")
        asked_last = max(asked_last, receipt.asked_at)
        before = receipt
