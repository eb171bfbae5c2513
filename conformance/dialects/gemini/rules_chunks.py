"""Gemini streams: the content of each chunk, and what all of them share. GEM-S-003 to S-007."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import broke_off, chunks, entries
from conformance.dialects.gemini.wire import candidate_parts, get
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_TYPES = "google-genai 2.34 google/genai/types.py"


@rule(
    "gemini-stream-call-incomplete",
    scope="stream",
    cites="GEM-S-003",
)
def stream_call_incomplete(view: View) -> Iterator[Hit]:
    """A call must be complete in one chunk, name and arguments together, unless the request asked for pieces.

    Clients run each functionCall part when it arrives: a piece of one is a call without a name or arguments.
    """
    if _asked_for_pieces(view.request):
        return
    for candidate, where in entries(view):
        for part, place in candidate_parts(candidate, where):
            call = part.get("functionCall")
            if not isinstance(call, dict):
                continue
            if "name" not in call or call.get("willContinue") is True or "partialArgs" in call:
                yield Hit(join(place, "functionCall"), "an incomplete call", "a complete call", brief(sorted(call)))


def _asked_for_pieces(request: Any) -> bool:
    config = get(get(request, "toolConfig"), "functionCallingConfig")
    return get(config, "streamFunctionCallArguments") is True


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
