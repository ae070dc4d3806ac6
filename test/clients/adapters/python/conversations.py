"""Conversations of a test with the stack of BASE_URL and API_KEY, and what their owner is told."""

import os
import unittest
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from disclosure_receipts import Cancellation, Client, ClientError, DurableQueue
from disclosure_receipts.adapters.core import Disclosure, Missed, Recorded
from disclosure_receipts.adapters.statements import Wordings

# The agents speak for the one, and to the other. The names are said, and must get nowhere.
OPERATOR = "Praxis Doktor Geheimrat"
CALLER = "Frau Geheim"
# All voices sound alike: samples that are found again in whatever they got into.
AUDIO = b"geheimer Ton "
VOICE = Wordings("de-voice-in-introduction-1", "de-voice-repeat-1", "de-voice-reminder-3", "de-voice-handoff-ai-1")
CHAT = Wordings("de-chat-label-1")
# A port that no service has: only a privileged program could.
NOBODY = "http://127.0.0.1:2"
# A busy machine may be slow, and what is tested is not how fast it is.
PATIENCE = 120.0
INTRODUCED = (1, "spoken_introduction", "ALLOW", "agents/reception")
REMINDED = (2, "spoken_reminder", "ALLOW", "agents/reception")


class Line:
    """The way to the service, which may be down: nobody listens there then."""

    def __init__(self, client: Client) -> None:
        self.is_up = True
        self._up, self._down = client, Client(NOBODY, "no-key", attempts=1)

    def attest(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> dict[str, Any]:
        client = self._up if self.is_up else self._down
        return client.attest(request, idempotency_key=idempotency_key, cancellation=cancellation)


class ConversationTest(unittest.IsolatedAsyncioTestCase):
    """One conversation each. Its queue's file stays in QUEUE_FOLDER, where the caller looks for what must not be there."""

    wordings = VOICE
    interruptible = False

    def setUp(self) -> None:
        self.name = str(uuid4())
        self.client = Client(os.environ["BASE_URL"], os.environ["API_KEY"])
        folder = Path(os.environ["QUEUE_FOLDER"]) / self.name
        self.problems: list[Exception] = []
        self.missed: list[Missed] = []
        self.recorded: list[Recorded] = []
        self.line = Line(self.client)
        self.queue = DurableQueue(self.line, folder, lambda _, error: self.problems.append(error))
        self.addCleanup(self.queue.close)

    def converse(self, **options: Any) -> Disclosure:
        return Disclosure(
            self.queue,
            self.name,
            "agents/reception",
            options.pop("wordings", self.wordings),
            operator=OPERATOR,
            on_missed=self.missed.append,
            on_receipt=self.recorded.append,
            on_error=self.problems.append,
            **options,
        )

    async def say_while_the_service_is_down(self, *sayings: Callable[[], Awaitable[object]]) -> None:
        """Says one after the other, none of which waits for the service, and then the service is back."""
        self.line.is_up = False
        for say in sayings:
            await say()
        self.assertEqual((self.recorded, self.queue.size), ([], len(sayings)))
        self.line.is_up = True

    @property
    def missed_told(self) -> list[tuple[str, bool]]:
        return [(one.reason, one.will_repeat) for one in self.missed]

    def receipts(self) -> list[tuple[int, str, str, str]]:
        """Each turn's number, method, verdict and agent. None where nothing was recorded."""
        self.assertTrue(self.queue.flush(PATIENCE))
        try:
            bundle = self.client.interaction(self.name)
        except ClientError as error:
            self.assertEqual((error.code, error.status), ("refused", 404))
            return []
        told = zip(bundle["receipts"], bundle["requests"], strict=True)
        return [
            (one["turn"], one["disclosure"]["disclosure_method"], one["verdict"], request["agent_identity"])
            for one, request in told
        ]
