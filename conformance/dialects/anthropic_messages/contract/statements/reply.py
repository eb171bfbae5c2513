"""What the rules about replies stand for."""

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
        "Fields that the API sends in every reply are there, be it as null.",
        "A server in between has dropped them, or is older than the client.",
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
        "A reply has no text block without text.",
        "The server refuses the block when the client sends it back.",
        cites=("ANT-R-012 BerriAI/litellm#34692",),
        basis="observed",
    ),
    "messages-reply-field-wrong-type": Statement(
        "The message has its id, type, role, model, content, stop reason, stop sequence and usage.",
        "SDKs build a typed object of it; what is missing there fails where it is used, far from the cause.",
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
        "The stop reason is one of the dialect's own words, and not null once the answer is whole.",
        "Clients decide by it whether to run tools; a word of another dialect ends the run there.",
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
        "Usage counts input and output tokens in whole numbers, and gives no total.",
        "Billing adds up cached and fresh tokens by itself; a total of a gateway's own counts something twice.",
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
