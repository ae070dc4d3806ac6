"""Checks disclosure receipts, seals and bundles as docs/receipt-format.md says, with Python's standard library alone.

    python3 -m disclosure_receipts verify FILE... [--seal FILE]... [--tsa-ca FILE]... [--request FILE]...
        [--layer FILE]... [--wording TEXT] [--strict] [--json]

A FILE is a receipt, its report, a bundle, a published root, or something that belongs to them; a folder stands for the
files of evidence in it; - is standard input. --seal is a published root, as GET /v1/metachain/roots/{index} answers;
--tsa-ca is PEM of the timestamp authorities that you trust; --request is the request behind a receipt; --layer is a
wording policy layer, as GET /v1/policy/layers/{digest} answers. --history is the folder with the history of the chain,
--log a mirror's folder in which its heads are looked up, and with both the turns that a bundle lacks are found.
--tenant is the fingerprint of the tenant whose chain it must be.
--policy names the log and the witnesses that you believe, --log-key the log alone: then the signed checkpoint of the
root is checked. A check for which nothing was given is not made. Several files are also checked together, as the pages
of a conversation must be. --json prints one JSON document. No key, no account, no network.

Exit status: 0 all holds as far as it could be checked; 1 something does not hold; 2 something could not be read;
3 nothing is wrong, but something that was given does not belong to the evidence or, with --strict,
a check that matters could not be made.
"""

import sys
from io import TextIOWrapper

from .checks import Unreadable
from .json_report import report_json
from .options import inputs_of, parse_arguments
from .output import report
from .printable import printable
from .session.findings import Findings
from .session.listing import list_files
from .session.session import run_session
from .verdict import DOES_NOT_HOLD, HOLDS_SO_FAR, UNREADABLE


def exit_status(findings: Findings, is_strict: bool) -> int:
    verdict = findings.verdict
    if verdict in (DOES_NOT_HOLD, UNREADABLE):
        return 1 if verdict == DOES_NOT_HOLD else 2
    return 3 if findings.has_strays() or (is_strict and verdict == HOLDS_SO_FAR) else 0


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        inputs = inputs_of(options)
        findings = run_session(list_files(options.files), inputs)
        if not findings.files:
            raise Unreadable("there is no evidence among the files")
    except (Unreadable, OSError) as reason:
        print(printable(str(reason)), file=sys.stderr)
        return 2
    if options.json:
        report_json(findings)
    else:
        report(findings)
    return exit_status(findings, options.strict)
