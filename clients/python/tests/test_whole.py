"""Whether turns of a conversation are missing, and the leaf by which the history shows it."""

import copy
import json
import os
import tempfile
import unittest
from typing import Any

from disclosure_receipts.verify.chain_history import TenantHistory
from disclosure_receipts.verify.checks import Check, Refuted, Unreadable
from disclosure_receipts.verify.hashes import digest, hash_json, hash_receipt, leaf_of, sha256
from disclosure_receipts.verify.history_files import read_tenant_history
from disclosure_receipts.verify.public_log import Walk
from disclosure_receipts.verify.verdict import HOLDS, verdict_of
from disclosure_receipts.verify.whole import verify_whole

from .support.chain import AUTHENTICATION, CHAIN_ID, FakeChain
from .support.log import bundle_of, entries_with, head_of, history_of, sealed, walk_over
from .support.service import disclosure

CALL = "call-1"
CHAIN = FakeChain()
# Three turns of a conversation, at the places 0, 2 and 3, and one of another.
for number, call in enumerate((CALL, "call-2", CALL, CALL)):
    CHAIN.attest(disclosure(interaction_id=call), f"{number}")
FIRST, SECOND = head_of(CHAIN, 0, 3, 2), head_of(CHAIN, 1, 4, 5)
TURNS = (sealed(CHAIN, 0, FIRST), sealed(CHAIN, 2, FIRST), sealed(CHAIN, 3, SECOND))
OTHER_CHAIN = "f" * 32


class ALeaf(unittest.TestCase):
    def setUp(self) -> None:
        self.core = CHAIN.recorded[2].core
        self.core_hash = hash_json(self.core)

    def test_is_the_label_of_the_turn_and_the_hash_of_the_core(self) -> None:
        before = bytes.fromhex(self.core["previous_turn_hash"][7:])
        label = sha256(b"disclosure-receipt/1/turn-after\n" + before)
        self.assertEqual(leaf_of({**self.core, **AUTHENTICATION}), label + self.core_hash)
        self.assertEqual(hash_receipt(self.core), sha256(b"\x00" + label + self.core_hash))

    def test_of_a_first_turn_has_a_label_of_its_own(self) -> None:
        first = {**self.core, "previous_turn_hash": None}
        label = sha256(b"disclosure-receipt/1/first-turn\n" + hash_json(first))
        self.assertEqual(leaf_of(first), label + hash_json(first))

    def test_is_none_where_nothing_says_which_turn_it_follows(self) -> None:
        nameless = {name: value for name, value in self.core.items() if name != "previous_turn_hash"}
        others: list[Any] = ["", 0, False, [], self.core["previous_turn_hash"].upper()]
        for core in (nameless, *({**self.core, "previous_turn_hash": other} for other in others)):
            with self.assertRaisesRegex(Refuted, "has no leaf"):
                hash_receipt(core)


