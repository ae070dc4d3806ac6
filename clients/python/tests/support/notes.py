"""Signed notes, and the keys that sign them: RFC 8032 section 5.1.6, and the checkpoints of docs/receipt-format.md."""

import base64
import hashlib

from disclosure_receipts.verify.ed25519 import ED_BASE, ED_L, ed_encode, ed_multiply
from disclosure_receipts.verify.notes import LOG_KEY, WITNESS_KEY


class Signer:
    def __init__(self, name: str, type: int) -> None:
        hashed = hashlib.sha512(hashlib.sha256(name.encode()).digest()).digest()
        self.name, self.type, self.prefix = name, type, hashed[32:]
        self.scalar = int.from_bytes(hashed[:32], "little") & ((1 << 254) - 8) | 1 << 254
        self.key = ed_encode(ed_multiply(self.scalar, ED_BASE))
        material = bytes([type]) + self.key
        self.id = hashlib.sha256(name.encode() + b"\n" + material).digest()[:4]
        self.vkey = f"{name}+{self.id.hex()}+{base64.b64encode(material).decode()}"

    def sign(self, message: bytes) -> bytes:
        nonce = int.from_bytes(hashlib.sha512(self.prefix + message).digest(), "little") % ED_L
        commitment = ed_encode(ed_multiply(nonce, ED_BASE))
        challenge = int.from_bytes(hashlib.sha512(commitment + self.key + message).digest(), "little")
        return commitment + ((nonce + challenge * self.scalar) % ED_L).to_bytes(32, "little")

    def line(self, text: str, seconds: int = 0) -> str:
        """The line under a note: a log's signature, or a witness's of this time."""
        signature = self.sign(text.encode())
        if self.type == WITNESS_KEY:
            message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
            signature = seconds.to_bytes(8, "big") + self.sign(message)
        return f"— {self.name} {base64.b64encode(self.id + signature).decode()}\n"


def log_signer(name: str) -> Signer:
    return Signer(name, LOG_KEY)


def witness_signer(name: str) -> Signer:
    return Signer(name, WITNESS_KEY)
