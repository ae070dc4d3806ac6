"""What is here and what is not. It is no check: that something is not here says nothing against what is."""

from collections.abc import Iterable
from typing import NamedTuple

from ..chain_history import TenantHistory
from .parts import Part, parts_of
from .receipts import Inventory, KnownReceipt, Place

# The first and the last number; None for no end.
Range = tuple[int, int | None]


class ChainNumbers(NamedTuple):
    """in_history: how many receipts the history of the chain has; None without one. missing: the numbers between the
    first and the last that are not here; with a history, all of its numbers that are not.
    """

    chain_id: str
    receipts: int
    first: int
    last: int
    in_history: int | None
    missing: list[Range]


class MissingTurns(NamedTuple):
    """conversation: its name, or None. last: its last turn that is here."""

    conversation: str | None
    last: Place
    ranges: list[Range]


class Summary(NamedTuple):
    """remarked: how many receipts have a remark. remarks: by kind."""

    files: int
    receipts: int
    conversations: int
    chains: list[ChainNumbers]
    missing_turns: list[MissingTurns]
    remarked: int
    remarks: dict[str, list[Place]]


def summarize(inventory: Inventory, history: TenantHistory | None) -> Summary:
    receipts = list(inventory.receipts.values())
    parts = parts_of(receipts)
    chains: dict[str, list[int]] = {}
    for receipt in receipts:
        chains.setdefault(receipt.chain_id, []).append(receipt.sequence)
    remarked = [receipt for receipt in receipts if receipt.remarks]
    return Summary(
        inventory.files,
        len(receipts),
        sum(part.continues is None for part in parts),
        [numbers_of(chain_id, sorted(numbers), size_in(history, chain_id)) for chain_id, numbers in chains.items()],
        [missing for part in parts for missing in missing_turns(part)],
        len(remarked),
        by_kind(remarked),
    )


def size_in(history: TenantHistory | None, chain_id: str) -> int | None:
    chain = None if history is None else history.chains.get(chain_id)
    return None if chain is None else chain.size


def numbers_of(chain_id: str, numbers: list[int], in_history: int | None) -> ChainNumbers:
    first, last = numbers[0], numbers[-1]
    behind = [] if in_history is None or in_history <= last else [in_history]
    missing = list(gaps_in([*numbers, *behind], first if in_history is None else 0))
    return ChainNumbers(chain_id, len(numbers), first, last, in_history, missing)


def missing_turns(part: Part) -> list[MissingTurns]:
    last = part.receipts[-1]
    ranges = list(gaps_in((receipt.turn for receipt in part.receipts), (part.continues or 0) + 1))
    if last.has_more:
        ranges.append((last.turn + 1, None))
    name = next((receipt.conversation for receipt in part.receipts if receipt.conversation is not None), None)
    return [MissingTurns(name, last.place, ranges)] if ranges else []


def gaps_in(numbers: Iterable[int], start: int) -> Iterable[Range]:
    """The gaps from `start` on. The numbers ascend, and may come twice."""
    for number in numbers:
        if number > start:
            yield start, number - 1
        start = max(start, number + 1)


def by_kind(receipts: list[KnownReceipt]) -> dict[str, list[Place]]:
    """In one pass: a stranger's receipts may each name thousands of findings."""
    kinds: dict[str, list[Place]] = {}
    for receipt in receipts:
        for kind in set(receipt.remarks):
            kinds.setdefault(kind, []).append(receipt.place)
    return {kind: kinds[kind] for kind in sorted(kinds, key=lambda kind: kind.encode("utf-16-be"))}
