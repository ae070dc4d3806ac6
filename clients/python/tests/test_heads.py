"""The heads of a chain follow from the log, and all is judged as of a place in it: docs/history.md."""

import tempfile
import unittest
from typing import Any

from disclosure_receipts.verify.chain_history import TenantHistory, chains_of
from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.hashes import entry_of
from disclosure_receipts.verify.history_checks import verify_history
from disclosure_receipts.verify.public_heads import reach_of
from disclosure_receipts.verify.public_log import Walk, walk_log

from .support.chain import CHAIN_ID, FakeChain, node
from .support.log import entries_with, head_of, history_of, sealed, strange, walk_over, write_log
from .support.service import disclosure

ANCHOR = "5" * 32
Outcome = tuple[bool | None, str | None]
HOLDS, FAILS, TOO_NEW, PENDING = (True, None), (False, None), (None, "too_new"), (None, "pending")

CHAIN = FakeChain()
for number in range(6):
    CHAIN.attest(disclosure(), f"{number}")
FIRST, SECOND, THIRD = head_of(CHAIN, 0, 1, 3), head_of(CHAIN, 1, 4, 40), head_of(CHAIN, 2, 6, 260)
# Number 1 of the chain with another tree.
FALSE = {**SECOND, "root": FIRST["root"]}
ENTRIES = entries_with(300, FIRST, SECOND, THIRD)


