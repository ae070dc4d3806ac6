"""The program: its commands, its exit statuses, and that it needs nothing but the standard library."""

import ast
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import disclosure_receipts
from disclosure_receipts import __version__

from .support.chain import FakeChain
from .support.service import disclosure

SOURCES = Path(__file__).parents[1] / "src" / "disclosure_receipts"
MAX_LINES, MAX_FUNCTION_LINES, MAX_WIDTH = 250, 40, 120


# Each adapter imports the stack that it is for, and a program that traces has that one.
STACKS = {
    "adapters/pipecat.py": {"pipecat"},
    "adapters/livekit.py": {"livekit"},
    "adapters/openai_agents.py": {"agents"},
    "adapters/langchain.py": {"langchain_core"},
    "adapters/spans.py": {"opentelemetry"},
}
# `requires-python`. mypy looks for younger names in modules that are older: its python_version is the same.
OLDEST = (3, 10)
YOUNGER_MODULES = {"tomllib", "annotationlib", "compression"}


def imported_by(file: Path) -> set[str]:
    """The modules that a file names, but for those of this package."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def run(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "disclosure_receipts", *arguments]
    ended = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    return ended.returncode, ended.stdout.strip(), ended.stderr


class TheProgram(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.answer = FakeChain().attest(disclosure(), "one")

    def file(self, value: object, name: str = "receipt.json") -> str:
        file = self.folder / name
        file.write_text(json.dumps(value), "utf-8")
        return str(file)

    def test_verifies(self) -> None:
        receipt, request = self.file(self.answer), self.file(disclosure(), "request.json")
        status, said, _ = run("verify", receipt, "--request", request)
        self.assertEqual(status, 0)
        self.assertRegex(said, r"(?m)^  holds +input_hash$")
        self.answer["receipts"][0]["verdict"] = "BLOCK"
        self.assertEqual(run("verify", self.file(self.answer))[0], 1)
        self.assertEqual(run("verify", self.file({}))[0], 2)
        self.assertEqual(run("verify", "-", text=json.dumps(self.answer))[0], 1)

    def test_verifies_and_hashes_where_python_has_neither_sqlite_nor_tls(self) -> None:
        receipt = self.file(self.answer)
        for arguments in (["verify", receipt], ["hash", "input", receipt], ["hash", "wording", "Büro"]):
            without = "import sys\nfor name in ('sqlite3', 'ssl', 'asyncio'): sys.modules[name] = None\n"
            code = f"{without}from disclosure_receipts.__main__ import main\nsys.exit(main({arguments!r}))"
            ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_hashes(self) -> None:
        receipt = self.answer["receipts"][0]
        self.assertEqual(run("hash", "input", self.file(disclosure()))[1], receipt["input_hash"])
        for value in (receipt, self.answer):
            self.assertEqual(run("hash", "output", self.file(value))[1], receipt["output_hash"])
        digest = run("hash", "wording", "Büro")[1]
        for end in ("", "\n", "\r\n"):
            self.assertEqual(run("hash", "wording", "--file", "-", text=f"Büro{end}")[1], digest)
        self.assertEqual(run("hash", "output", self.file({}))[0], 2)
        status, _, said = run("hash", "output", self.file({"receipts": [receipt, receipt]}))
        self.assertEqual((status, "several receipts" in said), (2, True))
        self.assertEqual(run("hash", "wording")[0], 2)
        self.assertIn("\\u{1b}[2J.json: there is no such file", run("hash", "output", "\x1b[2J.json")[2])

    def test_names_the_file_that_could_not_be_read(self) -> None:
        receipt, other = self.file(self.answer), self.file({}, "other.json")
        for option in ("--seal", "--request", "--layer", "--policy", "--tsa-ca"):
            status, _, said = run("verify", receipt, option, f"{other}.missing")
            self.assertEqual((status, f"{other}.missing: there is no such file" in said), (2, True), option)
        for option in ("--seal", "--layer", "--policy"):
            self.assertIn(f"{other}: ", run("verify", receipt, option, other)[2], option)
        for arguments in (["input", f"{other}.missing"], ["output", other], ["wording", "--file", f"{other}.missing"]):
            status, _, said = run("hash", *arguments)
            self.assertEqual((status, f"{arguments[-1]}: " in said), (2, True), arguments)

    def test_helps_and_says_its_version(self) -> None:
        for arguments in ((), ("verify",), ("hash",)):
            status, said, _ = run(*arguments, "--help")
            self.assertEqual((status, said[:26]), (0, "usage: disclosure-receipts"))
        self.assertEqual(run("--version")[1], __version__)
        self.assertEqual(run("no-command")[0], 2)


class TheSources(unittest.TestCase):
    def test_import_nothing_but_the_standard_library_and_each_adapter_its_stack(self) -> None:
        for file in SOURCES.rglob("*.py"):
            others = imported_by(file) - set(sys.stdlib_module_names)
            self.assertEqual(others, STACKS.get(file.relative_to(SOURCES).as_posix(), set()), file)

    def test_are_in_the_words_of_the_oldest_python(self) -> None:
        for file in SOURCES.rglob("*.py"):
            ast.parse(file.read_text("utf-8"), feature_version=OLDEST)
            self.assertEqual(imported_by(file) & YOUNGER_MODULES, set(), file)

    def test_of_the_verifier_import_nothing_of_the_client(self) -> None:
        for file in (SOURCES / "verify").rglob("*.py"):
            depth = len(file.relative_to(SOURCES / "verify").parts)
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    self.assertLessEqual(node.level, depth, file)

    def test_give_every_name_that_they_say(self) -> None:
        for name in disclosure_receipts.__all__:
            self.assertIsNotNone(getattr(disclosure_receipts, name), name)
        self.assertFalse(hasattr(disclosure_receipts, "Clinet"))

    def test_are_short_and_say_what_they_are(self) -> None:
        for file in SOURCES.rglob("*.py"):
            text = file.read_text("utf-8")
            tree = ast.parse(text)
            self.assertTrue(ast.get_docstring(tree), file)
            self.assertLessEqual(len(text.splitlines()), MAX_LINES, file)
            self.assertEqual([line for line in text.splitlines() if len(line) > MAX_WIDTH], [], file)
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.assertLessEqual((node.end_lineno or 0) - node.lineno, MAX_FUNCTION_LINES, node.name)


if __name__ == "__main__":
    unittest.main()
