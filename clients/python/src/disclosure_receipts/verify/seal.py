"""The checks of a seal."""

from collections.abc import Mapping
from typing import NoReturn

from .checks import Check, Unmade, present, require, run
from .formats import SEAL_MEMBERS
from .hashes import known_timestamp, timestamps_of
from .json_input import JsonObject
from .merkle import check_consistency
from .reader import Reader
from .timestamps.times import check_timestamp


def verify_seal(seal: JsonObject, reader: Reader = Reader()) -> list[Check]:
    """Makes every check of a seal but whether it is the published one."""
    root, stated = seal["merkle_root"], seal["sealed_at"]
    return [
        run("previous_seal", lambda: check_previous_seal(seal, reader.published.get(seal["index"] - 1))),
        run("consistency", lambda: check_seal_consistency(seal)),
        run("timestamp", lambda: check_timestamp(seal["tsa_timestamp"], root, stated, reader)),
        run("additional_timestamps", lambda: check_additional(seal, reader)),
    ]


def verify_seal_file(seal: JsonObject, reader: Reader = Reader()) -> list[Check]:
    """Also compares the seal with the one that is published for everybody."""
    checks = [*verify_seal(seal, reader), run("published_root", lambda: check_is_published(seal, reader.published))]
    return checks if reader.policy is None else [*checks, run("checkpoint", no_checkpoint)]


def no_checkpoint() -> NoReturn:
    raise Unmade("not_given", "no signed checkpoint was given: only a report carries one")


def check_is_published(seal: JsonObject, published: Mapping[int, JsonObject | None]) -> None:
    if seal["index"] not in published:
        raise Unmade("not_given", "the published root was not given")
    other = present(published[seal["index"]], f"no root is published under {seal['index']}")
    require(known_members(seal) == known_members(other), f"a different root is published under {seal['index']}")


def known_members(seal: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    """Leaves out the members that the format does not know."""
    timestamps = [known_timestamp(timestamp) for timestamp in timestamps_of(seal)]
    return {name: seal[name] for name in SEAL_MEMBERS}, timestamps


def check_previous_seal(seal: JsonObject, previous: JsonObject | None) -> None:
    is_first = seal["index"] == 0
    alike = is_first == (seal["previous_root"] is None) == (seal["previous_tree_size"] == 0)
    require(alike, "index, previous root and previous size contradict each other")
    if is_first:
        return
    if previous is None:
        raise Unmade("not_given", "the seal before was not given")
    require(previous["index"] == seal["index"] - 1, "the seal before has another index")
    require(previous["merkle_root"] == seal["previous_root"], "the seal before has another root")
    require(previous["tree_size"] == seal["previous_tree_size"], "the seal before has another size")
    require(previous["sealed_at"] <= seal["sealed_at"], "the seal is older than the one before")


def check_seal_consistency(seal: JsonObject) -> None:
    path, old_root = seal["consistency_path"], seal["previous_root"]
    if old_root is None:
        require(not path, "the first seal has a path")
        return
    check_consistency(seal["previous_tree_size"], seal["tree_size"], path, old_root, seal["merkle_root"])


def check_additional(seal: JsonObject, reader: Reader) -> None:
    unmade = None
    for timestamp in seal["additional_timestamps"]:
        try:
            check_timestamp(timestamp, seal["merkle_root"], seal["sealed_at"], reader)
        except Unmade as reason:
            unmade = unmade or reason
    if unmade is not None:
        raise unmade
