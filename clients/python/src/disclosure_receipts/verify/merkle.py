"""Paths and roots of Merkle trees: RFC 9162 sections 2.1.1, 2.1.3.2 and 2.1.4.2."""

from collections.abc import Callable, Iterator

from .checks import require
from .hashes import hash_node, node_bytes


def climb(fn: int, sn: int, path: list[str], visit: Callable[[bytes, bool], None]) -> None:
    for node in path:
        require(sn != 0, "the path is too long")
        is_left = fn % 2 == 1 or fn == sn
        visit(node_bytes(node), is_left)
        while is_left and fn % 2 == 0 and fn != 0:
            fn, sn = fn >> 1, sn >> 1
        fn, sn = fn >> 1, sn >> 1
    require(sn == 0, "the path is too short")


def check_inclusion(leaf: bytes, index: int, size: int, path: list[str], root: str) -> None:
    require(index < size, "the leaf lies outside of the tree")
    reached = leaf

    def visit(sibling: bytes, is_left: bool) -> None:
        nonlocal reached
        reached = hash_node(sibling, reached) if is_left else hash_node(reached, sibling)

    climb(index, size - 1, path, visit)
    require(reached == node_bytes(root), "the path leads to another root")


def check_consistency(old_size: int, size: int, path: list[str], old_root: str, root: str) -> None:
    require(1 <= old_size <= size, "the tree became smaller")
    if old_size == size:
        require(not path and old_root == root, "one size has two roots")
        return
    fn, sn = old_size - 1, size - 1
    while fn % 2 == 1:
        fn, sn = fn >> 1, sn >> 1
    # Where the old tree is one complete subtree, its root is the first node and the path leaves it out.
    nodes = [old_root, *path] if fn == 0 else path
    require(nodes, "the path is empty")
    old = new = node_bytes(nodes[0])

    def visit(sibling: bytes, is_left: bool) -> None:
        nonlocal old, new
        old = hash_node(sibling, old) if is_left else old
        new = hash_node(sibling, new) if is_left else hash_node(new, sibling)

    climb(fn, sn, nodes[1:], visit)
    require(old == node_bytes(old_root), "the path leads to another previous root")
    require(new == node_bytes(root), "the path leads to another root")


def append_leaf(subtrees: list[bytes], index: int, node: bytes) -> None:
    """Appends a leaf to the complete subtrees, largest first, which are all that is kept of a tree."""
    while index % 2 == 1:
        node, index = hash_node(subtrees.pop(), node), index >> 1
    subtrees.append(node)


def root_over(subtrees: list[bytes]) -> bytes:
    root = subtrees[-1]
    for left in reversed(subtrees[:-1]):
        root = hash_node(left, root)
    return root


def ranges_beside(index: int, size: int) -> Iterator[tuple[int, int]]:
    """Gives the leaves under each node of an inclusion path, from the leaf upwards: RFC 9162 section 2.1.3.1."""
    ranges, low, high = [], 0, size
    while high - low > 1:
        middle = low + (1 << ((high - low - 1).bit_length() - 1))
        if index < middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    return reversed(ranges)
