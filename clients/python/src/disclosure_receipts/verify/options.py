"""The arguments of the program, and what they give."""

import argparse
from collections.abc import Iterator
from time import time_ns
from typing import Any

from .files import decode_text, naming, read_bytes, read_certificates, read_given, read_text
from .formats import is_layer, is_seal
from .hashes import digest, hash_json
from .history_files import read_tenant_history
from .log_policy import read_policy
from .reader import Reader
from .session.given import Certificates, Companion, Layer, LogPolicy, PublishedRoot, Request
from .session.session import Inputs
from .shapes import is_digest, is_object

DESCRIPTION = """Checks disclosure receipts, seals and bundles as docs/receipt-format.md says.

A FILE is a receipt, its report, a bundle or a published root; a folder, which stands for its files of evidence; or -,
standard input. Requests, wording policy layers, certificates in PEM, and the key or the policy of a log may be among
the files. Certificates and policies in a folder are not trusted: whoever made the folder chose them. The proof of a
fork is confirmed under --log-key or --policy. This program reads no .tlog-proof and no COSE receipt."""
# Before the name of a file that has the text.
FILE_MARK = "@"


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
    parser = argparse.ArgumentParser(
        prog="disclosure-receipts verify", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="evidence, what belongs to it, or a folder; or -")
    parser.add_argument("--seal", action="append", default=[], metavar="FILE", help="a root that counts as published")
    parser.add_argument("--tsa-ca", action="append", default=[], metavar="FILE", help="PEM that you trust")
    parser.add_argument("--request", action="append", default=[], metavar="FILE", help="the request behind a receipt")
    parser.add_argument("--layer", action="append", default=[], metavar="FILE", help="a wording policy layer")
    parser.add_argument(
        "--wording", action=Once, metavar="TEXT|@FILE",
        help="say of which receipts this is the wording; one with its gaps filled is not recognised",
    )
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
        help="the public log, as `mirror` has copied it: the heads of the chains are looked up in it",
    )
    parser.add_argument(
        "--tenant", action=Once, metavar="FINGERPRINT",
        help="with --history: the tenant whose chains these are",
    )
    parser.add_argument("--strict", action="store_true", help="exit with 3 if a check that matters was not made")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    if options.history is None and options.tenant is not None:
        parser.error("--tenant needs the history of the chains: --history DIR")
    if None not in (options.policy, options.log_key):
        parser.error("--policy names the log's key already: give it or --log-key")
    if options.tenant is not None and not is_digest(options.tenant):
        parser.error("a fingerprint is sha256: and 64 lower-case hex digits")
    return options


def inputs_of(options: argparse.Namespace) -> Inputs:
    """Reads the files that the options name. Raises Unreadable: a mistyped name is told before all else is read."""
    folder, wording = options.history, options.wording
    history = None if folder is None else read_tenant_history(folder, options.tenant)
    is_file = wording is not None and wording.startswith(FILE_MARK)
    return Inputs(
        list(companions_of(options)),
        Reader(now=time_ns() // 1_000_000, history=history),
        folder,
        options.log,
        read_text(wording[len(FILE_MARK) :]) if is_file else wording,
    )


def companions_of(options: argparse.Namespace) -> Iterator[Companion]:
    for file in options.tsa_ca:
        with naming(f"--tsa-ca {file}"):
            yield Certificates(file, True, read_certificates(read_bytes(file)).certificates)
    for file in options.request:
        request = read_given(is_object, file, "--request", "request")
        yield Request(file, request, digest(hash_json(request)))
    for file in options.layer:
        layer = read_given(is_layer, file, "--layer", "wording policy layer")
        yield Layer(file, True, layer, digest(hash_json(layer)))
    for file in options.seal:
        yield PublishedRoot(file, read_given(is_seal, file, "--seal", "published root"))
    if options.log_key is not None:
        with naming("--log-key"):
            yield LogPolicy("--log-key", True, read_policy(options.log_key))
    if options.policy is not None:
        with naming(f"--policy {options.policy}"):
            yield LogPolicy(options.policy, True, read_policy(decode_text(read_bytes(options.policy))))
