"""Rules that report what one walk over a stream finds: a row for each fault that the walk names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


def walked(  # noqa: PLR0917 - a row of a table
    home: str,
    hits: Callable[[View, Any], Iterator[Hit]],
    id: str,  # noqa: A002 - the field's own word, as in `rule`
    cites: str | Sequence[str],
    fault: Any,
    requirement: str,
    why: str,
    *,
    severity: Severity | None = None,
    because: str = "",
) -> None:
    """Makes a fault of a walk a rule of the module `home`; `hits` gives those of one fault in a stream."""

    def judge(view: View) -> Iterator[Hit]:
        return hits(view, fault)

    judge.__module__, judge.__doc__ = home, f"{requirement}\n\n{why}"
    rule(id, scope="stream", cites=cites, severity=severity, because=because)(judge)
