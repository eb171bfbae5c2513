"""Sources and examples of Chat Completions for the neutral rules about declared tools."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather of the week.",
        "parameters": {"type": "object", "properties": {}},
    },
}
_FUNCTION = "/0/request/body/tools/0/function"
_PARAMETERS = f"{_FUNCTION}/parameters"

_OPENAI = put("/0/request/url", "https://api.openai.com/v1/chat/completions")
_XAI = put("/0/request/url", "https://api.x.ai/v1/chat/completions")
_REFUSED = (
    put("/0/response/status", 400),
    put("/0/response/body", {"error": {"message": "Invalid schema", "type": "invalid_request_error"}}),
)

EVIDENCE = {
    "tool-keyword-ignored": evidence(
        "OAC-Q-005 docs.x.ai/developers/model-capabilities/text/structured-outputs",
        basis="documented",
        violating=[
            example(
                "openai-chat/call",
                _XAI,
                put(f"{_PARAMETERS}/properties/latitude", {"oneOf": [{"type": "number"}, {"type": "integer"}]}),
                at="0 request /tools/0/function/parameters/properties/latitude/oneOf",
            )
        ],
        conforming=[example("openai-chat/call", _XAI)],
    ),
    "tool-keyword-unsupported": evidence(
        "OAC-Q-005 langchain-ai/langchainjs#9804",
        violating=[
            example(
                "openai-chat/call",
                _OPENAI,
                *_REFUSED,
                put(f"{_PARAMETERS}/anyOf", [{"required": ["latitude"]}]),
            )
        ],
        conforming=[example("openai-chat/call", _OPENAI)],
        bugs=["langchain-ai/langchainjs#9804", "nspady/google-calendar-mcp#39"],
    ),
    "tool-array-items-missing": evidence(
        "OAC-Q-005 mark3labs/mcphost#35",
        violating=[example("openai-chat/call", put(f"{_PARAMETERS}/properties/days", {"type": "array"}))],
        conforming=[
            example("openai-chat/call", put(f"{_PARAMETERS}/properties/days", {"type": "array", "items": {}})),
            example("openai-chat/call", put(f"{_PARAMETERS}/properties/type", {"enum": [{"type": "array"}]})),
        ],
        bugs=["mark3labs/mcphost#35", "sigoden/aichat#1049", "codexu/note-gen#1227"],
    ),
    "tool-name-duplicate": evidence(
        "OAC-Q-008 unverified: no source states it, no recording breaks it",
        violating=[example("openai-chat/call", insert("/0/request/body/tools/1", _TOOL), at="0 request /tools/1")],
    ),
    "tool-schema-invalid": evidence(
        "OAC-Q-005 openai/openai-openapi openapi.json#/components/schemas/FunctionParameters",
        basis="schema",
        violating=[
            example(
                "openai-chat/call",
                put("/0/request/body/tools/0/function/parameters/properties/latitude/type", "strng"),
                at="0 request /tools/0",
            ),
            example(
                "openai-chat/call",
                put("/0/request/body/tools/0/function/parameters/required", "latitude"),
                at="0 request /tools/0",
            ),
        ],
    ),
    "tool-required-property-undeclared": evidence(
        "OAC-Q-005 openai/openai-openapi openapi.json#/components/schemas/FunctionParameters",
        basis="schema",
        violating=[
            example(
                "openai-chat/call",
                drop("/0/request/body/tools/0/function/parameters/properties/longitude"),
                at="0 request /tools/0",
            )
        ],
    ),
    "tool-definition-changed": evidence(
        "OAC-C-006 unverified: no source states it",
        violating=[
            example(
                "openai-chat/run",
                put("/1/request/body/tools/0/function/parameters/properties/latitude", {"type": "string"}),
                at="1 request /tools/0",
            )
        ],
    ),
    "tools-dropped": evidence(
        "OAC-C-006 unverified: no source states it",
        violating=[example("openai-chat/run", drop("/1/request/body/tools"), at="1 request")],
    ),
    "tool-description-missing": evidence(
        violating=[
            example(
                "openai-chat/call",
                drop("/0/request/body/tools/0/function/description"),
                at="0 request /tools/0",
            )
        ],
        conforming=[example("openai-chat/call", drop("/0/request/body/tools"))],
    ),
    "tool-object-properties-missing": evidence(
        "OAC-Q-005 openai/openai-agents-python#449",
        violating=[example("openai-chat/call", put(_PARAMETERS, {"type": "object"}), at="0 request /tools/0")],
        conforming=[
            example("openai-chat/call", drop(_PARAMETERS)),
            example("openai-chat/call", put(_PARAMETERS, {"type": "object", "properties": {}})),
        ],
        bugs=[
            "openai/openai-agents-python#449",
            "openai/openai-agents-python#454",
            "openai/codex#1150",
            "kubernetes-mcp-server#717",
        ],
    ),
    "tool-schema-empty": evidence(
        "OAC-Q-005 rossoctl/examples#856",
        violating=[example("openai-chat/call", put(_PARAMETERS, {}), at="0 request /tools/0")],
        conforming=[example("openai-chat/call", drop(_PARAMETERS))],
    ),
    "tool-mcp-field-leaked": evidence(
        violating=[
            example(
                "openai-chat/call",
                put(f"{_FUNCTION}/annotations", {"readOnlyHint": True}),
                at="0 request /tools/0/function/annotations",
            )
        ]
    ),
}
