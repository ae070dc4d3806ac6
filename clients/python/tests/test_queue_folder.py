"""The queue's folder: one that can't be used, that another has, that is damaged; and a process that is killed."""

import os
import sqlite3
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any
from unittest.mock import patch

from disclosure_receipts import QueuedDisclosure, hash_wording
from disclosure_receipts.queue.store import FILE_NAME, QueueStore, set_aside

from .support.queues import PATIENCE, QueueTest, entries_in
from .support.service import API_KEY, Served, disclosure, silent
from .test_queue import ago

ROOT = Path(__file__).parents[1]


@unittest.skipIf(os.name == "nt", "on Windows the folder's own permissions decide")
class OthersOnTheMachine(QueueTest):
    def refused(self, folder: Path, reason: str, **options: Any) -> None:
        served = self.serve()
        opened = self.open(served, folder, **options)
        self.assertFalse(opened.queue.add(disclosure()).result(PATIENCE))
        self.flush(opened)
        self.assertEqual((len(served.chain.recorded), opened.problem_codes), (1, ["queue_disk_failed"]))
        self.assertRegex(str(opened.problems[0]), reason)

    def test_who_may_write_in_the_folder_could_leave_disclosures_so_it_is_not_used(self) -> None:
        for mode in (0o777, 0o770, 0o702):
            folder = self.folder()
            QueueStore(folder).close()
            folder.chmod(mode)
            found = (folder / FILE_NAME).stat()
            self.refused(folder, "others may write in .*: take out what is not yours, then give it the mode 0700$")
            self.assertEqual((folder / FILE_NAME).stat().st_mtime_ns, found.st_mtime_ns)

    def test_who_may_write_in_a_shared_folder_could_too(self) -> None:
        folder = self.folder()
        folder.mkdir()
        folder.chmod(0o777)
        self.refused(folder, "others may write in ", shared=True)

    @unittest.skipIf(os.name == "nt" or os.geteuid() != 0, "only root gives a folder to somebody else")
    def test_who_owns_the_folder_could_at_any_time(self) -> None:
        folder = self.folder()
        folder.mkdir(mode=0o700)
        os.chown(folder, 65534, 65534)
        self.refused(folder, "belongs to user 65534, not 0: name one that the queue can make itself$")

    def test_a_link_in_the_place_of_the_file_is_not_followed(self) -> None:
        folder = self.folder()
        folder.mkdir(mode=0o700)
        elsewhere = folder.parent / "elsewhere"
        (folder / FILE_NAME).symlink_to(elsewhere)
        self.refused(folder, "is a link: remove it$")
        self.assertFalse(elsewhere.exists())

    def test_no_file_is_readable_by_others_whatever_the_umask_and_its_mode_before(self) -> None:
        folder = self.folder()
        QueueStore(folder).close()
        (folder / FILE_NAME).chmod(0o666)
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        opened = self.open(self.serve(silent), folder)
        self.assertTrue(opened.queue.add(disclosure()).result(PATIENCE))
        self.assertEqual({file.stat().st_mode & 0o777 for file in folder.iterdir()}, {0o600})


