"""Reads one exchange of a leg into what is compared with the other leg, in neutral terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.campaign.backoff import asks_to_wait
from conformance.gateway.history import History, history_of
from conformance.gateway.loss import brief_text
from conformance.judge.view import View
from conformance.model.exchange import Response
from conformance.model.expressible import Expressible, Setting, expressible_in, settings_in
from conformance.model.pointer import get, join
from conformance.model.token_counts import Counts, counts_of
from conformance.model.transcript import Ask, Malformed, Turn
from conformance.reference.samples import schema_of_reply
from conformance.reference.searching import enables_search

_ERROR = re.compile(r'"error"\s*:\s*\{|"type"\s*:\s*"error"')
"""An error in the text of an answer; in what the model writes, the quotation marks have backslashes."""
_HOLDERS = frozenset({"annotations", "citations", "citation", "annotation", "groundingChunks", "citationSources"})
_ADDRESSES = frozenset({"url", "uri"})
_TYPES = ("media_type", "mimeType", "mime_type")
_IMAGE = "iVBORw0KGgo"
"""What PNG begins with, in base64."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `turn` is that of the model; None if it has none, or is an error.

    `broken` is whether it was cut, or failed half-way, `failed` whether it has an error in it; `message` is what an
    error states, `texts` are all texts in it, and `summary` is the status with the beginning of the body.
    `cited` are the addresses of sources, `waits` is whether it states how long to wait.
    """

    status: int
    ok: bool
    turn: Turn | None
    broken: bool
    failed: bool
    message: str | None
    texts: str
    summary: str
    counts: Counts
    cited: frozenset[str]
    waits: bool

    @property
    def whole(self) -> bool:
        """Whether it succeeded, to its end."""
        return self.ok and not self.broken


@dataclass(frozen=True, slots=True)
class LegExchange:
    """One exchange of a leg; `number` is its place in it.

    `turns` are those of the request, which `history` divides; `counted` is whether it asks for token counts, `searches`
    whether it enables the provider's own search. `output` is the schema of the answer's text, None without one, and
    `media` are the images in the request, as base64, each with its place and its MIME type, if that is stated.
    """

    number: int
    expressible: Expressible
    ask: Ask
    turns: tuple[Turn, ...]
    history: History
    settings: Mapping[str, Setting]
    switches: Mapping[str, Setting]
    counted: bool
    answer: Answer
    named_choice_stops_normally: bool
    searches: bool
    output: Any
    media: Mapping[str, tuple[str, str | None]]

    @property
    def dialect(self) -> str:
        return self.expressible.dialect


def read(view: View, *, cut: bool = False) -> LegExchange:
    """Reads an exchange; `cut` is whether the gateway did not get all of the answer."""
    history, answer = history_of(view.ask, view.history), _answer(view, cut=cut)
    expressible = expressible_in(view.dialect.name)
    asked_at = expressible.usage_asked_at
    return LegExchange(
        view.number,
        expressible,
        view.ask,
        view.history,
        history,
        settings_in(view.request, expressible.settings),
        settings_in(view.request, expressible.switches),
        asked_at is None or not view.ask.stream or get(view.request, asked_at) is True,
        answer,
        view.dialect.named_choice_stops_normally,
        enables_search(view.ask, view.request),
        schema_of_reply(view.request),
        dict(_images(view.request, "")),
    )


def _images(value: Any, at: str, kind: str | None = None) -> Iterator[tuple[str, tuple[str, str | None]]]:
    """The images in a body, in one alphabet of base64, without padding: SDKs write the same one differently."""
    if isinstance(value, dict):
        kind = next((value[each] for each in _TYPES if isinstance(value.get(each), str)), None)
        for key, each in value.items():
            yield from _images(each, join(at, key), kind)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _images(each, join(at, number))
    elif isinstance(value, str):
        head, _, data = value.rpartition(";base64,")
        if data.startswith(_IMAGE):
            yield data.replace("-", "+").replace("_", "/").rstrip("="), (at, head.removeprefix("data:") or kind)


def _answer(view: View, *, cut: bool) -> Answer:
    response = view.exchange.response
    turn = next(iter(view.replies), None)
    failed = view.streamed and turn is not None and turn.stop in (None, "error")
    error: Any = view.response.get("error") if isinstance(view.response, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    message = message if isinstance(message, str) else None
    body = view.response.text if isinstance(view.response, Malformed) else response.body.text
    return Answer(
        response.status,
        response.ok,
        turn,
        broken=cut or failed,
        failed=_ERROR.search(response.body.text or "") is not None,
        message=message,
        texts="" if response.ok else " ".join(_texts(view.response)),
        summary=brief_text(f"{response.status}: {' '.join((message or body or '').split())}"),
        counts=counts_of(view.exchange),
        cited=cited_in(response),
        waits=asks_to_wait(response),
    )


def _texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, (str, Malformed)):
        yield value if isinstance(value, str) else value.text
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def cited_in(response: Response) -> frozenset[str]:
    """The addresses of the sources that an answer cites."""
    values = [event.json for event in response.events] if response.is_stream else [response.body.json]
    return frozenset(_cited(values))


def _cited(value: Any, *, inside: bool = False) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _cited(each, inside=inside)
    elif isinstance(value, dict):
        for key, each in value.items():
            if inside and key in _ADDRESSES and isinstance(each, str):
                yield each
            else:
                yield from _cited(each, inside=inside or key in _HOLDERS)
