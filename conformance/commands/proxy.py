"""`conformance proxy`: forwards unchanged, records what passes, and judges both sides."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from conformance.cassette.lock import writing
from conformance.cassette.redact import shown
from conformance.commands.output import Display, selected
from conformance.commands.proxied import Proxied
from conformance.commands.proxy_told import introduction
from conformance.commands.serve import stopping
from conformance.commands.serve_client import Client
from conformance.errors import ConformanceError
from conformance.judge.chosen_profile import chosen_profile
from conformance.model.registry import dialect_chosen
from conformance.report.sessions import ClientRun


def run(
    *,
    upstream: str | None,
    save: str | None = None,
    port: int = 0,
    dialect: str = "auto",
    profile: str | None = None,
    command: Sequence[str] = (),
    format_: str = "text",
    output: str | None = None,
    verbose: bool = False,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Forwards until interrupted, or until the command has ended; returns 1 for findings, 3 for our own faults.

    Without `upstream`, the command is an MCP server over standard input and output.
    """
    if upstream is None and not command:
        raise ConformanceError(
            "proxy needs a server", "pass --upstream URL, or the command of an MCP server over stdio after --"
        )
    if upstream is None and port:
        raise ConformanceError("--port works only with --upstream", "remove it: an MCP server over stdio has no port")
    forced = dialect_chosen(dialect)
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    if output is not None and not Path(output).absolute().parent.is_dir():  # said before hours of traffic, not after
        raise ConformanceError(f"{output}: cannot write the report: no such folder", "pass --output a file in a folder")
    with ExitStack() as stack:
        folder = None if save is None else _folder(save)
        if folder is not None:
            stack.enter_context(writing(folder))
        proxied = Proxied(display, output, selection, folder)
        how = {"dialect": forced, "profile": None if profile is None else chosen_profile(profile)}
        stopped = stack.enter_context(stopping())
        if upstream is None:
            from conformance.commands.proxy_stdio import serve

            return serve(proxied, command, stopped, how)
        return _over_http(proxied, upstream, command, stopped, port=port, how=how)


def _folder(path: str) -> Path:
    folder = Path(path)
    if not path or (folder.exists() and not folder.is_dir()):
        raise ConformanceError(f"--save {path}: not a folder", "pass a folder; it is created if it does not exist")
    return folder


def _over_http(
    proxied: Proxied, url: str, command: Sequence[str], stopped: threading.Event, *, port: int, how: dict[str, Any]
) -> int:
    from conformance.proxy.server import ProxyServer
    from conformance.proxy.upstream import Upstream

    upstream = Upstream.of(url)
    watch = proxied.watch(upstream.origin + upstream.prefix, how)
    proxied.more["upstream"] = upstream.origin + upstream.prefix
    with ProxyServer(upstream, watch, port) as server:
        for text in introduction(server.origin, upstream, proxied.folder, command):
            proxied.say(text)
        sys.stdout.flush()
        if command:
            more = {"OPENAI_BASE_URL": server.origin, "OPENAI_API_BASE": server.origin} if upstream.versioned else {}
            client = Client(command, server.origin, more, quiet=proxied.display.quiet, keys=False)
            try:
                ended = client.wait(math.inf, stopped)
            except KeyboardInterrupt:  # the client is in a session of its own, and did not get it
                stopped.set()
                ended = client.wait(math.inf, stopped)
            _tell_client(proxied, ended, stopped=stopped.is_set())
        else:
            with suppress(KeyboardInterrupt):
                while not stopped.wait(0.2):
                    pass
    return proxied.finish(watch, server.faults)


def _tell_client(proxied: Proxied, client: ClientRun, *, stopped: bool) -> None:
    proxied.more["client"] = client.as_json()
    if client.failed and not stopped:
        error = f": {shown(client.error)}" if client.error else ""
        proxied.wrong.append(f"the client exited with {client.exit_code}{error}")
