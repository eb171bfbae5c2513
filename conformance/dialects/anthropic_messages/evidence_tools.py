"""Sources and examples of Messages for the neutral rules about declared tools."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put
from conformance.model.finding import Severity

_ANTHROPIC = put("/0/request/url", "https://api.anthropic.com/v1/messages")
_FAILED = (
    put("/0/response/status", 400),
    put(
        "/0/response/body",
        {"type": "error", "error": {"type": "invalid_request_error", "message": "Invalid input_schema"}},
    ),
)
_SCHEMA = "/0/request/body/tools/0/input_schema"

EVIDENCE = {
    "tool-size-out-of-range": evidence(
        "ANT-Q-004 anthropics/claude-code#79418",
        violating=[
            example(
                "anthropic-messages/call",
                _ANTHROPIC,
                *_FAILED,
                put(f"{_SCHEMA}/properties/filter[id]", {"type": "string"}),
            )
        ],
        conforming=[
            example("anthropic-messages/call", _ANTHROPIC, put(f"{_SCHEMA}/properties/filter.id", {"type": "string"}))
        ],
        bugs=["anthropics/claude-code#79418", "ComposioHQ/composio#3500"],
    ),
    "tool-array-items-missing": evidence(
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/request/body/tools/0/input_schema/properties/days", {"type": ["array", "null"]}),
            )
        ],
        severity=Severity.WARNING,
    ),
    "tool-name-duplicate": evidence(
        "ANT-Q-020 danny-avila/LibreChat#13162",
        "ANT-Q-007 danny-avila/LibreChat#13162",
        violating=[
            example(
                "anthropic-messages/call",
                insert(
                    "/0/request/body/tools/1",
                    {
                        "name": "get_weather",
                        "description": "Weather of the week.",
                        "input_schema": {"type": "object"},
                    },
                ),
                at="0 request /tools/1",
            )
        ],
        bugs=["danny-avila/LibreChat#13162"],
        severity=Severity.ERROR,
    ),
    "tool-schema-invalid": evidence(
        "ANT-Q-004 anthropics/claude-code#586",
        basis="observed",
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/request/body/tools/0/input_schema/required", "latitude"),
                at="0 request /tools/0",
            )
        ],
        severity=Severity.ERROR,
    ),
    "tool-required-property-undeclared": evidence(
        "ANT-Q-004 anthropic 2.11 types/tool_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/call",
                drop("/0/request/body/tools/0/input_schema/properties/longitude"),
                at="0 request /tools/0",
            )
        ],
    ),
    "tools-dropped": evidence(
        "ANT-Q-017 recorded traffic 114/114",
        violating=[example("anthropic-messages/run", drop("/1/request/body/tools"), at="1 request")],
        bugs=["vercel/ai#7537", "agentgateway#2192"],
    ),
    "tool-description-missing": evidence(
        violating=[
            example("anthropic-messages/call", drop("/0/request/body/tools/0/description"), at="0 request /tools/0")
        ]
    ),
    "tool-mcp-field-leaked": evidence(
        "MAP-014 anthropics/claude-code#31033",
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/request/body/tools/0/inputSchema", {"type": "object"}),
                at="0 request /tools/0/inputSchema",
            )
        ],
    ),
}
