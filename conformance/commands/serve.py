"""`conformance serve`: the reference server, for clients in any language, with a verdict on each."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click

from conformance.commands.baseline import write_baseline
from conformance.commands.output import Display, destination, refuse_input, selected, tell_faults
from conformance.commands.serve_client import Client
from conformance.commands.serve_faults import Row, behaviours_for, row_of, rows_as_json, table
from conformance.commands.serve_pages import HOME, Pages, shape, shape_text, write
from conformance.errors import ConformanceError
from conformance.judge.selection import Selection
from conformance.judge.shared_work import freeze
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.printable import count, short
from conformance.reference.answering import Answer, Circumstances, answer_to
from conformance.reference.behaviours import all_behaviours, chosen
from conformance.reference.recorded import Recorded
from conformance.reference.server import ReferenceServer
from conformance.reference.sessions import Sessions
from conformance.reference.variation import Variation
from conformance.report.sessions import ClientRun, Record, Verdict, lines, records, verdict_of
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Scenario

_NAME, _GRADE = 28, 6
ALL, FAULTS = "all", "faults"
"""In place of a behaviour's name: run the client once for each; or for each of those that clients must withstand."""

Again = Callable[[list[Record]], Iterator[Row]]
"""Runs the client again, once for each behaviour; it is given the sessions of the usual run."""


