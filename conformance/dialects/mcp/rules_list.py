"""Lists of tools: the names and schemas of the tools."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.lists import listed, tools_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.profiles.tool_schema import is_valid_schema


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
