"""The table of lying services: forged, replayed, forked. No answer of theirs is returned as a receipt."""

import copy
import json
import threading
import unittest
from collections.abc import Callable
from typing import Any

from disclosure_receipts import Client, ClientError

from .support.evidence import EVIDENCE, evidence
from .support.service import API_KEY, Call, Served, ServiceTest, disclosure

CONVERSATION = "call-of-Herr-Maier"


def changed(change: Callable[[Any], Any]) -> Callable[[Call, int], bool]:
    def trick(call: Call, _: int) -> bool:
        answer = copy.deepcopy(call.answer())
        return call.respond(200, change(answer) or answer)

    return trick


def set_in(*path: Any, to: Any) -> Callable[[Any], Any]:
    def change(answer: Any) -> None:
        for step in path[:-1]:
            answer = answer[step]
        answer[path[-1]] = to

    return change


class AnAnswer(ServiceTest):
    def test_that_is_forged_is_not_believed(self) -> None:
        forged = {
            "is of another request": set_in("receipts", 0, "input_hash", to="sha256:" + "1" * 64),
            "has another verdict": set_in("receipts", 0, "verdict", to="BLOCK"),
            "has another root": set_in("merkle_proof", "merkle_root", to="0x" + "1" * 64),
            "has another path": set_in("merkle_proof", "event_inclusion_proof", "path", to=["0x" + "1" * 64]),
            "has no receipt": set_in("receipts", to=[]),
            "has no code": set_in("signature", to=None),
            "is a proof alone": lambda answer: {"merkle_proof": answer["merkle_proof"]},
            "is a text": lambda _: "recorded",
            "is a list": lambda answer: [answer],
        }
        for name, change in forged.items():
            with self.subTest(name):
                served, client = self.start(changed(change))
                error = self.failure("receipt_invalid", client.attest, disclosure())
                self.assertIn("answer", error.evidence)  # type: ignore[arg-type]
                self.assertEqual(len(served.calls), 1)

    def test_that_holds_but_is_for_another_request_is_not_believed(self) -> None:
        served, client = self.start()
        served.trick = lambda call, _: call.respond(
            200, served.chain.attest(disclosure(interaction_id="of another"), "another")
        )
        error = self.failure("receipt_invalid", client.attest, disclosure())
        self.assertIn("input_hash: the request that was given is not the one behind this receipt", str(error))

    def test_about_another_event_or_conversation_is_not_believed(self) -> None:
        served, client = self.start()
        one, two = (client.attest(disclosure(interaction_id=name)) for name in ("asked-for", "of-another"))
        served.trick = lambda call, _: call.respond(200, two)
        self.assertIn("another event", str(self.failure("receipt_invalid", client.report, one["event_id"])))
        self.assertEqual(client.report(two["event_id"].upper()), two)
        served.trick = lambda call, _: call.respond(200, served.chain.bundle("of-another"))
        self.assertIn("another conversation", str(self.failure("receipt_invalid", client.interaction, "asked-for")))

    def test_about_a_conversation_that_is_forged_is_not_believed(self) -> None:
        forged = [
            (set_in("receipts", 0, "verdict", to="BLOCK"), "does not hold: receipts/0/output_hash"),
            (lambda bundle: {**bundle, "requests": [*bundle["requests"], None]}, "can't be read"),
            (set_in("signature", to=None), "is not an evidence bundle"),
            (set_in("next_turn", to=1), "leads on to another turn"),
        ]
        for change, reason in forged:
            served, client = self.start()
            client.attest(disclosure(interaction_id="asked-for"))
            served.trick = changed(change)
            error = self.failure("receipt_invalid", client.interaction, "asked-for")
            self.assertIn(reason, str(error))

    def test_is_believed_with_a_token_of_an_authority_that_the_caller_trusts_and_with_no_other(self) -> None:
        report, bundle = evidence("receipts/hand-off.json"), evidence("bundles/conversation.json")
        for pem, is_trusted in (("service.pem", True), ("other.pem", False)):
            served, client = self.start(trust_anchors=(EVIDENCE / "authorities" / pem).read_text())
            served.trick = lambda call, _: call.respond(
                200, report if call.path.startswith("/v1/attestation") else bundle
            )
            reads = (client.report, report["event_id"]), (client.interaction, "call-2026-000117")
            for read, name in reads:
                if is_trusted:
                    read(name)
                else:
                    self.assertIn("timestamp: ", str(self.failure("receipt_invalid", read, name)))

    def test_is_believed_with_further_tokens_of_authorities_that_the_caller_does_not_know_but_with_no_false_one(
        self,
    ) -> None:
        bundle, other = evidence("bundles/conversation.json"), evidence("authorities/other-token.json")
        false = next(seal["tsa_timestamp"] for seal in bundle["seals"] if seal["index"] != 2)
        unknown = {**false, "timestamp_token": other["timestamp_token"]}
        for token, reason in ((unknown, None), (false, r"seals/\d/additional_timestamps: ")):
            served, client = self.start(trust_anchors=(EVIDENCE / "authorities" / "service.pem").read_text())
            later = [{"seal_index": 2, "tsa_timestamp": token}]
            served.trick = changed(lambda _: {**bundle, "later_timestamps": later})
            if reason is None:
                self.assertEqual(client.interaction("call-2026-000117")["later_timestamps"], later)
            else:
                error = self.failure("receipt_invalid", client.interaction, "call-2026-000117")
                self.assertRegex(str(error), reason)

    def test_keeps_members_that_this_version_does_not_know(self) -> None:
        _, client = self.start(changed(set_in("later", to="addition")))
        self.assertEqual(client.attest(disclosure())["later"], "addition")

    def test_is_believed_without_the_services_own_code_which_it_lacks_while_the_key_service_is_away(self) -> None:
        served, client = self.start()
        event_id = client.attest(disclosure(interaction_id=CONVERSATION))["event_id"]
        served.trick = changed(lambda answer: {**answer, "auth_mechanism": None, "key_id": None, "signature": None})
        self.assertIsNone(client.report(event_id)["signature"])
        self.assertEqual(len(client.interaction(CONVERSATION)["receipts"]), 1)
        # The receipt's own code is never missing.
        served.trick = changed(set_in("receipts", 0, "signature", to=None))
        self.failure("receipt_invalid", client.report, event_id)

    def test_with_a_list_that_is_none_or_leads_back_is_not_believed(self) -> None:
        served, client = self.start(lambda call, _: call.respond(200, {"receipts": [], "next": "again"}))
        self.assertIn("its own page", str(self.failure("receipt_invalid", lambda: list(client.receipts()))))
        self.assertEqual(len(served.calls), 2)
        served.trick = lambda call, _: call.respond(200, {"receipts": [{}], "next": None})
        self.failure("receipt_invalid", lambda: list(client.receipts()))

    def test_that_is_pending_for_ever_ends_with_not_sealed(self) -> None:
        _, client = self.start()
        receipt = client.attest(disclosure())
        error = self.failure("not_sealed", client.sealed, receipt["event_id"], timeout=0.2)
        self.assertEqual(error.evidence, receipt)


