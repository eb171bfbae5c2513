"""The readers of gemini-interactions."""

from __future__ import annotations

from conformance.dialects.gemini_interactions.reply import read_reply
from conformance.dialects.gemini_interactions.request import read_request, turns_from
from conformance.dialects.gemini_interactions.stream import read_stream, stream_events
from conformance.model.dialect import History, Readers, sse_events_of

READERS = Readers(
    read_request=lambda _, body: read_request(body),
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events_of,
    history=History("input", turns_from),
)
