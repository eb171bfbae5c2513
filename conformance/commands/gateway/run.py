"""`conformance gateway`: drives a gateway, plays its upstream, judges both legs and compares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

import click

from conformance.campaign.target_endpoint import endpoint_of
from conformance.campaign.targets import Target
from conformance.campaign.task import Key, Task
from conformance.commands.common.baseline import refuse_part
from conformance.commands.common.client import Client
from conformance.commands.common.done import Done, ended, verdict_of
from conformance.commands.common.execute import run_tasks
from conformance.commands.common.output import destination, stale_entries
from conformance.commands.common.plan import Plan
from conformance.commands.common.serving import started
from conformance.commands.gateway import Options
from conformance.commands.gateway.process import running
from conformance.drivers import all_drivers
from conformance.errors import ConformanceError
from conformance.gateway.capture import PlayedUpstream
from conformance.gateway.flow import GatewayOutcome, GatewayRun, perform, with_untranslated_pairs
from conformance.gateway.modes import with_stream_losses
from conformance.gateway.pairs import Pair, pairs_of, paths_of
from conformance.gateway.saving import save
from conformance.gateway.table import as_json, lines, rows_of
from conformance.gateway.verdict import verdicts_of
from conformance.matrix.cells import Cell, Filter, all_cells, must_exist, why_foreign, why_skipped
from conformance.matrix.verdict import Verdict
from conformance.model.registry import has_part
from conformance.reference.behaviours import chosen
from conformance.reference.server import ReferenceServer
from conformance.report.verdicts import report_verdicts
from conformance.scenario.load import all_scenarios

_NOT_DONE = "not judged"


def run(options: Options) -> int:
    """Runs every pair of dialects through the gateway, and reports both legs and what was lost between them."""
    _check(options)
    display, selection = options.report.display, options.findings.selection()
    wanted = options.cells.filter.with_live("live")
    refuse_part(selection, whole=wanted.everything)
    scenarios = all_scenarios(wanted.folders)
    upstream = PlayedUpstream(scenarios)
    served = ReferenceServer(scenarios, options.upstream_port, chosen(options.behaviours), upstream)
    with ExitStack() as stack:
        out = stack.enter_context(destination(options.report.output, [options.save] if options.save else []))
        server = stack.enter_context(started(served, options.upstream_port, "--upstream-port"))
        found = pairs_of(options.clients, options.upstreams, options.model, options.header, server.origin)
        pairs = {pair.name: pair for pair in found}
        tasks = _tasks(found, options, wanted)
        stack.enter_context(_gateway(options, server.origin))
        done = run_tasks(Plan(tasks, perform=partial(perform, upstream, pairs)))
        runs = with_stream_losses(with_untranslated_pairs(_runs(done)))
        if options.save is not None:
            for task in tasks:
                if task.key in runs:
                    save(Path(options.save), runs[task.key], task.endpoint)
        rows = rows_of(tasks, pairs, done.outcomes, runs)
        stale = stale_entries(selection, lambda: wanted.everything and done.complete)
        verdicts = chain(_verdicts(done, runs), stale)
        _, summary = report_verdicts(verdicts, display, out, selection=selection, more={"gateway": as_json(rows)})
        if display.format == "text" and not display.quiet:
            out.writelines(f"{line}\n" for line in ("", *lines(rows)))
        summary.harness_errors += server.faults
        return ended(done, summary, strict=selection.strict, not_done=_NOT_DONE)


def _check(options: Options) -> None:
    """Refuses what cannot work, before anything is started.

    Raises:
        ConformanceError: an option is wrong.
    """
    able = [each for each in sorted({driver.dialect for driver in all_drivers()}) if has_part(each, "expressible")]
    must_exist("client dialect", options.clients, able)
    must_exist("upstream dialect", options.upstreams, able)
    if not options.upstream_port and not options.command:
        raise ConformanceError(
            "the gateway cannot know the upstream's port",
            "pass --upstream-port with the port that its configuration names, or start it with -- COMMAND",
        )


def _gateway(options: Options, origin: str) -> AbstractContextManager[None]:
    """The gateway under test, which is started if there is a command."""
    url = options.base_url.rstrip("/")
    if not options.command:
        click.echo(f"upstream at {origin}, in every dialect; gateway at {url}", err=True)
        return nullcontext()
    more = {"CONFORMANCE_UPSTREAM": origin}
    process = Client(options.command, origin, more, quiet=True, what="gateway")
    return running(process, url, options.command, options.start_timeout)


def _tasks(pairs: Iterable[Pair], options: Options, wanted: Filter) -> list[Task]:
    """The tasks of every pair. The upstream is ours: waiting for it changes nothing.

    Raises:
        ConformanceError: an option is wrong, or no cell remains.
    """
    tasks: list[Task] = []
    reasons: list[str] = []
    url, paths = options.base_url.rstrip("/"), paths_of(options.path, options.clients)
    for pair in pairs:
        target = Target(pair.name, url, {pair.client: pair.model}, paths=paths, headers=pair.headers)
        place = endpoint_of(target, pair.client, api_key_env=options.api_key_env, timeout=options.timeout)
        for cell in all_cells(replace(wanted, dialects=(pair.client,))):
            reason = _why_skipped(cell, wanted)
            if reason is None:
                tasks.append(Task(replace(cell, target=pair.name), place, None, attempts=1, backoff=None))
            else:
                reasons.append(reason)
    if not tasks:
        raise ConformanceError(f"no cell can run: {reasons[0]}", "`conformance list` shows the matrix")
    return tasks


def _why_skipped(cell: Cell, wanted: Filter) -> str | None:
    if cell.scenario.executor != "scripted" and not wanted.scenarios:
        return "its tools run on a server of tools, of which a gateway sees nothing. Select it with --scenario."
    if cell.scenario.native is not None and not wanted.scenarios:
        return "its items are those of one dialect, which a gateway may not know. Select it with --scenario."
    return why_foreign(cell, None, wanted) or why_skipped(cell)


def _runs(done: Done) -> dict[Key, GatewayRun]:
    return {key: outcome.run for key, outcome in done.outcomes.items() if isinstance(outcome, GatewayOutcome)}


def _verdicts(done: Done, runs: Mapping[Key, GatewayRun]) -> Iterator[Verdict]:
    judged = {task.key for task, _ in done.judged()}
    for task in done.tasks:
        verdict = verdict_of(done, task, _NOT_DONE)
        yield from verdicts_of(verdict, runs[task.key]) if task.key in judged & runs.keys() else [verdict]
