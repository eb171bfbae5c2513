"""Progress on standard error: a bar with the time left on a terminal, else only messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import IO, Protocol, TypeVar

from conformance.inputs import Source, sources
from conformance.judge.judging import Judged
from conformance.model.printable import visible

Item = TypeVar("Item")
_AS_THEY_COME = ("json", "junit")
"""The formats whose findings are written at once; on the same terminal, a bar would be among them."""
_LINE = re.compile(r":\d+$")


class Watch(Protocol):
    """Receives the progress of a command."""

    def step(self, size: float = 1) -> None:
        """Counts one more item, or that part of the total, as done."""

    def message(self, text: str) -> None:
        """Shows a message to the user immediately."""


def print_message(text: str) -> None:
    """Prints one line for the user to standard error."""
    print(f"conformance: {visible(text)}", file=sys.stderr, flush=True)  # noqa: T201


class _Lines:
    """Messages; with `seconds`, what is done, too, as often as that."""

    def __init__(self, note: Callable[[], str], seconds: float | None) -> None:
        self._note, self._seconds, self._last = note, seconds, monotonic()

    def step(self, size: float = 1) -> None:
        if self._seconds is not None and monotonic() - self._last >= self._seconds:
            self._last = monotonic()
            print_message(self._note())

    def message(self, text: str) -> None:
        print_message(text)


@contextmanager
def watching(
    total: float, done: int = 0, *, note: Callable[[], str], bar: bool = True, seconds: float | None = None
) -> Iterator[Watch]:
    """A bar with the time left, and a note about what is done; without a terminal or a `bar`, messages only.

    With `seconds`, the note is such a message, as often as that.
    """
    if not bar or not sys.stderr.isatty():
        yield _Lines(note, seconds)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("left; {task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("", total=total, completed=done, note=escape(note()))

        class Bar:
            def step(self, size: float = 1) -> None:
                progress.update(task, advance=size, note=escape(note()))

            def message(self, text: str) -> None:
                progress.console.print(f"conformance: {escape(visible(text))}", highlight=False, soft_wrap=True)

        yield Bar()


def suits(format_: str, out: IO[str], *, verbose: bool = False) -> bool:
    """Whether a bar can be shown while the report is written."""
    at_once = format_ in _AS_THEY_COME or (format_ == "text" and verbose)
    return sys.stderr.isatty() and not (at_once and out.isatty())


def counted(items: Iterable[Item], total: int, unit: str, *, bar: bool) -> Iterator[Item]:
    """The items as they come, with a bar that counts them."""
    done = 0
    with watching(total, note=lambda: f"{min(done, total)} of {total} {unit}", bar=bar) as watch:
        for item in items:
            done += 1
            watch.step()
            yield item


def measured(judged: Iterable[Judged], paths: Sequence[str], *, bar: bool) -> Iterator[Judged]:
    """The judged exchanges as they come, with a bar of the bytes of the files that are done."""
    if not bar:
        yield from judged
        return
    sizes = {each.path: _size(each.path) for each in sources(paths) if isinstance(each, Source)}
    done, current = 0, ""
    with watching(sum(sizes.values()), note=lambda: f"{done} exchanges") as watch:
        for source, findings in judged:
            file = source if source in sizes else _LINE.sub("", source)
            done += 1
            watch.step(0 if file == current else sizes.get(current, 0))
            current = file
            yield source, findings
        watch.step(sizes.get(current, 0))


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
