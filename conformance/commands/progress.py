"""How far a campaign is, on standard error: a bar where that is a terminal, lines where something is to be told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from conformance.campaign.cost import Account


class Watch(Protocol):
    """What a campaign tells while it goes on."""

    def step(self) -> None:
        """One more cell is done."""

    def tell(self, text: str) -> None:
        """Something that the user should know now."""


class _Lines:
    def step(self) -> None:
        pass

    def tell(self, text: str) -> None:
        print(f"conformance: {text}", file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def watching(total: int, done: int, account: Account) -> Iterator[Watch]:
    """A bar with the time left and the cost so far; on anything but a terminal only what has to be told."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("cells,"),
        TimeRemainingColumn(),
        TextColumn("left; {task.fields[cost]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("cells", total=total, completed=done, cost=str(account))

        class Bar:
            def step(self) -> None:
                progress.update(task, advance=1, cost=str(account))

            def tell(self, text: str) -> None:
                progress.console.print(f"conformance: {escape(text)}", highlight=False, soft_wrap=True)

        yield Bar()
