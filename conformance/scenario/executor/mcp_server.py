"""An MCP server that offers the tools of a scenario: `-m conformance.scenario.executor.mcp_server SCENARIO.yaml`.

It prints its origin on one line and serves until its standard input is closed, so that it never outlives the
process that started it. It uses the official SDK; the tools return the scenario's results.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.model import Scenario
from conformance.scenario.model import Tool as ScenarioTool

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server
    from mcp_types import CallToolResult, Tool

HOST = "mcp.localhost"
"""The name under which cassettes keep this server, whatever port it had."""

_PAGE = 2
"""How many tools are on a page: few enough that a scenario of three has a second one."""

_NO_PARAMETERS = {"type": "object", "additionalProperties": False}


def server_of(scenario: Scenario) -> Server[Any]:
    """A server with the tools of the scenario, in pages; an unknown tool and an unknown page are -32602."""
    from mcp.server.lowlevel.server import Server
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS, CallToolRequestParams, ListToolsResult, PaginatedRequestParams

    execute = ScriptedExecutor(scenario)
    tools = [_tool(each) for each in scenario.tools]

    async def list_tools(_context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        cursor = params.cursor if params is not None else None
        starts = {f"from-{start}": start for start in range(_PAGE, len(tools), _PAGE)}
        if cursor is not None and cursor not in starts:
            raise MCPError(INVALID_PARAMS, f"Unknown cursor: {cursor}")
        start = starts[cursor] if cursor is not None else 0
        following = start + _PAGE
        more = f"from-{following}" if following < len(tools) else None
        return ListToolsResult(tools=tools[start:following], next_cursor=more)

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        if scenario.tool(params.name) is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        outcome = execute(params.name, params.arguments or {})
        return _result(outcome.value, failed=outcome.is_error)

    return Server(f"conformance-{scenario.id}", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


def _tool(tool: ScenarioTool) -> Tool:
    from mcp_types import Tool

    schema = dict(tool.parameters) if tool.parameters is not None else dict(_NO_PARAMETERS)
    if tool.output is None:
        return Tool(name=tool.name, description=tool.description, input_schema=schema)
    return Tool(name=tool.name, description=tool.description, input_schema=schema, output_schema=dict(tool.output))


def _result(value: Any, *, failed: bool) -> CallToolResult:
    """A result as text, and as structured content if it is an object; a failure is only text."""
    from mcp_types import CallToolResult, TextContent

    text = str(value) if failed else json.dumps(value, ensure_ascii=False)
    structured = value if isinstance(value, dict) and not failed else None
    content: Any = [TextContent(text=text)]
    return CallToolResult(content=content, structured_content=structured, is_error=failed)


def serve(scenario: Scenario) -> None:
    """Serves the scenario's tools on a free port of this machine."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    allowed = TransportSecuritySettings(
        allowed_hosts=[HOST, "127.0.0.1:*", "localhost:*"],
        allowed_origins=["http://127.0.0.1:*", "http://localhost:*"],
    )
    app = server_of(scenario).streamable_http_app(transport_security=allowed)
    config = uvicorn.Config(app, log_level="critical", server_header=False, date_header=False, ws="none")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
        sys.stdout.flush()
        threading.Thread(target=_end_with_input, daemon=True).start()
        uvicorn.Server(config).run(sockets=[listening])


def _end_with_input() -> None:
    """Ends the process when the other end of its input is closed."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Reads the command line and serves."""
    from conformance.scenario.load import read_scenario

    parser = argparse.ArgumentParser(prog="python -m conformance.scenario.executor.mcp_server", description=__doc__)
    parser.add_argument("scenario", type=Path, help="the scenario file whose tools are served")
    serve(read_scenario(parser.parse_args().scenario))


if __name__ == "__main__":
    main()
