"""What a reader has next to evidence, and which of it counts."""

from collections.abc import Iterable
from typing import NamedTuple

from ..json_input import JsonObject
from ..log_policy import Policy
from ..seal import known_members
from ..timestamps.certificates import Certificate


class Request(NamedTuple):
    file: str
    value: JsonObject
    digest: str


class Layer(NamedTuple):
    """is_named: as in `GivenFile`. It counts in any case, for it is believed by its digest."""

    file: str
    is_named: bool
    value: JsonObject
    digest: str


class Certificates(NamedTuple):
    file: str
    is_named: bool
    certificates: tuple[Certificate, ...]


class LogPolicy(NamedTuple):
    file: str
    is_named: bool
    policy: Policy


class PublishedRoot(NamedTuple):
    """A root that the reader says is published."""

    file: str
    value: JsonObject


Companion = Request | Layer | Certificates | LogPolicy | PublishedRoot


class Companions:
    """The companions of all kinds, those of the options first."""

    def __init__(self, companions: Iterable[Companion]) -> None:
        all_given = list(companions)
        self.requests = [one for one in all_given if isinstance(one, Request)]
        self.layers = [one for one in all_given if isinstance(one, Layer)]
        self.certificates = [one for one in all_given if isinstance(one, Certificates)]
        self.policies = [one for one in all_given if isinstance(one, LogPolicy)]
        self.roots = [one for one in all_given if isinstance(one, PublishedRoot)]

    def settle(self) -> dict[str, str]:
        """Takes out those that contradict each other, and returns by file why: none should be chosen by a guess."""
        named = [one for one in self.policies if one.is_named]
        rivals = named if len(named) > 1 else []
        doubtful = [root for root in self.roots if any(contradicts(root, other) for other in self.roots)]
        self.policies = [one for one in self.policies if one not in rivals]
        self.roots = [one for one in self.roots if one not in doubtful]
        problems = {one.file: "give one key of a log, or one policy, and no other" for one in rivals}
        problems.update({root.file: f"two different roots have number {root.value['index']}" for root in doubtful})
        return problems

    def policy(self) -> LogPolicy | None:
        return next((one for one in self.policies if one.is_named), None)


def contradicts(one: PublishedRoot, other: PublishedRoot) -> bool:
    is_same_number = one.value["index"] == other.value["index"]
    return is_same_number and known_members(one.value) != known_members(other.value)
