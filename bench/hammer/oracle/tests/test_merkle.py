"""Merkle trees, against the recursive definitions of RFC 9162 sections 2.1.1, 2.1.3.1 and 2.1.4.1."""

import unittest

from ..formats.merkle import EMPTY_ROOT, hash_leaf, hash_node, holds_consistency, holds_inclusion, root_of

SIZES = 33
LEAVES = [hash_leaf(bytes([number])) for number in range(SIZES)]


def split(size: int) -> int:
    """The largest power of two smaller than `size`."""
    return 1 << (size - 1).bit_length() - 1


def defined_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return hash_node(defined_root(leaves[:left]), defined_root(leaves[left:]))


def defined_path(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    left = split(len(leaves))
    if index < left:
        return [*defined_path(index, leaves[:left]), defined_root(leaves[left:])]
    return [*defined_path(index - left, leaves[left:]), defined_root(leaves[:left])]


def defined_proof(size: int, leaves: list[bytes], whole: bool = True) -> list[bytes]:
    if size == len(leaves):
        return [] if whole else [defined_root(leaves)]
    left = split(len(leaves))
    if size <= left:
        return [*defined_proof(size, leaves[:left], whole), defined_root(leaves[left:])]
    return [*defined_proof(size - left, leaves[left:], False), defined_root(leaves[:left])]


def changes(path: list[bytes]) -> list[list[bytes]]:
    """The path with each node changed, one node too many, and one too few."""
    changed = [[*path[:at], bytes(32), *path[at + 1 :]] for at in range(len(path))]
    return [*changed, [*path, bytes(32)], *([path[:-1]] if path else [])]


class Merkle(unittest.TestCase):
    def test_root_is_the_defined_one(self) -> None:
        self.assertEqual(root_of([]), EMPTY_ROOT)
        for size in range(1, SIZES + 1):
            self.assertEqual(root_of(LEAVES[:size]), defined_root(LEAVES[:size]))

    def test_inclusion_holds_for_each_leaf_and_no_other_path(self) -> None:
        for size in range(1, SIZES + 1):
            root = defined_root(LEAVES[:size])
            for index in range(size):
                path = defined_path(index, LEAVES[:size])
                self.assertTrue(holds_inclusion(LEAVES[index], index, size, path, root))
                self.assertFalse(holds_inclusion(LEAVES[index - 1], index, size, path, root) and size > 1)
                for changed in changes(path):
                    self.assertFalse(holds_inclusion(LEAVES[index], index, size, changed, root))
            self.assertFalse(holds_inclusion(LEAVES[0], size, size, [], root))

    def test_consistency_holds_for_all_sizes_and_no_other_path(self) -> None:
        for new_size in range(1, SIZES + 1):
            new_root = defined_root(LEAVES[:new_size])
            for size in range(1, new_size + 1):
                root, path = defined_root(LEAVES[:size]), defined_proof(size, LEAVES[:new_size])
                self.assertTrue(holds_consistency(size, new_size, path, root, new_root))
                self.assertFalse(holds_consistency(size, new_size, path, bytes(32), new_root))
                self.assertFalse(holds_consistency(size, new_size, path, root, bytes(32)))
                for changed in changes(path):
                    self.assertFalse(holds_consistency(size, new_size, changed, root, new_root))

    def test_consistency_fails_where_the_tree_shrinks_or_is_empty(self) -> None:
        root = defined_root(LEAVES[:2])
        self.assertFalse(holds_consistency(3, 2, [], root, root))
        self.assertFalse(holds_consistency(0, 2, [], EMPTY_ROOT, root))


if __name__ == "__main__":
    unittest.main()
