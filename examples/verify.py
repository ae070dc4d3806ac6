#!/usr/bin/env python3
"""Checks disclosure receipts, seals and bundles as docs/receipt-format.md says, with Python's standard library alone.

    python3 examples/verify.py FILE... [--seal FILE]... [--tsa-ca FILE]... [--request FILE]... [--strict]

A FILE is a receipt, its report, a bundle or a published root; - is standard input. --seal is a published root, as
GET /v1/metachain/roots/{index} answers; --tsa-ca is PEM of the timestamp authorities that you trust; --request is the
request behind a receipt. --history is the folder with the history of the chain, --log a mirror's folder in which its
heads are looked up, --tenant the fingerprint of the tenant whose chain it must be. --policy names the log and the
witnesses that you believe, --log-key the log alone: then the signed checkpoint of the root is checked. A check for
which nothing was given is not made. Several files are also checked together, as the pages of a conversation must be. --json
prints one JSON document. No key, no account, no network.

Exit status: 0 all holds as far as it could be checked; 1 something does not hold; 2 something could not be read;
3 nothing is wrong, but the request or a certificate that was given does not belong to the evidence or, with --strict,
a check that matters could not be made.

The rules of the format are in the parts "Signed checkpoints of the log", "A receipt", "A seal", "The history of a
chain", "The public log", "A bundle" and "One history", by the names of the documents. The parts before them are what those use:
JSON, shapes, paths, and RFC 3161 tokens down to the signatures, each with its RFC. Python 3.9 or newer.
"""
import argparse
import base64
import calendar
import datetime
import hashlib
import json
import os
import re
import sys
from collections import Counter, namedtuple
from functools import lru_cache
from time import time_ns
from uuid import UUID

MAX_FILE_BYTES = 8 * 1024 * 1024
# A token of 64 KiB in base64. No text in evidence is longer.
MAX_TEXT_LENGTH = (64 * 1024 + 2) // 3 * 4
MAX_LIST_LENGTH = 2_000
MAX_DEPTH = 32
MAX_PATH_NODES = 54
MAX_INTEGER = 2**53 - 1
CLOCK_TOLERANCE_MS = 5 * 60 * 1000
NO_PREVIOUS_HASH = "sha256:" + "0" * 64
AUTHENTICATION = ("auth_mechanism", "key_id", "signature")
# Errors of Python itself that a check may meet in evidence made to harm.
UNFORESEEN = (ArithmeticError, LookupError, TypeError, ValueError)

# ok: True it holds, False it fails, None it can't be made with what is given. companion: "request", "trust_anchor" or
# "log" where it can't be made because the reader gave one that does not belong to the evidence.
Check = namedtuple("Check", "name ok detail companion", defaults=(None,))


class Unreadable(Exception):
    """The input is no evidence in the format."""


class Refuted(Exception):
    """A check fails."""


class Unmade(Exception):
    """A check can't be made."""

    companion = None


class StrayRequest(Unmade):
    """The request that the reader gave is not the receipt's."""

    companion = "request"


class StrayAnchor(Unmade):
    """The certificates that the reader gave are not those of the token's authority."""

    companion = "trust_anchor"


class StrayLog(Unmade):
    """The reader's policy is of another log than the one that signed the checkpoint."""

    companion = "log"


def require(condition, reason):
    if not condition:
        raise Refuted(reason)


def run(name, check):
    """The outcome of one check, which is a function without arguments."""
    try:
        return Check(name, True, check() or "")
    except Refuted as reason:
        return Check(name, False, str(reason))
    except Unmade as reason:
        return Check(name, None, str(reason), reason.companion)
    except UNFORESEEN:
        # A check that fails in a way that nobody foresaw has not shown that anything holds.
        return Check(name, False, "this check could not be carried out")


# --- Reading: JSON that no two readers understand differently ------------------------------------------------------


def read_json(data, longest=MAX_LIST_LENGTH):
    """Reads JSON in which no list is longer than this."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=read_object,
            parse_int=read_number,
            parse_float=read_number,
            parse_constant=read_constant,
        )
        check_values(value, 0, longest)
        return value
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this can't be read as JSON: {error}") from error


def read_object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has two members of one name")
    return members


def read_number(text):
    """The numbers of JSON are read as doubles: 1.0 and 1e0 are the integer 1."""
    number = float(text)
    if abs(number) > MAX_INTEGER:
        raise ValueError("a number is beyond what a double holds exactly")
    return int(number) if number.is_integer() else number


def read_constant(text):
    raise ValueError(f"{text} is not a number in JSON")


def check_values(value, depth, longest):
    if isinstance(value, str):
        if utf16_length(value) > MAX_TEXT_LENGTH:
            raise ValueError("a text is longer than any in evidence")
    elif isinstance(value, (dict, list)):
        check_list(value, depth, longest)


def utf16_length(text):
    """Counts UTF-16 units, as ECMAScript does. Encoding fails on a lone surrogate."""
    return len(text.encode("utf-16-le")) // 2


def check_list(value, depth, longest):
    """Checks the members of a list or an object, and its size."""
    if depth == MAX_DEPTH:
        raise ValueError("the nesting is too deep")
    if isinstance(value, list) and len(value) > longest:
        raise ValueError("a list is longer than any in evidence")
    for name in value if isinstance(value, dict) else ():
        name.encode("utf-8")
    for member in value.values() if isinstance(value, dict) else value:
        check_values(member, depth + 1, longest)


# --- Bytes: RFC 8785 and the hashes --------------------------------------------------------------------------------


PLAIN = json.JSONEncoder(ensure_ascii=False)


def canonicalize(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonicalize(name)}:{canonicalize(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonicalize, value)) + "]"
    return format_fraction(value) if isinstance(value, float) else PLAIN.encode(value)


def format_fraction(number):
    """ECMAScript writes a number plainly down to 0.000001, and then 1e-7 where Python has 1e-07."""
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


def hash_seal(seal):
    """The digest by which a receipt names a seal: over the members of the format, tokens included, and no others."""
    timestamps = [known_timestamp(timestamp) for timestamp in timestamps_of(seal)]
    own, additional = {"tsa_timestamp": timestamps[0]}, {"additional_timestamps": timestamps[1:]}
    return digest(hash_json({**{name: seal[name] for name in SEAL_MEMBERS}, **own, **additional}))


def timestamps_of(seal):
    return [seal["tsa_timestamp"], *seal["additional_timestamps"]]


def known_timestamp(timestamp):
    return {name: timestamp[name] for name in TIMESTAMP_MEMBERS}


def hash_head(head):
    """The metachain's leaf for the head of a chain."""
    return sha256(b"\x00", entry_of(head))


def entry_of(head):
    """The metachain's entry for the head of a chain: its label and its commitment, 64 bytes."""
    commitment = hash_json({name: head[name] for name in ("chain_id", "head_index", "root", "tree_size")})
    return label_of(head["chain_id"], head["head_index"]) + commitment


def label_of(chain_id, head_index):
    return hash_json({"chain_id": chain_id, "head_index": head_index})


# --- Shapes: a function of a value that says whether it is one ------------------------------------------------------


def matching(pattern, most=128):
    """The shape of a text that fits the pattern and has at most so many characters."""
    compiled = re.compile(pattern, re.ASCII)
    return lambda value: isinstance(value, str) and len(value) <= most and compiled.fullmatch(value) is not None


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


def may_have(shape, **members):
    """The shape with more members, which may be absent."""
    return lambda value: shape(value) and all(
        member(value[name]) for name, member in members.items() if name in value
    )


def is_time(value):
    if not matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")(value):
        return False
    try:
        datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")
        return True
    except ValueError:
        return False


def is_stated_time(value):
    """A caller may leave out the milliseconds."""
    return is_time(value) or (isinstance(value, str) and len(value) == 20 and is_time(value[:-1] + ".000Z"))


def is_text(value):
    return isinstance(value, str)


def is_object(value):
    return isinstance(value, dict)


is_digest = matching(r"sha256:[0-9a-f]{64}")
is_node = matching(r"0x[0-9a-f]{64}")
is_index = integer(0)
is_size = integer(1)
is_path = list_of(is_node, MAX_PATH_NODES)
is_uuid = matching(r"(?i:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})")
is_chain_id = matching(r"[0-9a-f]{32}")
BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
is_token = matching(BASE64, MAX_TEXT_LENGTH)
is_signed_root = matching(BASE64, 4 * 1024)
is_status = literal("pending", "included")

is_receipt_core = having(
    event_id=is_uuid,
    chain_id=is_chain_id,
    sequence=is_index,
    turn=is_size,
    verdict=literal("ALLOW", "MODIFY", "BLOCK"),
    input_hash=is_digest,
    output_hash=is_digest,
    previous_hash=is_digest,
    previous_turn_hash=optional(is_digest),
    issued_at=is_time,
    recorded_after=optional(having(seal_index=is_index, seal_hash=is_digest)),
    disclosure=may_have(
        having(
            article_50_clause=literal("1"),
            disclosure_method=is_text,
            jurisdiction=is_text,
            modality=literal("voice", "chat", "walkthrough"),
            subject_hash=is_digest,
        ),
        disclosed_at=is_stated_time,
    ),
    policy=having(
        jurisdiction=is_text,
        version=is_text,
        digest=is_digest,
        wording_id=optional(is_text),
        findings=list_of(is_text),
    ),
    receipt_format_version=literal("1.0"),
    verifiability=literal("verifiable"),
)
has_authentication = having(
    auth_mechanism=literal("hmac-sha256"),
    key_id=lambda value: is_text(value) and value != "",
    signature=matching(r"[A-Za-z0-9+/]{43}="),
)