class AFolderThatCantBeUsed(QueueTest):
    def test_is_told_of_and_disclosures_are_sent_from_memory(self) -> None:
        def is_a_file(folder: Path) -> None:
            folder.write_text("")

        def has_a_folder_where_the_file_goes(folder: Path) -> None:
            (folder / FILE_NAME).mkdir(parents=True)

        for spoil in (is_a_file, has_a_folder_where_the_file_goes):
            folder = self.folder()
            spoil(folder)
            served = self.serve()
            opened = self.open(served, folder)
            self.assertFalse(opened.queue.add(disclosure()).result(PATIENCE))
            self.flush(opened)
            self.assertEqual((len(served.chain.recorded), opened.problem_codes), (1, ["queue_disk_failed"]))

    def test_hands_over_at_the_end_what_is_in_memory_alone(self) -> None:
        folder = self.folder()
        folder.write_text("")
        opened = self.open(self.serve(silent), folder)
        opened.queue.add(disclosure(), idempotency_key="in-memory")
        self.assertEqual(opened.queue.close(0.05), [])
        self.assertEqual(opened.handed_over, [("queue_closed", "in-memory")])

    def test_because_another_has_it_is_told_of_and_the_others_entries_are_left_alone(self) -> None:
        _, one = self.begin(silent)
        one.queue.add(disclosure(), idempotency_key="of-the-first").result(PATIENCE)
        served = self.serve()
        other = self.open(served, one.folder)
        self.assertFalse(other.queue.add(disclosure(), idempotency_key="of-the-second").result(PATIENCE))
        self.flush(other)
        self.assertEqual(other.problem_codes, ["queue_in_use"])
        self.assertEqual([call.headers["Idempotency-Key"] for call in served.calls], ["of-the-second"])
        self.assertEqual([left.idempotency_key for left in one.queue.close(0)], ["of-the-first"])

    def test_stays_locked_for_other_processes_though_this_one_tries_to_open_it_again(self) -> None:
        _, one = self.begin(silent)
        one.queue.add(disclosure()).result(PATIENCE)
        other = self.open(self.serve(), one.folder)
        self.assertFalse(other.queue.add(disclosure()).result(PATIENCE))
        code = "import pathlib\nfrom disclosure_receipts.queue.store import QueueStore\nQueueStore(pathlib.Path('.'))"
        command = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        ended = subprocess.run(command, cwd=one.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertIn("another process has the folder of this queue", ended.stderr)

    def test_because_its_file_is_no_database_is_told_of_and_the_file_is_kept_aside(self) -> None:
        folder = self.folder()
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(b"not a database" * 100)
        served = self.serve(silent)
        opened = self.open(served, folder)
        self.assertTrue(opened.queue.add(disclosure()).result(PATIENCE))
        self.assertEqual(opened.problem_codes, ["queue_disk_failed"])
        (aside,) = folder.glob("damaged-*")
        self.assertIn(b"not a database", aside.read_bytes())
        opened.queue.close(0)
        journal = folder / f"{FILE_NAME}-journal"
        journal.write_bytes(b"of the damaged one")
        set_aside(folder)
        self.assertEqual((len(list(folder.glob("damaged-*"))), journal.exists()), (3, False))

    def test_with_a_page_or_a_byte_that_a_bad_disk_changed_is_told_of_and_holds_up_nothing_else(self) -> None:
        def spoil_a_page(data: bytearray) -> None:
            middle = len(data) // 2 // 4096 * 4096
            data[middle : middle + 200] = b"\xff" * 200

        def spoil_a_byte(data: bytearray) -> None:
            data[data.index(b"key-100")] = 0xFF

        def spoil_a_bit(data: bytearray) -> None:
            data[data.index(b"sha256:777") + 9] ^= 1

        for spoil, sent, kept in ((spoil_a_page, 0, 0), (spoil_a_byte, 199, 1), (spoil_a_bit, 199, 1)):
            folder, served = self.folder(), self.serve()
            self.leave_behind(folder, *(QueuedDisclosure(disclosure(), f"key-{n}", ago(0)) for n in range(200)))
            data = bytearray((folder / FILE_NAME).read_bytes())
            spoil(data)
            (folder / FILE_NAME).write_bytes(data)
            opened = self.open(served, folder)
            self.assertTrue(opened.queue.add(disclosure(), idempotency_key="new").result(PATIENCE))
            self.flush(opened)
            opened.queue.close()
            self.assertEqual(opened.problem_codes, ["queue_disk_failed"])
            self.assertEqual((len(served.chain.recorded), len(entries_in(folder))), (sent + 1, kept))
            self.assertEqual(len(list(folder.glob("damaged-*.sqlite3"))), 1 - kept)

    def test_with_an_entry_of_another_version_keeps_it_and_sends_the_others(self) -> None:
        folder, served = self.folder(), self.serve()
        self.leave_behind(folder, QueuedDisclosure(disclosure(), "good", ago(0)))
        store = QueueStore(folder)
        store.write(['{"request":"of another version"}'], [])
        store.close()
        opened = self.open(served, folder)
        self.flush(opened)
        opened.queue.close()
        self.assertEqual(opened.problem_codes, ["queue_disk_failed"])
        self.assertEqual([one.key for one in served.chain.recorded], ["good"])
        self.assertEqual(entries_in(folder), ['{"request":"of another version"}'])

    def test_because_the_disk_is_full_keeps_what_is_there_and_notes_what_was_sent_later(self) -> None:
        served, opened = self.begin()
        opened.queue.add(disclosure(), idempotency_key="first").result(PATIENCE)
        self.flush(opened)
        full = patch.object(QueueStore, "write", side_effect=sqlite3.OperationalError("database or disk is full"))
        with full:
            self.assertFalse(opened.queue.add(disclosure(), idempotency_key="second").result(PATIENCE))
            self.flush(opened)
        self.assertTrue(opened.queue.add(disclosure(), idempotency_key="third").result(PATIENCE))
        self.flush(opened)
        opened.queue.close()
        self.assertEqual([one.key for one in served.chain.recorded], ["first", "second", "third"])
        self.assertEqual((set(opened.problem_codes), entries_in(opened.folder)), ({"queue_disk_failed"}, []))


class ASharedFolder(QueueTest):
    def test_gives_each_queue_a_folder_of_its_own(self) -> None:
        folder, served = self.folder(), self.serve(silent)
        queues = [self.open(served, folder, shared=True) for _ in range(3)]
        self.assertTrue(all(one.queue.add(disclosure()).result(PATIENCE) for one in queues))
        self.assertEqual([code for one in queues for code in one.problem_codes], [])
        self.assertEqual(sorted(one.name for one in folder.iterdir()), ["0", "1", "2"])

    def test_has_what_a_dead_process_left_sent_by_the_next_that_starts(self) -> None:
        folder, served = self.folder(), self.serve()
        for number in ("0", "2"):
            self.leave_behind(folder / number)
        self.leave_behind(folder / "1", QueuedDisclosure(disclosure(), "of-a-dead-process", ago(0)))
        self.flush(self.open(served, folder, shared=True))
        self.assertEqual([one.key for one in served.chain.recorded], ["of-a-dead-process"])

    def test_is_of_use_though_one_of_its_folders_is_not(self) -> None:
        folder, served = self.folder(), self.serve()
        (folder / "0" / FILE_NAME).mkdir(parents=True)
        opened = self.open(served, folder, shared=True)
        self.assertTrue(opened.queue.add(disclosure()).result(PATIENCE))
        self.assertEqual(opened.problems, [])
        spoilt = self.folder()
        spoilt.write_text("")
        opened = self.open(served, spoilt, shared=True)
        self.assertFalse(opened.queue.add(disclosure()).result(PATIENCE))
        self.assertEqual(opened.problem_codes, ["queue_disk_failed"])

    def test_leaves_to_a_living_process_what_it_has_waiting(self) -> None:
        folder, served = self.folder(), self.serve()
        living = self.open(self.serve(silent), folder, shared=True)
        living.queue.add(disclosure(), idempotency_key="waits").result(PATIENCE)
        other = self.open(served, folder, shared=True)
        other.queue.add(disclosure(), idempotency_key="second")
        self.flush(other)
        self.assertEqual([one.key for one in served.chain.recorded], ["second"])


class TheOwnersFunctions(QueueTest):
    def test_that_fail_break_nothing_and_are_told_of(self) -> None:
        served, opened = self.begin(on_receipt=lambda *_: 1 / 0)
        for _ in range(2):
            opened.queue.add(disclosure())
        self.flush(opened)
        self.assertEqual((len(served.chain.recorded), opened.problem_codes), (2, ["queue_callback_failed"] * 2))

    def test_are_waited_for_before_the_disclosure_leaves_the_disk(self) -> None:
        stored, called = threading.Event(), threading.Event()

        def store(*_: object) -> None:
            called.set()
            stored.wait(PATIENCE)

        _, opened = self.begin(on_receipt=store)
        opened.queue.add(disclosure(), idempotency_key="kept-until-then")
        called.wait(PATIENCE)
        self.assertFalse(opened.queue.flush(0.05))
        self.assertIn(b"kept-until-then", opened.bytes_on_disk())
        stored.set()
        self.flush(opened)

    def test_that_fail_to_take_a_disclosure_over_leave_it_for_the_next_process(self) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("a bug of the owner's")

        served, opened = self.begin(
            lambda call, _: call.respond(422, {}), on_handover=broken, on_problem=broken
        )
        opened.queue.add(disclosure(), idempotency_key="nobody's")
        self.flush(opened)
        opened.queue.close()
        self.assertEqual(len(served.calls), 1)
        following = self.open(served, opened.folder)
        self.flush(following)
        self.assertEqual(following.handed_over, [("refused", "nobody's")])


class AProcessThatIsKilled(QueueTest):
    def test_loses_nothing_that_was_safe_and_sends_each_once_and_in_order(self) -> None:
        served, folder = self.serve(), self.folder()
        safe: list[int] = []
        for run, kill_after in enumerate((3, 17, 1, 9)):
            safe += map(int, self.run_program(served, folder, run * 100, 40, kill_after))
        self.assertEqual(self.run_program(served, folder, 0, 0, None), ["done"])
        digests = {hash_wording(f"wording {number}"): number for number in range(400)}
        sent = [digests[one.request["subject_hash"]] for one in served.chain.recorded]
        self.assertEqual(sent, sorted(set(sent)))
        self.assertEqual([number for number in safe if number not in sent], [])
        self.assertGreaterEqual(len(safe), 30)

    def run_program(self, served: Served, folder: Path, first: int, count: int, kill_after: int | None) -> list[str]:
        """Runs the program until so many numbers came, or to its end. Returns what it printed."""
        arguments = [served.url, API_KEY, str(folder), str(first), str(count)]
        command = [sys.executable, "-m", "tests.support.queue_program", *arguments]
        printed: list[str] = []
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
            for line in program.stdout or ():
                printed.append(line.strip())
                if len(printed) == kill_after:
                    program.kill()
        return printed


if __name__ == "__main__":
    unittest.main()
