"""The readers of openai-responses."""

from __future__ import annotations

from conformance.dialects.openai_responses.reply import read_reply
from conformance.dialects.openai_responses.request import read_request, turns_from
from conformance.dialects.openai_responses.stream import read_stream
from conformance.dialects.openai_responses.stream_events import stream_events
from conformance.model.dialect import History, Readers, sse_events_of

READERS = Readers(
    read_request=lambda _, body: read_request(body),
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events_of,
    history=History("input", turns_from),
)
