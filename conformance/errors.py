"""Errors that reach the user. Each one says what is wrong, where, and what to change."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ConformanceError(Exception):
    """Bad input or bad usage: shown as one line, exit code 2, never a traceback.

    `hint` is what to do next; it starts in lower case and is shown after the message.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None, *, cutoff: float = 0.6) -> str:
    """A hint for a name that is not known: the nearest one, or `otherwise`, by default all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return f"did you mean {near[0]!r}?" if near else otherwise or f"choose one of {', '.join(names)}"


class HarnessError(ConformanceError):
    """An internal error: exit code 3, never counted against a target."""

    exit_code = 3
