"""The digests and ids that a caller makes from texts."""

import hashlib
import re
import unicodedata

from .errors import ClientError

INTERACTION_ID = re.compile(r"[A-Za-z0-9._:@+=/;-]{1,128}", re.ASCII)


def hash_wording(text: str) -> str:
    """`sha256:` and the hex digest of the text's Unicode NFC form: the `subject_hash` of a registered text.

    Hash the registered text, never the spoken one: a gap such as {operator} stays as it is, for a person's name could
    never be erased from a receipt. Case, spaces and punctuation count. Raises `invalid_request` for a lone surrogate,
    which no text has.
    """
    return _digest_of(text, "the wording must be a well-formed string")


def interaction_id(name: str) -> str:
    """The name itself where the service takes it: 1 to 128 of `A-Z a-z 0-9 . _ : @ + = - / ;`. Any other name
    gives `sha256:` and the hex digest of its Unicode NFC form, so that one name always gives one id.

    A digest does not hide a phone number: all of them can be tried. Raises `invalid_request` for what is no text.
    """
    if isinstance(name, str) and INTERACTION_ID.fullmatch(name):
        return name
    if name == "":
        raise ClientError("invalid_request", "the name of a conversation must be a well-formed string")
    return _digest_of(name, "the name of a conversation must be a well-formed string")


def _digest_of(text: str, reason: str) -> str:
    if not isinstance(text, str):
        raise ClientError("invalid_request", reason)
    try:
        data = unicodedata.normalize("NFC", text).encode("utf-8")
    except UnicodeEncodeError:
        raise ClientError("invalid_request", reason) from None
    return "sha256:" + hashlib.sha256(data).hexdigest()
