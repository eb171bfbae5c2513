"""The readers of openai-completions."""

from __future__ import annotations

from conformance.dialects.openai_completions.reply import read_reply
from conformance.dialects.openai_completions.request import read_request
from conformance.dialects.openai_completions.stream import read_stream, stream_events
from conformance.model.dialect import Readers, sse_events_of

READERS = Readers(
    read_request=lambda _, body: read_request(body),
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events_of,
)
