"""The proof that a log signed two histories: docs/transparency-log.md, "What a checkpoint proves"."""

from typing import NamedTuple

from ..checkpoints import open_checkpoint
from ..checks import UNFORESEEN, Refuted, Unmade, Unreadable, present, require
from ..formats import is_log_checkpoint
from ..hashes import node_bytes
from ..json_input import JsonObject
from ..kinds import FORK_FORMAT
from ..log_policy import Policy
from ..merkle import check_consistency
from ..shapes import having, is_node, is_path, list_of, literal, optional, readable

is_fork_proof = having(
    format=literal(FORK_FORMAT),
    checkpoints=lambda value: list_of(is_log_checkpoint)(value) and len(value) == 2,
    prefix_root=optional(is_node),
    consistency_path=is_path,
)


class Fork(NamedTuple):
    value: JsonObject


class ConfirmedFork(NamedTuple):
    """trees: the sizes and the roots that the log signed, as 0x and hex."""

    origin: str
    trees: list[tuple[int, str]]


def read_fork(value: JsonObject) -> Fork:
    return Fork(readable(is_fork_proof, value, "proof of a fork"))


def confirm_fork(fork: Fork, policy: Policy | None) -> ConfirmedFork:
    """Raises Unreadable for what proves nothing under this policy."""
    if policy is None:
        raise Unreadable("this is the proof that a log signed two histories: it is confirmed under the log's key")
    try:
        return check_fork(fork.value, policy)
    except (Refuted, Unmade, *UNFORESEEN) as error:
        raise Unreadable(f"this proves no fork: {error}") from error


def check_fork(fork: JsonObject, policy: Policy) -> ConfirmedFork:
    smaller, larger = [open_checkpoint(note, policy) for note in fork["checkpoints"]]
    require(smaller.origin == larger.origin, "the two checkpoints are of two logs")
    same_size = "0x" + larger.root.hex() if smaller.size == larger.size else None
    prefix = present(fork["prefix_root"] or same_size, "the root of the larger tree's beginning is missing")
    roots = ["0x" + tree.root.hex() for tree in (smaller, larger)]
    check_consistency(smaller.size, larger.size, fork["consistency_path"], prefix, roots[1])
    require(node_bytes(prefix) != smaller.root, "the larger tree extends the smaller one")
    return ConfirmedFork(smaller.origin, [(smaller.size, roots[0]), (larger.size, roots[1])])
