"""Selection of findings, destination of the report, and exit code: shared by all commands that report."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from conformance.cassette.redact import shown
from conformance.cassette.stdout_guard import outlet
from conformance.commands.baseline import write_baseline
from conformance.errors import ConformanceError
from conformance.inputs.recording import is_recording
from conformance.judge.checker import Summary
from conformance.judge.selection import Selection, chosen
from conformance.model.printable import visible
from conformance.report import open_report
from conformance.report.base import Case
from conformance.report.guarded import Guarded

if TYPE_CHECKING:
    from conformance.matrix.verdict import Verdict


def selected(**choice: Any) -> Selection:
    """The selection (`conformance.judge.selection.chosen`). Prints the new ids of renamed rules to standard error.

    Raises:
        ConformanceError: a prefix matches no rule, or a file is invalid.
    """
    selection = chosen(**choice)
    for notice in selection.notices:
        click.echo(notice, err=True)
    return selection


@contextmanager
def destination(output: str | None, inputs: Iterable[str] = ()) -> Iterator[IO[str]]:
    """Standard output, or the file, which is replaced once the report is complete.

    A pipe or a device is opened for writing, because a file must not replace it. `inputs` are the files and folders
    that the command reads: a report never replaces one of their recordings.

    Raises:
        ConformanceError: the file cannot be written, or it is one of the inputs.
    """
    if output is None:
        yield sys.stdout
        return
    refuse_input(output, inputs)
    path = Path(output).resolve() if output else Path()
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8") as file:
                out = outlet(file, str(output))
                yield out
                out.flush()
            return
        descriptor, name = tempfile.mkstemp(prefix=".report-", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor has no path
            out = outlet(file, str(output))
            yield out
            out.flush()
        temporary.chmod(0o644)
        temporary.replace(path)
        temporary = None
    except OSError as error:
        raise ConformanceError(
            f"{output or '(no name)'}: cannot write the report: {error.strerror or error}",
            "pass --output a file in a writable folder",
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def refuse_input(name: str, inputs: Iterable[str]) -> None:
    """Refuses an output that is one of the inputs, or a recording in one of them, also through a link.

    Raises:
        ConformanceError: it is.
    """
    output = Path(name)
    if not output.is_file():
        return
    for each in inputs:
        path = Path(each)
        inside = path.is_dir() and output.resolve().is_relative_to(path.resolve()) and is_recording(str(output))
        if inside or (path.exists() and path.samefile(output)) or _linked_into(path, output):
            raise ConformanceError(
                f"--output {output} is one of the inputs; the report would replace it", "choose another file name"
            )


def _linked_into(folder: Path, output: Path) -> bool:
    """Whether a recording in the folder is the same file by a hard link."""
    return (
        output.stat().st_nlink > 1
        and folder.is_dir()
        and is_recording(str(output))
        and any(each.is_file() and each.samefile(output) for each in folder.rglob("*"))
    )


@dataclass(frozen=True, slots=True)
class Display:
    """How a report is shown: its format, and the options of the command line that go with it."""

    format: str = "text"
    verbose: bool = False
    quiet: bool = False
    cause: int | None = None

    def __post_init__(self) -> None:
        """Refuses options that contradict each other, or have no meaning for the format.

        Raises:
            ConformanceError: they do.
        """
        if self.verbose and self.quiet:
            raise ConformanceError("--verbose and --quiet exclude each other", "pass one of them")
        if self.cause is not None and self.format != "issue":
            raise ConformanceError("--cause works only with --format issue", "add --format issue")

    def opened(self, out: IO[str]) -> Guarded:
        """A report onto the stream."""
        return open_report(self.format, out, verbose=self.verbose, quiet=self.quiet, cause=self.cause)


def report_verdicts(
    results: Iterable[Verdict],
    display: Display,
    out: IO[str],
    *,
    selection: Selection | None = None,
    statistics: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
) -> tuple[list[Verdict], Summary]:
    """Reports the findings of each verdict as it comes, without those that the selection leaves out.

    `statistics`, and `more` members of the JSON report, are added to reports that can contain them.
    """
    selection = selection or Selection()
    report = display.opened(out)
    if hasattr(report.inner, "statistics"):
        report.inner.statistics = statistics
    if more is not None and hasattr(report.inner, "more"):
        report.inner.more = more
    verdicts: list[Verdict] = []
    summary = Summary(tells=selection.tells)
    try:
        for result in results:
            told = [each for each in result.findings if each.rule.startswith("baseline-") or selection.keeps(each)]
            verdict = replace(result, findings=told)
            verdicts.append(verdict)
            summary.conversations += verdict.cell is not None and verdict.skipped is None
            summary.exchanges += verdict.exchanges
            summary.harness_errors += verdict.harness_errors
            summary.add_exercised(verdict.exercised)
            report.judged(verdict.source, _case(verdict))
            for finding in verdict.findings:
                report.finding(finding)
                summary.count(finding)
                summary.not_exercised += finding.rule == "exercise-missing"
            verdict.findings[:] = [replace(finding, traffic=None) for finding in verdict.findings]
    finally:
        report.close(summary)
    return verdicts, summary


def _case(verdict: Verdict) -> Case | None:
    cell = verdict.cell
    if cell is None:
        return None
    return Case(cell.id, cell.target, cell.scenario.id, cell.dialect, cell.driver.name, cell.mode, verdict.skipped)


def stale_entries(selection: Selection, whole: Callable[[], bool]) -> Iterator[Verdict]:
    """The verdicts after all cells: baseline entries that no finding needs, or whose date has passed.

    `whole` says, once all cells are done, whether every finding has been seen.
    """
    from conformance.matrix.verdict import Verdict

    everything = whole()
    write_baseline(selection, whole=everything)
    for finding in selection.stale(whole=everything):
        yield Verdict(None, finding.source, [finding])


def exit_code(summary: Summary, *, strict: bool) -> int:
    """0 without findings of severity error, 1 with some, 3 after internal errors, which are printed to stderr.

    With `strict`, warnings count as errors do.
    """
    if tell_faults(summary.harness_errors):
        return 3
    return 1 if summary.errors or (strict and summary.warnings) else 0


def tell_faults(faults: Sequence[str]) -> bool:
    """Prints internal errors to stderr, without secrets and control characters; whether there are any."""
    for fault in faults:
        click.echo(f"conformance: internal error: {visible(shown(fault))}", err=True)
    return bool(faults)