class AConversation(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.walk = self.walk_to(9)
        self.history = history_of(CHAIN, FIRST, SECOND)

    def walk_to(self, size: int) -> Walk:
        heads = [head for head in (FIRST, SECOND) if head["leaf_index"] < size]
        return walk_over(self.folder, entries_with(size, *heads), {CHAIN_ID, OTHER_CHAIN})

    def judge(self, bundle: Any, history: TenantHistory | None, walk: Walk | None) -> Check:
        (check,) = verify_whole(bundle, history, walk)
        self.assertEqual(check.name, "whole")
        # That a turn is missing takes nothing from those that are there.
        if check.ok is None:
            self.assertEqual(verdict_of([check]), HOLDS)
        return check

    def reason(self, bundle: Any, history: TenantHistory | None, walk: Walk | None) -> str | None:
        return self.judge(bundle, history, walk).reason

    def test_is_whole_as_of_an_entry(self) -> None:
        check = self.judge(bundle_of(*TURNS), self.history, self.walk)
        self.assertEqual((check.ok, check.detail), (True, "no other turn of the conversation up to entry 9"))

    def test_lacks_its_last_turn(self) -> None:
        check = self.judge(bundle_of(*TURNS[:2]), self.history, self.walk)
        self.assertEqual((check.ok, check.reason), (None, "turn_missing"))
        self.assertEqual(check.detail, f"turn 2 is followed by receipt 3 of chain {CHAIN_ID}")

    def test_lacks_a_turn_in_between(self) -> None:
        self.assertEqual(self.reason(bundle_of(TURNS[0], TURNS[2]), self.history, self.walk), "turn_missing")

    def test_lacks_a_second_turn_after_one_turn(self) -> None:
        elsewhere = FakeChain()
        elsewhere.lie = {"previous_turn_hash": digest(CHAIN.recorded[2].leaf)}
        elsewhere.attest(disclosure(interaction_id=CALL), "elsewhere")
        other = head_of(elsewhere, 0, 1, 4, OTHER_CHAIN)
        walk = walk_over(self.folder, entries_with(9, FIRST, SECOND, other), {CHAIN_ID, OTHER_CHAIN})
        second = history_of(elsewhere, other).chains[CHAIN_ID]
        both = TenantHistory({**self.history.chains, OTHER_CHAIN: second}, None, None)
        check = self.judge(bundle_of(*TURNS), both, walk)
        self.assertEqual(check.detail, f"turn 2 is followed by receipt 0 of chain {OTHER_CHAIN}")
        self.assertEqual(check.reason, "turn_missing")

    def test_is_open_behind_what_is_at_hand(self) -> None:
        whole = bundle_of(*TURNS)
        self.assertEqual(self.reason(whole, history_of(CHAIN, FIRST), self.walk), "too_new")
        self.assertEqual(self.reason(whole, self.history, self.walk_to(5)), "too_new")
        # An old history does not show that turns are missing.
        self.assertTrue(self.judge(bundle_of(*TURNS[:2]), history_of(CHAIN, FIRST), self.walk).ok)
        pending = bundle_of(*TURNS[:2], CHAIN.answer(3))
        self.assertEqual(self.reason(pending, self.history, self.walk), "pending")

    def test_reaches_no_further_than_the_oldest_history_of_the_chains(self) -> None:
        other = head_of(CHAIN, 0, 1, 4, OTHER_CHAIN)
        walk = walk_over(self.folder, entries_with(9, FIRST, SECOND, other), {CHAIN_ID, OTHER_CHAIN})
        silent = history_of(CHAIN).chains[CHAIN_ID]
        both = TenantHistory({**self.history.chains, OTHER_CHAIN: silent}, None, None)
        self.assertEqual(self.reason(bundle_of(*TURNS), both, walk), "too_new")
        self.assertEqual(self.reason(bundle_of(*TURNS[:2]), both, walk), "turn_missing")

    def test_is_not_judged_without_history_or_log_or_under_another_history(self) -> None:
        whole = bundle_of(*TURNS)
        self.assertEqual(verify_whole(whole, None, None), [])
        self.assertEqual(self.reason(whole, self.history, None), "not_given")
        self.assertEqual(self.reason(whole, None, self.walk), "not_given")
        others = TenantHistory({OTHER_CHAIN: history_of(CHAIN).chains[CHAIN_ID]}, None, None)
        self.assertEqual(self.reason(whole, others, self.walk), "other_history")

    def test_fails_with_a_receipt_that_has_no_leaf(self) -> None:
        bundle = copy.deepcopy(bundle_of(*TURNS))
        del bundle["receipts"][1]["previous_turn_hash"]
        self.assertIs(self.judge(bundle, self.history, self.walk).ok, False)


class AFolder(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        heads = [{name: value for name, value in head.items() if name != "chain_id"} for head in (FIRST, SECOND)]
        self.write(f"chains/{CHAIN_ID}/heads/0.json", json.dumps(heads).encode())
        self.leaves = b"".join(leaf_of(one.core) for one in CHAIN.recorded)
        self.write(f"chains/{CHAIN_ID}/entries/000.p/4", self.leaves)

    def write(self, path: str, data: bytes) -> None:
        file = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as out:
            out.write(data)

    def read(self, searched: Any = None) -> TenantHistory:
        index = {"tenant_anchor": None, "chains": [{"chain_id": CHAIN_ID, "shard": 0}], "searched": searched}
        self.write("history.json", json.dumps(index).encode())
        return read_tenant_history(self.folder, None)

    def test_has_leaves_of_64_bytes_and_how_far_the_log_was_walked(self) -> None:
        walked = {"leaf_index": 1, "leaf_hash": f"0x{'0' * 64}", "left_path": [f"0x{'1' * 64}"]}
        for good in (None, walked):
            self.assertEqual(self.read(good).chains[CHAIN_ID].leaves, self.leaves)
        others: list[Any] = [{"seal_index": 0, "last": walked}, 1]
        for searched in others:
            with self.assertRaises(Unreadable):
                self.read(searched)

    def test_with_leaves_that_are_others_or_too_few_is_refused(self) -> None:
        self.write(f"chains/{CHAIN_ID}/entries/000.p/4", self.leaves[:-64] + bytes(64))
        with self.assertRaisesRegex(Unreadable, "head 1 is not the root"):
            self.read()
        self.write(f"chains/{CHAIN_ID}/entries/000.p/4", self.leaves[:-32])
        with self.assertRaisesRegex(Unreadable, "no bundle of 4 leaves"):
            self.read()


if __name__ == "__main__":
    unittest.main()
