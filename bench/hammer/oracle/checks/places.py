"""Every answered receipt stands in its chain, and nothing else does: none is lost, none is doubled."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.receipt import event_id_of
from disclosure_receipts.verify.shapes import having, is_object, list_of

from ..evidence.history import Chain
from ..evidence.journal import OpenCall
from ..evidence.receipts import Receipt, read_receipt
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Findings
from ..progress import Progress
from .calls import CLOCK_TOLERANCE_MS, Calls

# Each takes a call. A run leaves about as many open calls as it has callers.
MAX_LOOKED_UP = 20_000


@dataclass
class Places:
    """The chains, each with the receipts that are known of it, and where the run begins in it."""

    chains: list[Chain]
    first_of_run: dict[str, int] = field(default_factory=dict)


class PlaceChecks:
    """Holds the answers against the leaf hashes, and looks up what no answer showed."""

    def __init__(self, run: RunFacts, service: Service, calls: Calls, findings: Findings, progress: Progress) -> None:
        self._run, self._service, self._calls, self._progress = run, service, calls, progress
        self._lost = findings.check("none lost")
        self._doubled = findings.check("none doubled")
        self._sizes = findings.check("sizes")
        self._by_input: dict[tuple[int, str], list[OpenCall]] = defaultdict(list)
        for call in calls.open_calls:
            for body in call.inputs:
                self._by_input[call.tenant, body].append(call)
        self._answered_inputs = {(receipt.tenant, receipt.input_hash) for receipt in calls.receipts}
        self._looked_up = 0
        self._budget = [0] * len(run.tenants)
        for call in calls.open_calls:
            self._budget[call.tenant] += call.budget

    def check(self, chains: list[Chain]) -> Places:
        """Looks at every receipt and every leaf."""
        answered = self._check_answered(chains)
        places = Places(chains)
        more = [0] * len(self._run.tenants)
        for chain in chains:
            with self._doubled.reading(f"chain {chain.chain_id}"):
                start = places.first_of_run[chain.chain_id] = self._first_of_run(chain)
                more[chain.tenant] += chain.size - start - answered[chain.chain_id]
                self._explain(chain, start)
        for tenant, count in enumerate(more):
            named, budget = self._run.tenants[tenant].name, self._budget[tenant]
            told = f"tenant {named}: its chains have {count:+d} receipts beside the answered ones"
            self._sizes.expect(0 <= count <= budget, f"{told}; up to {budget} may be those of open calls")
        return places

    def _check_answered(self, chains: list[Chain]) -> dict[str, int]:
        known, answered = {chain.chain_id: chain for chain in chains}, defaultdict[str, int](int)
        for receipt in self._calls.by_place.values():
            chain = known.get(receipt.chain_id)
            answered[receipt.chain_id] += 1
            if chain is None or chain.tenant != receipt.tenant:
                self._lost.expect(False, f"{receipt.place}: the tenant has no such chain")
            elif receipt.sequence >= chain.size:
                told = f"{receipt.place}: lost, or not sealed: the newest published head has {chain.size} leaves"
                self._lost.expect(False, told)
            else:
                leaf = chain.leaf(receipt.sequence)
                told = f"{receipt.place}: the chain has leaf {leaf.hex()}, the answer {receipt.leaf.hex()}"
                self._lost.expect(leaf == receipt.leaf, told)
        return answered

    def _first_of_run(self, chain: Chain) -> int:
        """The first place of the chain that was issued during the run. Times never go back, so halving finds it."""
        low, high = 0, chain.size
        while low < high:
            # The first place is tried first: most chains begin with the run.
            middle = (low + high) // 2 if low else 0
            if self._receipt_at(chain, middle).issued_at >= self._run.started_at - CLOCK_TOLERANCE_MS:
                high = middle
            else:
                low = middle + 1
        return low

    def _explain(self, chain: Chain, start: int) -> None:
        for sequence in range(start, chain.size):
            receipt = self._calls.by_place.get((chain.chain_id, sequence))
            if receipt is not None:
                self._doubled.count += 1
                continue
            self._looked_up += 1
            if self._looked_up > MAX_LOOKED_UP:
                self._doubled.expect(False, f"chain {chain.chain_id} sequence {sequence}: no answer showed its receipt")
                continue
            self._progress.show("looks up what no answer showed: sequence", sequence, chain.size)
            with self._doubled.reading(f"chain {chain.chain_id} sequence {sequence}"):
                self._explain_one(chain, self._receipt_at(chain, sequence))

    def _explain_one(self, chain: Chain, receipt: Receipt) -> None:
        """A leaf that no answer showed must be that of a call that stayed open, once for each."""
        told = f"{receipt.place}: the chain has a receipt that no call explains"
        for call in self._by_input.get((chain.tenant, receipt.input_hash), []):
            if call.budget > 0:
                call.budget -= 1
                receipt.conversation = call.conversation
                self._calls.add(receipt)
                self._doubled.count += 1
                return
        if (chain.tenant, receipt.input_hash) in self._calls.refused_inputs:
            told += "; a call with this body was refused"
        elif (chain.tenant, receipt.input_hash) in self._answered_inputs:
            told += "; a call with this body was answered with another receipt"
        self._doubled.expect(False, told)

    def issued_at(self, chain: Chain, sequence: int) -> int:
        """When the receipt of a place was issued. Raises Unreadable."""
        return self._receipt_at(chain, sequence).issued_at

    def _receipt_at(self, chain: Chain, sequence: int) -> Receipt:
        """The receipt of a place, from its answer or else from its report, whose leaf hash must be the chain's."""
        known = self._calls.by_place.get((chain.chain_id, sequence))
        if known is not None:
            return known
        event_id = event_id_of(chain.chain_id, chain.shard, sequence)
        key, shape = self._run.tenants[chain.tenant].api_key, having(receipts=list_of(is_object))
        receipts = self._service.json(f"/v1/attestation/{event_id}", key, shape)["receipts"]
        if len(receipts) != 1:
            raise Unreadable(f"the report of sequence {sequence} has not one receipt")
        receipt = read_receipt(chain.tenant, receipts[0])
        if (receipt.chain_id, receipt.sequence, receipt.leaf) != (chain.chain_id, sequence, chain.leaf(sequence)):
            raise Unreadable(f"the report of sequence {sequence} shows another receipt than the chain")
        return receipt
