"""Selection of findings, destination of the report, and exit code: shared by all commands that report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from conformance.cassette.stdout_guard import outlet
from conformance.commands.common.baseline import write_baseline
from conformance.errors import ConformanceError
from conformance.inputs.recording import is_recording
from conformance.judge.selection import Selection
from conformance.judge.summary import Summary
from conformance.model.printable import visible

if TYPE_CHECKING:
    from conformance.matrix.verdict import Verdict


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
    import tempfile

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


def refuse_what_is_read(parameters: Mapping[str, Any]) -> None:
    """Refuses an `output` that is a file which another option or argument names, or the project's settings.

    Raises:
        ConformanceError: it is.
    """
    from conformance.model.settings import settings_of

    read = [value for name, value in parameters.items() if name != "output"]
    named = [each for value in read for each in (value if isinstance(value, tuple) else [value])]
    found = settings_of()
    named += [str(each) for each in (found.path, found.values.get("baseline")) if each is not None]
    refuse_input(parameters["output"], [each for each in named if isinstance(each, str) and len(each) < _LONGEST])


_LONGEST = 4096
"""A longer word is no path."""


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
        try:
            same = _is_or_has(path, output)
        except (OSError, ValueError):  # it is no path at all
            continue
        if same:
            raise ConformanceError(
                f"--output {output} is one of the inputs; the report would replace it", "choose another file name"
            )


def _is_or_has(path: Path, output: Path) -> bool:
    """Whether the path is the output, or is a folder that has it as a recording or as a file of settings."""
    if path.is_dir() and output.resolve().is_relative_to(path.resolve()):
        return output.suffix in (".yaml", ".yml") or is_recording(str(output))
    return (path.exists() and path.samefile(output)) or _linked_into(path, output)


def _linked_into(folder: Path, output: Path) -> bool:
    """Whether a recording in the folder is the same file by a hard link."""
    return (
        output.stat().st_nlink > 1
        and folder.is_dir()
        and is_recording(str(output))
        and any(each.is_file() and each.samefile(output) for each in folder.rglob("*"))
    )


def stale_entries(selection: Selection, whole: Callable[[], bool]) -> Iterator[Verdict]:
    """The verdicts after all cells: baseline entries that no finding needs, or whose date has passed.

    `whole` is asked once all cells are done: whether every finding has been seen.
    """
    from conformance.matrix.verdict import Verdict

    everything = whole()
    write_baseline(selection, whole=everything)
    for finding in selection.stale(whole=everything):
        yield Verdict(None, finding.source, [finding])


def exit_code(summary: Summary, *, strict: bool) -> int:
    """0 without findings of severity error, 1 with some, 2 if nothing was judged, 3 after internal errors.

    Why nothing was judged, and internal errors, are printed to standard error. With `strict`, warnings count as errors
    do, and so do files and cells that are missing from the verdict.
    """
    if report_faults(summary.harness_errors):
        return 3
    if summary.errors:
        return 1
    nothing = summary.why_nothing()
    if nothing is not None:
        from conformance.cassette.redact import shown

        click.echo(f"conformance: {visible(shown(str(nothing)))}", err=True)
        return nothing.exit_code
    return 1 if strict and (summary.warnings or summary.incomplete) else 0


def report_faults(faults: Sequence[str]) -> bool:
    """Prints internal errors to stderr, without secrets and control characters; whether there are any."""
    for fault in faults:
        from conformance.cassette.redact import shown

        click.echo(f"conformance: internal error: {visible(shown(fault))}", err=True)
    return bool(faults)
