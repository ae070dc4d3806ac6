#!/usr/bin/env python3
"""Checks disclosure receipts, seals and bundles as docs/receipt-format.md says, with Python's standard library.

    python3 examples/verify.py report.json --ca ca.pem --seal seal.json --request request.json

No key, no account, no network. Hashes, paths, links, seals and what a timestamp token says are checked here. The
token's signature is checked by `openssl ts -verify`, if there is an openssl; if not, that check says it was not made.
Exit status: 0 all holds as far as it could be checked, 1 something does not hold, 2 something can't be read.
"""
import argparse
import base64
import calendar
import datetime
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 32
MAX_PATH_NODES = 54
MAX_INTEGER = 2**53 - 1
CLOCK_TOLERANCE_SECONDS = 5 * 60
OPENSSL_TIMEOUT_SECONDS = 30
NO_PREVIOUS_HASH = "sha256:" + "0" * 64
AUTHENTICATION = ("auth_mechanism", "key_id", "signature")

# ok: True it holds, False it fails, None it can't be made with what is given.
Check = namedtuple("Check", "name ok detail")
# What the reader has. `seal` and `published` are UNKNOWN where nobody looked, None or absent where nothing is there.
UNKNOWN = object()
Reader = namedtuple("Reader", "anchors request seal previous published")
NOBODY = Reader(anchors=(), request=UNKNOWN, seal=UNKNOWN, previous=UNKNOWN, published=UNKNOWN)


class Unreadable(Exception):
    """The input is no evidence in the format."""


class Refuted(Exception):
    """A check fails."""


class Unmade(Exception):
    """A check can't be made."""


def require(condition, reason):
    if not condition:
        raise Refuted(reason)


def run(name, check):
    try:
        return Check(name, True, check() or "")
    except Refuted as reason:
        return Check(name, False, str(reason))
    except Unmade as reason:
        return Check(name, None, str(reason))


# --- Reading: JSON that no two readers understand differently ------------------------------------------------------


def read_json(data):
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=read_object,
            parse_int=read_number,
            parse_float=read_number,
            parse_constant=read_constant,
        )
        check_values(value, 0)
        return value
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from error


def read_object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has two members of one name")
    return members


def read_number(text):
    """1.0 and 1e0 are the integer 1 to a reader whose numbers are doubles, so they are here."""
    number = float(text)
    if abs(number) > MAX_INTEGER:
        raise ValueError("a number is beyond what a double holds exactly")
    return int(number) if number.is_integer() else number


def read_constant(text):
    raise ValueError(f"{text} is no JSON")


def check_values(value, depth):
    if isinstance(value, str):
        value.encode("utf-8")  # Fails on a lone surrogate.
    elif isinstance(value, (dict, list)):
        if depth == MAX_DEPTH:
            raise ValueError("the nesting is too deep")
        for name in value if isinstance(value, dict) else ():
            name.encode("utf-8")
        for member in value.values() if isinstance(value, dict) else value:
            check_values(member, depth + 1)


# --- Bytes: RFC 8785 and the hashes --------------------------------------------------------------------------------


