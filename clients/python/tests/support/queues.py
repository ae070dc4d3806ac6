"""Queues of one test, and what they tell their owner."""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

from disclosure_receipts import Client, ClientError, DurableQueue, QueuedDisclosure
from disclosure_receipts.queue.store import FILE_NAME, QueueStore
from disclosure_receipts.queue.writer import write_entry

from .service import API_KEY, Call, Served, ServiceTest, Trick

# A busy machine may be slow, and what is tested is not how fast it is.
PATIENCE = 120.0


def unavailable(call: Call, _: int) -> bool:
    return call.respond(503, {"title": "The service can't answer now"})


class Opened:
    """A queue and what it told its owner."""

    def __init__(self, client: Any, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.receipts: list[tuple[str, str]] = []
        self.handovers: list[tuple[str, QueuedDisclosure]] = []
        self.problems: list[ClientError] = []
        self.queue = DurableQueue(
            client,
            folder,
            options.pop("on_handover", lambda one, error: self.handovers.append((error.code, one))),
            on_receipt=options.pop(
                "on_receipt", lambda receipt, one: self.receipts.append((receipt["event_id"], one.idempotency_key))
            ),
            on_problem=options.pop("on_problem", self.problems.append),
            **options,
        )

    @property
    def handed_over(self) -> list[tuple[str, str]]:
        return [(code, one.idempotency_key) for code, one in self.handovers]

    @property
    def problem_codes(self) -> list[str]:
        return [error.code for error in self.problems]

    def bytes_on_disk(self) -> bytes:
        return b"".join(file.read_bytes() for file in self.folder.iterdir())


class QueueTest(ServiceTest):
    """The pauses between tries are by chance; here they have no length."""

    def setUp(self) -> None:
        chance = patch("random.random", return_value=0.0)
        chance.start()
        self.addCleanup(chance.stop)

    def folder(self) -> Path:
        made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(made.cleanup)
        return Path(made.name) / "queue"

    def open(self, served: Served, folder: Path | None = None, **options: Any) -> Opened:
        client = Client(served.url, API_KEY, attempts=1)
        opened = Opened(client, folder or self.folder(), **options)
        self.addCleanup(opened.queue.close, 0)
        return opened

    def begin(self, trick: Trick | None = None, **options: Any) -> tuple[Served, Opened]:
        served = self.serve(trick)
        return served, self.open(served, **options)

    def leave_behind(self, folder: Path, *disclosures: QueuedDisclosure) -> None:
        """A store as a process left it that died before it could send."""
        store = QueueStore(folder)
        store.write([write_entry(one) for one in disclosures], [])
        store.close()

    def flush(self, opened: Opened) -> None:
        self.assertTrue(opened.queue.flush(PATIENCE), opened.problems)

    def eventually(self, is_so: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


def entries_in(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as database:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        return [entry for (entry,) in database.execute("SELECT entry FROM waiting ORDER BY number")]
