"""A program with a queue, for a test to kill: puts numbered disclosures of one conversation in, and prints the number
of each that is safe on disk.
"""

import sys

from disclosure_receipts import Client, DurableQueue, hash_wording

from .service import DISCLOSURE

PATIENCE = 120.0


def main(base_url: str, api_key: str, folder: str, first: int, count: int) -> None:
    queue = DurableQueue(
        Client(base_url, api_key), folder, lambda _, error: print(f"handed over: {error.code}", flush=True)
    )
    for number in range(first, first + count):
        request = {**DISCLOSURE, "interaction_id": "killed", "subject_hash": hash_wording(f"wording {number}")}
        if queue.add(request).result(PATIENCE):
            print(number, flush=True)
    queue.flush(PATIENCE)
    queue.close()
    print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
