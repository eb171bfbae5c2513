"""`conformance check`: checks existing recordings."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from itertools import chain, islice
from typing import IO, Any

from conformance.commands.baseline import write_baseline
from conformance.commands.output import Display, destination, exit_code, selected
from conformance.commands.progress import measured, suits
from conformance.inputs import read
from conformance.judge.checker import Checker, Summary
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.parallel import Judged, ParallelChecker
from conformance.judge.shared_work import Judging, freeze
from conformance.model.registry import dialect_chosen


def run(
    *,
    paths: Sequence[str],
    dialect: str,
    profile: str | None = None,
    jobs: int,
    format_: str,
    from_: str | None = None,
    output: str | None,
    verbose: bool,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Checks every exchange of the paths in order, and reports findings as they come."""
    forced = dialect_chosen(dialect)
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    stdin = sys.stdin.buffer if sys.stdin else None
    jobs = min(jobs, os.cpu_count() or 1)
    judged = _judged_by_many if jobs > 1 else _judged
    summary = Summary(tells=selection.tells)
    how = Judging(forced, None if profile is None else chosen_profile(profile))
    results = judged(paths, stdin, how, summary, jobs, from_=from_)
    first = list(islice(results, 1))  # input that cannot be read at all is an error, and no report
    with destination(output, paths) as stream:
        report = display.opened(stream)
        try:
            bar = suits(format_, stream, verbose=verbose)
            for source, findings in measured(chain(first, results), paths, bar=bar):
                report.judged(source)
                for finding in filter(selection.keeps, findings):
                    summary.count(finding)
                    report.finding(finding)
            write_baseline(selection)
            for finding in selection.stale():
                summary.count(finding)
                report.finding(finding)
        finally:
            # A file that cannot be read ends the run, and so does Ctrl-C; earlier findings are still reported, in a
            # whole document, and counted.
            results.close()
            report.close(summary)
    return exit_code(summary, strict=selection.strict)


def _judged(
    paths: Sequence[str], stdin: IO[Any] | None, how: Judging, summary: Summary, _: int, *, from_: str | None
) -> Generator[Judged, None, None]:
    """Each exchange with its findings. Adds everything except the findings to the summary."""
    freeze()
    checker = Checker(how.dialect, profile=how.profile)
    try:
        for exchange in read(paths, stdin=stdin, format=from_):
            yield exchange.source, checker.feed(exchange)
    finally:
        summary.add(checker.summary)


def _judged_by_many(
    paths: Sequence[str], stdin: IO[Any] | None, how: Judging, summary: Summary, jobs: int, *, from_: str | None
) -> Generator[Judged, None, None]:
    with ParallelChecker(jobs, how) as checker:
        try:
            yield from checker.judge(paths, stdin=stdin, format=from_)
        finally:
            summary.add(checker.summary)
