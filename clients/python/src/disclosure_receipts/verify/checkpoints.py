"""Signed checkpoints of the log: docs/transparency-log.md."""

import re

from typing import NamedTuple

from .base64_text import decode_base64
from .checks import Unmade, require
from .limits import MAX_INTEGER
from .log_policy import Policy, common_witnesses, is_quorum
from .notes import read_note, times_of


class Checkpoint(NamedTuple):
    """What a log signed. cosigned: the witnesses that did, by their names in the policy."""

    origin: str
    size: int
    root: bytes
    cosigned: set[str]


# Honest clocks may be so far apart.
MAX_AHEAD_MS = 5 * 60 * 1000


def check_checkpoint(note: str, size: int, root: bytes, policy: Policy, now: int | None) -> str:
    """The log of the reader's policy signed this root with this size, and the quorum of its witnesses cosigned that.
    now: milliseconds since 1970; a cosignature of a time ahead of it does not count. None: all count.
    """
    latest = None if now is None else now + MAX_AHEAD_MS
    origin, signed_size, signed_root, cosigned = open_checkpoint(note, policy, latest)
    require(signed_size == size, f"the checkpoint is of a tree of size {signed_size}, and not {size}")
    require(signed_root == root, f"the log signed another root for size {size}")
    if not is_quorum(policy, cosigned):
        raise Unmade("no_quorum", f"{origin} signed this root, but too few witnesses of the policy cosigned it")
    signed = f"{origin} signed this root with its size of {size}; cosigned by {', '.join(sorted(cosigned)) or 'nobody'}"
    return f"{signed}; {rests_on(policy)}"


def rests_on(policy: Policy) -> str:
    """What a quorum is worth: with too small a one, two logs that contradict each other may both have it."""
    lying = common_witnesses(policy)
    if lying == 0:
        return "this quorum does not exclude a second log"
    return f"for a second log with this quorum, {lying} of the witnesses or more must lie"


def open_checkpoint(note: str, policy: Policy, latest: int | None = None) -> Checkpoint:
    """Reads a checkpoint that a log of the policy signed under its name. Every signature by a known key must hold.
    latest: the time, in milliseconds, after which a cosignature does not count.
    """
    text, lines = read_note(note)
    origin, size, root = read_checkpoint(text)
    if all(key.name != origin for key in policy.logs):
        raise Unmade("other_log", f"it is a checkpoint of {origin}, which the policy does not name")
    signed = [key.name for key in policy.logs if times_of(text, lines, key)]
    require(origin in signed, "no log of the policy signed the checkpoint")
    cosigned = {
        name
        for name, key in policy.witnesses.items()
        if any(latest is None or time <= latest for time in times_of(text, lines, key))
    }
    return Checkpoint(origin, size, root, cosigned)


def read_checkpoint(text: str) -> tuple[str, int, bytes]:
    lines = text[:-1].split("\n")
    require(len(lines) >= 3 and "" not in lines, "the checkpoint does not name an origin, a size and a root")
    require(re.fullmatch("0|[1-9][0-9]*", lines[1]) and len(lines[1]) <= 16, "the checkpoint's size is no number")
    root = decode_base64(lines[2])
    require(int(lines[1]) <= MAX_INTEGER and len(root) == 32, "the checkpoint has no size or no root")
    return lines[0], int(lines[1]), root
