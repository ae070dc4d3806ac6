"""The signed checkpoints of the log (docs/transparency-log.md, "Checkpoints"): each names the tree of its seal, and each
line of a witness that the run names holds."""

from __future__ import annotations

import random
from time import time_ns

from disclosure_receipts.verify.checkpoints import check_checkpoint, read_checkpoint
from disclosure_receipts.verify.checks import Unreadable, require
from disclosure_receipts.verify.hashes import node_bytes
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.log_policy import Policy
from disclosure_receipts.verify.notes import LOG_KEY, WITNESS_KEY, NoteKey, read_note, read_note_key, times_of

from ..evidence.public_log import PublicLog
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Findings
from ..progress import Progress

# A signature takes some milliseconds of Python; of a longer log, as many are verified by chance, and the newest.
MAX_VERIFIED = 1000


def _key(vkey: str, key_type: int) -> NoteKey:
    key = read_note_key(vkey)
    require(key.type == key_type, f"the key is no vkey of type {key_type}")
    return key


class CheckpointChecks:
    """Verifies checkpoints under the keys of the log and of the witnesses, each text once."""

    def __init__(self, run: RunFacts, log: PublicLog, findings: Findings) -> None:
        self._check, self._cosignatures = findings.check("checkpoints"), findings.check("cosignatures")
        self._log = log
        self._policy: Policy | None = None
        self._witnesses: list[NoteKey] = []
        self._judged: set[bytes] = set()
        with self._check.reading("the log's key"):
            if run.log_vkey is not None and log.served_vkey is not None:
                same = run.log_vkey == log.served_vkey
                self._check.expect(same, "the service names another key of the log than the run does")
            vkey = run.log_vkey or log.served_vkey
            self._policy = None if vkey is None else Policy([_key(vkey, LOG_KEY)], {}, [], None)
        for vkey in run.witness_vkeys:
            with self._cosignatures.reading("a witness's key"):
                self._witnesses.append(_key(vkey, WITNESS_KEY))
        if not run.witness_vkeys:
            self._cosignatures.unmade = "the run names no witness"

    def check(self, service: Service, chance: random.Random, progress: Progress) -> None:
        """The checkpoint of each seal that has one, and the newest."""
        if self._policy is None:
            self._check.unmade = self._cosignatures.unmade = "the log has no key"
            return
        seals = self._log.seals
        sample = set(chance.sample(range(len(seals)), min(MAX_VERIFIED, len(seals))))
        for seal in seals:
            progress.show("verifies the checkpoint of seal", seal["index"], len(seals))
            # Seals that were passed over while many waited have no checkpoint; the newest has one.
            if seal["index"] in sample or seal is seals[-1]:
                at = f"the checkpoint of seal {seal['index']}"
                with self._check.reading(at):
                    note = service.bytes(f"/v1/metachain/checkpoints/{seal['index']}")
                    if note is not None:
                        self.judge(note, seal, at)
        with self._check.reading("the newest checkpoint"):
            newest = service.bytes("/v1/metachain/checkpoint")
            if newest is None:
                raise Unreadable("it is not published")
            self.judge(newest, self._seal_of(newest), "the newest checkpoint")
        # A witness may be away for some checkpoints, and not for all of them.
        if self._witnesses and self._cosignatures.count == 0:
            told = "no published checkpoint that was looked at has a line of a named witness"
            self._cosignatures.expect(False, told)

    def _seal_of(self, note: bytes) -> JsonObject:
        _, size, _ = read_checkpoint(read_note(note.decode("utf-8"))[0])
        named = next((seal for seal in reversed(self._log.seals) if seal["tree_size"] == size), None)
        if named is None:
            raise Unreadable(f"it names a tree of {size} entries, which no seal has")
        return named

    def judge(self, note: bytes, seal: JsonObject, at: str) -> None:
        """A note must be signed by the log, and name the tree of the seal."""
        if note in self._judged or self._policy is None:
            return
        self._judged.add(note)
        text, root = note.decode("utf-8"), node_bytes(seal["merkle_root"])
        with self._check.reading(at):
            check_checkpoint(text, seal["tree_size"], root, self._policy, time_ns() // 1_000_000)
            self._check.count += 1
        with self._cosignatures.reading(at):
            body, lines = read_note(text)
            for key in self._witnesses:
                self._cosignatures.count += len(times_of(body, lines, key))
