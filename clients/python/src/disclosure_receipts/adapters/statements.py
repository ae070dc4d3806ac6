"""An agent's statements about itself: the registered texts of a conversation, each with what is attested of it."""

import re
import unicodedata
from typing import Literal, NamedTuple

from ..digests import hash_wording
from ..gaps import fill_operator, gaps_of
from ..options import invalid_option
from ..verify.fields import REQUEST
from ..verify.json_input import JsonObject
from ..wordings import disclosure_of, find_wording

# Why a text is said.
Statement = Literal["introduction", "reminder", "handoff"]
UNFIT_FOR_AN_AGENT = re.compile(r"[^A-Za-z0-9._:@+=/-]+")
MAX_AGENT_LENGTH = 128


class RegisteredText(NamedTuple):
    """A text that your company registered as its own: as it is registered, the gap {operator} unfilled.

    jurisdiction: ISO 3166-1 alpha-2.
    """

    text: str
    modality: str
    method: str
    jurisdiction: str


# The id of a wording that ships, or a text of one's own.
WordingChoice = str | RegisteredText


class Wordings(NamedTuple):
    """Where a reminder or a hand-off has none, the introduction is said again, and attested as that. repeat: said in
    place of an introduction that was cut off; the introduction itself by default.
    """

    introduction: WordingChoice
    repeat: WordingChoice | None = None
    reminder: WordingChoice | None = None
    handoff: WordingChoice | None = None


class Prepared(NamedTuple):
    """A text that is said, and what is attested of it."""

    text: str
    disclosure: JsonObject


class Statements:
    """Raises `invalid_options`, and `invalid_request` for the id of no wording."""

    def __init__(self, wordings: Wordings, operator: str | None) -> None:
        if not isinstance(wordings, Wordings):
            raise invalid_option("wordings", "must be Wordings, with an introduction at least")
        texts = {
            name: prepare_one(name, wordings.introduction if choice is None else choice, operator)
            for name, choice in wordings._asdict().items()
        }
        self._texts: dict[str, Prepared] = texts

    def of(self, statement: Statement, is_repetition: bool) -> Prepared:
        return self._texts["repeat" if is_repetition and statement == "introduction" else statement]


def read_agent(name: str) -> str:
    """Names that platforms give to agents may have spaces or other letters, which the service does not take."""
    if not isinstance(name, str) or not name:
        raise invalid_option("agent_identity", "is missing")
    return UNFIT_FOR_AN_AGENT.sub("-", name)[:MAX_AGENT_LENGTH]


def prepare_one(name: str, choice: WordingChoice, operator: str | None) -> Prepared:
    prepared = shipped(choice) if isinstance(choice, str) else own(name, choice)
    if not gaps_of(prepared.text):
        return prepared._replace(text=unicodedata.normalize("NFC", prepared.text))
    if operator is None:
        raise invalid_option("operator", f"is missing: the {name} says who it is")
    return prepared._replace(text=fill_operator(prepared.text, operator))


def shipped(wording_id: str) -> Prepared:
    disclosure, wording = disclosure_of(wording_id), find_wording(wording_id)
    return Prepared(wording.text if wording else "", disclosure)


def own(name: str, choice: RegisteredText) -> Prepared:
    if not isinstance(choice, RegisteredText) or not choice.text:
        raise invalid_option("wordings", f"{name}: must be the id of a wording, or a RegisteredText")
    disclosure = {
        "modality": choice.modality,
        "article_50_clause": "1",
        "disclosure_method": choice.method,
        "jurisdiction": choice.jurisdiction,
        "subject_hash": hash_wording(choice.text),
    }
    for field, value in disclosure.items():
        if not REQUEST[field].shape(value):
            raise invalid_option("wordings", f"{name}: {field}: {REQUEST[field].rule}")
    return Prepared(choice.text, disclosure)
