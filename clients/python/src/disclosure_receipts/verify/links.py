"""Links between receipts, from place to place of a chain and from turn to turn."""

from typing import Any

from .checks import require
from .formats import NO_PREVIOUS_HASH, is_receipt
from .hashes import link_to


def check_chain_links(receipts: list[Any]) -> str:
    return f"{count_of(count_chain_links(receipts), 'link')} of the chain"


def count_chain_links(receipts: list[Any]) -> int:
    """Checks each link where two receipts of a chain follow each other, and returns how many there are."""
    by_place: dict[tuple[str, int], tuple[Any, str]] = {}
    count = 0
    for receipt, link in zip(receipts, links_of(receipts)):
        place = receipt["chain_id"], receipt["sequence"]
        require(by_place.setdefault(place, (receipt, link))[1] == link, "two receipts claim one place of a chain")
    for (chain_id, sequence), (receipt, _) in by_place.items():
        require(sequence != 0 or receipt["previous_hash"] == NO_PREVIOUS_HASH, "the first receipt links back")
        if (chain_id, sequence - 1) in by_place:
            _, link = by_place[chain_id, sequence - 1]
            require(receipt["previous_hash"] == link, f"receipt {sequence} does not link to the one before it")
            count += 1
    check_times(receipts)
    check_seals_before(receipts)
    return count


def check_times(receipts: list[Any]) -> None:
    """No later receipt of a chain has an earlier time, whether they follow each other or not."""
    newest: dict[str, Any] = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt["sequence"]):
        before = newest.get(receipt["chain_id"], receipt)
        in_order = before["issued_at"] <= receipt["issued_at"]
        require(in_order, f"receipt {receipt['sequence']} was issued before receipt {before['sequence']} of its chain")
        newest[receipt["chain_id"]] = receipt


def check_seals_before(receipts: list[Any]) -> None:
    """No later receipt of a chain names an older seal, whether they follow each other or not."""
    newest: dict[str, Any] = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt["sequence"]):
        before = newest.get(receipt["chain_id"], receipt)
        is_later = seal_before(before) <= seal_before(receipt)
        require(is_later, f"receipt {receipt['sequence']} names an older seal than receipt {before['sequence']}")
        newest[receipt["chain_id"]] = receipt


def seal_before(receipt: Any) -> int:
    """A receipt that names none comes before all that do."""
    return -1 if receipt["recorded_after"] is None else receipt["recorded_after"]["seal_index"]


def links_of(receipts: list[Any]) -> list[str]:
    """Returns the hash of each, which the next one must name. Raises Refuted if one is not as the format says."""
    require(all(map(is_receipt, receipts)), "a receipt is not as the format says")
    return [link_to(receipt) for receipt in receipts]


def count_of(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def check_turn_links(receipts: list[Any]) -> str:
    """Checks the receipts of one conversation, which must have one turn after the other."""
    links_of(receipts)
    for previous, receipt in zip(receipts, receipts[1:]):
        follows = receipt["turn"] == previous["turn"] + 1
        require(follows, f"turn {receipt['turn']} comes after turn {previous['turn']}")
    count_turn_links(receipts)
    check_order(receipts)
    return f"turns {receipts[0]['turn']} to {receipts[-1]['turn']} of the conversation"


def count_turn_links(receipts: list[Any]) -> int:
    """Checks the links between the turns that are there, and returns how many there are."""
    by_turn, count = dict(zip((receipt["turn"] for receipt in receipts), links_of(receipts))), 0
    for receipt in receipts:
        turn, stated = receipt["turn"], receipt["previous_turn_hash"]
        require(turn != 1 or stated is None, "the first turn links back")
        if turn - 1 in by_turn:
            require(stated == by_turn[turn - 1], f"turn {turn} does not link to the one before it")
            count += 1
    return count


def check_order(receipts: list[Any]) -> None:
    """A conversation stays on one chain, where a later turn is a later receipt. Neither times nor seals go back."""
    for before, receipt in zip(receipts, receipts[1:]):
        turn = f"turn {receipt['turn']}"
        require(receipt["chain_id"] == before["chain_id"], f"{turn} is on another chain than the turn before it")
        require(receipt["sequence"] > before["sequence"], f"{turn} is no later receipt than the turn before it")
        require(receipt["issued_at"] >= before["issued_at"], f"{turn} was issued before the turn before it")
        require(seal_before(receipt) >= seal_before(before), f"{turn} names an older seal than the turn before it")
