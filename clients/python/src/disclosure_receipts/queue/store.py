"""Entries in an SQLite file of the queue's own: what `write` called durable survives kill -9 and a power cut.

One thread at a time uses a store, and one process at a time a file: the lock is SQLite's own, which the kernel releases
with the process.
"""

import os
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from ..errors import ClientError

FILE_NAME = "queue.sqlite3"
OWNER_ONLY_FILE, OWNER_ONLY_FOLDER, OTHERS_MAY_WRITE = 0o600, 0o700, 0o022
SCHEMA = "CREATE TABLE IF NOT EXISTS waiting (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL)"
# Identifiers of conversations are not kept longer than necessary: what is taken out is overwritten, in the file and in
# its journal. Each commit is on disk before it returns.
PRAGMAS = (
    "PRAGMA locking_mode=EXCLUSIVE",
    "PRAGMA journal_mode=TRUNCATE",
    "PRAGMA synchronous=FULL",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
)


class QueueStore:
    """Raises `queue_in_use` where another process or queue has the file, `queue_disk_failed` where others may write
    in the folder, and what SQLite raises.
    """

    def __init__(self, folder: Path) -> None:
        make_private_folder(folder)
        self._file = folder / FILE_NAME
        make_file(self._file)
        self._database = self._open()

    def entries(self) -> list[tuple[int, str]]:
        """Those that were put in and not taken out, by number, in order."""
        return list(self._database.execute("SELECT number, entry FROM waiting ORDER BY number"))

    def write(self, entries: Iterable[str], taken: Iterable[int]) -> list[int]:
        """Puts entries in and takes others out, all or nothing. Returns the numbers of the new ones."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany("DELETE FROM waiting WHERE number = ?", ((number,) for number in taken))
            numbers = [self._put(entry) for entry in entries]
            self._database.execute("COMMIT")
            return numbers
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self._database.close()

    def _put(self, entry: str) -> int:
        number = self._database.execute("INSERT INTO waiting (entry) VALUES (?)", (entry,)).lastrowid
        return number or 0

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, timeout=0, isolation_level=None, check_same_thread=False)
        # A byte that a bad disk changed makes its own entry unreadable, and no other.
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            for pragma in PRAGMAS:
                database.execute(pragma)
            # The lock is taken here, and kept until the connection ends.
            database.execute("BEGIN EXCLUSIVE")
            database.execute(SCHEMA)
            database.execute("COMMIT")
            return database
        except sqlite3.OperationalError as cause:
            database.close()
            if is_busy(cause):
                raise ClientError("queue_in_use", "another process has the folder of this queue") from cause
            raise
        except BaseException:
            database.close()
            raise


def set_aside(folder: Path) -> Path:
    """Keeps a file that is no database any more for a person to look at, and makes room for a new one. Its journal goes
    along: SQLite would write it into the new one.
    """
    aside = folder / f"damaged-{time.time_ns()}.sqlite3"
    for end in ("-journal", ""):
        file = folder / f"{FILE_NAME}{end}"
        if file.exists():
            file.rename(f"{aside}{end}")
    return aside


def make_file(file: Path) -> None:
    """SQLite gives the file's own mode to its journal. A file that is there must not be opened here: to close it would
    end the lock of another queue of this process. SQLite would follow a link to one elsewhere.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY_FILE))
    except FileExistsError:
        if file.is_symlink():
            raise disk_failed(f"{file} is a link: remove it") from None
        file.chmod(OWNER_ONLY_FILE)


def make_private_folder(folder: Path) -> None:
    """Raises `queue_disk_failed` where others could leave, change or read a file: this process would send what they
    left. On Windows the folder's own permissions decide.
    """
    folder.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
    if os.name == "nt":
        return
    own, found = os.geteuid(), folder.stat()
    if found.st_uid != own:
        reason = f"{folder} belongs to user {found.st_uid}, not {own}: name one that the queue can make itself"
        raise disk_failed(reason)
    if found.st_mode & OTHERS_MAY_WRITE:
        raise disk_failed(f"others may write in {folder}: take out what is not yours, then give it the mode 0700")


def disk_failed(what: str) -> ClientError:
    return ClientError("queue_disk_failed", f"the queue's folder: {what}")


def is_busy(error: sqlite3.OperationalError) -> bool:
    """Python 3.10 has no error codes here."""
    return "locked" in str(error) or "busy" in str(error)


def is_damage(error: sqlite3.Error) -> bool:
    """Its subclasses are other troubles: a lock, a full disk."""
    return type(error) is sqlite3.DatabaseError
