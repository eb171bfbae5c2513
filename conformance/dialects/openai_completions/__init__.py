"""openai-completions: a raw prompt, `POST .../completions`, formerly OpenAI's, and still served by inference servers.

The prompt is one text of the user, the reply one text of the assistant. The dialects in the text of this one
read what a model's template makes of them.
"""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_completions.reply import read_reply
from conformance.dialects.openai_completions.request import read_request
from conformance.dialects.openai_completions.stream import read_stream, stream_events
from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.model.dialect import Dialect, asks_for_stream, sse_events_of
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask

_OTHERS = ("/chat/completions", "/fim/completions")
"""Endpoints with the same end of the path but other bodies: chat, and Mistral's fill-in-the-middle."""


def _claims(request: Request) -> bool:
    """Whether a request is a raw prompt; a body with `messages` instead of `prompt` is a chat, whatever the path."""
    path, body = request.path.rstrip("/"), request.body.json
    chat = isinstance(body, dict) and "messages" in body and "prompt" not in body
    return request.method == "POST" and path.endswith("/completions") and not path.endswith(_OTHERS) and not chat


def _read_request(_: Request, body: Any) -> Ask:
    return read_request(body)


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=asks_for_stream(exchange))


DIALECT = Dialect(
    name="openai-completions",
    prefix="OAT",
    package=__name__,
    path="/completions",
    claims=_claims,
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    headers=CONTRACT_HEADERS,
)
