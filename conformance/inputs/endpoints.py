"""The endpoint that a body belongs to, for sources that do not contain the URL: each dialect knows its own bodies.

A path without a host does not identify the provider, so no provider's deviations are assumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from conformance.model import lines, sse
from conformance.model.dialect import Bodies
from conformance.model.exchange import Body, Exchange
from conformance.model.registry import all_dialects

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
COMPLETIONS = "/v1/completions"
MESSAGES = "/v1/messages"


@cache
def _known() -> tuple[Bodies, ...]:
    """What shows each dialect; that whose requests look like those of others is last."""
    found = (dialect.bodies for dialect in all_dialects().values() if dialect.bodies is not None)
    return tuple(sorted(found, key=lambda each: each.shared))


def generate(model: Any) -> str:
    """The path of Google's generateContent for a model."""
    path = of_request({"contents": [], "model": model})
    assert path is not None  # noqa: S101 - only Gemini's requests have `contents`
    return path


def of_request(body: Any) -> str | None:
    """The path for a request's body; None if it belongs to no known endpoint."""
    if not isinstance(body, dict):
        return None
    return next((each.path_of(body) for each in _known() if each.request(body)), None)


def of_exchange(asked: Any, reply: Body | None) -> str | None:
    """The path for a request's body and its reply, either of which may be None; None if neither shows the endpoint.

    The reply's form decides between endpoints whose shortest requests are alike, and whether Google's streams.
    """
    path = of_request(asked)
    answered = None if reply is None or path in (RESPONSES, COMPLETIONS) else of_response(reply)
    return answered or path


def shown_by(exchange: Exchange) -> str | None:
    """The path that the bodies of an exchange show; None if the reply is that of another endpoint."""
    answered = exchange.response
    if answered.ok and not answered.body.empty and of_response(answered.body) is None:
        return None
    return of_exchange(exchange.request.body.json, answered.body if answered.ok else None)


def of_response(body: Body) -> str | None:
    """The path for a response's body, a stream included; None if it belongs to no known endpoint."""
    streamed = _streamed(body)
    if streamed is None:
        return _of_value(body.json)
    path = next((each for value in streamed if (each := _of_value(value)) is not None), None)
    return path and path.replace(":generateContent", ":streamGenerateContent")


def begins_lines(head: bytes) -> bool:
    """Whether a file begins with the stream of a dialect that streams lines."""
    text = head.decode("utf-8", "replace")
    first = next(lines.events(text)).json if lines.looks_like_lines(text) else None
    streams = (each.bodies for each in all_dialects().values() if each.streams_lines)
    return isinstance(first, dict) and any(each is not None and each.reply(first) for each in streams)


def _streamed(body: Body) -> Iterator[Any] | None:
    """What the body of a stream consists of: events, lines, or the elements of an array; None for one value."""
    text = body.text
    if text is not None and sse.looks_like_events(text):
        return (event.json for event in sse.events(text[: 1 << 16]))
    if text is not None and lines.looks_like_lines(text):
        return (event.json for event in lines.events(text[: 1 << 16]))
    value = body.json
    return iter(value[:1]) if isinstance(value, list) else None


def _of_value(value: Any) -> str | None:
    """The path for a reply, or for one event of a stream; none for the reply of an endpoint beside the main one."""
    if not isinstance(value, dict) or "deleted" in value:
        return None
    return next((each.path_of(value) for each in _known() if each.reply(value)), None)
