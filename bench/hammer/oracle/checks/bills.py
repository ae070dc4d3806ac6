"""The bill of each month (docs/bill.md) counts exactly the receipts that were issued in it, to the last one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from typing import Any

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog
from ..evidence.receipts import core_of, leaf_of
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Check, Findings
from ..formats import shapes
from ..formats.json_text import Unreadable
from ..formats.merkle import holds_inclusion
from ..progress import Progress

NEIGHBOURS = ("before", "first", "last", "after")


def month_of(milliseconds: int) -> str:
    """The calendar month in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m")


class BillChecks:
    """`issued_at` gives the time of a place of a chain, `months` all months in which the run has receipts."""

    def __init__(
        self,
        run: RunFacts,
        service: Service,
        log: PublicLog,
        chains: Sequence[Chain],
        issued_at: Callable[[Chain, int], int],
        findings: Findings,
    ) -> None:
        self._run, self._service, self._log, self._chains = run, service, log, chains
        self._issued_at = issued_at
        self._check: Check = findings.check("bills")

    def check(self, months: Sequence[str], progress: Progress) -> None:
        """Fetches and judges the bills of all tenants."""
        for number, tenant in enumerate(self._run.tenants):
            for month in months:
                at = f"the bill of tenant {tenant.name} for {month}"
                progress.show(f"checks {at}")
                with self._check.reading(at):
                    self._judge(at, number, month, self._fetch(tenant.api_key, month))

    def _fetch(self, key: str, month: str) -> dict[str, Any]:
        """All pages as one bill. Every page says the same but for its lines."""
        start, lines, bill = 0, list[Any](), dict[str, Any]()
        while True:
            page = self._service.json(f"/v1/usage?month={month}&from_shard={start}", key)
            lines += shapes.items(page, "lines")
            same = {name: value for name, value in page.items() if name not in ("lines", "next_shard", "made_at")}
            if bill and bill != same:
                raise Unreadable("its pages do not fit each other")
            bill = same
            following = shapes.index_or_none(page, "next_shard")
            if following is None:
                return {**bill, "lines": lines}
            if following <= start:
                raise Unreadable("its pages do not go on")
            start = following

    def _judge(self, at: str, tenant: int, month: str, bill: dict[str, Any]) -> None:
        own = [chain for chain in self._chains if chain.tenant == tenant]
        spans = {chain.chain_id: self._span(chain, month) for chain in own if chain.size > 0}
        expected = sum(end - begin for begin, end in spans.values())
        counted = shapes.index(bill, "count")
        self._check.expect(counted == expected, f"{at}: it counts {counted} receipts, the chains have {expected}")
        named = [shapes.chain_id(line) for line in bill["lines"]]
        billed = f"{at}: its lines are of other chains than those with a receipt"
        self._check.expect(named == [chain.chain_id for chain in own if chain.size > 0], billed)
        fingerprint = self._run.tenants[tenant].fingerprint
        stated = shapes.text(shapes.record(bill, "tenant"), "fingerprint")
        self._check.expect(fingerprint in (None, stated), f"{at}: it is of the tenant {stated}")
        self._judge_as_of(at, bill)
        self._judge_amount(at, bill, counted)
        for chain in own:
            for line in bill["lines"]:
                if line["chain_id"] == chain.chain_id and chain.size > 0:
                    with self._check.reading(f"{at}, chain {chain.chain_id}"):
                        self._judge_line(f"{at}, chain {chain.chain_id}", chain, line, spans[chain.chain_id])

    def _span(self, chain: Chain, month: str) -> tuple[int, int]:
        """The sequences of the month. Times never go back along a chain, so halving finds both ends."""
        return self._first(chain, lambda own: own >= month), self._first(chain, lambda own: own > month)

    def _first(self, chain: Chain, is_behind: Callable[[str], bool]) -> int:
        low, high = 0, chain.size
        while low < high:
            middle = (low + high) // 2
            if is_behind(month_of(self._issued_at(chain, middle))):
                high = middle
            else:
                low = middle + 1
        return low

    def _judge_as_of(self, at: str, bill: dict[str, Any]) -> None:
        if bill.get("as_of") is None:
            self._check.expect(not bill["lines"], f"{at}: it has lines and no seal")
            return
        as_of = shapes.record(bill, "as_of")
        index = shapes.index(as_of, "seal_index")
        if index < len(self._log.seals):
            seal = self._log.seals[index]
            same = (shapes.node(as_of, "merkle_root"), shapes.index(as_of, "tree_size")) == (seal.root, seal.tree_size)
            self._check.expect(same, f"{at}: as_of is not what seal {index} publishes")

    def _judge_amount(self, at: str, bill: dict[str, Any], count: int) -> None:
        """Graduated tiers; half units are rounded up once, in the sum."""
        price = shapes.record(bill, "plan").get("price")
        if price is None:
            self._check.expect(bill.get("amount") is None, f"{at}: it has an amount without a price")
            return
        left, floor, thousandths = count, 0, 0
        for tier in shapes.items(price, "tiers"):
            end = shapes.index_or_none(tier, "upTo")
            taken = left if end is None else min(left, end - floor)
            thousandths += taken * shapes.index(tier, "perThousand")
            left, floor = left - taken, floor if end is None else end
        expected = shapes.index(price, "base") + (thousandths + 500) // 1000
        total = shapes.index(shapes.record(bill, "amount"), "total")
        self._check.expect(total == expected, f"{at}: it asks for {total}, its prices give {expected}")

    def _judge_line(self, at: str, chain: Chain, line: Any, span: tuple[int, int]) -> None:
        begin, end = shapes.index(line, "from"), shapes.index(line, "to")
        told = f"{at}: it counts {begin} up to {end}, the chain has {span[0]} up to {span[1]} in the month"
        self._check.expect((begin, end) == span, told)
        self._check.expect(shapes.index(line, "count") == end - begin, f"{at}: its count is not to - from")
        self._check.expect(shapes.index(line, "shard") == chain.shard, f"{at}: its shard is another one")
        head = shapes.record(shapes.record(line, "closing"), "leaf")
        size, root = shapes.index(head, "tree_size"), shapes.node(head, "root")
        self._check.expect(chain.roots.get(size) == root, f"{at}: closing is no head of the chain's history")
        there = (begin > 0, end > begin, end > begin, end < size)
        for name, sequence, is_there in zip(NEIGHBOURS, (begin - 1, begin, end - 1, end), there, strict=True):
            shown = line.get(name)
            if not is_there or (name == "before" and shown is None):
                self._check.expect(shown is None, f"{at}: {name} is there and must not be")
                continue
            receipt = shapes.record(shown, "receipt")
            leaf = leaf_of(receipt)
            told = f"{at}: {name} is not the receipt of sequence {sequence}"
            self._check.expect(core_of(receipt) == receipt and leaf == chain.leaf(sequence), told)
            leads = holds_inclusion(leaf, sequence, size, shapes.path(shown, "path"), root)
            self._check.expect(leads, f"{at}: the path of {name} does not lead to the root of closing")
