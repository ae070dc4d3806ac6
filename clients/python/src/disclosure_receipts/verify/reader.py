"""The reader's inputs besides the evidence."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .chain_history import TenantHistory
from .hashes import digest, hash_json
from .json_input import JsonObject
from .log_policy import Policy
from .public_log import Walk
from .timestamps.authorities import Authorities


class Reader(NamedTuple):
    """authorities: whose timestamps are trusted. requests: by their digest, those that the receipt may be of.
    published: by index, the published seals that were looked up, None where nothing is published; a number at which a
    list has ended is left out. copies: by index, the seals that a bundle encloses; None outside of bundles. now:
    milliseconds since 1970, or None to judge tokens as of their own time. history: of the tenant. walk: over the public
    log. policy: for the log's signatures. layers: wording policy layers by digest.
    """

    authorities: Authorities = Authorities()
    requests: Mapping[str, Any] = {}
    published: Mapping[int, JsonObject | None] = {}
    copies: Mapping[int, JsonObject] | None = None
    now: int | None = None
    history: TenantHistory | None = None
    walk: Walk | None = None
    policy: Policy | None = None
    layers: Mapping[str, JsonObject] = {}


def by_digest(values: Iterable[Any]) -> dict[str, Any]:
    return {digest(hash_json(value)): value for value in values}
