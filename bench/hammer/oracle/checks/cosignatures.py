"""The witnesses' lines of checkpoints (docs/receipt-format.md, "Signed checkpoints"): each line must hold."""

from __future__ import annotations

from ..evidence.run import RunFacts
from ..findings import Findings
from ..formats.notes import WITNESS_KEY_TYPE, Checkpoint, NoteKey, holds_cosignature, parse_vkey, signatures_of


class CosignatureChecks:
    """Verifies each cosignature once, under the keys of the witnesses that the run names."""

    def __init__(self, run: RunFacts, findings: Findings) -> None:
        self.check = findings.check("cosignatures")
        self._keys: list[NoteKey] = []
        for vkey in run.witness_vkeys:
            with self.check.reading("a witness's key"):
                self._keys.append(parse_vkey(vkey, WITNESS_KEY_TYPE))
        self._held: set[tuple[bytes, bytes]] = set()
        if not run.witness_vkeys:
            self.check.unmade = "the run names no witness"

    def judge(self, checkpoint: Checkpoint, at: str) -> None:
        """Every line of a witness must hold; lines of keys that the run does not name say nothing."""
        for key in self._keys:
            for cosignature in signatures_of(checkpoint, key):
                if (checkpoint.text, cosignature) in self._held:
                    continue
                holds = holds_cosignature(checkpoint, key, cosignature)
                if self.check.expect(holds, f"{at}: the cosignature of {key.name} does not hold"):
                    self._held.add((checkpoint.text, cosignature))

    def conclude(self) -> None:
        """A witness may be away for some checkpoints, and not for all of them."""
        if self._keys and self.check.count == 0:
            self.check.expect(False, "no published checkpoint that was looked at has a line of a named witness")
