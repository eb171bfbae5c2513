"""Lists of tools: the names and schemas of the tools."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.lists import listed, tools_of
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.tool_schema import is_valid_schema
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_RESULT = "/3/response/body/result"
_TOOL = f"{_RESULT}/tools/0"
_AT = "3 response /result/tools/0"


@rule(
    "mcp-tool-name-duplicate",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    cites=["MCP-A-019 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example(
            "mcp/session",
            insert(f"{_RESULT}/tools/1", {"name": "clock.now", "inputSchema": {"type": "object"}}),
            at="3 response /result/tools/1/name",
        ),
    ],
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
    basis="documented",
    cites=["MCP-A-020 modelcontextprotocol 2025-11-25/basic/index.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/session", put(f"{_TOOL}/inputSchema/$schema", "http://json-schema.org/draft-07/schema#")),
        example("mcp/session", put(f"{_TOOL}/inputSchema/x-note", {"type": "strng"})),
    ],
    violating=[
        example(
            "mcp/session", put(f"{_TOOL}/inputSchema/properties", {"zone": {"type": "strng"}}), at=f"{_AT}/inputSchema"
        ),
        example("mcp/session", put(f"{_TOOL}/inputSchema/required", "zone"), at=f"{_AT}/inputSchema"),
        example(
            "mcp/session",
            put("/2/response/events/0/data/result/tools/0/outputSchema/properties", []),
            at="2 response event/0/result/tools/0/outputSchema",
        ),
    ],
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
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    cites=["MCP-A-020 JSON Schema 2020-12 validation section 6.5.3"],
    conforming=[
        example("mcp/session"),
        example("mcp/session", put(f"{_TOOL}/inputSchema", {"type": "object", "required": []})),
    ],
    violating=[
        example("mcp/session", put(f"{_TOOL}/inputSchema/required", ["zone"])),
        example(
            "mcp/session",
            drop("/2/response/events/0/data/result/tools/0/inputSchema/properties/latitude"),
            at="2 response event/0/result/tools/0/inputSchema/required",
        ),
    ],
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
