"""Each seal after the one before it (docs/receipt-format.md, "Checking a seal"), and what receipts say of seals."""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog, Seal
from ..evidence.receipts import Receipt
from ..findings import Check, Findings
from ..formats.merkle import holds_consistency
from ..formats.shapes import format_time


def check_seals(log: PublicLog, chains: Sequence[Chain], findings: Findings) -> None:
    """Index, previous root and size, consistency, sealed_at, and receipt_count as far as the chains are known."""
    check, before = findings.check("seals"), None
    for place, seal in enumerate(log.seals):
        check.expect(seal.index == place, f"seal {place}: its index is {seal.index}")
        _check_extends(check, before, seal)
        before = seal
    _check_counts(findings.check("receipt counts"), log, chains)


def _check_extends(check: Check, before: Seal | None, seal: Seal) -> None:
    at = f"seal {seal.index}: "
    if before is None or seal.previous_root is None:
        first = before is None and seal.previous_root is None
        begins = first and seal.previous_tree_size == 0 and not seal.consistency_path
        check.expect(begins, at + "only the first seal has no root before it")
        return
    check.expect(seal.previous_root == before.root, at + "previous_root is not the merkle_root of the seal before")
    told = f"{at}previous_tree_size is {seal.previous_tree_size}, the seal before has {before.tree_size}"
    check.expect(seal.previous_tree_size == before.tree_size, told)
    told = f"{at}sealed at {format_time(seal.sealed_at)}, the seal before at {format_time(before.sealed_at)}"
    check.expect(seal.sealed_at >= before.sealed_at, told)
    extends = holds_consistency(before.tree_size, seal.tree_size, seal.consistency_path, before.root, seal.root)
    check.expect(extends, at + "its tree is not shown to begin with the tree of the seal before")


def _check_counts(check: Check, log: PublicLog, chains: Sequence[Chain]) -> None:
    """receipt_count is what the heads under a seal grew by; entries of strangers' chains may add to it."""
    grown, known = [0] * len(log.seals), [0] * len(log.seals)
    for chain in chains:
        size = 0
        for head in chain.heads:
            if head.seal_index < len(log.seals):
                grown[head.seal_index] += head.tree_size - size
                known[head.seal_index] += 1
            size = head.tree_size
    for place, seal in enumerate(log.seals):
        entries = seal.tree_size - (log.seals[place - 1].tree_size if place else 0)
        own, told = grown[place], f"seal {place}: receipt_count is {seal.receipt_count}, the run's chains grew by"
        if known[place] == entries:
            check.expect(seal.receipt_count == own, f"{told} {own}, and no others did")
        else:
            strangers = entries - known[place]
            check.expect(seal.receipt_count >= own + strangers, f"{told} {own}, and {strangers} others did")


def check_bounds(receipts: Sequence[Receipt], log: PublicLog, chains: Sequence[Chain], findings: Findings) -> None:
    """`recorded_after` names, by its hash, a published seal with a token, older than the seal over the receipt."""
    check, covering = findings.check("lower bounds"), _Covering(chains)
    for receipt in receipts:
        if receipt.recorded_after is None:
            check.count += 1
            continue
        index, seal_hash = receipt.recorded_after
        if not check.expect(index < len(log.seals), f"{receipt.place}: it names seal {index}, which is not published"):
            continue
        seal = log.seals[index]
        told = f"{receipt.place}: it names seal {index} as {seal_hash.hex()}, published is {seal.seal_hash.hex()}"
        check.expect(seal.seal_hash == seal_hash, told)
        has_token = seal.timestamps[0].get("status") == "included"
        check.expect(has_token, f"{receipt.place}: it names seal {index}, which has no token of its own")
        over = covering.seal_of(receipt)
        told = f"{receipt.place}: it names seal {index}, and seal {over} covers it"
        check.expect(over is None or index < over, told)


class _Covering:
    """Finds the seal that covers a place, by halving over the heads of its chain."""

    def __init__(self, chains: Sequence[Chain]) -> None:
        self._chains = {chain.chain_id: chain for chain in chains}

    def seal_of(self, receipt: Receipt) -> int | None:
        chain = self._chains.get(receipt.chain_id)
        if chain is None or receipt.sequence >= chain.size:
            return None
        low, high = 0, len(chain.heads) - 1
        while low < high:
            middle = (low + high) // 2
            if chain.heads[middle].tree_size > receipt.sequence:
                high = middle
            else:
                low = middle + 1
        return chain.heads[low].seal_index
