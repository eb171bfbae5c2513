"""Gemini streams: the content of each chunk, and what all of them share. GEM-S-003 to S-007."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.chunks import broke_off, chunks
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import MISSING, join

_TYPES = "google-genai 2.34 google/genai/types.py"


@rule(
    "gemini-stream-usage-missing",
    scope="stream",
    cites="GEM-S-005",
)
def stream_usage_missing(view: View) -> Iterator[Hit]:
    """The last chunk of a stream must have the usage.

    Counts grow from chunk to chunk, so only the last one is complete; without it the reply seems to cost less.
    """
    bodies = list(chunks(view))
    if not bodies or broke_off(view):
        return
    body, pointer = bodies[-1]
    usage = body.get("usageMetadata")
    if not isinstance(usage, dict):
        yield Hit(pointer, "the last chunk has no usage", "usageMetadata", "none")
    elif usage.get("totalTokenCount", MISSING) is MISSING:
        yield Hit(join(pointer, "usageMetadata"), "the last usage has no total", "totalTokenCount", "none")
