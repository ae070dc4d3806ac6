"""JSON and its canonical form: the examples of RFC 8785, as far as they hold integers, and what is refused."""

import unittest

from ..formats.identities import chain_id_of, commitment_of, event_id_of, fingerprint_of, label_of, shard_in
from ..formats.json_text import Unreadable, canonical, hash_of, parse_json

# docs/receipt-format.md, "A worked example".
CHAIN = "1b162470a681367a34a4796145b0b794"
ROOT = bytes.fromhex("3502f5c78720b150989511e4c1cafc1f3eec00866d0f385ac6ed43f4a931ed97")


class JsonText(unittest.TestCase):
    def test_sorts_names_by_their_utf16_units(self) -> None:
        """The example of RFC 8785 section 3.2.3."""
        names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
        sorted_names = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
        self.assertEqual(list(parse_json(canonical({name: 0 for name in names}))), sorted_names)

    def test_escapes_what_must_be_and_nothing_else(self) -> None:
        text = parse_json(r'"\u20ac$\u000F\u000aA\u0027\u0042\u0022\u005c\\\"\/"')
        self.assertEqual(canonical(text).decode(), r'"€$\u000f\nA' + "'" + r'B\"\\\\\"/"')

    def test_refuses_what_two_readers_could_understand_differently(self) -> None:
        for text in ('{"a":1,"a":2}', "9007199254740992", "NaN", '{"a":1', b'"\xff"', "[" * 100_000):
            with self.subTest(text=text[:20]), self.assertRaises(Unreadable):
                parse_json(text)

    def test_does_not_hash_a_fraction_or_a_lone_surrogate(self) -> None:
        for text in ("[1.0]", "[1e2]", r'"\ud800"', r'{"\ud800":"\u00f6"}'):
            with self.subTest(text=text), self.assertRaises(Unreadable):
                canonical(parse_json(text))


class WorkedExample(unittest.TestCase):
    def test_event_id_names_its_place(self) -> None:
        self.assertEqual(event_id_of(CHAIN, 0, 2), "197b7d4d-f2d6-8cdf-b000-000000000002")
        self.assertEqual(shard_in("197b7d4d-f2d6-8cdf-b000-000000000002"), 0)

    def test_event_id_holds_its_shard_and_any_sequence(self) -> None:
        event_id = event_id_of(CHAIN, 4095, 2**48 - 1)
        self.assertRegex(event_id, r"^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]fff-f{12}$")
        self.assertEqual(shard_in(event_id), 4095)

    def test_label_and_commitment_of_the_head(self) -> None:
        label = "bb798ae13de5732d606bbb38d8c81226bc50fa5fa2977049daf80b654d9f69e2"
        commitment = "7d7ffabc67f91931f50cb9399d047b9b8d488e0e79aa4aa9ef4843f42483a610"
        self.assertEqual(label_of(CHAIN, 1).hex(), label)
        self.assertEqual(commitment_of(CHAIN, 1, ROOT, 3).hex(), commitment)

    def test_chain_and_fingerprint_follow_from_the_anchor(self) -> None:
        anchor = "0" * 32
        self.assertEqual(chain_id_of(anchor, 3), hash_of({"tenant_anchor": anchor, "shard": 3}).hex()[:32])
        self.assertEqual(fingerprint_of(anchor), "sha256:" + hash_of({"tenant_anchor": anchor}).hex())


if __name__ == "__main__":
    unittest.main()
