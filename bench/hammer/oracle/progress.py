"""Tells what the oracle is doing: one line that is rewritten on a terminal, and now and then a plain line elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

REWRITE_SECONDS = 0.2
PLAIN_SECONDS = 10.0
WIDTH = 78


class Progress:
    """Writes to standard error, so that standard output holds the result alone."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._rewrites = stream.isatty()
        self._began = time.monotonic()
        self._written = float("-inf")

    def show(self, doing: str, done: int | None = None, of: int | None = None) -> None:
        """Says what is being done, if the last line is not too young."""
        now = time.monotonic()
        if now - self._written < (REWRITE_SECONDS if self._rewrites else PLAIN_SECONDS):
            return
        self._written = now
        amount = "" if done is None else f" {done:,}" + ("" if of is None else f" of {of:,}")
        line = f"oracle {now - self._began:5.0f} s  {doing}{amount}"
        self._stream.write(f"\r{line[:WIDTH]:<{WIDTH}}" if self._rewrites else line + "\n")
        self._stream.flush()

    def end(self) -> None:
        """Clears the line."""
        if self._rewrites:
            self._stream.write("\r" + " " * WIDTH + "\r")
            self._stream.flush()
