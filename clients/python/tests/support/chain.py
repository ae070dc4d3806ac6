"""A service of one chain in memory whose answers hold. Tests disturb its calls, or copy it to fork its chain."""

import copy
from typing import Any, NamedTuple
from uuid import UUID

from disclosure_receipts.verify.formats import NO_PREVIOUS_HASH
from disclosure_receipts.verify.hashes import digest, hash_json, hash_node, hash_receipt, sha256

CHAIN_ID = "0123456789abcdef0123456789abcdef"
ERASED = "erased:k3v7q2m5xw6r4t7hcd2nf5jsya"
AUTHENTICATION = {"auth_mechanism": "hmac-sha256", "key_id": "test", "signature": "A" * 43 + "="}
PENDING_TIMESTAMP = {"status": "pending", "timestamp_token": None, "tsa_url": None, "covers": "merkle_root"}


class Recorded(NamedTuple):
    core: dict[str, Any]
    leaf: bytes
    request: dict[str, Any]
    key: str


class FakeChain:
    def __init__(self, recorded: list[Recorded] | None = None) -> None:
        self.recorded = list(recorded or [])
        # It says this of the next receipts in place of the truth, hashed as it should be.
        self.lie: dict[str, Any] = {}
        # How many turns a page of a conversation has at most.
        self.page_turns = 500

    def fork(self, size: int) -> "FakeChain":
        """The same chain up to a size; what is attested there later is another history."""
        return FakeChain(self.recorded[:size])

    def keys_of(self, interaction_id: str) -> list[str]:
        return [one.key for one in self.recorded if one.request["interaction_id"] == interaction_id]

    def erase(self, interaction_id: str) -> str:
        """The conversation goes on under another id alone, without its requests, and its own may begin anew."""
        for place, one in enumerate(self.recorded):
            if one.request["interaction_id"] == interaction_id:
                self.recorded[place] = one._replace(request={**one.request, "interaction_id": ERASED})
        return ERASED

    def attest(self, request: dict[str, Any], key: str) -> dict[str, Any]:
        for place, earlier in enumerate(self.recorded):
            if earlier.key == key:
                return self.answer(place)
        core = self._plan(request)
        self.recorded.append(Recorded(core, hash_receipt(core), request, key))
        return self.answer(len(self.recorded) - 1)

    def answer(self, sequence: int, size: int | None = None) -> dict[str, Any]:
        """The receipt at a place, proved in the tree of a size."""
        size = size or sequence + 1
        own, leaves = self.recorded[sequence], [one.leaf for one in self.recorded[:size]]
        root = node(root_of(leaves))
        proof = {
            "leaf_hash": node(own.leaf),
            "leaf_index": sequence,
            "tree_size": size,
            "path": [node(one) for one in path_of(leaves, sequence)],
            "root": root,
        }
        return {
            "event_id": own.core["event_id"],
            "receipts": [{**copy.deepcopy(own.core), **AUTHENTICATION}],
            "evidence_chain": {"chain_id": CHAIN_ID, "head_hash": digest(leaves[-1]), "sequence": size - 1},
            "merkle_proof": {
                "status": "pending",
                "merkle_root": root,
                "event_inclusion_proof": proof,
                "cross_tenant_proof": None,
            },
            "tsa_timestamp": PENDING_TIMESTAMP,
            **AUTHENTICATION,
        }

    def bundle(self, interaction_id: str, from_turn: int = 1) -> dict[str, Any]:
        """A page of a conversation, each receipt in the tree right after it."""
        every = [
            (place, one) for place, one in enumerate(self.recorded) if one.request["interaction_id"] == interaction_id
        ]
        end = from_turn - 1 + self.page_turns
        turns = every[from_turn - 1 : end]
        answers = [self.answer(place) for place, _ in turns]
        names = ("event_id", "evidence_chain", "merkle_proof")
        return {
            "interaction_id": interaction_id,
            "receipts": [answer["receipts"][0] for answer in answers],
            "requests": [None if interaction_id == ERASED else one.request for _, one in turns],
            "proofs": [{name: answer[name] for name in names} for answer in answers],
            "seals": [],
            "next_turn": end + 1 if end < len(every) else None,
            **AUTHENTICATION,
        }

    def _plan(self, request: dict[str, Any]) -> dict[str, Any]:
        sequence = len(self.recorded)
        turns = [one for one in self.recorded if one.request["interaction_id"] == request["interaction_id"]]
        policy: dict[str, Any] = {
            "jurisdiction": "DE",
            "version": "2026-11-21.1",
            "digest": NO_PREVIOUS_HASH,
            "wording_id": None,
            "findings": [],
        }
        outcome = {"event_id": event_id_of(sequence), "turn": len(turns) + 1, "verdict": "ALLOW", "policy": policy}
        names = ("interaction_id", "agent_identity")
        return {
            **outcome,
            "chain_id": CHAIN_ID,
            "sequence": sequence,
            "input_hash": digest(hash_json(request)),
            "output_hash": digest(hash_json(outcome)),
            "previous_hash": digest(self.recorded[-1].leaf) if self.recorded else NO_PREVIOUS_HASH,
            "previous_turn_hash": digest(turns[-1].leaf) if turns else None,
            "issued_at": "2026-11-21T12:00:00.000Z",
            "recorded_after": None,
            "disclosure": {name: value for name, value in request.items() if name not in names},
            "receipt_format_version": "1.0",
            "verifiability": "verifiable",
            **self.lie,
        }


def event_id_of(sequence: int) -> str:
    """docs/receipt-format.md, for the first shard."""
    bits = int.from_bytes(sha256(f"disclosure-receipt/1/event\n{CHAIN_ID}\n{sequence}".encode())[:8], "big") >> 2
    first, middle, last = bits >> 14, bits >> 2 & 0xFFF, bits & 0b11
    return str(UUID(int=first << 80 | 8 << 76 | middle << 64 | 0b10 << 62 | last << 60 | sequence))


def sequence_of(event_id: str) -> int:
    return UUID(event_id).int & 0xFFFFFFFFFFFF


def split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    middle = split(len(leaves))
    return hash_node(root_of(leaves[:middle]), root_of(leaves[middle:]))


def path_of(leaves: list[bytes], index: int) -> list[bytes]:
    if len(leaves) == 1:
        return []
    middle = split(len(leaves))
    if index < middle:
        return [*path_of(leaves[:middle], index), root_of(leaves[middle:])]
    return [*path_of(leaves[middle:], index - middle), root_of(leaves[:middle])]


def node(hashed: bytes) -> str:
    return "0x" + hashed.hex()
