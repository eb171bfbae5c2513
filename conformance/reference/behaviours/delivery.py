"""Faults of transport and of the provider's health: what every client meets sooner or later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.model.behaviour import Situation, fault
from conformance.model.document import Mark
from conformance.model.document_changes import each_object, with_values
from conformance.model.rendered import Delivery, Rendered
from conformance.model.transcript import ToolCall, Turn

_SOON = 1
"""After how many seconds a refused client may come back."""
_SPLITS = 60


def _refusal(situation: Situation, status: int, message: str) -> Delivery:
    """The provider's error, with a short time to wait."""
    rendered = situation.fail(status, message)
    headers = tuple((name, _sooner(name, value)) for name, value in rendered.headers)
    documents = with_values(rendered.documents, lambda value: each_object(value, _short_delay))
    return Delivery.of(replace(rendered, headers=headers, documents=tuple(documents)))


def _sooner(name: str, value: str) -> str:
    return {"retry-after": str(_SOON), "retry-after-ms": str(_SOON * 1000)}.get(name, value)


def _short_delay(entries: dict[str, Any]) -> dict[str, Any]:
    return {key: f"{_SOON}s" if key == "retryDelay" else each for key, each in entries.items()}


@fault("rate-limited", once="The first request for each turn gets 429, the next one its answer.")
def rate_limited(_: Delivery, situation: Situation) -> Delivery:
    """Every request gets 429, with a second to wait."""
    return _refusal(situation, 429, "Too many requests.")


@fault("overloaded", once="The first request for each turn gets 529, the next one its answer.")
def overloaded(_: Delivery, situation: Situation) -> Delivery:
    """Every request gets 529."""
    return _refusal(situation, 529, "Overloaded.")


@fault("server-error-once")
def server_error_once(sent: Delivery, situation: Situation) -> Delivery:
    """The first request for each turn gets 500, the next one its answer."""
    return sent if situation.attempt else _refusal(situation, 500, "The server had an error.")


@fault("gateway-error-page")
def gateway_error_page(_: Delivery, __: Situation) -> Delivery:
    """Every request gets 502 with a page of HTML, as from a proxy in front of the provider."""
    page = Mark("<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n")
    return Delivery.of(Rendered(502, (("content-type", "text/html"),), (page,)))


@fault(
    "connection-cut-before-the-answer",
    once="The connection is closed before a byte of the answer, but the next request for the turn is answered.",
)
def cut_before_the_answer(sent: Delivery, _: Situation) -> Delivery:
    """The connection is closed before a byte of the answer."""
    return replace(sent, pieces=(), cut=True)


@fault(
    "connection-cut-half-way",
    once="The connection is closed after half of the answer, but the next request for the turn is answered.",
)
def cut_half_way(sent: Delivery, _: Situation) -> Delivery:
    """The connection is closed after half of each answer."""
    return replace(sent, pieces=_half(sent), cut=True)


@fault("connection-cut-near-the-end", streamed=True)
def cut_near_the_end(sent: Delivery, situation: Situation) -> Delivery:
    """The connection is closed before the last two events of a stream, but the next request is answered."""
    if situation.attempt or not situation.streamed or len(sent.pieces) < 4:
        return sent
    return replace(sent, pieces=sent.pieces[:-2], cut=True)


@fault("stream-ends-half-way", streamed=True)
def stream_ends_half_way(sent: Delivery, situation: Situation) -> Delivery:
    """A stream ends after half of its events as if it were whole."""
    return replace(sent, pieces=_half(sent), partial=True) if situation.streamed else sent


@fault("answer-ends-half-way", streamed=True)
def answer_ends_half_way(sent: Delivery, situation: Situation) -> Delivery:
    """A stream without calls ends after half of its events as if it were whole."""
    return stream_ends_half_way(sent, situation) if not situation.calls else sent


def _half(sent: Delivery) -> tuple[bytes, ...]:
    if len(sent.pieces) > 1:
        return sent.pieces[: len(sent.pieces) // 2]
    return tuple(piece[: len(piece) // 2] for piece in sent.pieces)


@fault("chunks-slow", streamed=True)
def chunks_slow(sent: Delivery, situation: Situation) -> Delivery:
    """A stream has a pause of 0.1 seconds before each event."""
    return replace(sent, pause=0.1) if situation.streamed else sent


@fault("chunks-of-one-byte")
def chunks_of_one_byte(sent: Delivery, _: Situation) -> Delivery:
    """Each byte of the body is sent in a chunk of its own."""
    return replace(sent, pieces=tuple(bytes([each]) for each in sent.body))


@fault("character-split")
def character_split(sent: Delivery, _: Situation) -> Delivery:
    """Characters of several UTF-8 bytes are split over two chunks."""
    pieces = tuple(_split(sent.body))
    return replace(sent, pieces=pieces, pause=0.004) if len(pieces) > 1 else sent


def _split(body: bytes) -> Iterator[bytes]:
    """The body, cut inside its first characters of several bytes."""
    begin, cuts = 0, 0
    for place in range(1, len(body)):
        if body[place - 1] >= 0xC0 and cuts < _SPLITS:
            yield body[begin:place]
            begin, cuts = place, cuts + 1
    yield body[begin:]


@fault("events-foreign", streamed=True)
def events_foreign(sent: Delivery, situation: Situation) -> Delivery:
    """A stream has events of a name and a type that no provider sends."""
    foreign = b'event: vendor.progress\ndata: {"type":"vendor.progress","percent":50}\n\n'
    return _among(sent, foreign) if situation.streamed else sent


@fault("pings", streamed=True)
def pings(sent: Delivery, situation: Situation) -> Delivery:
    """A stream has a comment before each event, as proxies send to keep connections open."""
    return _among(sent, b": ping\n\n", every=1) if situation.streamed else sent


@fault("lines-end-in-crlf", streamed=True)
def lines_end_in_crlf(sent: Delivery, situation: Situation) -> Delivery:
    """The lines of a stream end in CRLF."""
    if not (situation.streamed and _is_events(sent)):
        return sent
    return replace(sent, pieces=tuple(_crlf(piece) for piece in sent.pieces))


def _crlf(piece: bytes) -> bytes:
    return piece.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _among(sent: Delivery, inserted: bytes, every: int = 3) -> Delivery:
    if not _is_events(sent):
        return sent
    pieces = [part for n, piece in enumerate(sent.pieces) for part in ((piece,) if n % every else (inserted, piece))]
    return replace(sent, pieces=tuple(pieces))


def _is_events(sent: Delivery) -> bool:
    kinds = [value for name, value in sent.rendered.headers if name == "content-type"]
    return any("event-stream" in kind for kind in kinds)


@fault("arguments-in-a-string", level="turn")
def arguments_in_a_string(turn: Turn) -> Turn:
    """The arguments of a call are a JSON string that contains the object."""
    parts = [_in_a_string(part) if isinstance(part, ToolCall) else part for part in turn.parts]
    return replace(turn, parts=tuple(parts))


def _in_a_string(call: ToolCall) -> ToolCall:
    if not isinstance(call.arguments, dict) or not call.arguments:
        return call
    inner = json.dumps(call.arguments, ensure_ascii=False)
    return replace(call, arguments=inner, wire=json.dumps(inner, ensure_ascii=False))
