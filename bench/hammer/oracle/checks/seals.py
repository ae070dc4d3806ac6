"""Each seal with its tokens (docs/receipt-format.md, "Checking a seal"), and what receipts say of seals."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from disclosure_receipts.verify.base64_text import decode_base64
from disclosure_receipts.verify.checks import require
from disclosure_receipts.verify.formats import is_tsa_timestamp
from disclosure_receipts.verify.hashes import hash_seal, node_bytes, timestamps_of
from disclosure_receipts.verify.instants import milliseconds, show_time
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.limits import CLOCK_TOLERANCE_MS
from disclosure_receipts.verify.reader import Reader
from disclosure_receipts.verify.seal import verify_seal
from disclosure_receipts.verify.timestamps.authorities import Authorities, Trust
from disclosure_receipts.verify.timestamps.times import token_of
from disclosure_receipts.verify.timestamps.tokens import read_token

from ..evidence.history import Chain
from ..evidence.public_log import PublicLog
from ..evidence.receipts import Receipt
from ..evidence.service import Service
from ..findings import Check, Findings

# Tokens that came later are looked for where a seal lacked its own, and for as many others.
LATER_SAMPLE = 50
OF_THE_TREE = ("previous_seal", "consistency")


def check_seals(log: PublicLog, chains: Sequence[Chain], findings: Findings) -> None:
    """Index, previous root and size, consistency, sealed_at, and receipt_count as far as the chains are known."""
    check, published = findings.check("seals"), dict[int, JsonObject | None]()
    for place, seal in enumerate(log.seals):
        check.expect(seal["index"] == place, f"seal {place}: its index is {seal['index']}")
        outcomes = verify_seal(seal, Reader(published=published))
        check.take(f"seal {place}", [outcome for outcome in outcomes if outcome.name in OF_THE_TREE])
        published = {place: seal}
    _check_counts(findings.check("receipt counts"), log, chains)


class TokenChecks:
    """What the tokens over the roots cover, when they were made, and whether the run's authorities signed them."""

    def __init__(self, authorities: Authorities, findings: Findings) -> None:
        self._check, self._signatures = findings.check("tokens"), findings.check("signatures of tokens")
        self._authorities = authorities
        if not authorities.certificates:
            self._signatures.unmade = "the run names no certificates of authorities"

    def check(self, log: PublicLog, service: Service, chance: random.Random) -> None:
        """Reads all tokens of all seals."""
        check, covered = self._check, False
        stamped = [seal["index"] for seal in log.seals if seal["tsa_timestamp"]["status"] == "included"]
        sampled = set(chance.sample(stamped, min(LATER_SAMPLE, len(stamped))))
        for seal in log.seals:
            index, stamps = seal["index"], timestamps_of(seal)
            with check.reading(f"the later tokens of seal {index}"):
                if index in sampled or index not in stamped:
                    stamps = stamps + _later(service, index)
            for stamp in stamps:
                covered = self._judge(f"seal {index}", stamp, seal) or covered
        # An authority may fail at some seals, and not at all of them. Where none has its own, all later ones were read.
        if log.seals and not covered:
            check.expect(False, "no seal has a token over its root")

    def _judge(self, at: str, stamp: JsonObject, seal: JsonObject) -> bool:
        """True if a token covers the root of the seal."""
        with self._check.reading(at):
            text = token_of(stamp)
            self._check.count += 1
            if text is None:
                return False
            info, root = read_token(decode_base64(text)).info, node_bytes(seal["merkle_root"])
            told = f"{at}: its token covers {info.imprint.hex()}, its root is {root.hex()}"
            covers = self._check.expect(info.imprint == root, told)
            told = f"{at}: its token is of {show_time(info.gen_time)}"
            is_younger = info.gen_time >= milliseconds(seal["sealed_at"]) - CLOCK_TOLERANCE_MS
            self._check.expect(is_younger, f"{told}, older than the seal, of {seal['sealed_at']}")
            is_past = info.gen_time <= time.time() * 1000 + CLOCK_TOLERANCE_MS
            self._check.expect(is_past, f"{told}, which is to come")
            self._judge_signature(at, text)
            return covers
        return False

    def _judge_signature(self, at: str, text: str) -> None:
        if not self._authorities.certificates:
            return
        with self._signatures.reading(f"{at}: its token"):
            judged = self._authorities.judge(text)
            require(judged is not None and isinstance(judged.trust, Trust), "it can't be judged by the run's certificates")
            self._signatures.count += 1


def _later(service: Service, index: int) -> list[JsonObject]:
    """The tokens that came after the seal was published; the first 404 is the end."""
    stamps: list[JsonObject] = []
    while True:
        path = f"/v1/metachain/timestamps/{index}/{len(stamps)}"
        if service.get(path).status == 404:
            return stamps
        stamps.append(service.json(path, None, is_tsa_timestamp))


def _check_counts(check: Check, log: PublicLog, chains: Sequence[Chain]) -> None:
    """receipt_count is what the heads under a seal grew by; entries of strangers' chains may add to it."""
    grown, known = [0] * len(log.seals), [0] * len(log.seals)
    for chain in chains:
        size = 0
        for head in chain.heads:
            if head["seal_index"] < len(log.seals):
                grown[head["seal_index"]] += head["tree_size"] - size
                known[head["seal_index"]] += 1
            size = head["tree_size"]
    for place, seal in enumerate(log.seals):
        entries, count = seal["tree_size"] - seal["previous_tree_size"], seal["receipt_count"]
        own, told = grown[place], f"seal {place}: receipt_count is {count}, the run's chains grew by"
        strangers = entries - known[place]
        if strangers == 0:
            check.expect(count == own, f"{told} {own}, and no others did")
        else:
            check.expect(count >= own + strangers, f"{told} {own}, and {strangers} others did")


def check_bounds(receipts: Sequence[Receipt], log: PublicLog, chains: Sequence[Chain], findings: Findings) -> None:
    """`recorded_after` names, by its hash, a published seal with a token, older than the seal over the receipt."""
    check, known = findings.check("lower bounds"), {chain.chain_id: chain for chain in chains}
    hashes = [hash_seal(seal) for seal in log.seals]
    for receipt in receipts:
        if receipt.recorded_after is None:
            check.count += 1
            continue
        index, named = receipt.recorded_after
        if not check.expect(index < len(hashes), f"{receipt.place}: it names seal {index}, which is not published"):
            continue
        told = f"{receipt.place}: it names seal {index} as {named}, published is {hashes[index]}"
        check.expect(named == hashes[index], told)
        has_token = log.seals[index]["tsa_timestamp"]["status"] == "included"
        check.expect(has_token, f"{receipt.place}: it names seal {index}, which has no token of its own")
        over = _seal_over(known.get(receipt.chain_id), receipt.sequence)
        check.expect(over is None or index < over, f"{receipt.place}: it names seal {index}, and seal {over} covers it")


def _seal_over(chain: Chain | None, sequence: int) -> int | None:
    """The seal that covers a place, by halving over the heads of its chain."""
    if chain is None or sequence >= chain.size:
        return None
    low, high = 0, len(chain.heads) - 1
    while low < high:
        middle = (low + high) // 2
        if chain.heads[middle]["tree_size"] > sequence:
            high = middle
        else:
            low = middle + 1
    seal: int = chain.heads[low]["seal_index"]
    return seal
