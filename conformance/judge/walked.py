"""Rules that report what one walk over a stream finds: a row for each fault that the walk names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


class Row(Protocol):
    """Makes a fault of the walk a rule: its id, its statements, what must hold, and what breaks otherwise."""

    def __call__(
        self,
        id: str,  # noqa: A002 - the field's own word, as in `rule`
        cites: str | Sequence[str],
        fault: Any,
        requirement: str,
        why: str,
        *,
        severity: Severity | None = None,
        because: str = "",
    ) -> None: ...


def walked(home: str, hits: Callable[[View, Any], Iterator[Hit]]) -> Row:
    """The function for the rows of a module; `hits` gives those of one fault in a stream."""

    def row(
        id: str,  # noqa: A002
        cites: str | Sequence[str],
        fault: Any,
        requirement: str,
        why: str,
        *,
        severity: Severity | None = None,
        because: str = "",
    ) -> None:
        def judge(view: View) -> Iterator[Hit]:
            return hits(view, fault)

        judge.__module__, judge.__doc__ = home, f"{requirement}\n\n{why}"
        rule(id, scope="stream", cites=cites, severity=severity, because=because)(judge)

    return row
