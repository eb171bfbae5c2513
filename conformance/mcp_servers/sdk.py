"""The same by the official SDK, where it can: it reads what the server sends, or raises."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from conformance.mcp_servers.choose import Wish, calls
from conformance.mcp_servers.raw import HANDSHAKES, STATELESS
from conformance.mcp_servers.reach import Line, Reach
from conformance.mcp_servers.scene import NotApplicableError, NotTriedError
from conformance.model.version import VERSION

if TYPE_CHECKING:
    from mcp.client import Client

NEWEST = (HANDSHAKES[-1], STATELESS)
"""The revisions that the SDK offers by itself."""
_MOST_PAGES = 100


@asynccontextmanager
async def connected(line: Line, revision: str, reach: Reach) -> AsyncIterator[Client]:
    """The SDK's client, after the handshake.

    Raises:
        NotApplicableError: server and client agreed on another revision.
    """
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types import Implementation

    client = Client(
        streamable_http_client(line.url, http_client=line.http),
        mode=revision if revision == STATELESS else "legacy",
        client_info=Implementation(name="conformance", version=VERSION),
        read_timeout_seconds=reach.timeout,
        cache=None,
    )
    async with client:
        if client.protocol_version != revision:
            raise NotApplicableError(f"the server offers {client.protocol_version} instead")
        yield client


async def _lifecycle(client: Client, _wish: Wish) -> None:
    if client.protocol_version == STATELESS:
        await client.list_tools()  # its first message: there is no handshake


async def _ping(client: Client, _wish: Wish) -> None:
    await client.session.send_ping()


async def _tools(client: Client) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None or cursor in seen:
            return tools
        seen.add(cursor)
    return tools


async def _list(client: Client, _wish: Wish) -> None:
    await _tools(client)


async def _call(client: Client, wish: Wish) -> None:
    made, why = calls(await _tools(client), wish)
    if not made:
        raise NotTriedError(why)
    for call in made:
        await client.call_tool(call.tool, dict(call.arguments))


ACTS: Mapping[str, Callable[[Client, Wish], Awaitable[None]]] = {
    "lifecycle": _lifecycle,
    "ping": _ping,
    "tools-list": _list,
    "tools-call": _call,
}
"""What the SDK does in a probe; the others need requests that it does not send."""


@contextmanager
def silent() -> Iterator[None]:
    """Keeps the SDK's log off standard error: what matters of it is in findings."""
    loggers = [logging.getLogger(name) for name in ("mcp", "client")]
    before = [each.propagate for each in loggers]
    handler = logging.NullHandler()
    for each in loggers:
        each.addHandler(handler)
        each.propagate = False
    try:
        yield
    finally:
        for each, propagated in zip(loggers, before, strict=True):
            each.removeHandler(handler)
            each.propagate = propagated
