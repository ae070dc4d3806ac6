"""The extras of the package, which install the stacks for whoever asks for an adapter."""

import tomllib
import unittest
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[4]


class ExtrasTest(unittest.TestCase):
    def test_begin_with_the_versions_that_are_tested_here_which_the_page_names(self) -> None:
        project = tomllib.loads((ROOT / "clients" / "python" / "pyproject.toml").read_text())["project"]
        page = (ROOT / "docs" / "adapters" / "README.md").read_text()
        extras: dict[str, list[str]] = project["optional-dependencies"]
        self.assertEqual(set(extras), {"pipecat", "livekit", "openai-agents", "langchain"})
        for (text,) in extras.values():
            stack = Requirement(text)
            tested = version(stack.name)
            self.assertIn(f">={tested}", str(stack.specifier).split(","))
            self.assertTrue(stack.specifier.contains(tested))
            self.assertIn(f"`{stack.name}` {tested} |", page)


if __name__ == "__main__":
    unittest.main()
