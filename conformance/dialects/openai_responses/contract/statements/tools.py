"""Statements and examples of the contract's rules about the tools and the tool choice of a request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL = "openai-responses/call"
_CHOICE = "/0/request/body/tool_choice"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"
_TOOL = "/0/request/body/tools/0"

STATEMENTS: Mapping[str, Statement] = {
    "responses-tool-fields-misplaced": Statement(
        "A function tool must have its name and parameters at the top level, not under `function`.",
        "The server refuses Chat's nested form, or, with a top-level name, reads a tool without parameters.",
        cites=(f"OAR-Q-001 {_SPEC}/FunctionToolParam",),
        basis="schema",
        violating=(
            example(
                _CALL,
                put(_TOOL, {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}),
                at="0 request /tools/0/function",
            ),
        ),
    ),
    "responses-tool-malformed": Statement(
        "Every tool must have a type, and a function tool a name and a schema object.",
        "The server refuses the request with a 400 that names the tool.",
        cites=(f"OAR-Q-001 {_SPEC}/FunctionToolParam",),
        basis="schema",
        violating=(
            example(_CALL, drop(f"{_TOOL}/name")),
            example(_CALL, put(f"{_TOOL}/parameters", '{"type":"object"}')),
            example(_CALL, drop(f"{_TOOL}/type")),
            example(_CALL, put(f"{_TOOL}/type", "tool")),
        ),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_TOOL}/parameters", None), put(f"{_TOOL}/strict", False)),
            example(_CALL, put("/0/request/body/tools/0", {"type": "web_search"})),
        ),
    ),
    "responses-tool-name-invalid": Statement(
        "A tool's name must have 1 to 128 characters: letters, digits, underscores or hyphens.",
        "Names from MCP servers can contain dots and slashes, and the server refuses the whole request.",
        cites=(
            f"OAR-Q-002 {_SPEC}/FunctionToolParam",
            f"MAP-001 {_SPEC}/FunctionToolParam",
        ),
        basis="documented",
        violating=(
            example(_CALL, put(f"{_TOOL}/name", "weather.get")),
            example(_CALL, put(f"{_TOOL}/name", "")),
        ),
    ),
    "responses-strict-missing": Statement(
        "A function tool should have `strict`.",
        "Without it strict mode is off in Chat, but here the server tries it and rewrites the schema where it can.",
        cites=(f"OAR-Q-004 {_SPEC}/FunctionToolParam",),
        basis="documented",
        violating=(example(_CALL, drop(f"{_TOOL}/strict")),),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_TOOL}/strict", False)),
        ),
    ),
    "responses-tool-choice-invalid": Statement(
        "`tool_choice` must be none, auto, required, or a flat object with a type and the tool's name.",
        "Chat's nested object lacks the name where the server expects it, and gets a 400.",
        cites=(
            f"OAR-Q-005 {_SPEC}/ToolChoiceFunction",
            "LCB-Q-003 requests of langchain-openai 1.7.3",
        ),
        basis="schema",
        violating=(
            example(_CALL, put(_CHOICE, {"type": "function", "function": {"name": "get_weather"}})),
            example(_CALL, put(_CHOICE, "any")),
            example(_CALL, put(_CHOICE, {"name": "get_weather"})),
        ),
        conforming=(
            example(_CALL, put(_CHOICE, {"type": "function", "name": "get_weather"})),
            example(_CALL, put(_CHOICE, "required")),
        ),
    ),
}
