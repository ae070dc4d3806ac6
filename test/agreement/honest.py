"""Runs the verifier in clients/python/ for each row on standard input, a list in JSON of arguments and clocks, as the program
does: exit status and output of each."""
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from disclosure_receipts.verify import options, program

NANOSECONDS = 1_000_000


def run(row):
    out, err = StringIO(), StringIO()
    options.time_ns = lambda: row["now"] * NANOSECONDS
    with redirect_stdout(out), redirect_stderr(err):
        status = program.main(row["args"])
    return {"status": status, "stdout": out.getvalue(), "stderr": err.getvalue()}


print(json.dumps([run(row) for row in json.load(sys.stdin)]))
