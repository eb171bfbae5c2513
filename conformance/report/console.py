"""Writing to a stream what its encoding has, in colours where it is a terminal; and the console of tables."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from conformance.model.printable import encodable

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 132


def put(out: IO[str], text: str) -> None:
    """Writes text; characters that the encoding of the stream lacks become escapes."""
    out.write(encodable(text, getattr(out, "encoding", None)))


def put_json(out: IO[str], value: Any) -> None:
    """Writes a JSON report; it is ASCII, so it survives every stream and pipe."""
    import json

    json.dump(value, out, indent=1)
    out.write("\n")


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
