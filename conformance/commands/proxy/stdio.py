"""`conformance proxy -- COMMAND`: an MCP server over standard input and output, recorded and judged."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import PurePath

from conformance.cassette.redact import shown
from conformance.commands.proxy.proxied import Proxied
from conformance.proxy.stdio import StdioServer
from conformance.proxy.stdio_exchanges import StdioExchanges

_DIALECT = "mcp"


def over_stdio(proxied: Proxied, command: Sequence[str], stopped: threading.Event) -> int:
    """Passes both sides on until the server ends. Standard output belongs to the server."""
    proxied.stdout_is_free = False
    name = "".join(char if char.isalnum() or char in "-._" else "-" for char in PurePath(command[0]).name) or "server"
    watch = proxied.watch(f"stdio://{name}", usual=_DIALECT, metadata={"transport": "stdio"})
    exchanges = StdioExchanges(watch, name)
    server = StdioServer(command, exchanges.from_client, exchanges.from_server)
    try:
        code = server.wait(stopped)
    except KeyboardInterrupt:
        stopped.set()
        code = server.stop()
    by_itself = not (server.client_left or stopped.is_set())
    if by_itself:
        exchanges.end("server", f"the server exited with {code} before it answered")
    else:
        exchanges.end("client", "the client ended before the answer")
    proxied.more["server"] = {"command": [shown(each) for each in command], "exit_code": code}
    if by_itself and code:
        proxied.wrong.append(f"the server exited with {code}")
    return proxied.finish(watch)