class AReceipt(ServiceTest):
    def fork_of(self, call: Callable[..., Any], *args: Any, **named: Any) -> ClientError:
        return self.failure("chain_forked", call, *args, **named)

    def unseen(self, served: Served, count: int, who: str = "unseen") -> None:
        """Other programs write to the same chain."""
        for n in range(count):
            place = len(served.chain.recorded)
            served.chain.attest(disclosure(interaction_id=f"{who}-{place}"), f"{who}-{place}-{n}")

    def test_of_one_history_raises_no_alarm(self) -> None:
        served, client = self.start()
        for n in range(20):
            self.unseen(served, n % 5)
            client.attest(disclosure(interaction_id=f"call-{n}"))
        self.assertEqual([one["evidence_chain"]["sequence"] for one in client.newest], [len(served.chain.recorded) - 1])

    def test_of_another_history_is_a_fork_at_any_size(self) -> None:
        for seen in (1, 2, 3, 4, 7, 8, 13):
            served, client = self.start()
            for n in range(seen):
                client.attest(disclosure(interaction_id=f"call-{n}"))
            honest = served.chain
            served.chain = honest.fork(seen - 1)
            self.unseen(served, 1)
            self.fork_of(client.attest, disclosure(interaction_id="next"))
            # The true history is believed after a fork was noticed.
            served.chain = honest
            client.attest(disclosure(interaction_id="next"))

    def test_at_a_place_that_was_taken_before_is_a_fork(self) -> None:
        served, client = self.start()
        client.attest(disclosure())
        self.unseen(served, 8)
        client.attest(disclosure())
        served.chain = served.chain.fork(5)
        error = self.fork_of(client.attest, disclosure(interaction_id="next"))
        self.assertEqual((error.evidence["expected"], error.evidence["actual"]), (10, 5))  # type: ignore[index]

    def test_that_is_replayed_for_a_new_disclosure_of_the_same_words_is_a_fork(self) -> None:
        served, client = self.start()
        old = client.attest(disclosure(), idempotency_key="key-of-one")
        served.trick = lambda call, _: call.respond(200, old)
        self.fork_of(client.attest, disclosure())
        self.fork_of(client.attest, disclosure(), idempotency_key="key-of-two")
        self.assertEqual(client.attest(disclosure(), idempotency_key="key-of-one"), old)

    def test_that_links_to_another_than_the_one_before_is_a_fork(self) -> None:
        served, client = self.start()
        for n in range(2):
            client.attest(disclosure(interaction_id=f"call-{n}"))
        served.chain.lie = {"previous_hash": "sha256:" + "1" * 64}
        error = self.fork_of(client.attest, disclosure(interaction_id="next"))
        self.assertEqual(error.evidence["actual"], "1" * 64)  # type: ignore[index]

    def test_that_follows_a_turn_which_another_follows_is_a_fork_and_says_no_names(self) -> None:
        served, client = self.start()
        first = client.attest(disclosure(interaction_id=CONVERSATION), idempotency_key="key-of-one")
        client.attest(disclosure(interaction_id=CONVERSATION))
        self.unseen(served, 3)
        link = "sha256:" + first["merkle_proof"]["event_inclusion_proof"]["leaf_hash"][2:]
        served.chain.lie = {"previous_turn_hash": link}
        error = self.fork_of(client.attest, disclosure(interaction_id=CONVERSATION))
        said = f"{error}{json.dumps(error.evidence)}"
        self.assertIn("the turn after leaf ", said)
        self.assertNotIn(CONVERSATION, said)
        self.assertNotIn("key-of-one", said)

    def test_that_begins_the_conversation_anew_is_believed_for_the_id_may_have_been_erased_meanwhile(self) -> None:
        served, client = self.start()

        def turn() -> Any:
            return client.attest(disclosure(interaction_id=CONVERSATION))["receipts"][0]["turn"]

        self.assertEqual([turn(), turn(), turn()], [1, 2, 3])
        client.interaction(CONVERSATION)
        new_id = served.chain.erase(CONVERSATION)
        self.assertEqual([turn(), turn()], [1, 2])
        self.assertEqual(len(client.interaction(CONVERSATION)["receipts"]), 2)
        self.assertEqual(len(client.interaction(new_id)["receipts"]), 3)

    def test_whose_time_or_seal_goes_back_is_a_fork(self) -> None:
        for lie in (
            {"issued_at": "2026-11-21T11:59:59.000Z"},
            {"issued_at": "2026-11-20T12:00:00.000Z", "turn": 1},
        ):
            served, client = self.start()
            client.attest(disclosure())
            self.unseen(served, 1)
            served.chain.lie = lie
            self.fork_of(client.attest, disclosure(interaction_id="next"))

    def test_in_a_report_or_a_bundle_of_another_history_is_a_fork(self) -> None:
        served, client = self.start()
        receipt = client.attest(disclosure(interaction_id="call"))
        self.unseen(served, 8)
        client.attest(disclosure(interaction_id="late"))
        client.report(receipt["event_id"])
        served.chain = served.chain.fork(1)
        self.unseen(served, 10, "others")
        self.fork_of(client.report, receipt["event_id"])
        served, client = self.start()
        for _ in range(3):
            client.attest(disclosure(interaction_id="call"))
        client.interaction("call")
        served.chain = served.chain.fork(2)
        served.chain.attest(disclosure(interaction_id="call", agent_identity="another"), "another")
        self.fork_of(client.interaction, "call")

    def test_is_remembered_in_the_next_process(self) -> None:
        served, client = self.start()
        for n in range(5):
            client.attest(disclosure(interaction_id=f"call-{n}"))
        saved = json.loads(json.dumps(client.newest))
        following = Client(served.url, API_KEY)
        for receipt in saved:
            following.remember(receipt)
        self.assertEqual(following.newest, saved)
        honest = served.chain
        served.chain = honest.fork(4)
        self.unseen(served, 1)
        self.fork_of(following.attest, disclosure())
        served.chain = honest
        following.attest(disclosure())
        for damaged in (None, {}, {**saved[0], "evidence_chain": {**saved[0]["evidence_chain"], "sequence": 7}}):
            self.failure("receipt_invalid", following.remember, damaged)

    def test_raises_no_alarm_where_answers_overtake_each_other(self) -> None:
        served, client = self.start()
        everyone = threading.Barrier(8)

        def hold(call: Call, nth: int) -> bool:
            answer = call.answer()
            everyone.wait(30)
            return call.respond(200, answer)

        served.trick = hold
        failures: list[BaseException] = []

        def attest(n: int) -> None:
            try:
                client.attest(disclosure(interaction_id=f"call-{n % 3}"))
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=attest, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, len(served.chain.recorded)), ([], 8))
        self.assertEqual([one["evidence_chain"]["sequence"] for one in client.newest], [7])


if __name__ == "__main__":
    unittest.main()
