"""Ed25519 by the vectors of RFC 8032 section 7.1, and signed checkpoints."""

import base64
import unittest

from ..formats.ed25519 import ORDER, holds_signature
from ..formats.json_text import Unreadable
from ..formats.notes import is_signed_by, parse_checkpoint, parse_vkey

# Public key, message and signature of TEST 1, TEST 2 and TEST 3.
VECTORS = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
)

# The example of the Go package golang.org/x/mod/sumdb/note, which C2SP signed-note names: its key is "PeterNeumann".
VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n\n"
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


class Ed25519(unittest.TestCase):
    def test_vectors_hold_and_nothing_near_them(self) -> None:
        for key, message, signature in VECTORS:
            parts = [bytes.fromhex(part) for part in (key, message, signature)]
            self.assertTrue(holds_signature(*parts))
            self.assertFalse(holds_signature(parts[0], parts[1] + b"x", parts[2]))
            for place in (0, 31, 32, 63):
                changed = bytearray(parts[2])
                changed[place] ^= 1
                self.assertFalse(holds_signature(parts[0], parts[1], bytes(changed)))

    def test_a_scalar_beyond_the_order_is_refused(self) -> None:
        key, message, signature = (bytes.fromhex(part) for part in VECTORS[0])
        larger = (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
        self.assertFalse(holds_signature(key, message, signature[:32] + larger))

    def test_what_is_no_point_or_has_another_length_is_refused(self) -> None:
        key, message, signature = (bytes.fromhex(part) for part in VECTORS[0])
        self.assertFalse(holds_signature(b"\xff" * 32, message, signature))
        self.assertFalse(holds_signature(key[:31], message, signature))
        self.assertFalse(holds_signature(key, message, signature[:63]))


class Notes(unittest.TestCase):
    def test_a_published_note_verifies(self) -> None:
        key = parse_vkey(VKEY)
        text, line = NOTE.split("\n\n")
        signature = base64.b64decode(line.strip().split(" ")[2])
        self.assertEqual(signature[:4], key.key_id)
        self.assertTrue(holds_signature(key.public_key, (text + "\n").encode(), signature[4:]))

    def test_a_vkey_whose_id_is_another_is_refused(self) -> None:
        for vkey in (VKEY.replace("c74f20a3", "c74f20a4"), VKEY.replace("Peter", "Paul"), "PeterNeumann", ""):
            with self.subTest(vkey=vkey), self.assertRaises(Unreadable):
                parse_vkey(vkey)

    def test_a_checkpoint_that_nobody_signed_is_read_and_not_believed(self) -> None:
        root = base64.b64encode(bytes(32)).decode()
        line = "\u2014 log " + base64.b64encode(bytes(68)).decode()
        checkpoint = parse_checkpoint(f"log\n3\n{root}\n\n{line}\n".encode())
        self.assertEqual((checkpoint.origin, checkpoint.size, checkpoint.root), ("log", 3, bytes(32)))
        self.assertFalse(is_signed_by(checkpoint, parse_vkey(VKEY)))

    def test_a_text_that_names_no_tree_is_refused(self) -> None:
        root = base64.b64encode(bytes(32)).decode()
        for text in (f"log\n03\n{root}\n", f"log\n-1\n{root}\n", "log\n3\nAAAA\n", f"log\n{root}\n", ""):
            with self.subTest(text=text), self.assertRaises(Unreadable):
                parse_checkpoint(f"{text}\n\u2014 log AAAAAAAA\n".encode())


if __name__ == "__main__":
    unittest.main()