def is_receipt(value):
    """With its authentication as a whole, or as the core alone, which other formats carry."""
    is_core_alone = is_object(value) and not any(name in value for name in AUTHENTICATION)
    return is_receipt_core(value) and (is_core_alone or has_authentication(value))


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
            leaf=having(chain_id=is_chain_id, head_index=is_index, tree_size=is_size, root=is_node),
            leaf_index=is_index,
            tree_size=is_size,
            path=is_path,
            root=is_node,
        )
    ),
)
is_tsa_timestamp = having(
    status=is_status,
    timestamp_token=optional(is_token),
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
TIMESTAMP_MEMBERS = ("status", "timestamp_token", "tsa_url", "covers")
SEAL_MEMBERS = (
    *("index", "merkle_root", "tree_size", "previous_root", "previous_tree_size", "consistency_path"),
    *("receipt_count", "sealed_at"),
)
is_renewal = may_have(
    having(renews=is_index, consistency_path=is_path, seal=is_seal),
    between=list_of(having(merkle_root=is_node, tree_size=is_size, consistency_path=is_path)),
)
is_bundle = may_have(
    having(
        interaction_id=matching(r"[A-Za-z0-9._:@+=/;-]{1,128}"),
        receipts=list_of(is_object),
        requests=list_of(lambda value: True),
        proofs=list_of(having(event_id=is_uuid, evidence_chain=is_evidence_chain, merkle_proof=is_merkle_proof)),
        seals=list_of(is_seal),
    ),
    later_timestamps=list_of(having(seal_index=is_index, tsa_timestamp=is_tsa_timestamp)),
    chain_consistency=list_of(having(chain_id=is_chain_id, from_size=is_size, to_size=is_size, path=is_path)),
)
is_evidence = may_have(
    having(merkle_proof=is_merkle_proof),
    receipts=lambda value: list_of(is_object)(value) and len(value) == 1,
    evidence_chain=is_evidence_chain,
    tsa_timestamp=is_tsa_timestamp,
    recorded_after_seal=optional(is_seal),
    log_checkpoint=optional(lambda value: is_text(value) and utf16_length(value) <= 16 * 1024),
    log_signed_root=optional(is_signed_root),
    renewal=is_renewal,
)


def readable(shape, value, what):
    if not shape(value):
        raise Unreadable(f"this does not have the shape of a {what}")
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


# --- DER: X.690 sections 8, 10 and 11, one spelling of each value ---------------------------------------------------

BOOLEAN, INTEGER, BITS, OCTETS, NULL, OID = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTC_TIME, TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31

MAX_OID_BYTES = 64
OID_OCTETS = re.compile(rb"(?:[\x81-\xff][\x80-\xff]*[\x00-\x7f]|[\x00-\x7f])+", re.DOTALL)

# All bytes of one value, its contents, and the values inside if it is constructed.
Tlv = namedtuple("Tlv", "tag der value members")


def read_der(data):
    values = read_values(data, 0)
    require(len(values) == 1, "this is not one DER value with nothing behind it")
    return values[0]


def read_values(data, depth):
    require(depth <= MAX_DEPTH, "DER is nested too deep")
    values, start = [], 0
    while start < len(data):
        content, end = read_length(data, start)
        tag, value = data[start], data[content:end]
        is_constructed = tag & 0x20 != 0
        # Of the universal types SEQUENCE (16) and SET (17) have members; a string in pieces is BER.
        require(tag & 0x1F != 0x1F and (tag >= 0x40 or is_constructed == (tag & 0x1F in (16, 17))), "this is not DER")
        members = read_values(value, depth + 1) if is_constructed else ()
        values.append(Tlv(tag, data[start:end], value, members))
        require(is_canonical(values[-1]), "a value is not in the one form that DER has")
        start = end
    return values


def read_length(data, start):
    require(len(data) >= start + 2, "DER is cut")
    content, length = start + 2, data[start + 1]
    if length >= 0x80:
        octets = data[content : content + length - 0x80]
        content, length = content + len(octets), int.from_bytes(octets, "big")
        require(length >= 0x80 and octets[0] != 0, "a length is not in its shortest definite form")
    require(content + length <= len(data), "DER is cut")
    return content, content + length


def is_canonical(tlv):
    tag, _, value, members = tlv
    if tag == BOOLEAN:
        return value in (b"\x00", b"\xff")
    if tag == INTEGER:
        return value != b"" and integer_bytes(int.from_bytes(value, "big", signed=True)) == value
    if tag == BITS:
        unused = value[0] if value else 8
        return unused == 0 or (unused < 8 and len(value) > 1 and value[-1] % (1 << unused) == 0)
    if tag == NULL:
        return value == b""
    if tag == OID:
        # Real identifiers have some ten octets.
        return len(value) <= MAX_OID_BYTES and OID_OCTETS.fullmatch(value) is not None
    return tag != SET or [m.der for m in members] == sorted(m.der for m in members)


def integer_bytes(number):
    return number.to_bytes((number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)


class Fields:
    """The members of a SEQUENCE, taken in turn. Used with `with`, it refuses to leave any behind."""

    def __init__(self, tlv):
        require(tlv.tag == SEQUENCE, "a value is no SEQUENCE")
        self.left = list(tlv.members)

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        require(error is not None or not self.left, "a SEQUENCE has a member too many")

    def optional(self, *tags):
        return self.left.pop(0) if self.left and self.left[0].tag in tags else None

    def next(self, *tags):
        found = self.optional(*tags)
        require(found is not None, "a SEQUENCE lacks a member")
        return found

    def explicit(self, tag):
        """The value inside an EXPLICIT tag; None where it is left out."""
        found = self.optional(tag)
        return None if found is None else only(found.members)


def only(members):
    require(len(members) == 1, "there is not exactly one value")
    return members[0]


def small_integer(tlv):
    number = int.from_bytes(tlv.value, "big", signed=True)
    require(0 <= number < 2**31, "a number is negative or too large")
    return number


def oid(text):
    """Encodes an OBJECT IDENTIFIER that is written with dots, without its tag."""
    first, second, *arcs = map(int, text.split("."))
    octets = b""
    for arc in (first * 40 + second, *arcs):
        digits = [arc & 0x7F]
        while arc > 0x7F:
            arc >>= 7
            digits.append(arc & 0x7F | 0x80)
        octets += bytes(reversed(digits))
    return octets


# --- Certificates: RFC 5280 sections 4.1 and 4.2 --------------------------------------------------------------------

Algorithm = namedtuple("Algorithm", "oid parameters")
Certificate = namedtuple(
    "Certificate", "der signed issuer subject serial not_before not_after key extensions algorithm signature"
)
KEY_IDENTIFIER, KEY_USAGE, BASIC_CONSTRAINTS = oid("2.5.29.14"), oid("2.5.29.15"), oid("2.5.29.19")
NAME_CONSTRAINTS, POLICIES, EXTENDED_KEY_USAGE = (oid(f"2.5.29.{n}") for n in (30, 32, 37))
TIME_STAMPING, ANY_PURPOSE = oid("1.3.6.1.5.5.7.3.8"), oid("2.5.29.37.0")
# Policies limit nothing where none is asked for. The other extensions are obeyed below.
UNDERSTOOD = (KEY_USAGE, BASIC_CONSTRAINTS, POLICIES, EXTENDED_KEY_USAGE)
DIGITAL_SIGNATURE, NON_REPUDIATION, CERTIFICATE_SIGNATURE = 0, 1, 5


def read_algorithm(tlv):
    fields = Fields(tlv)
    name = fields.next(OID).value
    require(len(fields.left) <= 1, "an algorithm has more members than its parameters")
    return Algorithm(name, fields.left[0] if fields.left else None)


def read_certificate(tlv):
    with Fields(tlv) as outer:
        signed, named = outer.next(SEQUENCE), outer.next(SEQUENCE)
        signature = whole_octets(outer.next(BITS))
    with Fields(signed) as fields:
        fields.optional(0xA0)  # version
        serial = fields.next(INTEGER).value
        require(fields.next(SEQUENCE).der == named.der, "a certificate names two signature algorithms")
        issuer = fields.next(SEQUENCE).der
        with Fields(fields.next(SEQUENCE)) as validity:
            times = [read_certificate_time(validity.next(UTC_TIME, TIME)) for _ in range(2)]
        subject, key = fields.next(SEQUENCE).der, fields.next(SEQUENCE)
        fields.optional(0x81)  # unique identifiers
        fields.optional(0x82)
        extensions = read_extensions(fields.explicit(0xA3))
    return Certificate(
        tlv.der, signed.der, issuer, subject, serial, *times, key, extensions, read_algorithm(named), signature
    )


def read_extensions(tlv):
    """Maps each object identifier to whether the extension is critical, and to the DER inside."""
    entries = [] if tlv is None else [read_extension(member) for member in tlv.members]
    require(len(dict(entries)) == len(entries), "an extension is there twice")
    return dict(entries)


def read_extension(tlv):
    with Fields(tlv) as fields:
        identifier, critical = fields.next(OID).value, fields.optional(BOOLEAN)
        return identifier, (critical is not None and critical.value == b"\xff", fields.next(OCTETS).value)


def whole_octets(tlv):
    require(tlv.value[0] == 0, "a BIT STRING is not of whole octets")
    return tlv.value[1:]


def read_certificate_time(tlv):
    century = b"" if tlv.tag == TIME else b"20" if tlv.value[:2] < b"50" else b"19"
    return read_time(century + tlv.value)


def read_time(value):
    """Reads GeneralizedTime in UTC (RFC 3161 section 2.4.2) as milliseconds since 1970, and cuts off what is finer."""
    match = re.fullmatch(rb"(\d{14})(?:\.(\d*[1-9]))?Z", value)
    require(match, "a time is not in UTC")
    try:
        time = datetime.datetime.strptime(match[1].decode(), "%Y%m%d%H%M%S")
    except ValueError as error:
        raise Refuted("a time is on no calendar") from error
    fraction = (match[2] or b"")[:3].ljust(3, b"0")
    return calendar.timegm(time.timetuple()) * 1000 + int(fraction)


def key_usage(certificate):
    """Returns the numbers of the usages that a certificate allows; None where it does not limit them."""
    if KEY_USAGE not in certificate.extensions:
        return None
    tlv = read_der(certificate.extensions[KEY_USAGE][1])
    require(tlv.tag == BITS, "the key usage is no BIT STRING")
    bits = "".join(f"{octet:08b}" for octet in tlv.value[1:])
    return {number for number, bit in enumerate(bits) if bit == "1"}


def purposes_of(certificate):
    """Returns whether its purposes are critical, and which they are; None where the certificate does not limit them."""
    if EXTENDED_KEY_USAGE not in certificate.extensions:
        return None
    critical, der = certificate.extensions[EXTENDED_KEY_USAGE]
    purposes = Fields(read_der(der)).left
    require(all(purpose.tag == OID for purpose in purposes), "a purpose is no OBJECT IDENTIFIER")
    return critical, [purpose.value for purpose in purposes]


# --- Signatures: RFC 8017 and FIPS 186-5 ----------------------------------------------------------------------------

RSA, RSA_PSS, MASK_GENERATION_1 = (oid(f"1.2.840.113549.1.1.{n}") for n in (1, 10, 8))
MIN_RSA_BITS, MAX_RSA_BITS = 2048, 16384
DIGESTS = {oid(f"2.16.840.1.101.3.4.2.{n}"): name for n, name in ((1, "sha256"), (2, "sha384"), (3, "sha512"))}
# kind: rsa, pss or ecdsa. digest: None where the identifier leaves it open. salt: for pss alone.
Scheme = namedtuple("Scheme", "kind digest salt", defaults=(None,))
SCHEMES = {
    RSA: Scheme("rsa", None),
    oid("1.2.840.113549.1.1.11"): Scheme("rsa", "sha256"),
    oid("1.2.840.113549.1.1.12"): Scheme("rsa", "sha384"),
    oid("1.2.840.113549.1.1.13"): Scheme("rsa", "sha512"),
    oid("1.2.840.10045.4.3.2"): Scheme("ecdsa", "sha256"),
    oid("1.2.840.10045.4.3.3"): Scheme("ecdsa", "sha384"),
    oid("1.2.840.10045.4.3.4"): Scheme("ecdsa", "sha512"),
}


def big(digits):
    return int(digits, 16)


# FIPS 186-5: y² = x³ - 3x + b over the integers modulo p; the base point g has order n.
Curve = namedtuple("Curve", "p n b g octets")
CURVES = {
    oid("1.2.840.10045.3.1.7"): Curve(
        p=2**256 - 2**224 + 2**192 + 2**96 - 1,
        n=big("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"),
        b=big("5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B"),
        g=(
            big("6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"),
            big("4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"),
        ),
        octets=32,
    ),
    oid("1.3.132.0.34"): Curve(
        p=2**384 - 2**128 - 2**96 + 2**32 - 1,
        n=big("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973"),
        b=big("B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF"),
        g=(
            big("AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7"),
            big("3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F"),
        ),
        octets=48,
    ),
    oid("1.3.132.0.35"): Curve(
        p=2**521 - 1,
        n=big(
            "01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
            "FA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409"
        ),
        b=big(
            "0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109"
            "E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00"
        ),
        g=(
            big(
                "00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3D"
                "BAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66"
            ),
            big(
                "011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E66"
                "2C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650"
            ),
        ),
        octets=66,
    ),
}


def scheme_of(algorithm):
    if algorithm.oid == RSA_PSS:
        return read_pss(algorithm.parameters)
    require(algorithm.oid in SCHEMES, "the signature algorithm is none to rely on")
    return SCHEMES[algorithm.oid]


def read_pss(parameters):
    """RFC 4055 section 3.1. A parameter that is left out means SHA-1, which is refused."""
    require(parameters is not None, "RSASSA-PSS without parameters is by SHA-1")
    with Fields(parameters) as fields:
        found = [fields.explicit(tag) for tag in (0xA0, 0xA1, 0xA2, 0xA3)]
    hashed, mask, salt, trailer = found
    require(None not in (hashed, mask, salt), "RSASSA-PSS with defaults is by SHA-1")
    require(trailer is None or small_integer(trailer) == 1, "the trailer of RSASSA-PSS is not 1")
    digest, mask = digest_of(read_algorithm(hashed)), read_algorithm(mask)
    require(mask.oid == MASK_GENERATION_1 and mask.parameters is not None, "the mask generation is none to rely on")
    require(digest_of(read_algorithm(mask.parameters)) == digest, "RSASSA-PSS masks with another digest")
    return Scheme("pss", digest, small_integer(salt))


def digest_of(algorithm):
    require(algorithm.oid in DIGESTS, "the digest is none of SHA-256, SHA-384, SHA-512")
    return DIGESTS[algorithm.oid]


class WrongSignature(Refuted):
    """A signature can be verified, and is not by this key."""


def check_signature(scheme, digest, key, data, signature, reason):
    if not is_signature(scheme, digest, key.der, data, signature):
        raise WrongSignature(reason)


@lru_cache(maxsize=4096)
def is_signature(scheme, digest, key_info, data, signature):
    """Verifies with the key of a SubjectPublicKeyInfo. Results are remembered: many tokens share certificates."""
    with Fields(read_der(key_info)) as fields:
        algorithm, key = read_algorithm(fields.next(SEQUENCE)), whole_octets(fields.next(BITS))
    hashed = hashlib.new(digest, data).digest()
    if scheme.kind == "ecdsa":
        return is_ecdsa(curve_of(algorithm), key, hashed, signature)
    require_rsa(algorithm, scheme)
    with Fields(read_der(key)) as numbers:
        modulus, exponent = (int.from_bytes(numbers.next(INTEGER).value, "big", signed=True) for _ in range(2))
    # A stranger chooses the key, and must not be able to make it take hours.
    is_usual = MIN_RSA_BITS <= modulus.bit_length() <= MAX_RSA_BITS and 0 < exponent < 2**64 and modulus > 0
    require(is_usual, "the RSA key is too short, or absurdly long")
    return is_rsa(scheme, digest, modulus, exponent, hashed, signature)


def curve_of(algorithm):
    """RFC 5480 section 2.1.1."""
    named = algorithm.oid == oid("1.2.840.10045.2.1") and algorithm.parameters is not None
    require(named and algorithm.parameters.tag == OID, "the key is not on a named curve")
    require(algorithm.parameters.value in CURVES, "the key is not on P-256, P-384 or P-521")
    return CURVES[algorithm.parameters.value]


def require_rsa(algorithm, scheme):
    """RFC 4055 section 3.3: a key that is for RSASSA-PSS serves nothing else, nor weaker parameters than its own."""
    require(algorithm.oid in (RSA, RSA_PSS), "the key is not for RSA")
    if algorithm.oid == RSA:
        return
    own = scheme if algorithm.parameters is None else read_pss(algorithm.parameters)
    alike = scheme.kind == "pss" and own.digest == scheme.digest and own.salt <= scheme.salt
    require(alike, "the key is for another use of RSASSA-PSS")


def is_rsa(scheme, digest, modulus, exponent, hashed, signature):
    octets = (modulus.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != octets or number >= modulus:
        return False
    encoded = pow(number, exponent, modulus).to_bytes(octets, "big")
    if scheme.kind == "pss":
        return is_pss(encoded, modulus.bit_length() - 1, digest, hashed, scheme.salt)
    return encoded == encode_pkcs1(digest, hashed, octets)


def encode_pkcs1(digest, hashed, octets):
    """RFC 8017 section 9.2."""
    identifier = next(value for value, name in DIGESTS.items() if name == digest)
    algorithm = der(SEQUENCE, der(OID, identifier) + der(NULL, b""))
    info = der(SEQUENCE, algorithm + der(OCTETS, hashed))
    return b"\x00\x01" + b"\xff" * (octets - len(info) - 3) + b"\x00" + info


def der(tag, value):
    return bytes([tag, len(value)]) + value


def is_pss(encoded, bits, digest, hashed, salt_length):
    """RFC 8017 section 9.1.2. `bits` is one less than the modulus has."""
    size, octets = len(hashed), (bits + 7) // 8
    if any(encoded[:-octets]) or octets < size + salt_length + 2 or encoded[-1] != 0xBC:
        return False
    encoded = encoded[-octets:]
    masked, mixed = encoded[: octets - size - 1], encoded[octets - size - 1 : -1]
    if masked[0] >> (8 - (8 * octets - bits)):
        return False
    mask = generate_mask(digest, mixed, len(masked))
    block = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    block = (block % (1 << (bits - 8 * (size + 1)))).to_bytes(len(masked), "big")
    padding, salt = block[: len(block) - salt_length], block[len(block) - salt_length :]
    is_padded = padding == b"\x00" * (len(padding) - 1) + b"\x01"
    return is_padded and mixed == hashlib.new(digest, bytes(8) + hashed + salt).digest()


def generate_mask(digest, seed, length):
    """RFC 8017 appendix B.2.1."""
    mask = b""
    for counter in range(length):
        if len(mask) >= length:
            break
        mask += hashlib.new(digest, seed + counter.to_bytes(4, "big")).digest()
    return mask[:length]


def is_ecdsa(curve, key, hashed, signature):
    """Verifies an ECDSA signature as FIPS 186-5 section 6.4.2 says."""
    point = read_point(curve, key)
    try:
        with Fields(read_der(signature)) as numbers:
            r, s = (int.from_bytes(numbers.next(INTEGER).value, "big", signed=True) for _ in range(2))
    except Refuted:
        return False
    if not (0 < r < curve.n and 0 < s < curve.n):
        return False
    surplus = max(0, 8 * len(hashed) - curve.n.bit_length())
    inverse = pow(s, -1, curve.n)
    u, v = (int.from_bytes(hashed, "big") >> surplus) * inverse % curve.n, r * inverse % curve.n
    reached = multiply_and_add(curve.p, u, curve.g, v, point)
    return reached is not None and reached[0] % curve.n == r


def read_point(curve, key):
    """RFC 5480 section 2.2, uncompressed."""
    require(len(key) == 1 + 2 * curve.octets and key[0] == 4, "the key is no uncompressed point")
    x, y = (int.from_bytes(half, "big") for half in (key[1 : 1 + curve.octets], key[1 + curve.octets :]))
    on_curve = max(x, y) < curve.p and (y * y - x * x * x + 3 * x - curve.b) % curve.p == 0
    require(on_curve, "the key is no point of its curve")
    return x, y


# Points are added in Jacobian coordinates: (x, y, z) stands for (x / z², y / z³), and z = 0 for the neutral point. So
# one division is enough for a whole signature.
NEUTRAL = (1, 1, 0)


def double(p, point):
    x, y, z = point
    square = y * y % p
    s = 4 * x * square % p
    m = 3 * (x - z * z) * (x + z * z) % p
    doubled = (m * m - 2 * s) % p
    return doubled, (m * (s - doubled) - 8 * square * square) % p, 2 * y * z % p


def add(p, point, other):
    """`other` is (x, y), or None for the neutral point."""
    if other is None:
        return point
    x, y, z = point
    if z == 0:
        return (*other, 1)
    square = z * z % p
    h, r = (other[0] * square - x) % p, (other[1] * square * z - y) % p
    if h == 0:
        return double(p, point) if r == 0 else NEUTRAL
    v, cube = x * h * h % p, h * h * h % p
    total = (r * r - cube - 2 * v) % p
    return total, (r * (v - total) - y * cube) % p, z * h % p


def affine(p, point):
    """Turns a point into (x, y), and the neutral point into None."""
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, p)
    return x * inverse**2 % p, y * inverse**3 % p


def multiply_and_add(p, u, a, v, b):
    """Computes u a + v b from the highest bit down, as (x, y) or None."""
    terms, total = (None, b, a, affine(p, add(p, (*a, 1), b))), NEUTRAL
    for bit in reversed(range(max(u.bit_length(), v.bit_length()))):
        total = add(p, double(p, total), terms[2 * (u >> bit & 1) + (v >> bit & 1)])
    return affine(p, total)


# --- Timestamps: RFC 3161 over CMS (RFC 5652) -----------------------------------------------------------------------

SIGNED_DATA, TST_INFO = oid("1.2.840.113549.1.7.2"), oid("1.2.840.113549.1.9.16.1.4")
CONTENT_TYPE, MESSAGE_DIGEST = oid("1.2.840.113549.1.9.3"), oid("1.2.840.113549.1.9.4")
CERT_ID, CERT_ID_V2 = oid("1.2.840.113549.1.9.16.2.12"), oid("1.2.840.113549.1.9.16.2.47")
MAX_CERTIFICATES = 16

Token = namedtuple("Token", "content info certificates signers")
Info = namedtuple("Info", "version algorithm imprint gen_time accuracy has_critical")
# The time that a token proves, how far it may be off, and when the first certificate of its path runs out.
Proven = namedtuple("Proven", "gen_time accuracy valid_until")
# What a token without a fault of its own says. valid_until: None where it leads to none of the reader's anchors.
Judged = namedtuple("Judged", "imprint gen_time accuracy valid_until")
CertId = namedtuple("CertId", "digest hashed issuer_serial")
# name: (issuer, serial), or the key's identifier alone.
Signer = namedtuple("Signer", "name digest attributes algorithm signature")


def read_token(data):
    with Fields(read_der(data)) as content_info:
        require(content_info.next(OID).value == SIGNED_DATA, "the token is no CMS SignedData")
        signed_data = content_info.explicit(0xA0)
        require(signed_data is not None, "there is no SignedData")
    with Fields(signed_data) as fields:
        small_integer(fields.next(INTEGER))
        fields.next(SET)  # digest algorithms, which the signer names too
        content = read_content(fields.next(SEQUENCE))
        certificates = fields.optional(0xA0)
        fields.optional(0xA1)  # revocation lists
        signers = [read_signer(signer) for signer in fields.next(SET).members]
    certificates = [tlv for tlv in certificates.members if tlv.tag == SEQUENCE] if certificates else []
    require(len(certificates) <= MAX_CERTIFICATES, "the token holds too many certificates")
    return Token(content, read_info(content), [read_certificate(tlv) for tlv in certificates], signers)


def read_content(tlv):
    with Fields(tlv) as content:
        require(content.next(OID).value == TST_INFO, "the content is no TSTInfo")
        octets = content.explicit(0xA0)
    require(octets is not None and octets.tag == OCTETS, "there is no TSTInfo inside")
    return octets.value


def read_info(data):
    """RFC 3161 section 2.4.2."""
    with Fields(read_der(data)) as fields:
        version = small_integer(fields.next(INTEGER))
        fields.next(OID)  # policy
        with Fields(fields.next(SEQUENCE)) as imprint:
            algorithm, hashed = read_algorithm(imprint.next(SEQUENCE)), imprint.next(OCTETS).value
        fields.next(INTEGER)  # serial number
        gen_time = read_time(fields.next(TIME).value)
        accuracy = read_accuracy(fields.optional(SEQUENCE))
        for tag in (BOOLEAN, INTEGER, 0xA0):  # ordering, nonce, tsa
            fields.optional(tag)
        extensions = fields.optional(0xA1)
    critical = [read_extension(member)[1][0] for member in extensions.members] if extensions else []
    return Info(version, algorithm, hashed, gen_time, accuracy, any(critical))


def read_accuracy(tlv):
    """In milliseconds; none that is stated counts as 0."""
    if tlv is None:
        return 0
    with Fields(tlv) as fields:
        seconds, parts = fields.optional(INTEGER), [fields.optional(0x80), fields.optional(0x81)]
    for part in parts:
        require(part is None or 1 <= small_integer(part) <= 999, "an accuracy is not of 1 to 999 thousandths")
    millis, micros = (0 if part is None else small_integer(part) for part in parts)
    return (0 if seconds is None else small_integer(seconds)) * 1000 + millis + micros / 1000


def read_signer(tlv):
    with Fields(tlv) as fields:
        small_integer(fields.next(INTEGER))
        identifier = fields.next(0x80, SEQUENCE)
        digest, attributes = read_algorithm(fields.next(SEQUENCE)), fields.next(0xA0)
        algorithm, signature = read_algorithm(fields.next(SEQUENCE)), fields.next(OCTETS).value
        fields.optional(0xA1)  # attributes that nobody signed
    # RFC 5652 section 5.4: the signature is over the SET in DER, which the token has as [0].
    signed = read_der(b"\x31" + attributes.der[1:])
    return Signer(read_signer_name(identifier), digest, signed, algorithm, signature)


def read_signer_name(tlv):
    if tlv.tag == 0x80:
        return tlv.value
    with Fields(tlv) as fields:
        return fields.next(SEQUENCE).der, fields.next(INTEGER).value


class Authorities:
    """The timestamp authorities that a reader trusts, by their certificates.

    A token is judged once by its bytes, however many roots it is given for.
    """

    def __init__(self, certificates=()):
        self.certificates = tuple(certificates)
        self.outcome = lru_cache(maxsize=2048)(self._outcome)

    def judge(self, text):
        """Judges a token in base64. Without certificates it is read, and the result is None. Raises Refuted."""
        judged = self.outcome(text)
        if isinstance(judged, str):
            raise Refuted(judged)
        return judged

    def _outcome(self, text):
        """Gives the result of judge(), or a text that says why the token is refused."""
        try:
            token = read_token(decode_base64(text))
            return judge_token(token, self.certificates) if self.certificates else None
        except Refuted as reason:
            return str(reason)
        except UNFORESEEN:
            return "this is no token that can be read"


def judge_token(token, anchors):
    """Checks all of a token but the root that it must cover. Raises Refuted."""
    info = token.info
    require(info.version == 1, "the TSTInfo is not of version 1")
    require(not info.has_critical, "the TSTInfo has a critical extension, which is not supported")
    require(DIGESTS.get(info.algorithm.oid) == "sha256", "the imprint is not by SHA-256")
    require(len(token.signers) == 1, "there is not exactly one signer")
    signer = token.signers[0]
    named = [certificate for certificate in token.certificates if is_named(certificate, signer.name)]
    require(named, "the signer's certificate is not in the token")
    certificate, digest = named[0], digest_of(signer.digest)
    limits = check_attributes(signer, digest, token.content, certificate)
    check_purpose(certificate)
    check_usable(certificate, info.gen_time)
    check_signer(signer, digest, certificate)
    permitted = [c for c in token.certificates if all(is_among(c, cert_ids) for cert_ids in limits)]
    untried, trusted = [*anchors, *permitted], {anchor.der for anchor in anchors}
    try:
        path = find_anchor([certificate], untried, trusted, info.gen_time)
    except Refuted:
        if leads_to_anchor(certificate, token.certificates, anchors):
            raise
        return Judged(info.imprint, info.gen_time, info.accuracy, None)
    valid_until = min(certificate.not_after for certificate in path)
    return Judged(info.imprint, info.gen_time, info.accuracy, valid_until)


def check_signer(signer, digest, certificate):
    scheme = scheme_of(signer.algorithm)
    require(scheme.digest in (None, digest), "the signature is by another digest than the signer says")
    signed = signer.attributes.der
    check_signature(scheme, digest, certificate.key, signed, signer.signature, "the signature does not hold")


def is_named(certificate, name):
    if isinstance(name, tuple):
        return (certificate.issuer, certificate.serial) == name
    _, der = certificate.extensions.get(KEY_IDENTIFIER, (False, None))
    return der is not None and read_octets(der) == name


def read_octets(data):
    tlv = read_der(data)
    require(tlv.tag == OCTETS, "a value is no OCTET STRING")
    return tlv.value


def check_attributes(signer, digest, content, certificate):
    """RFC 5652 section 11: each attribute is there once, with one value. Returns the lists that limit the path."""
    values = {}
    for attribute in signer.attributes.members:
        with Fields(attribute) as fields:
            name, value = fields.next(OID).value, only(fields.next(SET).members)
        require(name not in values, "a signed attribute is there twice")
        values[name] = value
    typed, stated = values.get(CONTENT_TYPE), values.get(MESSAGE_DIGEST)
    require(typed is not None and (typed.tag, typed.value) == (OID, TST_INFO), "the signed content type is another")
    require(stated is not None, "there is no signed digest")
    require(stated.value == hashlib.new(digest, content).digest(), "the signed digest is not that of the TSTInfo")
    require(CERT_ID in values or CERT_ID_V2 in values, "the signer does not say which certificate is meant")
    lists = [read_cert_ids(values[name], name) for name in (CERT_ID, CERT_ID_V2) if name in values]
    for cert_ids in lists:
        require(cert_ids, "the signer names no certificate")
        require(is_meant(cert_ids[0], certificate), "the signer means another certificate")
        if cert_ids[0].issuer_serial is not None:
            check_issuer_serial(cert_ids[0].issuer_serial, certificate)
    # RFC 5035 section 5.4: a list with more certificates than the signer's lets the path lead through no others.
    return [cert_ids for cert_ids in lists if len(cert_ids) > 1]


def read_cert_ids(tlv, name):
    return [read_cert_id(member, name) for member in Fields(tlv).next(SEQUENCE).members]


def read_cert_id(tlv, name):
    """RFC 5035. ESSCertID is by SHA-1, ESSCertIDv2 by SHA-256 unless it says otherwise."""
    with Fields(tlv) as fields:
        algorithm = fields.optional(SEQUENCE) if name == CERT_ID_V2 else None
        default = "sha256" if name == CERT_ID_V2 else "sha1"
        digest = default if algorithm is None else digest_of(read_algorithm(algorithm))
        return CertId(digest, fields.next(OCTETS).value, fields.optional(SEQUENCE))


def is_meant(cert_id, certificate):
    return cert_id.hashed == hashlib.new(cert_id.digest, certificate.der).digest()


def is_among(certificate, cert_ids):
    """Tells whether one of them means the certificate, which is hashed once a digest, however many they are."""
    hashes = {(name, hashlib.new(name, certificate.der).digest()) for name in {c.digest for c in cert_ids}}
    return any((cert_id.digest, cert_id.hashed) in hashes for cert_id in cert_ids)


def check_issuer_serial(tlv, certificate):
    with Fields(tlv) as fields:
        name, serial = only(fields.next(SEQUENCE).members), fields.next(INTEGER).value
    require(name.tag == 0xA4, "the issuer is not a directory name")
    meant = (only(name.members).der, serial)
    require(meant == (certificate.issuer, certificate.serial), "the signer means a certificate of another issuer")


def check_purpose(certificate):
    """RFC 3161 section 2.3."""
    require(purposes_of(certificate) == (True, [TIME_STAMPING]), "the signer's key is not for timestamps alone")
    usage = key_usage(certificate)
    signs = usage is None or (usage and usage <= {DIGITAL_SIGNATURE, NON_REPUDIATION})
    require(signs, "the signer's key is not for signatures alone")


def check_usable(certificate, time):
    """Every certificate on the path must pass this, the anchor too."""
    require(certificate.not_before <= time <= certificate.not_after, "a certificate was not valid at genTime")
    critical = {name for name, (is_critical, _) in certificate.extensions.items() if is_critical}
    require(critical <= set(UNDERSTOOD), "a certificate has a critical extension that is not supported")
    # RFC 5280 section 4.2.1.10: they bind every verifier, and some CAs leave them uncritical all the same.
    require(NAME_CONSTRAINTS not in certificate.extensions, "a certificate has name constraints")


def leads_to_anchor(certificate, others, anchors):
    """Tells whether an anchor is among the certificates to which names lead from this one, or signed one of them."""
    trusted = {anchor.der for anchor in anchors}
    reached = [certificate, *certificates_above(certificate, others)]
    return any(c.der in trusted or any(may_have_issued(anchor, c) for anchor in anchors) for c in reached)


def certificates_above(certificate, others):
    """Lists the certificates to which names alone lead, from issuer to issuer."""
    by_subject = {}
    for other in others:
        by_subject.setdefault(other.subject, []).append(other)
    above, names = [], [certificate.issuer]
    while names:
        found = by_subject.pop(names.pop(), [])
        above += found
        names += [issuer.issuer for issuer in found]
    return above


def may_have_issued(issuer, certificate):
    """Compares names and tries the key. A signature that can't be verified at all is not shown to be another key's."""
    if issuer.subject != certificate.issuer:
        return False
    try:
        check_issued(issuer, certificate)
        return True
    except WrongSignature:
        return False
    except Refuted:
        return True


def find_anchor(path, untried, anchors, time):
    """RFC 5280 section 6. Each certificate is followed once, or some that lead in circles would take for ever."""
    last = path[-1]
    if last.der in anchors:
        return path
    reason = Refuted("the certificates that the signer names lead to no trust anchor")
    for issuer in [candidate for candidate in untried if candidate.subject == last.issuer]:
        try:
            require(issuer in untried, "a path leads in circles")
            check_issuer(path, issuer, time)
            untried.remove(issuer)
            return find_anchor([*path, issuer], untried, anchors, time)
        except Refuted as error:
            reason = error
    raise reason


def check_issuer(path, issuer, time):
    check_usable(issuer, time)
    is_ca, limit = basic_constraints(issuer)
    require(is_ca, "an issuer is no CA")
    usage = key_usage(issuer)
    require(usage is None or CERTIFICATE_SIGNATURE in usage, "an issuer's key is not for certificates")
    below = [certificate for certificate in path[1:] if certificate.issuer != certificate.subject]
    require(limit is None or len(below) <= limit, "the path is longer than an issuer allows")
    _, purposes = purposes_of(issuer) or (False, [ANY_PURPOSE])
    require({TIME_STAMPING, ANY_PURPOSE} & set(purposes), "an issuer is for other purposes")
    check_issued(issuer, path[-1])


def check_issued(issuer, certificate):
    scheme = scheme_of(certificate.algorithm)
    require(scheme.digest is not None, "a certificate's signature does not name its digest")
    reason = "a certificate was not signed by the issuer that it names"
    check_signature(scheme, scheme.digest, issuer.key, certificate.signed, certificate.signature, reason)


def basic_constraints(certificate):
    """Returns whether it is a CA, and how many more may be below it; None where that is not limited."""
    if BASIC_CONSTRAINTS not in certificate.extensions:
        return False, 0
    with Fields(read_der(certificate.extensions[BASIC_CONSTRAINTS][1])) as fields:
        is_ca, limit = fields.optional(BOOLEAN), fields.optional(INTEGER)
    return is_ca is not None and is_ca.value == b"\xff", None if limit is None else small_integer(limit)


def token_of(timestamp):
    """Returns the token in base64; None while pending."""
    text = timestamp["timestamp_token"]
    require((timestamp["status"] == "included") == (text is not None), "the status and the token contradict each other")
    return text


def decode_base64(text):
    data = base64.b64decode(text)
    require(base64.b64encode(data).decode() == text, "the base64 has stray bits")
    return data


def prove_times(timestamp, root, stated, reader):
    """Returns the one time that a token proves in a list, which is empty while pending.

    Raises Refuted; and StrayAnchor where the token has no other fault.
    """
    token = token_of(timestamp)
    if token is None:
        return []
    judged = reader.authorities.judge(token)
    require(judged.imprint == node_bytes(root), "the token covers another root")
    is_older = stated is not None and judged.gen_time < milliseconds(stated) - CLOCK_TOLERANCE_MS
    require(not is_older, "the token is older than what it covers")
    is_future = reader.now is not None and judged.gen_time > reader.now + CLOCK_TOLERANCE_MS
    require(not is_future, "the token is of a time still to come")
    if judged.valid_until is None:
        raise StrayAnchor("none of the certificates that were given is of the authority that signed the token")
    return [Proven(judged.gen_time, judged.accuracy, judged.valid_until)]


def check_timestamp(timestamp, root, stated, reader, renew=lambda: []):
    """`renew` gives what later tokens prove of this root. It is called where the token alone proves no valid time."""
    token = token_of(timestamp)
    if not reader.authorities.certificates:
        if token is not None:
            reader.authorities.judge(token)
        raise Unmade("there is no token yet" if token is None else "no certificate of a timestamp authority was given")
    times, stray = attempt(lambda: prove_times(timestamp, root, stated, reader))
    if not any(is_valid(time, reader.now) for time in times):
        later, other = attempt(renew)
        times, stray = [*times, *later], stray or other
    if not times:
        raise stray or Unmade("there is no token yet")
    valid = [time for time in times if is_valid(time, reader.now)]
    if not valid:
        raise Unmade("the authority's certificate ran out, and no newer token was given that renews it")
    return f"the root existed at {show_time(min(valid).gen_time)}"


def attempt(prove):
    """Returns the times that are proved; and a StrayAnchor, if that is why there are none."""
    try:
        return prove(), None
    except StrayAnchor as reason:
        return [], reason


def is_valid(proven, now):
    """Tells whether the certificates behind a time are still valid."""
    return now is None or now <= proven.valid_until


def show_time(time):
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=time)).isoformat() + "Z"


