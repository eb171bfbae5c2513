"""openai-chat: OpenAI's Chat Completions, `POST .../chat/completions`, and every server that is compatible with it."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_chat import endpoint
from conformance.dialects.openai_chat.reply import read_reply
from conformance.dialects.openai_chat.request import read_request, turns_from
from conformance.dialects.openai_chat.stream import read_stream
from conformance.dialects.openai_chat.stream_events import stream_events
from conformance.dialects.openai_chat.tool_form import TOOL_FORM
from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.model.dialect import Dialect, History, sse_events_of
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask


def _read_request(request: Request, body: Any) -> Ask:
    return read_request(body, endpoint.model_in_path(request.path), stream=endpoint.asks_for_stream(request))


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=endpoint.asks_for_stream(exchange.request))


DIALECT = Dialect(
    name="openai-chat",
    prefix="OAC",
    package=__name__,
    path="/chat/completions",
    claims=endpoint.claims,
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("messages", turns_from),
    answers_last_call=True,
    named_choice_stops_normally=True,
    headers=CONTRACT_HEADERS,
    reference_model="gpt-4o-mini",
    tool_form=TOOL_FORM,
)
