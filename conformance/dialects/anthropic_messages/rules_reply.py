"""Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.answer import endings, message_of
from conformance.dialects.anthropic_messages.reply import STOPS
from conformance.dialects.anthropic_messages.shape import Shape, misshapen
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _ANSWER = "anthropic-messages/call", "anthropic-messages/answer"
_STREAM = "anthropic-messages/stream-call"
_BODY, _START = "/0/response/body", "/0/response/events/0/data/message"
_DELTA = "/0/response/events/16/data"
_MESSAGE = {
    "id": "string+",
    "type": "string",
    "role": "string",
    "model": "string+",
    "content": "array",
    "stop_reason": "string|null",
    "stop_sequence": "string|null",
    "usage": "object",
    "container": "?object|null",
    "stop_details": "?object|null",
    "context_management": "?object|null",
}
_FOREIGN_STOPS = frozenset({"stop", "tool_calls", "length", "content_filter", "function_call", "STOP", "MAX_TOKENS"})


@rule(
    "messages-reply-field-wrong-type",
    scope="reply",
    basis="sdk-type",
    cites=["ANT-R-001 anthropic 2.11 types/message.py", "ANT-S-003 recorded traffic 117/117"],
    conforming=[example(_CALL), example(_STREAM), example("anthropic-messages/bedrock")],
    violating=[
        example(_CALL, drop(f"{_BODY}/usage")),
        example(_CALL, put(f"{_BODY}/type", "chat.completion")),
        example(_CALL, put(f"{_BODY}/role", "model")),
        example(_CALL, drop(f"{_BODY}/stop_sequence")),
        example(_CALL, put(f"{_BODY}/content", "14.2 °C")),
        example(_STREAM, drop(f"{_START}/id")),
        example(_STREAM, put(f"{_START}/role", "user")),
    ],
)
def reply_field_wrong_type(view: View) -> Iterator[Hit]:
    """The message must have an id, type, role, model, content, stop reason, stop sequence and usage.

    SDKs build a typed object from it; a missing field fails where it is used, far from the cause.
    """
    found = message_of(view)
    if found is None:
        return
    message, at = found
    for hit in misshapen(message, _MESSAGE, at):
        yield Hit(hit.pointer or None, hit.message, hit.expected, hit.actual)
    for key, word in (("type", "message"), ("role", "assistant")):
        if isinstance(message.get(key), str) and message[key] != word:
            yield Hit(join(at, key), f"{key} is not {word}", word, brief(message[key]))


@rule(
    "messages-stop-reason-unknown",
    scope="reply",
    basis="sdk-type",
    cites=["ANT-R-002 anthropic 2.11 types/stop_reason.py", "ANT-R-003 recorded traffic 108/108"],
    conforming=[example(_CALL), example(_STREAM), example("anthropic-messages/pause-run")],
    violating=[
        example(_CALL, put(f"{_BODY}/stop_reason", None)),
        example(_CALL, put(f"{_BODY}/stop_reason", "tool_calls")),
        example(_ANSWER, put(f"{_BODY}/stop_reason", "done")),
        example(_CALL, put(f"{_BODY}/stop_reason", "done")),
        example(_STREAM, put(f"{_DELTA}/delta/stop_reason", "stop")),
    ],
)
def stop_reason_unknown(view: View) -> Iterator[Hit]:
    """The stop reason must be one of the dialect's values, and not null in a complete reply.

    Clients decide by it whether to run tools; a value of another dialect ends the run.
    """
    for turn in view.replies:
        reason = turn.stop_wire
        known = ", ".join(STOPS)
        if reason is None:
            body = view.response if view.events is None else None
            if isinstance(body, dict) and "stop_reason" in body:
                yield Hit("/stop_reason", "the stop reason of a complete reply is null", known, "null")
        elif isinstance(reason, str) and reason not in STOPS:
            # A new word is nothing to fail on, but where calls have to be run it is the wrong one.
            severity = None if reason in _FOREIGN_STOPS or turn.calls else Severity.WARNING
            yield Hit(turn.stop_pointer, f"{reason} is not a known stop reason", known, reason, severity=severity)
        elif view.events is not None and not isinstance(reason, str):
            yield Hit(turn.stop_pointer, "the stop reason is not a string", known, brief(reason))


@rule(
    "messages-stop-sequence-mismatch",
    scope="reply",
    basis="sdk-type",
    cites=["ANT-R-009 anthropic 2.11 types/message.py", "ANT-R-009 recorded traffic 383/383"],
    conforming=[example("anthropic-messages/stop-sequence"), example(_ANSWER), example(_STREAM)],
    violating=[
        example(_ANSWER, put(f"{_BODY}/stop_sequence", "Busan")),
        example(_ANSWER, put(f"{_BODY}/stop_reason", "stop_sequence"), at="0 response /stop_sequence"),
        example("anthropic-messages/stop-sequence", put(f"{_BODY}/stop_sequence", "Seoul")),
        example(_STREAM, put(f"{_DELTA}/delta/stop_sequence", "Busan")),
    ],
)
def stop_sequence_mismatch(view: View) -> Iterator[Hit]:
    """The stop sequence must be present exactly when the reply stopped at one, and must be a requested one.

    Parsers that cut the reply at it find nothing, or the wrong place.
    """
    asked = view.request.get("stop_sequences") if isinstance(view.request, dict) else None
    for ending, at in endings(view):
        reason, sequence = ending.get("stop_reason"), ending.get("stop_sequence")
        where = join(at, "stop_sequence") if "stop_sequence" in ending else at
        if reason == "stop_sequence" and sequence is None:
            yield Hit(where, "the reply stopped at a stop sequence, but stop_sequence is null", "a string", "null")
        elif sequence is not None and reason != "stop_sequence":
            yield Hit(where, "stop_sequence is set, but the stop reason is not stop_sequence", "null", brief(sequence))
        elif isinstance(asked, list) and sequence is not None and sequence not in asked:
            yield Hit(where, "stop_sequence is not one that the request asked for", brief(asked), brief(sequence))


@rule(
    "messages-usage-malformed",
    severity=Severity.WARNING,
    scope="reply",
    basis="sdk-type",
    cites=["ANT-R-010 anthropic 2.11 types/usage.py", "ANT-S-009 anthropic 2.11 types/message_delta_usage.py"],
    violating=[
        example(_CALL, drop(f"{_BODY}/usage/output_tokens")),
        example(_CALL, put(f"{_BODY}/usage/input_tokens", "421")),
        example(_CALL, put(f"{_BODY}/usage/input_tokens", -1)),
        example(_CALL, put(f"{_BODY}/usage/total_tokens", 517)),
        example(_STREAM, drop(f"{_START}/usage/input_tokens")),
        example(_STREAM, put(f"{_DELTA}/usage/output_tokens", None)),
    ],
)
def usage_malformed(view: View) -> Iterator[Hit]:
    """Usage must count input and output tokens as integers, without a total.

    Billing adds up cached and fresh tokens itself; a total added by a gateway counts tokens twice.
    """
    cached = "?integer|null"
    shape = {
        "output_tokens": "integer",
        "cache_creation_input_tokens": cached,
        "cache_read_input_tokens": cached,
        "cache_creation": "?object|null",
        "server_tool_use": "?object|null",
        "service_tier": "?string|null",
    }
    found = message_of(view)
    if found is not None and isinstance(found[0].get("usage"), dict):
        yield from _usage(found[0]["usage"], {"input_tokens": "integer", **shape}, join(found[1], "usage"))
    for wire, data, event in typed(view.events or ()):
        if wire == "message_delta" and isinstance(data.get("usage"), dict) and "output_tokens" in data["usage"]:
            yield from _usage(data["usage"], {"input_tokens": cached, **shape}, join(event.pointer, "usage"))


def _usage(usage: dict[str, Any], shape: Shape, at: str) -> Iterator[Hit]:
    yield from misshapen(usage, shape, at)
    for key in shape:
        value = usage.get(key)
        if isinstance(value, (int, float)) and value < 0:
            yield Hit(join(at, key), f"{key} is negative", "a count", brief(value))
    for key in ("total_tokens", "prompt_tokens", "completion_tokens"):
        if key in usage:
            yield Hit(join(at, key), f"{key} is not a member of usage", "input_tokens and output_tokens", key)
