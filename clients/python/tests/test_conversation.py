"""A conversation that comes in pages: fetched one after the other, each verified, and joined."""

import copy
import unittest
from collections.abc import Callable
from typing import Any

from disclosure_receipts import Client, ClientError
from disclosure_receipts.conversation import join_pages
from disclosure_receipts.verify.bundle import verify_bundle
from disclosure_receipts.verify.kinds import read_bundle
from disclosure_receipts.verify.limits import MAX_BUNDLED_LAYERS
from disclosure_receipts.verify.reader import Reader

from .support.chain import FakeChain
from .support.evidence import evidence
from .support.service import Served, ServiceTest, disclosure

TURNS = 7
AUTHENTICATION = ("auth_mechanism", "key_id", "signature")
Page = dict[str, Any]
# Makes another page of an honest one; the function gives any page of the conversation.
Change = Callable[[Page, Callable[[int], Page]], Page]


def turns_of(page: Page) -> list[int]:
    return [receipt["turn"] for receipt in page["receipts"]]


class ConversationTest(ServiceTest):
    def begin(self, page_turns: int) -> tuple[Served, Client]:
        """A conversation of seven turns, among the turns of another, in pages of so many."""
        served, client = self.start()
        served.chain.page_turns = page_turns
        for _ in range(TURNS):
            for name in ("call", "another"):
                client.attest(disclosure(interaction_id=name))
        served.calls.clear()
        return served, client


