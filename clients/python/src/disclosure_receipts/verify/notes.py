"""Signed notes and the keys of those that sign them: C2SP signed-note."""

import hashlib
import re
from typing import NamedTuple

from .base64_text import decode_base64
from .checks import present, require
from .ed25519 import ED_KEY_BYTES, is_ed25519, is_small_order
from .json_input import utf16_length

LOG_KEY, WITNESS_KEY = 1, 4
MAX_NOTE_LENGTH, MAX_NOTE_LINES = 1_000_000, 64
# Times are those that a date of ECMAScript can have.
MAX_SECONDS = 8_640_000_000_000
# ECMAScript's white space, which is not quite Python's.
NO_WHITE_SPACE = "[^\\s\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u00a0\ufeff+]+"
SIGNATURE_LINE = re.compile(f"\u2014 ({NO_WHITE_SPACE}) ([A-Za-z0-9+/]+={{0,2}})", re.ASCII)
KEY_NAME = re.compile(NO_WHITE_SPACE.replace("+]", "+\x00-\x1f\x7f-\x9f]"), re.ASCII)


class NoteKey(NamedTuple):
    name: str
    id: bytes
    type: int
    public_key: bytes


# The name, the key's id and the signature.
SignatureLine = tuple[str, bytes, bytes]


def read_note(note: str) -> tuple[str, list[SignatureLine]]:
    """Splits a note into its text and its signature lines, as (name, id, signature)."""
    require(utf16_length(note) <= MAX_NOTE_LENGTH, "the note is too long")
    require(not re.search("[\x00-\x09\x0b-\x1f]", note), "the note holds a control character")
    text, separator, rest = note.rpartition("\n\n")
    require(separator and note.endswith("\n"), "the note has no signature lines")
    lines = rest[:-1].split("\n")
    require(len(lines) <= MAX_NOTE_LINES, "the note has too many signatures")
    return text + "\n", [read_signature_line(line) for line in lines]


def read_signature_line(line: str) -> SignatureLine:
    found = present(SIGNATURE_LINE.fullmatch(line), "a line of the note is no signature")
    data = decode_base64(found[2])
    require(len(data) > 4, "a signature line holds no signature")
    return found[1], data[:4], data[4:]


def times_of(text: str, lines: list[SignatureLine], key: NoteKey) -> list[int]:
    """The time of each signature by this key, in milliseconds since 1970; 0 for one that has none, a log's. Every one
    must hold.
    """
    own = [signature for name, id, signature in lines if (name, id) == (key.name, key.id)]
    if key.type not in (LOG_KEY, WITNESS_KEY):
        return []
    for signature in own:
        require(is_note_signature(text, signature, key), f"the signature by {key.name} does not hold")
    return [0 if key.type == LOG_KEY else int.from_bytes(signature[:8], "big") * 1000 for signature in own]


def is_note_signature(text: str, signature: bytes, key: NoteKey) -> bool:
    if key.type == LOG_KEY:
        return is_ed25519(key.public_key, text.encode(), signature)
    seconds = int.from_bytes(signature[:8], "big")
    message = f"cosignature/v1\ntime {seconds}\n{text}"
    return seconds <= MAX_SECONDS and is_ed25519(key.public_key, message.encode(), signature[8:])


def read_note_key(text: str) -> NoteKey:
    """Reads a vkey; the base64 may hold a plus, too."""
    name, id, material = (*text.split("+", 2), "", "")[:3]
    data = decode_base64(material)
    expected = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex()
    require(KEY_NAME.fullmatch(name) and len(data) > 1 and id == expected, "this is no key of a log or a witness")
    is_short = data[0] in (LOG_KEY, WITNESS_KEY) and len(data) != 1 + ED_KEY_BYTES
    require(not is_short, "an Ed25519 key has 32 bytes")
    is_anybodys = data[0] in (LOG_KEY, WITNESS_KEY) and is_small_order(data[1:])
    require(not is_anybodys, "an Ed25519 key of small order is no key: anybody can sign with it")
    return NoteKey(name, bytes.fromhex(id), data[0], data[1:])
