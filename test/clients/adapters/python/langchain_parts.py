"""A model of LangChain that needs no network: it says what it is told, as a whole or in parts."""

from collections.abc import Iterator

from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.langchain import disclosure_label
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage


def model_of(*messages: AIMessage | str) -> GenericFakeChatModel:
    said: Iterator[AIMessage | str] = iter(messages)
    return GenericFakeChatModel(messages=said)


async def talk(disclosure: Disclosure) -> None:
    chat = model_of("Hallo.", "Gern.") | disclosure_label(disclosure)
    for question in ("eins", "zwei"):
        await chat.ainvoke(question)
