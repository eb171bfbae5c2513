"""gemini: Google's `generateContent` and `streamGenerateContent`, on the Gemini API, Vertex AI and proxies."""

from __future__ import annotations

from conformance.dialects.gemini.events import sse_events
from conformance.dialects.gemini.reply import read_reply
from conformance.dialects.gemini.request import read_request, turns_from
from conformance.dialects.gemini.stream import read_stream
from conformance.dialects.gemini.stream_events import stream_events
from conformance.dialects.gemini.tool_form import TOOL_FORM
from conformance.dialects.gemini.wire import camel, method_of
from conformance.model.dialect import Dialect, History
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.tool_limits import ToolLimits


def _claims(request: Request) -> bool:
    return request.method == "POST" and method_of(request) is not None


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    named = method_of(exchange.request)
    return sse_events(exchange, asked=named is not None and named[1] == "streamGenerateContent")


DIALECT = Dialect(
    name="gemini",
    prefix="GEM",
    package=__name__,
    path="/models/",
    claims=_claims,
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("contents", turns_from),
    accepts_unanswered_calls=True,
    normalise_key=camel,
    tool_limits=ToolLimits(first="A-Za-z_", rest="A-Za-z0-9_.:-", wants_properties=False),
    reference_model="gemini-3-flash-preview",
    tool_form=TOOL_FORM,
)