class AConversation(ConversationTest):
    def test_in_pages_of_any_length_comes_as_one_bundle_which_verifies(self) -> None:
        for count in (1, 2, 3, 6, 7, 8):
            with self.subTest(count):
                served, client = self.begin(count)
                conversation = client.interaction("call")
                self.assertEqual(len(served.calls), -(-TURNS // count))
                served.chain.page_turns = 500
                whole = served.chain.bundle("call")
                expected = {name: value for name, value in whole.items() if name not in AUTHENTICATION}
                self.assertEqual(conversation, expected)
                checks = list(verify_bundle(read_bundle(conversation), Reader()))
                self.assertEqual([check for check in checks if check.ok is False], [])

    def test_comes_from_a_turn_on_and_page_by_page_where_that_is_asked_for(self) -> None:
        _, client = self.begin(2)
        self.assertEqual(turns_of(client.interaction("call", 4)), [4, 5, 6, 7])
        pages = list(client.interaction_pages("call", 2))
        self.assertEqual([turns_of(page) for page in pages], [[2, 3], [4, 5], [6, 7]])
        self.assertTrue(all(page["signature"] for page in pages))

    def test_behind_its_last_turn_has_none(self) -> None:
        _, client = self.begin(2)
        behind = client.interaction("call", TURNS + 1)
        self.assertEqual((behind["interaction_id"], behind["receipts"]), ("call", []))

    def test_is_fetched_no_further_than_its_reader_goes(self) -> None:
        served, client = self.begin(2)
        pages = client.interaction_pages("call")
        self.assertEqual([turns_of(next(pages)) for _ in range(2)], [[1, 2], [3, 4]])
        self.assertEqual(len(served.calls), 2)


class PagesThatDontFollowEachOther(ConversationTest):
    def test_are_not_believed(self) -> None:
        changes: list[tuple[str, Change, str]] = [
            ("a page that begins later", lambda _, of: of(4), "begins with another turn"),
            ("a page that comes twice", lambda _, of: of(1), "begins with another turn"),
            ("a page that leads back", lambda page, _: {**page, "next_turn": 1}, "leads on to another turn than its next"),
            ("a page with a gap behind it", lambda page, _: {**page, "next_turn": 6}, "leads on to another turn"),
        ]
        for name, change, reason in changes:
            with self.subTest(name):
                served, client = self.begin(2)

                def of(turn: int, chain: FakeChain = served.chain) -> Page:
                    return chain.bundle("call", turn)

                served.trick = lambda call, _: call.path.endswith("=3") and call.respond(200, change(of(3), of))
                self.assertIn(reason, str(self.failure("receipt_invalid", client.interaction, "call")))

    def test_are_not_believed_from_the_first_on(self) -> None:
        served, client = self.begin(2)
        served.trick = lambda call, _: call.respond(200, served.chain.bundle("call", 3))
        error = self.failure("receipt_invalid", client.interaction, "call")
        self.assertIn("begins with another turn", str(error))

    def test_for_one_is_of_another_history_are_not_believed_though_each_verifies(self) -> None:
        served, client = self.start()
        fork = served.chain.fork(0)
        for chain, agent in ((served.chain, "one"), (fork, "other")):
            chain.page_turns = 2
            for number in range(4):
                chain.attest(disclosure(interaction_id="call", agent_identity=agent), f"{agent}-{number}")
        served.trick = lambda call, _: call.path.endswith("=3") and call.respond(200, fork.bundle("call", 3))
        error = self.failure("receipt_invalid", client.interaction, "call")
        self.assertRegex(str(error), "chain_links|turn_links")


class JoinedPages(unittest.TestCase):
    def setUp(self) -> None:
        self.bundle: Page = evidence("bundles/conversation.json")

    def page(self, **changes: Any) -> Page:
        return {**self.bundle, "receipts": [], "requests": [], "proofs": [], **changes}

    def test_have_each_seal_once_in_the_order_of_their_index(self) -> None:
        first, both = self.page(seals=self.bundle["seals"][:1]), self.page()
        self.assertEqual(join_pages([first, both, first])["seals"], self.bundle["seals"])

    def test_have_the_later_tokens_that_the_last_of_them_knows_of(self) -> None:
        (seal, *_) = self.bundle["seals"]
        later = [{"seal_index": seal["index"], "tsa_timestamp": number} for number in range(2)]
        pages = [self.page(later_timestamps=later[:count]) for count in (1, 2)]
        self.assertEqual(join_pages(pages)["later_timestamps"], later)
        self.assertNotIn("later_timestamps", join_pages([self.page(seals=[])]))

    def test_have_each_layer_that_any_of_them_has_once_and_no_more_than_a_bundle_may_have(self) -> None:
        layers = [{"version": number} for number in range(MAX_BUNDLED_LAYERS + 1)]
        pages = [self.page(policy_layers=layers[begin : begin + 3]) for begin in (0, 1)]
        self.assertEqual(join_pages(pages)["policy_layers"], layers[:4])
        many = join_pages([self.bundle, *(self.page(policy_layers=[layer]) for layer in layers)])
        self.assertEqual(len(many["policy_layers"]), MAX_BUNDLED_LAYERS)
        read_bundle(many)
        self.assertNotIn("policy_layers", join_pages([self.page(policy_layers=[])]))

    def test_have_the_tombstone_of_each_turn_wherever_one_has_any(self) -> None:
        erasure = {"erased_at": "2026-11-24T00:00:00.000Z", "erased_by": "an officer", "ground": "request"}

        def turns(first: int, last: int, **changes: Any) -> Page:
            return self.page(receipts=self.bundle["receipts"][first - 1 : last], **changes)

        joined = join_pages([turns(1, 2), turns(3, 4, erasures=[erasure, None])])
        self.assertEqual(joined["erasures"], [None, None, erasure, None])
        joined = join_pages([turns(1, 1, erasures=[erasure]), turns(2, 3)])
        self.assertEqual(joined["erasures"], [erasure, None, None])
        self.assertNotIn("erasures", join_pages([turns(1, 2, erasures=[None, None]), turns(3, 4)]))

    def test_are_refused_where_they_have_different_seals_under_one_index(self) -> None:
        other = copy.deepcopy(self.bundle["seals"])
        other[0]["receipt_count"] += 1
        with self.assertRaisesRegex(ClientError, "has another seal") as caught:
            join_pages([self.page(), self.page(seals=other)])
        self.assertEqual(caught.exception.code, "receipt_invalid")


if __name__ == "__main__":
    unittest.main()
