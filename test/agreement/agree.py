"""Says what examples/verify.py finds for each row on standard input, a list in JSON; one verdict a row on standard
output. The rows are those of rows.ts."""
import json
import sys
from pathlib import Path

(program,) = sys.argv[1:]
sys.path.insert(0, str(Path(program).parent))
sys.dont_write_bytecode = True
import verify  # noqa: E402


def read(file):
    return verify.read_json(verify.read_bytes(file))


def known(row):
    return verify.Reader(
        authorities=verify.read_anchors([row["anchors"]] if "anchors" in row else []),
        requests=verify.by_digest([read(row["request"])] if "request" in row else []),
        published={int(index): file and read(file) for index, file in row["published"].items()},
        now=row["now"],
        policy=verify.read_policy(verify.read_bytes(row["policy"]).decode()) if "policy" in row else None,
    )


def judge(row):
    result = verify.verify_file(row["file"], known(row))
    return {
        "verdict": result.verdict,
        "failing": [check.name for check in result.checks if check.ok is False],
        "unmade": [check.name for check in result.checks if check.ok is None],
    }


print(json.dumps([judge(row) for row in json.load(sys.stdin)]))
