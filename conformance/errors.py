"""Errors that reach the user. Each one says what is wrong, where, and what to change."""

from __future__ import annotations


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


class HarnessError(ConformanceError):
    """An internal error: exit code 3, never counted against a target."""

    exit_code = 3
