"""Base64 in its one form."""

import base64

from .checks import require


def decode_base64(text: str) -> bytes:
    data = base64.b64decode(text)
    require(base64.b64encode(data).decode() == text, "the base64 has stray bits")
    return data
