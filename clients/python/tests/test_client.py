"""The client and a service that fails: what it sends, what it sends again, and what it never says."""

import json
import socket
import threading
import time
import unittest
from typing import Any
from unittest.mock import patch

from disclosure_receipts import AsyncClient, Cancellation, Cancelled, Client, ClientError
from disclosure_receipts.retry import MAX_RETRY_AFTER, read_retry_after

from .support.service import API_KEY, NOBODY, Call, ServiceTest, disclosure, first, silent

UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"


class ADisclosure(ServiceTest):
    def test_goes_out_with_a_key_of_its_own_and_nothing_but_the_request(self) -> None:
        served, client = self.start()
        receipt = client.attest(disclosure())
        client.attest(disclosure(interaction_id="another"))
        self.assertEqual(receipt["receipts"][0]["verdict"], "ALLOW")
        sent, another = served.calls
        self.assertEqual((sent.method, sent.path), ("POST", "/v1/attestation"))
        self.assertEqual(sent.headers["Authorization"], f"Bearer {API_KEY}")
        self.assertRegex(sent.headers["Idempotency-Key"], UUID)
        self.assertEqual(sent.headers["Content-Type"], "application/json")
        self.assertEqual(json.loads(sent.body), disclosure())
        self.assertNotEqual(another.headers["Idempotency-Key"], sent.headers["Idempotency-Key"])

    def test_can_bring_a_key_with_which_it_is_recorded_once(self) -> None:
        served, client = self.start()
        one, two = (client.attest(disclosure(), idempotency_key="call-1/greeting") for _ in range(2))
        self.assertEqual((one, len(served.chain.recorded)), (two, 1))

    def test_that_is_wrong_is_not_sent_and_its_value_is_not_said(self) -> None:
        served, client = self.start()
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"subject_hash": "Herr Maier"}, "subject_hash: "),
            ({"jurisdiction": "de"}, "jurisdiction: must be two upper-case letters"),
            ({"interaction_id": "call\n"}, "interaction_id: "),
            ({"disclosed_at": "2026-13-01T00:00:00Z"}, "disclosed_at: "),
            ({"disclosed_at": None}, "disclosed_at: must be YYYY-MM-DD"),
            ({"transcript": "Guten Tag, Herr Maier"}, "the request: "),
        ]
        for change, message in wrong:
            error = self.failure("invalid_request", client.attest, disclosure(**change))
            self.assertIn(message, str(error))
            self.assertNotIn("Maier", str(error))
        missing = {name: value for name, value in disclosure().items() if name != "modality"}
        self.assertIn("modality: is missing", str(self.failure("invalid_request", client.attest, missing)))
        for key in ("", "two words", "ü", "x" * 256):
            self.failure("invalid_request", client.attest, disclosure(), idempotency_key=key)
        for name in ("", None, "\ud800"):
            self.failure("invalid_request", client.report, name)
            self.failure("invalid_request", client.interaction, name)
        self.assertEqual(served.calls, [])

    def test_can_lead_to_a_remark_which_hides_no_receipt(self) -> None:
        told: list[str] = []

        def remark(call: Call, _: int) -> bool:
            return call.respond(200, call.answer(), {"Disclosure-Warning": "it looks like a telephone number"})

        def fail(warning: str) -> None:
            told.append(warning)
            raise RuntimeError("the callback's own fault")

        _, client = self.start(remark, on_warning=fail)
        client.attest(disclosure())
        self.assertEqual(told, ["it looks like a telephone number"])
        _, unwatched = self.start(remark)
        with patch("disclosure_receipts.warning._has_warned", False), self.assertLogs("disclosure_receipts") as logged:
            for _ in range(2):
                unwatched.attest(disclosure())
        self.assertEqual([one.getMessage() for one in logged.records], told)


