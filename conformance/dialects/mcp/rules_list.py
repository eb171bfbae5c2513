"""Lists of tools: what a tool has to say about itself, and pages that are all of one list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import Message, answered, sent
from conformance.dialects.mcp.session import session_of
from conformance.dialects.mcp.shape import Shape, misshapen
from conformance.example import drop, example, insert, put
from conformance.finding import Hit, Severity
from conformance.jsontext import brief, kind
from conformance.rule import rule
from conformance.schema import is_valid_schema
from conformance.view import View

_RESULT = "/3/response/body/result"
_TOOL = f"{_RESULT}/tools/0"
_AT = "3 response /result/tools/0"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_SHAPE: Shape = {
    "name": "string+",
    "inputSchema": "object",
    "title": "?string",
    "description": "?string",
    "outputSchema": "?object",
    "annotations": "?object",
    "icons": "?array",
    "_meta": "?object",
}


def _results(view: View) -> Iterator[tuple[Message, Message, dict[str, Any]]]:
    for request, response in answered(view, "tools/list"):
        if response is not None and response.result is not None:
            yield request, response, response.result


def _tools(result: dict[str, Any]) -> list[Any]:
    tools = result.get("tools")
    return tools if isinstance(tools, list) else []


@rule(
    "mcp-tool-shape",
    severity=Severity.ERROR,
    scope="exchange",
    basis="schema",
    dialects=["mcp"],
    cites=["MCP-A-018 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/Tool"],
    bugs=["openai/codex#1150"],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless"),
        example("mcp/session", put(f"{_TOOL}/inputSchema", {"type": "object"})),
    ],
    violating=[
        example("mcp/session", put(f"{_TOOL}/inputSchema", None), at=f"{_AT}/inputSchema"),
        example("mcp/session", drop(f"{_TOOL}/inputSchema"), at=_AT),
        example("mcp/session", put(f"{_TOOL}/inputSchema/type", "array"), at=f"{_AT}/inputSchema/type"),
        example("mcp/session", drop(f"{_TOOL}/inputSchema/type"), at=f"{_AT}/inputSchema"),
        example("mcp/session", drop(f"{_TOOL}/name"), at=_AT),
        example("mcp/session", put(f"{_TOOL}/description", ["x"]), at=f"{_AT}/description"),
        example("mcp/session", put(_TOOL, "clock.now"), at=_AT),
        example("mcp/session", put(f"{_RESULT}/tools", {}), at="3 response /result/tools"),
        example("mcp/session", drop(f"{_RESULT}/tools"), at="3 response /result"),
    ],
)
def mcp_tool_shape(view: View) -> Iterator[Hit]:
    """`tools` is an array; each tool has a `name` and an `inputSchema`, an object schema of type `object`.

    A client that validates the list drops the whole of it for one bad tool; one that does not hands the model
    a tool that its provider refuses.
    """
    for _, response, result in _results(view):
        if "tools" not in result or not isinstance(result["tools"], list):
            yield from misshapen(response, result, {"tools": "array"}, "result")
        for number, tool in enumerate(_tools(result)):
            at = ("result", "tools", number)
            if not isinstance(tool, dict):
                yield response.hit("a tool is no object", *at, expected="an object", actual=kind(tool))
                continue
            yield from misshapen(response, tool, _SHAPE, *at)
            schema = tool.get("inputSchema")
            if isinstance(schema, dict) and schema.get("type") != "object":
                tokens = ["type"] if "type" in schema else []
                found = brief(schema["type"]) if tokens else "no type"
                text = "the input is no object"
                yield response.hit(text, *at, "inputSchema", *tokens, expected='"object"', actual=found)


@rule(
    "mcp-tool-name",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-019 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put(f"{_TOOL}/name", "get time"), at=f"{_AT}/name"),
        example("mcp/session", put(f"{_TOOL}/name", "n" * 129), at=f"{_AT}/name"),
        example(
            "mcp/session",
            insert(f"{_RESULT}/tools/1", {"name": "clock.now", "inputSchema": {"type": "object"}}),
            at="3 response /result/tools/1/name",
        ),
    ],
)
def mcp_tool_name(view: View) -> Iterator[Hit]:
    """A tool's name has 1 to 128 letters, digits, `_`, `-` and `.`, and no other tool of the list has it.

    Providers refuse other characters; of two tools with one name, a call reaches one, and nobody says which.
    """
    for _, response, result in _results(view):
        seen: set[str] = set()
        for number, tool in enumerate(_tools(result)):
            name = tool.get("name") if isinstance(tool, dict) else None
            if not isinstance(name, str) or not name:
                continue
            at = ("result", "tools", number, "name")
            if not _NAME.fullmatch(name):
                wanted = "1 to 128 of A-Z a-z 0-9 _ - ."
                yield response.hit("clients may refuse this name", *at, expected=wanted, actual=brief(name))
            if name in seen:
                yield response.hit(f"a second tool is called {name}", *at, expected="a name of its own", actual=name)
            seen.add(name)


@rule(
    "mcp-tool-schema-invalid",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-020 modelcontextprotocol 2025-11-25/basic/index.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/session", put(f"{_TOOL}/inputSchema/$schema", "http://json-schema.org/draft-07/schema#")),
        example("mcp/session", put(f"{_TOOL}/inputSchema/x-note", {"type": "strng"})),
    ],
    violating=[
        example(
            "mcp/session",
            put(f"{_TOOL}/inputSchema/properties", {"zone": {"type": "strng"}}),
            at=f"{_AT}/inputSchema",
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
    """`inputSchema` and `outputSchema` are valid under the JSON Schema dialect that they name, 2020-12 by default.

    Neither side can validate against them, and providers refuse the tool.
    """
    for _, response, result in _results(view):
        for number, tool in enumerate(_tools(result)):
            for key in ("inputSchema", "outputSchema"):
                schema = tool.get(key) if isinstance(tool, dict) else None
                if isinstance(schema, dict) and not is_valid_schema(schema):
                    yield response.hit(
                        f"{key} is no valid JSON Schema",
                        *("result", "tools", number, key),
                        expected="a valid JSON Schema",
                        actual=brief(schema),
                    )


@rule(
    "mcp-tool-requires-undeclared-property",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-020 JSON Schema 2020-12 validation section 6.5.3"],
    conforming=[
        example("mcp/session"),
        example("mcp/session", put(f"{_TOOL}/inputSchema", {"type": "object", "required": []})),
    ],
    violating=[
        example("mcp/session", put(f"{_TOOL}/inputSchema/required", ["zone"]), at=f"{_AT}/inputSchema/required"),
        example(
            "mcp/session",
            drop("/2/response/events/0/data/result/tools/0/inputSchema/properties/latitude"),
            at="2 response event/0/result/tools/0/inputSchema/required",
        ),
    ],
)
def mcp_tool_requires_undeclared_property(view: View) -> Iterator[Hit]:
    """What `inputSchema` requires is among its properties.

    No model can know of the argument; with `additionalProperties: false` no call fits at all.
    """
    for _, response, result in _results(view):
        for number, tool in enumerate(_tools(result)):
            schema = tool.get("inputSchema") if isinstance(tool, dict) else None
            if not isinstance(schema, dict) or not isinstance(schema.get("required"), list):
                continue
            properties = schema.get("properties", {})
            if not isinstance(properties, dict) or schema.keys() & {"allOf", "anyOf", "oneOf", "$ref"}:
                continue
            missing = [name for name in schema["required"] if isinstance(name, str) and name not in properties]
            if missing:
                yield response.hit(
                    f"{', '.join(missing)} is required and not declared",
                    *("result", "tools", number, "inputSchema", "required"),
                    expected="declared properties",
                    actual=", ".join(missing),
                )


@rule(
    "mcp-cursor-type",
    severity=Severity.ERROR,
    scope="exchange",
    basis="schema",
    dialects=["mcp"],
    cites=["MCP-A-021 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/PaginatedResult"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put(f"{_RESULT}/nextCursor", None), at="3 response /result/nextCursor"),
        example("mcp/session", put(f"{_RESULT}/nextCursor", 2), at="3 response /result/nextCursor"),
    ],
)
def mcp_cursor_type(view: View) -> Iterator[Hit]:
    """`nextCursor` is a string, and absent on the last page.

    Clients that validate results drop the page; others send the value back, and never reach an end.
    """
    for request, response in answered(view):
        if (request.method or "").endswith("/list") and response is not None:
            yield from misshapen(response, response.result, {"nextCursor": "?string"}, "result")


@rule(
    "mcp-cursor-unknown",
    severity=Severity.ERROR,
    scope="conversation",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-021 modelcontextprotocol 2025-11-25/server/utilities/pagination.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put("/3/request/body/params/cursor", "page-3"), at="3 request /params/cursor"),
        example("mcp/stateless", put("/2/request/body/params/cursor", "0"), at="2 request /params/cursor"),
    ],
)
def mcp_cursor_unknown(view: View) -> Iterator[Hit]:
    """A cursor is one that the server gave, unchanged.

    Its form is the server's own: a client that makes one up skips tools, gets them twice, or is refused.
    """
    listing = session_of(view).listing
    if not listing.begun and not view.complete:
        return  # its first page may be in another recording
    for message in sent(view):
        cursor = message.params.get("cursor")
        if message.method == "tools/list" and isinstance(cursor, str) and cursor not in listing.cursors:
            wanted = brief(sorted(listing.cursors))
            text = "the server gave no such cursor"
            yield message.hit(text, "params", "cursor", expected=wanted, actual=brief(cursor))


@rule(
    "mcp-page-repeated",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-021 modelcontextprotocol 2025-11-25/server/utilities/pagination.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put(f"{_TOOL}/name", "get_weather"), at=f"{_AT}/name"),
        example("mcp/session", put(f"{_RESULT}/nextCursor", "page-2"), at="3 response /result/nextCursor"),
    ],
)
def mcp_page_repeated(view: View) -> Iterator[Hit]:
    """No tool is on two pages of one list, and no page leads back to one that was read.

    The model sees the tool twice, or the client turns the same pages for ever.
    """
    listing = session_of(view).listing
    for request, response, result in _results(view):
        cursor, following = request.params.get("cursor"), result.get("nextCursor")
        if not isinstance(cursor, str) or not listing.begun:
            continue
        for number, tool in enumerate(_tools(result)):
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and name in listing.tools and cursor not in listing.followed:
                at = ("result", "tools", number, "name")
                yield response.hit(f"{name} was on an earlier page", *at, expected="a tool once", actual=name)
        if isinstance(following, str) and following in {*listing.followed, cursor}:
            yield response.hit(
                "the page leads back to one that was read",
                *("result", "nextCursor"),
                expected="a cursor that leads on",
                actual=brief(following),
            )


@rule(
    "mcp-page-not-followed",
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    needs_complete=True,
    dialects=["mcp"],
    cites=["MCP-A-021 modelcontextprotocol 2026-07-28/server/utilities/pagination.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", drop("/3"), at="3 request"),
        example("mcp/stateless", drop("/2"), at="2 request"),
        example("mcp/session", drop("/3/request/body/params/cursor"), at="3 request"),
    ],
)
def mcp_page_not_followed(view: View) -> Iterator[Hit]:
    """A client reads a list of tools to its end before it goes on; an empty cursor is not the end.

    The tools on the pages that it left out do not exist for the model.
    """
    session = session_of(view)
    if session.listing.pending is None or session.warned or session.stale:
        return
    for message in sent(view):
        restarted = message.method == "tools/list" and "cursor" not in message.params
        if restarted or message.method == "tools/call":
            wanted = f"tools/list with the cursor {json.dumps(session.listing.pending)}"
            yield message.hit("the list of tools has a page that nobody read", expected=wanted, actual=message.method)


@rule(
    "mcp-tools-reordered",
    severity=Severity.INFO,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-021 modelcontextprotocol 2026-07-28/server/tools.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example(
            "mcp/stateless",
            put(
                "/2/request/body/params",
                {
                    "_meta": {
                        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {},
                    }
                },
            ),
            put(
                "/1/response/body/result",
                {
                    "resultType": "complete",
                    "ttlMs": 0,
                    "cacheScope": "private",
                    "tools": [
                        {"name": "a", "inputSchema": {"type": "object"}},
                        {"name": "b", "inputSchema": {"type": "object"}},
                    ],
                },
            ),
            put(
                "/2/response/body/result/tools",
                [{"name": "b", "inputSchema": {"type": "object"}}, {"name": "a", "inputSchema": {"type": "object"}}],
            ),
            at="2 response /result/tools",
        ),
    ],
)
def mcp_tools_reordered(view: View) -> Iterator[Hit]:
    """The same tools come in the same order each time they are listed.

    A model's provider caches the prompt up to its first change: tools in another order are paid for again.
    """
    listing = session_of(view).listing
    for _, response, result in _results(view):
        names = [tool.get("name") if isinstance(tool, dict) else None for tool in _tools(result)]
        known = list(listing.tools)
        if listing.whole and names != known and sorted(map(str, names)) == sorted(known):
            yield response.hit(
                "the tools come in another order", "result", "tools", expected=brief(known), actual=brief(names)
            )
