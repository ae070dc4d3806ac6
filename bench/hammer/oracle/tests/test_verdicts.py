"""The rules of a wording layer, each by itself (docs/receipt-format.md, the check `policy`)."""

import unittest
from dataclasses import replace
from typing import Any

from ..checks.verdicts import Ruled, decide

WORDING: dict[str, Any] = {
    "id": "greeting",
    "modality": "voice",
    "methods": ["spoken", "reported"],
    "digest": "sha256:aa",
    "approved_on": "2026-11-21",
    "retired_on": "2027-01-31",
}
METHODS: list[dict[str, Any]] = [
    {"id": "spoken", "modalities": ["voice"]},
    {"id": "reported", "modalities": ["voice"], "reported": True},
    {"id": "written", "modalities": ["chat", "voice"]},
]
LAYER: dict[str, Any] = {"status": "active", "disclosure_methods": METHODS, "wordings": [WORDING]}
ASKED = Ruled("", "DE", "1", "DE", "voice", "spoken", "sha256:aa", "2026-11-23", "", None, ())


class Verdicts(unittest.TestCase):
    def decided(self, asked: Ruled, layer: dict[str, Any] = LAYER) -> tuple[str, str | None, tuple[str, ...]]:
        return decide(layer, asked)

    def test_an_approved_wording_by_its_method_is_allowed(self) -> None:
        self.assertEqual(self.decided(ASKED), ("ALLOW", "greeting", ()))
        for day in ("2026-11-21", "2027-01-31"):
            self.assertEqual(self.decided(replace(ASKED, day=day))[0], "ALLOW")

    def test_each_rule_has_its_finding(self) -> None:
        cases = (
            (replace(ASKED, method="shouted"), ("method_unknown", "wording_for_other_method")),
            (replace(ASKED, method="reported"), ("method_reported",)),
            (replace(ASKED, method="written"), ("wording_for_other_method",)),
            (replace(ASKED, modality="chat"), ("method_not_for_modality", "wording_for_other_modality")),
            (replace(ASKED, day="2026-11-20"), ("wording_not_yet_approved",)),
        )
        for asked, findings in cases:
            with self.subTest(findings=findings):
                self.assertEqual(self.decided(asked), ("MODIFY", "greeting", findings))
        unknown = self.decided(replace(ASKED, subject_hash="sha256:bb"))
        self.assertEqual(unknown, ("MODIFY", None, ("wording_unknown",)))
        in_development = self.decided(ASKED, {**LAYER, "status": "in_development"})
        self.assertEqual(in_development, ("MODIFY", "greeting", ("layer_in_development",)))

    def test_a_retired_wording_is_blocked(self) -> None:
        self.assertEqual(self.decided(replace(ASKED, day="2027-02-01")), ("BLOCK", "greeting", ("wording_retired",)))


if __name__ == "__main__":
    unittest.main()
