"""The test vectors, which all verifiers share."""

from pathlib import Path
from typing import Any

from disclosure_receipts.verify.files import read_bytes
from disclosure_receipts.verify.json_input import read_json

EVIDENCE = Path(__file__).parents[4] / "test" / "vectors" / "evidence"


def evidence(name: str) -> Any:
    return read_json(read_bytes(str(EVIDENCE / name)))
