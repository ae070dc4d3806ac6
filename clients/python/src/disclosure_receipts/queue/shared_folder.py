"""A folder that several processes share, such as the jobs of one worker: each takes a numbered folder in it."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from ..errors import ClientError
from .store import QueueStore, make_private_folder

# The most processes that share a folder.
MAX_PROCESSES = 256


def take_free_folder(root: Path, open_store: Callable[[Path], QueueStore]) -> QueueStore:
    """Takes the first numbered folder that is free, one with disclosures of a process that died before all others: they
    are sent by whoever starts next. A folder that can't be used keeps nobody from the others. Raises `queue_in_use`
    where all are taken, and what the disk says where none can be used.
    """
    make_private_folder(root)
    failures: list[Exception] = []
    folders = [root / str(number) for number in range(MAX_PROCESSES)]
    for folder in folders:
        store = try_to_open(folder, open_store, failures) if folder.exists() else None
        if store is not None and store.entries():
            return store
        if store is not None:
            store.close()
    for folder in folders:
        store = try_to_open(folder, open_store, failures)
        if store is not None:
            return store
    if failures:
        raise failures[-1]
    raise ClientError("queue_in_use", f"{MAX_PROCESSES} processes have folders of this queue")


def try_to_open(
    folder: Path, open_store: Callable[[Path], QueueStore], failures: list[Exception]
) -> QueueStore | None:
    """None where another process has it, and where it can't be used, which goes to `failures`."""
    try:
        return open_store(folder)
    except ClientError as error:
        if error.code != "queue_in_use":
            failures.append(error)
    except (sqlite3.Error, OSError) as failure:
        failures.append(failure)
    return None
