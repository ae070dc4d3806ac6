"""Lanes take turns: one member of a lane at a time, in the order in which they were added."""

from collections import deque
from typing import Generic, TypeVar

Member = TypeVar("Member")


class Lanes(Generic[Member]):
    """Its owner holds a lock around each call."""

    def __init__(self) -> None:
        self._lanes: dict[str, deque[Member]] = {}
        # Lanes that have members, and none that is out.
        self._ready: deque[str] = deque()

    def add(self, lane: str, member: Member) -> None:
        if lane in self._lanes:
            self._lanes[lane].append(member)
            return
        self._lanes[lane] = deque((member,))
        self._ready.append(lane)

    @property
    def has_ready(self) -> bool:
        return bool(self._ready)

    def next(self) -> tuple[str, Member] | None:
        """The first member of the lane that waits longest; its lane rests until `done` or `again`."""
        if not self._ready:
            return None
        lane = self._ready.popleft()
        return lane, self._lanes[lane][0]

    def done(self, lane: str) -> None:
        """The member that was out leaves its lane."""
        members = self._lanes[lane]
        members.popleft()
        if members:
            self._ready.append(lane)
        else:
            del self._lanes[lane]

    def again(self, lane: str) -> None:
        """The member that was out goes first once more, after all other lanes had their turn."""
        self._ready.append(lane)

    def members(self) -> list[Member]:
        """All members, lane by lane."""
        return [member for lane in self._lanes.values() for member in lane]
