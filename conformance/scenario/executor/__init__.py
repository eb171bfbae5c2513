"""Running the tools that the model calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """A JSON value that the tool returned; with `is_error`, the text of its failure."""

    value: Any
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Executed:
    """One call that was run, with its outcome."""

    tool: str
    arguments: Any
    outcome: ToolOutcome


class Executor(Protocol):
    """Runs tools by name; `log` has the calls that it ran, oldest first."""

    log: list[Executed]

    def __call__(self, tool: str, arguments: Any) -> ToolOutcome:
        """Runs one call. A tool that fails, or that does not exist, is an outcome and no exception."""
