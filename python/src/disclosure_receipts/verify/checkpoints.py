"""Signed checkpoints of the log: docs/transparency-log.md."""

import re

from .base64_text import decode_base64
from .checks import StrayLog, Unmade, require
from .limits import MAX_INTEGER
from .log_policy import Policy, is_quorum
from .notes import count_signatures, read_note


def check_checkpoint(note: str, size: int, root: bytes, policy: Policy) -> str:
    """The log of the reader's policy signed this root with this size, and the quorum of its witnesses cosigned that."""
    text, lines = read_note(note)
    origin, signed_size, signed_root = read_checkpoint(text)
    if all(key.name != origin for key in policy.logs):
        raise StrayLog(f"it is a checkpoint of {origin}, which the policy does not name")
    signed = [key.name for key in policy.logs if count_signatures(text, lines, key)]
    require(origin in signed, "no log of the policy signed the checkpoint")
    cosigned = {name for name, key in policy.witnesses.items() if count_signatures(text, lines, key)}
    require(signed_size == size, f"the checkpoint is of a tree of size {signed_size}, and not {size}")
    require(signed_root == root, f"the log signed another root for size {size}")
    if not is_quorum(policy, cosigned):
        raise Unmade(f"{origin} signed this root, but too few witnesses of the policy cosigned it")
    return f"{origin} signed this root with its size of {size}; cosigned by {', '.join(sorted(cosigned)) or 'nobody'}"


def read_checkpoint(text: str) -> tuple[str, int, bytes]:
    lines = text[:-1].split("\n")
    require(len(lines) >= 3 and "" not in lines, "the checkpoint does not name an origin, a size and a root")
    require(re.fullmatch("0|[1-9][0-9]*", lines[1]) and len(lines[1]) <= 16, "the checkpoint's size is no number")
    root = decode_base64(lines[2])
    require(int(lines[1]) <= MAX_INTEGER and len(root) == 32, "the checkpoint has no size or no root")
    return lines[0], int(lines[1]), root
