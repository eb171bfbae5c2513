"""The stop reason says what the reply holds: calls, or an end.

A dialect whose wire has one word for both ends (Gemini's `STOP`, a completed Responses answer) reads that word
as `tool-calls` where the turn holds calls; these rules then have nothing to say about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_FINISH = "/0/response/body/choices/0/finish_reason"
_NAMED = {"type": "function", "function": {"name": "get_weather"}}


@rule(
    "stop-reason-mismatch",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-006 vllm-project/vllm#25054",
        "OAC-S-016 vllm-project/vllm#25054",
        "ANT-R-003 recorded traffic 108/108",
    ],
    bugs=[
        "googleapis/python-genai#2868",
        "vercel/workflow#1387",
        "strands#1827",
        "strands#3206",
        "BerriAI/litellm#33678",
        "BerriAI/litellm#37792",
        "mlx-vlm#990",
    ],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("openai-chat/call", put("/0/request/body/tool_choice", _NAMED), put(_FINISH, "stop")),
        example("openai-chat/call", put(_FINISH, "length")),
        example("anthropic-messages/call"),
        example("anthropic-messages/cut-off"),
        example("openai-responses/call"),
    ],
    violating=[
        example("openai-chat/call", put(_FINISH, "stop"), at="0 response /choices/0/finish_reason"),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/7/data/choices/0/finish_reason", "stop"),
            at="0 response event/7/choices/0/finish_reason",
        ),
        example(
            "anthropic-messages/call", put("/0/response/body/stop_reason", "end_turn"), at="0 response /stop_reason"
        ),
    ],
)
def stop_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with tool calls stops for tool calls, or because it was cut off.

    Clients that decide by the stop reason end the run here, and the calls are never run.
    """
    choice = view.ask.choice
    if choice is not None and choice.mode == "named" and getattr(view.dialect, "named_choice_stops_normally", False):
        return
    for turn in view.replies:
        if turn.calls and turn.stop == "end":
            yield Hit(
                turn.stop_pointer or turn.pointer,
                f"the reply holds {len(turn.calls)} tool call(s), the stop reason says that it ended",
                "the stop reason of tool calls",
                brief(turn.stop_wire),
            )


@rule(
    "announced-call-missing",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-007 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        "OAC-S-016 vllm-project/vllm#53255",
        "ANT-R-003 recorded traffic 275/275",
    ],
    bugs=["vllm-project/vllm#53255", "mastra-ai/mastra#14187", "jjang-ai/vmlx#219"],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/answer"),
        example("anthropic-messages/call"),
        example("anthropic-messages/pause-run"),
    ],
    violating=[
        example("openai-chat/answer", put(_FINISH, "tool_calls"), at="0 response /choices/0/finish_reason"),
        example(
            "openai-chat/call",
            drop("/0/response/body/choices/0/message/tool_calls"),
            at="0 response /choices/0/finish_reason",
        ),
        example(
            "anthropic-messages/stream-answer",
            put("/0/response/events/6/data/delta/stop_reason", "tool_use"),
            at="0 response event/6/delta/stop_reason",
        ),
    ],
)
def announced_call_missing(view: View) -> Iterator[Hit]:
    """A reply that stops for tool calls holds at least one.

    The client waits for a call that never came, or runs an empty round.
    """
    for turn in view.replies:
        if turn.stop == "tool-calls" and not turn.calls:
            yield Hit(
                turn.stop_pointer or turn.pointer,
                "the stop reason announces tool calls, the reply holds none",
                "at least one tool call",
                brief(turn.stop_wire),
            )
