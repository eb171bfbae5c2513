"""Lists of tools: the names and schemas of the tools."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.lists import listed, tools_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.profiles.tool_schema import is_valid_schema


@rule(
    "mcp-tool-name-duplicate",
    scope="exchange",
    side="response",
    cites="MCP-A-019",
)
def mcp_tool_name_duplicate(view: View) -> Iterator[Hit]:
    """No two tools of a list may have the same name.

    It is undefined which of the two a call runs, and providers refuse such a list.
    """
    for _, response, result in listed(view):
        seen: set[str] = set()
        for number, tool in enumerate(tools_of(result)):
            name = tool.get("name") if isinstance(tool, dict) else None
            if not isinstance(name, str) or not name:
                continue
            if name in seen:
                at = ("result", "tools", number, "name")
                yield response.hit(f"duplicate tool name {name}", *at, expected="a unique name", actual=name)
            seen.add(name)


@rule(
    "mcp-tool-schema-invalid",
    scope="exchange",
    side="response",
    cites="MCP-A-020",
)
def mcp_tool_schema_invalid(view: View) -> Iterator[Hit]:
    """`inputSchema` and `outputSchema` must be valid under the JSON Schema dialect that they name, 2020-12 by default.

    Otherwise neither side can validate with them, and providers refuse the tool.
    """
    for _, response, result in listed(view):
        for number, tool in enumerate(tools_of(result)):
            for key in ("inputSchema", "outputSchema"):
                schema = tool.get(key) if isinstance(tool, dict) else None
                if isinstance(schema, dict) and not is_valid_schema(schema):
                    yield response.hit(
                        f"{key} is not a valid JSON Schema",
                        *("result", "tools", number, key),
                        expected="a valid JSON Schema",
                        actual=brief(schema),
                    )


@rule(
    "mcp-tool-required-property-undeclared",
    scope="exchange",
    side="response",
    cites="MCP-A-020",
    severity=Severity.WARNING,
    because="the schema is valid; no argument can be described by it",
)
def mcp_tool_required_property_undeclared(view: View) -> Iterator[Hit]:
    """The required parameters of `inputSchema` must be among its properties.

    The model cannot know the argument; with `additionalProperties: false` no call is valid.
    """
    for _, response, result in listed(view):
        for number, tool in enumerate(tools_of(result)):
            schema = tool.get("inputSchema") if isinstance(tool, dict) else None
            if not isinstance(schema, dict) or not isinstance(schema.get("required"), list):
                continue
            properties = schema.get("properties", {})
            if not isinstance(properties, dict) or schema.keys() & {"allOf", "anyOf", "oneOf", "$ref"}:
                continue
            missing = [name for name in schema["required"] if isinstance(name, str) and name not in properties]
            if missing:
                yield response.hit(
                    f"{', '.join(missing)} is required, but not declared",
                    *("result", "tools", number, "inputSchema", "required"),
                    expected="declared properties",
                    actual=", ".join(missing),
                )
