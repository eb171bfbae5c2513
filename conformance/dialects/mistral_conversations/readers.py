"""The readers of mistral-conversations."""

from __future__ import annotations

from conformance.dialects.mistral_conversations.entries import read_reply
from conformance.dialects.mistral_conversations.request import read_request, turns_from
from conformance.dialects.mistral_conversations.stream import read_stream, stream_events
from conformance.model.dialect import History, Readers, sse_events_of

READERS = Readers(
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events_of,
    history=History("inputs", turns_from),
)