def milliseconds(time):
    moment = datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
    return calendar.timegm(moment.timetuple()) * 1000 + moment.microsecond // 1000


# --- Ed25519: RFC 8032 section 5.1 -----------------------------------------------------------------------------------

ED_P = 2**255 - 19
ED_L = 2**252 + 27742317777372353535851937790883648493
ED_D = -121665 * pow(121666, -1, ED_P) % ED_P
ED_ROOT_OF_MINUS_ONE = pow(2, (ED_P - 1) // 4, ED_P)


def is_ed25519(key, message, signature):
    """Verifies a signature as section 5.1.7 says: [S]B = R + [k]A, with R compared as it is encoded."""
    point, s = ed_decode(key), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or s >= ED_L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ED_L
    x, y, z, t = point
    return ed_encode(ed_add(ed_multiply(s, ED_BASE), ed_multiply(k, (-x, y, z, -t)))) == signature[:32]


def ed_add(point, other):
    """Adds points in extended coordinates (section 5.1.4): x = X / Z, y = Y / Z, x y = T / Z."""
    a, b = (point[1] - point[0]) * (other[1] - other[0]), (point[1] + point[0]) * (other[1] + other[0])
    c, d = 2 * ED_D * point[3] * other[3], 2 * point[2] * other[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % ED_P, g * h % ED_P, f * g % ED_P, e * h % ED_P


def ed_multiply(factor, point):
    total = (0, 1, 1, 0)
    for bit in reversed(range(factor.bit_length())):
        total = ed_add(total, total)
        if factor >> bit & 1:
            total = ed_add(total, point)
    return total


def ed_encode(point):
    x, y, z, _ = point
    inverse = pow(z, -1, ED_P)
    x, y = x * inverse % ED_P, y * inverse % ED_P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def ed_decode(data):
    """Section 5.1.3; None for what is no point."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    if len(data) != 32 or y >= ED_P:
        return None
    u, v = y * y - 1, ED_D * y * y + 1
    x = u * v**3 * pow(u * v**7, (ED_P - 5) // 8, ED_P) % ED_P
    if (v * x * x + u) % ED_P == 0:
        x = x * ED_ROOT_OF_MINUS_ONE % ED_P
    if (v * x * x - u) % ED_P != 0 or (x == 0 and sign == 1):
        return None
    x = ED_P - x if x & 1 != sign else x
    return x, y, 1, x * y % ED_P


ED_BASE = ed_decode((4 * pow(5, -1, ED_P) % ED_P).to_bytes(32, "little"))


# --- Signed checkpoints of the log -----------------------------------------------------------------------------------

LOG_KEY, WITNESS_KEY = 1, 4
MAX_NOTE_LENGTH, MAX_NOTE_LINES, MAX_POLICY_LENGTH = 1_000_000, 64, 100_000
# Times are those that a date of ECMAScript can have.
MAX_SECONDS = 8_640_000_000_000
# ECMAScript's white space, which is not quite Python's.
NO_WHITE_SPACE = "[^\\s\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u00a0\ufeff+]+"
SIGNATURE_LINE = re.compile(f"\u2014 ({NO_WHITE_SPACE}) ([A-Za-z0-9+/]+={{0,2}})", re.ASCII)
KEY_NAME = re.compile(NO_WHITE_SPACE.replace("+]", "+\x00-\x1f\x7f-\x9f]"), re.ASCII)
NoteKey = namedtuple("NoteKey", "name id type public_key")
# logs: their keys. witnesses: keys by name. groups: in order, (name, threshold, members). quorum: a name, or None.
Policy = namedtuple("Policy", "logs witnesses groups quorum")


def check_checkpoint(note, size, root, policy):
    """The log of the reader's policy signed this root with this size, and the quorum of its witnesses cosigned that."""
    text, lines = read_note(note)
    origin, signed_size, signed_root = read_checkpoint(text)
    logs = [key for key in policy.logs if key.name == origin]
    if not logs:
        raise StrayLog(f"it is a checkpoint of {origin}, which the policy does not name")
    signed = [count_signatures(text, lines, key) for key in logs]
    require(any(signed), "no log of the policy signed the checkpoint")
    cosigned = {name for name, key in policy.witnesses.items() if count_signatures(text, lines, key)}
    require(signed_size == size, f"the checkpoint is of a tree of {signed_size} entries, and not of {size}")
    require(signed_root == root, f"the log signed another root for {size} entries")
    if not is_quorum(policy, cosigned):
        raise Unmade(f"{origin} signed this root, but too few witnesses of the policy cosigned it")
    return f"{origin} signed this root with its size of {size}; cosigned by {', '.join(sorted(cosigned)) or 'nobody'}"


def read_note(note):
    """Splits a note into its text and its signature lines, as (name, id, signature)."""
    require(utf16_length(note) <= MAX_NOTE_LENGTH, "the note is too long")
    require(not re.search("[\x00-\x09\x0b-\x1f]", note), "the note holds a control character")
    text, separator, lines = note.rpartition("\n\n")
    require(separator and note.endswith("\n"), "the note has no signature lines")
    lines = lines[:-1].split("\n")
    require(len(lines) <= MAX_NOTE_LINES, "the note has too many signatures")
    return text + "\n", [read_signature_line(line) for line in lines]


def read_signature_line(line):
    found = SIGNATURE_LINE.fullmatch(line)
    require(found, "a line of the note is no signature")
    data = decode_base64(found[2])
    require(len(data) > 4, "a signature line holds no signature")
    return found[1], data[:4], data[4:]


def read_checkpoint(text):
    lines = text[:-1].split("\n")
    require(len(lines) >= 3 and "" not in lines, "the checkpoint does not name an origin, a size and a root")
    require(re.fullmatch("0|[1-9][0-9]*", lines[1]) and len(lines[1]) <= 16, "the checkpoint's size is no number")
    root = decode_base64(lines[2])
    require(int(lines[1]) <= MAX_INTEGER and len(root) == 32, "the checkpoint has no size or no root")
    return lines[0], int(lines[1]), root


def count_signatures(text, lines, key):
    """How many lines are by this key. Every one of them must hold."""
    own = [signature for name, id, signature in lines if (name, id) == (key.name, key.id)]
    if key.type not in (LOG_KEY, WITNESS_KEY):
        return 0
    for signature in own:
        require(is_note_signature(text, signature, key), f"the signature by {key.name} does not hold")
    return len(own)


def is_note_signature(text, signature, key):
    if key.type == LOG_KEY:
        return is_ed25519(key.public_key, text.encode(), signature)
    seconds = int.from_bytes(signature[:8], "big")
    message = f"cosignature/v1\ntime {seconds}\n{text}"
    return seconds <= MAX_SECONDS and is_ed25519(key.public_key, message.encode(), signature[8:])


def is_quorum(policy, cosigned):
    holding = set(cosigned)
    for name, threshold, members in policy.groups:
        if len(holding.intersection(members)) >= threshold:
            holding.add(name)
    return policy.quorum is None or policy.quorum in holding


def read_note_key(text):
    """Reads a vkey; the base64 may hold a plus, too."""
    name, id, material = (*text.split("+", 2), "", "")[:3]
    data = decode_base64(material)
    expected = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex()
    require(KEY_NAME.fullmatch(name) and len(data) > 1 and id == expected, "this is no key of a log or a witness")
    require(data[0] not in (LOG_KEY, WITNESS_KEY) or ed_decode(data[1:]), "the key is no Ed25519 key")
    return NoteKey(name, bytes.fromhex(id), data[0], data[1:])


def read_policy(text):
    """Reads a tlog-policy, or a log's key alone. Raises Unreadable."""
    try:
        if re.fullmatch(r"[^\s#]+", text.strip()):
            key = read_note_key(text.strip())
            require(key.type == LOG_KEY, "this is not the key of a log")
            return Policy([key], {}, [], None)
        return read_policy_lines(text)
    except (Refuted, ValueError) as error:
        raise Unreadable(f"the policy can't be read: {error}") from error


def read_policy_lines(text):
    require(len(text) <= MAX_POLICY_LENGTH, "it is too long")
    logs, witnesses, groups, quorums = [], {}, [], []
    for line in text.split("\n"):
        words = [word for word in re.split("[ \t]+", line) if word]
        if not words or words[0].startswith("#"):
            continue
        names = {"none", *witnesses, *(name for name, _, _ in groups)}
        read = {"log": read_log, "witness": read_witness, "group": read_group, "quorum": read_quorum}.get(words[0])
        require(read, f"no line begins with {words[0]}")
        read(words[1:], names, (logs, witnesses, groups, quorums))
    keys = [key.public_key for key in (*logs, *witnesses.values())]
    require(logs and len(quorums) == 1 and len(set(keys)) == len(keys), "no log, no quorum, or a key twice")
    return Policy(logs, witnesses, groups, None if quorums == ["none"] else quorums[0])


def read_log(words, _names, lists):
    require(len(words) in (1, 2), "a log has a key and may have a URL")
    key = read_note_key(words[0])
    require(key.type != WITNESS_KEY, "the key of a log is that of a witness")
    lists[0].append(key)


def read_witness(words, names, lists):
    require(len(words) in (2, 3) and words[0] not in names, "a witness has a name of its own and a key")
    key = read_note_key(words[1])
    require(key.type != LOG_KEY, "the key of a witness is that of a log")
    lists[1][words[0]] = key


def read_group(words, names, lists):
    require(len(words) >= 3 and words[0] not in names, "a group has a name of its own, a number and members")
    name, number, *members = words
    known = names - {"none"}
    require(len(set(members)) == len(members) and known.issuperset(members), "a group has an unknown member")
    require(number in ("all", "any") or re.fullmatch("[1-9][0-9]{0,3}", number), "a group asks for no number")
    threshold = {"all": len(members), "any": 1}.get(number) or int(number)
    require(threshold <= len(members), "a group asks for more than all of its members")
    lists[2].append((name, threshold, members))


def read_quorum(words, names, lists):
    require(len(words) == 1 and words[0] in names, "the quorum is no witness, no group, and not none")
    lists[3].append(words[0])


# --- A receipt -------------------------------------------------------------------------------------------------------


# What the reader has. authorities: whose timestamps are trusted. requests: by their digest, those that the receipt may
# be of. published: by index, the published seals that were looked up, None where none is published. copies: by index,
# the seals that a bundle encloses; None outside of bundles. now: milliseconds since 1970, or None to judge tokens as of
# their own time. history: a TenantHistory, or None. policy: a Policy for the log's signatures, or None.
NOTHING = (Authorities(), {}, {}, None, None)
MEMBERS = "authorities requests published copies now history policy"
Reader = namedtuple("Reader", MEMBERS, defaults=(*NOTHING, None, None))


def by_digest(requests):
    return {digest(hash_json(request)): request for request in requests}


def verify_receipt(evidence, reader=Reader()):
    """Makes every check of a receipt with its proof, or of a proof alone."""
    subject = (evidence, evidence["receipts"][0] if "receipts" in evidence else None, reader)
    names = ["event_inclusion", "evidence_chain", "merkle_root", "published_root", "timestamp"]
    if "receipts" in evidence:
        names = ["receipt_format", "event_id", "input_hash", "output_hash", "leaf_hash", "links", *names]
        names.append("recorded_after")
    if reader.policy is not None:
        names.append("checkpoint")
    checks = [run(name, lambda name=name: RECEIPT_CHECKS[name](*subject)) for name in names]
    return checks + (verify_history(evidence, subject[1], reader.history) if reader.history else [])


def check_receipt_format(evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    require(evidence.get("event_id", receipt["event_id"]) == receipt["event_id"], "the answer names another event")


def check_event_id(_evidence, receipt, _reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    chain_id, sequence, event_id = receipt["chain_id"], receipt["sequence"], receipt["event_id"]
    require(sequence < 2**48, "the sequence is too large for an event id")
    shard = int(event_id.replace("-", ""), 16) >> 48 & 0xFFF
    check = sha256(f"disclosure-receipt/1/event\n{chain_id}\n{sequence}".encode())
    bits = int.from_bytes(check[:8], "big") >> 2
    first, middle, last = bits >> 14, bits >> 2 & 0xFFF, bits & 0b11
    expected = first << 80 | 8 << 76 | middle << 64 | 0b10 << 62 | last << 60 | shard << 48 | sequence
    require(event_id == str(UUID(int=expected)), "the event id is not that of this place in the chain")


def check_input_hash(_evidence, receipt, reader):
    require(is_receipt(receipt), "the receipt is not as the format says")
    if not reader.requests:
        raise Unmade("the request was not given")
    if receipt["input_hash"] not in reader.requests:
        # A bundle's own request is part of the evidence.
        require(reader.copies is None, "the enclosed request has another hash")
        raise_stray(reader.requests)
    body = reader.requests[receipt["input_hash"]]
    require(is_object(body), "the request is no object")
    names = ("article_50_clause", "disclosure_method", "jurisdiction", "modality", "subject_hash", "disclosed_at")
    said = {name: receipt["disclosure"][name] for name in names if name in receipt["disclosure"]}
    asked = {name: value for name, value in body.items() if name not in ("interaction_id", "agent_identity")}
    require(said == asked, "the receipt says another disclosure than the request")


def raise_stray(requests):
    if len(requests) > 1:
        raise Unmade("none of the requests that were given is the one behind this receipt")
    raise StrayRequest("the request that was given is not the one behind this receipt")


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
    is_first_turn = receipt["previous_turn_hash"] is None
    require((receipt["turn"] == 1) == is_first_turn, "the turn and its link contradict each other")
    is_first = previous == NO_PREVIOUS_HASH
    require((sequence == 0) == is_first, "the place in the chain and its link contradict each other")
    if sequence == 0:
        return
    if sequence % 2 == 0:
        raise Unmade("at an even place the path does not show the receipt before")
    path = evidence["merkle_proof"]["event_inclusion_proof"]["path"]
    require(path and path[0][2:] == previous[len("sha256:") :], "the receipt does not link to the one before it")


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
    require(chain_id is None or head["chain_id"] == chain_id, "the head is of another chain")
    require(head["sequence"] == event["tree_size"] - 1, "the head is not the last receipt of the tree")
    if head["sequence"] != event["leaf_index"]:
        raise Unmade("the head is a later receipt")
    require(head["head_hash"][len("sha256:") :] == event["leaf_hash"][2:], "the head has another hash")


def chain_of(receipt, proof):
    """Returns the chain that the receipt names; without it, that of the sealed head, or None."""
    stated, cross = (receipt or {}).get("chain_id"), proof["cross_tenant_proof"]
    if stated is not None or cross is None:
        return stated
    return cross["leaf"]["chain_id"]


def check_merkle_root(evidence, receipt, _reader):
    proof = evidence["merkle_proof"]
    event, cross, root = proof["event_inclusion_proof"], proof["cross_tenant_proof"], proof["merkle_root"]
    require((proof["status"] == "included") == (cross is not None), "the status and the proof contradict each other")
    if cross is None:
        require(root == event["root"], "the root is not the chain's")
        return
    leaf = cross["leaf"]
    require(leaf["root"] == event["root"] and leaf["tree_size"] == event["tree_size"], "the sealed head is another one")
    require(receipt is None or leaf["chain_id"] == receipt.get("chain_id"), "the sealed head is another chain's")
    check_inclusion(hash_head(leaf), cross["leaf_index"], cross["tree_size"], cross["path"], cross["root"])
    require(cross["root"] == root, "the path does not lead to merkle_root")


def check_published_root(evidence, _receipt, reader):
    proof = evidence["merkle_proof"]
    cross = proof["cross_tenant_proof"]
    if cross is None:
        raise Unmade("no published root covers the receipt yet")
    index = cross["seal_index"]
    if reader.copies is not None:
        require_root(proof, reader.copies.get(index), f"the bundle's own copy of root {index}")
    if index in reader.published:
        require_root(proof, reader.published[index], f"published root {index}")
    elif reader.copies is not None:
        raise Unmade("compared only with the bundle's own copy")
    else:
        raise Unmade("the published root was not given")


def require_root(proof, seal, what):
    require(seal is not None, f"{what} is missing")
    cross = proof["cross_tenant_proof"]
    stated = (cross["seal_index"], proof["merkle_root"], cross["tree_size"])
    require(stated == tuple(seal[name] for name in ("index", "merkle_root", "tree_size")), f"{what} is a different one")


def check_receipt_timestamp(evidence, receipt, reader):
    if "tsa_timestamp" not in evidence:
        raise Unmade("there is no timestamp")
    stated = (receipt or {}).get("issued_at")
    proof, renewal = evidence["merkle_proof"], evidence.get("renewal")
    cross, root, stated = proof["cross_tenant_proof"], proof["merkle_root"], stated if is_time(stated) else None
    is_meant = renewal is not None and cross is not None and renewal["renews"] == cross["seal_index"]
    renew = (lambda: renewed_times(renewal, root, cross["tree_size"], reader)) if is_meant else lambda: []
    return check_timestamp(evidence["tsa_timestamp"], root, stated, reader, renew)


def renewed_times(renewal, root, size, reader):
    """Returns the times that the tokens of a later seal prove of this root, which theirs covers."""
    seal = renewal["seal"]
    for step in [*renewal.get("between", ()), {**seal, "consistency_path": renewal["consistency_path"]}]:
        check_consistency(size, step["tree_size"], step["consistency_path"], root, step["merkle_root"])
        root, size = step["merkle_root"], step["tree_size"]
    return times_of_seal(seal, reader)


def times_of_seal(seal, reader):
    """Returns the times that the tokens of a seal prove. One that holds is enough."""
    times, reasons = [], []
    for timestamp in timestamps_of(seal):
        try:
            times += prove_times(timestamp, seal["merkle_root"], seal["sealed_at"], reader)
        except (Refuted, StrayAnchor) as reason:
            reasons.append(reason)
    if reasons and not times:
        # A wrong token is worse than one of an authority whose certificate was not given.
        raise min(reasons, key=lambda reason: isinstance(reason, StrayAnchor))
    return times


MAX_ISSUED_BEFORE_MS = 60 * 1000


def check_recorded_after(evidence, receipt, reader):
    """The seal that a receipt names bounds its time from below: a token can't be known before it was made."""
    require(is_receipt(receipt), "the receipt is not as the format says")
    named, cross = receipt["recorded_after"], evidence["merkle_proof"]["cross_tenant_proof"]
    if named is None:
        return "it names no seal, so that nothing bounds its time from below"
    index = named["seal_index"]
    require(cross is None or index < cross["seal_index"], f"seal {index} is not before the one that covers the receipt")
    carried = evidence.get("recorded_after_seal") if reader.copies is None else reader.copies.get(index)
    require(index not in reader.published or reader.published[index] is not None, f"no root {index} is published")
    given = [seal for seal in (carried, reader.published.get(index)) if seal is not None]
    for seal in given:
        is_it = seal["index"] == index and hash_seal(seal) == named["seal_hash"]
        require(is_it, f"the receipt names another seal {index} than this one")
        require(seal["tsa_timestamp"]["status"] == "included", f"seal {index} has no token of its own")
    if not given:
        raise Unmade(f"seal {index} was not given")
    if not reader.authorities.certificates:
        raise Unmade("no certificate of a timestamp authority was given")
    # Expiry since is no fault here: the receipt's own timestamp shows that this token is older than that one.
    times = times_of_seal(given[0], reader._replace(now=None))
    bound = max(time.gen_time - time.accuracy for time in times)
    is_late = bound - milliseconds(receipt["issued_at"]) > MAX_ISSUED_BEFORE_MS
    require(not is_late, f"it says that it was issued before the token of seal {index}")
    return f"recorded after the token of seal {index}, of {show_time(bound)}"


def check_receipt_checkpoint(evidence, _receipt, reader):
    proof, note = evidence["merkle_proof"], evidence.get("log_checkpoint")
    cross = proof["cross_tenant_proof"]
    if cross is None:
        raise Unmade("no published root covers the receipt yet")
    if note is None:
        raise Unmade(f"no signed checkpoint of seal {cross['seal_index']} was given")
    return check_checkpoint(note, cross["tree_size"], node_bytes(proof["merkle_root"]), reader.policy)


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
    "recorded_after": check_recorded_after,
    "checkpoint": check_receipt_checkpoint,
}


# --- A seal ----------------------------------------------------------------------------------------------------------


def verify_seal(seal, reader=Reader()):
    """Makes every check of a seal but whether it is the published one."""
    root, stated = seal["merkle_root"], seal["sealed_at"]
    return [
        run("previous_seal", lambda: check_previous_seal(seal, reader.published.get(seal["index"] - 1))),
        run("consistency", lambda: check_seal_consistency(seal)),
        run("timestamp", lambda: check_timestamp(seal["tsa_timestamp"], root, stated, reader)),
        run("additional_timestamps", lambda: check_additional(seal, reader)),
    ]


def verify_seal_file(seal, reader=Reader()):
    """Also compares the seal with the one that is published for everybody."""
    checks = [*verify_seal(seal, reader), run("published_root", lambda: check_is_published(seal, reader.published))]
    return checks if reader.policy is None else [*checks, run("checkpoint", no_checkpoint)]


def no_checkpoint():
    raise Unmade("no signed checkpoint was given: only a report carries one")


def check_is_published(seal, published):
    if seal["index"] not in published:
        raise Unmade("the published root was not given")
    other = published[seal["index"]]
    require(other is not None, f"no root is published under {seal['index']}")
    require(known_members(seal) == known_members(other), f"a different root is published under {seal['index']}")


def known_members(seal):
    """Leaves out the members that the format does not know."""
    timestamps = [known_timestamp(timestamp) for timestamp in timestamps_of(seal)]
    return {name: seal[name] for name in SEAL_MEMBERS}, timestamps


def check_previous_seal(seal, previous):
    is_first = seal["index"] == 0
    alike = is_first == (seal["previous_root"] is None) == (seal["previous_tree_size"] == 0)
    require(alike, "index, previous root and previous size contradict each other")
    if is_first:
        return
    if previous is None:
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


def check_additional(seal, reader):
    unmade = None
    for timestamp in seal["additional_timestamps"]:
        try:
            check_timestamp(timestamp, seal["merkle_root"], seal["sealed_at"], reader)
        except Unmade as reason:
            unmade = unmade or reason
    if unmade is not None:
        raise unmade


# --- The history of a chain: docs/history.md ------------------------------------------------------------------------

# chains: by their id. public_heads: the check of this name, made once for each chain; none where no log was read.
# anchor: the tenant's, or None. fingerprint: of the anchor that the reader expects, or None.
TenantHistory = namedtuple("TenantHistory", "chains public_heads anchor fingerprint")
# leaves: the leaf hashes, one behind the other. heads: those that are sealed, verified from the first to the last.
ChainHistory = namedtuple("ChainHistory", "leaves heads")
TILE_WIDTH = 256
HEADS_A_FILE = 1_000
MAX_CHAINS = 4_096
HEAD_MEMBERS = ("head_index", "tree_size", "root", "leaf_index", "seal_index")
is_head = having(head_index=is_index, tree_size=is_size, root=is_node, leaf_index=is_index, seal_index=is_index)
is_kept_leaf = having(leaf_index=is_index, leaf_hash=is_node, left_path=is_path)
is_tenant_index = having(
    tenant_anchor=optional(matching(r"[0-9a-f]{32}")),
    chains=list_of(having(chain_id=is_chain_id, shard=is_index), MAX_CHAINS),
    searched=optional(having(seal_index=is_index, last=is_kept_leaf)),
)


def is_list_of_heads(value):
    return value != [] and list_of(is_head, HEADS_A_FILE)(value)


def read_tenant_history(folder, log, fingerprint):
    """The histories in a folder, and what the log's folder says of them. What does not hold by itself is refused."""
    file = os.path.join(folder, "history.json")
    index = readable(is_tenant_index, read_json(read_named(file), MAX_CHAINS), "history")
    anchor = index["tenant_anchor"]
    for chain in index["chains"]:
        if anchor is not None and chains_of(anchor).get(chain["chain_id"]) != chain["shard"]:
            raise Unreadable(f"a chain in {folder} is not of the anchor that is in it")
    ids = {chain["chain_id"] for chain in index["chains"]}
    chains = {chain_id: read_history(os.path.join(folder, "chains", chain_id)) for chain_id in ids}
    return TenantHistory(chains, {} if log is None else search_log(log, chains), anchor, fingerprint)


def read_named(file):
    try:
        return read_bytes(file)
    except Unreadable as reason:
        raise Unreadable(f"{file}: {reason}") from reason


def read_history(folder):
    heads = list(read_heads(folder))
    history = ChainHistory(b"".join(read_tiles(folder, heads[-1]["tree_size"] if heads else 0)), heads)
    try:
        check_heads(history)
    except Refuted as reason:
        raise Unreadable(f"the history in {folder} does not hold: {reason}") from reason
    return history


def read_heads(folder):
    number = 0
    while os.path.isfile(file := os.path.join(folder, "heads", f"{number}.json")):
        yield from readable(is_list_of_heads, read_json(read_named(file)), "list of heads")
        number += 1


def read_tiles(folder, size):
    folder = os.path.join(folder, "tile", "0")
    for index, width in tiles_under(size):
        held = held_width(folder, index, width)
        file = tile_file(folder, index, held)
        data = read_named(file)
        if len(data) != held * 32:
            raise Unreadable(f"{file} is no tile of {held} hashes")
        yield data[: width * 32]


def tiles_under(size):
    """Index and width of each tile that holds the leaves of a tree of this size."""
    for index in range((size + TILE_WIDTH - 1) // TILE_WIDTH):
        yield index, min(TILE_WIDTH, size - index * TILE_WIDTH)


def tile_file(folder, index, width):
    """A tile as C2SP tlog-tiles names it: x001/067, or x001/067.p/12 with its first 12 hashes."""
    digits = str(index).zfill(-(-len(str(index)) // 3) * 3)
    groups = [digits[i : i + 3] for i in range(0, len(digits), 3)]
    file = os.path.join(folder, *(f"x{group}" for group in groups[:-1]), groups[-1])
    return file if width == TILE_WIDTH else os.path.join(f"{file}.p", str(width))


def held_width(folder, index, width):
    """The width of the tile that has as many hashes, or more: the full one where it is there."""
    full = tile_file(folder, index, TILE_WIDTH)
    if width == TILE_WIDTH or os.path.isfile(full):
        return TILE_WIDTH
    names = os.listdir(f"{full}.p") if os.path.isdir(f"{full}.p") else []
    widths = [int(name) for name in names if re.fullmatch(r"[1-9]\d{0,2}", name, re.ASCII)]
    return min((held for held in widths if held >= width), default=width)


def check_heads(history):
    """Each head is the root of the leaves up to it; they are numbered without a gap, and only grow."""
    subtrees, size, place = [], 0, (-1, 0)
    for number, head in enumerate(history.heads):
        require(head["head_index"] == number, f"head {number} is missing")
        require(head["tree_size"] > size, f"head {number} does not grow")
        require(head["leaf_index"] > place[0] and head["seal_index"] >= place[1], f"head {number} goes back")
        size = grow(history, subtrees, size, head["tree_size"])
        require(root_over(subtrees) == node_bytes(head["root"]), f"head {number} is not the root of its receipts")
        place = head["leaf_index"], head["seal_index"]


def grow(history, subtrees, size, new_size):
    for index in range(size, new_size):
        append_leaf(subtrees, index, history.leaves[32 * index : 32 * index + 32])
    return new_size


def append_leaf(subtrees, index, node):
    """Appends a leaf to the complete subtrees, largest first, which are all that is kept of a tree."""
    while index % 2 == 1:
        node, index = hash_node(subtrees.pop(), node), index >> 1
    subtrees.append(node)


def root_over(subtrees):
    root = subtrees[-1]
    for left in reversed(subtrees[:-1]):
        root = hash_node(left, root)
    return root


def verify_history(evidence, receipt, tenant):
    """Holds a receipt against the history of its chain."""
    known = receipt if receipt is not None and is_receipt(receipt) else None
    cross = evidence["merkle_proof"]["cross_tenant_proof"]
    chain_id = known["chain_id"] if known else cross and cross["leaf"]["chain_id"]
    unsearched = Check("public_heads", None, "the public log was not searched for this chain")
    checks = [
        run("chain_history", lambda: check_chain_history(evidence, known, tenant.chains.get(chain_id))),
        tenant.public_heads.get(chain_id, unsearched),
    ]
    if tenant.fingerprint is not None:
        checks.append(run("tenant", lambda: check_tenant(chain_id, tenant)))
    return checks


def check_chain_history(evidence, receipt, history):
    proof = evidence["merkle_proof"]
    event, cross = proof["event_inclusion_proof"], proof["cross_tenant_proof"]
    if history is None:
        raise Unmade("the history is of other chains")
    size = len(history.leaves) // 32
    leaves = [(event["leaf_index"], node_bytes(event["leaf_hash"]))]
    if receipt is not None and receipt["sequence"] > 0:
        leaves.append((receipt["sequence"] - 1, bytes.fromhex(receipt["previous_hash"][7:])))
    if "evidence_chain" in evidence:
        chain = evidence["evidence_chain"]
        leaves.append((chain["sequence"], bytes.fromhex(chain["head_hash"][7:])))
    for place, leaf in leaves:
        same = place >= size or history.leaves[32 * place : 32 * place + 32] == leaf
        require(same, f"the history has another receipt at place {place}")
    if event["tree_size"] <= size:
        subtrees = []
        grow(history, subtrees, 0, event["tree_size"])
        require(root_over(subtrees) == node_bytes(event["root"]), "the chain has another root of this size")
    if cross is not None and cross["leaf"]["tree_size"] <= size:
        named = {**cross["leaf"], "leaf_index": cross["leaf_index"], "seal_index": cross["seal_index"]}
        same = any(all(named[name] == head[name] for name in HEAD_MEMBERS) for head in history.heads)
        require(same, "the history has another head of this size")
    if event["leaf_index"] >= size:
        raise Unmade("the history ends before this receipt")


def check_tenant(chain_id, tenant):
    if tenant.anchor is None:
        raise Unmade("the history was not fetched under an anchor")
    fingerprint = digest(hash_json({"tenant_anchor": tenant.anchor}))
    require(fingerprint == tenant.fingerprint, "the history is that of another tenant")
    shard = chains_of(tenant.anchor).get(chain_id)
    require(shard is not None, "the chain is none of this tenant's")
    return f"chain {shard} of the tenant"


@lru_cache(maxsize=1)
def chains_of(anchor):
    """The shard of each chain that a tenant with this anchor can have, by the chain's id."""
    return {hash_json({"shard": shard, "tenant_anchor": anchor})[:16].hex(): shard for shard in range(MAX_CHAINS)}


# --- The public log: docs/transparency-log.md, in a folder as `mirror` leaves it -------------------------------------

# The files of the log follow its seals. The newest seals may have none yet, and some never get a partial bundle.
MAX_SEALS_BACK = 32
LABEL_BYTES, ENTRY_BYTES = 32, 64
# An entry stands behind its length, a big-endian uint16.
ENTRY_LENGTH = ENTRY_BYTES.to_bytes(2, "big")
is_log_head = having(size=is_index, latest=optional(is_seal), roots=literal("/v1/metachain/roots/{index}"))


def search_log(folder, chains):
    """Makes the check public_heads for each chain. The log is read once, and no more of it is kept than a bundle."""
    prefix = os.path.join(folder, "v1", "metachain")
    seal = newest_with_entries(prefix)
    if seal is None:
        return {}
    # The label behind the last head is looked up too: it occurs nowhere.
    places = ((chain_id, number) for chain_id in chains for number in range(len(chains[chain_id].heads) + 1))
    wanted = {label_of(*place): place for place in places}
    size, subtrees, found, faults = seal["tree_size"], [], Counter(), {}
    for index, entry in enumerate(read_entries(prefix, size)):
        append_leaf(subtrees, index, sha256(b"\x00", entry))
        if entry[:LABEL_BYTES] in wanted:
            chain_id, number = wanted[entry[:LABEL_BYTES]]
            if is_head_at(index, entry, chain_id, chains[chain_id].heads[number : number + 1]):
                found[chain_id] += 1
            else:
                faults[chain_id] = f"entry {index} of the public log is another head {number} of the chain"
    if root_over(subtrees) != node_bytes(seal["merkle_root"]):
        raise Unreadable(f"the entries in {folder} do not lead to root {seal['index']}")
    facts = {chain_id: (chains[chain_id].heads, found[chain_id], faults.get(chain_id), size) for chain_id in chains}
    return {chain_id: run("public_heads", lambda: check_found(*facts[chain_id])) for chain_id in chains}


def is_head_at(index, entry, chain_id, heads):
    """Whether the history has this head, of which there is none or one, and has it at this place of the log."""
    return any(head["leaf_index"] == index and entry_of({**head, "chain_id": chain_id}) == entry for head in heads)


def check_found(heads, found, fault, size):
    require(fault is None, fault)
    # A head that is found stands in its place, and so is found once.
    public = sum(head["leaf_index"] < size for head in heads)
    require(found == public, f"the public log has not {count_of(public - found, 'head')} of the chain in their place")
    if public < len(heads):
        raise Unmade(f"{count_of(len(heads) - public, 'head')} of the history are newer than the public log at hand")
    return f"each of {count_of(found, 'head')} once and in its place among {size} entries"


def newest_with_entries(prefix):
    """The newest seal up to which the entries are there; None before the first."""
    latest = readable(is_log_head, read_json(read_named(os.path.join(prefix, "index.json"))), "log's head")["latest"]
    if latest is None:
        return None
    newest = latest["index"]
    for index in range(newest, max(-1, newest - MAX_SEALS_BACK), -1):
        seal = latest if index == newest else read_root(prefix, index)
        last = (seal["tree_size"] - 1) // TILE_WIDTH
        if os.path.isfile(bundle_file(prefix, last, seal["tree_size"] - last * TILE_WIDTH)):
            return seal
    raise Unreadable(f"{prefix} has no entries of its newest roots")


def read_root(prefix, index):
    file = os.path.join(prefix, "roots", str(index))
    seal = readable(is_seal, read_json(read_named(file)), "published root")
    if seal["index"] != index:
        raise Unreadable(f"{file} says that it is root {seal['index']}")
    return seal


def bundle_file(prefix, index, width):
    return tile_file(os.path.join(prefix, "tile", "entries"), index, width)


def read_entries(prefix, size):
    for index, width in tiles_under(size):
        file = bundle_file(prefix, index, width)
        data = read_named(file)
        starts = range(0, len(data), len(ENTRY_LENGTH) + ENTRY_BYTES)
        entries = [data[start + len(ENTRY_LENGTH) : start + starts.step] for start in starts]
        if data != b"".join(ENTRY_LENGTH + entry for entry in entries) or len(data) != width * starts.step:
            raise Unreadable(f"{file} is no bundle of {width} entries")
        yield from entries


# --- A bundle --------------------------------------------------------------------------------------------------------


def verify_bundle(bundle, reader=Reader()):
    """Makes every check of one conversation's bundle."""
    copies = {seal["index"]: seal for seal in bundle["seals"]}
    later = {index: [] for index in copies}
    for entry in bundle.get("later_timestamps", ()):
        later.setdefault(entry["seal_index"], []).append(entry["tsa_timestamp"])
    within, parts = reader._replace(copies=copies), zip(bundle["receipts"], bundle["requests"], bundle["proofs"])
    turns = [verify_turn(*turn, later, within) for turn in parts]
    seals = [verify_copy(seal, later[seal["index"]], within) for seal in bundle["seals"]]
    return placed("receipts", turns) + placed("seals", seals) + [
        run("chain_links", lambda: check_chain_links(bundle["receipts"])),
        run("turn_links", lambda: check_turn_links(bundle["receipts"])),
        run("one_history", lambda: check_one_history(bundle, turns, seals)),
        run("chain_consistency", lambda: check_chain_consistency(bundle)),
        run("interaction", lambda: check_interaction(bundle)),
        run("published_seals", lambda: check_published_seals(bundle["seals"], reader.published)),
    ]


def placed(name, parts):
    """Joins the checks of the parts, and names each by its place in the bundle."""
    return [check._replace(name=f"{name}/{i}/{check.name}") for i, checks in enumerate(parts) for check in checks]


def verify_copy(seal, later, reader):
    """Checks a bundle's copy of a seal, with the tokens that came later."""
    whole = {**seal, "additional_timestamps": seal["additional_timestamps"] + later}
    return verify_seal(whole, reader._replace(published=reader.copies))


def verify_turn(receipt, request, proof, later, reader):
    evidence = {name: proof[name] for name in ("event_id", "evidence_chain", "merkle_proof")}
    evidence["receipts"] = [receipt]
    cross = proof["merkle_proof"]["cross_tenant_proof"]
    seal = None if cross is None else reader.copies.get(cross["seal_index"])
    if seal is not None:
        own, others = seal["tsa_timestamp"], later[seal["index"]]
        evidence["tsa_timestamp"] = others[0] if own["status"] == "pending" and others else own
    enclosed = [] if request is None else [request]
    return verify_receipt(evidence, reader._replace(requests=by_digest(enclosed)))


def check_chain_links(receipts):
    return f"{count_of(count_chain_links(receipts), 'link')} of the chain"


def count_chain_links(receipts):
    """Checks each link where two receipts of a chain follow each other, and returns how many there are."""
    by_place, count = {}, 0
    for receipt, link in zip(receipts, links_of(receipts)):
        place = receipt["chain_id"], receipt["sequence"]
        require(by_place.setdefault(place, (receipt, link))[1] == link, "two receipts claim one place of a chain")
    for (chain_id, sequence), (receipt, _) in by_place.items():
        require(sequence != 0 or receipt["previous_hash"] == NO_PREVIOUS_HASH, "the first receipt links back")
        if (chain_id, sequence - 1) in by_place:
            _, link = by_place[chain_id, sequence - 1]
            require(receipt["previous_hash"] == link, f"receipt {sequence} does not link to the one before it")
            count += 1
    check_times(receipts)
    check_seals_before(receipts)
    return count


def check_times(receipts):
    """No later receipt of a chain has an earlier time, whether they follow each other or not."""
    newest = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt["sequence"]):
        before = newest.get(receipt["chain_id"], receipt)
        in_order = before["issued_at"] <= receipt["issued_at"]
        require(in_order, f"receipt {receipt['sequence']} was issued before receipt {before['sequence']} of its chain")
        newest[receipt["chain_id"]] = receipt


def check_seals_before(receipts):
    """No later receipt of a chain names an older seal, whether they follow each other or not."""
    newest = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt["sequence"]):
        before = newest.get(receipt["chain_id"], receipt)
        is_later = seal_before(before) <= seal_before(receipt)
        require(is_later, f"receipt {receipt['sequence']} names an older seal than receipt {before['sequence']}")
        newest[receipt["chain_id"]] = receipt


def seal_before(receipt):
    """A receipt that names none comes before all that do."""
    return -1 if receipt["recorded_after"] is None else receipt["recorded_after"]["seal_index"]


def links_of(receipts):
    """Returns the hash of each, which the next one must name. Raises Refuted if one is not as the format says."""
    require(all(map(is_receipt, receipts)), "a receipt is not as the format says")
    return [link_to(receipt) for receipt in receipts]


def count_of(number, one):
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def check_turn_links(receipts):
    """Checks the receipts of one conversation, which must have one turn after the other."""
    links_of(receipts)
    for previous, receipt in zip(receipts, receipts[1:]):
        follows = receipt["turn"] == previous["turn"] + 1
        require(follows, f"turn {receipt['turn']} comes after turn {previous['turn']}")
    count_turn_links(receipts)
    check_order(receipts)
    return f"turns {receipts[0]['turn']} to {receipts[-1]['turn']} of the conversation"


def count_turn_links(receipts):
    """Checks the links between the turns that are there, and returns how many there are."""
    by_turn, count = dict(zip((receipt["turn"] for receipt in receipts), links_of(receipts))), 0
    for receipt in receipts:
        turn, stated = receipt["turn"], receipt["previous_turn_hash"]
        require(turn != 1 or stated is None, "the first turn links back")
        if turn - 1 in by_turn:
            require(stated == by_turn[turn - 1], f"turn {turn} does not link to the one before it")
            count += 1
    return count


def check_order(receipts):
    """A later turn is a later receipt of its chain, whether they follow each other or not."""
    newest = {}
    for receipt in receipts:
        before = newest.get(receipt["chain_id"])
        is_later = before is None or receipt["sequence"] > before["sequence"]
        require(is_later, f"turn {receipt['turn']} is an earlier receipt of its chain than a turn before it")
        newest[receipt["chain_id"]] = receipt


def check_interaction(bundle):
    requests = [request for request in bundle["requests"] if request is not None]
    if not requests:
        raise Unmade("all requests were erased")
    same = all(is_object(request) and request.get("interaction_id") == bundle["interaction_id"] for request in requests)
    require(same, "a request is of another conversation")


PUBLISHED = ("merkle_root", "tree_size", "sealed_at", "receipt_count")


def check_chain_consistency(bundle):
    """Each sealed head of a chain extends the one before, by the path that the bundle encloses."""
    chains = {}
    for proof in bundle["proofs"]:
        cross = proof["merkle_proof"]["cross_tenant_proof"]
        if cross is not None:
            leaf = cross["leaf"]
            chains.setdefault(leaf["chain_id"], {})[leaf["tree_size"]] = leaf["root"]
    paths = {}
    for entry in bundle.get("chain_consistency", ()):
        between = (entry["chain_id"], entry["from_size"], entry["to_size"])
        paths.setdefault(between, entry["path"])
    missing = 0
    for chain_id, roots in chains.items():
        sizes = sorted(roots)
        for old, new in zip(sizes, sizes[1:]):
            path = paths.get((chain_id, old, new))
            if path is None:
                missing += 1
            else:
                check_consistency(old, new, path, roots[old], roots[new])
    if missing:
        raise Unmade("the path from one head to the next is not enclosed")


def check_published_seals(seals, published):
    if not seals:
        raise Unmade("no root is published yet")
    if any(seal["index"] not in published for seal in seals):
        raise Unmade("not all of the published roots were given")
    for seal in seals:
        other = published[seal["index"]] or {}
        same = all(other.get(name) == seal[name] for name in PUBLISHED)
        require(same, f"a different root is published under {seal['index']}")


# --- One history: what two proofs say of one log must agree ----------------------------------------------------------

METACHAIN = "the metachain"
# A statement that stays true for ever, however much a log grows. log: METACHAIN, or a chain. name: its subject.
Fact = namedtuple("Fact", "log name value")
# A statement about one member of a series: members further on have no smaller value, and a larger one if it must grow.
# series: a sentence with places for `at` and `value`.
Step = namedtuple("Step", "log series at value must_grow", defaults=(False,))


class History:
    """Collects what pieces of evidence state, each sound by itself, and finds where they contradict each other."""

    def __init__(self):
        self.facts, self.series, self.differing = {}, {}, []

    def add(self, statements, source):
        """Takes in statements. `source` says for people where they were found."""
        for statement in statements:
            if isinstance(statement, Fact):
                self.add_fact(statement, source)
            else:
                log, series, at, value, must_grow = statement
                self.series.setdefault((log, series, must_grow), []).append((at, value, source))

    def add_fact(self, fact, source):
        value, other = self.facts.setdefault((fact.log, fact.name), (fact.value, source))
        if value != fact.value:
            sentence = f"{fact.name} of {fact.log} is {value} in {other} and {fact.value} in {source}"
            self.differing.append((fact.log, sentence))

    def contradictions(self):
        """Gives pairs of a log and a sentence."""
        yield from self.differing
        for (log, series, must_grow), steps in self.series.items():
            yield from ((log, f"in {log} {sentence}") for sentence in disorder_in(sorted(steps), series, must_grow))


def disorder_in(steps, series, must_grow):
    for (at, value, source), (later_at, later_value, later_source) in zip(steps, steps[1:]):
        is_fine = later_at == at or later_value > value or (later_value == value and not must_grow)
        if not is_fine:
            first, second = series.format(at=at, value=value), series.format(at=later_at, value=later_value)
            yield f"{first} in {source}, but {second} in {later_source}"


def check_one_history(bundle, turns, seals):
    """Compares the parts that hold by themselves. One that does not could be from anywhere."""
    history = History()
    for i, (receipt, proof, checks) in enumerate(zip(bundle["receipts"], bundle["proofs"], turns)):
        if is_sound(checks):
            history.add(statements_of_proof(receipt, proof), f"receipts/{i}")
    for i, (seal, checks) in enumerate(zip(bundle["seals"], seals)):
        if is_sound(checks):
            history.add(statements_of_seal(seal), f"seals/{i}")
    for _, sentence in history.contradictions():
        raise Refuted(sentence)


def is_sound(checks):
    return all(check.ok is not False for check in checks)


def statements_of(evidence):
    """Gives the statements of any kind of evidence."""
    kind, value = evidence
    if kind == "seal":
        yield from statements_of_seal(value)
    elif kind != "bundle":
        yield from statements_of_proof(value.get("receipts", [None])[0], value)
    else:
        for receipt, proof in zip(value["receipts"], value["proofs"]):
            yield from statements_of_proof(receipt, proof)
            yield from statements_of_turn(receipt, value["interaction_id"])
        for seal in value["seals"]:
            yield from statements_of_seal(seal)


def statements_of_proof(receipt, evidence):
    """Gives those of a receipt, or None, with its proof and the head of its chain."""
    proof, head = evidence["merkle_proof"], evidence.get("evidence_chain")
    chain_id, event, cross = chain_of(receipt, proof), proof["event_inclusion_proof"], proof["cross_tenant_proof"]
    if chain_id is not None:
        yield from facts_of_tree(f"chain {chain_id}", "receipt", node_bytes(event["leaf_hash"]), event)
    if receipt is not None:
        yield from statements_of_receipt(receipt)
    if head is not None:
        yield Fact(f"chain {head['chain_id']}", f"receipt {head['sequence']}", head["head_hash"][7:])
    if cross is not None:
        yield from statements_of_cross(cross)


def statements_of_receipt(receipt):
    """A receipt states its time, the receipt before it, and a seal with its tokens."""
    chain, sequence = f"chain {receipt['chain_id']}", receipt["sequence"]
    yield Step(chain, "receipt {at} was issued at {value}", sequence, receipt["issued_at"])
    if sequence > 0:
        yield Fact(chain, f"receipt {sequence - 1}", receipt["previous_hash"][7:])
    yield Step(chain, "receipt {at} names seal {value}", sequence, seal_before(receipt))
    if receipt["recorded_after"] is not None:
        yield Fact(METACHAIN, f"seal {seal_before(receipt)} with its tokens", receipt["recorded_after"]["seal_hash"])


def statements_of_turn(receipt, conversation):
    """A turn has one receipt, and links to that of the turn before. Within a bundle, turn_links checks this."""
    chain, turn, previous = f"chain {receipt['chain_id']}", receipt["turn"], receipt["previous_turn_hash"]
    yield Step(chain, f"turn {{at}} of {conversation} is receipt {{value}}", turn, receipt["sequence"], True)
    yield Fact(chain, f"turn {turn} of {conversation}", link_to(receipt)[7:])
    if previous is not None:
        yield Fact(chain, f"turn {turn - 1} of {conversation}", previous[7:])


def statements_of_cross(cross):
    """A chain that grew is a later head, a later entry of the metachain, and under no earlier root."""
    head, index = cross["leaf"], cross["seal_index"]
    chain, size, number = f"chain {head['chain_id']}", head["tree_size"], head["head_index"]
    yield Fact(chain, f"the size of head {number}", size)
    yield Step(chain, "head {at} has {value} receipts", number, size, True)
    yield from statements_of_root(index, cross["root"], cross["tree_size"])
    yield from facts_of_tree(METACHAIN, "entry", hash_head(head), cross)
    yield Step(chain, "the head of {at} is entry {value} of the metachain", size, cross["leaf_index"], True)
    yield Step(chain, "the head of {at} is under root {value}", size, index)


def statements_of_seal(seal):
    index = seal["index"]
    yield from statements_of_root(index, seal["merkle_root"], seal["tree_size"])
    if seal["previous_root"] is not None:
        yield from statements_of_root(index - 1, seal["previous_root"], seal["previous_tree_size"])
    yield Fact(METACHAIN, f"the time of root {index}", seal["sealed_at"])
    yield Fact(METACHAIN, f"seal {index} with its tokens", hash_seal(seal))
    yield Step(METACHAIN, "root {at} was sealed at {value}", index, seal["sealed_at"])


def statements_of_root(index, root, size):
    yield Fact(METACHAIN, f"root {index}", root[2:])
    yield Fact(METACHAIN, f"the size of root {index}", size)
    yield Step(METACHAIN, "root {at} covers {value} entries", index, size)


def facts_of_tree(log, leaf_name, leaf, proof):
    """An inclusion path shows the root and complete subtrees, which a growing tree never changes."""
    index, size = proof["leaf_index"], proof["tree_size"]
    low, high, hashed = index, index + 1, leaf
    yield Fact(log, f"{leaf_name} {index}", hashed.hex())
    for sibling, (start, end) in zip(map(node_bytes, proof["path"]), ranges_beside(index, size)):
        yield from subtree_fact(log, leaf_name, start, end, sibling)
        hashed = hash_node(sibling, hashed) if start < low else hash_node(hashed, sibling)
        low, high = min(low, start), max(high, end)
        yield from subtree_fact(log, leaf_name, low, high, hashed)
    yield Fact(log, f"the tree of {size} leaves", proof["root"][2:])


def subtree_fact(log, leaf_name, start, end, hashed):
    """Nothing is stated of a subtree that is not complete: it is still growing."""
    count = end - start
    if count == 1:
        yield Fact(log, f"{leaf_name} {start}", hashed.hex())
    elif count & (count - 1) == 0:
        name = f"the tree of {count} leaves" if start == 0 else f"the subtree from {start} to {end - 1}"
        yield Fact(log, name, hashed.hex())


def ranges_beside(index, size):
    """Gives the leaves under each node of an inclusion path, from the leaf upwards: RFC 9162 section 2.1.3.1."""
    ranges, low, high = [], 0, size
    while high - low > 1:
        middle = low + (1 << ((high - low - 1).bit_length() - 1))
        if index < middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    return reversed(ranges)


# --- The verdict -----------------------------------------------------------------------------------------------------

HOLDS, HOLDS_SO_FAR, DOES_NOT_HOLD, UNREADABLE = "holds", "holds_so_far", "does_not_hold", "unreadable"
# The worst comes first: that something does not hold says more than that something could not be read.
VERDICTS = (DOES_NOT_HOLD, UNREADABLE, HOLDS_SO_FAR, HOLDS)
# These checks need documents that one piece of evidence can't hold. Unmade, they take nothing from the others.
SUPPLEMENTARY = (
    *("input_hash", "links", "evidence_chain", "interaction", "previous_seal", "additional_timestamps"),
    "chain_links",  # Between files, of which no two need to follow each other.
)
KINDS = ("merkle_proof", "proofs", "consistency_path")
Evidence = namedtuple("Evidence", "kind value")


def read_evidence(value):
    """Finds out which kind of evidence it is, and that it has its shape. Raises Unreadable."""
    found = [member for member in KINDS if isinstance(value, dict) and member in value]
    if not found:
        raise Unreadable("this is no receipt, report, bundle or published root")
    if len(found) > 1:
        raise Unreadable(f"this has {' and '.join(found)}, and so could be read as two kinds of evidence")
    if found == ["proofs"]:
        return Evidence("bundle", read_bundle(value))
    if found == ["consistency_path"]:
        return Evidence("seal", readable(is_seal, value, "published root"))
    proof = readable(is_evidence, value, "receipt")
    if "receipts" not in proof:
        return Evidence("proof", proof)
    return Evidence("receipt" if proof["merkle_proof"]["status"] == "pending" else "report", proof)


def read_bundle(value):
    bundle = readable(is_bundle, value, "bundle")
    if not bundle["receipts"] or not len(bundle["receipts"]) == len(bundle["requests"]) == len(bundle["proofs"]):
        raise Unreadable("receipts, requests and proofs are not equally many, or there are none")
    indices = [seal["index"] for seal in bundle["seals"]]
    if indices != sorted(set(indices)):
        raise Unreadable("the seals are not in the order of their index, each once")
    return bundle


def verify(evidence, reader=Reader()):
    """Makes every check of a piece of evidence."""
    check = {"bundle": verify_bundle, "seal": verify_seal_file}.get(evidence.kind, verify_receipt)
    return check(evidence.value, reader)


def verdict_of(checks):
    if any(check.ok is False for check in checks):
        return DOES_NOT_HOLD
    return HOLDS_SO_FAR if any(check.ok is None and matters(check) for check in checks) else HOLDS


def matters(check):
    return check.name.rpartition("/")[2] not in SUPPLEMENTARY


def worst_of(verdicts):
    return min(verdicts, key=VERDICTS.index)


# --- Several files ---------------------------------------------------------------------------------------------------


class Together:
    """Checks between several files, each of which holds by itself: some lies show only where two are compared."""

    def __init__(self):
        self.receipts, self.history = [], History()
        # The bundles of each conversation, by chain and id: two tenants may each have a conversation of the same id.
        self.pages = {}

    def add(self, evidence, file):
        """Takes in evidence that holds by itself."""
        kind, value = evidence
        self.receipts += value.get("receipts", ())
        self.history.add(statements_of(evidence), file)
        if kind == "bundle":
            key = value["receipts"][0]["chain_id"], value["interaction_id"]
            self.pages.setdefault(key, []).append(value)

    def verify(self):
        steps = [("chain_links", self.check_chain_links), ("one_history", self.check_one_history)]
        if any(len(pages) > 1 for pages in self.pages.values()):
            steps.append(("turn_links", self.check_turn_links))
        return [run(name, step) for name, step in steps]

    def check_chain_links(self):
        links = count_chain_links(self.receipts)
        if links == 0:
            raise Unmade("no two of them follow each other")
        return f"{count_of(links, 'link')} of the chain"

    def check_one_history(self):
        """Chains have ids. Metachains have none: where two differ, both services may be honest."""
        contradictions = list(self.history.contradictions())
        for log, sentence in contradictions:
            require(log == METACHAIN, sentence)
        for _, sentence in contradictions:
            raise Unmade(f"{sentence}: they are of two services, or one is forged; compare each with its service's own")
        return "no two of them contradict each other"

    def check_turn_links(self):
        links = 0
        for pages in self.pages.values():
            turns = turns_of(pages)
            links += count_turn_links(turns)
            check_order(turns)
        return f"{count_of(links, 'link')} from turn to turn"

    def missing(self):
        """Gives a sentence for each conversation that is not here as a whole. Nothing proves that one has ended."""
        ranges = [(name, missing_turns(pages)) for (_, name), pages in self.pages.items()]
        return [
            f"This is not all of conversation {name}: not here are {', '.join(gaps)}." for name, gaps in ranges if gaps
        ]


def turns_of(pages):
    """Lists the receipts of a conversation in the order of the turns."""
    by_turn = {receipt["turn"]: receipt for page in pages for receipt in page["receipts"]}
    return [by_turn[turn] for turn in sorted(by_turn)]


def missing_turns(pages):
    gaps, expected = [], 1
    for turn in (receipt["turn"] for receipt in turns_of(pages)):
        if turn > expected:
            gaps.append(f"turn {expected}" if turn == expected + 1 else f"turns {expected} to {turn - 1}")
        expected = turn + 1
    # The page that goes on furthest says whether there are more.
    last = [page for page in pages if page["receipts"][-1]["turn"] + 1 == expected]
    if any(is_size(page.get("next_turn")) for page in last):
        gaps.append(f"turns from {expected} on")
    return gaps


# --- The command -----------------------------------------------------------------------------------------------------

IN_WORDS = {
    HOLDS: "holds",
    HOLDS_SO_FAR: "holds as far as it could be checked",
    DOES_NOT_HOLD: "does not hold",
    UNREADABLE: "could not be read",
}
KIND_IN_WORDS = {"bundle": "conversation", "seal": "published root"}
# evidence: None where the file could not be read. reason: why it could not.
Result = namedtuple("Result", "file evidence verdict checks reason")
# The checks between the files, none where there are no two receipts, and sentences on what is missing.
Between = namedtuple("Between", "checks missing")
# Something that the reader gave and that does not belong to the evidence.
Stray = namedtuple("Stray", "kind file detail")


def read_bytes(file):
    """The file may be anything: a device without an end, or a pipe into which nobody ever writes."""
    if file == "-":
        data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        if not os.path.isfile(file):
            raise Unreadable("there is no such file, or it is a folder, a pipe or a device")
        with open(file, "rb") as opened:
            data = opened.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable("the file is too large")
    return data


def read_seals(files):
    seals = {}
    for file in files:
        seal = readable(is_seal, read_json(read_bytes(file)), "published root")
        other = seals.setdefault(seal["index"], seal)
        if known_members(other) != known_members(seal):
            raise Unreadable(f"--seal: two different roots have number {seal['index']}")
    return seals


def read_anchors(files):
    text = "".join(read_bytes(file).decode("ascii", "replace") for file in files)
    blocks = re.findall(r"-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----", text)
    if len(blocks) < max(len(files), text.count("-----BEGIN CERTIFICATE-----")):
        raise Unreadable("--tsa-ca: a certificate in PEM is missing or damaged")
    try:
        return Authorities(read_certificate(read_der(base64.b64decode(block))) for block in blocks)
    except (Refuted, ValueError) as error:
        raise Unreadable(f"--tsa-ca: {error}") from error


def parse_arguments(arguments):
    summary, *_ = __doc__.splitlines()
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("files", metavar="FILE", nargs="+", help="a receipt, report, bundle or published root; or -")
    parser.add_argument("--seal", action="append", default=[], metavar="FILE", help="a published root")
    parser.add_argument("--tsa-ca", action="append", default=[], metavar="FILE", help="PEM that you trust")
    parser.add_argument("--request", action="append", default=[], metavar="FILE", help="the request behind a receipt")
    parser.add_argument("--policy", metavar="FILE", help="tlog-policy: the log and the witnesses that you believe")
    parser.add_argument("--log-key", metavar="VKEY", help="the key of the log, in place of a policy")
    parser.add_argument("--history", metavar="DIR", help="the history of the chain, as `history` has fetched it")
    parser.add_argument("--log", metavar="DIR", help="with --history: the public log, as `mirror` has copied it")
    parser.add_argument("--tenant", metavar="FINGERPRINT", help="with --history: the tenant whose chains these are")
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


def read_requests(files):
    """Returns each with the file that it comes from."""
    return [(readable(is_object, read_json(read_bytes(file)), "request"), file) for file in files]


def reader_of(options, requests):
    now = time_ns() // 1_000_000
    known = by_digest(request for request, _ in requests)
    folder = options.history
    history = None if folder is None else read_tenant_history(folder, options.log, options.tenant)
    policy = policy_of(options)
    anchors, seals = read_anchors(options.tsa_ca), read_seals(options.seal)
    return Reader(anchors, known, seals, now=now, history=history, policy=policy)


def policy_of(options):
    if options.log_key is not None:
        return read_policy(options.log_key)
    return None if options.policy is None else read_policy(read_bytes(options.policy).decode("utf-8", "replace"))


def verify_file(file, reader):
    try:
        evidence = read_evidence(read_json(read_bytes(file)))
        checks = verify(evidence, reader)
        return Result(file, evidence, verdict_of(checks), checks, None)
    except (Unreadable, OSError) as reason:
        return Result(file, None, UNREADABLE, [], str(reason))


def verify_between(results):
    together = Together()
    for result in results:
        if result.verdict in (HOLDS, HOLDS_SO_FAR):
            together.add(result.evidence, result.file)
    return Between(together.verify() if len(together.receipts) > 1 else [], together.missing())


# What the reader gave and does not belong to the evidence says nothing against it.
STRAY_REQUEST = (
    "The request {} belongs to none of these receipts. "
    "That says nothing against them: it is another call's, or was changed."
)
STRAY_ANCHOR = (
    "The certificates that you gave ({}) are not those behind every timestamp here. "
    "That says nothing against the evidence: the timestamp is another authority's."
)


STRAY_LOG = (
    "Your log policy names another log than the one behind this evidence. "
    "That says nothing against the evidence: it is of another service, or the log has another name."
)


def find_strays(requests, anchor_files, results):
    values = [result.evidence.value for result in results if result.evidence]
    input_hashes = {str(receipt.get("input_hash")) for value in values for receipt in value.get("receipts", ())}
    strays = [
        Stray("request", file, STRAY_REQUEST.format(file))
        for request, file in requests
        if digest(hash_json(request)) not in input_hashes
    ]
    if any(check.companion == "trust_anchor" for result in results for check in result.checks):
        files = ", ".join(anchor_files)
        strays.append(Stray("trust_anchor", files, STRAY_ANCHOR.format(files)))
    if any(check.companion == "log" for result in results for check in result.checks):
        strays.append(Stray("log", None, STRAY_LOG))
    return strays


def exit_status(verdict, strays, is_strict):
    if verdict in (DOES_NOT_HOLD, UNREADABLE):
        return 1 if verdict == DOES_NOT_HOLD else 2
    return 3 if strays or (is_strict and verdict == HOLDS_SO_FAR) else 0


def printable(text):
    """File names come from strangers too: nothing in them may move a cursor or turn the text around."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)


def report(results, between, strays):
    for result in results:
        kind = f" ({KIND_IN_WORDS.get(result.evidence.kind, result.evidence.kind)})" if result.evidence else ""
        reason = f": {result.reason}" if result.reason else ""
        print(printable(f"{result.file}{kind}: {IN_WORDS[result.verdict]}{reason}"))
        report_checks(result.checks)
    if between.checks and len(results) > 1:
        print(f"The receipts together: {IN_WORDS[verdict_of(between.checks)]}")
        report_checks(between.checks)
    for sentence in [*(stray.detail for stray in strays), *between.missing]:
        print(printable(sentence))


def report_checks(checks):
    for check in checks:
        word = {True: "holds", False: "FAILS", None: "not checked"}[check.ok]
        print(printable(f"  {word:<12} {check.name}" + (f": {check.detail}" if check.detail else "")))


def report_json(verdict, results, between, strays):
    together = {"verdict": verdict_of(between.checks), "checks": [as_json(check) for check in between.checks]}
    document = {
        "verdict": verdict,
        "files": [file_as_json(result) for result in results],
        "together": together if between.checks else None,
        "missing": between.missing,
        "stray": [stray._asdict() for stray in strays],
    }
    print(json.dumps(document))


def file_as_json(result):
    kind, checks = result.evidence and result.evidence.kind, [as_json(check) for check in result.checks]
    return {"file": result.file, "kind": kind, "verdict": result.verdict, "checks": checks, "reason": result.reason}


def as_json(check):
    """A check has a companion only where there is one."""
    return {name: value for name, value in check._asdict().items() if name != "companion" or value is not None}


def main(arguments=None):
    options = parse_arguments(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        requests = read_requests(options.request)
        reader = reader_of(options, requests)
    except (Unreadable, OSError) as reason:
        print(printable(str(reason)), file=sys.stderr)
        return 2
    results = [verify_file(file, reader) for file in options.files]
    between, strays = verify_between(results), find_strays(requests, options.tsa_ca, results)
    verdict = worst_of([verdict_of(between.checks), *(result.verdict for result in results)])
    if options.json:
        report_json(verdict, results, between, strays)
    else:
        report(results, between, strays)
    return exit_status(verdict, strays, options.strict)


if __name__ == "__main__":
    sys.exit(main())
