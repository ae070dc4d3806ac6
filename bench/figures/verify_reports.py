"""Verifies the reports of a folder with the Python package, and prints the processor time of each run as JSON.

    PYTHONPATH=clients/python/src python3 bench/figures/verify_reports.py FOLDER RUNS

FOLDER has reports.json (a list of texts), seal.json and anchors.pem.
"""

import json
import sys
import time
from pathlib import Path

from disclosure_receipts.verify.evidence import verify
from disclosure_receipts.verify.files import read_pem
from disclosure_receipts.verify.json_input import read_json
from disclosure_receipts.verify.kinds import read_evidence
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.verdict import DOES_NOT_HOLD, verdict_of


def main(folder: Path, runs: int) -> None:
    texts = [text.encode() for text in json.loads((folder / "reports.json").read_bytes())]
    seal = read_json((folder / "seal.json").read_bytes())
    took = []
    for _ in range(runs):
        # Each run verifies the token anew, and remembers it for the reports that share it.
        reader = Reader(authorities=read_pem((folder / "anchors.pem").read_text()), published={seal["index"]: seal})
        start = time.process_time()
        for text in texts:
            if verdict_of(verify(read_evidence(read_json(text)), reader)) == DOES_NOT_HOLD:
                raise SystemExit("a report does not hold")
        took.append(time.process_time() - start)
    print(json.dumps({"seconds": took, "python": sys.version.split()[0]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
