"""A LiveKit agent that introduces itself, and records that it was heard: docs/adapters/livekit.md has the steps."""

import os

from disclosure_receipts import Client, DurableQueue
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.livekit import LiveKitDisclosure
from disclosure_receipts.adapters.statements import Wordings
from livekit.agents import Agent, AgentSession, JobContext

wordings = Wordings("de-voice-in-introduction-1", handoff="de-voice-handoff-ai-1")


async def answer(ctx: JobContext, session: AgentSession[None]) -> None:
    """To be called by the agent's entry, with the session that it made."""
    client = Client(os.environ.get("BASE_URL", "http://127.0.0.1:8787"), os.environ["API_KEY"])
    queue = DurableQueue(client, ".data/livekit", lambda one, error: print(error), shared=True)

    async def end() -> None:
        await queue.aclose()

    ctx.add_shutdown_callback(end)
    await session.start(Agent(instructions=""), room=ctx.room)
    disclosure = Disclosure(
        queue, ctx.job.id, "agents/reception", wordings, operator="das Haus am Hafen", on_receipt=print, on_missed=print
    )
    await LiveKitDisclosure(session, disclosure).introduce()
