"""Tools without arguments, as MCP servers declare them, in the dialects that want the empty object spelled out."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_CHAT = "/0/request/body/tools/0/function/parameters"


@rule(
    "tool-object-properties-missing",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    dialects=("openai-chat", "openai-responses"),
    cites=["OAC-Q-005 openai/openai-agents-python#449", "OAR-Q-001 openai/codex#1150"],
    bugs=[
        "openai/openai-agents-python#449",
        "openai/openai-agents-python#454",
        "openai/codex#1150",
        "kubernetes-mcp-server#717",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", drop(_CHAT)),
        example("openai-chat/call", put(_CHAT, {"type": "object", "properties": {}})),
        example("openai-responses/call"),
    ],
    violating=[
        example("openai-chat/call", put(_CHAT, {"type": "object"}), at="0 request /tools/0"),
        example(
            "openai-responses/call",
            put("/0/request/body/tools/0/parameters", {"type": "object", "additionalProperties": False}),
            at="0 request /tools/0",
        ),
    ],
)
def tool_object_properties_missing(view: View) -> Iterator[Hit]:
    """A tool's object schema has the key `properties`, empty where the tool takes no arguments.

    MCP allows a bare `{"type": "object"}`; passed on as it is, the provider refuses the whole request:
    "object schema missing properties".
    """
    for tool in view.ask.tools or ():
        schema = tool.parameters
        if isinstance(schema, dict) and schema.get("type") == "object" and "properties" not in schema:
            yield Hit(tool.pointer, f"the schema of {tool.name} has no properties", '"properties": {}', "no such key")
