"""`python3 -m oracle RUN_DIR`: judges a run of the hammer, and says what it found.

The exit status is 0 if nothing was found, 1 if something was, 2 if the run can't be judged.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from pathlib import Path

from .evidence.run import CannotRun, read_run
from .evidence.service import Unreachable
from .findings import Findings
from .judge import Judge
from .progress import Progress
from .table import table_of

FOUND_NOTHING, FOUND, CANNOT_RUN = 0, 1, 2
REPORTS_BY_DEFAULT = 2000
RESULT = "oracle.json"


def main(arguments: list[str]) -> int:
    """Judges, writes oracle.json and prints the table, or the same as JSON."""
    parser = argparse.ArgumentParser(prog="oracle", description="Judges a run of the hammer by the documents alone.")
    parser.add_argument("run", type=Path, metavar="RUN_DIR", help="the folder with run.json and calls.jsonl")
    parser.add_argument("--sample", type=_count, default=REPORTS_BY_DEFAULT, help="how many reports are verified")
    parser.add_argument("--json", action="store_true", help="print the result as JSON in place of the table")
    given = parser.parse_args(arguments)
    progress = Progress()
    try:
        run = read_run(given.run)
        if not (given.run / "calls.jsonl").is_file():
            raise CannotRun("there is no calls.jsonl")
        findings = Judge(run, given.run, given.sample, progress).judge()
    except (CannotRun, Unreachable) as error:
        progress.end()
        print(f"oracle: {error}", file=sys.stderr)
        return CANNOT_RUN
    except Exception:
        # Python would end with 1, which stands for findings.
        progress.end()
        traceback.print_exc()
        return CANNOT_RUN
    progress.end()
    _report(findings, given.run, given.json)
    return FOUND_NOTHING if findings.holds else FOUND


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def _report(findings: Findings, folder: Path, as_json: bool) -> None:
    verdict = "nothing found" if findings.holds else "findings"
    result = {"checks": [check.as_json() for check in findings.checks], "verdict": verdict}
    text = json.dumps(result, indent=2, ensure_ascii=False) + "\n"
    (folder / RESULT).write_text(text, "utf-8")
    sys.stdout.write(text if as_json else table_of(findings, verdict))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
