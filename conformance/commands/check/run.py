"""`conformance check`: checks existing recordings."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any

from conformance.commands.check import EngineOptions, Options
from conformance.commands.common.baseline import write_baseline
from conformance.commands.common.options import given
from conformance.commands.common.output import destination, exit_code
from conformance.commands.common.progress import measured, suits
from conformance.errors import ConformanceError
from conformance.inputs import raw_records, read
from conformance.inputs.files import Files
from conformance.judge.checker import Checker
from conformance.judge.judging import Judged, Judging, forget, freeze
from conformance.judge.summary import Summary
from conformance.model.exchange import Exchange
from conformance.model.registry import dialect_chosen
from conformance.model.settings import settings_of
from conformance.model.source import split_source
from conformance.profiles.profiles import Profile

if TYPE_CHECKING:
    from conformance.matrix.expected import ExpectedFindings
    from conformance.model.finding import Finding


def run(options: Options) -> int:
    """Checks every exchange of the paths in order, and reports findings as they come."""
    with options.limits.applied():
        return _check(options)


def _check(options: Options) -> int:
    forced = dialect_chosen(options.dialect)
    display = options.report.display
    selection = options.findings.selection()
    summary = Summary(selection=selection)
    expected = _Expected()
    judging = Judging(forced, _chosen(options.profile))
    jobs = min(options.jobs, os.cpu_count() or 1)
    _refuse_contradictions(options.engine, jobs)
    if options.engine.engine != "local":
        judged = _judged_by_engine(options, judging, summary)
    else:
        judged = _judged_by_many(options, judging, summary, jobs) if jobs > 1 else _judged(options, judging, summary)
    first = list(islice(judged, 1))  # input that cannot be read at all is an error, and no report
    unread: ConformanceError | None = None
    with destination(options.report.output, options.paths) as stream:
        report = display.opened(stream)
        try:
            bar = suits(display.format, stream, verbose=display.verbose)
            for source, findings in measured(chain(first, judged), options.paths, bar=bar):
                report.judged(source)
                for finding in filter(selection.keeps, findings):
                    if expected.has(finding):
                        summary.expected += 1
                        continue
                    summary.count(finding)
                    report.finding(finding)
            write_baseline(selection)
            for finding in selection.stale():
                summary.count(finding)
                report.finding(finding)
        except ConformanceError as error:
            unread = error
        finally:
            # A file that cannot be read ends the run, and so does Ctrl-C; what was judged is still reported, in a whole
            # document, and counted.
            judged.close()
            if unread is not None and not summary.files.broken:
                summary.files.end(unread.message)
            report.close(summary)
    if unread is not None:
        raise unread
    return exit_code(summary, strict=selection.strict)


class _Expected:
    """The findings that the suite's own cassettes are expected to have; loaded with the first finding."""

    @cached_property
    def _known(self) -> ExpectedFindings:
        from conformance.matrix.expected import ExpectedFindings

        return ExpectedFindings(settings_of().values.get("scenarios", ()))

    def has(self, finding: Finding) -> bool:
        return self._known.has(finding)


def _chosen(profile: str | None) -> Profile | None:
    if profile is None:
        return None
    from conformance.judge.chosen_profile import chosen_profile

    return chosen_profile(profile)


def _judged(options: Options, judging: Judging, summary: Summary) -> Generator[Judged, None, None]:
    """Each exchange with its findings. Adds everything except the findings to the summary."""
    freeze()
    checker = Checker(judging.dialect, profile=judging.profile)
    try:
        files = checker.summary.files
        before: tuple[str, str] = "", ""
        for exchange in _chosen_exchanges(options, files):
            now = split_source(exchange.source)[0], exchange.group
            if (
                options.engine.group_by is None and now[0] != before[0] and (now[1] != before[1] or not now[1])
            ):  # a pair of files has one group
                forget(checker)
            before = now
            yield exchange.source, checker.feed(exchange)
    finally:
        summary.add(checker.summary)


def _chosen_exchanges(options: Options, files: Files) -> Iterator[Exchange]:
    """The exchanges that are to be judged, each in its conversation."""
    asked = options.engine
    if asked.group_by is None and asked.sample_rate >= 1:
        return read(options.paths, stdin=_stdin(), format=options.input_format, files=files)
    from conformance.scale.keys import chosen

    records = raw_records(options.paths, stdin=_stdin(), format=options.input_format, files=files)
    return chosen(records, asked.group_by, asked.sample_rate)


def _judged_by_many(options: Options, judging: Judging, summary: Summary, jobs: int) -> Generator[Judged, None, None]:
    """The same by several processes."""
    from conformance.judge.parallel.jobs import ParallelChecker

    with ParallelChecker(jobs, judging) as checker:
        try:
            yield from checker.judge(options.paths, stdin=_stdin(), format=options.input_format)
        finally:
            summary.add(checker.summary)


def _judged_by_engine(options: Options, judging: Judging, summary: Summary) -> Generator[Judged, None, None]:
    """The same in a cluster."""
    from conformance.scale.checking import Wish, judged_by_ray

    asked = options.engine
    wish = Wish(
        findings=asked.findings,
        resume=asked.resume,
        by=asked.group_by,
        rate=asked.sample_rate,
        address=asked.ray_address,
        workers=options.jobs if given("jobs") else None,
        lists=options.report.format in ("html", "junit"),
        format=options.input_format,
    )
    found = Summary()
    try:
        yield from judged_by_ray(options.paths, judging, found, wish)
    finally:
        summary.add(found)


def _refuse_contradictions(asked: EngineOptions, jobs: int) -> None:
    """Refuses options that would have no effect.

    Raises:
        ConformanceError: there is one.
    """
    regrouped = asked.group_by is not None or asked.sample_rate < 1
    if asked.engine == "local" and regrouped and jobs > 1:
        raise ConformanceError(
            "--group-by and --sample-rate work in one process", "leave out --jobs, or add --engine ray"
        )
    if asked.engine == "local" and (asked.findings or asked.resume or asked.ray_address):
        raise ConformanceError("--findings, --resume and --ray-address work only with Ray", "add --engine ray")
    if asked.resume and not asked.findings:
        raise ConformanceError("--resume needs the findings of the first run", "add --findings DIR")


def _stdin() -> IO[Any] | None:
    return sys.stdin.buffer if sys.stdin else None
