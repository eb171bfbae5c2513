"""Errors that reach the user. Each one names what is wrong, where, and what to change."""

from __future__ import annotations

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


def closest(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """The known name that is written most like this one; None if none is."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), None)


def did_you_mean(
    name: str, known: Iterable[str], otherwise: str | None = None, *, cutoff: float = 0.6, form: str = "{!r}"
) -> str:
    """A hint for a name that is not known: the nearest one, or `otherwise`, by default all of them.

    `form` is how the name is written; what is written in a file is in backticks.
    """
    names = list(known)
    near = closest(name, names, cutoff=cutoff)
    if near is not None:
        return f"did you mean {form.format(near)}?"
    return f"choose one of {', '.join(names)}" if otherwise is None else otherwise


class HarnessError(ConformanceError):
    """An internal error: exit code 3, never counted against a target."""

    exit_code = 3
