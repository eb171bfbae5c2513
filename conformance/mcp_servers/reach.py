"""Where a server is and how its sessions are opened: a URL, a URL of HTTP+SSE, or a command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx2

from conformance.mcp_servers import channels
from conformance.mcp_servers.traffic import Traffic
from conformance.mcp_servers.transports import Bridge, Channel, Recording

BRIDGED = "http://stdio.localhost/mcp"
"""The address of a server without one, in what is recorded."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Reach:
    """The server: `url`, or the command that starts it. `headers` go with every HTTP request."""

    url: str = ""
    argv: Sequence[str] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0

    @property
    def old_events(self) -> bool:
        """Whether the URL is one of HTTP+SSE, by its usual path."""
        return bool(self.url) and urlsplit(self.url).path.rstrip("/").endswith("/sse")

    @property
    def bridged(self) -> bool:
        """Whether the server is not reached by streamable HTTP."""
        return bool(self.argv) or self.old_events

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return not self.url or (urlsplit(self.url).hostname or "").lower() in _LOCAL


@dataclass(slots=True)
class Line:
    """An open way to the server. `foreign` has what it wrote beside the protocol's messages."""

    http: httpx2.AsyncClient
    url: str
    traffic: Traffic
    foreign: list[str]


@asynccontextmanager
async def opened(reach: Reach) -> AsyncIterator[Line]:
    """A way to the server of which nothing has been used yet; a command is started for it.

    Raises:
        OSError: the command cannot be started.
        httpx2.HTTPError: the stream of HTTP+SSE cannot be opened.
    """
    if reach.argv:
        async with channels.process(reach.argv) as pipes, _bridged(pipes, reach) as line:
            yield line
    elif reach.old_events:
        headers = {"accept-encoding": "identity", **reach.headers}
        async with (
            httpx2.AsyncClient(
                headers=headers, timeout=httpx2.Timeout(reach.timeout, read=None), trust_env=False
            ) as http,
            channels.old_events(http, reach.url) as events,
            _bridged(events, reach) as line,
        ):
            yield line
    else:
        traffic = Traffic()
        transport = Recording(httpx2.AsyncHTTPTransport(retries=0), traffic)
        async with _client(transport, reach) as http:
            yield Line(http, reach.url, traffic, [])


@asynccontextmanager
async def _bridged(channel: Channel, reach: Reach) -> AsyncIterator[Line]:
    traffic = Traffic(lacks=frozenset({"headers", "status"}))
    async with Bridge(channel, reach.timeout) as bridge, _client(Recording(bridge, traffic), reach) as http:
        yield Line(http, reach.url or BRIDGED, traffic, bridge.foreign)


def _client(transport: httpx2.AsyncBaseTransport, reach: Reach) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=transport,
        headers={"accept-encoding": "identity", **reach.headers},
        timeout=reach.timeout,
        trust_env=False,
        follow_redirects=False,
    )
