"""A disclosure to be attested: checked before it is sent or queued."""

import re
from collections.abc import Mapping
from typing import Any

from .errors import ClientError
from .verify.fields import REQUEST
from .verify.json_input import JsonObject

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)


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
    for name, field in REQUEST.items():
        if name not in request and not field.is_optional:
            return f"{name}: is missing"
        if name in request and not field.shape(request[name]):
            return f"{name}: {field.rule}"
    if any(name not in REQUEST for name in request):
        return f"the request: must have no other fields than {', '.join(REQUEST)}"
    return None


def read_idempotency_key(key: Any) -> str:
    """Raises `invalid_request`."""
    if isinstance(key, str) and IDEMPOTENCY_KEY.fullmatch(key):
        return key
    raise ClientError("invalid_request", "idempotency_key: must be 1 to 255 visible ASCII characters")
