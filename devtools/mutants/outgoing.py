"""Mutated requests of the SDKs: a cell runs once, and is judged repeatedly, each time with one changed live request.

If the replay passes in spite of a fault, the cassette checks nothing. No mutant is excused here: every difference
from the recorded requests has to be found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from conformance.cassette.load import Cassette
from conformance.drivers.transport import Capture
from conformance.matrix.cells import Cell, all_cells, why_skipped
from conformance.matrix.perform import CellRun
from conformance.matrix.replay import perform, verdict_of
from conformance.model.data_files import data_dir
from conformance.model.exchange import Body, Exchange, Headers, Response
from conformance.model.finding import Severity
from conformance.model.registry import version_headers
from devtools.mutants.operator import Fault
from devtools.mutants.operators import http, items, members
from devtools.mutants.sampling import rank
from devtools.mutants.subject import Subject
from devtools.mutants.trial import Outcome

_UNANSWERED = 100
_VALUES: dict[str, Callable[[Subject], Iterator[Fault]]] = {
    "alter": members.alter,
    "case-key": members.case_key,
    "drop-item": items.drop_item,
    "drop-key": members.drop_key,
    "duplicate-item": items.duplicate_item,
    "empty": members.empty,
    "null": members.null,
    "rename-key": members.rename_key,
    "retype": members.retype,
    "swap-items": items.swap_items,
    "drop-header": http.drop_header,
    "alter-header": http.alter_header,
}


@dataclass(frozen=True, slots=True)
class Sent:
    """One mutant of the sent requests: where the fault is, and the requests with it."""

    operator: str
    place: str
    pattern: str
    capture: Callable[[], Capture]


def run(dialects: Sequence[str] = (), *, seed: int = 0, jobs: int = 1, each: int = 1) -> list[Outcome]:
    """The outcomes of all cells of the dialects; `each` is the number of mutants of one operator for each request."""
    cells = [cell for cell in all_cells() if why_skipped(cell) is None]
    chosen = [cell.id for cell in cells if not dialects or cell.dialect in dialects]
    if jobs == 1:
        return _outcomes(chosen, seed, each)
    shares = [chosen[number::jobs] for number in range(jobs)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found = pool.map(_outcomes, shares, [seed] * jobs, [each] * jobs)
        return [outcome for outcomes in found for outcome in outcomes]


def _outcomes(cell_ids: Sequence[str], seed: int, each: int) -> list[Outcome]:
    cells = {cell.id: cell for cell in all_cells()}
    return [outcome for cell_id in cell_ids for outcome in of_cell(cells[cell_id], seed=seed, each=each)]


def of_cell(cell: Cell, *, seed: int = 0, each: int = 1) -> Iterator[Outcome]:
    """The outcomes of one cell.

    Raises:
        AssertionError: the cell fails without a mutant, so that it shows nothing.
    """
    cassette, run = perform(cell, data_dir("cassettes") / cell.relative_path)
    before = verdict_of(cassette, run)
    if not before.passed:
        raise AssertionError(f"{cell.id} fails without any fault: {[finding.rule for finding in before.findings]}")
    for mutant in mutants(run, seed=seed, each=each):
        yield _judged(cell, cassette, replace(run, capture=mutant.capture()), mutant)


def _judged(cell: Cell, cassette: Cassette, run: CellRun, mutant: Sent) -> Outcome:
    verdict = verdict_of(cassette, run)
    rules = dict.fromkeys(finding.rule for finding in verdict.findings if finding.severity >= Severity.ERROR)
    return Outcome(
        dialect=cell.dialect,
        operator=mutant.operator,
        side="request",
        pattern=mutant.pattern,
        place=mutant.place,
        subject=cell.id,
        rules=tuple(rules),
        broken=tuple(verdict.harness_errors),
    )


def mutants(run: CellRun, *, seed: int, each: int) -> Iterator[Sent]:
    """The mutants of the requests of a run: changed requests, and another number of requests."""
    capture = run.capture
    for number in range(len(capture.requests)):
        if number not in capture.failures:
            yield from _of_request(capture, number, run.cell, seed=seed, each=each)
    last = len(capture.requests) - 1
    if last >= 0:
        yield Sent("send-twice", f"{last}", "request", partial(_sent_again, capture))
        yield Sent("not-sent", f"{last}", "request", partial(Capture, capture.requests[:-1], capture.failures))


def _of_request(capture: Capture, number: int, cell: Cell, *, seed: int, each: int) -> Iterator[Sent]:
    request = capture.requests[number]
    subject = Subject(Exchange(request, Response(_UNANSWERED), complete=True))
    if not subject.layers:
        return
    for name, operator in _VALUES.items():
        faults = [fault for fault in operator(subject) if fault.side == "request" and _counts(name, fault)]
        for fault in sorted(faults, key=lambda fault: rank(seed, cell.id, str(number), name, fault.place))[:each]:
            made = partial(_with, capture, number, fault.made)
            yield Sent(name, f"{number} {fault.place}", fault.pattern, made)
    others: dict[str, Any] = {
        "alter-method": replace(request, method="PUT"),
        "alter-path": replace(request, url=urlunsplit(urlsplit(request.url)._replace(path=f"{request.path}x"))),
    }
    if not request.body.empty:
        others["drop-body"] = replace(request, body=Body(b""))
    for name, other in others.items():
        yield Sent(
            name, str(number), "request", partial(_with, capture, number, partial(Exchange, other, Response(100)))
        )


def _counts(operator: str, fault: Fault) -> bool:
    """Whether the fault changes something that is compared: of a credential its presence, not its value."""
    if operator != "alter-header":
        return True
    return fault.place.removeprefix("headers/") in ("content-type", *version_headers())


def _with(capture: Capture, number: int, made: Callable[[], Exchange]) -> Capture:
    request = made().request
    sent = replace(request, headers=Headers(request.headers))
    return Capture([*capture.requests[:number], sent, *capture.requests[number + 1 :]], capture.failures)


def _sent_again(capture: Capture) -> Capture:
    number = len(capture.requests)
    return Capture(
        [*capture.requests, capture.requests[-1]], {**capture.failures, number: RuntimeError("not in the cassette")}
    )
