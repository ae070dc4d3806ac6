"""A disclosure to be attested: checked before it is sent or queued."""

import re
from collections.abc import Mapping
from typing import Any

from .errors import ClientError
from .verify.json_input import JsonObject
from .verify.shapes import Shape, is_digest, is_modality, is_stated_time, literal, matching

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
# Each field has a shape, and a rule in words that hold none of its value.
FIELDS: Mapping[str, tuple[Shape, str]] = {
    "interaction_id": (matching(r"[A-Za-z0-9._:@+=/;-]{1,128}"), "must be 1 to 128 of A-Z a-z 0-9 . _ : @ + = - / ;"),
    "modality": (is_modality, "must be voice, chat or walkthrough"),
    "article_50_clause": (
        literal("1"),
        'must be "1": only Art. 50(1) is attested; marking of synthetic output is not covered',
    ),
    "disclosure_method": (matching(r"[a-z0-9_]{1,64}"), "must be 1 to 64 of a-z 0-9 _"),
    "agent_identity": (matching(r"[A-Za-z0-9._:@+=/-]{1,128}"), "must be 1 to 128 of A-Z a-z 0-9 . _ : @ + = - /"),
    "jurisdiction": (matching(r"[A-Z]{2}"), "must be two upper-case letters"),
    "subject_hash": (is_digest, "must be sha256: and 64 lower-case hex digits"),
    "disclosed_at": (is_stated_time, "must be YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss.sssZ"),
}
OPTIONAL = ("disclosed_at",)


def read_request(request: Any) -> JsonObject:
    """Raises `invalid_request`: what the service would refuse is not sent. It names the field, not its value."""
    reason = fault_of(request)
    if reason is not None:
        raise ClientError("invalid_request", reason)
    return dict(request)


def fault_of(request: Any) -> str | None:
    """Says what is wrong with a request; None where nothing is."""
    if not isinstance(request, Mapping):
        return "the request: must be an object"
    for name, (shape, reason) in FIELDS.items():
        if name not in request and name not in OPTIONAL:
            return f"{name}: is missing"
        if name in request and not shape(request[name]):
            return f"{name}: {reason}"
    if any(name not in FIELDS for name in request):
        return f"the request: must have no other fields than {', '.join(FIELDS)}"
    return None


def read_idempotency_key(key: Any) -> str:
    """Raises `invalid_request`."""
    if isinstance(key, str) and IDEMPOTENCY_KEY.fullmatch(key):
        return key
    raise ClientError("invalid_request", "idempotency_key: must be 1 to 255 visible ASCII characters")
