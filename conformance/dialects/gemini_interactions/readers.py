"""The readers of gemini-interactions."""

from __future__ import annotations

from typing import Any

from conformance.dialects.gemini_interactions.reply import read_reply
from conformance.dialects.gemini_interactions.request import read_request, turns_from
from conformance.dialects.gemini_interactions.stream import read_stream, stream_events
from conformance.model.dialect import History, Readers, sse_events_of
from conformance.model.exchange import Request
from conformance.model.transcript import Ask


def _read_request(_: Request, body: Any) -> Ask:
    return read_request(body)


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events_of,
    history=History("input", turns_from),
)