def canonicalize(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonicalize(name)}:{canonicalize(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonicalize, value)) + "]"
    return format_fraction(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def format_fraction(number):
    """As ECMAScript writes it: plain down to 0.000001, then 1e-7 where Python has 1e-07."""
    digits, _, exponent = repr(number).partition("e")
    if not exponent:
        return digits
    if int(exponent) < -6:
        return f"{digits}e{int(exponent)}"
    sign, mantissa = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    return sign + "0." + "0" * (-int(exponent) - 1) + mantissa.replace(".", "")


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def hash_json(value):
    return sha256(canonicalize(value).encode("utf-8"))


def digest(hashed):
    return "sha256:" + hashed.hex()


def node_bytes(node):
    return bytes.fromhex(node[2:])


def hash_node(left, right):
    return sha256(b"\x01", left, right)


def hash_receipt(receipt):
    core = {name: value for name, value in receipt.items() if name not in AUTHENTICATION}
    return sha256(b"\x00", canonicalize(core).encode("utf-8"))


def link_to(receipt):
    return digest(hash_receipt(receipt))


# --- Shapes: a function of a value that says whether it is one ------------------------------------------------------


def matching(pattern):
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def literal(*values):
    return lambda value: isinstance(value, str) and value in values


def integer(least):
    return lambda value: type(value) is int and least <= value <= MAX_INTEGER


def optional(shape):
    return lambda value: value is None or shape(value)


def list_of(shape, most=None):
    return lambda value: (
        isinstance(value, list) and (most is None or len(value) <= most) and all(map(shape, value))
    )


def having(**members):
    return lambda value: isinstance(value, dict) and all(
        name in value and shape(value[name]) for name, shape in members.items()
    )


def is_time(value):
    if not matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")(value):
        return False
    try:
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
        return True
    except ValueError:
        return False


def is_text(value):
    return isinstance(value, str)


def is_object(value):
    return isinstance(value, dict)


is_digest = matching(r"sha256:[0-9a-f]{64}")
is_node = matching(r"0x[0-9a-f]{64}")
is_index = integer(0)
is_size = integer(1)
is_path = list_of(is_node, MAX_PATH_NODES)
is_chain_id = matching(r"[0-9a-f]{32}")
is_base64 = matching(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
is_status = literal("pending", "included")

is_receipt = having(
    event_id=matching(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    chain_id=is_chain_id,
    sequence=is_index,
    turn=is_size,
    verdict=literal("ALLOW", "MODIFY", "BLOCK"),
    input_hash=is_digest,
    output_hash=is_digest,
    previous_hash=is_digest,
    previous_turn_hash=optional(is_digest),
    issued_at=is_time,
    disclosure=having(
        article_50_clause=literal("1"),
        disclosure_method=is_text,
        jurisdiction=is_text,
        modality=literal("voice", "chat", "walkthrough"),
        subject_hash=is_digest,
    ),
    policy=having(
        jurisdiction=is_text, version=is_text, wording_id=optional(is_text), findings=list_of(is_text)
    ),
    receipt_format_version=literal("1.0"),
    verifiability=literal("verifiable"),
    auth_mechanism=literal("hmac-sha256"),
    key_id=lambda value: is_text(value) and value != "",
    signature=matching(r"[A-Za-z0-9+/]{43}="),
)
is_evidence_chain = having(chain_id=is_chain_id, head_hash=is_digest, sequence=is_index)
is_merkle_proof = having(
    status=is_status,
    merkle_root=is_node,
    event_inclusion_proof=having(
        leaf_hash=is_node, leaf_index=is_index, tree_size=is_size, path=is_path, root=is_node
    ),
    cross_tenant_proof=optional(
        having(
            seal_index=is_index,
            leaf=having(chain_id=is_chain_id, tree_size=is_size, root=is_node),
            leaf_index=is_index,
            tree_size=is_size,
            path=is_path,
            root=is_node,
        )
    ),
)
is_tsa_timestamp = having(
    status=is_status,
    timestamp_token=optional(is_base64),
    tsa_url=optional(is_text),
    covers=literal("merkle_root"),
)
is_seal = having(
    index=is_index,
    merkle_root=is_node,
    tree_size=is_size,
    previous_root=optional(is_node),
    previous_tree_size=is_index,
    consistency_path=is_path,
    receipt_count=is_index,
    sealed_at=is_time,
    tsa_timestamp=is_tsa_timestamp,
    additional_timestamps=list_of(is_tsa_timestamp),
)
is_bundle = having(
    interaction_id=is_text,
    receipts=list_of(is_object),
    requests=list_of(optional(is_object)),
    proofs=list_of(having(evidence_chain=is_evidence_chain, merkle_proof=is_merkle_proof)),
    seals=list_of(is_seal),
)


def is_evidence(value):
    if not having(merkle_proof=is_merkle_proof)(value):
        return False
    parts = {
        "receipts": lambda receipts: list_of(is_object)(receipts) and len(receipts) == 1,
        "evidence_chain": is_evidence_chain,
        "tsa_timestamp": is_tsa_timestamp,
    }
    return all(shape(value[name]) for name, shape in parts.items() if name in value)


def readable(shape, value, what):
    if not shape(value):
        raise Unreadable(f"not the shape of a {what}")
    return value


# --- Paths: RFC 9162 sections 2.1.3.2 and 2.1.4.2 -------------------------------------------------------------------


def climb(fn, sn, path, visit):
    for node in path:
        require(sn != 0, "the path is too long")
        is_left = fn % 2 == 1 or fn == sn
        visit(node_bytes(node), is_left)
        while is_left and fn % 2 == 0 and fn != 0:
            fn, sn = fn >> 1, sn >> 1
        fn, sn = fn >> 1, sn >> 1
    require(sn == 0, "the path is too short")


def check_inclusion(leaf, index, size, path, root):
    require(index < size, "the leaf lies outside of the tree")
    reached = leaf

    def visit(sibling, is_left):
        nonlocal reached
        reached = hash_node(sibling, reached) if is_left else hash_node(reached, sibling)

    climb(index, size - 1, path, visit)
    require(reached == node_bytes(root), "the path leads to another root")


def check_consistency(old_size, size, path, old_root, root):
    require(1 <= old_size <= size, "the tree became smaller")
    if old_size == size:
        require(not path and old_root == root, "one size has two roots")
        return
    fn, sn = old_size - 1, size - 1
    while fn % 2 == 1:
        fn, sn = fn >> 1, sn >> 1
    # Where the old tree is one complete subtree, its root is the first node and the path leaves it out.
    nodes = [old_root, *path] if fn == 0 else path
    require(nodes, "the path is empty")
    old = new = node_bytes(nodes[0])

    def visit(sibling, is_left):
        nonlocal old, new
        old = hash_node(sibling, old) if is_left else old
        new = hash_node(sibling, new) if is_left else hash_node(new, sibling)

    climb(fn, sn, nodes[1:], visit)
    require(old == node_bytes(old_root), "the path leads to another previous root")
    require(new == node_bytes(root), "the path leads to another root")


# --- Timestamps: RFC 3161, read with a small DER reader ---------------------------------------------------------------

SEQUENCE, SET, INTEGER, OCTETS, OID, TIME = 0x30, 0x31, 0x02, 0x04, 0x06, 0x18
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
TST_INFO = bytes.fromhex("2a864886f70d0109100104")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
SHA2 = {bytes.fromhex(f"60864801650304020{n}"): name for n, name in ((1, "256"), (2, "384"), (3, "512"))}

Tlv = namedtuple("Tlv", "tag value encoding")
Token = namedtuple("Token", "algorithm imprint gen_time")


def read_tlvs(data):
    elements, start = [], 0
    while start < len(data):
        require(len(data) >= start + 2, "the token is cut")
        value, length = start + 2, data[start + 1]
        if length >= 0x80:
            octets = data[value : value + (length & 0x7F)]
            value, length = value + len(octets), int.from_bytes(octets, "big")
            require(length >= 0x80 and octets[0] != 0, "the token is not DER")
        end = value + length
        require(end <= len(data), "the token is cut")
        elements.append(Tlv(data[start], data[value:end], data[start:end]))
        start = end
    return elements


class Fields:
    """The fields of one SEQUENCE, taken in turn."""

    def __init__(self, data):
        self.left = read_tlvs(data)

    def next(self, tag):
        require(self.left and self.left[0].tag == tag, "the token has not the fields of a TimeStampToken")
        return self.left.pop(0).value

    def optional(self, tag):
        return self.left.pop(0).value if self.left and self.left[0].tag == tag else None

    def sequence(self):
        return Fields(self.next(SEQUENCE))


def read_token(der):
    outer = read_tlvs(der)
    require(len(outer) == 1 and outer[0].tag == SEQUENCE, "not one TimeStampToken and nothing behind it")
    content_info = Fields(outer[0].value)
    require(content_info.next(OID) == SIGNED_DATA, "not CMS SignedData")
    signed_data = Fields(content_info.next(0xA0)).sequence()
    signed_data.next(INTEGER)
    signed_data.next(SET)
    content = signed_data.sequence()
    require(content.next(OID) == TST_INFO, "not a TSTInfo")
    tst_info = Fields(Fields(content.next(0xA0)).next(OCTETS)).sequence()
    signed_data.optional(0xA0)
    signed_data.optional(0xA1)
    return read_tst_info(tst_info), read_tlvs(signed_data.next(SET))


def read_tst_info(fields):
    require(fields.next(INTEGER) == b"\x01", "not a TSTInfo of version 1")
    fields.next(OID)
    imprint = fields.sequence()
    algorithm, hashed = imprint.sequence().next(OID), imprint.next(OCTETS)
    fields.next(INTEGER)
    gen_time = read_generalized_time(fields.next(TIME))
    for tag in (SEQUENCE, 0x01, INTEGER, 0xA0):
        fields.optional(tag)
    extensions = fields.optional(0xA1)
    require(not fields.left, "the TSTInfo has a field too many")
    for extension in read_tlvs(extensions or b""):
        critical = any(tag == 0x01 and value != b"\x00" for tag, value, _ in read_tlvs(extension.value))
        require(not critical, "the TSTInfo has a critical extension that nobody knows")
    return Token(algorithm, hashed, gen_time)


def read_generalized_time(value):
    """RFC 3161 section 2.4.2. Seconds since 1970."""
    match = re.fullmatch(rb"(\d{14})(\.\d*[1-9])?Z", value)
    require(match, "genTime is not in UTC seconds")
    try:
        time = datetime.datetime.strptime(match[1].decode(), "%Y%m%d%H%M%S")
    except ValueError as error:
        raise Refuted("genTime is no time") from error
    return calendar.timegm(time.timetuple()) + float(match[2] or 0)


def check_signer(signer_infos):
    """What openssl passes over: RFC 5652 sections 5.4 and 11 on signed attributes, and weak digests."""
    require(len(signer_infos) == 1 and signer_infos[0].tag == SEQUENCE, "not exactly one signer")
    signer = Fields(signer_infos[0].value)
    signer.next(INTEGER)
    require(signer.left, "the signer is not named")
    signer.left.pop(0)
    require(signer.sequence().next(OID) in SHA2, "the signer's digest is none of SHA-256, SHA-384, SHA-512")
    attributes = read_tlvs(signer.next(0xA0))
    encodings = [attribute.encoding for attribute in attributes]
    require(encodings == sorted(encodings), "the signed attributes are not in DER")
    values = [(fields.next(OID), read_tlvs(fields.next(SET))) for fields in map(Fields, (a.value for a in attributes))]
    require(len(dict(values)) == len(values), "a signed attribute is there twice")
    content_type = dict(values).get(CONTENT_TYPE, ())
    require([tlv.value for tlv in content_type] == [TST_INFO], "the signed content type is another")


def check_timestamp(timestamp, root, stated, anchors):
    token = timestamp["timestamp_token"]
    require((timestamp["status"] == "included") == (token is not None), "status and token contradict each other")
    if token is None:
        raise Unmade("there is no token yet")
    der = base64.b64decode(token)
    require(base64.b64encode(der).decode() == token, "the base64 has stray bits")
    tst_info, signer_infos = read_token(der)
    if not anchors:
        raise Unmade("no certificate of a timestamp authority was given")
    require(SHA2.get(tst_info.algorithm) == "256", "the imprint is not by SHA-256")
    require(tst_info.imprint == node_bytes(root), "the token covers another root")
    check_signer(signer_infos)
    if stated is not None:
        require(tst_info.gen_time >= seconds(stated) - CLOCK_TOLERANCE_SECONDS, "the token is older than what it covers")
    check_signature(der, root, tst_info.gen_time, anchors)
    time = datetime.datetime.fromtimestamp(int(tst_info.gen_time), datetime.timezone.utc)
    return f"the root existed at {time:%Y-%m-%dT%H:%M:%SZ}"


def seconds(time):
    return datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()


def check_signature(der, root, gen_time, anchors):
    """Python's own library verifies no signatures. Of two anchors with one name openssl tries only one."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise Unmade("imprint and time are right, but the SIGNATURE WAS NOT CHECKED: there is no openssl")
    with tempfile.TemporaryDirectory() as folder:
        token = Path(folder, "token.der")
        token.write_bytes(der)
        answers = []
        for anchor in anchors:
            ca = Path(folder, "ca.pem")
            ca.write_text(anchor)
            call = [openssl, "ts", "-verify", "-digest", root[2:], "-in", token, "-token_in", "-CAfile", ca]
            call += ["-attime", str(int(gen_time))]
            try:
                answer = subprocess.run(call, capture_output=True, timeout=OPENSSL_TIMEOUT_SECONDS, check=False)
            except subprocess.TimeoutExpired as error:
                raise Unmade("the SIGNATURE WAS NOT CHECKED: openssl did not come to an end") from error
            if answer.returncode == 0:
                return
            answers += answer.stderr.decode(errors="replace").strip().splitlines()[-1:]
    raise Refuted("openssl refuses the token: " + "; ".join(answers))


# --- A receipt -------------------------------------------------------------------------------------------------------


def verify_receipt(value, reader=NOBODY):
    """Every check of a compliance receipt, or of a part of one with its merkle_proof. Raises Unreadable."""
    evidence = readable(is_evidence, value, "receipt's proof")
    subject = (evidence, evidence["receipts"][0] if "receipts" in evidence else None, reader)
    names = ["event_inclusion", "evidence_chain", "merkle_root", "published_root", "timestamp"]
    if "receipts" in evidence:
        names = ["receipt_format", "event_id", "input_hash", "output_hash", "leaf_hash", "links", *names]
    return [run(name, lambda name=name: RECEIPT_CHECKS[name](*subject)) for name in names]


def check_receipt_format(evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    require(evidence.get("event_id", receipt["event_id"]) == receipt["event_id"], "the answer names another event")


def check_event_id(_evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    chain_id, sequence, event_id = receipt["chain_id"], receipt["sequence"], receipt["event_id"]
    bits = int(event_id.replace("-", ""), 16)
    shard = (bits >> 64) & 0xFFF
    check = sha256(f"disclosure-receipt/1/event\n{chain_id}\n{sequence}".encode())
    check_bits = int.from_bytes(check[:8], "big") & (2**62 - 1)
    expected = (sequence << 80) | (8 << 76) | (shard << 64) | (0b10 << 62) | check_bits
    require(bits == expected, "the event id is not that of this place in the chain")


def check_input_hash(_evidence, receipt, reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    if reader.request is UNKNOWN:
        raise Unmade("the request was not given")
    require(digest(hash_json(reader.request)) == receipt["input_hash"], "the request has another hash")
    names = ("article_50_clause", "disclosure_method", "jurisdiction", "modality", "subject_hash")
    said = {name: receipt["disclosure"][name] for name in names}
    asked = {k: v for k, v in reader.request.items() if k not in ("interaction_id", "agent_identity")}
    require(said == asked, "the receipt says another disclosure than the request")


def check_output_hash(_evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    output = {name: receipt[name] for name in ("event_id", "policy", "turn", "verdict")}
    require(digest(hash_json(output)) == receipt["output_hash"], "the output has another hash")


def check_leaf_hash(evidence, receipt, _reader):
    proof = evidence["merkle_proof"]["event_inclusion_proof"]
    require(hash_receipt(receipt) == node_bytes(proof["leaf_hash"]), "the receipt has another hash")
    require(proof["leaf_index"] == receipt.get("sequence"), "the proof is for another place in the chain")


def check_links(evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    sequence, previous = receipt["sequence"], receipt["previous_hash"]
    require((receipt["turn"] == 1) == (receipt["previous_turn_hash"] is None), "turn and its link contradict")
    require((sequence == 0) == (previous == NO_PREVIOUS_HASH), "place and link contradict each other")
    if sequence == 0:
        return
    if sequence % 2 == 0:
        raise Unmade("at an even place the path does not show the receipt before")
    path = evidence["merkle_proof"]["event_inclusion_proof"]["path"]
    require(path and path[0][2:] == previous[len("sha256:") :], "the leaf before is another than the link says")


def check_event_inclusion(evidence, _receipt, _reader):
    proof = evidence["merkle_proof"]["event_inclusion_proof"]
    leaf = node_bytes(proof["leaf_hash"])
    check_inclusion(leaf, proof["leaf_index"], proof["tree_size"], proof["path"], proof["root"])


def check_evidence_chain(evidence, receipt, _reader):
    if "evidence_chain" not in evidence:
        raise Unmade("there is no evidence_chain")
    head, proof = evidence["evidence_chain"], evidence["merkle_proof"]
    event = proof["event_inclusion_proof"]
    chain_id = chain_of(receipt, proof)
    require(chain_id is UNKNOWN or head["chain_id"] == chain_id, "the head is of another chain")
    require(head["sequence"] == event["tree_size"] - 1, "the head is not the last receipt of the tree")
    if head["sequence"] != event["leaf_index"]:
        raise Unmade("the head is a later receipt")
    require(head["head_hash"][len("sha256:") :] == event["leaf_hash"][2:], "the head has another hash")


def chain_of(receipt, proof):
    if receipt is not None:
        return receipt.get("chain_id")
    cross = proof["cross_tenant_proof"]
    return UNKNOWN if cross is None else cross["leaf"]["chain_id"]


def check_merkle_root(evidence, receipt, _reader):
    proof = evidence["merkle_proof"]
    event, cross, root = proof["event_inclusion_proof"], proof["cross_tenant_proof"], proof["merkle_root"]
    require((proof["status"] == "included") == (cross is not None), "status and proof contradict each other")
    if cross is None:
        require(root == event["root"], "the root is not the chain's")
        return
    leaf = cross["leaf"]
    require(leaf["root"] == event["root"] and leaf["tree_size"] == event["tree_size"], "another head was sealed")
    require(receipt is None or leaf["chain_id"] == receipt.get("chain_id"), "another chain was sealed")
    entry = hash_json({name: leaf[name] for name in ("chain_id", "root", "tree_size")})
    check_inclusion(sha256(b"\x00", entry), cross["leaf_index"], cross["tree_size"], cross["path"], cross["root"])
    require(cross["root"] == root, "the path leads to another root than the answer's")


def check_published_root(evidence, _receipt, reader):
    proof = evidence["merkle_proof"]
    cross = proof["cross_tenant_proof"]
    if cross is None:
        raise Unmade("no published root covers the receipt yet")
    if reader.seal is UNKNOWN:
        raise Unmade("the published seal was not given")
    require(reader.seal is not None, "no seal is published there")
    stated = (cross["seal_index"], proof["merkle_root"], cross["tree_size"])
    published = tuple(reader.seal[name] for name in ("index", "merkle_root", "tree_size"))
    require(stated == published, "another root is published")


def check_receipt_timestamp(evidence, receipt, reader):
    if "tsa_timestamp" not in evidence:
        raise Unmade("there is no timestamp")
    stated = (receipt or {}).get("issued_at")
    root = evidence["merkle_proof"]["merkle_root"]
    return check_timestamp(evidence["tsa_timestamp"], root, stated if is_time(stated) else None, reader.anchors)


RECEIPT_CHECKS = {
    "receipt_format": check_receipt_format,
    "event_id": check_event_id,
    "input_hash": check_input_hash,
    "output_hash": check_output_hash,
    "leaf_hash": check_leaf_hash,
    "links": check_links,
    "event_inclusion": check_event_inclusion,
    "evidence_chain": check_evidence_chain,
    "merkle_root": check_merkle_root,
    "published_root": check_published_root,
    "timestamp": check_receipt_timestamp,
}


# --- A seal ----------------------------------------------------------------------------------------------------------


def verify_seal(value, reader=NOBODY):
    """Every check of a published seal. Raises Unreadable."""
    seal = readable(is_seal, value, "seal")
    root, stated = seal["merkle_root"], seal["sealed_at"]
    return [
        run("previous_seal", lambda: check_previous_seal(seal, reader.previous)),
        run("consistency", lambda: check_seal_consistency(seal)),
        run("timestamp", lambda: check_timestamp(seal["tsa_timestamp"], root, stated, reader.anchors)),
        run("additional_timestamps", lambda: check_additional(seal, reader.anchors)),
    ]


def check_previous_seal(seal, previous):
    is_first = seal["index"] == 0
    alike = is_first == (seal["previous_root"] is None) == (seal["previous_tree_size"] == 0)
    require(alike, "index, previous root and previous size contradict each other")
    if is_first:
        return
    if previous is UNKNOWN:
        raise Unmade("the seal before was not given")
    require(previous["index"] == seal["index"] - 1, "the seal before has another index")
    require(previous["merkle_root"] == seal["previous_root"], "the seal before has another root")
    require(previous["tree_size"] == seal["previous_tree_size"], "the seal before has another size")
    require(previous["sealed_at"] <= seal["sealed_at"], "the seal is older than the one before")


def check_seal_consistency(seal):
    path, old_root = seal["consistency_path"], seal["previous_root"]
    if old_root is None:
        require(not path, "the first seal has a path")
        return
    check_consistency(seal["previous_tree_size"], seal["tree_size"], path, old_root, seal["merkle_root"])


def check_additional(seal, anchors):
    pending = None
    for timestamp in seal["additional_timestamps"]:
        try:
            check_timestamp(timestamp, seal["merkle_root"], seal["sealed_at"], anchors)
        except Unmade as reason:
            pending = reason
    if pending is not None:
        raise pending


# --- A bundle --------------------------------------------------------------------------------------------------------


def verify_bundle(value, reader=NOBODY):
    """Every check of one conversation's bundle. Raises Unreadable."""
    bundle = readable(is_bundle, value, "bundle")
    receipts, requests, proofs = bundle["receipts"], bundle["requests"], bundle["proofs"]
    if not receipts or not len(receipts) == len(requests) == len(proofs):
        raise Unreadable("receipts, requests and proofs are not equally many")
    seals = {seal["index"]: seal for seal in bundle["seals"]}
    checks = []
    for i, parts in enumerate(zip(receipts, requests, proofs)):
        checks += placed(f"receipts/{i}", verify_turn(*parts, seals, reader))
    for i, seal in enumerate(bundle["seals"]):
        known = reader._replace(previous=seals.get(seal["index"] - 1, UNKNOWN))
        checks += placed(f"seals/{i}", verify_seal(seal, known))
    return checks + [
        run("chain_links", lambda: check_chain_links(receipts)),
        run("turn_links", lambda: check_turn_links(receipts)),
        run("interaction", lambda: check_interaction(bundle)),
        run("published_seals", lambda: check_published_seals(bundle["seals"], reader.published)),
    ]


def placed(place, checks):
    return [check._replace(name=f"{place}/{check.name}") for check in checks]


def verify_turn(receipt, request, proof, seals, reader):
    evidence = {**proof, "receipts": [receipt]}
    evidence.pop("tsa_timestamp", None)
    cross = proof["merkle_proof"]["cross_tenant_proof"]
    seal = seals.get(cross["seal_index"]) if cross is not None else None
    if seal is not None:
        evidence["tsa_timestamp"] = seal["tsa_timestamp"]
    return verify_receipt(evidence, reader._replace(seal=seal, request=UNKNOWN if request is None else request))


def check_chain_links(receipts):
    by_place = {(receipt.get("chain_id"), receipt.get("sequence")): receipt for receipt in receipts if is_receipt(receipt)}
    for (chain_id, sequence), receipt in by_place.items():
        require(sequence != 0 or receipt["previous_hash"] == NO_PREVIOUS_HASH, "the first receipt links back")
        previous = by_place.get((chain_id, sequence - 1))
        if previous is not None:
            require(receipt["previous_hash"] == link_to(previous), "a receipt does not follow the one before")
            require(receipt["issued_at"] >= previous["issued_at"], "a receipt is older than the one before")


def check_turn_links(receipts):
    require(all(map(is_receipt, receipts)), "a receipt is not as the format says")
    for receipt in receipts:
        require(receipt["turn"] != 1 or receipt["previous_turn_hash"] is None, "the first turn links back")
    for previous, receipt in zip(receipts, receipts[1:]):
        require(receipt["turn"] == previous["turn"] + 1, "a turn is missing or out of order")
        require(receipt["previous_turn_hash"] == link_to(previous), "a turn does not follow the one before")


def check_interaction(bundle):
    requests = [request for request in bundle["requests"] if request is not None]
    if not requests:
        raise Unmade("all requests were erased")
    same = all(request.get("interaction_id") == bundle["interaction_id"] for request in requests)
    require(same, "a request is of another conversation")


def check_published_seals(seals, published):
    if not seals:
        raise Unmade("the bundle has no seal yet")
    if published is UNKNOWN:
        raise Unmade("the published seals were not given")
    by_index = {seal["index"]: (seal["merkle_root"], seal["tree_size"]) for seal in published}
    for seal in seals:
        stated = (seal["merkle_root"], seal["tree_size"])
        require(by_index.get(seal["index"]) == stated, f"another root is published under {seal['index']}")


# --- The command -----------------------------------------------------------------------------------------------------


def verify(value, reader=NOBODY):
    """Finds out which kind of evidence it is. Raises Unreadable."""
    if isinstance(value, dict):
        for member, check in (("proofs", verify_bundle), ("merkle_proof", verify_receipt), ("sealed_at", verify_seal)):
            if member in value:
                return check(value, reader)
    raise Unreadable("neither a receipt, a seal nor a bundle")


def read_file(file):
    data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1) if file == "-" else Path(file).read_bytes()
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable("the file is too large")
    return read_json(data)


def read_seal(file):
    return readable(is_seal, read_file(file), "seal")


def read_request(file):
    return readable(is_object, read_file(file), "request")


def read_anchors(files):
    pattern = re.compile("-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)
    anchors = [anchor for file in files for anchor in pattern.findall(Path(file).read_text(encoding="ascii"))]
    if files and not anchors:
        raise Unreadable("no certificate in PEM")
    return anchors


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Checks a disclosure receipt, seal or bundle.")
    parser.add_argument("file", help="a receipt, report, seal or bundle; - is standard input")
    parser.add_argument("--ca", action="append", default=[], help="PEM of the timestamp authorities that you trust")
    parser.add_argument("--request", help="the request that the receipt was given for")
    parser.add_argument("--seal", help="the seal published under the receipt's seal_index")
    parser.add_argument("--previous", help="for a seal: the one before")
    parser.add_argument("--published", nargs="+", help="for a bundle: the published seals")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args(arguments)


def reader_of(options):
    def given(file, read):
        return UNKNOWN if file is None else read(file)

    return Reader(
        anchors=read_anchors(options.ca),
        request=given(options.request, read_request),
        seal=given(options.seal, read_seal),
        previous=given(options.previous, read_seal),
        published=given(options.published, lambda files: [read_seal(file) for file in files]),
    )


def verdict_of(checks):
    if any(ok is False for _, ok, _ in checks):
        return "does_not_hold"
    return "holds_so_far" if any(ok is None for _, ok, _ in checks) else "holds"


def report(checks, as_json):
    verdict = verdict_of(checks)
    if as_json:
        print(json.dumps({"verdict": verdict, "checks": [check._asdict() for check in checks]}))
        return
    for name, ok, detail in checks:
        word = {True: "holds", False: "FAILS", None: "not checked"}[ok]
        print(f"{word:<12} {name}" + (f": {detail}" if detail else ""))
    print({"holds": "All holds.", "holds_so_far": "It holds as far as it could be checked."}.get(verdict, "It does NOT hold."))


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        checks = verify(read_file(options.file), reader_of(options))
    except (Unreadable, OSError, UnicodeDecodeError) as reason:
        print(f"can't be read: {reason}", file=sys.stderr)
        return 2
    report(checks, options.json)
    return 1 if verdict_of(checks) == "does_not_hold" else 0


if __name__ == "__main__":
    sys.exit(main())
