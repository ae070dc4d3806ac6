"""Joins a conversation from its pages, each of which was verified before."""

from collections.abc import Sequence

from .verified import refuse, require_valid
from .verify.canonical_json import canonicalize
from .verify.checks import run
from .verify.json_input import JsonObject
from .verify.limits import MAX_BUNDLED_LAYERS
from .verify.links import check_chain_links, check_turn_links
from .verify.reader import by_digest


def require_follows(previous: JsonObject | None, page: JsonObject, turn: int) -> None:
    """Raises `receipt_invalid` unless `page` begins with `turn`, where the one before it ended, and leads on."""
    receipts, next_turn = page["receipts"], page["next_turn"]
    # Where the caller asked for turns behind the last one there are none. That a page leads to none can't be.
    if not receipts and next_turn is None and previous is None:
        return
    first, last = (receipts[0]["turn"], receipts[-1]["turn"]) if receipts else (None, None)
    if first != turn:
        refuse("begins with another turn", page, {"expected": turn, "actual": first})
    # A page that leads back to an earlier turn would never end.
    if next_turn is not None and next_turn - 1 != last:
        refuse("leads on to another turn than its next", page, {"last": last, "next_turn": next_turn})
    if previous is not None:
        pair = [previous["receipts"][-1], receipts[0]]
        chain_links = run("chain_links", lambda: check_chain_links(pair))
        require_valid(page, [chain_links, run("turn_links", lambda: check_turn_links(pair))])


def join_pages(pages: Sequence[JsonObject]) -> JsonObject:
    """At least one page. The service authenticates pages, so the whole has no code of its own; its receipts have.

    Raises `receipt_invalid` where two of them have different seals under one index.
    """
    later = join_later_timestamps(pages)
    # Each page begins with the path from the head before it.
    consistency = [path for page in pages for path in page.get("chain_consistency", ())]
    layers, erasures = join_layers(pages), join_erasures(pages)
    joined: JsonObject = {"interaction_id": pages[0]["interaction_id"]}
    for name in ("receipts", "requests", "proofs"):
        joined[name] = [member for page in pages for member in page[name]]
    joined["seals"] = join_seals(pages)
    if later:
        joined["later_timestamps"] = later
    if consistency:
        joined["chain_consistency"] = consistency
    if layers:
        joined["policy_layers"] = layers
    if any(erasures):
        joined["erasures"] = erasures
    return {**joined, "next_turn": None}


def join_layers(pages: Sequence[JsonObject]) -> list[JsonObject]:
    """Each once. A bundle with more than it may have could not be read: readers fetch the others by their digests."""
    layers = [layer for page in pages for layer in page.get("policy_layers", ())]
    return list(by_digest(layers).values())[:MAX_BUNDLED_LAYERS]


def join_erasures(pages: Sequence[JsonObject]) -> list[JsonObject | None]:
    """A page on which nothing was erased has no list, so each of its turns gets None."""
    return [one for page in pages for one in page.get("erasures", [None] * len(page["receipts"]))]


def join_seals(pages: Sequence[JsonObject]) -> list[JsonObject]:
    """Pages that lead to one seal have it each: it is taken once."""
    by_index: dict[int, JsonObject] = {}
    for page in pages:
        for seal in page["seals"]:
            known = by_index.setdefault(seal["index"], seal)
            if canonicalize(known) != canonicalize(seal):
                refuse(f"has another seal {seal['index']} than the page before", page, {"known": known, "seal": seal})
    return [by_index[index] for index in sorted(by_index)]


def join_later_timestamps(pages: Sequence[JsonObject]) -> list[JsonObject]:
    """A token may come between two calls, so the last page that has a seal knows most of its tokens."""
    by_index: dict[int, list[JsonObject]] = {}
    for page in pages:
        entries = page.get("later_timestamps", ())
        for seal in page["seals"]:
            by_index[seal["index"]] = [entry for entry in entries if entry["seal_index"] == seal["index"]]
    return [entry for index in sorted(by_index) for entry in by_index[index]]
