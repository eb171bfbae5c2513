"""`conformance proxy`: forwards unchanged, records what passes, and judges both sides."""

from __future__ import annotations

import math
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from conformance.cassette.lock import writing
from conformance.cassette.redact import shown
from conformance.commands.common.client import Client
from conformance.commands.common.serving import stopping
from conformance.commands.proxy import Options
from conformance.commands.proxy.messages import introduction
from conformance.commands.proxy.proxied import Proxied
from conformance.commands.proxy.stdio import over_stdio
from conformance.errors import ConformanceError
from conformance.proxy.server import ProxyServer
from conformance.proxy.upstream import Upstream
from conformance.report.sessions import ClientRun


def run(options: Options) -> int:
    """Forwards until interrupted, or until the command has ended; returns 1 for findings, 3 for our own faults.

    Without `--upstream`, the command is an MCP server over standard input and output.
    """
    if options.upstream is None and not options.command:
        raise ConformanceError(
            "proxy needs a server", "pass --upstream URL, or the command of an MCP server over stdio after --"
        )
    if options.upstream is None and options.port:
        raise ConformanceError("--port works only with --upstream", "remove it: an MCP server over stdio has no port")
    folder, output = _folder(options.save), options.report.output
    if output is not None and not Path(output).absolute().parent.is_dir():  # reported before hours of traffic
        raise ConformanceError(f"{output}: cannot write the report: no such folder", "pass --output a file in a folder")
    with options.limits.applied(), ExitStack() as stack:
        proxied = Proxied(options, folder)
        if folder is not None:
            stack.enter_context(writing(folder))
        stopped = stack.enter_context(stopping())
        if options.upstream is None:
            return over_stdio(proxied, options.command, stopped)
        return _over_http(proxied, Upstream.of(options.upstream), options, stopped)


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    folder = Path(path)
    if not path or (folder.exists() and not folder.is_dir()):
        raise ConformanceError(f"--save {path}: not a folder", "pass a folder; it is created if it does not exist")
    return folder


def _over_http(proxied: Proxied, upstream: Upstream, options: Options, stopped: threading.Event) -> int:
    url = upstream.origin + upstream.prefix
    watch = proxied.watch(url)
    proxied.more["upstream"] = url
    with ProxyServer(upstream, watch, options.port, hosts=options.allow_host) as server:
        for text in introduction(server.origin, upstream, proxied.folder, options.command):
            proxied.print(text)
        sys.stdout.flush()
        if options.command:
            more = {"OPENAI_BASE_URL": server.origin, "OPENAI_API_BASE": server.origin} if upstream.versioned else {}
            client = Client(options.command, server.origin, more, quiet=proxied.display.quiet, keys=False)
            try:
                ended = client.wait(math.inf, stopped)
            except KeyboardInterrupt:  # the client is in a session of its own, and did not get it
                stopped.set()
                ended = client.wait(math.inf, stopped)
            _add_client(proxied, ended, stopped=stopped.is_set())
        else:
            with suppress(KeyboardInterrupt):
                while not stopped.wait(0.2):
                    pass
    return proxied.finish(watch, server.faults)


def _add_client(proxied: Proxied, client: ClientRun, *, stopped: bool) -> None:
    proxied.more["client"] = client.as_json()
    if client.failed and not stopped:
        error = f": {shown(client.error)}" if client.error else ""
        proxied.wrong.append(f"the client exited with {client.exit_code}{error}")
