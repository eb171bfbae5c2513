"""Runs the cells against a server, several at once if it is to, and judges each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import anyio

from conformance.judge.checker import Checker
from conformance.judge.run_rules import RunFinding
from conformance.mcp_servers import sdk
from conformance.mcp_servers.cells import DIALECT, RAW, Cell, Outcome, why_not
from conformance.mcp_servers.choose import Wish
from conformance.mcp_servers.probes import PROBES
from conformance.mcp_servers.reach import Reach
from conformance.mcp_servers.run import Run
from conformance.mcp_servers.sharing import groups, play_all
from conformance.mcp_servers.traffic import Traffic
from conformance.model.finding import Hit

_LIFECYCLE = PROBES[0]


def perform(
    planned: Sequence[Cell], reach: Reach, wish: Wish, target: str, hide: Callable[[str], str], *, jobs: int = 1
) -> Iterator[Outcome]:
    """The outcome of each cell, in their order. Whether a server supports a revision is tried first, once for each.

    `hide` removes secrets from a text; so many `jobs` are done at once.
    """
    tried: dict[str, Outcome] = {}

    def performed(cells: Sequence[Cell]) -> dict[Cell, Outcome]:
        found: dict[Cell, Outcome] = {}
        anyio.run(play_all, cells, reach, wish, lambda run: found.update({run.cell: _outcome(run, target, hide)}))
        return found

    with sdk.silent(), _several(jobs) as pool:
        for cell in planned:
            if why_not(cell, reach) is None and cell.revision not in tried:
                first = Cell(_LIFECYCLE, cell.revision, RAW)
                tried[cell.revision] = performed([first])[first]
                if tried[cell.revision].unreached is not None:
                    yield replace(tried[cell.revision], cell=cell)
                    return
        skipped = {
            cell: Outcome(cell, skipped=reason)
            for cell in planned
            if (reason := why_not(cell, reach) or tried[cell.revision].skipped) is not None
        }
        known = skipped | {each.cell: each for each in tried.values() if each.skipped is None}
        made = {
            cell: future
            for group in groups([cell for cell in planned if cell not in known], reach)
            for future in (pool.submit(performed, group),)
            for cell in group
        }
        for cell in planned:
            yield known[cell] if cell in known else _lost(made[cell].result()[cell], target)


@contextmanager
def _several(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that do so many at once; what has not begun is dropped if the run is interrupted."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _lost(outcome: Outcome, target: str) -> Outcome:
    """The outcome, with a finding if the server, which had answered before, could not be reached any more."""
    if outcome.unreached is not None and not outcome.findings:
        hit = Hit(None, f"no server answers any more: {outcome.unreached}", "an answer", "none", side="response")
        finding = RunFinding("request-unanswered", None, hit).finding(
            dialect=DIALECT, source=f"{target}:{outcome.cell.id}"
        )
        return replace(outcome, findings=[finding], unreached=None)
    return replace(outcome, unreached=None)


def _outcome(run: Run, target: str, hide: Callable[[str], str]) -> Outcome:
    outcome, source = run.outcome, f"{target}:{run.cell.id}"
    outcome.exchanges = run.traffic.exchanges(source)
    if outcome.skipped is None or run.hits:
        outcome.skipped = None
        _judge(run, outcome, source)
    outcome.findings = [each.edited(hide) for each in outcome.findings]
    outcome.harness_errors = [hide(each) for each in outcome.harness_errors]
    outcome.unreached = hide(outcome.unreached) if outcome.unreached is not None else None
    return outcome


def _judge(run: Run, outcome: Outcome, source: str) -> None:
    """Adds the findings about the exchanges, and about the run.

    Our own client's requests are wrong on purpose, so findings about them are left out.
    """
    checker = Checker(DIALECT)
    findings = [finding for exchange in outcome.exchanges for finding in checker.feed(exchange)]
    if run.cell.driver == RAW:
        findings = [each for each in findings if each.side != "request" and each.rule not in run.excused]
    numbers = _numbers(run.traffic)
    for hit in run.hits:
        number = numbers.get(hit.exchange) if hit.exchange is not None else None
        findings.append(replace(hit, exchange=number).finding(dialect=DIALECT, source=source))
    by_number = dict(enumerate(outcome.exchanges))
    for finding in findings:
        here = by_number.get(finding.exchange) if finding.exchange is not None else None
        outcome.findings.append(replace(finding, source=source, traffic=finding.traffic or here))
    outcome.harness_errors += checker.summary.harness_errors


def _numbers(traffic: Traffic) -> dict[int, int]:
    """From the number of a request to that of its exchange: requests without a response have none."""
    answered = [number for number, each in enumerate(traffic.sent) if each.status is not None]
    return {number: place for place, number in enumerate(answered)}
