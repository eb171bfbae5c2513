"""Gemini streams: events, and how candidates end. docs/contract/gemini.md, GEM-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.chunks import broke_off, entries, is_blocked, is_error
from conformance.dialects.gemini.stream import index_of
from conformance.dialects.gemini.wire import candidate_parts, each, get
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING

_KNOWN = frozenset(
    {"candidates", "usageMetadata", "promptFeedback", "modelVersion", "responseId", "createTime", "error"}
)


@rule(
    "gemini-stream-event-unexpected",
    scope="stream",
    cites="GEM-S-001",
)
def stream_event_unexpected(view: View) -> Iterator[Hit]:
    """Every event must be a GenerateContentResponse without an event name; the stream has no end marker.

    Official SDKs parse every event as a reply: a `[DONE]`, or another dialect's event, makes them raise.
    """
    for event in view.events or ():
        if event.name is not None:
            yield Hit(event.pointer, "the event has a name", "data only", event.name)
        elif event.data.strip() == "[DONE]":
            yield Hit(event.pointer, "the stream has an end marker", "no end marker", "[DONE]")
        elif isinstance(event.json, (str, int, float, bool)) or event.json is None:
            if not event.data:  # a neutral rule reports text that is not JSON
                yield Hit(
                    event.pointer,
                    "the event is not a GenerateContentResponse",
                    "a GenerateContentResponse",
                    brief(event.json),
                )
        elif isinstance(event.json, dict) and not _KNOWN & event.json.keys():
            yield Hit(
                event.pointer,
                "the event is not a GenerateContentResponse",
                "a GenerateContentResponse",
                brief(sorted(event.json)),
            )
        elif isinstance(event.json, list) and not is_error(event.json):
            yield Hit(
                event.pointer, "the event is not a GenerateContentResponse", "a GenerateContentResponse", "an array"
            )


@rule(
    "gemini-stream-finish-missing",
    scope="stream",
    cites=["GEM-S-002", "GEM-R-001"],
)
def stream_finish_missing(view: View) -> Iterator[Hit]:
    """The last chunk of every candidate must have a finish reason.

    The stream has no end marker; without a finish reason a broken stream looks like a complete reply.
    """
    last: dict[int, str] = {}
    finished: set[int] = set()
    for candidate, where in entries(view):
        last[index_of(candidate)] = where
        if candidate.get("finishReason") is not None:
            finished.add(index_of(candidate))
    if broke_off(view):
        return
    for index, where in last.items():
        if index not in finished:
            yield Hit(where, f"candidate {index} has no finish reason", "a finishReason in its last chunk", "none")
    if not last and view.events and not is_blocked(view):
        yield Hit(
            None, "the stream has neither a candidate nor a block reason", "a candidate or a blockReason", "neither"
        )


@rule(
    "gemini-stream-content-after-finish-unexpected",
    scope="stream",
    cites="GEM-S-002",
)
def stream_content_after_finish_unexpected(view: View) -> Iterator[Hit]:
    """A candidate must not continue after its finish reason.

    Clients close the stream there and lose the rest. Code and MCP servers that Google runs and asks itself are the
    exception: they have a STOP in the middle.
    """
    finished: set[int] = set()
    reported: set[int] = set()
    served = "request" in view.exchange.lacks or any(
        get(tool, "mcpServers") is not MISSING for tool, _ in each(view.request, "tools", "")
    )
    for candidate, where in entries(view):
        index = index_of(candidate)
        if index in finished and index not in reported:
            reported.add(index)
            yield Hit(
                where,
                f"candidate {index} continues after its finish reason",
                "the finish reason in the last chunk",
                "more",
            )
        kinds = {kind for part, _ in candidate_parts(candidate, where) for kind in part}
        goes_on = "executableCode" in kinds or (served and "functionCall" in kinds)
        if candidate.get("finishReason") is not None and not goes_on:
            finished.add(index)
