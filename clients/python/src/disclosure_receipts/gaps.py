"""Named gaps in the text of a wording, such as {operator}. A text with a gap is attested by its own digest, the gap
unfilled; only {operator} may be filled, once, by whoever the agent speaks for: docs/policy-layer.md.
"""

import re
import unicodedata

from .errors import ClientError

# The one on whose behalf the agent speaks.
OPERATOR_GAP = "operator"
GAP = re.compile(r"\{([a-z][a-z0-9_]{0,31})\}")
# Braces would be gaps; controls, lone surrogates and line breaks are in no name.
UNFIT_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")


def gaps_of(text: str) -> list[str]:
    """The names of the gaps, each once, in the order of the text."""
    return list(dict.fromkeys(GAP.findall(text)))


def fill_operator(text: str, operator: str) -> str:
    """The text with its gap {operator} filled. Raises `invalid_request` where the text has no such gap, has a gap that
    must stay unfilled, or where the name can't be filled in.
    """
    others = [name for name in gaps_of(text) if name != OPERATOR_GAP]
    if others:
        names = ", ".join(f"{{{name}}}" for name in others)
        raise ClientError(
            "invalid_request", f"{names} is never filled: attest the digest of the text with the gap unfilled"
        )
    if OPERATOR_GAP not in gaps_of(text):
        raise ClientError("invalid_request", f"the text has no gap {{{OPERATOR_GAP}}}")
    if not isinstance(operator, str) or not operator.strip() or any(map(is_unfit, operator)):
        raise ClientError("invalid_request", "the name must not be empty, or have braces or line breaks")
    return unicodedata.normalize("NFC", text.replace(f"{{{OPERATOR_GAP}}}", operator.strip()))


def is_unfit(character: str) -> bool:
    return character in "{}" or unicodedata.category(character) in UNFIT_CATEGORIES
