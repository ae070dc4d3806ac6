"""The times that the tokens of a root prove, renewals included."""

from collections.abc import Callable
from typing import NamedTuple

from ..checks import Refuted, Unjudged, Unmade, present, require
from ..hashes import node_bytes, timestamps_of
from ..instants import milliseconds, show_time
from ..json_input import JsonObject
from ..limits import CLOCK_TOLERANCE_MS
from ..merkle import check_consistency
from ..reader import Reader


class Proven(NamedTuple):
    """The time that a token proves, how far it may be off, and when the first certificate of its path runs out."""

    gen_time: int
    accuracy: float
    valid_until: int


# Gives what later tokens prove of a root.
Renew = Callable[[], list[Proven]]


def token_of(timestamp: JsonObject) -> str | None:
    """Returns the token in base64; None while pending."""
    text: str | None = timestamp["timestamp_token"]
    require((timestamp["status"] == "included") == (text is not None), "the status and the token contradict each other")
    return text


def prove_times(timestamp: JsonObject, root: str, stated: str | None, reader: Reader) -> list[Proven]:
    """Returns the one time that a token proves in a list, which is empty while pending.

    Raises Refuted; and Unjudged where nothing about the token is shown to be false.
    """
    token = token_of(timestamp)
    if token is None:
        return []
    judged = present(reader.authorities.judge(token), "no certificate of a timestamp authority was given")
    require(judged.imprint == node_bytes(root), "the token covers another root")
    is_older = stated is not None and judged.gen_time < milliseconds(stated) - CLOCK_TOLERANCE_MS
    require(not is_older, "the token is older than what it covers")
    is_future = reader.now is not None and judged.gen_time > reader.now + CLOCK_TOLERANCE_MS
    require(not is_future, "the token is of a time still to come")
    if isinstance(judged.trust, Unjudged):
        raise judged.trust.with_traceback(None)
    return [Proven(judged.gen_time, judged.accuracy, judged.trust.valid_until)]


def check_timestamp(
    timestamp: JsonObject, root: str, stated: str | None, reader: Reader, renew: Renew = lambda: []
) -> str:
    """`renew` gives what later tokens prove of this root. It is called where the token alone proves no valid time."""
    token = token_of(timestamp)
    if not reader.authorities.certificates:
        if token is None:
            raise Unmade("pending", "there is no token yet")
        reader.authorities.judge(token)
        raise Unmade("no_anchor", "no certificate of a timestamp authority was given")
    times, unjudged = attempt(lambda: prove_times(timestamp, root, stated, reader))
    if not any(is_valid(time, reader.now) for time in times):
        later, other = attempt(renew)
        times, unjudged = [*times, *later], unjudged or other
    valid = [time for time in times if is_valid(time, reader.now)]
    if not valid and unjudged is not None:
        raise unjudged
    if not times:
        raise Unmade("pending", "there is no token yet")
    if not valid:
        raise Unmade("expired", "the authority's certificate ran out, and no newer token was given that renews it")
    return f"the root existed at {show_time(min(valid).gen_time)}"


def attempt(prove: Renew) -> tuple[list[Proven], Unjudged | None]:
    """Returns the times that are proved; and an Unjudged, if that is why there are none."""
    try:
        return prove(), None
    except Unjudged as reason:
        return [], reason


def is_valid(proven: Proven, now: int | None) -> bool:
    """Tells whether the certificates behind a time are still valid."""
    return now is None or now <= proven.valid_until


def renewed_times(renewal: JsonObject, root: str, size: int, reader: Reader) -> list[Proven]:
    """Returns the times that the tokens of a later seal prove of this root, which theirs covers."""
    seal = renewal["seal"]
    for step in [*renewal.get("between", ()), {**seal, "consistency_path": renewal["consistency_path"]}]:
        check_consistency(size, step["tree_size"], step["consistency_path"], root, step["merkle_root"])
        root, size = step["merkle_root"], step["tree_size"]
    return times_of_seal(seal, reader)


def times_of_seal(seal: JsonObject, reader: Reader) -> list[Proven]:
    """Returns the times that the tokens of a seal prove. One that holds is enough."""
    times: list[Proven] = []
    reasons: list[Refuted | Unjudged] = []
    for timestamp in timestamps_of(seal):
        try:
            times += prove_times(timestamp, seal["merkle_root"], seal["sealed_at"], reader)
        except (Refuted, Unjudged) as reason:
            reasons.append(reason)
    if reasons and not times:
        # A wrong token is worse than one that can't be judged.
        raise min(reasons, key=lambda reason: isinstance(reason, Unjudged))
    return times
