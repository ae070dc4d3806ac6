"""`python -m disclosure_receipts`: verifies evidence and computes hashes. Needs no key, no account and no network."""

import argparse
import sys

from . import hashing
from .verify import program
from .version import VERSION

COMMANDS = {"verify": program.main, "hash": hashing.main}
DESCRIPTION = """Verifies disclosure receipts, and computes their hashes.

  verify   checks receipts, seals and bundles
  hash     prints the digest of a wording, a request or an outcome

Each command has its own --help."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="disclosure-receipts", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("command", choices=tuple(COMMANDS))
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args(given[:1])
    return COMMANDS[options.command](given[1:])


if __name__ == "__main__":
    sys.exit(main())
