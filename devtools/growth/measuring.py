"""The exponent of growth of one dimension: in CPU time, or in counted operations."""

from __future__ import annotations

import cProfile
import gc
import io
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from conformance.cassette.redact import Redactor
from conformance.cassette.redact_exchange import redacted
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.report.verdicts import Display
from devtools.growth.dimensions import Dimension, Record

Work = Callable[[list[Exchange]], object]


def judge(exchanges: list[Exchange]) -> tuple[Checker, list[Finding]]:
    """Judges the exchanges as one run."""
    checker = Checker()
    return checker, [finding for exchange in exchanges for finding in checker.feed(exchange)]


def report(exchanges: list[Exchange]) -> None:
    """Judges them, and writes reports, without secrets."""
    _write(*judge(exchanges))


def _write(checker: Checker, findings: list[Finding]) -> None:
    for kind in ("text", "html"):
        guarded = Display(kind, verbose=False, quiet=False, cause=None).opened(io.StringIO())
        shown = guarded if kind == "html" else guarded.inner  # secrets are removed in the same way for each format
        shown.judged("growth")
        for finding in findings:
            shown.finding(finding)
        shown.close(checker.summary)


def redact(exchanges: list[Exchange]) -> None:
    """Removes the secrets, as for a cassette."""
    redactor = Redactor({"sk-live-0123456789abcdef0123"})
    for exchange in exchanges:
        redacted(exchange, redactor)


WORKS = ("judge", "report", "redact")


def exchanges_of(dimension: Dimension, size: int) -> list[Exchange]:
    """The exchanges of a dimension at a size, not yet read."""
    return _exchanges(dimension.records(size))


def _exchanges(records: list[Record]) -> list[Exchange]:
    return [Exchange.of(record, source="growth", complete=True, group="growth") for record in records]


def times(dimension: Dimension, size: int) -> dict[str, float]:
    """The CPU time of each work. The collector of cycles, whose time depends on everything that is alive, is off.

    The report of a finding shows its exchange without secrets: redaction is measured alone if nothing was found.
    """
    records = dimension.records(size)
    judged, redacted_ones = _exchanges(records), _exchanges(records)
    with _uncollected():
        begun = time.process_time()
        checker, findings = judge(judged)
        after_judging = time.process_time()
        _write(checker, findings)
        after_report = time.process_time()
        if not findings:
            redact(redacted_ones)
        end = time.process_time()
    return dict(zip(WORKS, (after_judging - begun, after_report - after_judging, end - after_report), strict=True))


def operations(dimension: Dimension, size: int, work: Work = judge) -> int:
    """The number of calls, of Python functions and of built-in ones, during the work."""
    exchanges = exchanges_of(dimension, size)
    profile = cProfile.Profile()
    profile.enable()
    work(exchanges)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def exponent(costs: Sequence[float], sizes: Sequence[int]) -> float:
    """The exponent between the first and the last size. A third cost between them takes what is constant away."""
    if len(costs) == 2:
        return math.log(costs[1] / costs[0]) / math.log(sizes[1] / sizes[0])
    (low, middle, high), (one, two, three) = costs, sizes
    if middle <= low or high <= middle:
        return 0.0
    return 1 + math.log((high - middle) / (middle - low) * (two - one) / (three - two)) / math.log(three / two)


@contextmanager
def _uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
