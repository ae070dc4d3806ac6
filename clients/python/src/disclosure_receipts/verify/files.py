"""Reads the files of evidence that the reader names."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .base64_text import decode_base64
from .checks import Refuted, Unjudged, Unreadable
from .json_input import JsonObject, read_json
from .limits import MAX_FILE_BYTES, MAX_PEM_BYTES
from .shapes import Shape, readable
from .timestamps.authorities import Authorities
from .timestamps.certificates import read_certificate
from .timestamps.der import read_der


def read_bytes(file: str) -> bytes:
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


def decode_text(data: bytes) -> str:
    """Raises Unreadable for what is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable("this is not text in UTF-8") from error


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Puts the name of the file before the reason why it could not be read."""
    try:
        yield
    except Unreadable as reason:
        raise Unreadable(f"{file}: {reason}") from reason


def read_named(file: str) -> bytes:
    with naming(file):
        return read_bytes(file)


def read_given(shape: Shape, file: str, option: str, what: str) -> JsonObject:
    """Reads the file that an option names, which has this shape."""
    with naming(f"{option} {file}"):
        given: JsonObject = readable(shape, read_json(read_bytes(file)), what)
        return given


def read_text(file: str) -> str:
    """Without the line break that ends it, which an editor puts there: what is spoken or shown has none."""
    with naming(file):
        text = decode_text(read_bytes(file))
    return text[:-2] if text.endswith("\r\n") else text[:-1] if text.endswith("\n") else text


def read_certificates(data: bytes) -> Authorities:
    """Reads a file of certificates in PEM. Raises Unreadable."""
    if len(data) > MAX_PEM_BYTES:
        raise Unreadable("this list of certificates is too large")
    return read_pem(data.decode("ascii", "replace"))


def read_pem(text: str) -> Authorities:
    """Reads certificates in PEM, of which there must be one at least. Raises Unreadable."""
    blocks = re.findall(r"-----BEGIN CERTIFICATE-----([A-Za-z0-9+/= \t\r\n]+)-----END CERTIFICATE-----", text)
    if len(blocks) < max(1, text.count("-----BEGIN CERTIFICATE-----")):
        raise Unreadable("a certificate in PEM is missing or damaged")
    try:
        return Authorities(read_certificate(read_der(decode_base64("".join(block.split())))) for block in blocks)
    except (Refuted, Unjudged, ValueError) as error:
        raise Unreadable(str(error)) from error
