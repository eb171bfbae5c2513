"""The console that tables are printed on: as wide as the terminal, of one width anywhere else; and colours."""

from __future__ import annotations

import os
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


def wants_color(stream: IO[str]) -> bool:
    """Whether to write colors: on a terminal, unless NO_COLOR is set (https://no-color.org); else with FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (os.environ.get("TERM") != "dumb" and stream.isatty())
