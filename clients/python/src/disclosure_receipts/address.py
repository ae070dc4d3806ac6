"""The service's address and the key to it, as the caller gives them."""

import re
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from .options import invalid_option

API_KEY = re.compile(r"[\x21-\x7e]{1,1024}", re.ASCII)
VISIBLE = re.compile(r"[\x21-\x7e]+", re.ASCII)


class Address(NamedTuple):
    """path: what comes before /v1, without a slash at its end."""

    is_tls: bool
    host: str
    port: int | None
    path: str


def read_base_url(text: Any) -> Address:
    """It may have a path, of a stage or a proxy. It must not have a password, for addresses end up in errors."""
    try:
        url = urlsplit(text) if isinstance(text, str) and VISIBLE.fullmatch(text) else SplitResult("", "", "", "", "")
        host, port = url.hostname, url.port
        # A name that no resolver can be asked for, such as one with an empty part, fails here and not in each call.
        (host or "").encode("idna")
    except ValueError:
        url, host, port = SplitResult("", "", "", "", ""), None, None
    if url.scheme not in ("http", "https") or not host or "@" in url.netloc or "?" in text or "#" in text:
        raise invalid_option("base_url", "must be the address of a service, such as https://…")
    path = url.path.rstrip("/")
    # Every path begins with it, so the service would be asked for /v1/v1/… and know no such path.
    if path.endswith("/v1"):
        raise invalid_option("base_url", "leave out the /v1 at its end")
    return Address(url.scheme == "https", host, port, path)


def read_api_key(key: Any) -> str:
    """Never says what the key is."""
    if isinstance(key, str) and API_KEY.fullmatch(key):
        return key
    raise invalid_option("api_key", "must be one word of visible ASCII characters, with no line break at its end")
