"""The examples of the adapters in Python, run as they stand, each with its stack."""

import ast
import asyncio
import importlib.util
import io
import os
import unittest
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from pipecat.frames.frames import EndFrame

from . import livekit_parts, pipecat_parts
from .conversations import INTRODUCED, ConversationTest
from .openai_agents_parts import Api

EXAMPLES = Path(__file__).parents[4] / "examples" / "adapters-python"
MAX_LINES = 15


def lines_of_code(path: Path) -> int:
    """All but imports, comments, docstrings and empty lines."""
    text = path.read_text()
    not_code: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (is_text or isinstance(node, (ast.Import, ast.ImportFrom))):
            not_code.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for number, line in lines if number not in not_code and line.strip() and line.strip()[0] != "#")


class ExamplesTest(ConversationTest):
    def setUp(self) -> None:
        super().setUp()
        self.printed = self.enterContext(redirect_stdout(io.StringIO()))
        self.enterContext(chdir(self.enterContext(TemporaryDirectory())))

    def load(self, name: str) -> Any:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    async def test_each_has_at_most_15_lines_of_code_after_its_imports(self) -> None:
        found = {path.name: lines_of_code(path) for path in EXAMPLES.glob("*.py")}
        self.assertEqual([name for name, lines in found.items() if lines > MAX_LINES], [])
        self.assertEqual(len(found), 4)

    async def test_pipecat_introduces_the_agent_of_a_call(self) -> None:
        example, call = self.load("pipecat_agent"), pipecat_parts.Call()
        adapter = example.answer(call.worker, self.name)
        running = await call.start()
        self.assertTrue(await adapter.introduce())
        await call.worker.queue_frame(EndFrame())
        await running
        example.queue.close()
        self.assertEqual(self.receipts(), [INTRODUCED])

    async def test_livekit_introduces_the_agent_of_a_job(self) -> None:
        call, ended = livekit_parts.Call(), list[Any]()
        job = SimpleNamespace(id=self.name)
        ctx = SimpleNamespace(job=job, room=None, add_shutdown_callback=ended.append)
        start = call.session.start
        # There is no room, and nobody to take a recording.
        with patch.object(call.session, "start", lambda agent, room: start(agent, record=False)):
            await self.load("livekit_agent").answer(ctx, call.session)
        await call.session.aclose()
        # LiveKit gives the reason to a callback that takes one; this takes none, as its type says.
        for callback in ended:
            await callback()
        self.assertEqual(self.receipts(), [INTRODUCED])

    async def test_openai_realtime_introduces_the_agent_of_a_session(self) -> None:
        example = self.load("openai_realtime_agent")
        async with Api() as api:
            session = await api.connect()
            self.assertTrue(await example.answer(session, self.name).introduce())
            await session.close()
        await asyncio.to_thread(example.queue.close)
        self.assertEqual(self.receipts(), [INTRODUCED])

    async def test_langchain_prints_a_message_with_its_label_and_its_receipt(self) -> None:
        os.environ["CHAT"] = self.name
        self.load("langchain_chat")
        self.assertEqual(self.receipts(), [(1, "visual_label", "ALLOW", "widgets/support")])
        event_id = self.client.interaction(self.name)["receipts"][0]["event_id"]
        self.assertIn("KI-System, kein Mensch\n\nWir haben", self.printed.getvalue())
        self.assertIn(event_id, self.printed.getvalue())


if __name__ == "__main__":
    unittest.main()
