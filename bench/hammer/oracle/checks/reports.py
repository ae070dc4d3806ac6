"""Reports of a sample and of all erased conversations: the receipt as it was answered, up to the published root."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from disclosure_receipts.verify.chain_history import TenantHistory
from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.formats import is_evidence
from disclosure_receipts.verify.json_input import JsonObject, read_json
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.receipt import verify_receipt
from disclosure_receipts.verify.shapes import readable
from disclosure_receipts.verify.timestamps.authorities import Authorities

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog
from ..evidence.receipts import Receipt, read_receipt
from ..evidence.run import RunFacts
from ..evidence.service import AGAIN, Answer, Service
from ..findings import Check, Findings
from ..progress import Progress
from .checkpoints import CheckpointChecks

PARALLEL = 4
# For some minutes after its erasure an id is closed, and the service says so.
CLOSED = frozenset({503})


def is_report(value: Any) -> bool:
    """Evidence with its receipt: a proof alone is none."""
    return is_evidence(value) and "receipts" in value


class ReportChecks:
    """Holds reports against the chains and the log, which were recomputed before."""

    def __init__(
        self,
        run: RunFacts,
        service: Service,
        log: PublicLog,
        chains: Sequence[Chain],
        authorities: Authorities,
        checkpoints: CheckpointChecks,
        findings: Findings,
    ) -> None:
        self._run, self._service, self._log, self._checkpoints = run, service, log, checkpoints
        self._reports = findings.check("reports")
        self._erasures = findings.check("erased conversations")
        histories = {chain.chain_id: chain.history for chain in chains}
        self._reader = Reader(
            authorities=authorities,
            published=dict(enumerate(log.seals)),
            now=int(time.time() * 1000),
            history=TenantHistory(histories, None, None),
        )

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
                is_told = report.get("erasure") is not None
                self._erasures.expect(is_told, f"{receipt.place}: its report says nothing of the erasure")
        self._check_ids_are_gone({receipt.event_id for receipt in receipts})

    def _check_ids_are_gone(self, erased: set[str]) -> None:
        """Under an erased id nothing is found, unless it was used again; never what was erased."""
        for tenant, interaction_id in sorted(set(self._run.erased)):
            with self._erasures.reading("a conversation under its erased id"):
                path = f"/v1/interactions/{quote(interaction_id, safe='')}"
                answer = self._service.get(path, self._run.tenants[tenant].api_key, again=AGAIN - CLOSED)
                told = f"an erased id is answered {answer.status}, expected 200, 404 or 503"
                self._erasures.expect(answer.status in {200, 404, *CLOSED}, told)
                found = read_json(answer.body)["receipts"] if answer.status == 200 else []
                shown = sorted({receipt["event_id"] for receipt in found} & erased)
                self._erasures.expect(not shown, f"an erased id still leads to {', '.join(shown)}")

    def _fetch(self, receipts: Sequence[Receipt]) -> Iterator[tuple[Receipt, Answer]]:
        with ThreadPoolExecutor(PARALLEL) as pool:
            yield from pool.map(lambda receipt: (receipt, self._report_of(receipt)), receipts)

    def _report_of(self, receipt: Receipt) -> Answer:
        return self._service.get(f"/v1/attestation/{receipt.event_id}", self._run.tenants[receipt.tenant].api_key)

    def _judge(self, check: Check, receipt: Receipt, answer: Answer) -> JsonObject:
        """Every check of the verifier, for the receipt that was answered."""
        if answer.status != 200:
            raise Unreadable(f"it was answered {answer.status}, expected 200")
        report: JsonObject = readable(is_report, read_json(answer.body), "report")
        reported = read_receipt(receipt.tenant, report["receipts"][0])
        told = f"{receipt.place}: the report's leaf is {reported.leaf.hex()}, the answer's {receipt.leaf.hex()}"
        if check.expect(reported.leaf == receipt.leaf, told):
            told = f"{receipt.place}: the report's authentication is another one than the answer's"
            check.expect(reported.whole == receipt.whole, told)
        status = report["merkle_proof"]["status"]
        check.expect(status == "included", f"{receipt.place}: the status of its proof is {status}")
        check.take(receipt.place, verify_receipt(report, self._reader))
        self._judge_checkpoint(receipt, report)
        return report

    def _judge_checkpoint(self, receipt: Receipt, report: JsonObject) -> None:
        note, cross = report.get("log_checkpoint"), report["merkle_proof"]["cross_tenant_proof"]
        if cross is None:
            return
        index = cross["seal_index"]
        if index >= len(self._log.seals):
            raise Unreadable(f"it names seal {index}, which is not published")
        if note is not None:
            seal = self._log.seals[index]
            self._checkpoints.judge(note.encode("utf-8"), seal, f"the checkpoint in the report of {receipt.place}")
