"""The seal that a receipt names, which bounds its time from below."""

from typing import Any

from .checks import Unmade, require
from .formats import is_receipt
from .hashes import hash_seal
from .instants import milliseconds, show_time
from .json_input import JsonObject
from .reader import Reader
from .timestamps.times import times_of_seal

MAX_ISSUED_BEFORE_MS = 60 * 1000


def check_recorded_after(evidence: JsonObject, receipt: Any, reader: Reader) -> str:
    """The seal that a receipt names bounds its time from below: a token can't be known before it was made."""
    require(is_receipt(receipt), "the receipt is not as the format says")
    named, cross = receipt["recorded_after"], evidence["merkle_proof"]["cross_tenant_proof"]
    if named is None:
        return "it names no seal, so that nothing bounds its time from below"
    index = named["seal_index"]
    require(cross is None or index < cross["seal_index"], f"seal {index} is not before the one that covers the receipt")
    carried = evidence.get("recorded_after_seal") if reader.copies is None else reader.copies.get(index)
    require(index not in reader.published or reader.published[index] is not None, f"no root {index} is published")
    given = [seal for seal in (carried, reader.published.get(index)) if seal is not None]
    for seal in given:
        is_it = seal["index"] == index and hash_seal(seal) == named["seal_hash"]
        require(is_it, f"the receipt names another seal {index} than this one")
        require(seal["tsa_timestamp"]["status"] == "included", f"seal {index} has no token of its own")
    if not given:
        raise Unmade("not_given", f"seal {index} was not given")
    if not reader.authorities.certificates:
        raise Unmade("no_anchor", "no certificate of a timestamp authority was given")
    # Expiry since is no fault here: the receipt's own timestamp shows that this token is older than that one.
    times = times_of_seal(given[0], reader._replace(now=None))
    bound = max(time.gen_time - time.accuracy for time in times)
    is_late = bound - milliseconds(receipt["issued_at"]) > MAX_ISSUED_BEFORE_MS
    require(not is_late, f"it says that it was issued before the token of seal {index}")
    return f"recorded after the token of seal {index}, of {show_time(bound)}"
