"""Attests with the client in Python, for a test that checks what comes of it: prints one JSON document.

python3 attest.py BASE_URL PEM_FILE REQUEST REQUEST_FOR_THE_QUEUE FOLDER, with the key on standard input.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from disclosure_receipts import AsyncClient, Client, DurableQueue

PATIENCE = 120.0


async def attest(url: str, key: str, pem: str, request: Any) -> dict[str, Any]:
    async with AsyncClient(url, key, trust_anchors=pem) as client:
        receipt = await client.attest(request)
        report = await client.sealed(receipt["event_id"], timeout=PATIENCE)
        bundle = await client.interaction(request["interaction_id"])
        rows = [row["event_id"] async for row in client.receipts()]
        return {"receipt": receipt, "report": report, "bundle": bundle, "rows": rows}


def attest_by_queue(url: str, key: str, request: Any, folder: str) -> list[str]:
    told: list[str] = []
    queue = DurableQueue(
        Client(url, key),
        folder,
        lambda _, error: told.append(error.code),
        on_receipt=lambda receipt, _: told.append(receipt["event_id"]),
    )
    for _ in range(5):
        queue.add(request)
    queue.flush(PATIENCE)
    queue.close()
    return told


def main(url: str, pem: str, request: str, queued: str, folder: str) -> None:
    key = sys.stdin.read().strip()
    found = asyncio.run(attest(url, key, Path(pem).read_text("ascii"), json.loads(request)))
    print(json.dumps({**found, "queued": attest_by_queue(url, key, json.loads(queued), folder)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
