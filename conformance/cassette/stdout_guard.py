"""The last check on printed text: a line with a secret is not written."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, cast

from conformance.errors import HarnessError

if TYPE_CHECKING:
    from conformance.cassette.gate import Gate


class LeakError(HarnessError):
    """Our output would have shown a secret: an internal error, whatever its source."""


class Outlet:
    """A text stream that looks at each line before it lets it through.

    `what` is the name of the stream for the reader: `standard output`, or a file. With `refuses`, a line with a secret
    is an error; without, as on the stream for errors, the line is withheld.
    """

    def __init__(self, stream: IO[str], what: str, *, refuses: bool = True) -> None:
        self._stream = stream
        self._what = what
        self._refuses = refuses
        self._waiting = ""
        self._lines = 0
        self._gate: Gate | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Accepts text, and passes complete lines on."""
        if not isinstance(text, str):
            raise TypeError(f"expected str, not {type(text).__name__}")
        before, newline, self._waiting = (self._waiting + text).rpartition("\n")
        if newline:
            self._pass(before + newline)
        return len(text)

    def flush(self) -> None:
        """Lets everything through, also a line that has no end yet."""
        waiting, self._waiting = self._waiting, ""
        if waiting:
            self._pass(waiting)
        self._stream.flush()

    def _pass(self, text: str) -> None:
        if self._gate is None:
            from conformance.cassette.gate import Gate

            self._gate = Gate()
        if not self._gate.text(text, ""):
            self._stream.write(text)
            self._lines += text.count("\n")
            return
        for line in text.splitlines(keepends=True):
            self._lines += 1
            leaks = self._gate.text(line, f"{self._what}, line {self._lines}")
            if leaks and self._refuses:
                raise LeakError(f"{leaks[0].where}: output would contain {leaks[0].what}", "see docs/secrets.md")
            self._stream.write(f"(line withheld: it would contain {leaks[0].what})\n" if leaks else line)


def outlet(stream: IO[str], what: str, *, refuses: bool = True) -> IO[str]:
    """An `Outlet` with the type of its stream, whose attributes it has."""
    return cast("IO[str]", Outlet(stream, what, refuses=refuses))


@contextmanager
def guarded_output() -> Iterator[None]:
    """Puts the gate before standard output and standard error for as long as a command runs.

    One that the caller has closed (`>&-`) is None, and gets nothing: the exit code still counts.
    """
    out, err = sys.stdout, sys.stderr
    guards = (
        outlet(out or io.StringIO(), "standard output"),
        outlet(err or io.StringIO(), "standard error", refuses=False),
    )
    sys.stdout, sys.stderr = cast("Any", guards)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
        for guard in guards:
            with suppress(BrokenPipeError, ValueError):  # whoever read it has gone
                guard.flush()
