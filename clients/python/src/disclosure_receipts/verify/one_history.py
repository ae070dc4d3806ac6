"""One history: what two proofs say of one log must agree."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


METACHAIN = "the metachain"


class Fact(NamedTuple):
    """A statement that stays true for ever, however much a log grows. log: METACHAIN, or a chain. name: its subject."""

    log: str
    name: str
    value: str | int


class Step(NamedTuple):
    """A statement about one member of a series: members further on have no smaller value, and a larger one if it must
    grow. series: a sentence with places for `at` and `value`.
    """

    log: str
    series: str
    at: int
    value: Any
    must_grow: bool = False


Statement = Fact | Step


class History:
    """Collects what pieces of evidence state, each sound by itself, and finds where they contradict each other."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str], tuple[str | int, str]] = {}
        self.series: dict[tuple[str, str, bool], list[tuple[int, Any, str]]] = {}
        self.differing: list[tuple[str, str]] = []

    def add(self, statements: Iterable[Statement], source: str) -> None:
        """Takes in statements. `source` says for people where they were found."""
        for statement in statements:
            if isinstance(statement, Fact):
                self.add_fact(statement, source)
            else:
                log, series, at, value, must_grow = statement
                self.series.setdefault((log, series, must_grow), []).append((at, value, source))

    def add_fact(self, fact: Fact, source: str) -> None:
        value, other = self.facts.setdefault((fact.log, fact.name), (fact.value, source))
        if value != fact.value:
            sentence = f"{fact.name} of {fact.log} is {value} in {other} and {fact.value} in {source}"
            self.differing.append((fact.log, sentence))

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Gives pairs of a log and a sentence."""
        yield from self.differing
        for (log, series, must_grow), steps in self.series.items():
            yield from ((log, f"in {log} {sentence}") for sentence in disorder_in(sorted(steps), series, must_grow))


def disorder_in(steps: list[tuple[int, Any, str]], series: str, must_grow: bool) -> Iterator[str]:
    for (at, value, source), (later_at, later_value, later_source) in zip(steps, steps[1:]):
        is_fine = later_at == at or later_value > value or (later_value == value and not must_grow)
        if not is_fine:
            first, second = series.format(at=at, value=value), series.format(at=later_at, value=later_value)
            yield f"{first} in {source}, but {second} in {later_source}"
