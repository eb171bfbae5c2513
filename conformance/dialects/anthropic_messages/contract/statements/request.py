"""Statements and examples of the contract's rules about whole requests."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL = "anthropic-messages/call"
_BODY, _SENT = "/0/request/body", "/0/request/headers"


def _json_output(age: dict[str, object]) -> dict[str, object]:
    """The options of an output whose schema has one property."""
    schema = {"type": "object", "properties": {"age": age}, "required": ["age"], "additionalProperties": False}
    return {"format": {"type": "json_schema", "schema": schema}}


STATEMENTS: Mapping[str, Statement] = {
    "messages-output-schema-unsupported": Statement(
        "The schema of a structured output or strict tool must use only keywords that the server supports.",
        "The server refuses the request and names the keyword.",
        cites=("ANT-Q-027 platform.claude.com/docs/en/build-with-claude/structured-outputs",),
        basis="observed",
        violating=(
            example(
                _CALL,
                put(f"{_BODY}/output_config", _json_output({"type": "integer", "minimum": 0})),
                at="0 request /output_config/format/schema/properties/age/minimum",
            ),
        ),
        conforming=(example(_CALL, put(f"{_BODY}/output_config", _json_output({"type": "integer"}))),),
    ),
    "messages-request-length-out-of-range": Statement(
        "Strings in Messages requests must have a documented length.",
        "The provider refuses the request.",
        cites=("ANT-Q-001 anthropic 2.11 types/metadata_param.py",),
        violating=(example(_CALL, put(f"{_BODY}/metadata", {"user_id": "u" * 600}), at="0 request /metadata/user_id"),),
        conforming=(example(_CALL, put(f"{_BODY}/metadata", {"user_id": "u-17"})),),
    ),
    "messages-request-field-wrong-type": Statement(
        "A request must have `model`, `max_tokens` and `messages`, and every field must have its type.",
        "The server refuses it with a 400. Clients written for another dialect often leave `max_tokens` out.",
        cites=("ANT-Q-001 anthropic 2.11 types/message_create_params.py",),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_BODY}/max_tokens")),
            example(_CALL, put(f"{_BODY}/max_tokens", "1024")),
            example(_CALL, drop(f"{_BODY}/model")),
            example(_CALL, put(f"{_BODY}/messages", "How warm is it?")),
            example(_CALL, put(f"{_BODY}/messages", [])),
            example("anthropic-messages/bedrock", put(f"{_BODY}/anthropic_version", None)),
        ),
        conforming=(example(_CALL), example("anthropic-messages/bedrock"), example("anthropic-messages/system")),
    ),
    "messages-field-unsupported": Statement(
        "A request with version 2026-10-21 must not use what this version removed.",
        "SDKs send the new version by default, so code that still sets a temperature fails after an upgrade.",
        cites=("ANT-Q-003 platform.claude.com/docs/en/api/versioning",),
        basis="documented",
        violating=(
            example(_CALL, put(f"{_BODY}/temperature", 1.0)),
            example(
                "anthropic-messages/answer",
                put(
                    f"{_BODY}/messages/1/content/0",
                    {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
                ),
                at="0 request /messages/1/content/0/source",
            ),
        ),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_SENT}/anthropic-version", "2023-06-01"), put(f"{_BODY}/temperature", 1.0)),
        ),
    ),
    "messages-request-field-unknown": Statement(
        "The body must have only fields that Messages supports.",
        "The server refuses unknown fields; a gateway that drops them silently changes the request.",
        cites=(
            "ANT-Q-010 anthropic 2.11 types/message_create_params.py",
            "ANT-Q-010 anthropic 2.11 types/tool_choice_auto_param.py",
        ),
        basis="sdk-type",
        violating=(
            example(_CALL, put(f"{_BODY}/parallel_tool_calls", False)),
            example(_CALL, put(f"{_BODY}/tool_choices", {"type": "auto"})),
        ),
        conforming=(example(_CALL), example("anthropic-messages/named-serial"), example("anthropic-messages/vertex")),
    ),
}
