"""Which receipts are of one conversation, as far as a set of files shows."""

from collections.abc import Iterable
from typing import NamedTuple

from .receipts import KnownReceipt


class Part(NamedTuple):
    """Receipts of one conversation, by their turns. continues: the last turn of what it may continue, or None."""

    receipts: list[KnownReceipt]
    continues: int | None


def parts_of(receipts: list[KnownReceipt]) -> list[Part]:
    chains: dict[str, list[list[KnownReceipt]]] = {}
    for group in groups_of(receipts):
        chains.setdefault(group[0].chain_id, []).append(group)
    return [part for groups in chains.values() for part in parts_of_chain(groups)]


def groups_of(receipts: list[KnownReceipt]) -> Iterable[list[KnownReceipt]]:
    """Receipts are together where one links to the other, or both are of a conversation with a name on one chain."""
    parents: dict[object, object] = {}

    def root_of(key: object) -> object:
        root = key
        while root in parents:
            root = parents[root]
        while key != root:
            parents[key], key = root, parents[key]
        return root

    def join(one: object, other: object) -> None:
        if root_of(one) != root_of(other):
            parents[root_of(one)] = root_of(other)

    links = {receipt.link for receipt in receipts}
    for receipt in receipts:
        if receipt.previous in links:
            join(receipt.link, receipt.previous)
        if receipt.conversation is not None:
            join(receipt.link, (receipt.chain_id, receipt.conversation))
    groups: dict[object, list[KnownReceipt]] = {}
    for receipt in receipts:
        groups.setdefault(root_of(receipt.link), []).append(receipt)
    return [sorted(group, key=lambda receipt: (receipt.turn, receipt.sequence)) for group in groups.values()]


def parts_of_chain(groups: list[list[KnownReceipt]]) -> list[Part]:
    """A part can only continue what ends with a smaller number of the chain. Two with names would be one part."""
    ends = sorted(groups, key=lambda group: group[-1].sequence, reverse=True)
    last_turns: dict[bool, set[int]] = {False: set(), True: set()}
    parts: list[Part] = []
    for group in sorted(groups, key=lambda group: group[0].sequence):
        while ends and ends[-1][-1].sequence < group[0].sequence:
            ended = ends.pop()
            last_turns[has_name(ended)].add(ended[-1].turn)
        candidates = last_turns[False] | (set() if has_name(group) else last_turns[True])
        earlier = [turn for turn in candidates if turn < group[0].turn - 1]
        parts.append(Part(group, max(earlier, default=None)))
    return parts


def has_name(group: list[KnownReceipt]) -> bool:
    return any(receipt.conversation is not None for receipt in group)
