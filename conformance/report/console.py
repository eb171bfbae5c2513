"""The console that tables are printed on: as wide as the terminal, of one width anywhere else."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 132


def console(out: IO[str]) -> Console:
    """A console on the stream. If the reader is gone, it raises the same error as any other stream."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process with exit code 1

    return Plain(file=out, highlight=False, width=None if out.isatty() else _WIDTH)
