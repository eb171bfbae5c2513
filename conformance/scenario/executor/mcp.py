"""Tools on a real MCP server, reached by the official client through our transport.

The client speaks streamable HTTP, and its exchanges go through the same transport as the provider's: vcrpy records
and plays both. It is asynchronous and runs in a thread with its own event loop; a call blocks until it is answered,
so the order on the wire is the order of the calls.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from conformance.errors import HarnessError
from conformance.model.transcript import ToolDefinition
from conformance.model.version import VERSION
from conformance.scenario.executor import Executed, ToolOutcome
from conformance.scenario.executor.mcp_server import HOST
from conformance.scenario.executor.provider_tools import Mapped, map_tools
from conformance.scenario.model import Scenario

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp.client import Client
    from mcp_types import CallToolResult

STATELESS = "2026-07-28"
WITH_HANDSHAKE = "2025-11-25"
REPLAY_ORIGIN = f"http://{HOST}"
"""The origin of a cassette's MCP server; nothing listens there, because the cassette answers."""

_TIMEOUT_SECONDS = 30.0
_STOP_SECONDS = 5.0
_MOST_PAGES = 100


class McpExecutor:
    """Runs the tools of a scenario on an MCP server, while the context is open.

    `origin` is where the server is; None starts one for the scenario, in a process of its own. `dialect` is the
    provider's, for which `tools` are mapped: the names in them are what a call is made by. `revision` is one of
    the two above. `transport` sends the client's requests; `disconnected`: whether one of them got no answer.
    `log` has the server's own names.
    """

    def __init__(
        self,
        scenario: Scenario,
        origin: str | None,
        transport: Any,
        *,
        dialect: str,
        revision: str = STATELESS,
        disconnected: Callable[[], object] = bool,
    ) -> None:
        self.log: list[Executed] = []
        self.mapped = Mapped((), {}, ())
        self._scenario = scenario
        self._origin = origin
        self._transport = transport
        self._disconnected = disconnected
        self._dialect = dialect
        self._revision = revision
        self._stack = ExitStack()

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The server's tools, in the form for the provider."""
        return self.mapped.definitions

    def __enter__(self) -> Self:
        from anyio.from_thread import start_blocking_portal

        with ExitStack() as stack:
            origin = self._origin or stack.enter_context(serving(self._scenario))
            self._portal: BlockingPortal = stack.enter_context(start_blocking_portal())
            self._client: Client = stack.enter_context(
                self._portal.wrap_async_context_manager(self._connected(f"{origin}/mcp"))
            )
            self.mapped = map_tools(self._portal.call(self._listed), self._dialect)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stack.close()
        except Exception:
            # A connection that broke in the middle is known already, from the request that it broke.
            if not self._disconnected():
                raise

    def __call__(self, tool: str, arguments: Any) -> ToolOutcome:
        """Runs one call by the provider's name for the tool."""
        name = self.mapped.names.get(tool)
        outcome = self._run(name, arguments) if name is not None else _failure(f"There is no tool called {tool}.")
        self.log.append(Executed(name if name is not None else tool, arguments, outcome))
        return outcome

    def _run(self, name: str, arguments: Any) -> ToolOutcome:
        from mcp.shared.exceptions import MCPError

        if not isinstance(arguments, dict):
            return _failure("The arguments are not a JSON object.")
        try:
            return _outcome(self._portal.call(self._client.call_tool, name, arguments))
        except MCPError as error:
            return _failure(error.error.message)

    @asynccontextmanager
    async def _connected(self, url: str) -> AsyncIterator[Client]:
        """The client. Its `Host` names the server as cassettes do, whatever its port is."""
        import httpx2
        from mcp.client import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp_types import Implementation

        async with httpx2.AsyncClient(
            transport=self._transport, headers={"host": HOST}, timeout=_TIMEOUT_SECONDS, trust_env=False
        ) as http_client:
            client = Client(
                streamable_http_client(url, http_client=http_client),
                mode=self._revision if self._revision == STATELESS else "legacy",
                client_info=Implementation(name="conformance", version=VERSION),
                read_timeout_seconds=_TIMEOUT_SECONDS,
                cache=None,
            )
            async with client:
                yield client

    async def _listed(self) -> list[dict[str, Any]]:
        """All pages of the server's list, in their wire form."""
        tools: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            tools += [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return tools
        raise HarnessError(
            f"the MCP server has more than {_MOST_PAGES} pages of tools",
            "check that tools/list of the server ends its pagination",
        )


def _failure(text: str) -> ToolOutcome:
    return ToolOutcome(text, is_error=True)


def _outcome(result: CallToolResult) -> ToolOutcome:
    """A result as its value: the structured one, else the JSON in its text, else the text."""
    blocks: list[Mapping[str, Any]] = [
        block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content
    ]
    texts = [block["text"] for block in blocks if block.get("type") == "text"]
    if result.is_error:
        return _failure("\n".join(texts) or "The tool failed and did not say why.")
    if result.structured_content is not None:
        return ToolOutcome(result.structured_content)
    if len(texts) != len(blocks):
        return ToolOutcome(blocks)  # images and links are not changed
    text = "\n".join(texts)
    try:
        return ToolOutcome(json.loads(text))
    except ValueError:
        return ToolOutcome(text)


@contextmanager
def serving(scenario: Scenario) -> Iterator[str]:
    """An MCP server with the scenario's tools, in its own process; its origin.

    Raises:
        HarnessError: the server did not start.
    """
    command = [sys.executable, "-m", "conformance.scenario.executor.mcp_server", str(scenario.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            origin = process.stdout.readline().strip() if process.stdout is not None else ""
            if not origin:
                raise HarnessError(f"the MCP server for {scenario.id} did not start", "see its output above")
            yield origin
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
