"""`hash`: recomputes the hashes that anyone can recompute without a key."""

import argparse
import sys

from .digests import hash_wording
from .errors import ClientError
from .verify.checks import Unreadable
from .verify.files import naming, read_bytes, read_text
from .verify.hashes import digest, hash_json
from .verify.json_input import JsonObject, read_json
from .verify.printable import printable

DESCRIPTION = "Prints sha256: and 64 hex digits."
OUTPUT_MEMBERS = ("event_id", "policy", "turn", "verdict")
HASHED, UNREADABLE = 0, 2


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="disclosure-receipts hash", description=DESCRIPTION)
    parser.add_argument("what", choices=("wording", "input", "output"), help="a text, a request, or a receipt")
    parser.add_argument("subject", metavar="TEXT|FILE", nargs="?", help="the text, or the file with the JSON")
    parser.add_argument("--file", metavar="FILE", help="read the text from a file; - is standard input")
    options = parser.parse_args(arguments)
    if options.what != "wording" and options.file is not None:
        parser.error("--file is for a wording")
    if (options.subject is None) == (options.file is None):
        parser.error("give either a text or --file" if options.what == "wording" else "a file is missing")
    return options


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    try:
        print(hash_of(options))
        return HASHED
    except (Unreadable, ClientError, OSError) as reason:
        print(printable(f"disclosure-receipts: this can't be hashed: {reason}"), file=sys.stderr)
        return UNREADABLE


def hash_of(options: argparse.Namespace) -> str:
    if options.what == "wording":
        return hash_wording(options.subject if options.file is None else read_text(options.file).removeprefix("\ufeff"))
    with naming(options.subject):
        value = read_json(read_bytes(options.subject))
        if not isinstance(value, dict):
            raise Unreadable("it is no object")
        return digest(hash_json(value if options.what == "input" else output_of(value)))


def output_of(value: JsonObject) -> JsonObject:
    """The output of a receipt, which comes alone or in the answer that showed it."""
    receipts = value.get("receipts")
    # The hash of one of many would be taken for that of another.
    if isinstance(receipts, list) and len(receipts) > 1:
        raise Unreadable("it holds several receipts: give a file with one")
    receipt = receipts[0] if isinstance(receipts, list) and receipts else value
    if not (isinstance(receipt, dict) and all(name in receipt for name in OUTPUT_MEMBERS)):
        raise Unreadable("it is no receipt")
    return {name: receipt[name] for name in OUTPUT_MEMBERS}
