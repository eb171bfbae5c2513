"""`conformance serve`: the reference server, for clients in any language, with a verdict on each."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from conformance.cassette.redact import shown
from conformance.commands.common.client import Client
from conformance.commands.common.output import refuse_input
from conformance.commands.common.serving import started, stopping
from conformance.commands.serve import ALL, FAULTS, Options
from conformance.commands.serve.faults import Row, behaviours_for, row_of
from conformance.commands.serve.introduction import introduce, print_behaviours
from conformance.commands.serve.outcome import Outcome
from conformance.commands.serve.pages import page
from conformance.errors import ConformanceError
from conformance.judge.judging import freeze
from conformance.judge.selection import Selection
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.printable import count
from conformance.model.rendered import Delivery
from conformance.reference.answering import Scenarios
from conformance.reference.behaviours import chosen
from conformance.reference.recorded import Recorded
from conformance.reference.server import ReferenceServer
from conformance.reference.sessions import Sessions
from conformance.reference.variation import Variation
from conformance.report.sessions import ClientRun, Record
from conformance.scenario.load import all_scenarios


class _Served:
    """The server, and the sessions of its client's latest run."""

    sessions: Sessions

    def __init__(self, options: Options, selection: Selection, behaviours: Sequence[Behaviour]) -> None:
        self.scenarios = all_scenarios(options.scenarios)
        vary = None if options.vary is None else Variation(options.vary)
        self.recorded = None if options.cassette is None else Recorded(options.cassette)
        self._source = self.recorded or Scenarios(self.scenarios, vary)
        self.selection = selection
        self.server = ReferenceServer(self.scenarios, options.port, pages=self._page, hosts=options.allow_host)
        self.begin(behaviours)

    def begin(self, behaviours: Sequence[Behaviour]) -> None:
        """Begins a run: new sessions, which the server answers under these behaviours."""
        self.sessions = Sessions(self.scenarios, self._source)
        self.server.service, self.server.behaviours = self.sessions, behaviours

    def outcome(self, client: ClientRun | None = None) -> Outcome:
        """What the latest run comes to, or has come to so far."""
        return Outcome(self.sessions, self.selection, self.server.faults, client)

    def _page(self, request: Request, path: str) -> Delivery:
        return page(request, path, self.outcome())


def run(options: Options) -> int:
    """Serves until interrupted, or until the command has ended; returns 1 if a client fails, 3 for our own faults."""
    if options.listing:
        print_behaviours()
        return 0
    every = _runs_for_each(options)
    display = options.report.display
    behaviours = () if every else chosen(options.behaviours)
    served = _Served(options, options.findings.selection(), behaviours)
    freeze()
    with stopping() as stopped, started(served.server, options.port) as server:
        to_report = display.format != "text" or options.report.output is not None
        if options.command:
            words = " ".join(options.command)
            serving = f"serving {count(len(served.scenarios), 'scenario')} on {server.origin}, running {shown(words)}"
            click.echo(serving, err=to_report)
            client = Client(options.command, server.origin, quiet=display.quiet).wait(options.timeout, stopped)
            outcome = served.outcome(client)
        else:
            introduce(server.origin, served.scenarios, behaviours, served.recorded, err=to_report)
            server.wait(stopped)
            outcome = served.outcome()
        if every:
            rows = () if outcome.wrong else tuple(_rows(served, options, stopped, outcome.records))
            outcome = replace(outcome, rows=rows)
        return outcome.report(display, options.report.output)


def _runs_for_each(options: Options) -> bool:
    """Whether the client runs once for each behaviour.

    Raises:
        ConformanceError: options contradict each other.
    """
    every = ALL in options.behaviours or FAULTS in options.behaviours
    if every and (not options.command or len(options.behaviours) > 1):
        raise ConformanceError(
            f"--behaviour {options.behaviours[0]} runs a client once for each behaviour",
            "add only the client's command after --",
        )
    if options.cassette is not None and options.behaviours:
        raise ConformanceError("--behaviour changes nothing in a recording", "remove --behaviour or --cassette")
    if options.cassette is not None and options.report.output is not None:
        refuse_input(options.report.output, [options.cassette])
    if options.cassette is not None and options.vary is not None:
        raise ConformanceError("--vary does not work with --cassette", "a recorded conversation is played as it is")
    return every


def _rows(served: _Served, options: Options, stopped: threading.Event, usual: list[Record]) -> Iterator[Row]:
    """Runs the client once for each behaviour that its dialects and modes can show.

    `usual` are the sessions of the run without one. If that fails, no other is made.
    """
    known = [each for each in behaviours_for(usual) if each.fault or FAULTS not in options.behaviours]
    for number, each in enumerate(known, 1):
        if stopped.is_set():
            return
        served.begin((each,))
        client = Client(options.command, served.server.origin, quiet=True).wait(options.timeout, stopped)
        row = row_of(each, served.outcome(client).records, usual, client)
        click.echo(f"[{number}/{len(known)}] {row}", err=True)
        yield row
    served.begin(())
