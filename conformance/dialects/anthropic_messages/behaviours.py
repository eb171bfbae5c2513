"""Behaviours of the reference server for Messages."""

from __future__ import annotations

from conformance.model.behaviour import OF_APIS, behaviour
from conformance.model.document import Document, Mark

SHARED = (
    *OF_APIS,
    "event-new",
    "events-out-of-order",
    "one-delta",
    "reasoning-before-calls-gone",
    "reasoning-before-the-answer",
    "required-field-gone",
    "retry-after-gone",
    "stop-reason-of-an-end",
    "terminator-gone",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""


@behaviour("ping-more", "stream", "noise", "pings", streamed=True)
def ping_more(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A ping is sent before every second event."""
    ping = next(each for each in documents if isinstance(each, Document) and each.event == "ping")
    return [part for number, each in enumerate(documents) for part in ([ping, each] if number % 2 else [each])]
