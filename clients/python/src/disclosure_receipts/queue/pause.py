"""The pause of a sender after a failure: it grows with each failure, is cut by chance, and ends with a success."""

import random
import time

BASE_DELAY = 0.5
MAX_DELAY = 30.0


class QueuePause:
    """Its owner holds a lock around each call."""

    def __init__(self) -> None:
        self._failures = 0
        self._until = 0.0

    @property
    def left(self) -> float:
        """The seconds until it is over; 0 where there is none."""
        return max(0.0, self._until - time.monotonic())

    @property
    def is_troubled(self) -> bool:
        """True while the last try failed: the next is made alone."""
        return self._failures > 0

    def start(self, at_least: float) -> None:
        """Tries that failed at the same time share one pause."""
        if self.left > 0:
            return
        self._failures += 1
        delay = random.random() * min(MAX_DELAY, BASE_DELAY * 2.0 ** min(self._failures, 10))
        self._until = time.monotonic() + max(delay, at_least)

    def succeed(self) -> None:
        self._failures = 0
