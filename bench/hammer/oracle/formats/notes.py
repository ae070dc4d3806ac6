"""Signed checkpoints: docs/receipt-format.md ("Signed checkpoints"), C2SP signed-note and tlog-cosignature."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from .ed25519 import holds_signature
from .json_text import Unreadable
from .shapes import from_base64

LOG_KEY_TYPE, WITNESS_KEY_TYPE = 1, 4
# A cosignature begins with its time, a big-endian uint64 in seconds.
_TIME_BYTES = 8
_LINE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)\\Z")
_SIZE = re.compile(r"(?:0|[1-9]\d{0,15})\Z")


@dataclass(frozen=True)
class NoteKey:
    """The key of a log or of a witness, as a vkey names it."""

    name: str
    key_id: bytes
    public_key: bytes


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that was read; its signatures are not verified yet."""

    origin: str
    size: int
    root: bytes
    text: bytes
    lines: tuple[tuple[str, bytes, bytes], ...]


def parse_vkey(vkey: str, key_type: int = LOG_KEY_TYPE) -> NoteKey:
    """A vkey of this type whose id is that of its name and key. Throws Unreadable."""
    parts = vkey.split("+", 2)
    if len(parts) != 3:
        raise Unreadable("the key is no vkey")
    name, stated, encoded = parts
    key = from_base64(encoded, "the key")
    key_id = sha256(f"{name}\n".encode() + key).digest()[:4]
    if len(key) != 33 or key[0] != key_type or key_id.hex() != stated:
        raise Unreadable(f"the key is no vkey of type {key_type}")
    return NoteKey(name, key_id, key[1:])


def parse_checkpoint(note: bytes) -> Checkpoint:
    """A checkpoint with its signature lines. Throws Unreadable."""
    try:
        whole = note.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("the checkpoint is not in UTF-8") from error
    head, separator, signatures = whole.rpartition("\n\n")
    if separator == "" or not signatures.endswith("\n"):
        raise Unreadable("the checkpoint is no signed note")
    text_lines = head.split("\n")
    if len(text_lines) < 3 or "" in text_lines or _SIZE.match(text_lines[1]) is None:
        raise Unreadable("the text of the checkpoint names no tree")
    root = from_base64(text_lines[2], "the checkpoint's root")
    if len(root) != 32:
        raise Unreadable("the checkpoint's root has not 32 bytes")
    lines = tuple(_signature_line(line) for line in signatures[:-1].split("\n"))
    return Checkpoint(text_lines[0], int(text_lines[1]), root, (head + "\n").encode(), lines)


def _signature_line(line: str) -> tuple[str, bytes, bytes]:
    match = _LINE.match(line)
    if match is None:
        raise Unreadable("a signature line of the checkpoint is none")
    signed = from_base64(match[2], "a signature")
    return match[1], signed[:4], signed[4:]


def is_signed_by(checkpoint: Checkpoint, key: NoteKey) -> bool:
    """True if the log's key has a line, and every line of the key holds."""
    own = signatures_of(checkpoint, key)
    return bool(own) and all(holds_signature(key.public_key, checkpoint.text, signature) for signature in own)


def signatures_of(checkpoint: Checkpoint, key: NoteKey) -> list[bytes]:
    """The bytes that the lines of a key hold behind its id."""
    return [signature for name, key_id, signature in checkpoint.lines if (name, key_id) == (key.name, key.key_id)]


def holds_cosignature(checkpoint: Checkpoint, key: NoteKey, cosignature: bytes) -> bool:
    """True if a witness has signed this text at the time that its line states."""
    time, signature = cosignature[:_TIME_BYTES], cosignature[_TIME_BYTES:]
    message = f"cosignature/v1\ntime {int.from_bytes(time, 'big')}\n".encode() + checkpoint.text
    return holds_signature(key.public_key, message, signature)
