"""The tokens over the roots: what they cover, when they were made, and, for a sample, whether openssl verifies them."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evidence.public_log import PublicLog
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Check, Findings
from ..formats import shapes
from ..formats.json_text import Unreadable
from ..formats.shapes import format_time, from_base64
from ..formats.tokens import parse_token
from ..progress import Progress

# Rule 5 of "Timestamps": clocks may differ by this much.
CLOCK_MS = 5 * 60 * 1000
OPENSSL_SAMPLE = 50
OPENSSL_SECONDS = 60
# Tokens that came later are looked for where a seal lacked its own, and for as many others.
LATER_SAMPLE = 50
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)


@dataclass(frozen=True)
class RootToken:
    """A token over the root of a seal."""

    seal_index: int
    root: bytes
    der: bytes
    gen_time: int


def check_tokens(log: PublicLog, service: Service, findings: Findings, chance: random.Random) -> list[RootToken]:
    """Reads all tokens of all seals. Returns those that cover their roots."""
    check, tokens = findings.check("tokens"), []
    stamped = [seal.index for seal in log.seals if seal.timestamps[0].get("status") == "included"]
    sampled = set(chance.sample(stamped, min(LATER_SAMPLE, len(stamped))))
    for seal in log.seals:
        stamps: list[Any] = list(seal.timestamps)
        with check.reading(f"the later tokens of seal {seal.index}"):
            if seal.index in sampled or seal.index not in stamped:
                stamps += _later(service, seal.index)
        for stamp in stamps:
            with check.reading(f"a token of seal {seal.index}"):
                token = judge_timestamp(check, f"seal {seal.index}", stamp, seal.root, seal.sealed_at)
                if token is not None:
                    tokens.append(RootToken(seal.index, seal.root, token[0], token[1]))
    # An authority may fail at some seals, and not at all of them. Where none has its own, all later tokens were read.
    if log.seals and not tokens:
        check.expect(False, "no seal has a token over its root")
    return tokens


def _later(service: Service, index: int) -> list[Any]:
    """The tokens that came after the seal was published; the first 404 is the end."""
    stamps: list[Any] = []
    while True:
        path = f"/v1/metachain/timestamps/{index}/{len(stamps)}"
        if service.get(path).status == 404:
            return stamps
        stamps.append(service.json(path))


def judge_timestamp(check: Check, at: str, stamp: Any, root: bytes, stated: int | None) -> tuple[bytes, int] | None:
    """The DER and genTime of a token that covers the root. None while it is pending, or where it is refused."""
    status, encoded = shapes.text(stamp, "status"), stamp.get("timestamp_token")
    consistent = status in ("included", "pending") and (status == "included") == (encoded is not None)
    if not check.expect(consistent, f"{at}: the status of its timestamp is not what it holds") or encoded is None:
        return None
    der = from_base64(shapes.text(stamp, "timestamp_token"), "a token")
    token = parse_token(der)
    told = f"{at}: its token covers {token.imprint.hex()}, its root is {root.hex()}"
    covers = check.expect(token.imprint == root, told)
    told = f"{at}: its token is of {format_time(token.gen_time)}"
    if stated is not None:
        is_younger = token.gen_time >= stated - CLOCK_MS
        check.expect(is_younger, f"{told}, older than what it covers, of {format_time(stated)}")
    check.expect(token.gen_time <= time.time() * 1000 + CLOCK_MS, f"{told}, which is to come")
    return (der, token.gen_time) if covers else None


def check_by_openssl(
    run: RunFacts, tokens: list[RootToken], findings: Findings, chance: random.Random, progress: Progress
) -> None:
    """A seeded sample of the tokens goes to `openssl ts -verify`, under each trust anchor by itself."""
    check, openssl = findings.check("tokens by openssl"), shutil.which("openssl")
    if openssl is None or run.trust_anchors is None:
        check.unmade = "there is no openssl" if openssl is None else "the run names no trust anchors"
        return
    if not tokens:
        check.unmade = "there is no token"
        return
    try:
        anchors = _CERTIFICATE.findall(run.trust_anchors.read_text("ascii"))
    except (OSError, ValueError):
        anchors = []
    if not anchors:
        check.unmade = "the trust anchors can't be read"
        return
    sample = sorted(chance.sample(range(len(tokens)), min(OPENSSL_SAMPLE, len(tokens))))
    with tempfile.TemporaryDirectory() as folder:
        for done, place in enumerate(sample):
            progress.show("asks openssl about tokens,", done, len(sample))
            token = tokens[place]
            with check.reading(f"seal {token.seal_index}"):
                said = _refusal(openssl, Path(folder), anchors, token)
                check.expect(said is None, f"seal {token.seal_index}: openssl does not verify its token: {said}")


def _refusal(openssl: str, folder: Path, anchors: list[str], token: RootToken) -> str | None:
    """None if one of the anchors verifies the token; else what openssl says of the last."""
    (folder / "token.der").write_bytes(token.der)
    said = ""
    for anchor in anchors:
        (folder / "anchor.pem").write_text(anchor, "ascii")
        command = [openssl, "ts", "-verify", "-digest", token.root.hex(), "-in", "token.der", "-token_in"]
        command += ["-CAfile", "anchor.pem", "-attime", str(token.gen_time // 1000)]
        try:
            ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=OPENSSL_SECONDS, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unreadable(f"openssl gave no answer ({type(error).__name__})") from error
        if ended.returncode == 0:
            return None
        said = ended.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
    return said
