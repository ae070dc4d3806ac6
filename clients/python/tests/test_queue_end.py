"""The end of a queue: a program that ends, a signal, a fork, a disk that hangs, and functions that fail."""

import math
import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any
from unittest.mock import patch

from disclosure_receipts.queue.store import QueueStore

from .support.queues import PATIENCE, QueueTest, entries_in
from .support.service import NOBODY, disclosure, silent

ROOT = Path(__file__).parents[1]
# A program that opens a queue in the folder it is given.
OPENS = f"""
import os, signal, sys, threading, time
from disclosure_receipts import Client, DurableQueue
queue = DurableQueue(Client({NOBODY!r}, "key"), sys.argv[1], lambda _, error: print(error.code))
"""
ADDS = f"for _ in range(200): queue.add({disclosure()!r})"
# The second signal comes while the first one's handler closes the queue.
CLOSES_TWICE = f"""
queue.add({disclosure()!r}).result()
ended = threading.Event()

def close(*_):
    if not again.is_alive() and not again.ident:
        again.start()
    print(len(queue.close(3)), flush=True)
    ended.set()

again = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM))
signal.signal(signal.SIGTERM, close)
os.kill(os.getpid(), signal.SIGTERM)
again.join()
ended.wait()
"""


def broken(*_: object) -> None:
    raise RuntimeError("a bug of the owner's")


class AProgram(QueueTest):
    def run_program(self, folder: Path, code: str) -> list[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-c", OPENS + code, str(folder)]
        ended = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        return ended.stdout.split()

    def test_that_ends_without_closing_leaves_on_disk_all_that_it_added(self) -> None:
        folder = self.folder()
        self.assertEqual(self.run_program(folder, ADDS), [])
        self.assertEqual(len(entries_in(folder)), 200)

    def test_that_ends_without_closing_hands_over_what_no_disk_holds(self) -> None:
        folder = self.folder()
        folder.write_text("")
        self.assertEqual(self.run_program(folder, ADDS), ["queue_closed"] * 200)

    def test_that_gets_a_signal_while_it_closes_for_another_comes_to_its_end(self) -> None:
        self.assertEqual(self.run_program(self.folder(), CLOSES_TWICE), ["1", "1"])


class AQueueThatEnds(QueueTest):
    def test_hands_over_what_a_disk_that_hangs_has_not_taken(self) -> None:
        _, opened = self.begin(silent)
        answers = threading.Event()
        write = QueueStore.write

        def hang(*arguments: Any) -> Any:
            answers.wait(PATIENCE)
            return write(*arguments)

        with patch.object(QueueStore, "write", hang):
            added = opened.queue.add(disclosure(), idempotency_key="unanswered")
            self.assertEqual(opened.queue.close(0), [])
            self.assertEqual(opened.handed_over, [("queue_closed", "unanswered")])
            self.assertFalse(added.result(0))
            answers.set()
            self.eventually(lambda: entries_in(opened.folder))

    def test_says_that_what_nobody_took_over_remains_on_disk(self) -> None:
        _, opened = self.begin(lambda call, _: call.respond(422, {}), on_handover=broken)
        opened.queue.add(disclosure(), idempotency_key="nobody's")
        self.flush(opened)
        self.assertEqual([one.idempotency_key for one in opened.queue.close()], ["nobody's"])

    def test_waits_without_end_where_it_is_told_to(self) -> None:
        _, opened = self.begin()
        opened.queue.add(disclosure())
        self.assertTrue(opened.queue.flush(math.inf))
        self.assertEqual(opened.queue.close(math.inf), [])

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_in_a_child_of_a_fork_leaves_the_parents_calls_alone(self) -> None:
        _, opened = self.begin(silent)
        opened.queue.add(disclosure()).result(PATIENCE)
        self.eventually(lambda: opened.queue._stop._sockets)
        child = os.fork()
        if child == 0:
            os._exit(len(opened.queue.close(0)) + opened.queue.flush(0))
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(len(opened.queue.close(0.2)), 1)
        self.assertEqual(opened.problems, [])


class AFunctionOfTheOwners(QueueTest):
    def test_that_would_end_its_thread_does_not_end_the_queue(self) -> None:
        served, opened = self.begin(on_receipt=lambda *_: sys.exit(1))
        for _ in range(2):
            opened.queue.add(disclosure())
        self.flush(opened)
        self.assertEqual((len(served.chain.recorded), opened.problem_codes), (2, ["queue_callback_failed"] * 2))


if __name__ == "__main__":
    unittest.main()
