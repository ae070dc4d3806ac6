"""The arguments of the program, and the reader that they describe."""

import argparse
from time import time_ns
from typing import Any

from .files import decode_text, naming, read_anchors, read_bytes, read_seals
from .history_files import read_tenant_history
from .log_policy import Policy, read_policy
from .reader import Reader, by_digest
from .shapes import is_digest

DESCRIPTION = "Checks disclosure receipts, seals and bundles as docs/receipt-format.md says."


class Once(argparse.Action):
    """Takes an option with one value: of two, one would be ignored, and nobody told which."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{option_string} is given twice")
        setattr(namespace, self.dest, values)


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="disclosure-receipts verify", description=DESCRIPTION)
    parser.add_argument("files", metavar="FILE", nargs="+", help="a receipt, report, bundle or published root; or -")
    parser.add_argument("--seal", action="append", default=[], metavar="FILE", help="a published root")
    parser.add_argument("--tsa-ca", action="append", default=[], metavar="FILE", help="PEM that you trust")
    parser.add_argument("--request", action="append", default=[], metavar="FILE", help="the request behind a receipt")
    parser.add_argument("--layer", action="append", default=[], metavar="FILE", help="a wording policy layer")
    parser.add_argument(
        "--policy", action=Once, metavar="FILE",
        help="tlog-policy: the log and the witnesses that you believe",
    )
    parser.add_argument("--log-key", action=Once, metavar="VKEY", help="the key of the log, in place of a policy")
    parser.add_argument(
        "--history", action=Once, metavar="DIR",
        help="the history of the chain, as `history` has fetched it",
    )
    parser.add_argument(
        "--log", action=Once, metavar="DIR",
        help="with --history: the public log, as `mirror` has copied it",
    )
    parser.add_argument(
        "--tenant", action=Once, metavar="FINGERPRINT",
        help="with --history: the tenant whose chains these are",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 3 if a check that matters was not made")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    if options.history is None and (options.log, options.tenant) != (None, None):
        parser.error("--log and --tenant need the history of the chains: --history DIR")
    if None not in (options.policy, options.log_key):
        parser.error("--policy names the log's key already: give it or --log-key")
    if options.tenant is not None and not is_digest(options.tenant):
        parser.error("a fingerprint is sha256: and 64 lower-case hex digits")
    return options


def reader_of(options: argparse.Namespace, requests: list[tuple[Any, str]], layers: list[tuple[Any, str]]) -> Reader:
    now = time_ns() // 1_000_000
    known = by_digest(request for request, _ in requests)
    folder = options.history
    history = None if folder is None else read_tenant_history(folder, options.log, options.tenant)
    policy = policy_of(options)
    anchors, seals = read_anchors(options.tsa_ca), read_seals(options.seal)
    by_name = by_digest(layer for layer, _ in layers)
    return Reader(anchors, known, seals, now=now, history=history, policy=policy, layers=by_name)


def policy_of(options: argparse.Namespace) -> Policy | None:
    if options.log_key is not None:
        with naming("--log-key"):
            return read_policy(options.log_key)
    if options.policy is None:
        return None
    with naming(f"--policy {options.policy}"):
        return read_policy(decode_text(read_bytes(options.policy)))