class WithALog(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def walk(self, entries: list[bytes], *others: str) -> Walk:
        return walk_over(self.folder, entries, {CHAIN_ID, *others})

    def found(self, evidence: Any, history: TenantHistory | None, walk: Walk | None) -> dict[str, Outcome]:
        checks = verify_history(evidence, evidence["receipts"][0], history, walk)
        return {check.name: (check.ok, check.reason) for check in checks}


def changed(*changes: tuple[int, bytes]) -> list[bytes]:
    entries = list(ENTRIES)
    for place, entry in changes:
        entries[place] = entry
    return entries


class AWalk(WithALog):
    def places(self, entries: list[bytes]) -> list[int]:
        return [head.place for head in self.walk(entries).heads[CHAIN_ID]]

    def test_awaits_one_label_of_each_chain(self) -> None:
        self.assertEqual(self.places(ENTRIES), [3, 40, 260])
        # Behind its turn a label is no head, nor before it.
        self.assertEqual(self.places(changed((100, entry_of(SECOND)), (1, entry_of(FALSE)))), [3, 40, 260])
        self.assertEqual(self.places(changed((9, entry_of(FALSE)))), [3, 9, 260])
        # What is missing ends the chain: a later number is no head.
        self.assertEqual(self.places(changed((40, strange(40)))), [3])

    def test_ends_at_the_entries_under_a_published_root(self) -> None:
        self.assertEqual(self.walk(ENTRIES).size, 300)
        write_log(self.folder, ENTRIES, node(bytes(32)))
        with self.assertRaisesRegex(Unreadable, "do not lead to root 0"):
            walk_log(self.folder, {CHAIN_ID})


class TheReach(WithALog):
    def reach(self, entries: list[bytes] | None, *heads: dict[str, Any]) -> tuple[int, int | None]:
        walk = None if entries is None else self.walk(entries)
        chain = history_of(CHAIN, *heads).chains[CHAIN_ID]
        end, broken, _ = reach_of(CHAIN_ID, chain, walk)
        return end, broken

    def test_follows_from_places_alone(self) -> None:
        self.assertEqual(self.reach(ENTRIES, FIRST, SECOND, THIRD), (300, None))
        self.assertEqual(self.reach(ENTRIES, FIRST), (40, None))
        self.assertEqual(self.reach(ENTRIES), (3, None))
        self.assertEqual(self.reach(None, FIRST, SECOND), (41, None))
        self.assertEqual(self.reach(None), (0, None))
        # The log is older than the history.
        self.assertEqual(self.reach(ENTRIES[:50], FIRST, SECOND, THIRD), (50, None))

    def test_ends_at_the_smaller_place_of_the_first_head_that_is_another(self) -> None:
        self.assertEqual(self.reach(changed((9, entry_of(FALSE))), FIRST, SECOND, THIRD), (9, 40))
        self.assertEqual(self.reach(changed((40, strange(40)), (90, entry_of(SECOND))), FIRST, SECOND), (40, 40))
        self.assertEqual(self.reach(changed((40, entry_of(FALSE))), FIRST, SECOND, THIRD), (40, 40))


class AReceipt(WithALog):
    def setUp(self) -> None:
        super().setUp()
        self.early, self.middle, self.late = sealed(CHAIN, 0, FIRST), sealed(CHAIN, 2, SECOND), sealed(CHAIN, 5, THIRD)
        self.whole = history_of(CHAIN, FIRST, SECOND, THIRD)

    def both(self, evidence: Any, history: TenantHistory, entries: list[bytes]) -> list[Outcome]:
        found = self.found(evidence, history, self.walk(entries))
        return [found["chain_history"], found["public_heads"]]

    def test_holds_with_files_of_every_age(self) -> None:
        self.assertEqual(self.both(self.middle, self.whole, ENTRIES), [HOLDS, HOLDS])
        # The history is older than the receipt, or than the log; the log older than the history, or than the receipt.
        self.assertEqual(self.both(self.late, history_of(CHAIN, FIRST, SECOND), ENTRIES), [TOO_NEW, HOLDS])
        self.assertEqual(self.both(self.middle, history_of(CHAIN, FIRST, SECOND), ENTRIES), [HOLDS, HOLDS])
        self.assertEqual(self.both(self.early, self.whole, ENTRIES[:40]), [HOLDS, HOLDS])
        self.assertEqual(self.both(self.middle, self.whole, ENTRIES[:40]), [TOO_NEW, TOO_NEW])

    def test_holds_where_a_stranger_repeats_labels_of_its_chain(self) -> None:
        entries = changed((100, entry_of(SECOND)), (1, entry_of(FALSE)))
        self.assertEqual(self.both(self.middle, self.whole, entries), [HOLDS, HOLDS])

    def test_fails_from_a_break_on_and_not_before(self) -> None:
        broken = changed((9, entry_of(FALSE)))
        self.assertEqual(self.both(self.early, self.whole, broken), [HOLDS, HOLDS])
        for behind in (self.middle, self.late):
            self.assertEqual(self.both(behind, self.whole, broken), [FAILS, FAILS])

    def test_fails_under_a_head_that_is_none_of_its_chain(self) -> None:
        other = sealed(CHAIN, 2, {**SECOND, "leaf_index": 41})
        self.assertEqual(self.both(other, self.whole, changed((41, entry_of(SECOND)))), [FAILS, FAILS])
        earlier = sealed(CHAIN, 2, SECOND)
        self.whole.chains[CHAIN_ID].heads[1] = {**SECOND, "seal_index": 2}
        self.assertEqual(self.both(earlier, self.whole, ENTRIES), [FAILS, HOLDS])
        # A later seal proves a head, too.
        earlier["merkle_proof"]["cross_tenant_proof"]["seal_index"] = 3
        self.assertEqual(self.both(earlier, self.whole, ENTRIES), [HOLDS, HOLDS])

    def test_is_held_against_the_log_without_a_history(self) -> None:
        self.assertEqual(self.found(self.middle, None, self.walk(ENTRIES)), {"public_heads": HOLDS})
        broken = self.walk(changed((9, entry_of(FALSE))))
        self.assertEqual(self.found(self.middle, None, broken), {"public_heads": FAILS})

    def test_that_is_pending_stands_where_the_history_has_it(self) -> None:
        pending = CHAIN.answer(2, 4)
        self.assertEqual(self.both(pending, self.whole, ENTRIES), [HOLDS, PENDING])
        self.assertEqual(self.both(pending, history_of(CHAIN, FIRST), ENTRIES), [TOO_NEW, PENDING])
        self.assertEqual(self.both(pending, self.whole, changed((9, entry_of(FALSE)))), [FAILS, PENDING])

    def test_says_without_a_log_no_more_than_that_it_goes_with_the_file(self) -> None:
        (check, *_) = verify_history(self.middle, self.middle["receipts"][0], self.whole, None)
        self.assertEqual((check.name, check.ok), ("chain_history", True))
        self.assertIn("consistent with this file", check.detail)

    def test_is_held_against_the_leaves(self) -> None:
        fork = CHAIN.fork(2)
        fork.attest(disclosure(agent_identity="another"), "fork")
        self.assertEqual(self.both(fork.answer(2), self.whole, ENTRIES), [FAILS, PENDING])


class OtherChains(WithALog):
    def test_are_looked_for_up_to_the_receipt(self) -> None:
        other = next(iter(chains_of(ANCHOR)))
        middle, late = sealed(CHAIN, 2, SECOND), sealed(CHAIN, 5, THIRD)
        whole, older = (history_of(CHAIN, *heads, anchor=ANCHOR) for heads in ((FIRST, SECOND, THIRD), (FIRST,)))

        def said(evidence: Any, history: TenantHistory, place: int) -> Outcome:
            begun = changed((place, entry_of(head_of(CHAIN, 0, 1, place, other))))
            return self.found(evidence, history, self.walk(begun, *chains_of(ANCHOR)))["other_chains"]

        self.assertEqual(said(middle, whole, 39), FAILS)
        self.assertEqual(said(middle, whole, 41), HOLDS)
        self.assertEqual(said(late, whole, 41), FAILS)
        self.assertEqual(said(middle, older, 41), TOO_NEW)
        self.assertEqual(said(CHAIN.answer(2, 4), whole, 41), PENDING)


if __name__ == "__main__":
    unittest.main()
