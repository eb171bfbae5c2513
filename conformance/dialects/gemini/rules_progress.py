"""Gemini streams: they are events, and each chunk has content. docs/contract/gemini.md, GEM-S."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import chunks, is_error
from conformance.dialects.gemini.wire import candidate_parts, candidates
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


def _has_content(body: dict[str, Any], pointer: str) -> bool:
    """Whether a chunk has content: a part, or a finish reason."""
    return any(
        candidate.get("finishReason") is not None or any(True for _ in candidate_parts(candidate, where))
        for candidate, where in candidates(body, pointer)
    )


@rule(
    "gemini-stream-array-unexpected",
    scope="stream",
    cites="GEM-S-010",
)
def stream_array_unexpected(view: View) -> Iterator[Hit]:
    """The response to `alt=sse` must be server-sent events.

    Clients that asked for events find none in a JSON array, and return an empty turn.
    """
    exchange = view.exchange
    kind = (exchange.response.headers.get("content-type") or "").lower()
    if exchange.request.query.get("alt") == "sse" and "json" in kind and not exchange.response.is_event_stream:
        yield Hit(None, "the request asked for `alt=sse`, but the response is a JSON array", "server-sent events", kind)


@rule(
    "gemini-stream-chunk-empty",
    scope="stream",
    cites="GEM-S-001",
    severity=Severity.WARNING,
    because="every official chunk has content, but SDKs read a chunk without",
)
def stream_chunk_empty(view: View) -> Iterator[Hit]:
    """Every chunk must have a part, a finish reason or a block reason.

    Official streams have no other chunks. SDKs read the first candidate of each chunk, and may lose its content.
    """
    for body, pointer in chunks(view):
        if not is_error(body) and "promptFeedback" not in body and not _has_content(body, pointer):
            yield Hit(pointer, "the chunk has no part and no finish reason", "a part or a finishReason", "neither")
