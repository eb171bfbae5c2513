"""Progress of a campaign on standard error: a bar on a terminal, else only messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from conformance.campaign.cost import Account
from conformance.model.printable import visible


class Watch(Protocol):
    """Receives the progress of a campaign."""

    def step(self) -> None:
        """Counts one more cell as done."""

    def tell(self, text: str) -> None:
        """Shows a message to the user immediately."""


class _Lines:
    def step(self) -> None:
        pass

    def tell(self, text: str) -> None:
        print(f"conformance: {visible(text)}", file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def watching(total: int, done: int, account: Account) -> Iterator[Watch]:
    """A bar with the time left and the cost so far; without a terminal, messages only."""
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
                progress.console.print(f"conformance: {escape(visible(text))}", highlight=False, soft_wrap=True)

        yield Bar()
