"""The pages of a tool list: all of them read, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator

from conformance.dialects.mcp.lists import listed, tools_of
from conformance.dialects.mcp.messages import sent
from conformance.dialects.mcp.session import session_of
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_RESULT = "/3/response/body/result"
_TOOL = f"{_RESULT}/tools/0"


@rule(
    "mcp-cursor-unknown",
    scope="conversation",
    basis="documented",
    cites=["MCP-A-021 modelcontextprotocol 2025-11-25/server/utilities/pagination.mdx"],
    violating=[
        example("mcp/session", put("/3/request/body/params/cursor", "page-3")),
        example("mcp/stateless", put("/2/request/body/params/cursor", "0")),
    ],
)
def mcp_cursor_unknown(view: View) -> Iterator[Hit]:
    """A cursor must be one that the server sent, unchanged.

    Cursors are opaque: a client that invents one skips tools, gets them twice, or gets an error.
    """
    listing = session_of(view).listing
    if not listing.begun and not view.complete:
        return  # its first page may be in another recording
    for message in sent(view):
        cursor = message.params.get("cursor")
        if message.method == "tools/list" and isinstance(cursor, str) and cursor not in listing.cursors:
            wanted = brief(sorted(listing.cursors))
            text = "the server did not send this cursor"
            yield message.hit(text, "params", "cursor", expected=wanted, actual=brief(cursor))


@rule(
    "mcp-page-repeated",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-021 modelcontextprotocol 2025-11-25/server/utilities/pagination.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put(f"{_TOOL}/name", "get_weather")),
        example("mcp/session", put(f"{_RESULT}/nextCursor", "page-2")),
    ],
)
def mcp_page_repeated(view: View) -> Iterator[Hit]:
    """A tool must be on only one page of a list, and no cursor may lead back to an earlier page.

    The model sees the tool twice, or the client requests the same pages forever.
    """
    listing = session_of(view).listing
    for request, response, result in listed(view):
        cursor, following = request.params.get("cursor"), result.get("nextCursor")
        if not isinstance(cursor, str) or not listing.begun:
            continue
        for number, tool in enumerate(tools_of(result)):
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and name in listing.tools and cursor not in listing.followed:
                at = ("result", "tools", number, "name")
                yield response.hit(f"{name} was on an earlier page", *at, expected="each tool on one page", actual=name)
        if isinstance(following, str) and following in {*listing.followed, cursor}:
            yield response.hit(
                "the cursor leads back to an earlier page",
                *("result", "nextCursor"),
                expected="a new cursor, or no cursor",
                actual=brief(following),
            )


@rule(
    "mcp-page-ignored",
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    needs_complete=True,
    cites=["MCP-A-021 modelcontextprotocol 2026-07-28/server/utilities/pagination.mdx"],
    violating=[
        example("mcp/session", drop("/3"), at="3 request"),
        example("mcp/stateless", drop("/2"), at="2 request"),
        example("mcp/session", drop("/3/request/body/params/cursor"), at="3 request"),
    ],
)
def mcp_page_ignored(view: View) -> Iterator[Hit]:
    """A client must read all pages of the tool list before it continues; an empty cursor is not the end.

    The model does not get the tools on the remaining pages.
    """
    session = session_of(view)
    if session.listing.pending is None or session.warned or session.stale:
        return
    for message in sent(view):
        restarted = message.method == "tools/list" and "cursor" not in message.params
        if restarted or message.method == "tools/call":
            wanted = f"tools/list with the cursor {json.dumps(session.listing.pending)}"
            yield message.hit(
                "the client did not read all pages of the tool list", expected=wanted, actual=message.method
            )


@rule(
    "mcp-tools-order-changed",
    severity=Severity.INFO,
    scope="exchange",
    basis="documented",
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
        )
    ],
)
def mcp_tools_order_changed(view: View) -> Iterator[Hit]:
    """A server should list the same tools in the same order each time.

    Providers cache the prompt up to its first change: tools in a different order are billed at the full price again.
    """
    listing = session_of(view).listing
    for _, response, result in listed(view):
        names = [tool.get("name") if isinstance(tool, dict) else None for tool in tools_of(result)]
        known = list(listing.tools)
        if listing.whole and names != known and sorted(map(str, names)) == sorted(known):
            yield response.hit(
                "the order of the tools changed", "result", "tools", expected=brief(known), actual=brief(names)
            )
