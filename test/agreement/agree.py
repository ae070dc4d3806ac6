"""Says what the verifier in clients/python/ finds for each row on standard input, a list in JSON; one verdict a row on standard
output, or all checks with the argument `checks`. The rows are those of rows.ts, and may have the folders of a history and a log."""
import json
import sys

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.evidence import verify
from disclosure_receipts.verify.history_files import read_tenant_history
from disclosure_receipts.verify.files import read_bytes, read_certificates
from disclosure_receipts.verify.json_input import read_json
from disclosure_receipts.verify.kinds import read_evidence
from disclosure_receipts.verify.log_policy import read_policy
from disclosure_receipts.verify.public_log import walk_log
from disclosure_receipts.verify.reader import Reader, by_digest
from disclosure_receipts.verify.session.session import chains_in
from disclosure_receipts.verify.timestamps.authorities import Authorities
from disclosure_receipts.verify.verdict import UNREADABLE, verdict_of


def read(file):
    return read_json(read_bytes(file))


def known(row):
    return Reader(
        authorities=read_certificates(read_bytes(row["anchors"])) if "anchors" in row else Authorities(),
        requests=by_digest([read(row["request"])] if "request" in row else []),
        published={int(index): file and read(file) for index, file in row["published"].items()},
        now=row["now"],
        layers=by_digest(read(file) for file in row.get("layers", ())),
        policy=read_policy(read_bytes(row["policy"]).decode()) if "policy" in row else None,
    )


def judge(row):
    reader = known(row)
    try:
        checks = verify(read_evidence(read(row["file"])), reader)
    except Unreadable:
        return {"verdict": UNREADABLE, "failing": [], "unmade": []}
    return {
        "verdict": verdict_of(checks),
        "failing": [check.name for check in checks if check.ok is False],
        "unmade": [check.name for check in checks if check.ok is None],
    }


def checks(row):
    evidence = read_evidence(read(row["file"]))
    history = read_tenant_history(row["history"], None) if "history" in row else None
    wanted = {*chains_in(evidence), *(history.to_look_for() if history else ())}
    walk = walk_log(row["log"], wanted) if "log" in row else None
    return [check._asdict() for check in verify(evidence, known(row)._replace(history=history, walk=walk))]


answer = checks if sys.argv[1:] == ["checks"] else judge
print(json.dumps([answer(row) for row in json.load(sys.stdin)]))