class ACallThatFails(ServiceTest):
    def assert_sent_again(self, trick: Any, **options: Any) -> None:
        served, client = self.start(first(1, trick), **options)
        receipt = client.attest(disclosure())
        # On a busy machine an honest answer may be late, too.
        self.assertGreater(len(served.calls), 1)
        self.assertEqual(len({call.headers["Idempotency-Key"] for call in served.calls}), 1)
        self.assertEqual([one.core["event_id"] for one in served.chain.recorded], [receipt["event_id"]])

    def test_with_a_status_that_does_not_judge_the_call_is_sent_again(self) -> None:
        for status in (408, 429, 500, 502, 503, 504):
            with self.subTest(status):
                self.assert_sent_again(lambda call, _, status=status: call.respond(status, {}))

    def test_by_a_lost_answer_is_sent_again_and_recorded_once(self) -> None:
        def lose(call: Call, _: int) -> bool:
            call.answer()
            return True

        self.assert_sent_again(lose)

    def test_by_something_else_than_an_answer_is_sent_again(self) -> None:
        pages = [b"<html>Welcome to our network</html>", b'{"event_id":"a","event_id":"b"}', b"\xff", b""]
        for page in pages:
            with self.subTest(page):
                self.assert_sent_again(lambda call, _, page=page: call.respond(200, page))
        for cut in (b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{", b"HTTP/1.1 2", b"SSH-2.0-x\r\n"):
            with self.subTest(cut):
                self.assert_sent_again(lambda call, _, cut=cut: call.raw(cut))

    def test_by_a_huge_answer_is_sent_again(self) -> None:
        self.assert_sent_again(lambda call, _: call.respond(200, b'"' + b"x" * (9 * 1024 * 1024) + b'"'))

        def endless(call: Call, _: int) -> bool:
            call.raw(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                call.raw(b" " * 65_536)

        self.assert_sent_again(endless)

    def test_by_an_answer_that_takes_too_long_to_its_last_byte_is_sent_again(self) -> None:
        def drip(start: bytes) -> Any:
            def trick(call: Call, _: int) -> bool:
                call.raw(start)
                while True:
                    time.sleep(0.1)
                    call.raw(b"x")

            return trick

        for start in (b"", b"HTTP/1.1 200 OK\r\nX-Slow: ", b"HTTP/1.1 200 OK\r\n\r\n"):
            with self.subTest(start):
                self.assert_sent_again(drip(start), timeout=0.6, attempts=30)

    def test_for_good_says_what_the_service_said_and_with_which_key_to_try_again(self) -> None:
        problem = {"title": "The service can't answer now", "status": 503}
        served, client = self.start(lambda call, _: call.respond(503, problem, {"Retry-After": "60"}))
        error = self.failure("undeliverable", client.attest, disclosure())
        self.assertEqual((error.status, error.retry_after, error.evidence), (503, 60.0, problem))
        self.assertEqual(error.idempotency_key, served.calls[0].headers["Idempotency-Key"])
        self.assertEqual(len(served.calls), 1)
        error = self.failure("undeliverable", Client(NOBODY, API_KEY, attempts=2).attest, disclosure())
        self.assertIsNone(error.status)
        self.assertIsInstance(error.__cause__, OSError)

    def test_for_good_is_given_up_after_so_many_attempts_or_at_the_deadline_of_a_silent_network(self) -> None:
        served, client = self.start(lambda call, _: call.respond(503, {}), attempts=3)
        error = self.failure("undeliverable", client.attest, disclosure())
        self.assertEqual((error.status, error.retry_after, len(served.calls)), (503, 0.0, 3))
        _, client = self.start(silent, deadline=0.15, timeout=60.0, attempts=1_000)
        self.assertIsNone(self.failure("undeliverable", client.attest, disclosure()).status)

    def test_for_good_leaves_its_key_to_the_caller_who_gets_the_receipt_with_it_later(self) -> None:
        served, client = self.start(first(2, lambda call, _: bool(call.answer())), attempts=2)
        key = self.failure("undeliverable", client.attest, disclosure()).idempotency_key
        receipt = client.attest(disclosure(), idempotency_key=key)
        self.assertEqual({call.headers["Idempotency-Key"] for call in served.calls}, {key})
        self.assertEqual([one.core["event_id"] for one in served.chain.recorded], [receipt["event_id"]])

    def test_by_a_name_that_nobody_looks_up_is_given_up_at_the_deadline(self) -> None:
        _, client = self.start(attempts=1, deadline=0.3)
        answered = threading.Event()
        self.addCleanup(answered.set)
        begun = time.monotonic()
        with patch("socket.getaddrinfo", side_effect=lambda *_, **__: answered.wait(20.0) and []):
            with self.assertRaises(ClientError) as caught:
                client.attest(disclosure())
        self.assertEqual(caught.exception.code, "undeliverable")
        self.assertLess(time.monotonic() - begun, 10.0)

    def test_is_none_where_informational_answers_come_before_the_receipt(self) -> None:
        early = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"

        def trick(call: Call, _: int) -> bool:
            call.raw(b"HTTP/1.1 100 Continue\r\n\r\n" + early + b"HTTP/1.1 102 Processing\r\n\r\n" + early)
            return False

        served, client = self.start(trick, attempts=1)
        self.assertEqual(client.attest(disclosure())["receipts"][0]["sequence"], 0)
        self.assertEqual(len(served.calls), 1)

    def test_with_a_refusal_or_a_redirect_is_final(self) -> None:
        elsewhere = self.serve()
        for status in (301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 413, 415, 422):
            headers = {"Location": elsewhere.url} if status < 400 else {}
            said = {"title": "No" * 500}
            served, client = self.start(lambda call, _: call.respond(status, said, headers))
            error = self.failure("refused", client.attest, disclosure())
            self.assertEqual((error.status, error.evidence, len(served.calls)), (status, said, 1))
            self.assertEqual(str(error), f"the service refused: {status}, {'No' * 100}")
        self.assertEqual(elsewhere.calls, [])

    def test_moves_no_cursor_of_whoever_reads_it(self) -> None:
        _, client = self.start(lambda call, _: call.respond(400, {"title": "\x1b[2J\u202eno"}))
        error = self.failure("refused", client.attest, disclosure())
        self.assertEqual(str(error), "the service refused: 400, \\u{1b}[2J\\u{202e}no")
        told: list[str] = []
        warned = {"Disclosure-Warning": "\x1b[2Jno"}
        _, client = self.start(lambda call, _: call.respond(200, call.answer(), warned), on_warning=told.append)
        client.attest(disclosure())
        self.assertEqual(told, ["\\u{1b}[2Jno"])


class AServiceOfSeveralAddresses(ServiceTest):
    def test_is_reached_though_its_first_address_is_of_a_dead_network(self) -> None:
        served, client = self.start(attempts=1)
        dead = socket.socket()
        self.addCleanup(dead.close)
        # It listens to nobody, and so refuses.
        dead.bind(("127.0.0.1", 0))
        addresses = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", address)
            for address in (dead.getsockname(), ("127.0.0.1", served.server_address[1]))
        ]
        with patch("socket.getaddrinfo", return_value=addresses):
            client.attest(disclosure())


class ACallThatIsCancelled(ServiceTest):
    def test_ends_while_it_waits_for_an_answer_and_while_it_pauses(self) -> None:
        for status in (None, 503):
            cancellation = Cancellation()

            def trick(call: Call, _: int) -> bool:
                if status:
                    call.respond(status, {}, {"Retry-After": "20"})
                cancellation.cancel()
                while not status:
                    time.sleep(0.05)
                    call.raw(b"H")
                return True

            served, client = self.start(trick)
            with self.assertRaises(Cancelled):
                client.attest(disclosure(), cancellation=cancellation)
            self.assertEqual(len(served.calls), 1)

    def test_sends_nothing_where_it_was_cancelled_before(self) -> None:
        served, client = self.start()
        cancellation = Cancellation()
        cancellation.cancel()
        with self.assertRaises(Cancelled):
            client.attest(disclosure(), cancellation=cancellation)
        self.assertEqual(served.calls, [])


class Options(ServiceTest):
    def test_that_are_wrong_are_refused_by_name(self) -> None:
        wrong: list[tuple[str, dict[str, Any]]] = [
            *(("base_url", {"base_url": url}) for url in ("", "ftp://a", "https://", "https://a:b@c", "https://a/v1")),
            *(("base_url", {"base_url": url}) for url in ("https://a?b", "https://a#b", "https://a:99999", None)),
            *(("base_url", {"base_url": url}) for url in ("https://a..b", f"https://{'a' * 64}.de")),
            *(("api_key", {"api_key": key}) for key in ("", "a b", "key\n", "ü", None)),
            *(("attempts", {"attempts": value}) for value in (0, -1, 1.5, "5", True)),
            *(("timeout", {"timeout": value}) for value in (0, -1, float("nan"), "1", 10**9)),
            ("trust_anchors", {"trust_anchors": "no certificate"}),
            ("on_warning", {"on_warning": 1}),
            ("tls", {"tls": "none"}),
        ]
        for name, change in wrong:
            with self.subTest(f"{change}"):
                options = {"base_url": "https://a.example", "api_key": API_KEY, **change}
                error = self.failure("invalid_options", lambda: Client(**options))
                self.assertTrue(str(error).startswith(f"{name}: "), str(error))

    def test_of_tls_can_not_turn_its_checks_off(self) -> None:
        import ssl

        context = ssl.create_default_context()
        context.check_hostname = False
        self.failure("invalid_options", Client, "https://a.example", API_KEY, tls=context)

    def test_keep_a_path_and_the_key_to_themselves(self) -> None:
        served = self.serve(lambda call, _: call.respond(404, {}))
        client = Client(f"{served.url}/stage/", API_KEY)
        self.failure("refused", client.attest, disclosure())
        self.assertEqual(served.calls[0].path, "/stage/v1/attestation")
        self.assertNotIn(API_KEY, f"{client!r}{client}{vars(client)}")


class RetryAfter(unittest.TestCase):
    NOW = 1_795_262_400.0  # 2026-11-21T12:00:00Z

    def test_is_read_in_seconds_and_as_a_date(self) -> None:
        expected = [
            ("0", 0), ("7", 7), (" 120 ", 120), ("999999999", MAX_RETRY_AFTER), ("9999999999", 0), ("1.5", 0),
            ("-1", 0), ("in 5 minutes", 0), ("", 0), (None, 0), ("Sat, 21 Nov 2026 12:00:10 GMT", 10),
            ("Sat, 21 Nov 2026 11:59:00 GMT", 0), ("Sat, 21 Nov 2036 12:00:00 GMT", MAX_RETRY_AFTER),
            ("Sat, 99 Nov 2026 12:00:10 GMT", 0),
        ]  # fmt: skip
        for value, seconds in expected:
            self.assertEqual(read_retry_after(value, None, self.NOW), seconds, value)

    def test_as_a_date_counts_from_the_services_own_clock(self) -> None:
        dates = "Fri, 20 Nov 2026 12:00:03 GMT", "Fri, 20 Nov 2026 12:00:00 GMT"
        self.assertEqual(read_retry_after(*dates, self.NOW), 3)


class AReport(ServiceTest):
    def test_is_asked_for_as_it_is_or_under_the_newest_head(self) -> None:
        served, client = self.start()
        receipt = client.attest(disclosure())
        path = f"/v1/attestation/{receipt['event_id']}"
        self.assertEqual(client.report(receipt["event_id"]), receipt)
        self.assertEqual(client.report(receipt["event_id"], as_of="newest"), receipt)
        self.assertEqual([call.path for call in served.calls[1:]], [path, f"{path}?as_of=newest"])


class TheAsyncClient(unittest.IsolatedAsyncioTestCase, ServiceTest):
    async def test_makes_the_same_calls(self) -> None:
        served = self.serve()
        async with AsyncClient(served.url, API_KEY) as client:
            receipt = await client.attest(disclosure(), idempotency_key="one")
            self.assertEqual(await client.report(receipt["event_id"]), receipt)
            self.assertEqual(await client.report(receipt["event_id"], as_of="newest"), receipt)
            self.assertTrue(served.calls[-1].path.endswith("?as_of=newest"))
            served.chain.page_turns = 1
            await client.attest(disclosure())
            whole = await client.interaction(disclosure()["interaction_id"])
            pages = [page async for page in client.interaction_pages(disclosure()["interaction_id"])]
            self.assertEqual((len(whole["receipts"]), len(pages)), (2, 2))
            await client.remember(client.newest[0])

    async def test_ends_the_call_of_a_task_that_is_cancelled(self) -> None:
        import asyncio

        task: "asyncio.Task[Any] | None" = None
        loop = asyncio.get_running_loop()
        ended: list[bool] = []

        def trick(call: Call, _: int) -> bool:
            loop.call_soon_threadsafe(lambda: task and task.cancel())
            while True:
                time.sleep(0.05)
                try:
                    call.raw(b"H")
                except OSError:
                    ended.append(True)
                    return True

        served = self.serve(trick)
        async with AsyncClient(served.url, API_KEY) as client:
            task = asyncio.create_task(client.attest(disclosure()))
            with self.assertRaises(asyncio.CancelledError):
                await task
            while not ended:
                await asyncio.sleep(0.05)
        self.assertEqual(len(served.calls), 1)


if __name__ == "__main__":
    unittest.main()
