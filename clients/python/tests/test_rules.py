"""Rules that no vector has alone: the order of turns, keys of small order, and what a quorum is worth."""

import base64
import hashlib
import unittest
from typing import Any

from disclosure_receipts.verify.checkpoints import MAX_AHEAD_MS, check_checkpoint
from disclosure_receipts.verify.checks import Refuted, Unmade
from disclosure_receipts.verify.ed25519 import (
    ED_BASE,
    ED_L,
    ED_P,
    ed_encode,
    ed_multiply,
    is_ed25519,
    is_small_order,
)
from disclosure_receipts.verify.links import check_order
from disclosure_receipts.verify.log_policy import Policy, common_witnesses, read_policy
from disclosure_receipts.verify.notes import LOG_KEY, WITNESS_KEY, NoteKey, read_note_key

from .support.notes import log_signer, witness_signer

# The y of a point of order 8; the other one is its negative.
Y_OF_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
# RFC 8032 section 7.1, tests 1 to 3.
GOOD_KEYS = (
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
)
def encodings_of_small_order() -> list[bytes]:
    """Each y, also where it is not reduced, with either sign of x."""
    ys = (0, 1, ED_P - 1, Y_OF_ORDER_8, ED_P - Y_OF_ORDER_8, ED_P, ED_P + 1)
    return [(y | sign << 255).to_bytes(32, "little") for y in ys for sign in (0, 1)]


def vkey(type: int, key: bytes) -> str:
    material = bytes([type]) + key
    id = hashlib.sha256(b"a/b\n" + material).digest()[:4].hex()
    return f"a/b+{id}+{base64.b64encode(material).decode()}"


class AKey(unittest.TestCase):
    def test_with_which_anybody_can_sign_is_none(self) -> None:
        for key in encodings_of_small_order():
            self.assertTrue(is_small_order(key), key.hex())
            for type in (LOG_KEY, WITNESS_KEY):
                with self.assertRaisesRegex(Refuted, "small order"):
                    read_note_key(vkey(type, key))

    def test_of_small_order_holds_nothing(self) -> None:
        r = ed_encode(ed_multiply(7, ED_BASE))
        for key in encodings_of_small_order():
            for number in range(8):
                self.assertFalse(is_ed25519(key, f"message {number}".encode(), r + (7).to_bytes(32, "little")))

    def test_of_large_order_is_one(self) -> None:
        for key in map(bytes.fromhex, GOOD_KEYS):
            self.assertFalse(is_small_order(key))
            self.assertEqual(read_note_key(vkey(LOG_KEY, key)).public_key, key)


class ASignature(unittest.TestCase):
    """By the scalar 5, with the scalar r for R: S = r + 5 k, as RFC 8032 section 5.1.6 says."""

    def signed(self, r: int, more: int = 0) -> bool:
        key, point = ed_encode(ed_multiply(5, ED_BASE)), ed_encode(ed_multiply(r, ED_BASE))
        k = int.from_bytes(hashlib.sha512(point + key + b"message").digest(), "little")
        return is_ed25519(key, b"message", point + ((r + 5 * k) % ED_L + more).to_bytes(32, "little"))

    def test_holds(self) -> None:
        self.assertTrue(self.signed(7))

    def test_whose_r_is_of_small_order_does_not_hold(self) -> None:
        self.assertFalse(self.signed(0))

    def test_whose_s_has_the_groups_order_added_does_not_hold(self) -> None:
        self.assertFalse(self.signed(7, ED_L))


class AQuorum(unittest.TestCase):
    def test_rests_on_the_witnesses_that_two_sets_have_in_common(self) -> None:
        key = NoteKey("a/b", b"", WITNESS_KEY, b"")
        witnesses = dict.fromkeys(("a", "b", "c", "d", "e"), key)
        one_of_two, two_of_three = ("g", 1, ["a", "b"]), ("h", 2, ["c", "d", "e"])
        both = ("i", 2, ["g", "h"])
        found = [
            common_witnesses(Policy([], witnesses, [one_of_two, two_of_three, both], quorum))
            for quorum in (None, "a", "g", "h", "i")
        ]
        self.assertEqual(found, [0, 1, 0, 1, 1])


class ACheckpoint(unittest.TestCase):
    TEXT = f"log.test/a\n7\n{base64.b64encode(bytes(32)).decode()}\n"
    NOW = 1_800_000_000_000

    def setUp(self) -> None:
        self.log, self.witnesses = log_signer("log.test/a"), [witness_signer(f"witness.test/{n}") for n in range(3)]

    def check(self, quorum: str, *times: int) -> str:
        """What is said of a note that as many witnesses cosigned at these times, in milliseconds."""
        lines = [f"log {self.log.vkey}", *(f"witness w{n} {one.vkey}" for n, one in enumerate(self.witnesses))]
        policy = read_policy("\n".join([*lines, quorum]))
        cosigned = "".join(one.line(self.TEXT, time // 1000) for one, time in zip(self.witnesses, times))
        note = f"{self.TEXT}\n{self.log.line(self.TEXT)}{cosigned}"
        return check_checkpoint(note, 7, bytes(32), policy, self.NOW)

    def test_counts_no_cosignature_of_a_time_to_come(self) -> None:
        two = "group g 2 w0 w1 w2\nquorum g"
        self.assertIn("cosigned by w0, w1;", self.check(two, self.NOW, self.NOW + MAX_AHEAD_MS))
        with self.assertRaises(Unmade) as caught:
            self.check(two, self.NOW, self.NOW + MAX_AHEAD_MS + 1000)
        self.assertEqual(caught.exception.reason, "no_quorum")

    def test_says_how_many_witnesses_must_lie_for_a_second_log(self) -> None:
        for quorum, said in (
            ("group g 3 w0 w1 w2\nquorum g", "3 of the witnesses or more must lie"),
            ("group g 2 w0 w1 w2\nquorum g", "1 of the witnesses or more must lie"),
            ("group g any w0 w1 w2\nquorum g", "does not exclude a second log"),
            ("quorum none", "does not exclude a second log"),
        ):
            self.assertIn(said, self.check(quorum, self.NOW, self.NOW, self.NOW))


def turn(number: int, **more: Any) -> dict[str, Any]:
    usual = {"chain_id": "c", "sequence": number, "issued_at": f"2026-11-0{number}", "recorded_after": None}
    return {"turn": number, **usual, **more}


class AConversation(unittest.TestCase):
    def test_stays_on_one_chain_and_runs_forward(self) -> None:
        first = turn(1, recorded_after={"seal_index": 3})
        check_order([turn(1), turn(2), turn(3)])
        for later, reason in (
            (turn(2, chain_id="d"), "is on another chain"),
            (turn(2, sequence=1), "is no later receipt"),
            (turn(2, issued_at="2026-10-01"), "was issued before"),
            (turn(2), "names an older seal"),
        ):
            with self.assertRaisesRegex(Refuted, reason):
                check_order([first, later])


if __name__ == "__main__":
    unittest.main()
