"""Remembers what this client has seen of the service's logs. A log only grows: the leaf at a place, the hash of a whole
subtree, the root of a size and the turn that follows another never change. An answer that says otherwise shows a fork,
even if it verifies: the service has shown two histories.
"""

import hashlib
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, TypeVar

from .errors import ClientError
from .verify.chain_history import MAX_CHAINS
from .verify.json_input import JsonObject
from .verify.one_history import Fact, Statement, Step
from .verify.statements import statements_of_proof, statements_of_turn

# Facts remembered, the one that was seen least recently dropped first: some megabytes, the last thousand receipts.
MAX_FACTS = 20_000

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedDict(dict[Key, Value]):
    """Keeps its entries in the order in which they were set last, and drops the oldest beyond its capacity."""

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self._capacity = capacity

    def __setitem__(self, key: Key, value: Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._capacity:
            del self[next(iter(self))]


class Contradiction(NamedTuple):
    fact: str
    expected: object
    actual: object


class SeenHistory:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: BoundedDict[tuple[str, str], str | int] = BoundedDict(MAX_FACTS)
        # By series, the places and values in order.
        self._series: BoundedDict[tuple[str, str], list[tuple[int, Any]]] = BoundedDict(MAX_FACTS)
        # The answer with the largest tree, by chain.
        self._newest: BoundedDict[str, JsonObject] = BoundedDict(MAX_CHAINS)

    @property
    def newest(self) -> list[JsonObject]:
        """The newest answer of each chain."""
        with self._lock:
            return list(self._newest.values())

    def sizes(self) -> dict[str, int]:
        """The size of each chain when it was last seen: a new receipt has its place after that."""
        with self._lock:
            return {chain_id: size_of(answer) for chain_id, answer in self._newest.items()}

    def remember(
        self,
        answer: JsonObject,
        *,
        idempotency_key: str | None = None,
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Remembers a verified answer. Raises `chain_forked` if it contradicts what was seen, and learns nothing then.

        `sizes` are those from before the call, given where the receipt must be a new one.
        """
        receipt, chain_id = answer["receipts"][0], answer["evidence_chain"]["chain_id"]
        size = (sizes or {}).get(chain_id, 0)
        if receipt["sequence"] < size:
            found = Contradiction("a new receipt comes after all that were seen", size, receipt["sequence"])
            fork(answer, found)
        self.learn(receipt, answer, idempotency_key=idempotency_key)
        with self._lock:
            known = self._newest.get(chain_id)
            if known is None or size_of(known) < size_of(answer):
                self._newest[chain_id] = answer

    def learn(
        self,
        receipt: JsonObject,
        proof: JsonObject,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """The same for a receipt of a bundle, where there is no whole answer to keep."""
        statements = list(statements_about(receipt, proof, idempotency_key))
        facts = [statement for statement in statements if isinstance(statement, Fact)]
        steps = [statement for statement in statements if isinstance(statement, Step)]
        with self._lock:
            found = self._contradiction_in(facts) or self._contradiction_along(steps)
            if found is None:
                for fact in facts:
                    self._values[fact.log, fact.name] = fact.value
                for step in steps:
                    self._insert(step)
        if found is not None:
            fork(proof, found)

    def _contradiction_in(self, facts: list[Fact]) -> Contradiction | None:
        """The facts are compared with each other too."""
        fresh: dict[tuple[str, str], str | int] = {}
        for log, name, value in facts:
            known = self._values.get((log, name), fresh.get((log, name), value))
            if known != value:
                return Contradiction(f"{name} of {log}", known, value)
            fresh[log, name] = value
        return None

    def _contradiction_along(self, steps: list[Step]) -> Contradiction | None:
        for step in steps:
            series = self._series.get((step.log, step.series), [])
            before, after = bisect_left(series, step.at, key=place_of), bisect_right(series, step.at, key=place_of)
            if before > 0 and not follows(series[before - 1][1], step.value, step.must_grow):
                return contradiction_of(step, series[before - 1])
            if after < len(series) and not follows(step.value, series[after][1], step.must_grow):
                return contradiction_of(step, series[after])
        return None

    def _insert(self, step: Step) -> None:
        series = self._series.get((step.log, step.series), [])
        member = (step.at, step.value)
        place = bisect_left(series, member)
        if series[place : place + 1] != [member]:
            series.insert(place, member)
        if len(series) > MAX_FACTS:
            del series[0]
        self._series[step.log, step.series] = series


def statements_about(receipt: JsonObject, proof: JsonObject, idempotency_key: str | None) -> Iterator[Statement]:
    """Gives what a receipt and its proof state of the logs, and what the tenant knows besides: a key has one answer.
    The key is hashed: facts end up in errors, and errors in logs.
    """
    yield from statements_of_proof(receipt, proof)
    yield from statements_of_turn(receipt)
    if idempotency_key is not None:
        name = f"the call that receipt {receipt['event_id']} answers"
        yield Fact("the calls", name, hash_name(idempotency_key))


def hash_name(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8")).hexdigest()


def place_of(member: tuple[int, Any]) -> int:
    return member[0]


def follows(earlier: Any, later: Any, must_grow: bool) -> bool:
    return bool(later > earlier) if must_grow else bool(later >= earlier)


def contradiction_of(step: Step, known: tuple[int, Any]) -> Contradiction:
    expected, actual = (step.series.format(at=at, value=value) for at, value in (known, (step.at, step.value)))
    return Contradiction(step.log, expected, actual)


def size_of(answer: JsonObject) -> int:
    size: int = answer["merkle_proof"]["event_inclusion_proof"]["tree_size"]
    return size


def fork(answer: JsonObject, found: Contradiction) -> NoReturn:
    """The answer goes along: with the receipt that it contradicts, it proves that the service showed two histories."""
    evidence = {**found._asdict(), "answer": answer}
    raise ClientError("chain_forked", "the receipt contradicts what this client saw before", evidence=evidence)
