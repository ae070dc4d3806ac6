"""The canonical form of JSON: RFC 8785."""

import json
from typing import Any

PLAIN = json.JSONEncoder(ensure_ascii=False)


def canonicalize(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonicalize(name)}:{canonicalize(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonicalize, value)) + "]"
    return format_fraction(value) if isinstance(value, float) else PLAIN.encode(value)


def format_fraction(number: float) -> str:
    """ECMAScript writes a number plainly down to 0.000001, and then 1e-7 where Python has 1e-07."""
    digits, _, exponent = repr(number).partition("e")
    if not exponent:
        return digits
    if int(exponent) < -6:
        return f"{digits}e{int(exponent)}"
    sign, mantissa = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    return sign + "0." + "0" * (-int(exponent) - 1) + mantissa.replace(".", "")
