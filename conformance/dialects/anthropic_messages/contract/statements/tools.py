"""Statements and examples of the contract's rules about the tools of a request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL = "anthropic-messages/call"
_TOOL = "/0/request/body/tools/0"

STATEMENTS: Mapping[str, Statement] = {
    "messages-tool-malformed": Statement(
        "Every client tool must have a name and an `input_schema` whose root is an object.",
        "The server refuses the request. The usual cause is the form of another dialect (`parameters`, `function`).",
        cites=("ANT-Q-004 anthropic 2.11 types/tool_param.py", "MAP-003 anthropic 2.11 types/tool_param.py"),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_TOOL}/input_schema")),
            example(_CALL, put(f"{_TOOL}/parameters", {})),
            example(_CALL, drop(f"{_TOOL}/input_schema/type")),
            example(_CALL, put(f"{_TOOL}/input_schema/type", "array")),
            example(_CALL, put(f"{_TOOL}/type", "function")),
            example(_CALL, put(_TOOL, "get_weather")),
        ),
        conforming=(example(_CALL), example("anthropic-messages/pause-run")),
    ),
    "messages-tool-name-invalid": Statement(
        "The name of a tool must have 1 to 128 characters: letters, digits, underscores or hyphens.",
        "The server refuses the whole request for one name; names from MCP servers may contain dots.",
        cites=(
            "ANT-Q-005 home-assistant/core#147760",
            "ANT-Q-005 anthropics/claude-code#96152",
            "MAP-001 home-assistant/core#147760",
        ),
        basis="observed",
        bugs=("home-assistant/core#147760",),
        violating=(
            example(_CALL, put(f"{_TOOL}/name", "weather.get")),
            example(_CALL, put(f"{_TOOL}/name", "")),
            example("anthropic-messages/answer", put("/0/request/body/messages/1/content/1/name", "weather.get")),
        ),
        conforming=(example(_CALL), example(_CALL, put(f"{_TOOL}/name", "Get-weather_2"))),
    ),
    "messages-tool-schema-union-unsupported": Statement(
        "The root of an `input_schema` must not have oneOf, anyOf or allOf.",
        "The server refuses the whole request, even if the model never calls the tool.",
        cites=("ANT-Q-006 anthropics/claude-code#5319", "ANT-Q-006 anomalyco/opencode#35516"),
        basis="observed",
        bugs=("anthropics/claude-code#5319", "anthropics/claude-code#40075"),
        violating=(example(_CALL, put(f"{_TOOL}/input_schema/anyOf", [{"required": ["latitude"]}])),),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_TOOL}/input_schema/properties/place", {"anyOf": [{"type": "string"}]})),
        ),
    ),
    "messages-server-tool-name-missing": Statement(
        "A server tool must have the name that belongs to its type.",
        "The server refuses it; only a toolset has no name.",
        cites=("ANT-Q-004 anthropic 2.11 types/tool_union_param.py",),
        basis="sdk-type",
        violating=(
            example("anthropic-messages/stream-server-tool", drop(f"{_TOOL}/name")),
            example("anthropic-messages/stream-server-tool", put(f"{_TOOL}/name", "search")),
        ),
        conforming=(example("anthropic-messages/pause-run"),),
    ),
}
