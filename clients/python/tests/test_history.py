"""The history of a chain: its root at any size, and that a root takes few hashes once the heads are checked."""

import random
import unittest
from unittest import mock

from disclosure_receipts.verify import chain_history
from disclosure_receipts.verify.chain_history import KEPT_DISTANCE, ChainHistory, check_heads
from disclosure_receipts.verify.checks import Refuted
from disclosure_receipts.verify.hashes import hash_leaf, sha256
from disclosure_receipts.verify.merkle import append_leaf

from .support.chain import node, root_of

SIZE = 3 * KEPT_DISTANCE + 7
# Of 64 bytes each. Some have a label that others have, too.
LEAVES = [sha256(f"label {place % 100}".encode()) + sha256(f"core {place}".encode()) for place in range(SIZE)]
HASHES = [hash_leaf(leaf) for leaf in LEAVES]
SIZES = sorted({1, 2, 3, SIZE, *(n * KEPT_DISTANCE + off for n in (1, 2, 3) for off in (-1, 0, 1))})


def history(*sizes: int) -> ChainHistory:
    """A history with heads of these sizes."""
    roots = [node(root_of(HASHES[:size])) for size in sizes]
    heads = [
        {"head_index": place, "tree_size": size, "root": root, "leaf_index": place, "seal_index": 0}
        for place, (size, root) in enumerate(zip(sizes, roots))
    ]
    return ChainHistory(b"".join(LEAVES), heads)


class TheHistory(unittest.TestCase):
    def test_has_the_root_of_each_size_in_whatever_order_they_are_asked_for(self) -> None:
        expected = {size: root_of(HASHES[:size]) for size in SIZES}
        for seed in range(20):
            asked, shuffled = history(), random.Random(seed).sample(SIZES, len(SIZES))
            self.assertEqual({size: asked.root_at(size) for size in shuffled}, expected, shuffled)

    def test_has_no_root_beyond_its_leaves(self) -> None:
        for size in (SIZE + 1, 2**53 - 1):
            with self.assertRaisesRegex(Refuted, "leaves are missing"):
                history().root_at(size)

    def test_finds_the_leaves_of_a_label_wherever_they_stand(self) -> None:
        asked = history()
        for place in (0, 7, SIZE - 1):
            same = [other for other in range(SIZE) if other % 100 == place % 100]
            self.assertEqual(asked.places_of(LEAVES[place][:32]), same)
        # The hash of a core is no label.
        self.assertEqual(asked.places_of(LEAVES[7][32:]), [])

    def test_takes_few_hashes_for_a_root_once_its_heads_are_checked(self) -> None:
        checked = history(*SIZES)
        with mock.patch.object(chain_history, "append_leaf", wraps=append_leaf) as append:
            check_heads(checked)
            self.assertEqual(append.call_count, SIZE)
            for size in (*SIZES, *reversed(SIZES)):
                append.reset_mock()
                checked.root_at(size)
                self.assertLessEqual(append.call_count, KEPT_DISTANCE)


if __name__ == "__main__":
    unittest.main()