def run(
    *,
    port: int,
    behaviours: Sequence[str] = (),
    listing: bool = False,
    scenario_folders: Sequence[str] = (),
    cassette: str | None = None,
    vary: str | None = None,
    command: Sequence[str] = (),
    timeout: float = 120.0,
    format_: str = "text",
    output: str | None = None,
    verbose: bool = False,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Serves until interrupted, or until the command has ended; returns 1 if a client fails, 3 for our own faults.

    With `listing`, lists the behaviours instead. With the behaviour `all`, runs the command once for each.
    """
    if listing:
        _list()
        return 0
    every = ALL in behaviours or FAULTS in behaviours
    if every and (not command or len(behaviours) > 1):
        raise ConformanceError(
            f"--behaviour {behaviours[0]} runs a client once for each behaviour",
            "add only the client's command after --",
        )
    if cassette is not None and behaviours:
        raise ConformanceError("--behaviour changes nothing in a recording", "remove --behaviour or --cassette")
    if output is not None and cassette is not None:
        refuse_input(output, [cassette])
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    scenarios = all_scenarios(scenario_folders)
    if vary is not None and cassette is not None:
        raise ConformanceError("--vary does not work with --cassette", "a recorded conversation is played as it is")
    served = _Served(scenarios, () if every else chosen(behaviours), cassette, selection, vary)
    freeze()
    with stopping() as stopped, started(served.server(port), port) as server:
        served.started(server)
        say = _sayer(plain=format_ == "text" and output is None)
        if not command:
            _introduce(say, served, scenarios)
            server.wait(stopped)
            return served.finish(display, output, None)
        say(f"serving {count(len(scenarios), 'scenario')} on {server.origin}, running {' '.join(command)}")
        client = Client(command, server.origin, quiet=quiet).wait(timeout, stopped)
        if not every:
            return served.finish(display, output, client)
        return served.finish_all(
            display,
            output,
            client,
            _again(served, server, _Run(tuple(command), timeout, stopped, faults=FAULTS in behaviours)),
        )


def _list() -> None:
    for each in all_behaviours().values():
        click.echo(f"{each.name:{_NAME}} {'fault' if each.fault else each.grade:{_GRADE}} {each.summary}")
        if each.dialects:
            click.echo(f"{'':{_NAME + 1 + _GRADE}} {', '.join(each.dialects)}")


@dataclass(eq=False)
class _Served:
    """What is served, and what it comes to."""

    scenarios: Mapping[str, Scenario]
    behaviours: tuple[Behaviour, ...]
    cassette: str | None
    selection: Selection
    vary: str | None = None

    def __post_init__(self) -> None:
        self.recorded = None if self.cassette is None else Recorded(self.cassette)
        self._variation = None if self.vary is None else Variation(self.vary)
        self.sessions = Sessions(self.scenarios, self._answer if self.recorded is None else self.recorded.answer)
        self._keeps = self.selection.keeps
        self.pages = Pages(self.sessions, self.sessions.respond, self._keeps, self._now)
        self.pages.tells = self.selection.tells
        self._server: ReferenceServer | None = None

    def _answer(
        self,
        request: Request,
        scenarios: Mapping[str, Scenario],
        behaviours: Sequence[Behaviour],
        circumstances: Circumstances,
    ) -> Answer:
        return answer_to(request, scenarios, behaviours, replace(circumstances, vary=self._variation))

    def server(self, port: int) -> ReferenceServer:
        server = ReferenceServer(self.scenarios, port, self.behaviours, self.pages.respond)
        server.on_refused = self.sessions.refuse
        return server

    def started(self, server: ReferenceServer) -> None:
        self._server = server
        self.pages.faults = server.faults

    def records(self, client: ClientRun | None = None) -> list[Record]:
        return records(self.sessions.all, self._keeps, None if client is None else client.exit_code)

    def verdict(self, sessions: list[Record], client: ClientRun | None = None) -> Verdict:
        played = [each for session in self.sessions.all for each in session.played]
        return verdict_of(
            sessions,
            errors=self.sessions.summary(self._keeps).errors,
            warnings=self.sessions.summary(self._keeps).warnings if self.selection.strict else 0,
            faulted=any(each.faulted for each in played),
            client=client,
            scripted_error=any(each.scripted_error for each in played),
        )

    def _now(self) -> tuple[list[Record], str]:
        sessions = self.records()
        verdict = self.verdict(sessions)
        return sessions, "; ".join(verdict.wrong) or "no fault so far"

    def finish(self, display: Display, output: str | None, client: ClientRun | None) -> int:
        """Writes the report of everything; returns the exit code."""
        sessions = self.records(client)
        verdict = self.verdict(sessions, client)
        more: Record = {"sessions": sessions}
        if client is not None:
            more["client"] = client.as_json()
        self._write(display, output, more, list(lines(sessions)), verdict)
        return self._code(verdict)

    def finish_all(self, display: Display, output: str | None, client: ClientRun, again: Again) -> int:
        """The same after a run for each behaviour. If the run without one fails, no other is made."""
        sessions = self.records(client)
        verdict = self.verdict(sessions, client)
        usual = self.sessions.taken()
        rows: list[Row] = []
        told = list(lines(sessions))
        if not verdict.wrong:
            rows = list(again(sessions))
            silent = [row for row in rows if row.verdict == "silently wrong"]
            verdict.wrong += [f"silently wrong under {row.behaviour}: {row.detail}" for row in silent]
            told += ["", *table(rows)]
        more: Record = {"sessions": sessions, "client": client.as_json(), "faults": rows_as_json(rows)}
        self.sessions = usual
        self._write(display, output, more, told, verdict)
        return self._code(verdict)

    def _write(self, display: Display, output: str | None, more: Record, told: list[str], verdict: Verdict) -> None:
        shown: dict[str, Any] = {"verbose": display.verbose, "quiet": display.quiet, "cause": display.cause}
        faults = self._server.faults if self._server is not None else []
        with destination(output) as out:
            if display.format == "text" and not display.quiet:
                out.writelines(f"{line}\n" for line in (*told, ""))
            write(
                out,
                display.format,
                self.sessions,
                self._keeps,
                more,
                faults=faults,
                tells=self.selection.tells,
                **shown,
            )
            if display.format == "text":
                out.writelines(f"{line}\n" for line in verdict.told)
                out.writelines(f"failed: {line}\n" for line in verdict.wrong)
                out.write("" if verdict.wrong else "the client passes\n")
        if display.format != "text":
            for line in verdict.wrong:
                click.echo(f"conformance: {line}", err=True)

    def _code(self, verdict: Verdict) -> int:
        write_baseline(self.selection)
        faults = [*(self._server.faults if self._server else []), *self.sessions.summary().harness_errors]
        return 3 if tell_faults(faults) else 1 if verdict.wrong else 0


@dataclass(frozen=True, slots=True)
class _Run:
    """How to run the client: at most `timeout` seconds, until `stopped` is set; with `faults`, not all behaviours."""

    command: tuple[str, ...]
    timeout: float
    stopped: threading.Event
    faults: bool


def _again(served: _Served, server: ReferenceServer, how: _Run) -> Again:
    """Runs the client once for each behaviour that its dialects and modes can show."""

    def rows(usual: list[Record]) -> Iterator[Row]:
        known = [each for each in behaviours_for(usual) if each.fault or not how.faults]
        for number, each in enumerate(known, 1):
            if how.stopped.is_set():
                return
            served.sessions.taken()
            server.behaviours = (each,)
            client = Client(how.command, server.origin, quiet=True).wait(how.timeout, how.stopped)
            row = row_of(each, served.records(client), usual, client)
            click.echo(f"[{number}/{len(known)}] {row}", err=True)
            yield row
        server.behaviours = ()

    return rows


def _sayer(*, plain: bool) -> Callable[[str], None]:
    """Prints to standard output, or to standard error where a report goes to standard output."""
    return lambda text: click.echo(text, err=not plain)


def _introduce(say: Callable[[str], None], served: _Served, scenarios: Any) -> None:
    server = served._server  # noqa: SLF001 - of this module
    assert server is not None  # noqa: S101
    say(f"serving {count(len(scenarios), 'scenario')} on {server.origin}; stop with Ctrl-C")
    for each in served.behaviours:
        say(f"  behaviour {each.name}: {each.summary}")
    say(f"  OpenAI     base_url {server.origin}/v1")
    say(f"  Anthropic  base_url {server.origin}")
    say(f"  Gemini     base_url {server.origin}")
    say(f"  report     {server.origin}{HOME}/")
    if served.recorded is not None:
        say(f"Playing {served.cassette}. Send its first user message:")
        for message in served.recorded.messages:
            say(f"  {short(message)}")
        sys.stdout.flush()
        return
    say("Send one of these user messages to start a scenario, and declare its tools:")
    for scenario in scenarios.values():
        for conversation in scenario.conversations:
            say(f"  {scenario.id}: {conversation.user}")
        for tool in scenario.tools[:3]:
            arguments = ", ".join((tool.parameters or {}).get("properties", {}))
            result = shape_text(shape([each.result for each in tool.returns if each.error is None]))
            say(f"    {tool.name}({arguments}) returns {result if result != 'null' else 'an error'}")
        if len(scenario.tools) > 3:
            say(f"    and {len(scenario.tools) - 3} more tools")
    sys.stdout.flush()


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that SIGTERM sets, so that the report is written before the end."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def started(server: ReferenceServer, port: int, option: str = "--port") -> Iterator[ReferenceServer]:
    """A running server.

    Raises:
        ConformanceError: the requested port is not available.
    """
    if port:
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself does
            try:
                tried.bind(("127.0.0.1", port))
            except OSError as error:
                raise ConformanceError(
                    f"127.0.0.1:{port}: {error.strerror}", f"choose another {option}, or omit it to use a free one"
                ) from error
    with server:
        yield server
