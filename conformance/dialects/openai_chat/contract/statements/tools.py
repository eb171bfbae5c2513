"""Statements and examples of the contract's rules about tools in a Chat request: declared, chosen, answered."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL = "openai-chat/call"
_BODY = "/0/request/body"
_TOOL = f"{_BODY}/tools/0"
_CONTENT = f"{_BODY}/messages/2/content"
_PICTURE = {"type": "image_url", "image_url": {"url": "https://example.com/map.png"}}
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_MOST_TOOLS = 128

STATEMENTS: Mapping[str, Statement] = {
    "chat-tool-choice-unknown": Statement(
        "The tool choice must be none, auto, required, a named function or custom tool, or a set of allowed tools.",
        "The server refuses other forms. The usual cause is the form of another provider.",
        cites=(f"OAC-Q-010 {_SCHEMAS}/ChatCompletionToolChoiceOption", "LCB-Q-003 requests of langchain-openai 1.7.3"),
        violating=(
            example(_CALL, put(f"{_BODY}/tool_choice", "any")),
            example(_CALL, put(f"{_BODY}/tool_choice", {"type": "function", "name": "get_weather"})),
        ),
        conforming=(
            example(_CALL, put(f"{_BODY}/tool_choice", "auto")),
            example(
                _CALL,
                put(
                    f"{_BODY}/tool_choice",
                    {
                        "type": "allowed_tools",
                        "allowed_tools": {
                            "mode": "required",
                            "tools": [{"type": "function", "function": {"name": "get_weather"}}],
                        },
                    },
                ),
            ),
        ),
    ),
    "chat-tool-content-unsupported": Statement(
        "The content parts of a tool message must be text.",
        "The server refuses images and files there; send those that a tool returns has to be put into a "
        "message of the user.",
        cites=("OAC-Q-019 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionRequestToolMessage",),
        violating=(
            example("openai-chat/answer", put(_CONTENT, [_PICTURE]), at="0 request /messages/2/content/0/type"),
            example(
                "openai-chat/answer",
                put(_CONTENT, [{"type": "text", "text": "14.2"}]),
                insert(f"{_CONTENT}/1", {"type": "input_text", "text": "°C"}),
                at="0 request /messages/2/content/1/type",
            ),
        ),
        conforming=(
            example("openai-chat/answer"),
            example(
                "openai-chat/answer", put(_CONTENT, [{"type": "text", "text": "14.2"}, {"type": "text", "text": "°C"}])
            ),
            example("openai-chat/answer", put("/0/request/body/messages/0/content", [_PICTURE])),
        ),
    ),
    "chat-tool-fields-misplaced": Statement(
        "Every tool must have a `type`, and its name and parameters in the object that the type names.",
        "The flat form belongs to the Responses API; Chat refuses it, or reads a tool without a name.",
        cites=(f"OAC-Q-003 {_SCHEMAS}/ChatCompletionTool",),
        violating=(
            example(_CALL, put(_TOOL, {"type": "function", "name": "get_weather"})),
            example(_CALL, drop(f"{_TOOL}/type")),
            example(_CALL, drop(f"{_TOOL}/function/name")),
            example(_CALL, put(f"{_TOOL}/type", "tool")),
        ),
    ),
    "chat-tool-name-invalid": Statement(
        "A tool's name must have 1 to 64 characters: letters, digits, underscores or hyphens.",
        "The server refuses the request. Names with dots often come from clients that use module paths as tool names.",
        cites=(
            "OAC-Q-004 openai 2.54 types/shared_params/function_definition.py",
            "MAP-001 openai 2.54 types/shared_params/function_definition.py",
        ),
        basis="sdk-type",
        bugs=("nanbingxyz/5ire#33",),
        violating=(
            example(_CALL, put(f"{_TOOL}/function/name", "get.weather")),
            example(_CALL, put(f"{_TOOL}/function/name", "w" * 65)),
        ),
    ),
    "chat-tool-option-orphaned": Statement(
        "`tool_choice` and `parallel_tool_calls` must be sent only together with tools.",
        "The server refuses the request. The usual cause is that the client left the tools out.",
        cites=("OAC-Q-026 openai/swarm#30",),
        basis="observed",
        violating=(
            example("openai-chat/answer", drop(f"{_BODY}/tools"), put(f"{_BODY}/parallel_tool_calls", False)),
            example("openai-chat/answer", drop(f"{_BODY}/tools"), put(f"{_BODY}/tool_choice", "auto")),
        ),
        conforming=(example(_CALL, put(f"{_BODY}/parallel_tool_calls", True)),),
    ),
    "chat-tool-parameters-wrong-type": Statement(
        "A tool's parameters, if present, must be a JSON Schema of type object.",
        "The server refuses a schema that is a string, or whose root is not an object.",
        cites=(f"OAC-Q-005 {_SCHEMAS}/FunctionParameters", f"MAP-003 {_SCHEMAS}/FunctionParameters"),
        bugs=("openai/openai-agents-python#449",),
        violating=(
            example(_CALL, put(f"{_TOOL}/function/parameters", "{}")),
            example(_CALL, put(f"{_TOOL}/function/parameters/type", "string")),
            example(
                _CALL,
                drop(f"{_TOOL}/function/parameters/type"),
                at="0 request /tools/0/function/parameters/properties",
            ),
        ),
        conforming=(example(_CALL), example(_CALL, drop(f"{_TOOL}/function/parameters"))),
    ),
    "chat-tools-empty": Statement(
        "A request without tools should leave `tools` out.",
        "Some servers refuse the empty array.",
        cites=("OAC-Q-007 runebookai/tome#87",),
        basis="observed",
        violating=(example("openai-chat/answer", put(f"{_BODY}/tools", [])),),
    ),
    "chat-tools-too-many": Statement(
        "A request must declare at most 128 tools.",
        "The server refuses more with `array_above_max_length`.",
        cites=("OAC-Q-006 vishalmysore/Tools4AI#16",),
        basis="observed",
        violating=(
            example(
                _CALL,
                put(
                    f"{_BODY}/tools",
                    [
                        {"type": "function", "function": {"name": "get_weather" if not number else f"tool_{number}"}}
                        for number in range(_MOST_TOOLS + 1)
                    ],
                ),
            ),
        ),
    ),
}
