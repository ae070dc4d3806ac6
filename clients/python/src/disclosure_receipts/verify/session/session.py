"""From a set of files to everything that is said about them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..checks import Check, Unreadable
from ..evidence import verify
from ..files import read_bytes
from ..kinds import Evidence
from ..public_log import walk_log
from ..reader import Reader
from ..timestamps.authorities import Authorities
from ..together import Together
from ..verdict import DOES_NOT_HOLD, UNREADABLE, verdict_of, worst_of
from .comparison import compare_wording
from .documents import Opened, open_document
from .findings import FileFinding, Findings
from .fork import confirm_fork
from .given import Companion, Companions, Request
from .listing import GivenFile
from .receipts import Inventory
from .summary import summarize
from .uses import Uses


class Inputs(NamedTuple):
    """What the reader's options give. reader: clock and history. history: the history's folder. log: that of the public
    log. text: a wording.
    """

    companions: list[Companion]
    reader: Reader
    history: str | None
    log: str | None
    text: str | None


def run_session(files: list[GivenFile], inputs: Inputs) -> Findings:
    opened = [(given.name, open_file(given)) for given in files]
    session = Session(inputs, [one for _, one in opened])
    findings = [session.find(name, one) for name, one in opened]
    names = {name for name, one in opened if isinstance(one, Opened) and one.companion is not None}
    others = [(file, problem) for file, problem in session.problems.items() if file not in names]
    findings += [FileFinding(file, UNREADABLE, [], problem) for file, problem in others]
    return session.conclude([finding for finding in findings if finding is not None], inputs)


def open_file(given: GivenFile) -> Opened | str:
    """Gives the reason for a file that can't be read: a fault of this program costs the file, and not the others."""
    try:
        return open_document(given, read_bytes(given.name))
    except Exception as error:
        return str(error) if isinstance(error, (Unreadable, OSError)) else fault(error)


def fault(error: Exception) -> str:
    return f"this program failed at it: {type(error).__name__}: {error}"


class Session:
    def __init__(self, inputs: Inputs, opened: list[Opened | str]) -> None:
        readable = [one for one in opened if isinstance(one, Opened)]
        among_files = [one.companion for one in readable if one.companion is not None]
        self.companions = Companions([*inputs.companions, *among_files])
        self.problems = self.companions.settle()
        evidence = [one.evidence for one in readable if one.evidence is not None]
        input_hashes = {str(receipt.get("input_hash")) for piece in evidence for receipt in piece.receipts}
        requests = self.companions.requests
        self.requests = {request.digest: request for request in requests}
        # A request that belongs to other evidence here is no stray of this one.
        self.stray = next((request for request in requests if request.digest not in input_hashes), None)
        self.reader = self.reader_of(inputs, evidence)
        self.uses = Uses()

    def reader_of(self, inputs: Inputs, evidence: list[Evidence]) -> Reader:
        """Walks the log once, for all chains that are named. Raises Unreadable."""
        history = inputs.reader.history
        chain_ids = {chain_id for piece in evidence for chain_id in chains_in(piece)}
        wanted = chain_ids if history is None else chain_ids | history.to_look_for()
        named = [given for given in self.companions.certificates if given.is_named]
        policy = self.companions.policy()
        return inputs.reader._replace(
            walk=None if inputs.log is None else walk_log(inputs.log, wanted),
            authorities=Authorities(certificate for given in named for certificate in given.certificates),
            published={root.value["index"]: root.value for root in self.companions.roots},
            policy=policy and policy.policy,
            layers={layer.digest: layer.value for layer in self.companions.layers},
        )

    def find(self, file: str, opened: Opened | str) -> FileFinding | None:
        """None for a companion, which has no verdict of its own."""
        if isinstance(opened, str):
            return FileFinding(file, UNREADABLE, [], opened)
        # Evidence may have the name of a companion that an option gave: its problems are not those of the evidence.
        problem = None if opened.companion is None else self.problems.get(file)
        if problem is not None:
            return FileFinding(file, UNREADABLE, [], problem)
        try:
            if opened.fork is not None:
                fork = confirm_fork(opened.fork, self.reader.policy)
                return FileFinding(file, DOES_NOT_HOLD, [], fork=fork)
            return None if opened.evidence is None else self.examine(file, opened.evidence)
        except Unreadable as reason:
            return FileFinding(file, UNREADABLE, [], str(reason))
        except Exception as error:
            return FileFinding(file, UNREADABLE, [], fault(error))

    def examine(self, file: str, evidence: Evidence) -> FileFinding:
        checks = verify(evidence, self.reader._replace(requests=self.requests_for(evidence)))
        self.uses.add(evidence, checks)
        return FileFinding(file, verdict_of(checks), checks, evidence=evidence)

    def requests_for(self, evidence: Evidence) -> dict[str, Any]:
        """Those of the receipts; else the one that belongs to no evidence here."""
        hashes = {str(receipt.get("input_hash")) for receipt in evidence.receipts}
        own: list[Request] = [self.requests[digest] for digest in hashes if digest in self.requests]
        compared = own or ([] if self.stray is None else [self.stray])
        return {request.digest: request.value for request in compared}

    def conclude(self, files: list[FileFinding], inputs: Inputs) -> Findings:
        """Evidence of which a check failed is left out of all but the verdict: nobody knows what it is."""
        sound = [
            (one.evidence, one.file) for one in files if one.evidence is not None and one.verdict != DOES_NOT_HOLD
        ]
        together = check_together(sound)
        named = {one.digest: one.value["interaction_id"] for one in self.requests.values() if has_name(one)}
        inventory = Inventory(named)
        for piece in sound:
            inventory.add(*piece)
        companions = self.uses.companions(self.companions, inputs.history, self.reader.authorities.reached)
        return Findings(
            worst_of([verdict_of(together), *(finding.verdict for finding in files)]),
            files,
            together,
            list(companions),
            summarize(inventory, self.reader.history),
            None if inputs.text is None else compare_wording(inputs.text, sound),
            self.reader.layers,
        )


def chains_in(evidence: Evidence) -> Iterator[str]:
    """The chains whose heads the evidence names."""
    kind, value = evidence
    proofs = [] if kind == "seal" else value["proofs"] if kind == "bundle" else [value]
    for proof in proofs:
        cross = proof["merkle_proof"]["cross_tenant_proof"]
        if cross is not None:
            yield cross["leaf"]["chain_id"]


def has_name(request: Request) -> bool:
    return isinstance(request.value.get("interaction_id"), str)


def check_together(sound: list[tuple[Evidence, str]]) -> list[Check]:
    together = Together()
    for evidence, file in sound:
        together.add(evidence, file)
    return together.verify() if together.is_comparable() else []
