"""Checks disclosure receipts, seals and bundles as docs/receipt-format.md says, with Python's standard library alone.

    python3 -m disclosure_receipts verify FILE... [--seal FILE]... [--tsa-ca FILE]... [--request FILE]...
        [--layer FILE]... [--strict]

A FILE is a receipt, its report, a bundle or a published root; - is standard input. --seal is a published root, as GET
/v1/metachain/roots/{index} answers; --tsa-ca is PEM of the timestamp authorities that you trust; --request is the
request behind a receipt; --layer is a wording policy layer, as GET /v1/policy/layers/{digest} answers. --history is
the folder with the history of the chain, --log a mirror's folder in which its heads are looked up, --tenant the
fingerprint of the tenant whose chain it must be. --policy names the log and the witnesses that you believe, --log-key
the log alone: then the signed checkpoint of the root is checked. A check for which nothing was given is not made.
Several files are also checked together, as the pages of a conversation must be. --json prints one JSON document. No
key, no account, no network.

Exit status: 0 all holds as far as it could be checked; 1 something does not hold; 2 something could not be read;
3 nothing is wrong, but something that was given does not belong to the evidence or, with --strict,
a check that matters could not be made.
"""

import sys
from io import TextIOWrapper

from .checks import Unreadable
from .evidence import verify
from .files import read_bytes, read_given
from .formats import is_layer
from .json_input import read_json
from .kinds import read_evidence
from .options import parse_arguments, reader_of
from .output import printable, report, report_json
from .reader import Reader
from .results import Between, Result, Stray
from .shapes import is_object
from .strays import find_strays
from .together import Together
from .verdict import DOES_NOT_HOLD, HOLDS, HOLDS_SO_FAR, UNREADABLE, verdict_of, worst_of


def verify_file(file: str, reader: Reader) -> Result:
    try:
        evidence = read_evidence(read_json(read_bytes(file)))
        checks = verify(evidence, reader)
        return Result(file, evidence, verdict_of(checks), checks, None)
    except (Unreadable, OSError) as reason:
        return Result(file, None, UNREADABLE, [], str(reason))


def verify_between(results: list[Result]) -> Between:
    together = Together()
    for result in results:
        if result.evidence is not None and result.verdict in (HOLDS, HOLDS_SO_FAR):
            together.add(result.evidence, result.file)
    return Between(together.verify() if together.is_comparable() else [], together.missing())


def exit_status(verdict: str, strays: list[Stray], is_strict: bool) -> int:
    if verdict in (DOES_NOT_HOLD, UNREADABLE):
        return 1 if verdict == DOES_NOT_HOLD else 2
    return 3 if strays or (is_strict and verdict == HOLDS_SO_FAR) else 0


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        requests = read_given(is_object, options.request, "request")
        layers = read_given(is_layer, options.layer, "wording policy layer")
        reader = reader_of(options, requests, layers)
    except (Unreadable, OSError) as reason:
        print(printable(str(reason)), file=sys.stderr)
        return 2
    results = [verify_file(file, reader) for file in options.files]
    between, strays = verify_between(results), find_strays(requests, layers, options.tsa_ca, results)
    verdict = worst_of([verdict_of(between.checks), *(result.verdict for result in results)])
    if options.json:
        report_json(verdict, results, between, strays)
    else:
        report(results, between, strays)
    return exit_status(verdict, strays, options.strict)
