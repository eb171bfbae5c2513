"""Statements and examples of the contract's rules about replies."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "anthropic-messages/call", "anthropic-messages/answer"
_STREAM = "anthropic-messages/stream-call"
_BODY, _START = "/0/response/body", "/0/response/events/0/data/message"
_DELTA = "/0/response/events/16/data"

STATEMENTS: Mapping[str, Statement] = {
    "messages-nullable-field-missing": Statement(
        "Fields that the API sends in every reply must be present; they may be null.",
        "A gateway dropped them, or the server is older than the client.",
        cites=("ANT-R-001 anthropic 2.11 types/message.py",),
        basis="observed",
        violating=(
            example(
                _CALL,
                put("/0/request/url", "https://api.anthropic.com/v1/messages"),
                put("/0/response/headers/date", "Sun, 01 Mar 2026 10:00:00 GMT"),
                at="0 response /usage",
            ),
        ),
        conforming=(example(_CALL, put("/0/response/headers/date", "Sat, 01 Jun 2024 10:00:00 GMT")),),
    ),
    "messages-reply-text-empty": Statement(
        "A reply must not have an empty text block.",
        "The server refuses the block when the client sends it back.",
        cites=("ANT-R-012 BerriAI/litellm#34692",),
        basis="observed",
    ),
    "messages-reply-field-wrong-type": Statement(
        "The message must have id, type, role, model, content, stop reason, stop sequence and usage.",
        "SDKs build a typed object from it; a missing field fails later, far from the cause.",
        cites=("ANT-R-001 anthropic 2.11 types/message.py", "ANT-S-003 recorded traffic 117/117"),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_BODY}/usage")),
            example(_CALL, put(f"{_BODY}/type", "chat.completion")),
            example(_CALL, put(f"{_BODY}/role", "model")),
            example(_CALL, drop(f"{_BODY}/stop_sequence")),
            example(_CALL, put(f"{_BODY}/content", "14.2 °C")),
            example(_STREAM, drop(f"{_START}/id")),
            example(_STREAM, put(f"{_START}/role", "user")),
        ),
        conforming=(example(_CALL), example(_STREAM), example("anthropic-messages/bedrock")),
    ),
    "messages-stop-reason-unknown": Statement(
        "The stop reason must be one of the dialect's own values, and not null in a complete reply.",
        "Clients decide by it whether to run tools; another dialect's value ends the run.",
        cites=("ANT-R-002 anthropic 2.11 types/stop_reason.py", "ANT-R-003 recorded traffic 108/108"),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_BODY}/stop_reason", None)),
            example(_CALL, put(f"{_BODY}/stop_reason", "tool_calls")),
            example(_ANSWER, put(f"{_BODY}/stop_reason", "done")),
            example(_CALL, put(f"{_BODY}/stop_reason", "done")),
            example(_STREAM, put(f"{_DELTA}/delta/stop_reason", "stop")),
        ),
        conforming=(example(_CALL), example(_STREAM), example("anthropic-messages/pause-run")),
    ),
    "messages-usage-malformed": Statement(
        "Usage must count input and output tokens in whole numbers, without a total.",
        "Clients add cached and new tokens up themselves; a gateway's own total counts some of them twice.",
        cites=("ANT-R-010 anthropic 2.11 types/usage.py", "ANT-S-009 anthropic 2.11 types/message_delta_usage.py"),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_BODY}/usage/output_tokens")),
            example(_CALL, put(f"{_BODY}/usage/input_tokens", "421")),
            example(_CALL, put(f"{_BODY}/usage/input_tokens", -1)),
            example(_CALL, put(f"{_BODY}/usage/total_tokens", 517)),
            example(_STREAM, drop(f"{_START}/usage/input_tokens")),
            example(_STREAM, put(f"{_DELTA}/usage/output_tokens", None)),
        ),
    ),
}
