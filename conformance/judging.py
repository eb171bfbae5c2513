"""Judging one performance of a scenario, whoever answered it: its exchanges, its run, its SDK."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from conformance.acting import Performance
from conformance.cassette.redact import Redactor
from conformance.cells import Cell
from conformance.check import Checker
from conformance.exchange import Exchange
from conformance.expectations import judge_run
from conformance.finding import Finding, Hit, Severity
from conformance.jsontext import brief, same
from conformance.statements import RunHit
from conformance.transcript import Turn


@dataclass
class Verdict:
    """What was found in one cell. `transcript` is what the model said, for comparing runs with each other;
    `cell` is None for a cassette that belongs to no cell.
    """

    cell: Cell | None
    source: str
    findings: list[Finding]
    exchanges: int = 0
    harness_errors: list[str] = field(default_factory=list)
    transcript: tuple[Turn, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing of severity error was found, and we did not fail ourselves."""
        return not self.harness_errors and all(each.severity < Severity.ERROR for each in self.findings)


def judge(
    performance: Performance, exchanges: Sequence[Exchange], source: str, run_hits: Sequence[RunHit] = ()
) -> Verdict:
    """The findings of a performance: of its exchanges, of its run, and of the scenario's expectations."""
    cell = performance.cell
    checker = Checker(cell.dialect)
    findings = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    group = exchanges[0].group if exchanges else ""
    views = checker.views(group, cell.dialect)
    hits = [
        *run_hits,
        *_client(performance),
        *_reads_the_same(performance, [view.replies for view in views]),
        *judge_run(cell.scenario, views, performance.executor.log),
    ]
    findings += [hit.finding(dialect=cell.dialect, source=source) for hit in hits]
    return Verdict(
        cell=cell,
        source=source,
        findings=[replace(finding, source=source) for finding in findings],
        exchanges=len(exchanges),
        harness_errors=checker.summary.harness_errors,
        transcript=tuple(turn for view in views for turn in view.replies),
    )


def _client(performance: Performance) -> Iterator[RunHit]:
    """An SDK that raised on an answer; a miss has been reported as what it is."""
    error = performance.error
    if error is None or performance.misses:
        return
    text = Redactor(performance.secrets).text(str(error)).split("\n")[0][:200]
    last = len(performance.wire.requests) - 1
    message = f"{performance.cell.driver.package} raised {type(error).__name__}: {text}"
    hit = Hit(None, message, "the answer is read", type(error).__name__, side="response")
    yield RunHit("client-gave-up", last if last >= 0 else None, hit)


def _reads_the_same(performance: Performance, replies: Sequence[Sequence[Turn]]) -> Iterator[RunHit]:
    """The SDK's reading of the answers against ours: its calls, and the text of the last turn."""
    if performance.error is not None:
        return
    seen = performance.seen
    ours = [(number, call) for number, turns in enumerate(replies) for turn in turns[:1] for call in turn.calls]
    for (number, call), other in zip(ours, seen.calls, strict=False):
        if call.name != other.name or not same(call.arguments, other.arguments) or (call.id and call.id != other.id):
            theirs = f"{other.name} {brief(other.arguments)} {other.id}"
            wire = f"{call.name} {brief(call.arguments)} {call.id}"
            yield RunHit(
                "client-reads-otherwise", number, Hit(call.pointer, "the SDK shows another tool call", wire, theirs)
            )
    if len(ours) != len(seen.calls):
        message = "the SDK shows another number of tool calls"
        yield RunHit("client-reads-otherwise", None, Hit(None, message, str(len(ours)), str(len(seen.calls))))
    last = replies[-1][0] if replies and replies[-1] else None
    if last is not None and seen.finished and last.text != seen.answer:
        hit = Hit(last.pointer, "the SDK shows another answer", brief(last.text), brief(seen.answer))
        yield RunHit("client-reads-otherwise", len(replies) - 1, hit)
