"""A chat with LangChain: each message has its label, and its receipt. docs/adapters/langchain.md says how to run it."""

import os

from disclosure_receipts import Client, DurableQueue
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.langchain import disclosure_label
from disclosure_receipts.adapters.statements import Wordings
from langchain_core.language_models import FakeListChatModel

model = FakeListChatModel(responses=["Wir haben von neun bis siebzehn Uhr geöffnet."])  # Yours, of any provider.
client = Client(os.environ.get("BASE_URL", "http://127.0.0.1:8787"), os.environ["API_KEY"])
queue = DurableQueue(client, ".data/langchain", lambda one, error: print(error), shared=True)
disclosure = Disclosure(queue, os.environ.get("CHAT", "chat-1"), "widgets/support", Wordings("de-chat-label-1"))
chat = model | disclosure_label(disclosure)
message = chat.invoke("Wann haben Sie geöffnet?")
print(message.text)
queue.close()
print(message.response_metadata["disclosure"])
