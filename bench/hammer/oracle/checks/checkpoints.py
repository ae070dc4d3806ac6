"""The signed checkpoints of the log (docs/transparency-log.md, "Checkpoints"): each names the tree of its seal."""

from __future__ import annotations

import random

from ..evidence.public_log import PublicLog, Seal
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Check, Findings
from ..formats.json_text import Unreadable
from ..formats.notes import Checkpoint, NoteKey, is_signed_by, parse_checkpoint, parse_vkey
from ..progress import Progress
from .cosignatures import CosignatureChecks

# A signature takes some milliseconds of Python; of a longer log, as many are verified by chance, and the newest.
MAX_VERIFIED = 2000


class CheckpointChecks:
    """Verifies checkpoints under the log's key, each text once."""

    def __init__(self, run: RunFacts, log: PublicLog, findings: Findings) -> None:
        self.check = findings.check("checkpoints")
        self._cosignatures = CosignatureChecks(run, findings)
        self._log = log
        self._key = self._key_of(run, log)
        self._judged: set[bytes] = set()

    def _key_of(self, run: RunFacts, log: PublicLog) -> NoteKey | None:
        with self.check.reading("the log's key"):
            if run.log_vkey is not None and log.served_vkey is not None:
                same = run.log_vkey == log.served_vkey
                self.check.expect(same, "the service names another key of the log than the run does")
            vkey = run.log_vkey or log.served_vkey
            return None if vkey is None else parse_vkey(vkey)
        return None

    def check_published(self, service: Service, chance: random.Random, progress: Progress) -> None:
        """The checkpoint of each seal that has one, and the newest."""
        if self._key is None:
            self.check.unmade = self._cosignatures.check.unmade = "the log has no key"
            return
        seals = self._log.seals
        sample = set(chance.sample(range(len(seals)), min(MAX_VERIFIED, len(seals))))
        for seal in seals:
            progress.show("verifies the checkpoint of seal", seal.index, len(seals))
            if seal.index in sample or seal is seals[-1]:
                self._check_one(service, seal)
        with self.check.reading("the newest checkpoint"):
            note = service.bytes("/v1/metachain/checkpoint")
            self.judge(note, None, "the newest checkpoint")
        self._cosignatures.conclude()

    def _check_one(self, service: Service, seal: Seal) -> None:
        """Seals that were passed over while many waited have no checkpoint; the newest has one."""
        with self.check.reading(f"the checkpoint of seal {seal.index}"):
            note = service.bytes(f"/v1/metachain/checkpoints/{seal.index}")
            if note is not None:
                self.judge(note, seal, f"the checkpoint of seal {seal.index}")

    def judge(self, note: bytes | None, seal: Seal | None, at: str) -> None:
        """A note must be signed by the log, and name the tree of the seal; without one, that of any published seal."""
        if note is None:
            raise Unreadable("it is not published")
        checkpoint = parse_checkpoint(note)
        named = seal or next((each for each in reversed(self._log.seals) if each.tree_size == checkpoint.size), None)
        if named is None:
            raise Unreadable(f"it names a tree of {checkpoint.size} entries, which no seal has")
        told = f"{at}: it names {checkpoint.size} entries and root {checkpoint.root.hex()}"
        same = (checkpoint.size, checkpoint.root) == (named.tree_size, named.root)
        self.check.expect(same, f"{told}, seal {named.index} has {named.tree_size} and {named.root.hex()}")
        self._judge_signature(checkpoint, note, at)
        self._cosignatures.judge(checkpoint, at)

    def _judge_signature(self, checkpoint: Checkpoint, note: bytes, at: str) -> None:
        if self._key is None or note in self._judged:
            return
        self.check.expect(checkpoint.origin == self._key.name, f"{at}: its origin is not the name of the log's key")
        if self.check.expect(is_signed_by(checkpoint, self._key), f"{at}: the log's key has not signed it"):
            self._judged.add(note)
