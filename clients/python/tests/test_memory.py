"""The client's memory. Each fact by itself shows a fork: where it alone is contradicted, nothing else would."""

import copy
import unittest
from typing import Any

from disclosure_receipts import Client, ClientError
from disclosure_receipts.chain_memory import BoundedDict, SeenHistory
from disclosure_receipts.verify.chain_history import MAX_CHAINS

from .support.chain import FakeChain, node
from .support.evidence import evidence
from .support.service import API_KEY, NOBODY, disclosure

OTHER = b"5" * 32
CALL = "call-1"


def chain_of(*agents: str) -> FakeChain:
    """A conversation of so many turns, each of an agent."""
    chain = FakeChain()
    for number, agent in enumerate(agents):
        chain.attest(disclosure(interaction_id=CALL, agent_identity=agent), f"{number}")
    return chain


def elsewhere(answer: Any) -> Any:
    """The same answer of another chain."""
    moved = copy.deepcopy(answer)
    moved["receipts"][0]["chain_id"] = moved["evidence_chain"]["chain_id"] = "f" * 32
    return moved


class TwoAnswers(unittest.TestCase):
    def contradicted(self, one: Any, other: Any) -> str | None:
        """The sentence in which the second contradicts the first; None where both go together."""
        memory = SeenHistory()
        memory.learn(one["receipts"][0], one)
        try:
            memory.learn(other["receipts"][0], other)
        except ClientError as error:
            assert isinstance(error.evidence, dict)
            self.assertEqual(error.code, "chain_forked")
            return str(error.evidence["fact"])
        return None

    def test_contradict_each_other_by_a_head_that_was_named_and_is_another_receipt(self) -> None:
        chain = chain_of("a", "a", "a", "a")
        named = chain.answer(0, 4)
        named["evidence_chain"]["head_hash"] = "sha256:" + OTHER.hex()
        self.assertIsNotNone(self.contradicted(named, chain.answer(3)))

    def test_contradict_each_other_by_another_root_of_one_size(self) -> None:
        one = chain_of("a", "a", "a", "a").answer(0, 4)
        other = copy.deepcopy(one)
        other["merkle_proof"]["event_inclusion_proof"]["root"] = node(OTHER)
        self.assertIsNotNone(self.contradicted(one, other))

    def test_contradict_each_other_by_another_root_of_the_metachain_under_whatever_seal(self) -> None:
        report = evidence("receipts/hand-off.json")
        other = copy.deepcopy(report)
        cross = other["merkle_proof"]["cross_tenant_proof"]
        cross["seal_index"] += 1
        cross["root"] = node(OTHER)
        self.assertIsNotNone(self.contradicted(report, other))

    def test_contradict_each_other_by_a_receipt_that_is_another_than_the_sealed_one(self) -> None:
        report = evidence("receipts/hand-off.json")
        other = copy.deepcopy(report)
        # Its answer was verified before, so the leaf is the hash of its receipt.
        other["merkle_proof"]["event_inclusion_proof"]["leaf_hash"] = node(OTHER)
        self.assertIsNotNone(self.contradicted(report, other))

    def test_contradict_each_other_by_two_receipts_that_follow_one_turn_on_whichever_chains(self) -> None:
        truth, others = chain_of("a", "a"), chain_of("b", "b")
        found = self.contradicted(truth.answer(1), elsewhere(truth.answer(1)))
        self.assertRegex(found or "", "^the turn after leaf [0-9a-f]{64} of the conversations$")
        self.assertIsNone(self.contradicted(truth.answer(1), elsewhere(others.answer(1))))

    def test_do_not_where_a_conversation_begins_anew_for_its_id_may_have_been_erased(self) -> None:
        chain = chain_of("a", "a")
        chain.erase(CALL)
        chain.attest(disclosure(interaction_id=CALL), "anew")
        self.assertEqual(chain.answer(2)["receipts"][0]["turn"], 1)
        for one, other in ((1, 2), (2, 1)):
            self.assertIsNone(self.contradicted(chain.answer(one), chain.answer(other)))

    def test_contradict_each_other_by_two_roots_of_one_seal(self) -> None:
        client = Client(NOBODY, API_KEY)
        reminder, hand_off = evidence("receipts/reminder.json"), evidence("receipts/hand-off.json")
        seal_index = hand_off["merkle_proof"]["cross_tenant_proof"]["seal_index"]
        client.remember(hand_off)
        moved = copy.deepcopy(reminder)
        self.assertNotEqual(moved["merkle_proof"]["cross_tenant_proof"]["seal_index"], seal_index)
        moved["merkle_proof"]["cross_tenant_proof"]["seal_index"] = seal_index
        with self.assertRaises(ClientError) as caught:
            client.remember(moved)
        self.assertEqual(caught.exception.code, "chain_forked")
        client.remember(reminder)


class AMemory(unittest.TestCase):
    def test_that_is_full_forgets_the_chain_that_was_silent_longest(self) -> None:
        memory, chain = SeenHistory(), FakeChain()
        chain.attest(disclosure(), "one")
        model = chain.answer(0)

        def of_chain(n: int) -> Any:
            chain_id = f"{n:032x}"
            receipts = [{**model["receipts"][0], "chain_id": chain_id, "event_id": f"{n}"}]
            return {**model, "receipts": receipts, "evidence_chain": {**model["evidence_chain"], "chain_id": chain_id}}

        for n in range(MAX_CHAINS + 1):
            memory.remember(of_chain(n))
        known = [one["evidence_chain"]["chain_id"] for one in memory.newest]
        self.assertEqual((len(known), int(known[0], 16)), (MAX_CHAINS, 1))

    def test_that_is_full_forgets_what_was_seen_longest_ago_and_not_what_was_confirmed_since(self) -> None:
        facts: BoundedDict[str, int] = BoundedDict(3)
        for name in ("one", "two", "three", "one", "four"):
            facts[name] = 1
        self.assertEqual(list(facts), ["three", "one", "four"])


if __name__ == "__main__":
    unittest.main()
