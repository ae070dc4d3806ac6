"""The receipts of a set, each once, as the summary knows them."""

from typing import Any, NamedTuple

from ..formats import is_receipt
from ..hashes import link_to
from ..kinds import Evidence
from ..shapes import is_size


class Place(NamedTuple):
    """A receipt in a file."""

    file: str
    event_id: str
    turn: int


class KnownReceipt(NamedTuple):
    """link: the hash that the next turn names. previous: the link of the turn before. conversation: its name, or None.
    has_more: a bundle ends with it, and says that there are further turns.
    """

    link: str
    place: Place
    chain_id: str
    sequence: int
    previous: str | None
    remarks: list[str]
    conversation: str | None
    has_more: bool

    @property
    def turn(self) -> int:
        return self.place.turn


class Inventory:
    """Takes in evidence of which no check fails. conversations: by input hash, the one that a request names."""

    def __init__(self, conversations: dict[str, str]) -> None:
        self.files = 0
        self.receipts: dict[str, KnownReceipt] = {}
        self.conversations = conversations

    def add(self, evidence: Evidence, file: str) -> None:
        self.files += 1
        for place, receipt in enumerate(evidence.receipts, 1):
            if is_receipt(receipt):
                self.add_receipt(receipt, evidence, place == len(evidence.receipts), file)

    def add_receipt(self, receipt: Any, evidence: Evidence, is_last: bool, file: str) -> None:
        is_bundle = evidence.kind == "bundle"
        name = evidence.value["interaction_id"] if is_bundle else self.conversations.get(receipt["input_hash"])
        link = link_to(receipt)
        found = KnownReceipt(
            link,
            Place(file, receipt["event_id"], receipt["turn"]),
            receipt["chain_id"],
            receipt["sequence"],
            receipt["previous_turn_hash"],
            remarks_on(receipt),
            name,
            is_bundle and is_last and is_size(evidence.value.get("next_turn")),
        )
        known = self.receipts.get(link, found)
        name, has_more = known.conversation or found.conversation, known.has_more or found.has_more
        self.receipts[link] = known._replace(conversation=name, has_more=has_more)


def remarks_on(receipt: Any) -> list[str]:
    """The findings of the wording policy; the verdict stands for none."""
    findings: list[str] = receipt["policy"]["findings"]
    return [] if receipt["verdict"] == "ALLOW" else findings or [receipt["verdict"]]
