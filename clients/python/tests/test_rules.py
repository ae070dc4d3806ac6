"""Rules that no vector has alone: the order of turns, keys of small order, and how many witnesses a quorum rests on."""

import base64
import hashlib
import unittest
from typing import Any

from disclosure_receipts.verify.checks import Refuted
from disclosure_receipts.verify.ed25519 import ED_P, is_small_order
from disclosure_receipts.verify.links import check_order
from disclosure_receipts.verify.log_policy import Policy, common_witnesses
from disclosure_receipts.verify.notes import LOG_KEY, WITNESS_KEY, NoteKey, read_note_key

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

    def test_of_large_order_is_one(self) -> None:
        for key in map(bytes.fromhex, GOOD_KEYS):
            self.assertFalse(is_small_order(key))
            self.assertEqual(read_note_key(vkey(LOG_KEY, key)).public_key, key)


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
