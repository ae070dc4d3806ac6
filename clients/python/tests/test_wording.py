"""Digests of texts, ids of conversations, and the wordings that ship."""

import unicodedata
import unittest

from disclosure_receipts import ClientError, disclosure_of, find_wording, hash_wording, interaction_id, wordings_of
from disclosure_receipts.request import fault_of
from disclosure_receipts.wordings import shipped_wordings

from .support.service import disclosure


class ATextsDigest(unittest.TestCase):
    def test_is_that_of_its_composed_form_and_of_nothing_else(self) -> None:
        text = "Büro"
        self.assertEqual(hash_wording(text), "sha256:96eecebccfb49c81749ace571ce88a08dd109418a71b022ac21051a509c53ef9")
        self.assertEqual(hash_wording(unicodedata.normalize("NFD", text)), hash_wording(text))
        self.assertEqual(len({hash_wording(one) for one in (text, f"{text} ", text.lower(), f"{text}.")}), 4)

    def test_is_refused_for_what_is_no_text(self) -> None:
        for what in ("\ud800", None, b"text"):
            for function in (hash_wording, interaction_id):
                with self.assertRaises(ClientError) as caught:
                    function(what)  # type: ignore[arg-type]
                self.assertEqual(caught.exception.code, "invalid_request")


class AConversationsId(unittest.TestCase):
    def test_is_its_name_where_the_service_takes_it_and_else_a_digest(self) -> None:
        for name in ("call-1", "a" * 128, "A:z@0.9+/=;_-"):
            self.assertEqual(interaction_id(name), name)
        for name in ("+49 170 1234567", "Büro", "a" * 129, "call\n"):
            self.assertRegex(interaction_id(name), r"^sha256:[0-9a-f]{64}$")
            self.assertIsNone(fault_of(disclosure(interaction_id=interaction_id(name))))
        self.assertEqual(interaction_id("Büro"), interaction_id("Bu\u0308ro"))
        with self.assertRaises(ClientError):
            interaction_id("")


class TheWordings(unittest.TestCase):
    def test_have_the_digest_of_their_text_and_are_found_by_it(self) -> None:
        self.assertGreater(len(shipped_wordings()), 10)
        for wording in shipped_wordings():
            self.assertEqual(hash_wording(wording.text), wording.digest)
            self.assertIs(find_wording(wording.digest), wording)
            self.assertIs(find_wording(wording.id), wording)
            self.assertIn(wording, wordings_of(wording.jurisdiction))
        self.assertIsNone(find_wording("no such wording"))
        self.assertEqual(wordings_of("XX"), [])

    def test_give_the_part_of_a_request_that_is_about_the_disclosure(self) -> None:
        for wording in shipped_wordings():
            for method in wording.methods:
                part = disclosure_of(wording.id, method)
                request = {**part, "interaction_id": "call-1", "agent_identity": "agent"}
                self.assertIsNone(fault_of(request))
                self.assertEqual((part["subject_hash"], part["disclosure_method"]), (wording.digest, method))
            (direct,) = wording.direct_methods
            self.assertEqual(disclosure_of(wording.id), disclosure_of(wording.id, direct))
            self.assertEqual({*wording.methods} - {direct}, {"reported_after_call"} & {*wording.methods})
            self.assertRaises(ClientError, disclosure_of, wording.id, "telepathy")
        self.assertRaises(ClientError, disclosure_of, "no such wording")


if __name__ == "__main__":
    unittest.main()
