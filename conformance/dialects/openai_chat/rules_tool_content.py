"""What is in a tool's message, and in a delta without calls (WIRE section 1.i, OAC-Q-019 and OAC-R-008)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.stream import choice_entries
from conformance.judge.example import example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CONTENT = "/0/request/body/messages/2/content"
_STREAM = "openai-chat/stream-answer"
_DELTA = "/0/response/events/1/data/choices/0/delta"
_PICTURE = {"type": "image_url", "image_url": {"url": "https://example.com/map.png"}}


@rule(
    "chat-tool-content-unsupported",
    scope="request",
    basis="schema",
    cites=["OAC-Q-019 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionRequestToolMessage"],
    conforming=[
        example("openai-chat/answer"),
        example(
            "openai-chat/answer", put(_CONTENT, [{"type": "text", "text": "14.2"}, {"type": "text", "text": "°C"}])
        ),
        example("openai-chat/answer", put("/0/request/body/messages/0/content", [_PICTURE])),
    ],
    violating=[
        example("openai-chat/answer", put(_CONTENT, [_PICTURE]), at="0 request /messages/2/content/0"),
        example(
            "openai-chat/answer",
            put(_CONTENT, [{"type": "text", "text": "14.2"}]),
            insert(f"{_CONTENT}/1", {"type": "input_text", "text": "°C"}),
        ),
    ],
)
def tool_content_unsupported(view: View) -> Iterator[Hit]:
    """The parts of a tool's message are text.

    The server refuses pictures and files there: what a tool returns of them has to be put into a message of the user.
    """
    messages = view.request.get("messages") if isinstance(view.request, dict) else None
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        if not isinstance(message, dict) or message.get("role") != "tool":
            continue
        content = message.get("content")
        for place, part in enumerate(content if isinstance(content, list) else ()):
            kind = part.get("type") if isinstance(part, dict) else None
            if isinstance(kind, str) and kind != "text":
                at = join("/messages", number, "content", place)
                yield Hit(at, "a tool's message holds something else than text", "text", brief(kind))


@rule(
    "chat-delta-tool-calls-empty",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-R-008 recorded traffic 484/484", "OAC-S-016 recorded traffic 213/213"],
    violating=[
        example(_STREAM, put(f"{_DELTA}/tool_calls", [])),
        example("openai-chat/stream-call", put("/0/response/events/7/data/choices/0/delta/tool_calls", [])),
    ],
)
def delta_tool_calls_empty(view: View) -> Iterator[Hit]:
    """A delta without a piece of a call has no array `tool_calls`.

    A client that adds the deltas up ends with an empty array, and has its next request refused for it; one that looks
    for the key takes the text for the end of a call. Told once for a stream.
    """
    for event in view.events or ():
        for entry, at in choice_entries(event):
            delta = entry.get("delta")
            if isinstance(delta, dict) and delta.get("tool_calls") == []:
                place = join(at, "delta", "tool_calls")
                yield Hit(place, "`tool_calls` is there and empty", "no such key", "[]")
                return
