"""Ids of tool calls: what a result refers to has to mean one call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Turn

_FIRST = "call_a1B2c3D4e5F6g7H8i9J0k1L2"
_TAGGED = (
    '<function_call>{"id": "1", "name": "get_weather", "arguments": {"latitude": 1, "longitude": 2}}</function_call>'
    * 2
)


@rule(
    "tool-call-id-duplicate",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-010 recorded traffic 96/96",
        "ANT-R-006 recorded traffic 122/122",
        "OAR-R-004 recorded traffic 73/73",
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
    ],
    bugs=["brainlid/langchain#620", "eino-ext#984"],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("openai-chat/stream-call"),
        example("anthropic-messages/call"),
        example("openai-responses/call"),
        example("prompted/call"),
    ],
    violating=[
        example(
            "gemini/call",
            put("/0/response/body/candidates/0/content/parts/1/functionCall/id", "dv8szvqe"),
            at="0 response /candidates/0/content/parts/1/functionCall",
        ),
        example(
            "openai-chat/call",
            put("/0/response/body/choices/0/message/tool_calls/1/id", _FIRST),
            at="0 response /choices/0/message/tool_calls/1",
        ),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/4/data/choices/0/delta/tool_calls/0/id", _FIRST),
            at="0 response event/4/choices/0/delta/tool_calls/0",
        ),
        example(
            "anthropic-messages/call",
            put("/0/response/body/content/2/id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
            at="0 response /content/2",
        ),
        example("openai-responses/call", put("/0/response/body/output/1/call_id", _FIRST), at="0 response /output/1"),
        example(
            "prompted/call",
            put("/0/response/body/choices/0/message/content", _TAGGED),
            at="0 response /choices/0/message/content",
        ),
    ],
)
def tool_call_id_duplicate(view: View) -> Iterator[Hit]:
    """The calls of one reply have different ids.

    Two calls with one id can not be answered apart: one result is lost, or the next request is refused.
    """
    for turn in view.replies:
        seen: set[str] = set()
        for call in turn.calls:
            if call.id and call.id in seen:
                yield Hit(
                    call.pointer, f"id {call.id} belongs to an earlier call of the same reply", "an id of its own"
                )
            seen.add(call.id or "")


@rule(
    "tool-call-id-reused",
    severity={"": Severity.WARNING, "anthropic-messages": Severity.ERROR},
    scope="request",
    basis="observed",
    cites=[
        "ANT-C-006 trycua/cua#524",
    ],
    conforming=[
        example("openai-chat/answer"),
        example("anthropic-messages/answer"),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/1/tool_calls/1/id", _FIRST),
            put("/0/request/body/messages/3/tool_call_id", _FIRST),
            at="0 request /messages/1/tool_calls/1",
        ),
        example(
            "anthropic-messages/answer",
            put("/0/request/body/messages/1/content/2/id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
            put("/0/request/body/messages/2/content/1/tool_use_id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
            at="0 request /messages/1/content/2",
        ),
        example(
            "openai-responses/answer",
            put("/0/request/body/input/2/call_id", _FIRST),
            put("/0/request/body/input/4/call_id", _FIRST),
            at="0 request /input/2",
        ),
    ],
)
def tool_call_id_reused(view: View) -> Iterator[Hit]:
    """The calls of a history have different ids.

    A server that looks a result up by its id finds the wrong call; some refuse the whole request.
    """
    seen: dict[str, Turn] = {}
    for turn in view.history:
        for call in turn.calls:
            if call.id and call.id in seen:
                yield Hit(
                    call.pointer,
                    f"id {call.id} belongs to an earlier call of the history",
                    "an id of its own",
                    # Servers that look no further than the next turn for results accept it again later on.
                    severity=None if seen[call.id] is turn else Severity.WARNING,
                )
            seen[call.id or ""] = turn
