"""OpenAI's Realtime API as far as a session needs it: over a WebSocket of this machine, with a model that says what it is
told, or not.
"""

import asyncio
import base64
import json
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

from agents.realtime import RealtimeAgent, RealtimeRunner, RealtimeSession
from disclosure_receipts.adapters.core import Disclosure
from disclosure_receipts.adapters.openai_agents import DEFAULT_BYTES_PER_SECOND, RealtimeDisclosure
from websockets.asyncio.server import ServerConnection, serve

from .conversations import AUDIO

SPEECH_SECONDS = 0.3


@dataclass
class Model:
    """words: what it says in place of the text that it is told to say. cuts: how often the caller speaks meanwhile.
    refusals: how often the server has no response for it. line: over a telephone the server tells what its buffer has
    played; over a WebSocket it sends the audio, or none. before: how many seconds of another response are still played.
    """

    words: str | None = None
    status: Literal["completed", "failed", "cancelled"] = "completed"
    cuts: int = 0
    refusals: int = 0
    line: Literal["websocket", "telephone", "silent"] = "websocket"
    before: int = 0


class Api:
    def __init__(self) -> None:
        self.model = Model()
        self._numbers = count()

    async def __aenter__(self) -> "Api":
        self._server = await serve(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def connect(self, *desks: RealtimeAgent[Any]) -> RealtimeSession:
        """desks: the agents that the first one may hand over to."""
        runner = RealtimeRunner(RealtimeAgent(name="reception", handoffs=list(desks)))
        session = await runner.run(model_config={"api_key": "no-key", "url": self.url})
        return await session.enter()

    async def call_tool(self, name: str) -> None:
        """The model calls a tool of the session, such as that of a hand-off."""
        call = {"id": "call", "call_id": "call-1", "type": "function_call", "name": name, "arguments": "{}"}
        await self._respond({**call, "status": "completed"})

    async def _respond(self, *items: dict[str, Any]) -> None:
        """A response that says nothing."""
        response = {"id": f"response-{next(self._numbers)}", "object": "realtime.response", "output": []}
        place = {"response_id": response["id"], "output_index": 0}
        await self._tell({"type": "response.created", "response": {**response, "status": "in_progress"}})
        for item in items:
            await self._tell({"type": "response.output_item.done", **place, "item": item})
        await self._tell({"type": "response.done", "response": {**response, "status": "completed"}})

    async def _tell(self, event: dict[str, Any]) -> None:
        await self._connection.send(json.dumps({"event_id": "event", **event}))

    async def _serve(self, connection: ServerConnection) -> None:
        self._connection = connection
        async for text in connection:
            event = json.loads(text)
            if event["type"] != "response.create":
                continue
            self.model.refusals -= 1
            if self.model.refusals >= 0:
                reason = {"type": "invalid_request_error", "code": "conversation_already_has_active_response"}
                await self._tell({"type": "error", "error": {**reason, "message": "", "event_id": event["event_id"]}})
            elif "response" in event:
                await self._speak(f"response-{next(self._numbers)}", event["response"])
            else:
                # The session asks for it by itself once a tool has answered.
                await self._respond()

    async def _speak(self, name: str, asked: dict[str, Any]) -> None:
        model, tell = self.model, self._tell
        place = {"response_id": name, "item_id": f"item-of-{name}", "output_index": 0, "content_index": 0}
        response = {"id": name, "object": "realtime.response", "metadata": asked["metadata"], "output": []}
        transcript = model.words or asked["instructions"].split("\n\n")[1]
        model.cuts -= 1
        is_cut = model.cuts >= 0
        if model.before > 0:
            earlier = {**place, "response_id": f"before-{name}", "item_id": f"item-before-{name}"}
            await tell({"type": "response.output_audio.delta", **earlier, "delta": sound(model.before)})
        await tell({"type": "response.created", "response": {**response, "status": "in_progress"}})
        if model.line == "telephone":
            await tell({"type": "output_audio_buffer.started", "response_id": name})
        elif model.line == "websocket":
            await tell({"type": "response.output_audio.delta", **place, "delta": sound(SPEECH_SECONDS)})
        await tell({"type": "response.output_audio_transcript.done", **place, "transcript": transcript})
        await tell({"type": "response.output_audio.done", **place})
        await tell({"type": "response.done", "response": {**response, "status": model.status}})
        cut_after = SPEECH_SECONDS * (2 if model.before > 0 else 1 / 4)
        await asyncio.sleep(cut_after if is_cut else SPEECH_SECONDS)
        if model.line == "telephone":
            await tell({"type": f"output_audio_buffer.{'cleared' if is_cut else 'stopped'}", "response_id": name})
        elif is_cut:
            await tell({"type": "input_audio_buffer.speech_started", "item_id": "caller", "audio_start_ms": 0})


def sound(seconds: float) -> str:
    return base64.b64encode(AUDIO * int(seconds * DEFAULT_BYTES_PER_SECOND / len(AUDIO))).decode()


async def talk(disclosure: Disclosure) -> None:
    async with Api() as api:
        session = await api.connect()
        adapter = RealtimeDisclosure(session, disclosure)
        await adapter.introduce()
        await adapter.remind()
        await session.close()
