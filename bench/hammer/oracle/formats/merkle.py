"""Merkle trees of RFC 9162 over SHA-256: hashes (section 2.1.1), inclusion (2.1.3.2) and consistency (2.1.4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

EMPTY_ROOT = sha256(b"").digest()


def hash_leaf(data: bytes) -> bytes:
    """SHA-256(0x00 || data)."""
    return sha256(b"\x00" + data).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 || left || right)."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that only grows, kept as the roots of its complete subtrees, the largest first."""

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Adds the hash of one more leaf."""
        self.size += 1
        size = self.size
        while size & 1 == 0:
            leaf = hash_node(self._subtrees.pop(), leaf)
            size >>= 1
        self._subtrees.append(leaf)

    def root(self) -> bytes:
        """The root over all leaves so far."""
        if not self._subtrees:
            return EMPTY_ROOT
        root = self._subtrees[-1]
        for subtree in reversed(self._subtrees[:-1]):
            root = hash_node(subtree, root)
        return root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over some leaf hashes."""
    tree = Tree()
    for leaf in leaves:
        tree.append(leaf)
    return tree.root()


def holds_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """True if the path leads from the leaf at `index` to the root of a tree of `size` leaves."""
    if not 0 <= index < size:
        return False
    position, last, computed = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if position & 1 or position == last:
            computed = hash_node(sibling, computed)
            while not position & 1 and position != 0:
                position >>= 1
                last >>= 1
        else:
            computed = hash_node(computed, sibling)
        position >>= 1
        last >>= 1
    return last == 0 and computed == root


def holds_consistency(size: int, new_size: int, path: Sequence[bytes], root: bytes, new_root: bytes) -> bool:
    """True if the path shows that the larger tree begins with the smaller one."""
    if not 1 <= size <= new_size:
        return False
    if size == new_size:
        return not path and root == new_root
    # A tree that is one complete subtree of the larger one is its own first node.
    nodes = [root, *path] if size & (size - 1) == 0 else list(path)
    if not nodes:
        return False
    position, last = size - 1, new_size - 1
    while position & 1:
        position >>= 1
        last >>= 1
    old = new = nodes[0]
    for sibling in nodes[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old, new = hash_node(sibling, old), hash_node(sibling, new)
            while not position & 1 and position != 0:
                position >>= 1
                last >>= 1
        else:
            new = hash_node(new, sibling)
        position >>= 1
        last >>= 1
    return last == 0 and old == root and new == new_root
