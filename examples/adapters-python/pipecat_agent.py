"""A Pipecat agent that introduces itself, and records that it was heard. docs/adapters/pipecat.md says how to run it."""

import os

from disclosure_receipts import Client, DurableQueue
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.pipecat import PipecatDisclosure
from disclosure_receipts.adapters.statements import Wordings
from pipecat.pipeline.worker import PipelineWorker

client = Client(os.environ.get("BASE_URL", "http://127.0.0.1:8787"), os.environ["API_KEY"])
queue = DurableQueue(client, ".data/pipecat", lambda one, error: print(error), shared=True)
wordings = Wordings("de-voice-in-introduction-1", handoff="de-voice-handoff-ai-1")


def answer(worker: PipelineWorker, call_id: str) -> PipecatDisclosure:
    """To be called with the worker before it runs. Await `introduce()` of what it returns once somebody is there."""
    disclosure = Disclosure(
        queue, call_id, "agents/reception", wordings, operator="das Haus am Hafen", on_receipt=print, on_missed=print
    )
    return PipecatDisclosure(worker, disclosure)
