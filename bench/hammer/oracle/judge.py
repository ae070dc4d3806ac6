"""All checks over one run, in the order in which each may rely on what was recomputed before it."""

from __future__ import annotations

import random
from pathlib import Path

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.files import read_pem
from disclosure_receipts.verify.timestamps.authorities import Authorities

from .checks.bills import BillChecks, month_of
from .checks.calls import CallChecks, Calls
from .checks.checkpoints import CheckpointChecks
from .checks.histories import check_histories
from .checks.log_walk import LogWalk
from .checks.order import check_conversations, check_links
from .checks.places import PlaceChecks
from .checks.reports import ReportChecks
from .checks.seals import TokenChecks, check_bounds, check_seals
from .checks.verdicts import check_verdicts
from .evidence.history import Chain
from .evidence.public_log import PublicLog, read_log
from .evidence.receipts import Receipt
from .evidence.run import CannotRun, RunFacts
from .evidence.service import Service
from .findings import Findings
from .progress import Progress

# The number of earlier sizes whose partial tiles are looked at.
PARTIAL_SAMPLE = 100


class Judge:
    """Holds what the checks of one run share."""

    def __init__(self, run: RunFacts, folder: Path, sample: int, progress: Progress) -> None:
        self.findings = Findings()
        self._run, self._folder, self._sample, self._progress = run, folder, sample, progress
        self._service = Service(run.url)

    def judge(self) -> Findings:
        """Makes every check."""
        run, findings, progress = self._run, self.findings, self._progress
        readers = findings.check("readers of the run")
        for finding in run.findings:
            readers.expect(False, finding)
        calls = CallChecks(run, findings).read(self._folder, progress)
        check_verdicts(self._service, calls.ruled, findings)
        chains = check_histories(run, self._service, findings, progress)
        place_checks = PlaceChecks(run, self._service, calls, findings, progress)
        places = place_checks.check(chains)
        check_links(calls, places, findings)
        erased = check_conversations(run, calls, findings)
        log = self._judge_log(calls, chains)
        self._judge_bills(calls, chains, log, place_checks)
        self._judge_evidence(calls, chains, log, erased)
        return findings

    def _judge_log(self, calls: Calls, chains: list[Chain]) -> PublicLog:
        log = PublicLog()
        with self.findings.check("roots").reading("the public log"):
            read_log(self._service, log, self._progress)
        walk = LogWalk(log, self.findings, self._progress)
        walk.check_roots()
        walk.check_heads(chains)
        walk.check_other_chains(self._run, chains)
        chance = self._chance("tiles")
        partly = chance.sample(log.seals, min(PARTIAL_SAMPLE, len(log.seals)))
        walk.check_tiles(self._service, partly)
        walk.check_bundles(self._service, partly)
        check_seals(log, chains, self.findings)
        check_bounds(calls.receipts, log, chains, self.findings)
        return log

    def _judge_bills(self, calls: Calls, chains: list[Chain], log: PublicLog, places: PlaceChecks) -> None:
        months = sorted({month_of(receipt.issued_at) for receipt in calls.receipts})
        bills = BillChecks(self._run, self._service, log, chains, places.issued_at, self.findings)
        bills.check(months or [month_of(self._run.ended_at)], self._progress)

    def _judge_evidence(
        self, calls: Calls, chains: list[Chain], log: PublicLog, erased: list[list[Receipt]]
    ) -> None:
        authorities = self._authorities()
        TokenChecks(authorities, self.findings).check(log, self._service, self._chance("later tokens"))
        checkpoints = CheckpointChecks(self._run, log, self.findings)
        checkpoints.check(self._service, self._chance("checkpoints"), self._progress)
        gone = {receipt.event_id for conversation in erased for receipt in conversation}
        reports = ReportChecks(self._run, self._service, log, chains, authorities, checkpoints, self.findings)
        kept = [receipt for receipt in calls.receipts if receipt.event_id not in gone]
        reports.check_sample(kept, self._sample, self._chance("reports"), self._progress)
        reports.check_erased(erased, self._progress)

    def _authorities(self) -> Authorities:
        """The authorities of the run; none where it names none. Raises CannotRun where they can't be read."""
        if self._run.trust_anchors is None:
            return Authorities()
        try:
            return read_pem(self._run.trust_anchors.read_text("ascii"))
        except (OSError, ValueError, Unreadable) as error:
            raise CannotRun(f"the run's certificates can't be read ({error})") from error

    def _chance(self, purpose: str) -> random.Random:
        """The samples of each check follow from the seed of the run alone."""
        return random.Random(f"{self._run.seed} {purpose}")
