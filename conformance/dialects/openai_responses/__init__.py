"""openai-responses: OpenAI's Responses API, `POST .../responses`, and every server that is compatible with it."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.dialects.openai_responses.reply import read_reply
from conformance.dialects.openai_responses.request import read_request, turns_from
from conformance.dialects.openai_responses.stream import read_stream
from conformance.dialects.openai_responses.stream_events import stream_events
from conformance.dialects.openai_responses.tool_form import TOOL_FORM
from conformance.model.dialect import Dialect, History, asks_for_stream, sse_events_of
from conformance.model.exchange import Exchange, Request, is_broken
from conformance.model.sse import Event
from conformance.model.tool_limits import ToolLimits
from conformance.model.transcript import Ask

_KEYS = ("input", "previous_response_id", "conversation", "prompt", "model")


def _claims(request: Request) -> bool:
    path = request.path.rstrip("/")
    if request.method != "POST" or not path.endswith("/responses"):
        return False
    body = request.body.json
    if is_broken(body):
        return path.endswith("/v1/responses")
    return isinstance(body, dict) and any(key in body for key in _KEYS)


def _read_request(_: Request, body: Any) -> Ask:
    return read_request(body)


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=asks_for_stream(exchange))


DIALECT = Dialect(
    name="openai-responses",
    prefix="OAR",
    package=__name__,
    path="/responses",
    claims=_claims,
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("input", turns_from),
    answers_last_call=True,
    alternates_calls=True,
    tool_limits=ToolLimits(length=128),
    headers=CONTRACT_HEADERS,
    reference_model="gpt-4o-mini",
    tool_form=TOOL_FORM,
)
