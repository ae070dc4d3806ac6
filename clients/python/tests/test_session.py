"""A set of files: what counts, what is missing, and that a fault costs one file."""

import tempfile
import unittest
from pathlib import Path
from typing import get_args
from unittest.mock import patch

from disclosure_receipts.verify.checks import Reason, Unreadable
from disclosure_receipts.verify.evidence import verify
from disclosure_receipts.verify.kinds import Evidence, read_evidence
from disclosure_receipts.verify.output import chain_sentence
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.session import session as program
from disclosure_receipts.verify.session.findings import Findings
from disclosure_receipts.verify.session.listing import GivenFile, list_files
from disclosure_receipts.verify.session.receipts import Inventory
from disclosure_receipts.verify.session.session import Inputs, run_session
from disclosure_receipts.verify.session.summary import Summary, numbers_of, summarize

from .support.evidence import EVIDENCE, evidence

REPORTS = ("greeting", "reminder", "hand-off", "chat-message", "goodbye")


def run(*names: str) -> Findings:
    files = [GivenFile(str(EVIDENCE / name), True) for name in names]
    return run_session(files, Inputs([], Reader(), None, None, None))


def summary_of(names: tuple[str, ...], conversations: dict[str, str]) -> Summary:
    inventory = Inventory(conversations)
    for name in names:
        inventory.add(read_evidence(evidence(f"receipts/{name}.json")), name)
    return summarize(inventory, None)


class AnOpenCheck(unittest.TestCase):
    def test_has_a_reason_of_the_closed_list_and_no_other_check_has_one(self) -> None:
        for file in [*(EVIDENCE / "receipts").iterdir(), *(EVIDENCE / "bundles").iterdir()]:
            for check in verify(read_evidence(evidence(f"{file.parent.name}/{file.name}"))):
                self.assertEqual(check.ok is None, check.reason in get_args(Reason), (file, check))


class ASummary(unittest.TestCase):
    def test_counts_a_receipt_once_and_names_what_is_missing(self) -> None:
        summary = summary_of(("greeting", "hand-off", "hand-off"), {})
        self.assertEqual((summary.files, summary.receipts, summary.conversations), (3, 2, 1))
        (chain,) = summary.chains
        self.assertEqual((chain.receipts, chain.first, chain.last, chain.missing), (2, 0, 3, [(1, 2)]))
        (missing,) = summary.missing_turns
        self.assertEqual((missing.conversation, missing.last.file, missing.ranges), (None, "hand-off", [(2, 2)]))
        self.assertEqual((summary.remarked, list(summary.remarks)), (1, ["method_unknown", "wording_unknown"]))

    def test_names_the_numbers_at_the_ends_of_a_chain_whose_history_is_at_hand(self) -> None:
        said = [chain_sentence(numbers_of("c", [2, 3], size)) for size in (6, 4, 0, None)]
        start = "Chain c: 2 receipts, numbers 2 to 3;"
        self.assertEqual(said[0], f"{start} not here: 0 to 1, 4 to 5; the history has 6 receipts.")
        self.assertEqual(said[1], f"{start} not here: 0 to 1; the history has 4 receipts.")
        self.assertEqual(said[2], f"{start} not here: 0 to 1; the history has 0 receipts.")
        self.assertEqual(said[3], f"{start} between them, not here: none.")

    def test_joins_what_is_linked_and_parts_what_has_other_names(self) -> None:
        hashes = [evidence(f"receipts/{name}.json")["receipts"][0]["input_hash"] for name in ("greeting", "hand-off")]
        self.assertEqual(summary_of(REPORTS[:3], {}).missing_turns, [])
        apart = summary_of(("greeting", "hand-off"), dict(zip(hashes, ("one", "other"))))
        self.assertEqual(apart.conversations, 2)
        self.assertEqual([(one.conversation, one.ranges) for one in apart.missing_turns], [("other", [(1, 2)])])
        same = summary_of(("greeting", "hand-off"), dict.fromkeys(hashes, "one"))
        self.assertEqual((same.conversations, same.missing_turns[0].ranges), (1, [(2, 2)]))


class ASession(unittest.TestCase):
    def test_loses_one_file_by_a_fault_of_the_program(self) -> None:
        def failing(piece: Evidence, reader: Reader) -> object:
            if piece.kind == "seal":
                raise RecursionError("too deep")
            return verify(piece, reader)

        with patch.object(program, "verify", failing):
            findings = run("seals/0.json", "receipts/greeting.json")
        self.assertEqual([finding.verdict for finding in findings.files], ["unreadable", "holds_so_far"])
        self.assertIn("RecursionError", findings.files[0].reason or "")

    def test_reads_no_companion_as_evidence_and_no_evidence_as_a_companion(self) -> None:
        findings = run("receipts/greeting.json", "requests/hand-off.json", "authorities/service.pem", "seals/0.json")
        self.assertEqual([finding.kind for finding in findings.files], ["report", "seal"])
        uses = [(companion.kind, companion.use) for companion in findings.companions]
        self.assertEqual(uses, [("request", "stray"), ("certificates", "used")])
        reasons = {check.name: check.reason for check in findings.files[0].checks}
        self.assertEqual((reasons["input_hash"], reasons["timestamp"]), ("other_request", None))


HEAD_OF_A_HISTORY = "h/chains/0123456789abcdef0123456789abcdef/heads/0.json"


class AFolder(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def make(self, *names: str) -> None:
        for name in names:
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("{}", "utf-8")

    def listed(self) -> list[str]:
        return [file.name.removeprefix(f"{self.folder}/") for file in list_files([str(self.folder)])]

    def test_stands_for_the_evidence_in_it_and_not_for_the_files_of_a_mirror_or_a_history(self) -> None:
        self.make("b/one.json", "a.json", "a.txt", "c.cose", "d.pem", "e.policy", HEAD_OF_A_HISTORY)
        self.make("v1/policy/layers/0f", "v1/policy/index.json", "v1/metachain/index.json")
        (self.folder / "h/history.json").write_text('{"tenant_anchor":{},"chains":[]}', "utf-8")
        (self.folder / "circle").symlink_to(self.folder)
        evidence_files = ["a.json", "b/one.json", "c.cose", "d.pem", "e.policy", "v1/policy/layers/0f"]
        self.assertEqual(self.listed(), evidence_files)
        self.assertFalse(any(file.is_named for file in list_files([str(self.folder)])))

    def test_hides_no_file_that_merely_has_a_name_of_a_history(self) -> None:
        names = [HEAD_OF_A_HISTORY, "h/chains/one.json", "h/history.json", "other/history.json"]
        self.make(*names)
        self.assertEqual(self.listed(), names)

    def test_is_refused_where_no_evidence_is_in_it(self) -> None:
        self.make("a.txt")
        with self.assertRaises(Unreadable):
            self.listed()


if __name__ == "__main__":
    unittest.main()
