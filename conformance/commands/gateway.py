"""`conformance gateway`: drives a gateway, plays its upstream, judges both legs and compares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from conformance.campaign.attempt import Task
from conformance.campaign.cost import Account
from conformance.campaign.endpoint import endpoint
from conformance.campaign.targets import Target
from conformance.commands.baseline import refuse_part
from conformance.commands.execute import Done, ended, run_tasks, verdict_of
from conformance.commands.output import Display, destination, report_verdicts, selected, stale_entries
from conformance.commands.serve import started
from conformance.commands.serve_client import Client
from conformance.drivers import all_drivers
from conformance.errors import ConformanceError
from conformance.gateway.pairs import Pair, pairs_of
from conformance.gateway.process import running
from conformance.gateway.running import Crossings, verdicts_of
from conformance.gateway.saving import save as save_legs
from conformance.gateway.table import Row, as_json, lines
from conformance.gateway.upstream import Upstream
from conformance.matrix.cells import Cell, Filter, all_cells, must_exist, why_skipped
from conformance.matrix.verdict import Verdict
from conformance.model.registry import has_part
from conformance.reference.behaviours import chosen
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios

_NOT_DONE = "not judged"


@dataclass(frozen=True, slots=True)
class Options:
    """The options about the gateway and its upstream."""

    base_url: str
    clients: Sequence[str]
    upstreams: Sequence[str]
    model: Sequence[str] = ()
    header: Sequence[str] = ()
    api_key_env: str | None = None
    timeout: float = 60.0
    upstream_port: int = 0
    start_timeout: float = 60.0
    behaviours: Sequence[str] = ()
    command: Sequence[str] = ()

    def check(self) -> None:
        """Refuses what cannot work, before anything is started.

        Raises:
            ConformanceError: an option is wrong.
        """
        drivers = {driver.dialect for driver in all_drivers()}
        able = [each for each in sorted(drivers) if has_part(each, "crossing")]
        must_exist("client dialect", self.clients, able)
        must_exist("upstream dialect", self.upstreams, able)
        if not self.upstream_port and not self.command:
            raise ConformanceError(
                "the gateway cannot know the upstream's port",
                "pass --upstream-port with the port that its configuration names, or start it with -- COMMAND",
            )


def run(
    *,
    base_url: str,
    clients: Sequence[str],
    upstreams: Sequence[str],
    scenarios: Sequence[str] = (),
    drivers: Sequence[str] = (),
    stream: bool | None = None,
    scenario_folders: Sequence[str] = (),
    model: Sequence[str] = (),
    header: Sequence[str] = (),
    api_key_env: str | None = None,
    timeout: float = 60.0,
    upstream_port: int = 0,
    start_timeout: float = 60.0,
    behaviours: Sequence[str] = (),
    command: Sequence[str] = (),
    save: str | None = None,
    format_: str = "text",
    output: str | None = None,
    verbose: bool = False,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Runs every pair of dialects through the gateway, and reports both legs and what was lost between them."""
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    options = Options(
        base_url.rstrip("/"),
        clients,
        upstreams,
        model,
        header,
        api_key_env,
        timeout,
        upstream_port,
        start_timeout,
        behaviours,
        command,
    )
    options.check()
    wanted = Filter(scenarios, (), drivers, stream, scenario_folders)
    refuse_part(selection, whole=wanted.everything)
    known = all_scenarios(scenario_folders)
    upstream = Upstream(known)
    with ExitStack() as stack:
        out = stack.enter_context(destination(output, [save] if save else []))
        faulty = chosen(behaviours)
        _planned(Crossings(upstream), options, wanted, "http://127.0.0.1")  # wrong options are told before the start
        served = ReferenceServer(known, upstream_port, faulty, upstream.respond)
        server = stack.enter_context(started(served, upstream_port, "--upstream-port"))
        crossings = Crossings(upstream)
        tasks = _planned(crossings, options, wanted, server.origin)
        stack.enter_context(_gateway(options, server.origin))
        done = run_tasks(tasks, Account(), jobs=1, folder=None, identity={}, resume=False)
        crossings.compare_modes()
        if save is not None:
            for task in tasks:
                if task.key in crossings.crossed:
                    save_legs(Path(save), crossings.crossed[task.key], task.endpoint.secrets)
        rows = _rows(done, crossings)
        stale = stale_entries(selection, lambda: wanted.everything and done.complete)
        _, summary = report_verdicts(
            chain(_verdicts(done, crossings), stale), display, out, selection=selection, more={"gateway": as_json(rows)}
        )
        if format_ == "text" and not quiet:
            out.writelines(f"{line}\n" for line in ("", *lines(rows)))
        summary.harness_errors += server.faults
        return ended(done, [], summary, strict=selection.strict, not_done=_NOT_DONE)


def _gateway(options: Options, origin: str) -> Any:
    if not options.command:
        click.echo(f"upstream at {origin}, in every dialect; gateway at {options.base_url}", err=True)
        return nullcontext()
    more = {"CONFORMANCE_UPSTREAM": origin}
    process = Client(options.command, origin, more, quiet=True, what="gateway")
    return running(process, options.base_url, options.command, options.start_timeout)


def _planned(crossings: Crossings, options: Options, wanted: Filter, origin: str) -> list[Task]:
    """The tasks of every pair, in the order of the options.

    Raises:
        ConformanceError: an option is wrong, or no cell remains.
    """
    tasks: list[Task] = []
    reasons: list[str] = []
    for pair in pairs_of(options.clients, options.upstreams, options.model, options.header, origin):
        target = Target(pair.name, options.base_url, {pair.client: pair.model}, headers=pair.headers)
        place = endpoint(target, pair.client, api_key_env=options.api_key_env, timeout=options.timeout)
        for cell in all_cells(replace(wanted, dialects=(pair.client,))):
            reason = _why_skipped(cell, wanted)
            if reason is None:
                tasks.append(crossings.task(cell, pair, place))
            else:
                reasons.append(reason)
    if not tasks:
        raise ConformanceError(f"no cell can run: {reasons[0]}", "`conformance list` shows the matrix")
    return tasks


def _why_skipped(cell: Cell, wanted: Filter) -> str | None:
    if cell.scenario.executor != "scripted" and not wanted.scenarios:
        return "its tools run on a server of tools, of which a gateway sees nothing. Select it with --scenario."
    return why_skipped(cell)


def _verdicts(done: Done, crossings: Crossings) -> Iterator[Verdict]:
    for task in done.tasks:
        judged = task.key in done.outcomes and done.outcomes[task.key].refused is None
        crossed = crossings.crossed.get(task.key) if judged else None
        yield from verdicts_of(verdict_of(done, task, _NOT_DONE), crossed)


def _rows(done: Done, crossings: Crossings) -> list[Row]:
    """The rows of the table: one for each pair and scenario that was planned."""
    rows: dict[tuple[str, str], Row] = {}
    pairs: dict[str, Pair] = {each.pair.name: each.pair for each in crossings.crossed.values()}
    for task in done.tasks:
        name, scenario = task.cell.target, task.cell.scenario.id
        client, _, upstream = name.partition(" to ")
        pair = pairs.get(name) or Pair(client, upstream, task.endpoint.model, {})
        row = rows.setdefault((name, scenario), Row(pair, scenario))
        outcome = done.outcomes.get(task.key)
        if outcome is None or outcome.refused is not None:
            row.why = outcome.refused if outcome is not None else "stopped before"
        elif task.key in crossings.crossed:
            row.runs.append(crossings.crossed[task.key])
    for row in rows.values():
        row.why = None if row.runs else row.why
    return list(rows.values())
