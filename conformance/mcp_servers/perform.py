"""Runs the cells against a server, several at once if it is to, and judges each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import anyio
import httpx2

from conformance.judge.checker import Checker
from conformance.judge.run_rules import RunFinding
from conformance.mcp_servers import sdk
from conformance.mcp_servers.cells import DIALECT, RAW, Cell, Outcome, why_not
from conformance.mcp_servers.choose import Wish
from conformance.mcp_servers.probes import PROBES
from conformance.mcp_servers.raw import RawClient, raw
from conformance.mcp_servers.reach import Line, Reach, opened
from conformance.mcp_servers.scene import NotApplicableError, NotTriedError, Scene
from conformance.mcp_servers.traffic import Traffic
from conformance.model.finding import Hit

_LIFECYCLE = PROBES[0]
_LONGEST = 4
"""How many timeouts a cell may take."""


def perform(
    planned: Sequence[Cell], reach: Reach, wish: Wish, target: str, hide: Callable[[str], str], *, jobs: int = 1
) -> Iterator[Outcome]:
    """The outcome of each cell, in their order. Whether a server supports a revision is tried first, once for each.

    `hide` removes secrets from a text; so many `jobs` are done at once.
    """
    tried: dict[str, Outcome] = {}

    def outcome(cell: Cell) -> Outcome:
        reason = why_not(cell, reach) or tried[cell.revision].skipped
        if reason is not None:
            return Outcome(cell, skipped=reason)
        first = tried[cell.revision]
        return first if cell == first.cell else _lost(_performed(cell, reach, wish, target, hide), target)

    with sdk.silent(), _several(jobs) as pool:
        for cell in planned:
            if why_not(cell, reach) is None and cell.revision not in tried:
                probe = _performed(Cell(_LIFECYCLE, cell.revision, RAW), reach, wish, target, hide)
                if probe.unreached is not None:
                    yield replace(probe, cell=cell)
                    return
                tried[cell.revision] = probe
        yield from pool.map(outcome, planned)


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


def _performed(cell: Cell, reach: Reach, wish: Wish, target: str, hide: Callable[[str], str]) -> Outcome:
    run = _Run(cell, reach, wish)
    anyio.run(run.play)
    outcome, source = run.outcome, f"{target}:{cell.id}"
    outcome.exchanges = run.traffic.exchanges(source)
    if outcome.skipped is None or run.hits:
        outcome.skipped = None
        _judge(run, outcome, source)
    outcome.findings = [each.edited(hide) for each in outcome.findings]
    outcome.harness_errors = [hide(each) for each in outcome.harness_errors]
    outcome.unreached = hide(outcome.unreached) if outcome.unreached is not None else None
    return outcome


class _Run:
    """One cell while it runs; nothing that happens in it raises."""

    def __init__(self, cell: Cell, reach: Reach, wish: Wish) -> None:
        self.cell = cell
        self.outcome = Outcome(cell)
        self.traffic = Traffic()
        self.hits: list[RunFinding] = []
        self.excused: set[str] = set()
        self._reach = reach
        self._wish = wish

    async def play(self) -> None:
        """Plays the cell, and keeps what came of it."""
        foreign: list[str] = []
        try:
            with anyio.fail_after(_LONGEST * self._reach.timeout):
                async with opened(self._reach) as line:
                    self.traffic, foreign = line.traffic, line.foreign
                    await (self._raw(line) if self.cell.driver == RAW else self._sdk(line))
        except Exception as error:  # noqa: BLE001 - the SDK's, the network's and the server's own errors
            self._failed(next(_leaves(error)))
        if foreign:
            message = "the server wrote something else than messages to its standard output"
            hit = Hit(None, message, "one JSON-RPC message a line", foreign[0][:100], side="response")
            self.hits.append(RunFinding("server-output-malformed", None, hit))

    async def _raw(self, line: Line) -> None:
        async with raw(line, self.cell.revision) as client:
            scene = Scene(client, self._reach, self._wish, self.hits, self.excused)
            try:
                await self.cell.probe.act(scene)
            finally:
                self._reached(client)

    def _reached(self, client: RawClient) -> None:
        """Notes that no server of this protocol answers here: nothing that came back is a message."""
        sent = client.line.traffic.sent
        answered = [each for each in sent if each.status is not None]
        if not answered and sent and sent[0].failure is not None:
            self.outcome.unreached = str(sent[0].failure) or type(sent[0].failure).__name__
        elif answered and not any(b"jsonrpc" in each.content for each in answered):
            first = answered[0]
            words = " ".join(bytes(first.content[:200]).decode("utf-8", "replace").split())
            self.outcome.unreached = f"it returned {first.status}{': ' + words if words else ''}"

    async def _sdk(self, line: Line) -> None:
        async with sdk.connected(line, self.cell.revision, self._reach) as client:
            await sdk.ACTS[self.cell.probe.name](client, self._wish)

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, NotApplicableError):
            self.outcome.skipped, self.outcome.untried = str(error), isinstance(error, NotTriedError)
        elif isinstance(error, TimeoutError):
            hit = Hit(None, "the probe did not end in time", "its end", f"{_LONGEST * self._reach.timeout:g} s")
            self.hits.append(RunFinding("request-unanswered", None, hit))
        elif self.cell.driver != RAW:
            text = str(error).split("\n")[0][:200]
            message = f"the SDK raised {type(error).__name__}: {text}"
            last = len(self.traffic.sent) - 1
            hit = Hit(None, message, "the SDK reads the response", type(error).__name__, side="response")
            self.hits.append(RunFinding("client-error-unexpected", last if last >= 0 else None, hit))
        elif isinstance(error, (OSError, httpx2.HTTPError)):
            self.outcome.unreached = str(error) or type(error).__name__
        else:
            self.outcome.harness_errors.append(f"{self.cell.id}: {type(error).__name__}: {error}")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group of errors, at any depth; the reason for leaving first."""
    found: list[BaseException] = []

    def walk(each: BaseException) -> None:
        if isinstance(each, BaseExceptionGroup):
            for inner in each.exceptions:
                walk(inner)
        else:
            found.append(each)

    walk(error)
    yield from sorted(found, key=lambda each: not isinstance(each, NotApplicableError))


def _judge(run: _Run, outcome: Outcome, source: str) -> None:
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
