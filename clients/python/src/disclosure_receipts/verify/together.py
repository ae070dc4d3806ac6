"""Checks between several files."""

from typing import Any

from .checks import Check, Unmade, require, run
from .hashes import link_to
from .json_input import JsonObject
from .kinds import Evidence
from .links import check_order, count_chain_links, count_of, count_turn_links
from .one_history import METACHAIN, History
from .statements import statements_of


class Together:
    """Checks between several files, each of which holds by itself: some lies show only where two are compared."""

    def __init__(self) -> None:
        self.files = 0
        self.receipts: list[Any] = []
        self.history = History()
        # The bundles of each conversation, by chain and id: two tenants may each have a conversation of the same id.
        self.pages: dict[tuple[str, str], list[JsonObject]] = {}

    def add(self, evidence: Evidence, file: str) -> None:
        """Takes in evidence that holds by itself."""
        kind, value = evidence
        self.files += 1
        self.receipts += evidence.receipts
        self.history.add(statements_of(evidence), file)
        if kind == "bundle":
            key = value["receipts"][0]["chain_id"], value["interaction_id"]
            self.pages.setdefault(key, []).append(value)

    def is_comparable(self) -> bool:
        """Says whether two parts can be compared: receipts of one bundle, or files, which may have no receipt."""
        return self.files > 1 or len(self.receipts) > 1

    def verify(self) -> list[Check]:
        steps = [("chain_links", self.check_chain_links), ("one_history", self.check_one_history)]
        if any(len(pages) > 1 for pages in self.pages.values()):
            steps.append(("turn_links", self.check_turn_links))
        return [run(name, step) for name, step in steps]

    def check_chain_links(self) -> str:
        links = count_chain_links(self.receipts)
        if links == 0:
            raise Unmade("nothing_to_check", "no two of them follow each other")
        return f"{count_of(links, 'link')} of the chain"

    def check_one_history(self) -> str:
        """Chains have ids. Metachains have none: where two differ, both services may be honest."""
        contradictions = list(self.history.contradictions())
        for log, sentence in contradictions:
            require(log == METACHAIN, sentence)
        for _, sentence in contradictions:
            advice = "they are of two services, or one is forged; compare each with its service's own"
            raise Unmade("two_logs", f"{sentence}: {advice}")
        return "no two of them contradict each other"

    def check_turn_links(self) -> str:
        found = [count_links(pages) for pages in self.pages.values()]
        if any(astray for _, astray in found):
            raise Unmade("not_given", "a turn follows another than is here")
        return f"{count_of(sum(links for links, _ in found), 'link')} from turn to turn"


def count_links(pages: list[JsonObject]) -> tuple[int, bool]:
    """Checks each turn against the one that it links to, and returns how many these are, and whether a turn links to
    another than is here: the id may have been erased and used again.
    """
    by_turn: dict[int, dict[str, Any]] = {}
    for page in pages:
        for receipt in page["receipts"]:
            by_turn.setdefault(receipt["turn"], {})[link_to(receipt)] = receipt
    links, astray = 0, False
    for turn, receipts in by_turn.items():
        before = by_turn.get(turn - 1)
        if before is None:
            continue
        for receipt in receipts.values():
            previous = before.get(receipt["previous_turn_hash"])
            if previous is None:
                astray = True
                continue
            links += count_turn_links([previous, receipt])
            check_order([previous, receipt])
    return links, astray
