"""Prints what examples/verify.py says about every row of a table of vectors, as JSON: one list of checks a row."""
import json
import sys
from pathlib import Path

program, index = map(Path, sys.argv[1:])
sys.path.insert(0, str(program.parent))
sys.dont_write_bytecode = True
import verify  # noqa: E402

folder = index.parent


def known(row):
    def given(name, read):
        return verify.UNKNOWN if name not in row else None if row[name] is None else read(row[name])

    return verify.Reader(
        anchors=verify.read_anchors([folder / row["anchors"]] if "anchors" in row else []),
        request=given("request", lambda file: verify.read_request(folder / file)),
        seal=given("seal", lambda file: verify.read_seal(folder / file)),
        previous=given("previous", lambda file: verify.read_seal(folder / file)),
        published=given("published", lambda files: [verify.read_seal(folder / file) for file in files]),
    )


def judge(row):
    try:
        checks = verify.verify(verify.read_file(folder / row["file"]), known(row))
    except verify.Unreadable:
        return {"verdict": "unreadable", "failing": [], "unmade": []}
    return {
        "verdict": verify.verdict_of(checks),
        "failing": [name for name, ok, _ in checks if ok is False],
        "unmade": [name for name, ok, _ in checks if ok is None],
    }


print(json.dumps([judge(row) for row in json.loads(index.read_text())]))
