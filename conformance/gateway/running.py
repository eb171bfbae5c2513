"""Runs the cells of a pair through the gateway, one at a time, and keeps both legs of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from conformance.campaign.attempt import Task
from conformance.gateway.compare import compare_legs, compare_modes
from conformance.gateway.ledger import Ledger, Loss, Place
from conformance.gateway.legs import Run, run_of
from conformance.gateway.pairs import Pair
from conformance.gateway.upstream import Upstream
from conformance.judge.checker import Checker
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import RecordedRun, capture_run
from conformance.matrix.verdict import Verdict
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding

CLIENT_LEG, UPSTREAM_LEG = "client leg", "upstream leg"


@dataclass
class Crossed:
    """What became of one cell: its legs, its losses, and the findings about what the gateway sends."""

    cell: Cell
    pair: Pair
    run: Run
    ledger: Ledger
    client: tuple[Exchange, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    harness_errors: list[str] = field(default_factory=list)


@dataclass
class Crossings:
    """Runs cells and compares their legs: its tasks note here what they see. Only one task may run at a time."""

    upstream: Upstream
    crossed: dict[tuple[str, str, int], Crossed] = field(default_factory=dict)

    def task(self, cell: Cell, pair: Pair, endpoint: Endpoint) -> Task:
        """The task of a cell, whose target is the pair."""
        cell = replace(cell, target=pair.name)
        key = (cell.target, cell.id, 0)

        def capture(cell: Cell, endpoint: Endpoint, path: Path) -> RecordedRun:
            self.upstream.begin(cell.scenario.id)
            taken = capture_run(cell, endpoint, path)
            run = run_of(taken, self.upstream.taken())
            crossed = Crossed(cell, pair, run, compare_legs(run, pair.upstream), taken.exchanges)
            _judge(crossed)
            self.crossed[key] = crossed
            return taken

        # The upstream is ours: waiting for it changes nothing.
        return Task(cell, endpoint, None, attempts=1, backoff=None, capture=capture)

    def compare_modes(self) -> None:
        """Compares each cell that streams with the same one that does not."""
        for crossed in self.crossed.values():
            if crossed.cell.stream:
                twin = self.crossed.get((crossed.cell.target, replace(crossed.cell, stream=False).id, 0))
                if twin is not None:
                    compare_modes(twin.run, crossed.run, crossed.ledger, twin.ledger)


def _judge(crossed: Crossed) -> None:
    """Judges the gateway's requests to its upstream."""
    checker = Checker()
    source = f"{crossed.pair.name}: {crossed.cell.id}: {UPSTREAM_LEG}"
    for exchange in crossed.run.upstream:
        sent = replace(exchange, source=source, group=source)
        crossed.findings += [finding for finding in checker.feed(sent) if finding.side == "request"]
    crossed.harness_errors += checker.summary.harness_errors


def verdicts_of(verdict: Verdict, crossed: Crossed | None) -> list[Verdict]:
    """The verdict of a cell as one for each leg, with the losses at the leg where they show."""
    if crossed is None:
        return [verdict]
    cell = crossed.cell
    sources = {leg: f"{crossed.pair.name}: {cell.id}: {leg}" for leg in (CLIENT_LEG, UPSTREAM_LEG)}
    client = [replace(finding, source=sources[CLIENT_LEG]) for finding in verdict.findings]
    upstream = list(crossed.findings)
    for loss in crossed.ledger.losses:
        leg = CLIENT_LEG if loss.direction == "down" or loss.upstream is None else UPSTREAM_LEG
        finding = _finding(loss, leg, crossed, sources[leg])
        (client if leg == CLIENT_LEG else upstream).append(finding)
    one = replace(verdict, source=sources[CLIENT_LEG], findings=client)
    other = Verdict(
        None, sources[UPSTREAM_LEG], upstream, len(crossed.run.upstream), harness_errors=crossed.harness_errors
    )
    return [one, other]


def _finding(loss: Loss, leg: str, crossed: Crossed, source: str) -> Finding:
    here, there = (loss.client, loss.upstream) if leg == CLIENT_LEG else (loss.upstream, loss.client)
    exchanges = crossed.client if leg == CLIENT_LEG else crossed.run.upstream
    number = here.exchange if here is not None else None
    dialect = crossed.pair.client if leg == CLIENT_LEG else crossed.pair.upstream
    other = UPSTREAM_LEG if leg == CLIENT_LEG else CLIENT_LEG
    return Finding(
        rule=loss.rule,
        severity=loss.severity,
        message=f"{loss.what} ({loss.direction}; on the {other}: {_place(there, loss)})" if there else loss.what,
        dialect=dialect,
        source=source,
        exchange=number,
        side=loss.side,
        pointer=here.pointer if here is not None else None,
        expected=loss.before,
        actual=loss.after,
        traffic=exchanges[number] if number is not None and number < len(exchanges) else None,
    )


def _place(place: Place, loss: Loss) -> str:
    return f"exchange {place.exchange}, {loss.side} {place.pointer or ''}".rstrip()
