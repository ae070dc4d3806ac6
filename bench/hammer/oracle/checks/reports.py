"""Reports of a sample and of all erased conversations: the receipt as it was answered, up to the published root."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog, parse_seal
from ..evidence.receipts import Receipt, read_receipt
from ..evidence.run import RunFacts
from ..evidence.service import AGAIN, Answer, Service
from ..findings import Check, Findings
from ..formats import shapes
from ..formats.identities import commitment_of, label_of
from ..formats.json_text import Unreadable, parse_object
from ..formats.merkle import hash_leaf, holds_inclusion
from ..progress import Progress
from .checkpoints import CheckpointChecks
from .timestamps import judge_timestamp

PARALLEL = 4
# For some minutes after its erasure an id is closed, which the service says so.
CLOSED = frozenset({503})
GROUNDS = ("request", "order", "mistake")


class ReportChecks:
    """Holds reports against the chains and the log, which were recomputed before."""

    def __init__(
        self,
        run: RunFacts,
        service: Service,
        log: PublicLog,
        chains: Sequence[Chain],
        checkpoints: CheckpointChecks,
        findings: Findings,
    ) -> None:
        self._run, self._service, self._log, self._checkpoints = run, service, log, checkpoints
        self._chains = {chain.chain_id: chain for chain in chains}
        self._reports = findings.check("reports")
        self._erasures = findings.check("erased conversations")

    def check_sample(self, receipts: list[Receipt], size: int, chance: random.Random, progress: Progress) -> None:
        """A seeded sample of all receipts that no erasure took identifiers from."""
        sample = chance.sample(receipts, min(size, len(receipts)))
        for done, (receipt, answer) in enumerate(self._fetch(sample)):
            progress.show("verifies reports,", done, len(sample))
            with self._reports.reading(f"the report of {receipt.place}"):
                report = self._judge(self._reports, receipt, answer)
                is_whole = report.get("erasure") is None
                self._reports.expect(is_whole, f"{receipt.place}: its report has an erasure, and nobody erased it")

    def check_erased(self, conversations: list[list[Receipt]], progress: Progress) -> None:
        """Each report of an erased conversation says so, and its proof is whole."""
        receipts = [receipt for conversation in conversations for receipt in conversation]
        for done, (receipt, answer) in enumerate(self._fetch(receipts)):
            progress.show("verifies erased receipts,", done, len(receipts))
            with self._erasures.reading(f"the report of {receipt.place}"):
                report = self._judge(self._erasures, receipt, answer)
                erasure = report.get("erasure")
                told = f"{receipt.place}: its report says nothing of the erasure"
                if self._erasures.expect(erasure is not None, told):
                    shapes.time(erasure, "erased_at")
                    shapes.text(erasure, "erased_by")
                    ground = shapes.text(erasure, "ground")
                    self._erasures.expect(ground in GROUNDS, f"{receipt.place}: its erasure has no ground")
        self._check_ids_are_gone({receipt.event_id for receipt in receipts})

    def _check_ids_are_gone(self, erased: set[str]) -> None:
        """Under an erased id nothing is found, unless it was used again; never what was erased."""
        for tenant, interaction_id in sorted(set(self._run.erased)):
            with self._erasures.reading("a conversation under its erased id"):
                path = f"/v1/interactions/{quote(interaction_id, safe='')}"
                answer = self._service.get(path, self._run.tenants[tenant].api_key, again=AGAIN - CLOSED)
                told = f"an erased id is answered {answer.status}, expected 200, 404 or 503"
                self._erasures.expect(answer.status in {200, 404, *CLOSED}, told)
                found: list[Any] = []
                if answer.status == 200:
                    found = shapes.items(parse_object(answer.body), "receipts")
                shown = sorted({shapes.text(receipt, "event_id") for receipt in found} & erased)
                self._erasures.expect(not shown, f"an erased id still leads to {', '.join(shown)}")

    def _fetch(self, receipts: Sequence[Receipt]) -> Iterator[tuple[Receipt, Answer]]:
        with ThreadPoolExecutor(PARALLEL) as pool:
            yield from pool.map(lambda receipt: (receipt, self._report_of(receipt)), receipts)

    def _report_of(self, receipt: Receipt) -> Answer:
        return self._service.get(f"/v1/attestation/{receipt.event_id}", self._run.tenants[receipt.tenant].api_key)

    def _judge(self, check: Check, receipt: Receipt, answer: Answer) -> dict[str, Any]:
        """The checks of "Checking a receipt" that a report alone and what was recomputed allow."""
        if answer.status != 200:
            raise Unreadable(f"it was answered {answer.status}, expected 200")
        report = parse_object(answer.body)
        shown = shapes.items(report, "receipts")
        if len(shown) != 1:
            raise Unreadable("it has not one receipt")
        reported = read_receipt(receipt.tenant, shown[0])
        told = f"{receipt.place}: the report's leaf is {reported.leaf.hex()}, the answer's {receipt.leaf.hex()}"
        same = check.expect(reported.leaf == receipt.leaf, told)
        if same:
            told = f"{receipt.place}: the report's authentication is another one than the answer's"
            check.expect(reported.whole == receipt.whole, told)
        self._judge_proof(check, receipt, report)
        self._judge_companions(check, receipt, report)
        return report

    def _judge_proof(self, check: Check, receipt: Receipt, report: Any) -> None:
        """Both paths: from the leaf to the head of the chain, and from there to the published root."""
        at, proof = f"{receipt.place}: ", shapes.record(report, "merkle_proof")
        status = shapes.text(proof, "status")
        if not check.expect(status == "included", f"{at}the status of its proof is {status}"):
            return
        event, cross = shapes.record(proof, "event_inclusion_proof"), shapes.record(proof, "cross_tenant_proof")
        size, root = shapes.index(event, "tree_size"), shapes.node(event, "root")
        leads = holds_inclusion(receipt.leaf, receipt.sequence, size, shapes.path(event, "path"), root)
        check.expect(leads, at + "its path does not lead to the root of its chain")
        stated = (shapes.node(event, "leaf_hash"), shapes.index(event, "leaf_index"))
        check.expect(stated == (receipt.leaf, receipt.sequence), at + "its proof is of another leaf")
        chain = self._chains.get(receipt.chain_id)
        known = None if chain is None else chain.roots.get(size)
        check.expect(known == root, f"{at}its chain has another root at {size} leaves, or no head of that size")
        self._judge_head(check, at, receipt, cross, (size, root))
        published = self._seal_root(shapes.index(cross, "seal_index"))
        found = shapes.node(proof, "merkle_root")
        check.expect(found == published, f"{at}its merkle_root is not what its seal publishes")
        stamp = shapes.record(report, "tsa_timestamp")
        judge_timestamp(check, receipt.place, stamp, found, receipt.issued_at)

    def _judge_head(
        self, check: Check, at: str, receipt: Receipt, cross: dict[str, Any], tree: tuple[int, bytes]
    ) -> None:
        head = shapes.record(cross, "leaf")
        named = (shapes.chain_id(head), shapes.index(head, "tree_size"), shapes.node(head, "root"))
        check.expect(named == (receipt.chain_id, *tree), at + "its head is another one than its path leads to")
        number = shapes.index(head, "head_index")
        entry = label_of(receipt.chain_id, number) + commitment_of(receipt.chain_id, number, tree[1], tree[0])
        root, path = shapes.node(cross, "root"), shapes.path(cross, "path")
        place, size = shapes.index(cross, "leaf_index"), shapes.index(cross, "tree_size")
        check.expect(self._log.entry(place) == entry, f"{at}entry {place} of the log is not that of its head")
        leads = holds_inclusion(hash_leaf(entry), place, size, path, root)
        check.expect(leads, at + "the path of its head does not lead to the published root")
        check.expect(root == self._seal_root(shapes.index(cross, "seal_index")), at + "its seal publishes another root")

    def _seal_root(self, index: int) -> bytes | None:
        return self._log.seals[index].root if index < len(self._log.seals) else None

    def _judge_companions(self, check: Check, receipt: Receipt, report: Any) -> None:
        """The seal that the receipt names, and the log's signature over the root."""
        named, seal = receipt.recorded_after, report.get("recorded_after_seal")
        told = f"{receipt.place}: recorded_after_seal is not the seal that it names"
        check.expect((None if seal is None else parse_seal(seal).seal_hash) == (named and named[1]), told)
        note = report.get("log_checkpoint")
        index = shapes.index(shapes.record(shapes.record(report, "merkle_proof"), "cross_tenant_proof"), "seal_index")
        if note is not None and index < len(self._log.seals):
            text = shapes.text(report, "log_checkpoint").encode("utf-8")
            self._checkpoints.judge(text, self._log.seals[index], f"the checkpoint in the report of {receipt.place}")
