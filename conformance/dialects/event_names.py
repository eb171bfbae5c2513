"""What the streams share whose events have a name on the wire and a type in their data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformance.model.finding import Hit, Severity
from conformance.model.sse import Event


def misnamed(typed: Iterable[tuple[Event, object]]) -> Iterator[Hit]:
    """The events whose name is not their type; what is no type, the contract reports."""
    unnamed = False
    for event, kind in typed:
        if not isinstance(kind, str):
            continue
        if event.name is None:
            if not unnamed:  # a server that names no event is reported once
                yield Hit(event.pointer, "the event has no name", kind, "no event line", severity=Severity.WARNING)
            unnamed = True
        elif event.name != kind:
            yield Hit(event.pointer, "the event's name differs from the type in its data", kind, event.name)
