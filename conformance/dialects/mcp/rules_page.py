"""The pages of a tool list: all of them read, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator

from conformance.dialects.mcp.listing import LISTS
from conformance.dialects.mcp.lists import listed, tools_of
from conformance.dialects.mcp.messages import answered, sent
from conformance.dialects.mcp.session import session_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief


@rule(
    "mcp-page-repeated",
    scope="exchange",
    side="response",
    cites="MCP-A-021",
)
def mcp_page_repeated(view: View) -> Iterator[Hit]:
    """An entry must be on only one page of a list, and no cursor may lead back to an earlier page.

    The model sees a tool twice, or the client requests the same pages forever.
    """
    for request, response in answered(view):
        kind = LISTS.get(request.method or "")
        result, cursor = response.result if response is not None else None, request.params.get("cursor")
        if kind is None or response is None or result is None or not isinstance(cursor, str):
            continue
        listing = session_of(view).list_of(request.method or "")
        entries, following = result.get(kind.entries), result.get("nextCursor")
        for number, entry in enumerate(entries if listing.begun and isinstance(entries, list) else ()):
            name = entry.get(kind.name) if isinstance(entry, dict) else None
            if isinstance(name, str) and name in listing.entries and cursor not in listing.followed:
                at = ("result", kind.entries, number, kind.name)
                wanted = "each entry on one page"
                yield response.hit(f"{name} was on an earlier page", *at, expected=wanted, actual=name)
        if listing.begun and isinstance(following, str) and following in {*listing.followed, cursor}:
            yield response.hit(
                "the cursor leads back to an earlier page",
                *("result", "nextCursor"),
                expected="a new cursor, or no cursor",
                actual=brief(following),
            )


@rule(
    "mcp-page-ignored",
    scope="conversation",
    needs_complete=True,
    cites="MCP-A-021",
    severity=Severity.WARNING,
    because="a client that stops early breaks nothing; it hides tools from the model",
)
def mcp_page_ignored(view: View) -> Iterator[Hit]:
    """A client must read all pages of the tool list before it continues; an empty cursor is not the end.

    The model does not get the tools on the remaining pages.
    """
    listing = session_of(view).listing
    if listing.pending is None or listing.used or listing.stale:
        return
    for message in sent(view):
        restarted = message.method == "tools/list" and "cursor" not in message.params
        if restarted or message.method == "tools/call":
            wanted = f"tools/list with the cursor {json.dumps(listing.pending)}"
            yield message.hit(
                "the client did not read all pages of the tool list", expected=wanted, actual=message.method
            )


@rule(
    "mcp-tools-order-changed",
    scope="exchange",
    side="response",
    cites="MCP-A-021",
    severity=Severity.INFO,
    because="the specification demands it with SHOULD; the lists hold the same tools",
)
def mcp_tools_order_changed(view: View) -> Iterator[Hit]:
    """A server should list the same tools in the same order each time.

    Providers cache the prompt up to its first change: tools in a different order are billed at the full price again.
    """
    listing = session_of(view).listing
    for _, response, result in listed(view):
        names = [tool.get("name") if isinstance(tool, dict) else None for tool in tools_of(result)]
        known = list(listing.entries)
        if listing.whole and names != known and sorted(map(str, names)) == sorted(known):
            yield response.hit(
                "the order of the tools changed", "result", "tools", expected=brief(known), actual=brief(names)
            )
