"""`conformance proxy`: forwards unchanged, records what passes, and judges both sides."""

from __future__ import annotations

import io
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click

from conformance.cassette.lock import writing
from conformance.cassette.redact import shown
from conformance.commands.baseline import write_baseline
from conformance.commands.output import Display, destination, selected
from conformance.commands.proxy_told import about, introduction, line, read_text
from conformance.commands.serve import stopping
from conformance.commands.serve_client import Client
from conformance.errors import ConformanceError
from conformance.judge.checker import Summary
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.selection import Selection
from conformance.model.registry import all_dialects
from conformance.proxy.captured import Answer
from conformance.proxy.recordings import Recordings
from conformance.proxy.watch import Watch
from conformance.report import open_report
from conformance.report.json_report import JsonReport
from conformance.report.sessions import ClientRun

_HOME = "/_conformance"
_MEDIA = {"json": "application/json", "html": "text/html; charset=utf-8"}


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
    if dialect != "auto" and dialect not in all_dialects():
        raise ConformanceError(f"unknown dialect {dialect!r}", f"choose one of auto, {', '.join(all_dialects())}")
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    if output is not None and not Path(output).absolute().parent.is_dir():  # said before hours of traffic, not after
        raise ConformanceError(f"{output}: cannot write the report: no such folder", "pass --output a file in a folder")
    forced = None if dialect == "auto" else dialect
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


class Proxied:
    """A run of the proxy: what it reports, and where."""

    def __init__(self, display: Display, output: str | None, selection: Selection, folder: Path | None) -> None:
        self.display = display
        self.output = output
        self.selection = selection
        self.folder = folder
        self.more: dict[str, Any] = {}
        """What is told of the server and the client besides the exchanges."""
        self.wrong: list[str] = []
        """Why the run fails although no finding says so."""
        self.stdout_is_free = True
        """Whether the report may go to standard output."""

    def watch(self, upstream: str, how: dict[str, Any], metadata: dict[str, Any] | None = None) -> Watch:
        """Records and judges what passes."""
        recordings = Recordings(self.folder, upstream, metadata)
        told = (lambda seen: click.echo(line(seen), err=True)) if self._chatty else (lambda _: None)
        watch = Watch(recordings, keeps=self.selection.keeps, told=told, **how)
        watch.page = lambda method, path: self._page(watch, recordings, method, path)
        self._recordings = recordings
        return watch

    @property
    def _chatty(self) -> bool:
        return self.display.format == "text" and not self.display.quiet

    def say(self, text: str) -> None:
        """Prints to standard output, or to standard error if a report or a protocol has that."""
        click.echo(text, err=not (self.stdout_is_free and self.display.format == "text" and self.output is None))

    def finish(self, watch: Watch, faults: Sequence[str] = ()) -> int:
        """Writes the report of everything; returns the exit code."""
        watch.close()
        write_baseline(self.selection)
        with watch.results() as (summary, found):
            for each in self.selection.stale():
                summary.count(each)
                found.append(each)
        summary.harness_errors += faults
        if not watch.requests and not self.wrong:
            self.wrong.append("no request was sent")
        with self._destination() as out:
            self._write(out, self.display.format, watch, summary, found, whole=True)
        for fault in summary.harness_errors:
            click.echo(f"conformance: internal error: {shown(fault)}", err=True)
        if summary.harness_errors:
            return 3
        failing = summary.errors or (self.selection.strict and summary.warnings) or self.wrong
        return 1 if failing else 0

    @contextmanager
    def _destination(self) -> Iterator[IO[str]]:
        if self.output is None and not self.stdout_is_free:
            yield sys.stderr
            return
        with destination(self.output, [] if self.folder is None else [str(self.folder)]) as out:
            yield out

    def _write(
        self, out: IO[str], form: str, watch: Watch, summary: Summary, found: Sequence[Any], *, whole: bool = False
    ) -> None:
        told = about(watch, self._recordings.written, self.folder, self.more)
        shown_as = {"verbose": self.display.verbose, "quiet": self.display.quiet, "cause": self.display.cause}
        report = open_report(form, out, **(shown_as if whole else {}))
        if isinstance(report.inner, JsonReport):
            report.inner.more = {"proxy": told}
        for each in found:
            report.judged(each.source)
            report.finding(each)
        if form == "text" and not self.display.quiet:
            out.writelines(f"{each}\n" for each in read_text(told))
        report.close(summary)
        if form == "text":
            out.writelines(f"failed: {each}\n" for each in self.wrong)
        elif whole:
            for each in self.wrong:
                click.echo(f"conformance: {each}", err=True)

    def _page(self, watch: Watch, recordings: Recordings, method: str, path: str) -> Answer:
        form = path.removeprefix(f"{_HOME}/report.")
        if method != "GET" or form not in _MEDIA:
            body = f'{{"error": "GET {_HOME}/report.json or report.html"}}\n'
            return 404, _MEDIA["json"], body.encode()
        out = io.StringIO()
        with watch.results() as (summary, found):
            self._write(out, form, watch, summary, found)
        return 200, _MEDIA[form], out.getvalue().encode()


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
