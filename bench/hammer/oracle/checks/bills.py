"""The bill of each month (docs/bill.md) counts exactly the receipts that were issued in it, to the last one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import Any

from disclosure_receipts.verify.checks import Unreadable, run as make
from disclosure_receipts.verify.formats import is_receipt_core
from disclosure_receipts.verify.hashes import hash_receipt
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.merkle import check_inclusion
from disclosure_receipts.verify.shapes import having, is_chain_id, is_index, list_of, optional

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Check, Findings
from ..progress import Progress

NEIGHBOURS = ("before", "first", "last", "after")
is_bill_line = having(chain_id=is_chain_id, shard=is_index, count=is_index, **{"from": is_index, "to": is_index})
is_bill_page = having(count=is_index, lines=list_of(is_bill_line), next_shard=optional(is_index))


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

    def _fetch(self, key: str, month: str) -> JsonObject:
        """All pages as one bill. Every page says the same but for its lines."""
        start, lines, bill = 0, list[JsonObject](), JsonObject()
        while True:
            page = self._service.json(f"/v1/usage?month={month}&from_shard={start}", key, is_bill_page)
            lines += page["lines"]
            same = {name: value for name, value in page.items() if name not in ("lines", "next_shard", "made_at")}
            if bill and bill != same:
                raise Unreadable("its pages do not fit each other")
            bill = same
            following: int | None = page["next_shard"]
            if following is None:
                return {**bill, "lines": lines}
            if following <= start:
                raise Unreadable("its pages do not go on")
            start = following

    def _judge(self, at: str, tenant: int, month: str, bill: JsonObject) -> None:
        own = {chain.chain_id: chain for chain in self._chains if chain.tenant == tenant and chain.size > 0}
        spans = {chain_id: self._span(chain, month) for chain_id, chain in own.items()}
        counted, expected = bill["count"], sum(end - begin for begin, end in spans.values())
        self._check.expect(counted == expected, f"{at}: it counts {counted} receipts, the chains have {expected}")
        billed = f"{at}: its lines are of other chains than those with a receipt"
        self._check.expect([line["chain_id"] for line in bill["lines"]] == list(own), billed)
        fingerprint, stated = self._run.tenants[tenant].fingerprint, bill["tenant"]["fingerprint"]
        self._check.expect(fingerprint in (None, stated), f"{at}: it is of the tenant {stated}")
        self._judge_as_of(at, bill)
        self._judge_amount(at, bill, counted)
        for line in bill["lines"]:
            chain_id = line["chain_id"]
            if chain_id in own:
                with self._check.reading(f"{at}, chain {chain_id}"):
                    self._judge_line(f"{at}, chain {chain_id}", own[chain_id], line, spans[chain_id])

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

    def _judge_as_of(self, at: str, bill: JsonObject) -> None:
        as_of = bill["as_of"]
        if as_of is None:
            self._check.expect(not bill["lines"], f"{at}: it has lines and no seal")
        elif as_of["seal_index"] < len(self._log.seals):
            seal = self._log.seals[as_of["seal_index"]]
            same = all(as_of[name] == seal[name] for name in ("merkle_root", "tree_size"))
            self._check.expect(same, f"{at}: as_of is not what seal {seal['index']} publishes")

    def _judge_amount(self, at: str, bill: JsonObject, count: int) -> None:
        """Graduated tiers; half units are rounded up once, in the sum."""
        price, amount = bill["plan"]["price"], bill["amount"]
        if price is None:
            self._check.expect(amount is None, f"{at}: it has an amount without a price")
            return
        left, floor, thousandths = count, 0, 0
        for tier in price["tiers"]:
            end = tier["upTo"]
            taken = left if end is None else min(left, end - floor)
            thousandths += taken * tier["perThousand"]
            left, floor = left - taken, floor if end is None else end
        expected = price["base"] + (thousandths + 500) // 1000
        self._check.expect(amount["total"] == expected, f"{at}: it asks for {amount}, its prices give {expected}")

    def _judge_line(self, at: str, chain: Chain, line: JsonObject, span: tuple[int, int]) -> None:
        begin, end = line["from"], line["to"]
        told = f"{at}: it counts {begin} up to {end}, the chain has {span[0]} up to {span[1]} in the month"
        self._check.expect((begin, end) == span, told)
        self._check.expect(line["count"] == end - begin, f"{at}: its count is not to - from")
        self._check.expect(line["shard"] == chain.shard, f"{at}: its shard is another one")
        closing = line["closing"]["leaf"]
        size, root = closing["tree_size"], closing["root"]
        is_head = any((head["tree_size"], head["root"]) == (size, root) for head in chain.heads)
        self._check.expect(is_head, f"{at}: closing is no head of the chain's history")
        there = (begin > 0, end > begin, end > begin, end < size)
        for name, sequence, is_there in zip(NEIGHBOURS, (begin - 1, begin, end - 1, end), there, strict=True):
            shown: Any = line.get(name)
            if not is_there or (name == "before" and shown is None):
                self._check.expect(shown is None, f"{at}: {name} is there and must not be")
                continue
            receipt = shown["receipt"]
            leaf = hash_receipt(receipt)
            same = is_receipt_core(receipt) and leaf == chain.leaf(sequence)
            self._check.expect(same, f"{at}: {name} is not the receipt of sequence {sequence}")
            leads = partial(check_inclusion, leaf, sequence, size, shown["path"], root)
            self._check.take(at, [make(f"the path of {name}", leads)])
