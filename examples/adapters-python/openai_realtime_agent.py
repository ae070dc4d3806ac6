"""A realtime agent that introduces itself, and records that it was heard. docs/adapters/openai-realtime.md says how to
run it.
"""

import os

from agents.realtime import RealtimeSession
from disclosure_receipts import Client, DurableQueue
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.openai_agents import RealtimeDisclosure
from disclosure_receipts.adapters.statements import Wordings

client = Client(os.environ.get("BASE_URL", "http://127.0.0.1:8787"), os.environ["API_KEY"])
queue = DurableQueue(client, ".data/openai-realtime", lambda one, error: print(error), shared=True)
wordings = Wordings("de-voice-in-introduction-1", handoff="de-voice-handoff-ai-1")


def answer(session: RealtimeSession, call_id: str) -> RealtimeDisclosure:
    """To be called once the session is connected. Await `introduce()` of what it returns, and read its `events()`."""
    disclosure = Disclosure(
        queue, call_id, "agents/reception", wordings, operator="das Haus am Hafen", on_receipt=print, on_missed=print
    )
    return RealtimeDisclosure(session, disclosure)
