"""The tools of an MCP server: all pages of `tools/list`, over HTTP or from a command, by the official SDK."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

from conformance.drivers.extras import install_hint
from conformance.errors import ConformanceError
from conformance.model.version import VERSION
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.definitions import definitions
from conformance.tool_definitions.inputs.document import plain
from conformance.tool_definitions.inputs.forms import all_forms
from conformance.tool_definitions.inputs.private import Private, private_command, private_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.client import Client

TIMEOUT_SECONDS = 60.0
"""How long a server has to start and to list its tools; the first start of a command may download it."""
_MOST_PAGES = 100
_LAST_LINES = 3
_LONGEST_LINE = 200


def tools_at(
    url: str, *, timeout: float = TIMEOUT_SECONDS, headers: Mapping[str, str] | None = None
) -> list[GivenTool]:
    """The tools of the server at a URL: streamable HTTP, or the older SSE transport if the path ends in `/sse`.

    Raises:
        ConformanceError: the MCP SDK is missing, or the server does not answer with tools in time.
    """
    sent = dict(headers or {})
    private = private_url(url, sent.values())
    hint = "check the URL; for an OpenAPI document pass --from openapi"
    return _listed(_Connection(url=url, headers=sent, timeout=timeout), private, hint)


def tools_of_command(argv: Sequence[str], *, timeout: float = TIMEOUT_SECONDS) -> list[GivenTool]:
    """The tools of the server that a command starts; it is stopped afterwards. It has this process's environment.

    Raises:
        ConformanceError: as for `tools_at`, or the command does not start. The text has the server's last words on
            standard error.
    """
    if not argv:
        raise ConformanceError("there is no command after `--`", "write the command that starts the MCP server there")
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
        connection = _Connection(argv=argv, stderr=stderr, timeout=timeout)
        return _listed(connection, private_command(argv), "check that the command starts an MCP server on stdio")


class _Connection:
    """How a server is reached: its URL, or the command that starts it."""

    def __init__(
        self,
        *,
        timeout: float,
        url: str = "",
        headers: Mapping[str, str] | None = None,
        argv: Sequence[str] = (),
        stderr: IO[str] | None = None,
    ) -> None:
        self.timeout = timeout
        self._url = url
        self._headers = dict(headers or {})
        self._argv = argv
        self._stderr = stderr

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Client]:
        """The client, after the handshake."""
        from mcp.client import Client
        from mcp_types import Implementation

        async with self._transport() as transport:
            info = Implementation(name="conformance", version=VERSION)
            async with Client(transport, client_info=info, read_timeout_seconds=self.timeout, cache=None) as client:
                yield client

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        if self._argv:
            from mcp.client.stdio import StdioServerParameters, stdio_client

            command, *arguments = self._argv
            started = StdioServerParameters(
                command=command, args=arguments, env=dict(os.environ), encoding_error_handler="replace"
            )
            assert self._stderr is not None  # noqa: S101 - `tools_of_command` opened it
            yield stdio_client(started, errlog=self._stderr)  # type: ignore[arg-type]
        elif self._url.partition("?")[0].rstrip("/").endswith("/sse"):
            from mcp.client.sse import sse_client

            yield sse_client(self._url, headers=self._headers)
        else:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client

            async with httpx2.AsyncClient(headers=self._headers, timeout=self.timeout) as http_client:
                yield streamable_http_client(self._url, http_client=http_client)

    def last_words(self) -> str:
        """The last lines that the server wrote to standard error."""
        if self._stderr is None:
            return ""
        self._stderr.seek(0)
        lines = [line.strip() for line in self._stderr if line.strip()]
        return " / ".join(line[:_LONGEST_LINE] for line in lines[-_LAST_LINES:])


def _listed(connection: _Connection, private: Private, hint: str) -> list[GivenTool]:
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise ConformanceError("the tools of an MCP server need mcp>=2, which is not installed", install_hint("mcp"))
    import anyio

    try:
        with _silent():
            pages = anyio.run(_pages, connection)
    except ConformanceError:
        raise
    except Exception as error:  # noqa: BLE001 - the SDK's, the network's and the server's own errors
        raise _failure(error, connection, private, hint) from None
    return definitions({"tools": plain(pages, private.name)}, private.name, form=all_forms()["mcp"])


@contextmanager
def _silent() -> Iterator[None]:
    """Keeps the SDK's log, with tracebacks, off standard error: what matters of it is in our error."""
    logger = logging.getLogger("mcp")
    before = logger.propagate
    handler = logging.NullHandler()
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


async def _pages(connection: _Connection) -> list[dict[str, Any]]:
    """The tools of all pages, in their wire form."""
    import anyio

    tools: list[dict[str, Any]] = []
    with anyio.fail_after(connection.timeout):
        async with connection.opened() as client:
            cursor: str | None = None
            for _ in range(_MOST_PAGES):
                page = await client.list_tools(cursor=cursor)
                tools += [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None:
                    return tools
    raise ConformanceError(
        f"the MCP server has more than {_MOST_PAGES} pages of tools", "check that tools/list ends its pagination"
    )


def _failure(error: BaseException, connection: _Connection, private: Private, hint: str) -> ConformanceError:
    leaves = list(_leaves(error))
    late = any(isinstance(each, TimeoutError) for each in leaves)
    first = leaves[0]
    reason = f"no tool list within {connection.timeout:g} s" if late else " ".join(str(first).split())[:300]
    words = connection.last_words()
    ending = f"; its standard error ends with: {words}" if words else ""
    text = private.hide(f"({reason or type(first).__name__}){ending}")
    return ConformanceError(
        f"{private.name}: the MCP server did not list its tools {text}",
        "pass a longer --timeout" if late and not words else hint,
    )


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group of errors, at any depth."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error
