"""Keeps queued disclosures on disk if the folder can be used, and in memory alone if not. Everything goes through one
thread, which writes all that came meanwhile at once: nothing blocks the caller, and nothing here raises.
"""

import json
import sqlite3
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..errors import ClientError
from ..request import fault_of
from .callbacks import OnProblem, QueuedDisclosure
from .shared_folder import take_free_folder
from .store import QueueStore, disk_failed, is_damage, set_aside

# An entry's number in the store, or None where it is in memory only.
Place = int | None
# Gets the place of an entry that was put in.
OnPlace = Callable[[Place], None]
# Gets what an earlier process left.
OnFound = Callable[[QueuedDisclosure, int, str], None]


class Put(NamedTuple):
    text: str
    on_place: OnPlace


class QueueWriter:
    def __init__(
        self, folder: Path, is_shared: bool, on_found: OnFound, on_open: Callable[[], None], on_problem: OnProblem
    ) -> None:
        self._folder, self._is_shared = folder, is_shared
        self._on_found, self._on_open, self._on_problem = on_found, on_open, on_problem
        self._change = threading.Condition()
        self._puts: list[Put] = []
        self._taken: list[int] = []
        # The numbers of those that were taken out while the disk failed.
        self._unnoted: list[int] = []
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="disclosure-receipts-writer", daemon=True)

    def start(self) -> None:
        """Opens the store in the writer's thread."""
        self._thread.start()

    def put(self, text: str, on_place: OnPlace) -> None:
        """`on_place` is called in the writer's thread, in the order of the calls."""
        with self._change:
            self._puts.append(Put(text, on_place))
            self._change.notify()

    def take(self, place: Place) -> None:
        """Takes an entry out. A crash before that is on disk brings the entry back."""
        if place is None:
            return
        with self._change:
            self._taken.append(place)
            self._change.notify()

    def close(self, timeout: float) -> None:
        """Writes what has come, and gives the folder free."""
        with self._change:
            self._is_closing = True
            self._change.notify()
        self._thread.join(timeout)

    def _run(self) -> None:
        store = self._open()
        if store is not None:
            self._find(store)
        self._on_open()
        while self._wait():
            self._write(store)
        self._write(store)
        if store is not None:
            store.close()

    def _wait(self) -> bool:
        """Waits for something to write; false once it is closing."""
        with self._change:
            self._change.wait_for(lambda: self._puts or self._taken or self._is_closing)
            return not self._is_closing

    def _write(self, store: QueueStore | None) -> None:
        with self._change:
            puts, self._puts = self._puts, []
            taken, self._taken, self._unnoted = [*self._unnoted, *self._taken], [], []
        places = self._try_to_write(store, [put.text for put in puts], taken)
        # A full disk can often still be emptied. What can't be noted is tried again with the next write; at the worst,
        # a later process sends it again, under its key.
        if places is None and self._try_to_write(store, [], taken) is None:
            self._unnoted = taken
        for index, put in enumerate(puts):
            put.on_place(places[index] if places else None)

    def _try_to_write(self, store: QueueStore | None, texts: list[str], taken: list[int]) -> list[int] | None:
        """The places of the new entries; None where there are none, because the disk fails."""
        if store is None or not (texts or taken):
            return None if texts else []
        try:
            return store.write(texts, taken)
        except (sqlite3.Error, OSError) as cause:
            self._report("a disclosure is in memory only" if texts else "what was sent is not noted", cause)
            return None

    def _open(self) -> QueueStore | None:
        try:
            if self._is_shared:
                return take_free_folder(self._folder, self._open_anew)
            return self._open_anew(self._folder)
        except (sqlite3.Error, OSError) as cause:
            self._report("the folder can't be used", cause)
        except ClientError as error:
            self._on_problem(error)
        return None

    def _open_anew(self, folder: Path) -> QueueStore:
        try:
            return open_readable(folder)
        except sqlite3.Error as cause:
            if not is_damage(cause):
                raise
            self._report(f"it was damaged, and is now in {set_aside(folder).name}", cause)
            return QueueStore(folder)

    def _find(self, store: QueueStore) -> None:
        """An entry that can't be read stays on disk, for a person to look at."""
        try:
            entries = store.entries()
        except sqlite3.Error as cause:
            self._report("what an earlier process left can't be read", cause)
            return
        unread = 0
        for place, text in entries:
            disclosure = read_entry(text)
            if disclosure is None:
                unread += 1
            else:
                self._on_found(disclosure, place, text)
        if unread > 0:
            self._on_problem(disk_failed(f"{unread} entries can't be read"))

    def _report(self, what: str, cause: BaseException) -> None:
        error = disk_failed(what)
        error.__cause__ = cause
        self._on_problem(error)


def open_readable(folder: Path) -> QueueStore:
    """Raises what SQLite raises for a file that opens and can't be read to its end."""
    store = QueueStore(folder)
    try:
        store.entries()
        return store
    except BaseException:
        store.close()
        raise


def write_entry(disclosure: QueuedDisclosure) -> str:
    """With a checksum: a bit that a bad disk changed would attest what nobody said."""
    text = json.dumps(disclosure._asdict(), separators=(",", ":"))
    return f"{checksum_of(text)} {text}"


def checksum_of(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


def read_entry(text: str) -> QueuedDisclosure | None:
    """None for what is damaged or of another version."""
    checksum, _, entry = text.partition(" ")
    if checksum_of(entry) != checksum:
        return None
    try:
        value = json.loads(entry)
        disclosure = QueuedDisclosure(value["request"], value["idempotency_key"], value["added_at"])
    except (ValueError, LookupError, TypeError):
        return None
    is_whole = isinstance(disclosure.idempotency_key, str) and isinstance(disclosure.added_at, str)
    return disclosure if is_whole and fault_of(disclosure.request) is None else None
