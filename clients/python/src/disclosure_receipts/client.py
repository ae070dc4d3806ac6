"""Records disclosures, and returns no receipt that it has not verified."""

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote, urlencode
from uuid import uuid4

from .cancellation import Cancellation
from .chain_memory import SeenHistory
from .conversation import join_pages, require_follows
from .errors import ClientError
from .options import read_count, read_trust_anchors, require_callable
from .receipt_list import list_all
from .request import read_idempotency_key, read_request
from .sealed import DEFAULT_TIMEOUT, ReportAnswer, wait_until_sealed
from .transport import Transport
from .verified import read_verified_bundle, read_verified_receipt, require_same
from .verify.json_input import JsonObject
from .warning import pass_on, warn_once

ATTESTATION_PATH = "/v1/attestation"
INTERACTIONS_PATH = "/v1/interactions"
AsOf = Literal["newest"]


class Client:
    """Safe to use from several threads. Times are in seconds.

    `attempts`, `timeout` and `deadline` bound each call: how often it is sent at most, how long one answer may take to
    its last byte, and how long all attempts may take, pauses included. `trust_anchors` are PEM certificates of
    timestamp authorities; without them no token is checked here. `on_warning` gets the service's remarks about requests
    that it accepted. `tls` is a context of your own, where the service's certificate is of a company's own authority.
    Raises `invalid_options`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        attempts: int = 5,
        timeout: float = 10.0,
        deadline: float = 30.0,
        trust_anchors: str | None = None,
        on_warning: Callable[[str], object] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        require_callable("on_warning", on_warning)
        self._on_warning = on_warning or warn_once
        self._transport = Transport(base_url, api_key, attempts=attempts, timeout=timeout, deadline=deadline, tls=tls)
        self._authorities = read_trust_anchors(trust_anchors)
        self._memory = SeenHistory()

    def attest(
        self,
        request: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> JsonObject:
        """Records one disclosure and returns its verified receipt. Raises `ClientError`, and `Cancelled`.

        A key of your own (1 to 255 visible ASCII) is for this disclosure and no other; it is random by default.
        """
        body = read_request(request)
        # A caller's own key may name a disclosure that was recorded before, so its receipt may be an older one.
        sizes = self._memory.sizes() if idempotency_key is None else None
        key = read_idempotency_key(str(uuid4()) if idempotency_key is None else idempotency_key)
        try:
            receipt = self._send(body, key, cancellation)
            self._memory.remember(receipt, idempotency_key=key, sizes=sizes)
            return receipt
        except ClientError as error:
            error.idempotency_key = key
            raise

    def _send(self, body: JsonObject, key: str, cancellation: Cancellation | None) -> JsonObject:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        answer = self._transport.call(ATTESTATION_PATH, body=data, headers=headers, cancellation=cancellation)
        if answer.warning is not None:
            pass_on(self._on_warning, answer.warning)
        return read_verified_receipt(answer.body, self._authorities, body)

    def report(
        self, event_id: str, *, as_of: AsOf | None = None, cancellation: Cancellation | None = None
    ) -> JsonObject:
        """The receipt of an event with its proofs as of now, verified. With `as_of="newest"` they lead to the chain's
        newest published head, and else to the first one over the receipt. Raises as `attest` does.
        """
        return self._report(event_id, cancellation, as_of)[0]

    def sealed(
        self, event_id: str, *, timeout: float = DEFAULT_TIMEOUT, cancellation: Cancellation | None = None
    ) -> JsonObject:
        """The report of an event once a published root covers it, verified. Raises `not_sealed` where that takes longer
        than `timeout`, and as `attest` does; a service that can't answer for a while is asked again.
        """
        cancelled = cancellation or Cancellation()
        return wait_until_sealed(lambda: ReportAnswer(*self._report(event_id, cancelled)), timeout, cancelled)

    def _report(
        self, event_id: str, cancellation: Cancellation | None, as_of: AsOf | None = None
    ) -> tuple[JsonObject, float]:
        query = "" if as_of is None else "?" + urlencode({"as_of": as_of}, errors="replace")
        answer = self._transport.call(f"{ATTESTATION_PATH}/{path_part(event_id)}{query}", cancellation=cancellation)
        report = read_verified_receipt(answer.body, self._authorities)
        require_same("event", event_id.lower(), report["event_id"].lower(), answer.body)
        self._memory.remember(report)
        return report, answer.retry_after

    def receipts(
        self,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        verdict: str | None = None,
        wording: str | None = None,
        cancellation: Cancellation | None = None,
    ) -> Iterator[JsonObject]:
        """The tenant's receipts of a range of time, chain by chain. A row is no evidence. Raises as `attest` does."""
        asked = {"from": since, "to": until, "verdict": verdict, "wording": wording}
        return list_all(lambda path: self._transport.call(path, cancellation=cancellation).body, asked)

    def interaction(
        self, interaction_id: str, from_turn: int = 1, *, cancellation: Cancellation | None = None
    ) -> JsonObject:
        """A conversation's evidence from a turn on: all of its pages, verified and joined. Raises as `attest` does."""
        return join_pages(list(self.interaction_pages(interaction_id, from_turn, cancellation=cancellation)))

    def interaction_pages(
        self, interaction_id: str, from_turn: int = 1, *, cancellation: Cancellation | None = None
    ) -> Iterator[JsonObject]:
        """The same page by page, for a conversation that is too long to be held in memory."""
        previous: JsonObject | None = None
        turn: int | None = read_count("from_turn", from_turn)
        while turn is not None:
            page = self._page(interaction_id, turn, cancellation)
            require_follows(previous, page, turn)
            for receipt, proof in zip(page["receipts"], page["proofs"]):
                self._memory.learn(receipt, proof)
            yield page
            previous, turn = page, page["next_turn"]

    def _page(self, interaction_id: str, from_turn: int, cancellation: Cancellation | None) -> JsonObject:
        path = f"{INTERACTIONS_PATH}/{path_part(interaction_id)}?from_turn={from_turn}"
        answer = self._transport.call(path, cancellation=cancellation).body
        page = read_verified_bundle(answer, self._authorities)
        require_same("conversation", interaction_id, page["interaction_id"], answer)
        return page

    @property
    def newest(self) -> list[JsonObject]:
        """The newest answer of each chain that this client saw: give them to `remember` in the next process."""
        return self._memory.newest

    def remember(self, receipt: Any) -> None:
        """Takes in a receipt from an earlier process: later answers must not contradict it. Raises `receipt_invalid`,
        `chain_forked`.
        """
        self._memory.remember(read_verified_receipt(receipt, self._authorities))


def path_part(name: Any) -> str:
    """A name as one part of a path. Raises `invalid_request` for what is no text."""
    try:
        if isinstance(name, str) and name:
            return quote(name, safe="")
    except UnicodeEncodeError:
        pass
    raise ClientError("invalid_request", "an event or a conversation is named by a text")
